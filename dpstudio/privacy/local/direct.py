"""Direct encoding: a person names a value, the own one more often than each of the others."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.protocol import Protocol, Report, Support, Values, whole
from dpstudio.values.messages import N_, plain, say


class Direct(Protocol):
    """Generalised randomized response (GRR, k-RR): the truth with p = e^ε/(e^ε + d − 1), else one
    of the others alike."""

    key = "grr"
    label = N_("Direct encoding (GRR)")
    short = "GRR"
    source = "Kairouz, Bonawitz & Ramage 2016 (k-RR); Wang, Blocki, Li & Jha 2017, section 4.1"
    formula = "p = eᵋ/(eᵋ + d − 1), q = 1/(eᵋ + d − 1)"
    ink = "grr"

    def support(self, d: int) -> Support:
        shrink = math.exp(-self.epsilon)
        p = 1 / (1 + (d - 1) * shrink)
        return Support(
            p,
            shrink * p,
            (d - 1) * shrink * p,
            (1 + (d - 2) * shrink) * p,
            -math.expm1(-self.epsilon) * p,
        )

    def bits(self, d: int) -> float:
        return math.log2(d)

    def draw(self, rng: np.random.Generator, counts: ArrayLike, surveys: int = 1) -> Array:
        """Exact in law: with probability p − q the truth is sent, else a value drawn from all d
        alike."""
        people = whole(counts)
        d = people.shape[-1]
        sent = rng.binomial(people, self.support(d).gap, size=(surveys, d))
        others = people.sum(axis=-1) - sent.sum(axis=1)
        return (sent + rng.multinomial(others, np.full(d, 1 / d))).astype(np.float64)

    def reports(self, rng: np.random.Generator, values: Values, d: int) -> Values:
        """Named values, shape of `values`: with probability p − q the truth, else one of all d
        alike, as in `draw`."""
        s = self.support(d)
        if s.gap <= 0.5:
            sent = rng.integers(0, d, len(values))
            honest = chosen(rng, len(values), s.gap)
            sent[honest] = values[honest]
            return sent
        sent = values.copy()
        random = chosen(rng, len(values), d * s.q)
        sent[random] = rng.integers(0, d, len(random))
        return sent

    def tally(self, reports: Values, d: int) -> Array:
        return np.bincount(reports, minlength=d).astype(np.float64)

    def channel(self, d: int) -> Array:
        support = self.support(d)
        return np.log(np.where(np.eye(d, dtype=bool), support.p, support.q))

    def one(self, rng: np.random.Generator, value: int, labels: tuple[str, ...]) -> Report:
        d = len(labels)
        told = int(self.reports(rng, np.array([value]), d)[0])
        likelihood = np.where(np.arange(d) == told, self.epsilon, 0.0)
        return Report(likelihood, (told,), say("“{value}”", value=plain(labels[told])))


def chosen(rng: np.random.Generator, n: int, chance: float) -> Values:
    """Which of n people are chosen, each with 0 < `chance` ≤ 1 and apart from the others, in order.

    Where few are, the distances between them are drawn, which are geometric, and not a number for
    everybody.
    """
    if chance > 0.1 or not isinstance(rng, np.random.Generator):
        return np.flatnonzero(rng.random(n) < chance)
    found: list[Values] = []
    at = -1
    while at < n:
        left = (n - at) * chance
        gaps = rng.geometric(chance, size=int(left + 5 * math.sqrt(left) + 10))
        found.append(at + np.cumsum(np.minimum(gaps, n + 1)))
        at = int(found[-1][-1])
    every = np.concatenate(found)
    return every[: np.searchsorted(every, n)]
