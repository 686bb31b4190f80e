"""The charts of each attack."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dpstudio.charts.figure import Figure
from dpstudio.labs.attacks.attack.attackers import differencing_charts
from dpstudio.labs.attacks.attack.model import AttackModel

_DRAWN: dict[str, Callable[[Any], Iterable[Figure]]] = {"differencing": differencing_charts.charts}


def charts(model: AttackModel) -> tuple[Figure, ...]:
    """Of the attack in use, its success first."""
    return tuple(_DRAWN[model.lab.attacker.key](model.found))
