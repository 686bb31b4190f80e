"""The catalogue of attackers of Reconstruction: a folder each, and one name here."""

from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.attacks.reconstruction.attackers.census.model import Census
from dpstudio.labs.attacks.reconstruction.attackers.reconstruction.model import Reconstruction

ATTACKERS: list[type[Attacker]] = [Reconstruction, Census]
