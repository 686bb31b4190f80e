"""Models that may leave: counts, sums and products of whole numbers with noise of whole numbers,
drawn exactly (Canonne, Kamath & Steinke 2020). All that touches rows is arithmetic of integers, in
which each row has a part of its own; what follows from noisy numbers costs nothing more.

Rows `z` (n, p) are in steps of a public grid, at most `most` in size: the box [−1, 1] is [−most,
most]. A person moves what is counted `moved` times: once a row, twice where it is replaced.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpstudio.privacy.sampling import ReleaseRandom, at_most

Whole = NDArray[np.int64]
BITS = 16  # of the grid: 65,536 steps from the middle to a bound
MOST = 1 << BITS
_HALF = 26
_LOW = (1 << _HALF) - 1


def total(steps: Whole) -> int:
    """The sum of whole numbers, without an error."""
    return (int((steps >> _HALF).sum()) << _HALF) + int((steps & _LOW).sum())


def whole_steps(x: NDArray[np.float64]) -> Whole:
    """Rows of [−1, 1] in steps of the grid, each by itself."""
    return np.clip(np.rint(x * MOST), -MOST, MOST).astype(np.int64)


def noisy(
    exact: Sequence[int], reach: Fraction, epsilon: Fraction, chance: ReleaseRandom
) -> list[int]:
    """Whole numbers of which a person moves the sum of sizes by at most `reach`, each with the
    noise that makes all of them ε-DP."""
    return [value + chance.discrete_laplace(reach / epsilon) for value in exact]


def bayes_parts(epsilon: float, features: int, counts: float) -> tuple[Fraction, Fraction]:
    """ε of the class counts and of each feature, which add up to no more than ε, exactly."""
    whole, share = at_most(epsilon), Fraction(counts) if features else Fraction(1)
    return whole * share, whole * (1 - share) / max(1, features)


def bayes_counts(
    columns: Sequence[Whole],
    y: Whole,
    sizes: Sequence[int],
    classes: int,
    parts: tuple[Fraction, Fraction],
    moved: int,
    chance: ReleaseRandom,
) -> dict[str, list[list[int]]]:
    """Noisy counts of each class, sums and sums of squares of each number, in steps, and counts of
    each word, all by class: (1, classes), (numbers, classes) twice, (words, classes). `columns`
    hold steps where `sizes` has 0, else codes.

    A row has one class, so over classes a person moves each by `moved` of its largest: 1, `MOST`,
    `MOST`², 1 (`naive_bayes.sensitivities`).
    """
    counted, each = parts
    of = [y == c for c in range(classes)]
    counts = noisy([int(m.sum()) for m in of], Fraction(moved), counted, chance)
    sums, squares, cells = list[list[int]](), list[list[int]](), list[list[int]]()
    for x, size in zip(columns, sizes, strict=True):
        if size:
            for word in range(size):
                held = [int((m & (x == word)).sum()) for m in of]
                cells.append(noisy(held, Fraction(moved), each, chance))
        else:
            sums.append(noisy([total(x[m]) for m in of], Fraction(moved * MOST), each / 2, chance))
            held = [total(x[m] * x[m]) for m in of]
            squares.append(noisy(held, Fraction(moved * MOST * MOST), each / 2, chance))
    return {"counts": [counts], "sums": sums, "squares": squares, "cells": cells}


def moments(
    z: Whole, epsilon: float, rows: int, chance: ReleaseRandom, *, replace: bool
) -> list[int]:
    """Noisy Σaaᵀ of a = (MOST, z), the entries on and above the diagonal, row by row: number of
    rows, sums and products in one, each times what makes it of one size.

    Of |a| ≤ MOST in each of q = p + 1 places a row that comes or goes moves these q(q + 1)/2
    entries by at most MOST² each. One that is replaced moves a square (the number of rows is one)
    by MOST², a product by 2·MOST²: at most q²·MOST² in all.
    """
    q = z.shape[1] + 1
    a = np.column_stack([np.full(len(z), MOST, dtype=np.int64), z])
    exact = [total(a[:, i] * a[:, j]) for i in range(q) for j in range(i, q)]
    entries = q * q if replace else q * (q + 1) // 2
    return noisy(exact, Fraction(rows * entries * MOST * MOST), at_most(epsilon), chance)


def scales(
    count: float, sums: float, steps: int, d: int, moved: int, epsilon: float
) -> tuple[Fraction, Fraction]:
    """The scales of the noise on counts and on sums in [−1, 1], as exact fractions, made wider by
    what rounding cost: all steps together spend no more than ε."""
    one, other = Fraction(count), Fraction(sums)
    wider = max(Fraction(1), steps * moved * (1 / one + d / other) / at_most(epsilon))
    return one * wider, other * wider


def centres(
    z: Whole, start: Whole, steps: int, by: tuple[Fraction, Fraction], chance: ReleaseRandom
) -> tuple[Whole, list[list[int]]]:
    """k-means by noisy steps from public centres (k, d), in steps of the grid: the last centres,
    and the noisy count and sums of each cluster, (steps·k, d + 1). Distances are whole numbers too,
    so that no row moves where another belongs."""
    held, told = start.copy(), list[list[int]]()
    for _ in range(steps):
        apart = np.stack([((z - centre) ** 2).sum(axis=1) for centre in held])
        near = apart.argmin(axis=0)
        for j in range(len(held)):
            mine = z[near == j]
            count = len(mine) + chance.discrete_laplace(by[0])
            sums = [
                total(mine[:, i]) + chance.discrete_laplace(by[1] * MOST) for i in range(z.shape[1])
            ]
            told.append([count, *sums])
            if count >= 1:
                held[j] = [max(-MOST, min(MOST, round(Fraction(s, count)))) for s in sums]
    return held, told
