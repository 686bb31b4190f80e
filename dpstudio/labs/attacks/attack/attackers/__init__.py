"""The catalogue of attackers: one file each, and one name here."""

from dpstudio.labs.attacks.attack.attackers.attacker import Attacker
from dpstudio.labs.attacks.attack.attackers.census import Census
from dpstudio.labs.attacks.attack.attackers.console import Console
from dpstudio.labs.attacks.attack.attackers.differencing import Differencing
from dpstudio.labs.attacks.attack.attackers.frequency import Frequency
from dpstudio.labs.attacks.attack.attackers.inversion import Inversion
from dpstudio.labs.attacks.attack.attackers.joining import Joining
from dpstudio.labs.attacks.attack.attackers.linkage import Linkage
from dpstudio.labs.attacks.attack.attackers.membership import Membership
from dpstudio.labs.attacks.attack.attackers.reconstruction import Reconstruction
from dpstudio.labs.attacks.attack.attackers.shadows import Shadows
from dpstudio.labs.attacks.attack.attackers.tracker import Tracker

ATTACKERS: list[type[Attacker]] = [
    Differencing,
    Membership,
    Reconstruction,
    Census,
    Shadows,
    Tracker,
    Console,
    Inversion,
    Frequency,
    Linkage,
    Joining,
]
