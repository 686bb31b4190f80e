"""The catalogue of attackers of Linkage: a folder each, and one name here."""

from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.attacks.linkage.attackers.frequency.model import Frequency
from dpstudio.labs.attacks.linkage.attackers.joining.model import Joining
from dpstudio.labs.attacks.linkage.attackers.linkage.model import Linkage

ATTACKERS: list[type[Attacker]] = [Joining, Linkage, Frequency]
