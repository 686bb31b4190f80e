"""The charts of each attack."""

from __future__ import annotations

from dpstudio.charts.figure import Figure
from dpstudio.labs.attacks.attack.model import AttackModel


def charts(model: AttackModel) -> tuple[Figure, ...]:
    """Of the attack in use, its success first."""
    return tuple(model.lab.attacker.beside("charts").charts(model.found))
