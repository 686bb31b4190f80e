"""Rows to learn from and to test with, and models that are learnt of noisy statistics."""

import numpy as np
from coins import heads
from features import holds_words, place_of, to_box, told_from


def learning_rows(table, features, label, classes, test, seed, person=None):
    """(x, y, x, y) to learn from and to test with: numbers in [−1, 1] by their bounds and codes of
    words; and how many words each feature has, 0 for a number, and how many classes there are. A
    row that lacks a value is left out. Without a seed the last rows test."""
    told = [told_from(table[name], each) for name, each in features.items()]
    words = told_from(table[label], classes)
    raw, x, sizes = [], [], []
    for name, each in zip(features, told, strict=True):
        if holds_words(each):
            codes = place_of(table[name], each)
            raw.append(named(codes, each))
        else:
            codes = np.clip(to_box(table[name], each), -1, 1)
            raw.append(np.clip(table[name], *each))
        x.append(codes)
        sizes.append(len(each) if holds_words(each) else 0)
    y = place_of(table[label], words)
    x, kept = np.stack(x, axis=1), ~np.isnan(np.stack([*x, y])).any(axis=0)
    if seed is None:
        tested = np.arange(len(y)) >= len(y) - round(len(y) * test)
    else:
        told_columns = [each[kept] for each in (*raw, named(y, words))]
        whose = None if person is None else table[person][kept]
        tested = np.zeros(len(y), dtype=bool)
        tested[kept] = heads(told_columns, test, seed, whose)
    learn = kept & ~tested
    y = np.nan_to_num(y).astype(int)
    return (x[learn], y[learn], x[kept & tested], y[kept & tested]), sizes, len(words)


def named(codes, words):
    """The word of each code, None where there is none."""
    return np.array([None if code != code else words[int(code)] for code in codes], dtype=object)


def class_statistics(x, y, sizes, classes):
    """Of each class: how many rows; the sum and the sum of squares of each number; and how many
    rows have each word of the other features."""
    numbers_at = [place for place, size in enumerate(sizes) if not size]
    member = (y == np.arange(classes)[:, None]).astype(float)
    z = x[:, numbers_at]
    cells = [member @ (x[:, i, None] == np.arange(size)) for i, size in enumerate(sizes) if size]
    held = np.concatenate(cells, axis=1) if cells else np.zeros((classes, 0))
    return member.sum(axis=1), member @ z, member @ z**2, held


def bayes_scales(epsilon, share, sizes, moved):
    """The scales of Laplace noise on counts, sums, sums of squares and cells. A row has one class,
    so over the classes nothing adds up; over the features it does: the counts have their share of
    ε, and each feature a like part of the rest, a number half for each of its sums (Vaidya, Shafiq,
    Basu & Hong 2013). One person moves each of them by `moved` at most."""
    each = epsilon * (1 - share) / len(sizes)
    return moved / (epsilon * share), moved / (each / 2), moved / (each / 2), moved / each


def unit_statistics(sizes, classes, runs, rng):
    """Laplace noise of scale 1 for all of these, one set a run."""
    k = sizes.count(0)
    shapes = (classes,), (classes, k), (classes, k), (classes, sum(sizes))
    return [rng.laplace(size=(runs, *shape)) for shape in shapes]


def bayes_weights(counts, sums, squares, cells, sizes):
    """The log-odds of naive Bayes, which are linear in (1, x, x², words): of normal laws with a
    mean and a variance in each class, and of the chances of words, each with one row more."""
    n = np.maximum(counts, 1)
    means = np.clip(sums / n[..., None], -1, 1)
    variances = np.maximum(squares / n[..., None] - means**2, 1e-4)
    chances, start = [], 0
    for size in filter(None, sizes):
        part = np.maximum(cells[..., start : start + size], 0) + 1
        chances.append(np.log(part / part.sum(axis=-1, keepdims=True)))
        start += size
    constant = np.log(n / n.sum(axis=-1, keepdims=True))
    constant = constant - 0.5 * (np.log(variances) + means**2 / variances).sum(axis=-1)
    return np.concatenate(
        [constant[..., None], means / variances, -0.5 / variances, *chances], axis=-1
    )


def bayes_design(x, sizes):
    """(1, x, x², words as 0 and 1) of each row, which the weights multiply."""
    z = x[:, [place for place, size in enumerate(sizes) if not size]]
    words = [x[:, i, None] == np.arange(size) for i, size in enumerate(sizes) if size]
    return np.hstack([np.ones((len(x), 1)), z, z**2, *words]).astype(float)


def shares_right(weights, rows, y):
    """The share of rows whose class has the highest log-odds, for each run."""
    apart = weights - weights[..., :1, :]  # only differences from the first class decide
    odds = np.einsum("nd,...cd->...nc", rows, apart, optimize=True)
    return (odds.argmax(axis=-1) == y).mean(axis=-1)


def band_of(scores, share):
    """Two of the scores between which at least that share of them lies."""
    tail = (1 - share) / 2
    low = np.quantile(scores, tail, method="lower")
    return low, np.quantile(scores, 1 - tail, method="higher")


def tried_epsilons():
    """The ε at which models are learnt, to three digits."""
    return np.array([float(f"{epsilon:.3g}") for epsilon in np.geomspace(0.001, 50, 17)])
