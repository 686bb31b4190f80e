"""The catalogue of attackers: one file each, and one name here."""

from dpstudio.labs.attacks.attack.attackers.attacker import Attacker
from dpstudio.labs.attacks.attack.attackers.differencing import Differencing

ATTACKERS: list[type[Attacker]] = [Differencing]
