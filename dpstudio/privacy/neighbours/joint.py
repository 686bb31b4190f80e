"""Two neighbours as they are told apart by a whole answer: the privacy losses of all its noisy
numbers, added up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.mechanisms.catastrophe import LeakyLaw
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw, special
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.l2norm import NormLaw
from dpstudio.privacy.mechanisms.law import Law, legendre
from dpstudio.privacy.neighbours.pair import Listed, Ordered, Pair, pair_of

Moved = tuple[
    Law, tuple[float, ...]
]  # the law of one number of a measurement, and by how much each of its numbers moves

_STEPS = 4000  # of the lattice, over the range of the whole loss
_FEW = 400  # so many losses of one number are kept one by one
_MANY = 40_000  # and so many sums of them
_FAR = 12.0  # deviations of integer Gaussian noise: beyond lies less than 1e-32
_BALL = 256


def joint(measured: Sequence[Moved]) -> Pair:
    """The pair of laws of all noisy numbers together, given how far each moves.

    Gaussian losses add up to one Gaussian loss; L2-norm noise is one draw for all numbers of its
    measurement; everything else is independent from number to number, but for a leak, which shows a
    whole measurement.
    """
    seen = [(law, tuple(abs(by) for by in shifts if by)) for law, shifts in measured]
    seen = [(law, shifts) for law, shifts in seen if shifts]
    if not seen:
        return Listed(array([0.0]), array([1.0]), array([1.0]))
    if all(isinstance(law, GaussianLaw) for law, _ in seen):
        ratios = [
            by / law.sigma for law, shifts in seen if isinstance(law, GaussianLaw) for by in shifts
        ]
        return Ordered(GaussianLaw(1.0), math.hypot(*ratios))
    kept, single = 1.0, [(law, by) for law, shifts in seen for by in shifts]
    if len(single) == 1 and not isinstance(single[0][0], NormLaw):
        return pair_of(*single[0])
    parts: list[Pair] = []
    for law, shifts in seen:
        if isinstance(law, NormLaw):
            parts.append(ball(math.hypot(*shifts) / law.scale, law.dims))
            continue
        if isinstance(law, LeakyLaw):
            kept, law = kept * (1 - law.leak), law.noise
        parts += [pair_of(law, by) for by in shifts]
    return leaking(added(parts), 1 - kept)


def added(parts: list[Pair]) -> Listed:
    """Independent losses added up: one by one where they are few, else on a lattice that never
    makes the whole look safer."""
    endless = not all(math.isfinite(part.most) for part in parts)
    lists = [few for part in parts if (few := _listed(part)) is not None]
    if len(lists) == len(parts):
        whole = lists[0]
        for one in lists[1:]:
            if len(whole.losses) * len(one.losses) > _MANY:
                break
            whole = _product(whole, one)
        else:
            return replace(whole, endless=endless)
    tops = [_top(part) for part in parts]
    step = 2 * math.fsum(tops) / _STEPS
    rounded: dict[tuple[float, str], Array] = {}
    masses = np.ones(1)
    for part, top in zip(parts, tops, strict=True):
        key = (top, repr(part))
        if key not in rounded:
            rounded[key] = _dots(part, top, step)
        masses = np.convolve(masses, rounded[key])
    crest = 0.0 if endless else math.prod(part.above(part.most)[0] for part in parts)
    return replace(_on_lattice(masses, math.fsum(tops), step), endless=endless, crest=crest)


def _on_lattice(masses: Array, top: float, step: float) -> Listed:
    losses = top - step * np.arange(len(masses))
    kept = masses > 0
    kept[[0, -1]] = True  # the ends are bounds, even where nothing is left of their masses
    with np.errstate(over="ignore"):
        outside = np.where(kept, masses * np.exp(-losses), 0.0)
    # Under Q nearly all may stand where P has lost its digits: what is missing there goes to the
    # end.
    outside = np.minimum(outside, np.maximum(0.0, 1 - np.append(0.0, np.cumsum(outside)[:-1])))
    outside[np.flatnonzero(kept)[-1]] += max(0.0, 1 - float(outside.sum()))
    return Listed(array(losses[kept]), array(masses[kept]), array(outside[kept]))


def _listed(part: Pair) -> Listed | None:
    """A part whose losses are few, those too rare to be seen left out."""
    if isinstance(part, Listed):
        return part if len(part.losses) <= _FEW else None
    if not isinstance(part, Ordered) or not part.law.discrete:
        return None
    # All answers from the one on have the largest loss, and all up to the other one the smallest.
    wide = (
        0
        if isinstance(part.law, DiscreteLaplaceLaw)
        else math.ceil(_FAR * math.sqrt(part.law.variance))
    )
    if 2 * wide + part.shift > _FEW:
        return None
    x = np.arange(part.shift + wide, -wide - 1.0, -1.0)
    inside, outside = (
        np.append(part.law.cdf(centre - x[:-1]), 1.0) for centre in (part.shift, 0.0)
    )
    return Listed(
        array(part.loss(x)),
        array(np.diff(inside, prepend=0.0)),
        array(np.diff(outside, prepend=0.0)),
    )


def _product(one: Listed, other: Listed) -> Listed:
    """Every loss of one with every loss of the other; sums that are equal are one loss."""
    losses = np.add.outer(one.losses, other.losses).ravel()
    order = np.argsort(-losses, kind="stable")
    losses = losses[order]
    inside, outside = (
        np.multiply.outer(a, b).ravel()[order]
        for a, b in ((one.inside, other.inside), (one.outside, other.outside))
    )
    starts = np.flatnonzero(
        np.append(True, -np.diff(losses) > 1e-10 * max(1e-300, float(np.abs(losses).max())))
    )
    return Listed(
        array(losses[starts]),
        array(np.add.reduceat(inside, starts)),
        array(np.add.reduceat(outside, starts)),
    )


def _top(part: Pair) -> float:
    """The largest loss of a part, or one that is never seen to be exceeded."""
    if math.isfinite(part.most):
        return part.most
    assert isinstance(part, Ordered)
    return float(part.loss(part.shift + _FAR * math.sqrt(part.law.variance)))


def _dots(part: Pair, top: float, step: float) -> Array:
    """P of the losses top, top − step, … after each loss is split between its two neighbours there,
    so that the mass under P and that under Q both stay. That pair tells at least as much as the
    true one.

    (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022, "Connect the Dots".)
    """
    ends = array(top - step * np.arange(math.ceil(2 * top / step - 1e-9) + 1))
    inside, outside = part.beyond(ends)
    inside[0] = outside[0] = 0.0  # what lies beyond a top that is cut comes to stand there
    return _split(inside, outside, ends, step)


def _split(inside: Array, outside: Array, ends: Array, step: float) -> Array:
    """P at each of the ends from P and Q of what lies above each."""
    p, q = np.maximum(np.diff(inside), 0.0), np.maximum(np.diff(outside), 0.0)
    with np.errstate(over="ignore"):
        up = np.clip((p - q * np.exp(ends[1:])) / -math.expm1(-step), 0.0, p)
    masses = np.append(up, 0.0)
    masses[1:] += p - up
    masses[-1] += max(0.0, 1 - float(inside[-1]))
    return np.asarray(masses)


def leaking(pair: Listed, leak: float) -> Listed:
    """The same where, with probability `leak`, the answer names the table for certain."""
    if leak <= 0:
        return pair
    losses = np.concatenate([[math.inf], pair.losses, [-math.inf]])
    inside = np.concatenate([[leak], (1 - leak) * pair.inside, [0.0]])
    return Listed(
        array(losses),
        array(inside),
        array(np.concatenate([[0.0], (1 - leak) * pair.outside, [leak]])),
    )


@dataclass(frozen=True, eq=False)
class Smooth(Listed):
    """A loss without jumps: `beyond_in` and `beyond_out`, P and Q of what lies above each of the
    losses `at`, are exact there."""

    at: Array = field(default_factory=lambda: np.zeros(0))
    beyond_in: Array = field(default_factory=lambda: np.zeros(0))
    beyond_out: Array = field(default_factory=lambda: np.zeros(0))

    def beyond(self, losses: Array) -> tuple[Array, Array]:
        inside, outside = (
            np.interp(-np.asarray(losses), -self.at, over)
            for over in (self.beyond_in, self.beyond_out)
        )
        return np.asarray(inside), np.asarray(outside)

    def above(self, loss: float, *, strictly: bool = False) -> tuple[float, float]:
        inside, outside = self.beyond(np.array([loss]))
        return float(inside[0]), float(outside[0])


@lru_cache(maxsize=32)
def ball(full: float, dims: int) -> Smooth:
    """Noise with density ∝ e^(−full·‖b‖₂) on `dims` ≥ 2 numbers against its shift by a vector of
    length 1.

    The loss full·(‖b + s‖ − ‖b‖) exceeds t where the cosine between b and the shift exceeds κ + (κ²
    − 1)/(2r), κ = t/full, r = ‖b‖.
    """
    # A constant of the mechanism, not an answer about data.
    kappa = np.linspace(1, 0, _BALL // 2 + 1)
    above = _cone(full, dims, kappa, 1.0)
    below = _cone(full, dims, -kappa, -1.0)
    inside = np.concatenate([above, (1 - below[:-1])[::-1]])
    outside = np.concatenate([below, (1 - above[:-1])[::-1]])
    losses = full * np.concatenate([kappa, -kappa[:-1][::-1]])
    listed = _on_lattice(_split(inside, outside, losses, 2 * full / _BALL), full, 2 * full / _BALL)
    return Smooth(
        listed.losses,
        listed.inside,
        listed.outside,
        at=array(losses),
        beyond_in=array(inside),
        beyond_out=array(outside),
    )


def _cone(full: float, dims: int, kappa: ArrayLike, side: float) -> Array:
    """P(ℓ > full·κ) for side 1, P(ℓ < full·κ) for side −1: over the radius, the part of the sphere
    that lies in the cone."""
    kappa = np.asarray(kappa, dtype=np.float64)[:, None]
    s = special()
    edges = s.gammaincinv(
        dims,
        np.array(
            [
                0.0,
                1e-9,
                1e-6,
                1e-3,
                0.02,
                0.1,
                0.3,
                0.5,
                0.7,
                0.9,
                0.99,
                1 - 1e-4,
                1 - 1e-7,
                1 - 1e-13,
            ]
        ),
    )
    edges[0] = 0.0
    # The cone opens like a root at this radius: a panel starts there, and all are entered as
    # squares.
    opens = np.clip(full * (1 - kappa) / 2, 0.0, edges[-1])
    edges = np.sort(
        np.concatenate([np.broadcast_to(edges, (len(kappa), len(edges))), opens], axis=1), axis=1
    )
    nodes, weights = legendre(16)
    unit, mass = (nodes + 1) / 2, weights / 2
    wide = np.diff(edges, axis=1)[:, :, None]
    radius = np.maximum(edges[:, :-1, None] + wide * unit**2, 1e-300)
    radial = (
        wide * 2 * unit * mass * np.exp((dims - 1) * np.log(radius) - radius - math.lgamma(dims))
    )
    least = kappa[:, :, None] + (kappa[:, :, None] ** 2 - 1) * full / (2 * radius)
    least = side * np.clip(least, -1.0, 1.0)
    half = s.betainc((dims - 1) / 2, 0.5, 1 - least**2) / 2
    return np.asarray(np.sum(radial * np.where(least >= 0, half, 1 - half), axis=(1, 2)))


@dataclass(frozen=True, eq=False)
class Worst(Pair):
    """Several people, none of whom moves every number farther than another: the first, to whom most
    is lost at even odds, is drawn; what is said of all is the largest over them."""

    pairs: tuple[Pair, ...]

    @property
    def first(self) -> Pair:
        return self.pairs[0]

    @property
    def most(self) -> float:  # type: ignore[override]
        return max(pair.most for pair in self.pairs)

    @property
    def least(self) -> float:  # type: ignore[override]
        return min(pair.least for pair in self.pairs)

    def above(self, loss: float, *, strictly: bool = False) -> tuple[float, float]:
        return self.first.above(loss, strictly=strictly)

    def beyond(self, losses: Array) -> tuple[Array, Array]:
        return self.first.beyond(losses)

    def power(self, alpha: ArrayLike) -> Array:
        return np.asarray(np.max([pair.power(alpha) for pair in self.pairs], axis=0))

    def delta(self, epsilon: float) -> float:
        return max(pair.delta(epsilon) for pair in self.pairs)

    @property
    def certain(self) -> float:
        return max(pair.certain for pair in self.pairs)

    def jumps(self, low: float, high: float) -> Array:
        return self.first.jumps(low, high)

    @property
    def typical(self) -> float:
        return self.first.typical


def worst(pairs: Sequence[Pair]) -> Pair:
    """One of them where it is the only one."""
    if len(pairs) == 1:
        return pairs[0]
    return Worst(tuple(sorted(pairs, key=lambda pair: -pair.advantage)))
