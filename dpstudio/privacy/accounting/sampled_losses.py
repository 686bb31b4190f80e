"""The loss of a release of a sample on a lattice, in both directions: the person who leaves and the
one who joins."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.amplified import sampled_loss
from dpstudio.privacy.accounting.losses import BELOW, Rounded
from dpstudio.privacy.mechanisms.gaussian import gaussian_log_delta, special
from dpstudio.privacy.mechanisms.law import legendre
from dpstudio.privacy.mechanisms.loss import Loss

# Cells of the lattice are one step wide up to so many steps from 0, and then so much of their
# distance.
FINE_CELLS = 512
PIECE = 0.5  # of a deviation of the noise, and at most 1: so far quadrature goes in one piece


@dataclass(frozen=True)
class Sampled:
    """The loss of a release with loss `base` of a Poisson sample with `chance` 0 < q < 1.

    Where (P, Q) dominates the release, ((1 − q)Q + qP, Q) does for who leaves and (Q, (1 − q)Q +
    qP) for who is `joining` (Zhu, Dong & Wang 2022, Theorem 11): ln(1 − q + q e^ℓ) and its
    negative.
    """

    base: Loss
    chance: float
    joining: bool = False

    @property
    def turned(self) -> Sampled:
        """The other direction."""
        return replace(self, joining=not self.joining)

    @property
    def lost(self) -> float:
        """Mass at ∞."""
        return 0.0 if self.joining else self.chance * self.base.lost

    @property
    def ratio(self) -> float:
        """That of the noise: where it is above 0 the loss has a tail that is cut."""
        return self.base.ratio

    @property
    def width(self) -> float:
        """That of the noise: where it is above 0 the loss has a density between its ends."""
        return self.base.width

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest finite loss, of Gaussian noise the limits of what is looked
        at first."""
        if self.base.ratio > 0:
            mean, reach = self.base.ratio**2 / 2, BELOW * self.base.ratio
            found = _turned_loss(self, np.array([-mean - reach, mean + reach]))
        else:
            found = _turned_loss(self, np.array([self.base.places[0], self.base.places[-1]]))
        return float(found.min()), float(found.max())

    @property
    def spacing(self) -> float:
        """How far the ends lie apart, where there is mass at both; 0 where there is a tail."""
        return 0.0 if self.base.ratio > 0 else self.ends[1] - self.ends[0]

    @property
    def places(self) -> tuple[float, ...]:
        """The ends as places from the first on: the lattice starts there."""
        return () if self.base.ratio > 0 else (0.0, self.spacing)

    @property
    def smooth(self) -> float:
        """What a split over a cell is counted for: of two atoms, which are the lattice, nothing."""
        two = len(self.base.places) == 2 and self.base.width == self.base.lost == 0
        return 0.0 if two else 1.0

    @cached_property
    def variance(self) -> float:
        """That of a Gaussian law with the same mean deviation: the variance itself may be all in a
        thin tail, and a lattice made for that too coarse for the rest."""
        places, masses = _nodes(self, *_cuts(self, np.zeros(0), -BELOW * BELOW / 2))
        off = float(masses @ np.abs(places - float(masses @ places)))
        return max(math.pi / 2 * off**2, 1e-300)


def _turned_loss(loss: Sampled, base: Array) -> Array:
    found = sampled_loss(base, loss.chance)
    return -found if loss.joining else found


def _base_of(loss: Sampled, places: Array) -> Array:
    """The loss without sampling behind each of these; −∞ where there is none so small."""
    at = -places if loss.joining else places
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        near = np.log1p(np.maximum(np.expm1(np.minimum(at, 30.0)) / loss.chance, -1.0))
        far = at - math.log(loss.chance) + np.log1p((loss.chance - 1) * np.exp(-at))
    return np.asarray(np.where(at < 30, near, far))


def _limits(loss: Sampled, log_tail: float) -> tuple[float, float]:
    """Between which losses without sampling the density is followed."""
    r = loss.base.ratio
    if r > 0:
        # Of who leaves q·δ of the noise is beyond; of who joins mass beyond either end stays.
        log_beyond = log_tail if loss.joining else min(log_tail - math.log(loss.chance), -1.0)
        reach = math.sqrt(-2 * log_beyond) * r
        if loss.joining:
            return -r * r / 2 - reach, -r * r / 2 + reach
        return -r * r / 2 - BELOW * r, r * r / 2 + reach
    return (loss.base.places[0], loss.base.places[-1]) if loss.base.width > 0 else (0.0, 0.0)


def _cuts(loss: Sampled, places: Array, log_tail: float) -> tuple[Array, ...]:
    """Ends of the pieces of the density, as losses without sampling: the cells' and enough others
    for quadrature."""
    low, high = _limits(loss, log_tail)
    if low == high:
        return (np.zeros(0),)
    piece = min(1.0, PIECE * loss.base.ratio) if loss.base.ratio > 0 else 1.0
    every = np.linspace(low, high, max(2, math.ceil((high - low) / piece) + 1))
    inner = _base_of(loss, places)
    inner = inner[(inner > low) & (inner < high)]
    return (np.unique(np.concatenate([every, inner])),)


def _nodes(loss: Sampled, ends: Array) -> tuple[Array, Array]:
    """Losses and their masses: of the density by quadrature on the pieces, and of the atoms."""
    base = loss.base
    made: list[tuple[Array, Array]] = []
    if len(ends) > 1:
        nodes, weights = legendre(8)
        half, middle = np.diff(ends)[:, None] / 2, (ends[1:] + ends[:-1])[:, None] / 2
        x, dx = (middle + half * nodes).ravel(), (half * weights).ravel()
        if base.ratio > 0:
            z = (x + base.ratio**2 / 2) / base.ratio
            log_mass = -z * z / 2 - math.log(base.ratio * math.sqrt(2 * math.pi))
        else:
            log_mass = math.log((1 - base.lost) / 4) - (x + base.width) / 2
        made.append((x, log_mass + np.log(dx)))
    if base.places:
        x = np.array(base.places)
        made.append((x, np.log(np.maximum(base.masses, 1e-320)) - x))
    x = np.concatenate([m[0] for m in made])
    log_mass = np.concatenate([m[1] for m in made])  # under Q
    bare = sampled_loss(x, loss.chance)
    if loss.joining:
        return -bare, np.exp(log_mass)
    return bare, np.exp(log_mass + bare)


@dataclass(frozen=True, eq=False)
class Cells:
    """Places start + step·`at` (whole numbers, increasing), and what lies between them: `cell` and
    distance from its lower end of every mass."""

    start: float
    step: float
    at: np.ndarray
    cell: np.ndarray
    above: Array
    mass: Array

    @property
    def width(self) -> Array:
        """Of every cell."""
        return np.asarray(np.diff(self.at) * self.step)

    def summed(self, what: Array) -> Array:
        """Sums over the cells."""
        return np.asarray(np.bincount(self.cell, what, len(self.at) - 1), dtype=np.float64)

    def split(self) -> Array:
        """Masses of the places when every mass is split between its two neighbours so that it
        stays under P and under Q."""
        s, h = self.above, self.width[self.cell]
        out = np.zeros(len(self.at))
        out[1:] += self.summed(self.mass * np.expm1(-s) / np.expm1(-h))
        out[:-1] += self.summed(self.mass * np.exp(-s) * np.expm1(s - h) / np.expm1(-h))
        return out

    def pulled(self) -> Array:
        """What the split masses lose when the curve's chords are pulled below it: see
        `losses.rounded_down`, here with cells of different width."""
        s, h = self.above, self.width[self.cell]
        gap = self.summed(self.mass * np.expm1(-s) * np.expm1(s - h) * np.exp(h) / np.expm1(h))
        inside = (s > 0) & (s < h)
        first, last = inside & (self.cell == 0), inside & (self.cell == len(self.at) - 2)
        pull = np.concatenate([[0.0, 0.0], np.maximum(gap[1:], gap[:-1]), [0.0, 0.0]])
        if len(pull) > 4:
            pull[2] = max(pull[2], float(np.sum(self.mass[first] * np.expm1((h - s)[first]))))
            pull[-3] = max(pull[-3], float(np.sum(self.mass[last] * -np.expm1(-s[last]))))
        wide = np.concatenate([[self.step], self.width, [self.step]])
        change = np.diff(pull)
        return np.asarray(change[1:] / np.expm1(wide[1:]) + change[:-1] / np.expm1(-wide[:-1]))


def _cells(loss: Sampled, step: float, log_tail: float) -> Cells:
    low, high = _limits(loss, log_tail)
    start, top = loss.ends
    if loss.base.ratio > 0:
        found = _turned_loss(loss, np.array([low, high]))
        start = math.floor(float(found.min()) / step) * step
        top = -math.log1p(-loss.chance) if loss.joining else float(found.max())
    at = _grid(round(-start / step), _ceil((top - start) / step))
    places = start + step * at
    x, mass = _nodes(loss, *_cuts(loss, places, log_tail))
    if loss.base.lost:
        x = np.append(x, (-1 if loss.joining else 1) * math.log1p(-loss.chance))
        mass = np.append(mass, loss.base.lost * (1 if loss.joining else 1 - loss.chance))
    # A place that is missed by roundings is met.
    cell = np.clip(np.searchsorted(places, x + 1e-9 * step, "right") - 1, 0, len(at) - 2)
    above = np.clip(x - places[cell], 0.0, np.diff(at)[cell] * step)
    wide = np.diff(at)[cell] * step
    above = np.where(above < 2e-9 * step, 0.0, np.where(above > wide - 2e-9 * step, wide, above))
    return Cells(start, step, at, cell, above, mass)


def sampled_up(loss: Sampled, step: float, log_tail: float) -> Rounded:
    """A lattice law that dominates it: see `losses.rounded_up`, here with wider cells far from
    0."""
    cells = _cells(loss, step, log_tail)
    below, at_end, beyond = _tails(loss, log_tail)
    masses = cells.split()
    masses[1] += below
    masses[-1] += at_end
    return _spread(cells, masses, loss.lost + beyond)


def sampled_down(loss: Sampled, step: float, log_tail: float) -> Rounded:
    """A lattice law that it dominates: a convex curve below the pulled one, else every loss down
    to the next place."""
    cells = _cells(loss, step, log_tail)
    floored = cells
    if loss.ratio > 0:
        floored = replace(cells, above=np.where(_steep(cells), 0.0, cells.above))
    pulled = _convex(cells.step * cells.at, floored.split() - floored.pulled())
    if np.all(pulled >= 0):
        return _spread(cells, pulled * (1 - 1e-14), loss.lost)
    bare = np.append(cells.summed(cells.mass), 0.0)
    bare[-1] += _tails(loss, log_tail)[1]
    return _spread(cells, bare, loss.lost)


def _steep(cells: Cells) -> NDArray[np.bool_]:
    """Which masses lie inside of a cell that has more than twice the density of the next one, or
    less than half of it, or inside of one of two cells at either end: little is lost where they go
    down to its lower place, and the chords of its neighbours need not be pulled far."""
    density = cells.summed(cells.mass) / cells.width
    unlike = (density[1:] > 2 * density[:-1]) | (density[:-1] > 2 * density[1:])
    steep = np.append(unlike, True) | np.append(True, unlike)
    steep[:2] = steep[-2:] = True
    inside = (cells.above > 0) & (cells.above < cells.width[cells.cell])
    return np.asarray(inside & steep[cells.cell])


def _convex(places: Array, masses: Array) -> Array:
    """The masses of a convex curve below one whose corners have these, some of them negative: such
    a corner goes, and its mass to its neighbours. One at the lower end may stay."""
    kept: list[int] = []
    m = masses.tolist()
    for i in range(len(m)):
        kept.append(i)
        while len(kept) > 2 and m[kept[-2]] < 0:
            left, gone, right = kept[-3:]
            s, h = places[gone] - places[left], places[right] - places[left]
            m[left] += m[gone] * math.exp(-s) * math.expm1(s - h) / math.expm1(-h)
            m[right] += m[gone] * math.expm1(-s) / math.expm1(-h)
            m[gone] = 0.0
            del kept[-2]
    out = np.array(m)
    last = len(out)
    # Where the curve ends below 0 its last corners go down to the first of them from which it does
    # not: there it is 0 from then on.
    while last and (out[last - 1 :].sum() < 0 or _end(places[last - 1 :], out[last - 1 :]) < 0):
        last -= 1
    if 0 < last < len(out):
        out[last - 1], out[last:] = out[last - 1 :].sum(), 0.0
    return out


def _end(places: Array, masses: Array) -> float:
    """δ of these masses at the first of the places."""
    return float(masses @ -np.expm1(places[0] - places))


def _spread(cells: Cells, masses: Array, lost: float) -> Rounded:
    held = masses > 0
    return Rounded(cells.start, masses[held], lost, cells.at[held])


def _ceil(places: float) -> int:
    near = round(places)
    return max(1, near if abs(places - near) < 1e-7 else math.ceil(places))


def _grid(zero: int, last: int) -> np.ndarray:
    """Whole numbers from 0 to `last`, those far from `zero` further apart."""
    up = [0]
    while up[-1] < max(last - zero, zero):
        up.append(up[-1] + max(1, up[-1] // FINE_CELLS))
    far = np.array(up)
    at = np.unique(np.concatenate([zero - far, zero + far, [0, last]]))
    return at[(at >= 0) & (at <= last)]


def _tails(loss: Sampled, log_tail: float) -> tuple[float, float, float]:
    """Of Gaussian noise: the mass below the first place, and what lies beyond what is followed:
    mass for the last place, mass for ∞."""
    r = loss.base.ratio
    if r == 0:
        return 0.0, 0.0, 0.0
    low, high = _limits(loss, log_tail)
    log_ndtr = special().log_ndtr
    under = float(log_ndtr((low + r * r / 2) / r))  # ln Q(ℓ < low)
    over = float(log_ndtr(-(high + r * r / 2) / r))
    if loss.joining:
        return math.exp(over), math.exp(under), 0.0
    left = (1 - loss.chance) * math.exp(under) + loss.chance * math.exp(
        float(log_ndtr((low - r * r / 2) / r))
    )
    # Beyond the last place the same division as in `losses`: δ there goes to ∞, the rest stays.
    beyond = loss.chance * math.exp(gaussian_log_delta(high, r))
    top = float(sampled_loss(np.array(high), loss.chance))
    return left, math.exp(min(0.0, over + top)), beyond
