"""Two neighbours as an attacker sees them: the privacy loss and the best test; no pictures here."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.mechanisms.catastrophe import LeakyLaw
from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussianLaw
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.l2norm import NormLaw
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.mechanisms.staircase import StaircaseLaw
from dpstudio.values.roots import root

_TIE = 1e-11  # losses closer than this, relative to the largest, are the same
_CELLS = 4000
_JUMPS = 80


class Pair(ABC):
    """Answers with you (P) and without you (Q); the loss of an answer is ℓ = ln dP/dQ."""

    most: float
    least: float

    @abstractmethod
    def above(self, loss: float, *, strictly: bool = False) -> tuple[float, float]:
        """P and Q of all answers with ℓ ≥ loss (ℓ > loss where strictly)."""

    @abstractmethod
    def power(self, alpha: ArrayLike) -> Array:
        """True positives of the likelihood-ratio test (randomised at ties) with false positives
        `alpha`: none has more (Neyman–Pearson)."""

    @abstractmethod
    def delta(self, epsilon: float) -> float:
        """Hockey-stick divergence: the smallest δ for which this pair keeps (ε, δ)."""

    @abstractmethod
    def jumps(self, low: float, high: float) -> Array:
        """Losses in [low, high] that come with a probability of their own; none where they are too
        many to be told apart."""

    @property
    @abstractmethod
    def typical(self) -> float:
        """A loss that one answer in a thousand exceeds."""

    @property
    def advantage(self) -> float:
        """True positives less false ones of the best test: the total variation distance, δ(0)."""
        return self.delta(0.0)

    @property
    def certain(self) -> float:
        """P(ℓ = ∞): answers that give you away for sure."""
        return self.above(math.inf)[0]

    def beyond(self, losses: Array) -> tuple[Array, Array]:
        """P and Q of ℓ > loss for each of the losses."""
        both = np.array([self.above(float(y), strictly=True) for y in losses])
        return both[:, 0], both[:, 1]

    def loss_curve(self, low: float, high: float, points: int = 301) -> tuple[Array, Array, Array]:
        """(loss, P(ℓ ≤ loss), Q(ℓ ≤ loss)) with every jump upright."""
        hair = 1e-9 * (high - low)
        jumps = self.jumps(low, high)
        at = np.sort(np.concatenate([np.linspace(low, high, points), jumps - hair, jumps + hair]))
        inside, outside = self.beyond(at)
        return array(at), array(1 - inside), array(1 - outside)

    def delta_curve(self, high: float, points: int = 121) -> tuple[Array, Array]:
        """(ε, δ(ε)) for 0 ≤ ε ≤ high."""
        at = np.linspace(0, high, points)
        if 0 < self.most < high:
            at = np.unique(np.append(at, self.most * (1 - np.array([0.0, 1e-3, 1e-6, 1e-9]))))
        return array(at), array([self.delta(float(e)) for e in at])


@dataclass(frozen=True, eq=False)
class Listed(Pair):
    """A pair with finitely many losses: `losses` descending (±∞ allowed), `inside` and `outside`
    their P and Q. `endless` says that larger ones exist, too rare to be listed; `crest` is P of the
    largest where others close to it are counted with it."""

    losses: Array
    inside: Array
    outside: Array
    endless: bool = False
    crest: float = 0.0

    @property
    def most(self) -> float:  # type: ignore[override]
        return math.inf if self.endless else float(self.losses[0])

    @property
    def least(self) -> float:  # type: ignore[override]
        return -math.inf if self.endless else float(self.losses[-1])

    @cached_property
    def _tie(self) -> float:
        finite = np.abs(self.losses[np.isfinite(self.losses)])
        return _TIE * max(1e-300, float(np.max(finite, initial=0.0)))

    def above(self, loss: float, *, strictly: bool = False) -> tuple[float, float]:
        if math.isinf(loss):
            seen = (self.losses > loss) if strictly else (self.losses >= loss)
        else:
            seen = self.losses > loss + self._tie if strictly else self.losses >= loss - self._tie
            if self.crest and not strictly and abs(loss - self.losses[0]) <= self._tie:
                return self.crest, self.crest * math.exp(-loss)
        return float(self.inside[seen].sum()), float(self.outside[seen].sum())

    def beyond(self, losses: Array) -> tuple[Array, Array]:
        # How many losses, which descend, lie above each of these.
        seen = len(self.losses) - np.searchsorted(
            self.losses[::-1], np.asarray(losses) + self._tie, side="right"
        )
        inside, outside = (
            np.concatenate([[0.0], np.cumsum(masses)])[seen]
            for masses in (self.inside, self.outside)
        )
        return np.asarray(inside), np.asarray(outside)

    def power(self, alpha: ArrayLike) -> Array:
        false = np.concatenate([[0.0], np.cumsum(self.outside)])
        true = np.concatenate([[0.0], np.cumsum(self.inside)])
        found = np.interp(np.asarray(alpha, dtype=np.float64), false, true)
        # Answers that never come without you cost no false positives.
        return np.asarray(np.minimum(1.0, np.maximum(found, self.certain)))

    def delta(self, epsilon: float) -> float:
        with np.errstate(over="ignore"):
            return float(
                np.sum(
                    self.inside * np.maximum(0.0, -np.expm1(np.minimum(0.0, epsilon - self.losses)))
                )
            )

    def jumps(self, low: float, high: float) -> Array:
        inside = self.losses[(self.losses >= low) & (self.losses <= high)]
        return inside if len(inside) <= _JUMPS else np.zeros(0)

    @property
    def typical(self) -> float:
        kept = np.cumsum(self.inside) > 1e-3
        losses = self.losses[kept & np.isfinite(self.losses)]
        return float(losses[0]) if len(losses) else 0.0


@dataclass(frozen=True, eq=False)
class Ordered(Pair):
    """Noise about 0 without you and about `shift` > 0 with you, where the loss never falls as the
    answer grows (log-concave noise).

    The noise is symmetric. Its atoms, if any, all stand at its middle: such an answer is given away
    for sure.
    """

    law: Law
    shift: float

    @property
    def smooth(self) -> Law:
        return self.law.noise if isinstance(self.law, LeakyLaw) else self.law

    @property
    def atom(self) -> float:
        return sum(mass for _, mass in self.law.atoms)

    @cached_property
    def most(self) -> float:  # type: ignore[override]
        """The supremum of the loss, atoms apart."""
        law = self.smooth
        if isinstance(law, LaplaceLaw):
            return self.shift / law.b
        if isinstance(law, DiscreteLaplaceLaw):
            return self.shift * law.t
        return self.shift / law.scale if isinstance(law, NormLaw) else math.inf

    @property
    def least(self) -> float:  # type: ignore[override]
        return -self.most

    def loss(self, x: ArrayLike) -> Array:
        """ℓ at the answers x, atoms apart."""
        x, s, law = np.asarray(x, dtype=np.float64), self.shift, self.smooth
        if isinstance(law, LaplaceLaw):
            return np.clip((2 * x - s) / law.b, -self.most, self.most)
        if isinstance(law, DiscreteLaplaceLaw):
            return np.clip((2 * x - s) * law.t, -self.most, self.most)
        if isinstance(law, GaussianLaw | DiscreteGaussianLaw):
            return np.asarray((x - s / 2) * s / law.sigma**2)
        return np.asarray(np.log(law.density(x - s)) - np.log(law.density(x)))

    def place(self, loss: float, *, strictly: bool = False) -> float:
        """The smallest answer with ℓ ≥ loss (the end of those with ℓ ≤ loss where strictly); ±∞
        where all or none is."""
        tie = _TIE * self.most if math.isfinite(self.most) else 0.0
        if loss > self.most + tie or (strictly and loss >= self.most - tie) or loss == math.inf:
            return math.inf
        if loss < self.least - tie or (not strictly and loss <= self.least + tie):
            return -math.inf
        x = self._solved(loss)
        if not self.law.discrete:
            return x
        near = 1e-9 * max(1.0, abs(x))
        return math.floor(x + near) + 1.0 if strictly else math.ceil(x - near) + 0.0

    def _solved(self, loss: float) -> float:
        s, law = self.shift, self.smooth
        if isinstance(law, LaplaceLaw):
            return (loss * law.b + s) / 2
        if isinstance(law, DiscreteLaplaceLaw):
            return (loss / law.t + s) / 2
        if isinstance(law, GaussianLaw | DiscreteGaussianLaw):
            return loss * law.sigma**2 / s + s / 2
        reach = s / 2 - float(law.quantile(np.array([1e-15]))[0])
        ends = self.loss(np.array([s / 2 - reach, s / 2 + reach]))
        if not ends[0] < loss < ends[1]:
            return math.copysign(math.inf, loss)
        return root(
            lambda x: float(self.loss(np.array([x]))[0]) - loss, s / 2 - reach, s / 2 + reach, 1e-12
        )

    def above(self, loss: float, *, strictly: bool = False) -> tuple[float, float]:
        x = self.place(loss, strictly=strictly)
        # P(X ≥ x) of symmetric noise is its cdf at −x, which keeps its digits far out.
        inside, outside = self._reaching(x - self.shift), self._reaching(x)
        share = 1 - self.atom
        sure = 0.0 if strictly and loss == math.inf else self.atom
        return share * inside + sure, share * outside + (
            self.atom if loss == -math.inf and not strictly else 0.0
        )

    def beyond(self, losses: Array) -> tuple[Array, Array]:
        x = np.array([self.place(float(y), strictly=True) for y in losses])
        finite = np.isfinite(x)
        ends = np.where(x < 0, 1.0, 0.0)
        inside, outside = (
            np.where(finite, self.smooth.cdf(np.where(finite, centre - x, 0.0)), ends)
            for centre in (self.shift, 0.0)
        )
        share = 1 - self.atom
        return share * inside + self.atom, share * outside

    def _reaching(self, x: float) -> float:
        if math.isinf(x):
            return 0.0 if x > 0 else 1.0
        return float(self.smooth.cdf(np.array([-x]))[0])

    def power(self, alpha: ArrayLike) -> Array:
        alpha = np.asarray(alpha, dtype=np.float64)
        share, law, s = 1 - self.atom, self.smooth, self.shift
        u = np.clip(alpha / share, 0.0, 1.0)
        inner = np.clip(u, 1e-300, 1 - 1e-16)
        x = law.quantile(inner)
        if law.discrete:
            part = np.clip((inner - law.cdf(x - 1)) / law.density(x), 0, 1)
            found = law.cdf(x - 1 + s) + part * law.density(x + s)
        else:
            found = law.cdf(x + s)
        found = np.where(u <= 0, 0.0, np.where(u >= 1, 1.0, found))
        return np.minimum(1.0, self.atom + share * found)

    def delta(self, epsilon: float) -> float:
        if not isinstance(self.law, NormLaw):
            return self.law.delta(epsilon, self.shift)
        inside, outside = self.above(epsilon)
        return max(0.0, inside - math.exp(epsilon) * outside)

    def jumps(self, low: float, high: float) -> Array:
        law = self.smooth
        if isinstance(law, LaplaceLaw):
            ends = np.array([-self.most, self.most])
            return ends[(ends >= low) & (ends <= high)]
        if not law.discrete:
            return np.zeros(0)
        first, last = self.place(low), self.place(high, strictly=True)
        if isinstance(law, DiscreteLaplaceLaw):
            first, last = max(first, 0.0), min(last, self.shift + 1)
        if last - first > _JUMPS:
            return np.zeros(0)
        return np.unique(self.loss(np.arange(first, last)))

    @cached_property
    def typical(self) -> float:
        x = self.shift + float(self.smooth.quantile(np.array([1 - 1e-3]))[0])
        return float(self.loss(np.array([x]))[0])

    def loss_curve(self, low: float, high: float, points: int = 301) -> tuple[Array, Array, Array]:
        if not isinstance(self.law, NormLaw):
            return super().loss_curve(low, high, points)
        # No formula gives the answer of a loss here, but every answer gives its loss.
        reach = self.shift + 12 * math.sqrt(self.law.variance)
        x = np.linspace(self.shift / 2 - reach, self.shift / 2 + reach, points)
        return array(self.loss(x)), array(self.law.cdf(x - self.shift)), array(self.law.cdf(x))

    def delta_curve(self, high: float, points: int = 121) -> tuple[Array, Array]:
        if not isinstance(self.law, NormLaw):
            return super().delta_curve(high, points)
        x = (
            self.shift / 2
            + (self.shift / 2 - float(self.law.quantile(np.array([1e-12]))[0]))
            * np.linspace(0, 1, points) ** 2
        )
        loss = np.maximum(0.0, self.loss(x))
        delta = np.maximum(0.0, self.law.cdf(self.shift - x) - np.exp(loss) * self.law.cdf(-x))
        kept = loss <= high
        return array(np.append(loss[kept], [self.most, high])), array(
            np.append(delta[kept], [0.0, 0.0])
        )


def pair_of(law: Law, shift: float) -> Pair:
    """The neighbours that `shift` (of either sign) tells apart under symmetric noise of this
    law."""
    shift = abs(shift)
    if shift == 0:
        return Listed(array([0.0]), array([1.0]), array([1.0]))
    if isinstance(law, StaircaseLaw) and shift <= law.width * (1 + 1e-9):
        return _stairs(law, shift)
    if isinstance(
        law,
        LaplaceLaw | DiscreteLaplaceLaw | GaussianLaw | DiscreteGaussianLaw | NormLaw | LeakyLaw,
    ):
        return Ordered(law, float(round(shift)) if law.discrete else shift)
    found = cells(law, shift)
    return (
        _levels(found, law.epsilon, math.ceil(shift / law.width - 1e-9))
        if isinstance(law, StaircaseLaw)
        else found
    )


def _levels(found: Listed, epsilon: float, most: int) -> Listed:
    """Every loss of a longer shift of steps is a whole number of ε, at most one for each step."""
    level = np.clip(np.rint(np.clip(found.losses / epsilon, -1e9, 1e9)), -most, most).astype(
        np.int64
    )
    inside, outside = (
        np.bincount(most - level, weights, 2 * most + 1)
        for weights in (found.inside, found.outside)
    )
    return Listed(
        array(epsilon * np.arange(most, -most - 1.0, -1.0)), array(inside), array(outside)
    )


def _stairs(law: StaircaseLaw, shift: float) -> Listed:
    """A shift by at most one step crosses at most one edge, so the loss is ε, 0 or −ε.

    Edges stand at (k + γ) steps. On the far side of each edge k ≥ 1 a strip as wide as the shift
    gains the factor e^ε, and about 0 one of min(2γ steps, shift).
    """
    b, steps = math.exp(-law.epsilon), min(1.0, shift / law.width)
    level = -math.expm1(-law.epsilon) / (2 * (law.gamma + b * (1 - law.gamma)))
    top = level * min(2 * law.gamma, steps) + steps * b / (2 * (law.gamma + b * (1 - law.gamma)))
    masses = array([top, max(0.0, 1 - top - top * b), top * b])
    return Listed(array([law.epsilon, 0.0, -law.epsilon]), masses, array(masses[::-1]))


def listed(inside: Array, outside: Array) -> Listed:
    """The pair of two pmfs over the same answers."""
    kept = (inside > 0) | (outside > 0)
    inside, outside = inside[kept], outside[kept]
    with np.errstate(divide="ignore"):
        losses = np.log(inside) - np.log(outside)
    order = np.argsort(-losses, kind="stable")
    return Listed(array(losses[order]), array(inside[order]), array(outside[order]))


def cells(law: Law, shift: float) -> Listed:
    """Any other symmetric noise, cut into small cells whose probabilities come from its cdf; atoms
    are cells of their own."""
    reach = -float(law.quantile(np.array([1e-14]))[0])
    if law.discrete:
        ends = np.unique(np.round(np.linspace(-reach - 1, reach + shift + 1, _CELLS))) + 0.5
    else:
        kinks = law.kinks(-reach, reach)
        ends = np.unique(
            np.concatenate([np.linspace(-reach, reach + shift, _CELLS), kinks, kinks + shift])
        )
    places = [place for place, _ in law.atoms]
    masses = np.array([mass for _, mass in law.atoms])
    both = []
    for centre in (shift, 0.0):
        bare = law.cdf(ends - centre) - sum(
            (mass * (ends - centre >= place) for place, mass in law.atoms), np.zeros(len(ends))
        )
        both.append(np.diff(bare, prepend=0.0, append=1 - masses.sum()))
    if places and shift:
        both = [
            np.concatenate([both[0], masses, 0 * masses]),
            np.concatenate([both[1], 0 * masses, masses]),
        ]
    return listed(np.maximum(both[0], 0), np.maximum(both[1], 0))
