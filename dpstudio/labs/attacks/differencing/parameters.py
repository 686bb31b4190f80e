"""Differencing: allowed questions that differ by one person, and consoles that forbid them."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.attacks.attackers import attack_lab as base
from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.attacks.differencing import ABOUT
from dpstudio.labs.attacks.differencing.attackers import ATTACKERS
from dpstudio.labs.attacks.differencing.attackers.differencing.model import Differencing
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.queries import Query


class DifferencingLab(base.AttackLab, about=ABOUT):
    """Questions that surround one person, and noise or rules in their way."""

    attacker: Attacker = base.attacker(Differencing(), lambda: ATTACKERS)
    query: Query = base.query()
    mechanism: Additive = base.mechanism()
    adjacency: str = shared.adjacency()
    confidence: float = base.confidence()
    trials: int = base.trials()
    seed: int = base.seed()
    show_truth: bool = shared.show_truth()
