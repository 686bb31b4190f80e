"""Naive Bayes from noisy counts, sums and sums of squares of each class (Vaidya, Shafiq, Basu &
Hong 2013), with the budget split that makes it ε-differentially private.

A row is numbers in [−1, 1] (scaled by public bounds) and codes of public words. It touches one
class alone, and of that class one count and, for each feature, one cell, or one sum and one sum of
squares. So over classes nothing adds up (parallel composition), over features and statistics it
does.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]
LEAST_VARIANCE = 1e-4  # of a feature scaled to [−1, 1]: a sd of half a percent of its range
_ROWS = 2_048  # rows that are scored at once: their products stay in the cache


@dataclass(frozen=True)
class Shape:
    """What rows are made of: `sizes` holds for each feature 0 for a number, else how many words
    there are; labels are 0 … classes − 1."""

    sizes: tuple[int, ...]
    classes: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The places of the features that are numbers."""
        return tuple(i for i, size in enumerate(self.sizes) if not size)

    @property
    def words(self) -> tuple[int, ...]:
        """The places of the features that are words."""
        return tuple(i for i, size in enumerate(self.sizes) if size)


@dataclass(frozen=True, eq=False)
class Statistics:
    """What a model is made of, by class: rows `counts` (…, c); of the k numbers `sums` and
    `squares` (…, c, k); rows of each word of the other features, one after the other, `cells`
    (…, c, w). Noisy ones have a leading axis of seeds."""

    counts: Numbers
    sums: Numbers
    squares: Numbers
    cells: Numbers


@dataclass(frozen=True)
class Split:
    """The ε of each statistic: of the class counts, of the sum and of the sum of squares of each
    number, of the cells of each feature of words."""

    counts: float
    sums: float
    squares: float
    cells: float

    def total(self, shape: Shape) -> float:
        """What all of them cost together: parallel over classes, sequential over the rest."""
        k, m = len(shape.numbers), len(shape.words)
        return self.counts + k * (self.sums + self.squares) + m * self.cells


@dataclass(frozen=True, eq=False)
class Model:
    """Log-odds that are linear in (1, x, x², words): `weights` (…, c, 1 + 2k + w). `priors`
    (…, c), `means` and `variances` (…, c, k), `chances` (…, c, w) are what they are made of."""

    priors: Numbers
    means: Numbers
    variances: Numbers
    chances: Numbers
    weights: Numbers


def split_budget(epsilon: float, shape: Shape, counts: float = 1 / 3) -> Split:
    """ε split over the statistics: the share `counts` goes to the class counts, the rest to the
    features alike; a number spends half of its part on its sum, half on its sum of squares. Without
    features the counts take all."""
    features = len(shape.sizes)
    each = epsilon * (1 - counts) / features if features else 0.0
    return Split(epsilon * (counts if features else 1.0), each / 2, each / 2, each)


def printed_split(epsilon: float) -> Split:
    """As printed in the texts: every statistic spends all of ε. The whole costs `total`, which is
    (1 + 2k + m) ε."""
    return Split(epsilon, epsilon, epsilon, epsilon)


def statistics(x: Numbers, y: Numbers, shape: Shape) -> Statistics:
    """The exact statistics of rows x (n, p) with labels y (n,)."""
    labels, c = y.astype(np.int64), shape.classes
    z = x[:, list(shape.numbers)]
    counts = np.bincount(labels, minlength=c).astype(np.float64)
    member = (labels == np.arange(c)[:, None]).astype(np.float64)
    cells = [
        np.bincount(
            labels * shape.sizes[i] + x[:, i].astype(np.int64), minlength=c * shape.sizes[i]
        ).reshape(c, shape.sizes[i])
        for i in shape.words
    ]
    table = np.concatenate(cells, axis=1).astype(np.float64) if cells else np.zeros((c, 0))
    return Statistics(counts, member @ z, member @ (z * z), table)


def sensitivities(replace: bool, rows: int = 1) -> Split:
    """By how much one person with at most `rows` rows moves each statistic of one feature in L1,
    over all classes: 1 a row when it comes or goes; 2 when it is replaced, as it may change from
    one class to another, or a number from −1 to 1 (its square then stays, but not where the class
    changes). Tight; tests go through all neighbours of small tables."""
    each = float(rows * (2 if replace else 1))
    return Split(each, each, each, each)


def scales(split: Split, replace: bool, rows: int = 1) -> Split:
    """The scale b of the Laplace noise (density e^(−|z|/b)/2b) on each entry of a statistic, with
    which the whole is ε-DP: its L1 sensitivity over its part of ε (Dwork, McSherry, Nissim & Smith
    2006). Infinite where a statistic is given nothing."""
    s = sensitivities(replace, rows)
    return Split(
        *(
            float(by) / part if part else float("inf")
            for by, part in (
                (s.counts, split.counts),
                (s.sums, split.sums),
                (s.squares, split.squares),
                (s.cells, split.cells),
            )
        )
    )


def unit_noise(shape: Shape, seeds: int, generator: np.random.Generator) -> Statistics:
    """Laplace noise of scale 1 for every entry, with a leading axis of seeds: times `scales` it is
    the noise at any ε, so that a curve over ε moves smoothly. For looking at only."""
    c, k = shape.classes, len(shape.numbers)
    w = sum(shape.sizes)

    def draw(*size: int) -> Numbers:
        return generator.laplace(size=(seeds, *size))

    return Statistics(draw(c), draw(c, k), draw(c, k), draw(c, w))


def noisy(exact: Statistics, unit: Statistics, scale: Split) -> Statistics:
    """The statistics with noise of these scales, one set a seed."""
    return Statistics(
        exact.counts + scale.counts * unit.counts,
        exact.sums + scale.sums * unit.sums,
        exact.squares + scale.squares * unit.squares,
        exact.cells + scale.cells * unit.cells,
    )


def model_of(found: Statistics, shape: Shape) -> Model:
    """The model of exact or noisy statistics: post-processing, which costs nothing. Counts below 1
    are taken for 1, means and variances are clipped to what they can be, each word has one row
    more than was counted (Laplace's rule), so that no chance is 0."""
    n = np.maximum(found.counts, 1.0)
    means = np.clip(found.sums / n[..., None], -1.0, 1.0)
    variances = np.maximum(found.squares / n[..., None] - means**2, LEAST_VARIANCE)
    chances, start = [], 0
    for size in (shape.sizes[i] for i in shape.words):
        part = np.maximum(found.cells[..., start : start + size], 0.0) + 1.0
        chances.append(part / part.sum(axis=-1, keepdims=True))
        start += size
    words = np.concatenate(chances, axis=-1) if chances else found.cells
    return model_from(n / n.sum(axis=-1, keepdims=True), means, variances, words)


def model_from(priors: Numbers, means: Numbers, variances: Numbers, chances: Numbers) -> Model:
    """The model with these parameters, and its weights."""
    constant = np.log(priors) - 0.5 * (np.log(variances) + means**2 / variances).sum(axis=-1)
    weights = np.concatenate(
        [constant[..., None], means / variances, -0.5 / variances, np.log(chances)], axis=-1
    )
    return Model(priors, means, variances, chances, weights)


def design(x: Numbers, shape: Shape) -> Numbers:
    """(1, x, x², words as 0 and 1) of each row, shape (n, 1 + 2k + w): what weights multiply."""
    z = x[:, list(shape.numbers)]
    words = [x[:, i, None] == np.arange(shape.sizes[i]) for i in shape.words]
    return np.hstack([np.ones((len(x), 1)), z, z * z, *words]).astype(np.float64)


def accuracies(model: Model, rows: Numbers, y: Numbers) -> Numbers:
    """The share of rows (`design`) whose label the model gives, one for each seed, shape (…,); NaN
    without rows. Exact, and so not private."""
    weights = model.weights
    lead, (c, d) = weights.shape[:-2], weights.shape[-2:]
    flat = weights.reshape(-1, c, d)
    labels, right = y.astype(np.int64), np.zeros(len(flat))
    if not len(rows):
        return np.full(lead, np.nan)
    # Only differences from the first class decide: a table of two classes needs one product.
    apart = (flat[:, 1:] - flat[:, :1]).reshape(-1, d).T.copy()
    for start in range(0, len(rows), _ROWS):
        part, told = rows[start : start + _ROWS], labels[start : start + _ROWS]
        odds = part @ apart
        if c == 2:
            given: NDArray[Any] = odds > 0
            right += (given == (told == 1)[:, None]).sum(axis=0)
        else:
            odds = odds.reshape(len(part), len(flat), c - 1)
            best = np.where(odds.max(axis=2) > 0, odds.argmax(axis=2) + 1, 0)
            right += (best == told[:, None]).sum(axis=0)
    return (right / len(rows)).reshape(lead)


def printed_variance_sensitivity(mean: ArrayLike, low: float, n: ArrayLike) -> Numbers:
    """As printed in the texts: n (mean − low)/(n + 1), which has not even the unit of a variance,
    and is made of the data."""
    rows = np.asarray(n, dtype=np.float64)
    return rows * (np.asarray(mean, dtype=np.float64) - low) / (rows + 1)


def data_bounds(x: Numbers) -> tuple[Numbers, Numbers]:
    """As printed: bounds from the rows themselves, (low, high) of each column. One row moves them,
    and with them the scaled value of every other."""
    low, high = x.min(axis=0), x.max(axis=0)
    return low, np.where(high > low, high, low + 1.0)
