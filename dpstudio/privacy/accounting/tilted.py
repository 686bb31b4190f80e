"""The law of a sum of losses, tilted towards the tail so that the smallest δ keeps its digits, and
its Fourier transform.

δ(ε) = Σ p(x)(1 − e^(ε − x))₊ over the law p of the sum. Tilted by e^(θx) the sum sits where ε is,
and its transform dies out after a few frequencies: one Fourier transform of a single loss serves
all k near each other, and each k then costs a short sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.lattice import Round

Complex = NDArray[np.complex128]
Places = NDArray[np.int64]

QUIET = 46.0  # frequencies below e^−46 of the largest are left out
CLEAR = 40.0  # what comes round the circle is below e^−40
# How many frequencies a block has: few, so that the rounding errors of its sum stay below what
# `Powers.noise` allows for: (40 + 32k)·10⁻¹⁶ of the sum of all sizes, k the losses in all.
WIDTH = 16


@dataclass(frozen=True, eq=False)
class Powers:
    """Of k-fold sums, one row for each k: their transforms times the two geometric tails, shape
    (k, 2·blocks, width), and the rounding error of the first tail's sum."""

    tails: Complex
    noise: Array


@dataclass(frozen=True, eq=False)
class Tilted:
    """A round tilted by θ, with what is left of its transform on N points.

    Frequencies are kept in blocks of equal width, block after block: the phases of a block are
    those of the first one turned, so that few have to be worked out.
    """

    one: Round
    theta: float
    points: int
    cumulants: tuple[float, float, float]
    blocks: Places  # the first frequency of each
    log_size: Array  # ln |f| and arg f of one tilted round, blocks · width
    turn: Array
    weight: Array
    outer: Complex
    inner: Complex
    lower: tuple[tuple[float, float], ...]  # (τ, K(θ − τ)), for the mass far below
    upper: tuple[tuple[float, float], ...]  # (τ, K(θ + τ)), for the mass far above

    @classmethod
    def of(cls, one: Round, theta: float, least: float, most: float) -> Tilted:
        """For all k between `least` and `most`, at ε within a few deviations of where the tilted
        sums sit."""
        h = one.step
        theta, points, cumulants = _circle(one, theta, most)
        kept, log_f = _transform(one, theta, points, least)
        blocks = np.unique(kept // WIDTH) * WIDTH
        every = (blocks[:, None] + np.arange(WIDTH)).ravel()
        at = np.searchsorted(kept, every).clip(max=len(kept) - 1)
        ends = (every == 0) | (2 * every == points)
        omega = 2 * np.pi * every / points
        sigma = math.sqrt(max(most * cumulants[2], h * h))
        near = [t / sigma for t in (4.0, 8.0)]
        far = [*near, 0.35 * theta, 0.7 * theta, theta]
        # Where a few large losses are all of the spread, the least that clears the circle does.
        least_up = CLEAR / (points * h)
        near += [1.2 * least_up, 2 * least_up, _above(one, theta, most, cumulants)[1]]
        return cls(
            one,
            theta,
            points,
            cumulants,
            blocks,
            log_f.real[at],
            log_f.imag[at],
            np.where(kept[at] == every, np.where(ends, 1.0, 2.0) / points, 0.0),
            1 / -np.expm1(-theta * h + 1j * omega),
            1 / -np.expm1(-(1 + theta) * h + 1j * omega),
            tuple((t, one.log_mean(theta - t)) for t in far),
            tuple((t, one.log_mean(theta + t)) for t in near),
        )

    def powers(self, k: Array) -> Powers:
        """What the sums of k rounds need, for each k."""
        size = np.exp(np.outer(k, self.log_size)) * self.weight
        powers = k * sum(p.count for p in self.one.parts)
        noise = (4e-16 * (10 + 8 * powers)) * (size @ np.abs(self.outer))
        f = size * _turned(np.outer(k, self.turn))
        tails = np.empty((len(k), 2, f.shape[1]), dtype=np.complex128)
        np.multiply(f, self.outer, out=tails[:, 0])
        np.multiply(f, self.inner, out=tails[:, 1])
        quiet = math.exp(-QUIET) * abs(complex(self.outer[0]))
        return Powers(tails.reshape(len(k), 2 * len(self.blocks), -1), noise + quiet)

    def sums(self, powers: Powers, at: Array) -> tuple[Array, Array]:
        """Σ p̃(x) e^(−θ(x−y)) and Σ p̃(x) e^(−(1+θ)(x−y)) over x ≥ y, y the place number `at` of
        each k."""
        places = at.astype(np.int64)[:, None]
        within, first = self._phases(places * np.arange(WIDTH)), self._phases(places * self.blocks)
        blocks = np.einsum("kbw,kw->kb", powers.tails, within)
        each = blocks.reshape(len(at), 2, len(self.blocks))
        both = np.sum((each * first[:, None]).real, axis=2)
        return both[:, 0], both[:, 1]

    def _phases(self, turns: Places) -> Complex:
        """e^(2πi·turns/N); the whole turns are taken off before anything is rounded."""
        return _turned((turns % self.points) * (2 * np.pi / self.points))

    def round_the_circle(self, k: Array, epsilon: Array) -> Array:
        """A bound on what the periodic sum adds: the tilted mass far below and far above ε
        (Chernoff), and e^−40 of the rest."""
        one, whole = self.one, self.points * self.one.step
        far, top = whole - CLEAR / self.theta, one.start + one.places * one.step
        down = [k * (value - self.cumulants[0]) + t * (epsilon - far) for t, value in self.lower]
        up = [k * (value - self.cumulants[0]) - t * (epsilon + whole) for t, value in self.upper]
        below = np.exp(np.minimum(0.0, np.min(down, axis=0)))
        above = np.exp(np.minimum(0.0, np.min(up, axis=0)))
        below[epsilon - far < k * one.start] = 0.0
        above[epsilon + whole > k * top] = 0.0
        return np.asarray(below + above + 2 * math.exp(-CLEAR))


def _circle(one: Round, theta: float, most: float) -> tuple[float, int, tuple[float, float, float]]:
    """(θ, number of points, cumulants): how far round the circle must be so that what comes round
    it is below e^−40, for up to `most` rounds. θ grows where it would be too far."""
    h = one.step
    theta = max(theta, 2.0 / math.sqrt(max(most * one.cumulants(theta)[2], h * h)))
    support = most * one.places * h
    cumulants = one.cumulants(theta)
    sd = math.sqrt(most * cumulants[2]) + h
    wide = CLEAR / theta + max(12.0 * sd, CLEAR / theta, _above(one, theta, most, cumulants)[0])
    if wide > 4 * support:
        wide = 4 * support + 8 * h
        theta = max(theta, (CLEAR + 3) / (3 * support + 8 * h))
        cumulants = one.cumulants(theta)
    return theta, _good(math.ceil(wide / h) + 1), cumulants


def _above(
    one: Round, theta: float, k: float, cumulants: tuple[float, float, float]
) -> tuple[float, float]:
    """How far above its mean the tilted sum of k rounds has e^−40 left at most, by Chernoff's
    bound, and the τ by which that is known: far where a few of the losses are large."""
    value, mean, bend = cumulants
    sigma = math.sqrt(max(k * bend, one.step**2))
    tried = [c / sigma for c in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)]
    grown = [(t, k * (one.log_mean(theta + t) - value)) for t in tried]
    return min(((CLEAR + more) / t - k * mean, t) for t, more in grown)


def _transform(one: Round, theta: float, points: int, least: float) -> tuple[Places, Complex]:
    """The frequencies that count from `least` rounds on, increasing, and ln f of one tilted round
    there."""
    transforms = []
    for p in one.parts:
        w, _ = p.tilted(theta, one.step)
        around = np.bincount(p.held[0].astype(np.int64) % points, w, points)
        transforms.append((p.count, np.fft.rfft(around, points)))
    if len(transforms) == 1:
        ((count, f),) = transforms
        size = f.real**2 + f.imag**2
        kept = np.flatnonzero(size > math.exp(-2 * QUIET / (least * count)))
    else:
        sizes = (n * np.log(np.maximum(f.real**2 + f.imag**2, 1e-300)) for n, f in transforms)
        kept = np.flatnonzero(least * np.sum(list(sizes), axis=0) > -2 * QUIET)
    log_f = np.zeros(len(kept), dtype=np.complex128)
    for count, f in transforms:
        found = f[kept]
        log_f += count * np.log(np.where(found == 0, 1e-300, found))
    return kept, log_f


def _turned(angle: np.ndarray) -> Complex:
    """e^(i·angle)."""
    out = np.empty(angle.shape, dtype=np.complex128)
    np.cos(angle, out=out.real)
    np.sin(angle, out=out.imag)
    return out


def _good(points: int) -> int:
    """The next length of the form 2^a or 3·2^a that is at least `points` (and 48)."""
    power = 1 << max(6, (points - 1).bit_length())
    return 3 * power // 4 if 3 * power // 4 >= points else power
