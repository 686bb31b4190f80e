"""A lower bound on ε from draws: an event chosen on some of them and tested on the others by
Clopper–Pearson bounds."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.gaussian import special

ABOVE, BELOW = 1, -1
_RANKS = 200
_Z = 3.0  # of the score intervals that choose an event: whatever they say, the test is honest


@dataclass(frozen=True)
class Event:
    """{score ≥ at} (tail 1) or {score ≤ at} (tail −1); `first` is the side (0: D, 1: D′) on which
    it is the likelier one."""

    at: float
    tail: int
    first: int


@dataclass(frozen=True)
class Trial:
    """How often the chosen event came in `tests` draws of its likelier side (`hits`) and of the
    other one (`others`)."""

    event: Event
    hits: int
    others: int
    tests: int
    draws: int

    def bound(self, confidence: float, delta: float) -> float:
        """The lower bound on ε, at least 0."""
        return float(lower_epsilon(self.hits, self.others, self.tests, confidence, delta))


def clopper_pearson(hits: ArrayLike, tests: ArrayLike, confidence: float) -> tuple[Array, Array]:
    """One-sided bounds (lower, upper) on a probability, each alone at `confidence` (Clopper &
    Pearson 1934).

    The lower one is the p at which `hits` or more of `tests` come with probability 1 − confidence,
    the upper one mirrors it.
    """
    return _at_least(hits, tests, confidence), _at_most(hits, tests, confidence)


def _at_least(hits: ArrayLike, tests: ArrayLike, confidence: float) -> Array:
    k, n = np.asarray(hits, dtype=np.float64), np.asarray(tests, dtype=np.float64)
    found = special().betaincinv(np.maximum(k, 1), n - k + 1, 1 - confidence)
    return np.asarray(np.where(k > 0, found, 0.0))


def _at_most(hits: ArrayLike, tests: ArrayLike, confidence: float) -> Array:
    k, n = np.asarray(hits, dtype=np.float64), np.asarray(tests, dtype=np.float64)
    found = 1 - special().betaincinv(np.maximum(n - k, 1), k + 1, 1 - confidence)
    return np.asarray(np.where(k < n, found, 1.0))


def lower_epsilon(
    hits: ArrayLike, others: ArrayLike, tests: ArrayLike, confidence: float, delta: ArrayLike
) -> Array:
    """max(0, ln((p − δ)/q)) with p a lower and q an upper bound, each missed with probability (1 −
    confidence)/2 at most.

    From P(S) ≤ e^ε P′(S) + δ. Both hold together with probability `confidence`, whatever the two
    probabilities are.
    """
    each = (1 + confidence) / 2
    low, high = _at_least(hits, tests, each), _at_most(others, tests, each)
    return np.asarray(np.log(np.maximum((low - np.asarray(delta)) / high, 1.0)))


def ceiling(tests: int, confidence: float, delta: float) -> float:
    """The largest bound that so many tests can give: an event that always comes on one side, and
    never on the other."""
    return float(lower_epsilon(tests, 0, tests, confidence, delta))


@lru_cache(maxsize=64)
def _ranks(size: int, most: int) -> Array:
    """Places in a sorted sample: dense at both ends, where rare events are, and evenly between."""
    ends = np.geomspace(1, size, most // 2)
    return np.unique(
        np.concatenate([ends - 1, size - ends, np.linspace(0, size - 1, most)]).astype(np.int64)
    )


def counts(scores: Array, at: Array, tail: int) -> Array:
    """How many of the sorted `scores` lie in the event at each threshold."""
    found = (
        len(scores) - np.searchsorted(scores, at, side="left")
        if tail == ABOVE
        else np.searchsorted(scores, at, side="right")
    )
    return np.asarray(found, dtype=np.float64)


def thresholds(one: Array, other: Array, most: int = _RANKS) -> Array:
    """Candidate thresholds from two sorted samples."""
    return np.unique(np.concatenate([scores[_ranks(len(scores), most)] for scores in (one, other)]))


def choose(scores: tuple[Array, Array], delta: float) -> Event:
    """The event that promises the largest bound on these draws (one sorted array for each side)."""
    at = thresholds(*scores)
    tails = (ABOVE, BELOW)
    # (lower, upper) of the shares, each of shape (sides, tails, thresholds).
    low, high = (
        np.stack(ends)
        for ends in zip(
            *(_score_interval(np.stack([counts(s, at, t) for t in tails]), len(s)) for s in scores),
            strict=True,
        )
    )
    gap = low - delta
    value = np.where(gap > 0, np.log(np.maximum(gap, 1e-300) / high[::-1]), gap - 1e3)
    # Of equal ones the first, by tail before side.
    tail, first, place = np.unravel_index(np.argmax(value.swapaxes(0, 1)), (2, 2, len(at)))
    return Event(float(at[place]), tails[tail], int(first))


def _score_interval(hits: Array, n: int) -> tuple[Array, Array]:
    """Wilson's interval: quick and close enough for a choice."""
    middle, z = (hits + _Z * _Z / 2) / (n + _Z * _Z), _Z / (n + _Z * _Z)
    half = z * np.sqrt(hits * (1 - hits / n) + _Z * _Z / 4)
    return np.maximum(middle - half, 0.0), middle + half


def audit(scores: tuple[Array, Array], split: float, delta: float) -> Trial:
    """One honest test: the first `split` of the draws of each side choose the event, the others are
    counted.

    The event does not depend on the draws that test it, so that nothing has to be corrected for.
    """
    size = len(scores[0])
    cut = min(size - 1, max(1, round(split * size)))
    event = choose((np.sort(scores[0][:cut]), np.sort(scores[1][:cut])), delta)
    hits, others = (
        int(np.count_nonzero(inside(event, scores[side][cut:])))
        for side in (event.first, 1 - event.first)
    )
    return Trial(event, hits, others, size - cut, size)


def inside(event: Event, scores: Array) -> Array:
    """Which scores lie in the event, as booleans."""
    return np.asarray(scores >= event.at if event.tail == ABOVE else scores <= event.at)


def growing(
    scores: tuple[Array, Array], split: float, delta: float, steps: int = 15
) -> tuple[Trial, ...]:
    """Whole audits, each of more of the draws than the one before, evenly apart on a log axis; the
    last one has all."""
    trials = len(scores[0])
    sizes = np.unique(np.round(np.geomspace(min(200, trials), trials, steps))).astype(np.int64)
    return tuple(audit((scores[0][:n], scores[1][:n]), split, delta) for n in sizes)
