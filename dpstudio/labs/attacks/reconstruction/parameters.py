"""Reconstruction: so many answers that all people can be solved for."""

from dpstudio.labs.attacks.attackers import attack_lab as base
from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.attacks.reconstruction import ABOUT
from dpstudio.labs.attacks.reconstruction.attackers import ATTACKERS
from dpstudio.labs.attacks.reconstruction.attackers.reconstruction.model import Reconstruction
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian


class ReconstructionLab(base.AttackLab, about=ABOUT):
    """Everybody at once, from answers about many. No row of the table is read."""

    attacker: Attacker = base.attacker(Reconstruction(), lambda: ATTACKERS)
    # The noise of one answer is √n then, where the attack begins to find more than a coin does. At
    # the ε of one answer, which other pages have, all of them together tell nothing.
    own_budget = True
    mechanism: Additive = base.mechanism(AnalyticGaussian(epsilon=10.0))
    confidence: float = base.confidence()
    seed: int = base.seed()
