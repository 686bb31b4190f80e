"""Choosing the upper bound privately: its candidates on a public grid, and what was chosen."""

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.values.messages import N_

# The ways to choose a bound privately, inside a sentence.
WAYS = {"exponential": N_("the exponential mechanism"), "noisy": N_("a noisy quantile")}
CHOICE_INKS = {"exponential": "exponential", "noisy": "noisy_max"}
CHOICE_SOURCES = {
    "exponential": N_("McSherry & Talwar 2007, Theorem 6 (score −|rank − q·n|)"),
    "noisy": N_(
        "binary search over noisy ranks: Laplace on each, ε divided among the steps (Dwork et al. "
        "2006, Proposition 1)"
    ),
}


MOST_DOUBLINGS = 40


@dataclass(frozen=True, eq=False)
class Chosen:
    """Candidates for the upper bound, the probability of each, and the root mean square error after
    it (the rest of ε answers).

    `squares` are the mean squares of bias, noise and sampling error over the choice; all arrays
    have the grid's shape but this.
    """

    grid: Array
    chances: Array
    errors: Array
    squares: tuple[float, float, float]
    epsilon: float

    @property
    def likeliest(self) -> int:
        """The place of the bound that is chosen most often."""
        return int(np.argmax(self.chances))

    @property
    def error(self) -> float:
        """Root mean square error over choice, noise and sampling together."""
        return math.sqrt(sum(self.squares))


def doubling(low: float, high: float) -> Array:
    """low, 2·low, 4·low … up to `high`; low > 0."""
    count = math.floor(math.log2(high / low) + 1e-9) + 1
    return array(low * 2.0 ** np.arange(count))


def doubling_ends(low: float, high: float, typical: float) -> tuple[float, float]:
    """Powers of two that suit values from `low` to `high` > low, most about `typical`: the last is
    not below `high`, the first above `low`, and they reach down to 1/64 of the last or to
    `typical`, whichever is less."""
    if high <= 0:
        return 1.0, 2.0
    last = math.ceil(math.log2(high) - 1e-12)
    first = last - 6
    if typical > 0:
        first = max(min(first, math.floor(math.log2(typical))), last - MOST_DOUBLINGS)
    while first < last and 2.0**first <= low:
        first += 1
    return 2.0 ** min(first, last - 1), 2.0**last


def equal_ends(
    low: float, high: float, points: int, whole: bool = False
) -> tuple[float, float, int]:
    """The ends and number, at most `points`, of equal steps of 1, 2 or 5 times a power of ten that
    hold `low` to `high` > low."""
    least = max((high - low) / (points - 1), 1.0 if whole else 0.0)
    power = math.floor(math.log10(least)) - 1
    while True:
        for rung in (1, 2, 5):
            # Whole multiples of 10^|power| keep their digits where those of 0.1 do not.
            step = rung * 10.0**power if power >= 0 else rung / 10.0**-power
            start = math.floor(low / step + 1e-9) * step
            if step >= least * (1 - 1e-9) and start + step * (points - 1) >= high - 1e-9 * step:
                steps = max(1, math.ceil((high - start) / step - 1e-9))
                return start, start + step * steps, steps + 1
        power += 1
