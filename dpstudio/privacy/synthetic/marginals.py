"""Counts of the cells of some columns, noisy or not, and how far two of them lie apart."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.synthetic.chance import Chance

Codes = NDArray[np.int64]
CountCallback = Callable[[Codes, Sequence[int], Sequence[int]], Array]  # `counted`, or as quick
MOST_CELLS = 1_000_000


def cells(sizes: Sequence[int], columns: Sequence[int]) -> int:
    """How many cells the full domain of these columns has: an exact integer, however large."""
    return math.prod(int(sizes[column]) for column in columns)


def counted(codes: Codes, sizes: Sequence[int], columns: Sequence[int]) -> Array:
    """How many rows lie in each cell of these columns, the empty ones among them; the shape is
    their sizes. Raises ValueError above MOST_CELLS cells."""
    shape = tuple(int(sizes[column]) for column in columns)
    if cells(sizes, columns) > MOST_CELLS:
        raise ValueError(f"more than {MOST_CELLS:,} cells")
    place = codes[:, columns[0]] if columns else np.zeros(len(codes), dtype=np.int64)
    for column, size in zip(columns[1:], shape[1:], strict=True):
        place = place * size + codes[:, column]
    return np.bincount(place, minlength=math.prod(shape)).reshape(shape).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Measured:
    """What is known of the cells of some `columns`, ascending: noisy `counts` whose noise has the
    standard deviation `sigma` in each cell."""

    columns: tuple[int, ...]
    counts: Array
    sigma: float

    def summed(self, columns: Sequence[int]) -> Array:
        """The counts of some of its columns: the rest is added up."""
        away = tuple(i for i, column in enumerate(self.columns) if column not in columns)
        return np.asarray(self.counts.sum(axis=away))


def measured(
    codes: Codes,
    sizes: Sequence[int],
    columns: Sequence[int],
    sigma: float,
    chance: Chance,
    count: CountCallback = counted,
) -> Measured:
    """The counts with Gaussian noise: L2 sensitivity 1 under add/remove, so ρ = 1/2σ² (Bun &
    Steinke 2016, Proposition 1.6); √2 and 1/σ² under replace-one. σ = 0 adds none."""
    counts = count(codes, sizes, columns)
    if sigma > 0:
        counts = counts + chance.gaussian(sigma, counts.size).reshape(counts.shape)
    return Measured(tuple(columns), counts, sigma)


def total_variation(a: Array, b: Array) -> float:
    """½ Σ |a/Σa − b/Σb| of counts of one shape: 0 for the same shares, 1 where nothing is
    shared."""
    return float(np.sum(np.abs(a / a.sum() - b / b.sum())) / 2)


def kolmogorov(a: Array, b: Array) -> float:
    """The largest difference of two distribution functions on the same ordered cells."""
    return float(np.max(np.abs(np.cumsum(a / a.sum() - b / b.sum()))))


def wasserstein(a: Array, b: Array, at: Array) -> float:
    """The mean way that mass must go from a to b, whose cells lie `at` ascending places; in their
    unit."""
    apart = np.abs(np.cumsum(a / a.sum() - b / b.sum()))[:-1]
    return float(np.sum(apart * np.diff(at)))


def mutual_information(pair: Array) -> float:
    """Σ p ln(p / p₁p₂) of a table of counts, in nat."""
    p = pair / pair.sum()
    apart = np.outer(p.sum(1), p.sum(0))
    there = p > 0
    return float(np.sum(p[there] * np.log(p[there] / apart[there])))


def cramers_v(pair: Array, true: Array | None = None) -> float:
    """√(χ²/(n·(min(r, c) − 1))) of a table of counts: 0 for independent columns, 1 where one tells
    the other (Cramér 1946). Rows and columns that are empty do not count, nor those that are empty
    in `true`: a few people made up there would change what 1 is. 0 where one is left."""
    for table in (true, None):
        there = pair if table is None else table
        pair = pair[there.sum(1) > 0][:, there.sum(0) > 0]
    least = min(pair.shape)
    if least < 2:
        return 0.0
    p = pair / pair.sum()
    apart = np.outer(p.sum(1), p.sum(0))
    return math.sqrt(float(np.sum((p - apart) ** 2 / apart)) / (least - 1))


def correlation(pair: Array) -> float:
    """Pearson's r of the places of two columns of ordered cells, of a table of counts; 0 where one
    of them has one value alone."""
    p = pair / pair.sum()
    margins = p.sum(1), p.sum(0)
    a, b = (np.arange(len(m)) - m @ np.arange(len(m)) for m in margins)
    spread = float(np.sqrt((margins[0] @ a**2) * (margins[1] @ b**2)))
    return float(a @ p @ b) / spread if spread > 0 else 0.0


def from_independent(pair: Array) -> float:
    """Total variation between a table of counts and the product of its two margins: what columns
    drawn one by one lose."""
    p = pair / pair.sum()
    return float(np.sum(np.abs(p - np.outer(p.sum(1), p.sum(0)))) / 2)
