"""What tables of codes are good for, and what attackers make of them: neighbours by the number of
columns in which rows differ."""

import math

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.anonymity.classes import grouped
from dpstudio.privacy.nearest import nearest as closest
from dpstudio.privacy.rates import Rate, rate
from dpstudio.privacy.synthetic.marginals import Codes, mutual_information

Places = NDArray[np.int64]
_BLOCK = 4_000_000  # comparisons at a time


def apart(rows: Codes, table: Codes) -> NDArray[np.uint8]:
    """In how many columns each of `rows` (m, columns) differs from each row of the `table`
    (n, columns); shape (m, n)."""
    out = np.zeros((len(rows), len(table)), dtype=np.uint8)
    # Short numbers, column by column: four times as quick as the codes themselves.
    for one, other in zip(rows.T.astype(np.int16), table.T.astype(np.int16), strict=True):
        out += one[:, None] != other
    return out


def nearest(rows: Codes, table: Codes) -> tuple[Places, Places]:
    """(which row of the table is nearest to each of `rows`, the first of them; in how many columns
    it differs), each (m,)."""
    where, far = list[Places](), list[Places]()
    step = max(1, _BLOCK // max(len(table), 1))
    for start in range(0, len(rows), step):
        found = apart(rows[start : start + step], table)
        place = found.argmin(1)
        where.append(place.astype(np.int64))
        far.append(found[np.arange(len(place)), place].astype(np.int64))
    return np.concatenate(where), np.concatenate(far)


def told(known: Codes, label: Places, rows: Codes, classes: int, k: int) -> Places:
    """The class that most of the k nearest rows of `known` (n, columns) have, for each of `rows`
    (m, columns); ties go to the lower class. k is at most n."""
    out, k = [], min(k, len(known))
    step = max(1, _BLOCK // max(len(known), 1))
    for start in range(0, len(rows), step):
        found = apart(rows[start : start + step], known)
        near = closest(found, k)
        votes = np.zeros((len(near), classes), dtype=np.int64)
        np.add.at(votes, (np.arange(len(near))[:, None], label[near]), 1)
        out.append(votes.argmax(1))
    return np.concatenate(out)


def one_hot(codes: Codes, sizes: tuple[int, ...]) -> Array:
    """Each cell of each column as a column of 0 and 1, and one of 1; shape (n, Σ sizes + 1)."""
    parts = [codes[:, [i]] == np.arange(size) for i, size in enumerate(sizes)]
    return np.hstack([*parts, np.ones((len(codes), 1), dtype=bool)]).astype(np.float64)


def on_scales(codes: Codes, sizes: tuple[int, ...], steps: tuple[int, ...]) -> Array:
    """Each column's first `steps` cells, where they have an order (two or more), as one number from
    −1 to 1; each other cell as a column of 0 and 1. Shape (n, features)."""
    parts = []
    for column, size, many in zip(codes.T, sizes, steps, strict=True):
        first = many if many > 1 else 0
        if first:
            parts.append(np.where(column < many, 2 * column / (many - 1) - 1, 0.0)[:, None])
        parts.append(column[:, None] == np.arange(first, size))
    return np.hstack(parts).astype(np.float64)


def separated(
    known: tuple[Codes, Places], asked: Codes, sizes: tuple[int, ...], steps: tuple[int, ...]
) -> Places:
    """The class of each row of `asked`, by a support vector machine with a Gaussian kernel (C = 10)
    that learnt from (codes, classes) with features as `on_scales` gives them; where one class alone
    is known, that one."""
    from sklearn.svm import SVC

    if len(np.unique(known[1])) < 2:
        return np.full(len(asked), known[1][0])
    learnt = SVC(C=10.0).fit(on_scales(known[0], sizes, steps), known[1])
    return np.asarray(learnt.predict(on_scales(asked, sizes, steps)), dtype=np.int64)


def squared_error(
    known: tuple[Codes, Array], asked: tuple[Codes, Array], sizes: tuple[int, ...]
) -> float:
    """The mean squared error of least squares learnt from (codes, numbers) on others; a ridge of a
    thousandth keeps words apart that add up."""
    x, y = one_hot(known[0], sizes), known[1]
    ridge = 1e-3 * len(x) / x.shape[1] * np.eye(x.shape[1])
    weights = np.linalg.solve(x.T @ x + ridge, x.T @ y)
    return float(np.mean((one_hot(asked[0], sizes) @ weights - asked[1]) ** 2))


def two_centres(x: Array, rounds: int = 20) -> Array:
    """The centres of two groups of rows x (n, features) by Lloyd's k-means: of those that are found
    from the rows below and above the mean of each column, the ones that rows lie nearest to (the
    least sum of squares); shape (2, features)."""
    best, least = np.stack([x.mean(0)] * 2), math.inf
    for above in (x > x.mean(0)).T:
        if not 0 < np.count_nonzero(above) < len(x):
            continue
        found = _moved(x, np.stack([x[~above].mean(0), x[above].mean(0)]), rounds)
        far = float(np.sum(np.min(_squares(x, found), axis=0)))
        if far < least:
            best, least = found, far
    return best


def _moved(x: Array, centres: Array, rounds: int) -> Array:
    for _ in range(rounds):
        group = groups(x, centres)
        moved = np.stack(
            [x[group == i].mean(0) if (group == i).any() else centres[i] for i in (0, 1)]
        )
        if np.array_equal(moved, centres):
            break
        centres = moved
    return centres


def _squares(x: Array, centres: Array) -> Array:
    """The squared distance of each row to each centre, shape (2, n)."""
    return np.stack([np.sum((x - centre) ** 2, axis=1) for centre in centres])


def groups(x: Array, centres: Array) -> Places:
    """Which centre is nearest to each row, (n,)."""
    return np.asarray(_squares(x, centres).argmin(0))


def agreement(one: Places, two: Places) -> float:
    """The normalised mutual information I/√(H₁H₂) of two groupings into two; 0 where one of them
    has one group alone."""
    table = np.zeros((2, 2))
    np.add.at(table, (one, two), 1.0)
    shares = [table.sum(axis) / table.sum() for axis in (0, 1)]
    entropies = [float(-np.sum(p[p > 0] * np.log(p[p > 0]))) for p in shares]
    if min(entropies) <= 0:
        return 0.0
    return mutual_information(table) / math.sqrt(entropies[0] * entropies[1])


def inferred(synthetic: Codes, targets: Codes, secret: int) -> Rate:
    """How often the nearest row of the synthetic table, by all other columns, has the target's
    secret (Giomi, Boenisch, Wehmeyer & Tasnádi 2023)."""
    rest = [i for i in range(synthetic.shape[1]) if i != secret]
    where, _ = nearest(targets[:, rest], synthetic[:, rest])
    return rate(int(np.count_nonzero(synthetic[where, secret] == targets[:, secret])), len(targets))


def linked(synthetic: Codes, targets: Codes) -> Rate:
    """How often the two halves of a target's columns have one and the same nearest row in the table
    that is synthetic (section 4.2 there, with one neighbour)."""
    half = synthetic.shape[1] // 2
    first, _ = nearest(targets[:, :half], synthetic[:, :half])
    second, _ = nearest(targets[:, half:], synthetic[:, half:])
    return rate(int(np.count_nonzero(first == second)), len(targets))


def singled_out(synthetic: Codes, people: Codes, guesses: int) -> Rate:
    """How often a row of the synthetic table, unique there, is one of exactly one person of
    `people` (section 4.1 there, with all columns as the guess); the first `guesses` of them in the
    order of the table."""
    of, many = grouped(np.vstack([synthetic, people]))
    mine, others = of[: len(synthetic)], of[len(synthetic) :]
    asked = mine[np.bincount(mine, minlength=many)[mine] == 1][:guesses]
    if not len(asked):
        return rate(0, 1)
    alike = np.bincount(others, minlength=many)[asked]
    return rate(int(np.count_nonzero(alike == 1)), len(asked))
