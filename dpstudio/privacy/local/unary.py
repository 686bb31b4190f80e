"""Unary encoding: a person answers yes or no about every value, each answer with a lie of its
own."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.protocol import Protocol, Report, Support, Values, named, whole
from dpstudio.values.messages import N_, Message, say


def binomial(
    rng: np.random.Generator, people: Values, chance: float, rest: float, surveys: int
) -> Values:
    """How many of `people`, shape (d,) or (surveys, d), say yes with `chance`, whose complement is
    `rest`; shape (surveys, d).

    The rarer answer is drawn, since 1 − chance has no digits where chance is near 1.
    """
    if chance <= rest:
        return rng.binomial(people, chance, size=(surveys, people.shape[-1]))
    return people - rng.binomial(people, rest, size=(surveys, people.shape[-1]))


class Bits(Protocol):
    """Base of the protocols whose report speaks for each value by itself: yes with p for one's own,
    with q for each other, all apart."""

    def draw(self, rng: np.random.Generator, counts: ArrayLike, surveys: int = 1) -> Array:
        """Exact in law, jointly too: no bit of any person depends on another, so that each total is
        a sum of two binomials."""
        people = whole(counts)
        s = self.support(people.shape[-1])
        own = binomial(rng, people, s.p, s.not_p, surveys)
        others = people.sum(axis=-1, keepdims=True) - people
        return (own + binomial(rng, others, s.q, s.not_q, surveys)).astype(np.float64)

    def reports(self, rng: np.random.Generator, values: Values, d: int) -> Any:
        """Bits of shape (n, d), drawn a value at a time so that no real numbers of that shape are
        held."""
        s = self.support(d)
        bits = np.empty((len(values), d), dtype=np.bool_, order="F")
        for value in range(d):
            bits[:, value] = rng.random(len(values)) < np.where(values == value, s.p, s.q)
        return bits

    def tally(self, reports: Any, d: int) -> Array:
        return np.asarray(np.sum(reports, axis=0, dtype=np.float64))

    def channel(self, d: int) -> Array:
        s, bits = self.support(d), self.listed(d)
        ones = bits.sum(axis=1, keepdims=True)
        return np.asarray(
            ones * math.log(s.q) + (d - ones) * math.log(s.not_q) + self._said(bits > 0, s)
        )

    def listed(self, d: int) -> Array:
        """All 2^d rows of bits."""
        return ((np.arange(2**d)[:, None] >> np.arange(d)) & 1).astype(np.float64)

    def one(self, rng: np.random.Generator, value: int, labels: tuple[str, ...]) -> Report:
        bits = self.reports(rng, np.array([value]), len(labels))[0]
        supports = tuple(int(v) for v in np.flatnonzero(bits))
        return Report(
            self._said(bits, self.support(len(labels))), supports, _shown(supports, labels)
        )

    @staticmethod
    def _said(bits: NDArray[np.bool_], s: Support) -> Array:
        """ln of how much likelier each bit is where it is about one's own value than where it is
        not."""
        return np.where(bits, math.log1p(s.gap / s.q), -math.log1p(s.gap / s.not_p))


def _shown(supports: tuple[int, ...], labels: tuple[str, ...]) -> Message:
    if not supports:
        return say("0 for every value")
    if len(supports) == len(labels):
        return say("1 for every value")
    return say("1 for {values}; 0 for the rest", values=named(supports, labels))


class Symmetric(Bits):
    """Symmetric unary encoding (SUE, basic one-time RAPPOR): each bit of the one-hot vector is kept
    with p = e^(ε/2)/(e^(ε/2) + 1).

    Two people differ in two bits, each of which costs ε/2. Its error is the same for rare and
    frequent values.
    """

    key = "sue"
    label = N_("Symmetric unary encoding (SUE)")
    short = "SUE"
    source = "Erlingsson, Pihur & Korolova 2014 (RAPPOR); Wang, Blocki, Li & Jha 2017, section 4.3"
    formula = "p = exp(ε/2)/(exp(ε/2) + 1), q = 1 − p"
    ink = "sue"

    def support(self, d: int) -> Support:
        p = 1 / (1 + math.exp(-self.epsilon / 2))
        q = math.exp(-self.epsilon / 2) * p
        return Support(p, q, q, p, math.tanh(self.epsilon / 4))

    def bits(self, d: int) -> float:
        return d


class Optimised(Bits):
    """Optimised unary encoding (OUE): one's own bit is kept with p = 1/2, every other turns to 1
    only with q = 1/(e^ε + 1).

    Of all p and q at the same ε these give the least error for a value that nobody holds; a
    frequent value is better off in SUE.
    """

    key = "oue"
    label = N_("Optimised unary encoding (OUE)")
    short = "OUE"
    source = "Wang, Blocki, Li & Jha 2017, section 4.3"
    formula = "p = 1/2, q = 1/(eᵋ + 1)"
    ink = "oue"

    def support(self, d: int) -> Support:
        shrink = math.exp(-self.epsilon)
        return Support(
            0.5, shrink / (1 + shrink), 0.5, 1 / (1 + shrink), math.tanh(self.epsilon / 2) / 2
        )

    def bits(self, d: int) -> float:
        return d
