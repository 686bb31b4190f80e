"""k-means under a promise: Lloyd's steps with noise on every count and sum (DPLloyd; Blum, Dwork,
McSherry & Nissim 2005, with the split of ε by Su, Cao, Li, Bertino & Jin 2016).

Points lie in the box [−1, 1]^d by public bounds. In a step each point is counted in one cluster: a
row that enters or leaves moves one count by 1 and one sum by at most 1 in each of d coordinates.
Where a row is replaced, or a person has m rows, that happens `moved` times.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError

RHO = 0.225  # how far from 0 a centre lies in a coordinate on average, as a part of the width (Su)
LEAST_STEPS, MOST_STEPS = 2, 7
# Numbers that one block of rows may hold: it stays in the cache, and OpenBLAS in one thread. From
# 2^18 on its threads wait for each other where the machine is busy, at six times the cost.
_CELLS = 1 << 16
_TRIES = 30


@dataclass(frozen=True)
class Split:
    """Scales of the Laplace noise on each count and on each coordinate of each sum, the same in all
    of `steps` steps."""

    count: float
    total: float
    steps: int

    def spent(self, d: int, moved: int = 1) -> float:
        """The ε of all steps together, by the joint L1 sensitivity: steps·moved·(1/count +
        d/total)."""
        return self.steps * moved * (1 / self.count + d / self.total)


def even_split(epsilon: float, d: int, steps: int, moved: int = 1) -> Split:
    """The same scale for counts and sums: (d + 1)·steps·moved/ε. Raises ParamError for ε ≤ 0 or no
    step."""
    _checked(epsilon, steps)
    scale = (d + 1) * steps * moved / epsilon
    return Split(scale, scale, steps)


def su_split(epsilon: float, d: int, steps: int, moved: int = 1) -> Split:
    """Of the ε/steps of a step a count gets (4dρ²)^⅓ parts and each coordinate of a sum one, ρ =
    .225, which makes the squared error of a centre smallest (Su et al. 2016, section 4.2). Errors
    as in `even_split`."""
    _checked(epsilon, steps)
    weight = _count_weight(d)
    part = epsilon / steps / moved / (d + weight)
    return Split(1 / (part * weight), 1 / part, steps)


def printed_split(epsilon: float, d: int, steps: int) -> Split:
    """As printed: counts get Lap(steps/ε) and sums Lap(d·steps/ε), each as if it had all of ε; the
    two together spend 2ε."""
    _checked(epsilon, steps)
    return Split(steps / epsilon, d * steps / epsilon, steps)


def steps_for(epsilon: float, n: int, k: int, d: int) -> int:
    """How many steps ε pays for: ε/ε_m between 2 and 7, where ε_m = √(500k³/n²·(d + (4dρ²)^⅓)³) is
    what one step needs (Su et al. 2016, section 4.3). `n` is a public number, not the table's."""
    least = math.sqrt(500 * k**3 / n**2 * (d + _count_weight(d)) ** 3)
    return int(min(MOST_STEPS, max(LEAST_STEPS, epsilon // least)))


def _count_weight(d: int) -> float:
    return float((4 * d * RHO**2) ** (1 / 3))


def _checked(epsilon: float, steps: int) -> None:
    if not epsilon > 0:
        raise ParamError("epsilon", say("This is a positive number."))
    if steps < 1:
        raise ParamError("steps", say("A public number of steps, 1 at least, is set beforehand."))


def starts(rng: np.random.Generator, seeds: int, k: int, d: int) -> Array:
    """First centres uniform in the box, which the points have no part in: (seeds, k, d)."""
    return rng.uniform(-1, 1, (seeds, k, d))


def spread_starts(rng: np.random.Generator, seeds: int, k: int, d: int) -> Array:
    """The same, each centre the one of 30 drawn that is furthest from those before it, the border
    counting half (in the place of the sphere packing of Su et al. 2016): few share a cluster."""
    out = np.empty((seeds, k, d))
    for j in range(k):
        drawn = rng.uniform(-1, 1, (seeds, _TRIES, d))
        room = 2 * (1 - np.abs(drawn).max(axis=2))
        for i in range(j):
            room = np.minimum(room, np.linalg.norm(drawn - out[:, i : i + 1], axis=2))
        out[:, j] = drawn[np.arange(seeds), room.argmax(axis=1)]
    return out


def plus_starts(rng: np.random.Generator, seeds: int, k: int, x: Array) -> Array:
    """First centres of k-means++ (Arthur & Vassilvitskii 2007): points `x` (n, d), each drawn with
    the square of how far it is from the nearest before it. Not private; (seeds, k, d)."""
    out = x[rng.integers(0, len(x), (seeds, 1))].repeat(k, axis=1)
    for seed, centres in enumerate(out):
        near = np.full(len(x), np.inf)
        for j in range(1, k):
            near = np.minimum(near, np.sum((x - centres[j - 1]) ** 2, axis=1))
            reach = np.cumsum(near)
            out[seed, j] = x[
                np.searchsorted(reach, rng.random() * reach[-1], side="right") % len(x)
            ]
    return out


def lloyd_noise(rng: np.random.Generator, seeds: int, steps: int, k: int, d: int) -> Array:
    """Laplace noise of scale 1, (seeds, steps, k, d + 1): for each count and then each sum."""
    shape = (seeds, steps, k, d + 1)
    return LaplaceLaw(1.0).sample(rng, math.prod(shape)).reshape(shape)


@dataclass(frozen=True, eq=False)
class Steps:
    """What a player shows: the centres before and after each step, (seeds, steps + 1, k, d), and
    the noisy counts and sums that each step divided, (seeds, steps, k, d + 1). All of that is
    private; where a count was below 1 its centre stayed."""

    centres: Array
    held: Array
    split: Split | None

    @property
    def counts(self) -> Array:
        """The noisy counts, (seeds, steps, k)."""
        return self.held[..., 0]

    def radii(self) -> Array:
        """Standard deviation of the noise that each step put on a coordinate of each centre, about
        √2·total/count, (seeds, steps, k); 0 where the centre stayed, or without noise."""
        if self.split is None:
            return np.zeros(self.counts.shape)
        kept = self.counts >= 1
        noise = math.sqrt(2) * self.split.total / np.where(kept, self.counts, 1.0)
        return np.where(kept, noise, 0.0)


def lloyd(x: Array, start: Array, split: Split, noise: Array) -> Steps:
    """Noisy steps over points `x` (n, d) from `start` (seeds, k, d), or (1, k, d) for all, with
    `noise` from `lloyd_noise`: ε-DP for the ε that `split` spends. Raises ParamError for points
    outside the box."""
    scales = np.r_[split.count, np.full(x.shape[1], split.total)]
    return _steps(x, start, noise * scales, split)


def exact_lloyd(x: Array, start: Array, steps: int) -> Steps:
    """The same steps without noise; not private."""
    seeds, k, d = start.shape
    return _steps(x, start, np.zeros((seeds, steps, k, d + 1)), None)


def _steps(x: Array, start: Array, noise: Array, split: Split | None) -> Steps:
    if len(x) and not np.abs(x).max() <= 1:
        raise ParamError("x", say("Clip the points to the box of public bounds first."))
    centres, held = [start], []
    for step in range(noise.shape[1]):
        held.append(sums(x, centres[-1]) + noise[:, step])
        centres.append(moved(centres[-1], held[-1]))
    shape = (len(noise), *start.shape[1:])
    every = np.stack([np.broadcast_to(c, shape) for c in centres], axis=1)
    return Steps(every, np.stack(held, axis=1), split)


def moved(centres: Array, held: Array) -> Array:
    """The centres (seeds, k, d) after a step with these noisy counts and sums (seeds, k, d + 1):
    their quotient in the box, and the old one where the count is below 1."""
    count = held[..., :1]
    mean = np.clip(held[..., 1:] / np.where(count >= 1, count, 1.0), -1, 1)
    return np.where(count >= 1, mean, centres)


def nearest(x: Array, centres: Array) -> NDArray[np.intp]:
    """Which of the centres (seeds, k, d) each point is nearest to, the first of equals: (seeds,
    n)."""
    out = np.empty((len(centres), len(x)), dtype=np.intp)
    for rows, near in _blocks(x, centres):
        out[:, rows] = near
    return out


def sums(x: Array, centres: Array) -> Array:
    """Count and sum of the points nearest to each centre, (seeds, k, d + 1)."""
    seeds, k, d = centres.shape
    ones = np.column_stack([np.ones(len(x)), x])
    out = np.zeros((seeds, k, d + 1))
    for rows, near in _blocks(x, centres):
        for j in range(k):
            out[:, j] += (near == j).astype(np.float64) @ ones[rows]
    return out


def _blocks(x: Array, centres: Array) -> Iterator[tuple[slice, NDArray[np.int16]]]:
    """Slices of the rows with the nearest centre of each, (seeds, rows)."""
    seeds, k = centres.shape[:2]
    half = (centres**2).sum(axis=2) / 2
    block = max(64, _CELLS // (3 * seeds))
    for start in range(0, len(x), block):
        rows = slice(start, start + block)
        best = centres[:, 0] @ x[rows].T - half[:, :1]
        near = np.zeros(best.shape, dtype=np.int16)
        for j in range(1, k):
            score = centres[:, j] @ x[rows].T - half[:, j : j + 1]
            # The last that is better: without a branch at each row, a tenth of the time.
            np.maximum(near, (score > best) * np.int16(j), out=near)
            np.maximum(best, score, out=best)
        yield rows, near


def inertia(x: Array, centres: Array) -> Array:
    """Sum of the squared distances to the nearest centre, (seeds,). Exact, so not private."""
    held = sums(x, centres)
    gained = centres * (held[..., :1] * centres - 2 * held[..., 1:])
    return np.asarray((x**2).sum() + gained.sum(axis=(1, 2)))
