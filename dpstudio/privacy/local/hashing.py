"""Local hashing: a person draws a hash function, and reports it with a noisy version of the bucket
that the own value falls in."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.protocol import Report, Support, Values, named
from dpstudio.privacy.local.unary import Bits
from dpstudio.values.fields import choice, integer
from dpstudio.values.messages import N_, Num, plain, say

Words = NDArray[np.uint64]

# A prime far above any number of buckets, so that a hash value modulo the buckets is uniform to 1
# part in 10^9.
_PRIME = 2**61 - 1
_MOST = 2**31
# Functions times values that are evaluated at once.
_CELLS = 8192


def spread(seeds: Words, turn: int) -> Words:
    """One of several numbers below 2^61 − 1 that belong to each seed: SplitMix64 (Steele, Lea &
    Flood 2014)."""
    z = seeds + np.uint64(0x9E3779B97F4A7C15 * turn % 2**64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: Words = (z ^ (z >> np.uint64(31))) % np.uint64(_PRIME)
    return found


def _times(a: Words, x: Words) -> Words:
    """a·x modulo 2^61 − 1 for a below it and x below 2^30, without leaving 64 bits: 2^61 counts as
    1."""
    high, low = (a >> np.uint64(31)) * x, (a & np.uint64(2**31 - 1)) * x
    found: Words = (
        (high >> np.uint64(30)) + ((high & np.uint64(2**30 - 1)) << np.uint64(31)) + low
    ) % np.uint64(_PRIME)
    return found


def bucket(seeds: Words, values: ArrayLike, g: int) -> Values:
    """The bucket in 0 … g − 1 of each value under the function of each seed; the two shapes are
    broadcast.

    The functions are polynomials of degree 2 modulo a prime (Wegman & Carter 1981): any three
    values fall independently and uniformly, so that mean, variance and covariances of the totals
    are those of fully random functions.
    """
    x = np.asarray(values).astype(np.uint64)
    prime = np.uint64(_PRIME)
    c0, c1, c2 = (spread(seeds, turn) for turn in (1, 2, 3))
    return ((_times((_times(c2, x) + c1) % prime, x) + c0) % prime % np.uint64(g)).astype(np.int64)


class LocalHashing(Bits):
    """Optimised local hashing (OLH): direct encoding of the bucket h(v) among g, by a hash function
    h of one's own.

    A report (h, y) supports every value that h puts into y: one's own with p = e^ε/(e^ε + g − 1),
    another with q = 1/g. Own derivation: y depends on h through h(v) alone, and where h is fully
    random the h(j) of the others are independent of it and of each other; given y, each equals it
    with 1/g. So the supported set has the law of unary encoding with these p and q: independent
    bits, and `draw` is exact jointly. The listed reports are these sets, since reports (h, y) with
    the same set say the same.
    """

    key = "olh"
    label = N_("Optimised local hashing (OLH)")
    short = "OLH"
    source = "Wang, Blocki, Li & Jha 2017, section 4.4; Bassily & Smith 2015"
    formula = "p = eᵋ/(eᵋ + g − 1), q = 1/g"
    ink = "olh"

    hashing: str = choice(
        "best",
        N_("Buckets"),
        N_(
            "How many buckets a value is hashed to: the number of least error for rare values, "
            "or one of your own."
        ),
        options={"best": N_("of least error"), "hand": N_("by hand")},
    )
    buckets: int = integer(
        2,
        N_("g"),
        N_("Number of buckets."),
        low=2,
        high=1024,
        log=True,
        active_when=("hashing", "hand"),
    )

    @property
    def g(self) -> int:
        """Buckets in use.

        The variance of a rare value is (e^ε + g − 1)²/((e^ε − 1)²(g − 1)), least at g − 1 = e^ε; of
        the two whole numbers beside it the better one is that on its side of their geometric mean,
        while the usual round(e^ε) + 1 takes the arithmetic one: for ε from 0.3466 to 0.4055 it
        gives 2 where 3 is better. At most 2^31.
        """
        if self.hashing == "hand":
            return self.buckets
        odds = math.exp(self.epsilon)
        if odds >= _MOST:
            return _MOST
        low = math.floor(odds)
        return low + 1 if odds / low <= (low + 1) / odds else low + 2

    def support(self, d: int) -> Support:
        g, shrink = self.g, math.exp(-self.epsilon)
        all_ = 1 + (g - 1) * shrink
        lies = (g - 1) * shrink / all_
        return Support(
            1 / all_, 1 / g, lies, (g - 1) / g, -math.expm1(-self.epsilon) * (g - 1) / (g * all_)
        )

    def bits(self, d: int) -> float:
        """64 for the seed of the function, and the bucket."""
        return 64 + math.log2(self.g)

    def reports(self, rng: np.random.Generator, values: Values, d: int) -> Any:
        """(seed, bucket) of each person, shape (n, 2), unsigned."""
        n, g = len(values), self.g
        seeds = rng.integers(0, 2**64, n, dtype=np.uint64)
        own = bucket(seeds, values, g)
        lies = (own + rng.integers(1, g, n)) % g
        told = np.where(rng.random(n) < self.support(d).not_p, lies, own)
        return np.column_stack((seeds, told.astype(np.uint64)))

    def tally(self, reports: Any, d: int) -> Array:
        """Each function is evaluated at every value: at many at once where people are few."""
        seeds, told = reports[:, 0], reports[:, 1].astype(np.int64)
        values = np.arange(d)[:, None]
        step = max(1, _CELLS // max(1, len(seeds)))
        return np.concatenate(
            [
                np.count_nonzero(bucket(seeds, values[v : v + step], self.g) == told, axis=1)
                for v in range(0, d, step)
            ]
        ).astype(np.float64)

    def one(self, rng: np.random.Generator, value: int, labels: tuple[str, ...]) -> Report:
        d = len(labels)
        ((seed, told),) = self.reports(rng, np.array([value]), d)
        hit = bucket(np.array([seed]), np.arange(d), self.g) == int(told)
        supports = tuple(int(v) for v in np.flatnonzero(hit))
        whose = named(supports, labels) if supports else say("none of the values")
        shown = say(
            "hash function {seed}, bucket {bucket} of {buckets}, which holds {values}",
            seed=plain(f"{int(seed):016x}"),
            bucket=Num(int(told) + 1),
            buckets=Num(self.g),
            values=whose,
        )
        return Report(np.where(hit, self.epsilon, 0.0), supports, shown)
