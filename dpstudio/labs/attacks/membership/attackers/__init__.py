"""The catalogue of attackers of Membership: a folder each, and one name here."""

from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.attacks.membership.attackers.membership.model import Membership
from dpstudio.labs.attacks.membership.attackers.shadows.model import Shadows

ATTACKERS: list[type[Attacker]] = [Membership, Shadows]
