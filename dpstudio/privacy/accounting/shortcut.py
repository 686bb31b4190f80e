"""The formula that texts print for advanced composition, and for how many answers it is proved,
true and false."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.accountant import Accountant
from dpstudio.privacy.accounting.concentrated import ZCDP
from dpstudio.privacy.accounting.optimal import optimal_curve
from dpstudio.privacy.accounting.spend import ADD_REMOVE, Ledger, Spend
from dpstudio.values.messages import N_, Say, say

MOST = 1_000_000


@dataclass(frozen=True)
class Shortcut(Accountant):
    """2ε√(2k ln 1/δ′) as printed: a theorem only for small k, false from some k on
    (`shortcut_zones`)."""

    key: ClassVar[str] = "shortcut"
    label: ClassVar[str] = N_("shortcut, as printed")
    source: ClassVar[str] = "Near & Abuah 2021, Programming Differential Privacy, ch. 7"
    ink: ClassVar[str] = "shortcut"
    proven: ClassVar[bool] = False
    envelope: ClassVar[bool] = False

    def refuse(self, ledger: Ledger) -> Say | None:
        why = super().refuse(ledger)
        if why or all(len({s.epsilon for s in world}) <= 1 for world in ledger.worlds()):
            return why
        return say("The printed shortcut is about equal releases; these have different ε.")

    def unfit(self, spend: Spend) -> Say | None:
        return None if spend.pure else say("The printed shortcut is shown for pure ε.")

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        k = float(sum(s.count for s in world))
        return float(self.curve(world[0], np.array([k]), delta)[0]) if world else 0.0

    def curve(self, spend: Spend, k: Array, delta: float, adjacency: str = ADD_REMOVE) -> Array:
        k = np.asarray(k, dtype=np.float64)
        return (
            2 * spend.epsilon * np.sqrt(2 * k * -math.log(delta))
            if delta > 0
            else np.full(k.shape, np.inf)
        )


@dataclass(frozen=True)
class Zones:
    """The printed formula is proved (through zCDP) for k ≤ `proved`, true by the exact optimum
    alone for `proved` < k ≤ `true`, and false from `true` + 1 on (`true` = `most` where it was
    looked for no further). It says less than kε from `helps_from` on."""

    proved: int
    true: int
    helps_from: int
    most: int


def shortcut_zones(epsilon: float, delta: float, most: int = MOST) -> Zones:
    """Where 2ε√(2k ln 1/δ) is proved, true and false for k pure ε-DP releases: each end found by
    bisection on the bounds themselves."""
    spend, printed = Spend(epsilon), Shortcut()

    def last(holds: Callable[[int], bool]) -> int:
        """The largest k for which it holds, where it holds up to some k."""
        low, high = 0, 1
        while high <= most and holds(high):
            low, high = high, 2 * high
        high = min(high, most + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if holds(middle) else (low, middle)
        return low

    def at(k: int) -> float:
        return float(printed.curve(spend, np.array([float(k)]), delta)[0]) * (1 + 1e-12)

    proved = last(lambda k: float(ZCDP().curve(spend, np.array([float(k)]), delta)[0]) <= at(k))
    true = last(lambda k: float(optimal_curve(spend, np.array([float(k)]), delta)[0]) <= at(k))
    helps = last(lambda k: k * epsilon <= at(k)) + 1
    return Zones(proved, true, helps, most)
