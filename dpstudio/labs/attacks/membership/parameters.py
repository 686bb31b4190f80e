"""Membership: whether somebody was among those of whom an answer, or a model, was made."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.attacks.attackers import attack_lab as base
from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.attacks.membership import ABOUT
from dpstudio.labs.attacks.membership.attackers import ATTACKERS
from dpstudio.labs.attacks.membership.attackers.membership.model import Membership
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.queries import Query


class MembershipLab(base.AttackLab, about=ABOUT):
    """Was this person in? Of one answer, and of a model."""

    attacker: Attacker = base.attacker(Membership(), lambda: ATTACKERS)
    query: Query = base.query()
    mechanism: Additive = base.mechanism()
    adjacency: str = shared.adjacency()
    confidence: float = base.confidence()
    trials: int = base.trials()
    seed: int = base.seed()
    show_truth: bool = shared.show_truth()
