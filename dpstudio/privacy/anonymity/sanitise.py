"""Operations on a table besides generalising it: what each does exactly, and the promise it has, if
any."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.anonymity.classes import Classes, Codes, Mask
from dpstudio.privacy.sampling import Chance


def kept_or_any(values: int, keep: float) -> Array:
    """The matrix of PRAM that keeps a value with chance `keep` and else gives one of the others,
    all alike likely; shape (values, values), rows what was, columns what is published. ValueError
    outside 0 ≤ keep ≤ 1."""
    if not 0 <= keep <= 1:
        raise ValueError("a chance lies between 0 and 1")
    if values == 1:
        return np.ones((1, 1))
    matrix = np.full((values, values), (1 - keep) / (values - 1))
    np.fill_diagonal(matrix, keep)
    return matrix


def pram_epsilon(matrix: Array) -> float:
    """The local ε of a randomised column: the largest ln of the odds of one published value under
    two true ones; ∞ where a value can come from some and not from others. Shape (values, values),
    rows that add up to 1 (Gouweleeuw, Kooiman, Willenborg & de Wolf 1998; the bound is that of
    randomised response)."""
    high, low = matrix.max(0), matrix.min(0)
    possible = high > 0
    if np.any(low[possible] == 0):
        return math.inf
    return float(np.max(np.log(high[possible]) - np.log(low[possible])))


def pram(codes: Codes, matrix: Array, rng: np.random.Generator) -> Codes:
    """Every value drawn anew from the row of its own, shape (n,)."""
    steps = np.cumsum(matrix, axis=1)
    steps /= steps[:, -1:]
    return np.asarray((rng.random(len(codes))[:, None] >= steps[codes]).sum(1), dtype=np.int64)


def pram_exactly(codes: Codes, values: int, keep: float, below: Callable[[int], int]) -> Codes:
    """The same for the matrix of `kept_or_any`, to leave: `below(n)` gives whole numbers from 0 to
    n − 1 that nobody can guess, and `keep` is taken as the fraction that it is."""
    chance = Fraction(keep)
    if values == 1:
        return codes.copy()
    out = codes.copy()
    for row, code in enumerate(codes.tolist()):
        if below(chance.denominator) >= chance.numerator:
            out[row] = (code + 1 + below(values - 1)) % values
    return out


def swapped(codes: Codes, near: Array, share: float, rng: Chance) -> Codes:
    """A share of the rows exchange their value with a neighbour in the order of `near`, (n,), in
    pairs (Dalenius & Reiss 1982); all counts of the column stay. No promise of any kind."""
    order = np.lexsort((rng.random(len(codes)), near))
    pairs = order[: len(order) // 2 * 2].reshape(-1, 2)
    chosen = pairs[rng.random(len(pairs)) < share]
    out = codes.copy()
    out[chosen[:, 0]], out[chosen[:, 1]] = codes[chosen[:, 1]], codes[chosen[:, 0]]
    return out


def permuted(codes: Codes, classes: Classes, rng: Chance) -> Codes:
    """The sensitive values shuffled within each class (Zhang, Koudas, Srivastava & Yu 2007): the
    counts of every class stay, who has which is lost."""
    out = codes.copy()
    rows = np.flatnonzero(classes.of >= 0)
    there = rows[np.argsort(classes.of[rows], kind="stable")]
    shuffled = rows[np.lexsort((rng.random(len(rows)), classes.of[rows]))]
    out[there] = codes[shuffled]
    return out


def resampled(values: Array, rng: Chance, *, fitted: bool) -> Array:
    """A column drawn anew, shape (n,): from its own values, or, `fitted`, from the normal law of
    its mean and standard deviation. All ties to other columns are lost, and values of real people
    come again: no promise (the texts call it privacy-preserving)."""
    if fitted and (spread := float(values.std())):
        return np.asarray(rng.normal(float(values.mean()), spread, len(values)))
    return np.asarray(values[np.floor(rng.random(len(values)) * len(values)).astype(np.int64)])


def rare(codes: Codes, rows: int) -> Mask:
    """Which rows hold a value that fewer than `rows` of them have, (n,): cells to be blanked."""
    return np.asarray(np.bincount(codes)[codes] < rows)


def top_coded(values: Array, low: float, high: float) -> Array:
    """Numbers below `low` raised to it, those above `high` lowered to it."""
    return np.clip(values, low, high)


@dataclass(frozen=True, eq=False)
class Anatomy:
    """Two tables that are published apart: `group` of each row, (n,), −1 for the few that fit
    nowhere and are left out, and how often each sensitive value occurs in each group, (groups,
    values)."""

    group: Codes
    counts: Codes

    @property
    def belief(self) -> float:
        """The most that an attacker who knows somebody's row may believe of her value: the largest
        share of a value in a group."""
        sizes = self.counts.sum(1)
        return float((self.counts.max(1) / sizes).max()) if len(sizes) else 0.0


def anatomised(sensitive: Codes, values: int, l: int, rng: Chance) -> Anatomy:
    """Groups with at least l different values, none more than once but where rows are left over
    (Xiao & Tao 2006): each group takes one row of each of the l values that are most
    frequent at that moment. Rows whose code is none of the `values` lack one; each joins some group
    by lot, and counts there as none: by being left out they would be told from all others.
    ValueError where a value is more frequent than 1/l, so that no such groups exist."""
    n = len(sensitive)
    counts = np.bincount(sensitive, minlength=values)[:values]
    if not l >= 1 or counts.max(initial=0) * l > counts.sum():
        raise ValueError("one value is more frequent than 1/l")
    order = np.argsort(rng.random(n), kind="stable")
    piles = [order[sensitive[order] == value].tolist() for value in range(values)]
    group, many = np.full(n, -1, dtype=np.int64), 0
    while sum(1 for pile in piles if pile) >= l:
        fullest = sorted(range(values), key=lambda value: -len(piles[value]))[:l]
        for value in fullest:
            group[piles[value].pop()] = many
        many += 1
    out = Classes(group, many).counts(sensitive, values)
    for value in range(values):
        for row in piles[value]:
            free = np.flatnonzero(out[:, value] == 0)
            if len(free):
                chosen = int(free[int(rng.random(1)[0] * len(free))])
                group[row] = chosen
                out[chosen, value] += 1
    lacking = order[sensitive[order] >= values]
    if len(lacking):
        group[lacking] = (rng.random(len(lacking)) * many).astype(np.int64)
    return Anatomy(group, out)


def micro_aggregated(x: Array, clusters: list[Codes]) -> Array:
    """Every row replaced by the mean of its cluster, shape of x: k-anonymous in these columns where
    each cluster has k rows (Domingo-Ferrer & Torra 2005)."""
    out = np.empty_like(x)
    for rows in clusters:
        out[rows] = x[rows].mean(0)
    return out
