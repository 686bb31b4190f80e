"""The exact law of the largest error over the coordinates of one answer that is worked on after the
noise."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.law import Largest, Law
from dpstudio.privacy.release.postprocessed_law import BOTH, CLAMP, NONE, ROUND

# From here on the steps of rounding are nothing beside the noise: the sum over them is the integral
# by the midpoint rule, wrong by a share of about 1/(24 · 2,000²).
_WIDE = 2_000
_PLACES, _ROUNDS = 33, 9  # 32⁻⁹ is 3e-14
_SURE = 1e-12  # a largest error that is never smaller, but for this


@dataclass(frozen=True, eq=False)
class WorkedLargest(Largest):
    """The largest |error| of answers truth + X that are clamped to ≥ 0, rounded, or both, over all
    coordinates. `truths` are the exact answers, ascending, shape (count,): integers where the
    published ones are `rounded`.

    What is clamped cannot fall below its truth by more than that, so |error| ≤ x asks |X| ≤ x of
    the truths above x and X ≤ x of the others; a truth below 0 is off by at least its size.
    """

    truths: Array
    clamps: bool
    rounded: bool

    @property
    def discrete(self) -> bool:
        return self.rounded or self.law.discrete

    def _noise(self, x: Array) -> Array:
        """How large noise may be that is off by at most x: an answer rounds to k or less when the
        noisy one is below k + ½."""
        k = np.floor(x) if self.discrete else x
        return k + 0.5 if self.rounded and not self.law.discrete else k

    @property
    def _least(self) -> float:
        """What the error is at least, whatever the noise."""
        return max(0.0, -float(self.truths[0])) if self.clamps else 0.0

    def _apart(self, x: Array) -> tuple[ArrayLike, ArrayLike]:
        """(coordinates that may be off by x on both sides, those that can only be off above)."""
        clamped = np.searchsorted(self.truths, x, side="right") if self.clamps else 0
        return self.count - clamped, clamped

    def cdf(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        inside = self.law.all_inside(self._noise(x), *self._apart(x))
        return np.where(x < self._least, 0.0, inside)

    def density(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        if self.discrete:
            return self.cdf(x) - self.cdf(x - 1)
        return np.where(x < self._least, 0.0, self.law.all_density(x, *self._apart(x)))

    def half_width(self, confidence: float) -> float:
        # Without clamping no error is smaller, but those of truths below 0.
        high = max(self.law.all_half_width(confidence, self.count), self._least)
        low, high = 0.0, math.ceil(high) + 1.0 if self.discrete else high * (1 + 1e-9)
        # Many places at once cost as much as one: the cdf jumps, so nothing better is known.
        for _ in range(_ROUNDS):
            x = np.linspace(low, high, _PLACES)
            x = np.unique(np.round(x)) if self.discrete else x
            first = int(np.argmax(self.cdf(x) >= confidence))
            if first == 0 or (self.discrete and high - low <= 1):
                return float(x[first])
            low, high = float(x[first - 1]), float(x[first])
        return high

    @cached_property
    def _bulk(self) -> float:
        """The largest error is never below this."""
        return self.half_width(_SURE)

    def kinks(self, low: float, high: float) -> Array:
        """Also where a truth is: from there on it is clamped, and the cdf jumps."""
        of_noise = super().kinks(low, high)
        if not self.clamps:
            return of_noise
        jumps = self.truths[(self.truths >= max(low, self._bulk)) & (self.truths <= high)]
        return np.unique(np.concatenate([of_noise, jumps]))

    def _tails(self, *, second: bool) -> float:
        if self.discrete and not self.law.discrete and self.half_width(1 - 1e-9) > _WIDE:
            plain = WorkedLargest(self.law, self.count, self.truths, self.clamps, rounded=False)
            return plain._tails(second=second)
        return super()._tails(second=second)


def largest_law(law: Law, truths: Array, post_processing: str, whole: bool) -> Largest:
    """The law of the largest error of answers worked on by `post_processing`; `whole` says that
    they are integers, without which nothing is rounded."""
    rounded = whole and post_processing in (ROUND, BOTH)
    clamps = post_processing in (CLAMP, BOTH)
    if post_processing == NONE or not (clamps or (rounded and not law.discrete)):
        return Largest(law, len(truths))
    middles = np.floor(truths + 0.5) if whole and (rounded or law.discrete) else truths
    return WorkedLargest(law, len(truths), np.sort(middles), clamps, rounded)
