"""Reconstruction: so many answers that all people can be solved for."""

from dpstudio.labs.attacks.attackers import attack_lab as base
from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.attacks.reconstruction import ABOUT
from dpstudio.labs.attacks.reconstruction.attackers import ATTACKERS
from dpstudio.labs.attacks.reconstruction.attackers.reconstruction.model import Reconstruction
from dpstudio.privacy.mechanisms import Additive


class ReconstructionLab(base.AttackLab, about=ABOUT):
    """Everybody at once, from answers about many. No row of the table is read."""

    attacker: Attacker = base.attacker(Reconstruction(), lambda: ATTACKERS)
    mechanism: Additive = base.mechanism()
    confidence: float = base.confidence()
    seed: int = base.seed()
