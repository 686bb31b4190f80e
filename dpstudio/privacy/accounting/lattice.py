"""Sums of many independent losses on a lattice: δ(ε) and ε(δ), tilted towards the tail so that the
smallest δ keeps its digits.

δ(ε) = Σ p(x)(1 − e^(ε − x))₊ over the law p of the sum. Tilted by e^(θx) the sum sits where ε is,
and its transform dies out after a few frequencies: one Fourier transform of a single loss serves
all k near each other, and each k then costs a short sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array

Complex = NDArray[np.complex128]

QUIET = 46.0  # frequencies below e^−46 of the largest are left out
CLEAR = 40.0  # what comes round the circle is below e^−40


@dataclass(frozen=True, eq=False)
class Part:
    """`count` equal losses with these masses at start, start + step, …"""

    start: float
    masses: Array
    count: int = 1


@dataclass(frozen=True, eq=False)
class Round:
    """Independent losses on one lattice; a whole is this round k times."""

    step: float
    parts: tuple[Part, ...]

    @property
    def start(self) -> float:
        return math.fsum(p.count * p.start for p in self.parts)

    @property
    def places(self) -> int:
        """How many steps lie between the smallest and the largest sum."""
        return sum(p.count * (len(p.masses) - 1) for p in self.parts)

    def cumulants(self, theta: float) -> tuple[float, float, float]:
        """K(θ) = ln E e^(θL), K′ and K″."""
        whole = np.zeros(3)
        for p in self.parts:
            x = self.step * np.arange(len(p.masses))
            with np.errstate(divide="ignore"):
                log_w = np.log(p.masses) + theta * x
            top = float(log_w.max())
            w = np.exp(log_w - top)
            total = float(w.sum())
            mean = float(w @ x) / total
            whole += p.count * np.array(
                [
                    top + math.log(total) + theta * p.start,
                    mean + p.start,
                    float(w @ (x - mean) ** 2) / total,
                ]
            )
        return float(whole[0]), float(whole[1]), float(whole[2])

    def tilt_for_delta(self, k: float, log_delta: float) -> float:
        """θ that makes e^(kK − θε) θ^θ/(1 + θ)^(1 + θ), a bound on δ(ε), equal to δ at its least:
        k(K − θK′) − ln(1 + θ) = ln δ."""

        def above(theta: float) -> bool:
            value, slope, _ = self.cumulants(theta)
            return k * (value - theta * slope) - math.log1p(theta) > log_delta

        return self._tilt(above)

    def tilt_for_epsilon(self, k: float, epsilon: float) -> float:
        """θ at which the same bound is least at ε: kK′ + ln(θ/(1 + θ)) = ε."""
        return self._tilt(
            lambda theta: k * self.cumulants(theta)[1] - math.log1p(1 / theta) < epsilon
        )

    def _tilt(self, above: Callable[[float], bool]) -> float:
        low, high, most = (
            0.0,
            1.0 / math.sqrt(max(self.cumulants(0.0)[2], 1e-300)),
            60.0 / self.step,
        )
        while high < most and above(high):
            low, high = high, 3 * high
        if high >= most:
            return most
        for _ in range(40):
            if high - low <= 0.02 * high:
                break
            middle = (low + high) / 2
            low, high = (middle, high) if above(middle) else (low, middle)
        return (low + high) / 2


@dataclass(frozen=True, eq=False)
class Tilted:
    """A round tilted by θ, with what is left of its transform on N points for k ≥ `least`."""

    one: Round
    theta: float
    points: int
    least: float
    cumulants: tuple[float, float, float]
    omega: Array
    log_f: Complex
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
        value, mean, variance = one.cumulants(theta)
        theta = max(theta, 2.0 / math.sqrt(max(most * variance, h * h)))
        support = most * one.places * h
        value, mean, variance = one.cumulants(theta)
        sd = math.sqrt(most * variance) + h
        wide = CLEAR / theta + max(12.0 * sd, CLEAR / theta)
        if wide > 4 * support:
            wide = 4 * support + 8 * h
            theta = max(theta, (CLEAR + 3) / (3 * support + 8 * h))
            value, mean, variance = one.cumulants(theta)
        points = _good(math.ceil(wide / h) + 1)
        log_f = np.zeros(points // 2 + 1, dtype=np.complex128)
        for p in one.parts:
            x = h * np.arange(len(p.masses))
            with np.errstate(divide="ignore"):
                log_w = np.log(p.masses) + theta * x
            w = np.exp(log_w - log_w.max())
            w /= w.sum()
            if len(w) > points:
                w = np.concatenate([w, np.zeros(-len(w) % points)]).reshape(-1, points).sum(axis=0)
            f = np.fft.rfft(w, points)
            log_f += p.count * np.log(np.where(f == 0, 1e-300, f))
        kept = np.flatnonzero(least * log_f.real > -QUIET)
        omega = 2 * np.pi * kept / points
        weight = np.where((kept == 0) | (2 * kept == points), 1.0, 2.0) / points
        outer = 1 / -np.expm1(-theta * h + 1j * omega)
        inner = 1 / -np.expm1(-(1 + theta) * h + 1j * omega)
        sigma = math.sqrt(max(most * variance, h * h))
        near = [t / sigma for t in (4.0, 8.0)]
        lower = tuple(
            (t, one.cumulants(theta - t)[0]) for t in [*near, 0.35 * theta, 0.7 * theta, theta]
        )
        upper = tuple((t, one.cumulants(theta + t)[0]) for t in near)
        return cls(
            one,
            theta,
            points,
            least,
            (value, mean, variance),
            omega,
            log_f[kept],
            weight,
            outer,
            inner,
            lower,
            upper,
        )

    def powers(self, k: Array) -> tuple[Complex, Complex, Array]:
        """Transforms of the k-fold sums times the two geometric tails, and the rounding error of
        the first, for each k."""
        f = np.exp(k[:, None] * self.log_f) * self.weight
        noise = (4e-16 * (10 + 8 * k)) * (np.abs(f) @ np.abs(self.outer)) + math.exp(-QUIET) * abs(
            complex(self.outer[0])
        )
        return f * self.outer, f * self.inner, noise

    def sums(self, powers: tuple[Complex, Complex, Array], at: Array) -> tuple[Array, Array]:
        """Σ p̃(x) e^(−θ(x−y)) and Σ p̃(x) e^(−(1+θ)(x−y)) over x ≥ y, y the place number `at` of
        each k."""
        phase = np.exp(1j * np.remainder(np.outer(at, self.omega), 2 * np.pi))
        return np.sum((powers[0] * phase).real, axis=1), np.sum((powers[1] * phase).real, axis=1)

    def round_the_circle(self, k: Array, epsilon: Array) -> Array:
        """A bound on what the periodic sum adds: the tilted mass far below and far above ε
        (Chernoff), and e^−40 of the rest."""
        whole = self.points * self.one.step
        far, start, top = (
            whole - CLEAR / self.theta,
            self.one.start,
            self.one.start + self.one.places * self.one.step,
        )
        down = [k * (value - self.cumulants[0]) + t * (epsilon - far) for t, value in self.lower]
        up = [k * (value - self.cumulants[0]) - t * (epsilon + whole) for t, value in self.upper]
        below = np.where(
            epsilon - far < k * start, 0.0, np.exp(np.minimum(0.0, np.min(down, axis=0)))
        )
        above = np.where(
            epsilon + whole > k * top, 0.0, np.exp(np.minimum(0.0, np.min(up, axis=0)))
        )
        return np.asarray(below + above + 2 * math.exp(-CLEAR))


def _good(points: int) -> int:
    """The next length of the form 2^a or 3·2^a that is at least `points` (and 64)."""
    power = 1 << max(6, (points - 1).bit_length())
    return 3 * power // 4 if 3 * power // 4 >= points else power


def log_delta_at(one: Round, k: float, epsilon: float) -> tuple[float, float]:
    """ln δ_finite(ε) of the round k times, and its relative error; −inf where nothing is above
    ε."""
    if epsilon >= k * (one.start + one.places * one.step) * (1 - 1e-15):
        return -math.inf, 0.0
    tilted = Tilted.of(one, one.tilt_for_epsilon(k, epsilon), k, k)
    ks, eps = np.array([k]), np.array([epsilon])
    at = np.floor((eps - k * one.start) / one.step + 1e-9) + 1
    powers = tilted.powers(ks)
    a, b = tilted.sums(powers, at)
    u = k * one.start + at * one.step - eps
    value = float((a - b * np.exp(-u))[0])
    error = float((powers[2] + tilted.round_the_circle(ks, eps))[0])
    scale = k * tilted.cumulants[0] - tilted.theta * float((eps + u)[0])
    if value <= error:
        return scale + math.log(2 * error), 1.0
    return scale + math.log(value), error / value


def solve(one: Round, k: Array, log_target: Array) -> tuple[Array, Array]:
    """ε ≥ 0 with δ_finite(ε) = target for each k (increasing), and a bound on its numeric error.
    Bands of k share a transform."""
    epsilon, error = np.zeros(k.shape), np.zeros(k.shape)
    waiting = _bands(k, log_target)
    while waiting:
        band = waiting.pop()
        ks, targets = k[band], log_target[band]
        middle = math.sqrt(ks[0] * ks[-1])
        tilted = Tilted.of(
            one, one.tilt_for_delta(middle, float(targets.min())), float(ks[0]), float(ks[-1])
        )
        # A long sum of many frequencies goes in slices, so that memory stays small.
        size = max(1, 400_000 // max(1, len(tilted.omega)))
        for part in range(0, len(ks), size):
            here = slice(band.start + part, min(band.start + part + size, band.stop))
            epsilon[here], error[here] = _solve(tilted, k[here], log_target[here])
        # Where the losses are few and large one tilt does not do for a whole band: halve it.
        if np.any(error[band] > 1e-7 * epsilon[band] + 1e-5 * one.step):
            if len(ks) > 1:
                cut = (band.start + band.stop) // 2
                waiting += [slice(band.start, cut), slice(cut, band.stop)]
            else:
                epsilon[band], error[band] = _retilted(
                    tilted, ks, targets, epsilon[band], error[band]
                )
    return epsilon, error


def _retilted(
    tilted: Tilted, k: Array, log_target: Array, epsilon: Array, error: Array
) -> tuple[Array, Array]:
    """The best of a few other tilts, for a sum of few losses that the saddle point does not
    suit."""
    for factor in (0.5, 2.0, 0.2):
        again = Tilted.of(tilted.one, factor * tilted.theta, float(k[0]), float(k[0]))
        other, spare = _solve(again, k, log_target)
        if spare[0] < error[0]:
            epsilon, error = other, spare
    return epsilon, error


def _bands(k: Array, log_target: Array) -> list[slice]:
    """Slices of k within which one tilt does: the sums sit within 1.5 deviations of it."""
    if not len(k):
        return []
    z = math.sqrt(max(2.0, -2 * float(log_target.min())))
    ratio = (1 + 3 / z) ** 2
    starts = [0]
    for i in range(len(k)):
        if k[i] > k[starts[-1]] * ratio:
            starts.append(i)
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], len(k)], strict=True)]


def _solve(tilted: Tilted, k: Array, log_target: Array) -> tuple[Array, Array]:
    one, theta, h = tilted.one, tilted.theta, tilted.one.step
    value, mean, _ = tilted.cumulants
    start, top = k * one.start, k * (one.start + one.places * h)
    powers = tilted.powers(k)
    low, high = np.minimum(0.0, top), top
    epsilon = np.clip(k * mean - math.log1p(1 / theta), low, high - h / 2)
    segment = np.zeros((4, len(k)))
    # Where δ(0) is small enough already, ε is 0 and nothing needs to be found.
    a, b = tilted.sums(powers, np.floor(-start / h + 1e-9) + 1)
    y = start + (np.floor(-start / h + 1e-9) + 1) * h
    noise = powers[2] + tilted.round_the_circle(k, np.zeros(k.shape))
    done = np.log(np.maximum(a - b * np.exp(-y), 0.0) + noise) <= log_target + theta * y - k * value
    epsilon = np.where(done, 0.0, epsilon)
    idle = done
    for _ in range(200):
        if done.all():
            break
        at = np.floor((epsilon - start) / h + 1e-9) + 1
        a, b = tilted.sums(powers, at)
        y = start + at * h
        noise = powers[2] + 2 * math.exp(-CLEAR)
        with np.errstate(all="ignore"):  # places that are not taken up below
            goal = np.exp(np.clip(log_target + theta * y - k * value, -740, 700))
            inside = -np.log((a - goal) / b)  # y − ε on this segment, in closed form
            tail = np.exp(epsilon - y)
            now = a - b * tail
            good = now > noise
            miss = np.log(np.maximum(now, noise)) - (log_target + theta * y - k * value)
            slope = np.maximum(now, noise) / np.maximum(b * tail, 1e-300)
        # Below the noise a target can be met on the last segment alone, whose upper end is known to
        # be the top.
        sure = good & ((goal > noise) | (y >= top - h / 2))
        hit = sure & (inside >= -1e-9 * h) & (inside <= h * (1 + 1e-9))
        low, high = (
            np.where(~done & (miss > 0), epsilon, low),
            np.where(~done & (miss <= 0), epsilon, high),
        )
        settled = hit | (high - low <= 1e-14 * np.abs(high) + 1e-9 * h)
        segment = np.where(done, segment, np.stack([a, b, goal, y]))
        new = np.where(hit, y - inside, epsilon + miss * slope)
        new = np.where(hit | ((new > low) & (new < high)), new, (low + high) / 2)
        epsilon = np.where(done, epsilon, new)
        done = done | settled
    error = _within(segment, powers[2] + tilted.round_the_circle(k, epsilon), epsilon, top, h)
    return np.maximum(0.0, epsilon), np.where(idle, 0.0, error + 2e-9 * h)


def _within(segment: Array, noise: Array, epsilon: Array, top: Array, h: float) -> Array:
    """How far from ε the target may truly be met, when the sums of its segment are off by the
    noise; inf where nothing is known.

    On a segment δ is linear in e^ε, and convex over all: carried on to smaller ε the line stays
    below δ, to larger ε it proves nothing.
    """
    a, b, goal, y = segment
    with np.errstate(all="ignore"):
        least = y + np.log(np.where(a - goal > noise, a - goal - noise, np.nan) / (b + noise))
        u = -np.log((a - goal + noise) / np.where(b > noise, b - noise, np.nan))
    most = np.where(u >= 0, y - np.minimum(u, h), np.where(y >= top - h / 2, top, np.inf))
    error = np.maximum(epsilon - least, most - epsilon)
    return np.where(np.isnan(error), np.inf, np.maximum(error, 0.0))
