"""Linkage: people found in a table without names by what somebody else knows of them."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.attacks.attackers import attack_lab as base
from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.attacks.linkage import ABOUT
from dpstudio.labs.attacks.linkage.attackers import ATTACKERS
from dpstudio.labs.attacks.linkage.attackers.joining.model import Joining


class LinkageLab(base.AttackLab, about=ABOUT):
    """What else is known finds people, and words, from whom only the name was taken."""

    attacker: Attacker = base.attacker(Joining(), lambda: ATTACKERS)
    confidence: float = base.confidence()
    seed: int = base.seed()
    show_truth: bool = shared.show_truth()
