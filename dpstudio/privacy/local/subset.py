"""Subset selection: a person sends a set of values of fixed size, which holds the own value more
often than each of the others."""

import math
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.protocol import Protocol, Report, Support, Values, named, whole
from dpstudio.privacy.local.subset_sums import normal_sums, subset_sums
from dpstudio.privacy.local.unary import binomial
from dpstudio.privacy.nearest import nearest
from dpstudio.values.messages import N_, say

# Persons whose d random numbers are held at a time.
_CELLS = 4_000_000
# Up to so many cells of d values by ω + 1 numbers of picks left, totals are drawn exactly: beyond
# it a survey would take seconds.
_EXACT = 1_500


class SubsetSelection(Protocol):
    """Subset selection (SS): each set of ω values that holds one's own is sent e^ε times as often
    as each that does not.

    For ω = 1 this is direct encoding. Its report shows exactly ω values, so that the estimates of a
    survey add up to n.
    """

    key = "subset"
    label = N_("Subset selection (SS)")
    short = "SS"
    source = "Ye & Barg 2018; " + N_("Wang et al. 2016 (mutual information optimal)")
    formula = "p = ωeᵋ/(ωeᵋ + d − ω), q = p(ω − 1)/(d − 1) + (1 − p)ω/(d − 1), ω ≈ d/(eᵋ + 1)"
    ink = "subset"

    def size(self, d: int) -> int:
        """ω: the whole number of least variance for a value that nobody holds.

        Ye & Barg's is the one with the least summed error of all values; it and this one lie next
        to d/(e^ε + 1), and where they differ this is the lower (own search over every ω). The first
        of equals.
        """
        near = math.floor(d / (1 + math.exp(self.epsilon)))
        return min(
            range(max(1, near - 1), min(d - 1, near + 2) + 1),
            key=lambda size: self._of(d, size).other,
        )

    def support(self, d: int) -> Support:
        return self._of(d, self.size(d))

    def _of(self, d: int, size: int) -> Support:
        """p and q where sets of that size are sent."""
        shrink = math.exp(-self.epsilon)
        all_ = size + (d - size) * shrink
        p, not_p = size / all_, (d - size) * shrink / all_
        q = (p * (size - 1) + not_p * size) / (d - 1)
        not_q = (p * (d - size) + not_p * (d - size - 1)) / (d - 1)
        return Support(
            p, q, not_p, not_q, -math.expm1(-self.epsilon) * size * (d - size) / ((d - 1) * all_)
        )

    def bits(self, d: int) -> float:
        """Enough to number all sets: log₂ of d over ω."""
        size = self.size(d)
        return (math.lgamma(d + 1) - math.lgamma(size + 1) - math.lgamma(d - size + 1)) / math.log(
            2
        )

    def exact(self, d: int) -> bool:
        return d * (self.size(d) + 1) <= _EXACT

    def numbers(self, d: int) -> int:
        return 16 * d * (self.size(d) + 1) if self.exact(d) else d

    def draw(self, rng: np.random.Generator, counts: ArrayLike, surveys: int = 1) -> Array:
        """The own values are binomial, and the others that a person's set holds are as good as any:
        exact in law, jointly too, and so the totals add up to nω. For many values from the normal
        law with the exact means and covariances."""
        people = whole(counts)
        d = len(people)
        s, size = self.support(d), self.size(d)
        if not self.exact(d):
            return normal_sums(rng, people, size, s, surveys)
        told = binomial(rng, people, s.p, s.not_p, surveys)
        others = subset_sums(rng, told, size - 1) + subset_sums(rng, people - told, size)
        return (told + others).astype(np.float64)

    def reports(self, rng: np.random.Generator, values: Values, d: int) -> Any:
        """The chosen values, shape (n, ω) in no order."""
        size, n = self.size(d), len(values)
        told = np.empty((n, size), dtype=np.int64)
        step = max(1, _CELLS // d)
        for start in range(0, n, step):
            part = slice(start, start + step)
            rank = rng.random((len(values[part]), d))
            # The own value first of all or last of all; the rest of the set is then as good as any
            # other.
            lies = rng.random(len(rank)) < self.support(d).not_p
            rank[np.arange(len(rank)), values[part]] = np.where(lies, 2.0, -1.0)
            told[part] = nearest(rank, size)
        return told

    def tally(self, reports: Any, d: int) -> Array:
        return np.bincount(np.ravel(reports), minlength=d).astype(np.float64)

    def channel(self, d: int) -> Array:
        # The sets number C(d, ω); C(d − 1, ω − 1)·(e^ε + (d − ω)/ω) is the sum of their weights for
        # any value.
        size = self.size(d)
        weights = (
            self.epsilon
            + math.log(math.comb(d - 1, size - 1))
            + math.log1p((d - size) / size * math.exp(-self.epsilon))
        )
        return self.listed(d) * self.epsilon - weights

    def listed(self, d: int) -> Array:
        """All sets of ω values, shape (C(d, ω), d)."""
        sets = np.array(list(combinations(range(d), self.size(d))))
        return np.asarray((sets[:, :, None] == np.arange(d)).sum(axis=1), dtype=np.float64)

    def one(self, rng: np.random.Generator, value: int, labels: tuple[str, ...]) -> Report:
        d = len(labels)
        supports = tuple(sorted(int(v) for v in self.reports(rng, np.array([value]), d)[0]))
        likelihood = np.zeros(d)
        likelihood[list(supports)] = self.epsilon
        shown = named(supports, labels)
        return Report(
            likelihood,
            supports,
            say("one of {values}", values=shown) if len(supports) > 1 else shown,
        )
