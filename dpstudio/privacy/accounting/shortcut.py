"""The formula that texts print for advanced composition, and for how many answers it is proved,
true and false."""

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting import adding, advanced, concentrated, optimal, renyi
from dpstudio.privacy.accounting.accountant import Accountant, Delta
from dpstudio.privacy.accounting.spend import ADD_REMOVE, Ledger, Spend
from dpstudio.values.messages import N_, Message, say

MOST = 1_000_000


class Shortcut(Accountant):
    """2ε√(2k ln 1/δ′) as printed: a theorem only for small k, false from some k on
    (`shortcut_zones`)."""

    key = "shortcut"
    label = N_("2ε√(2k ln 1/δ′), as printed")
    formula = N_("2ε√(2k ln 1/δ′)")
    source = "Near & Abuah 2021, “Approximate Differential Privacy”"
    ink = "shortcut"
    proven = False
    envelope = False

    def refuse(self, ledger: Ledger) -> Message | None:
        why = super().refuse(ledger)
        if why or all(len({s.epsilon for s in world}) <= 1 for world in ledger.worlds()):
            return why
        return say("The printed shortcut is about equal releases; these have different ε.")

    def unfit(self, spend: Spend) -> Message | None:
        return None if spend.pure else say("The printed shortcut is shown for pure ε.")

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        k = float(sum(s.count for s in world))
        return float(self.curve(world[0], np.array([k]), delta)[0]) if world else 0.0

    def curve(self, spend: Spend, k: Array, delta: Delta, adjacency: str = ADD_REMOVE) -> Array:
        k = np.asarray(k, dtype=np.float64)
        with np.errstate(divide="ignore"):
            return np.asarray(2 * spend.epsilon * np.sqrt(2 * k * -np.log(delta)))


@dataclass(frozen=True)
class Zones:
    """Of pure releases of which only ε is known. The printed formula is proved for k ≤ `proved` by
    some bound, `by` the one that shows it so far; true by the exact optimum alone for `proved` < k
    ≤ `true`; and false from `true` + 1 on. An end at `most` was looked for no further. It says less
    than kε from `helps_from` on."""

    proved: int
    true: int
    helps_from: int
    most: int
    by: Accountant


# Every bound on pure ε besides the optimum, and Theorem 3.3, which is the optimum on a grid.
OTHERS: tuple[Accountant, ...] = (
    adding.Sequential(),
    advanced.Advanced(),
    advanced.AdvancedTanh(),
    advanced.KOV35(),
    concentrated.ZCDP(),
    concentrated.ZCDPTight(),
    renyi.Renyi(),
)


def shortcut_zones(epsilon: float, delta: float, most: int = MOST) -> Zones:
    """Where 2ε√(2k ln 1/δ) is proved, true and false for k pure ε-DP releases: each end found by
    bisection on the bounds themselves. Each of these over √k rises, once it is below kε."""
    spend, printed = Spend(epsilon), Shortcut()

    def shown(by: Accountant, k: int) -> bool:
        ks = np.array([float(k)])
        claim = float(printed.curve(spend, ks, delta)[0]) * (1 + 1e-12)
        return float(by.curve(spend, ks, delta)[0]) <= claim

    def last(by: Accountant, low: int = 0) -> int:
        """The largest k at which a bound shows it, where it does so at `low` and up to some k."""
        high = max(1, 2 * low)
        while high <= most and shown(by, high):
            low, high = high, 2 * high
        high = min(high, most + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if shown(by, middle) else (low, middle)
        return low

    # The last of them mostly reaches furthest; of others one look tells whether they reach as far.
    by, proved = OTHERS[-1], last(OTHERS[-1])
    for one in reversed(OTHERS[:-1]):
        if proved == 0 or shown(one, proved):
            by, proved = one, last(one, proved)
    true = last(optimal.Optimal(), proved)
    return Zones(proved, true, pays_from(delta), most, by)


def pays_from(delta: float) -> int:
    """From how many answers on the printed formula says less than adding up: k > 8 ln 1/δ, whatever
    ε is."""
    return math.floor(-8 * math.log(delta)) + 1
