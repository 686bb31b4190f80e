"""The catalogue of attackers: one file each, and one name here."""

from dpstudio.labs.attacks.attack.attackers.attacker import Attacker
from dpstudio.labs.attacks.attack.attackers.census.model import Census
from dpstudio.labs.attacks.attack.attackers.console.model import Console
from dpstudio.labs.attacks.attack.attackers.differencing.model import Differencing
from dpstudio.labs.attacks.attack.attackers.frequency.model import Frequency
from dpstudio.labs.attacks.attack.attackers.inversion.model import Inversion
from dpstudio.labs.attacks.attack.attackers.joining.model import Joining
from dpstudio.labs.attacks.attack.attackers.linkage.model import Linkage
from dpstudio.labs.attacks.attack.attackers.membership.model import Membership
from dpstudio.labs.attacks.attack.attackers.reconstruction.model import Reconstruction
from dpstudio.labs.attacks.attack.attackers.shadows.model import Shadows
from dpstudio.labs.attacks.attack.attackers.tracker.model import Tracker

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
