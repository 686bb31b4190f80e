"""The catalogue of attackers of Differencing: a folder each, and one name here."""

from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.attacks.differencing.attackers.console.model import Console
from dpstudio.labs.attacks.differencing.attackers.differencing.model import Differencing
from dpstudio.labs.attacks.differencing.attackers.tracker.model import Tracker

ATTACKERS: list[type[Attacker]] = [Differencing, Tracker, Console]
