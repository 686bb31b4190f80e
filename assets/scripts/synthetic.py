"""A synthetic table from noisy counts: cells that are known from outside, counts with noise, counts
that agree, and rows that are drawn from them."""

import itertools
import math

import numpy as np
from features import holds_words, place_of, told_from
from scipy import optimize


def cell_edges(low, high, whole, bins):
    """Edges of at most so many bins of one width between public bounds, short ones; of whole
    numbers of a short range one bin each."""
    if whole and high - low < bins:
        return np.arange(int(high - low) + 2) + low
    edges = np.unique(np.linspace(low, high + whole, bins + 1))
    if len(edges) < 2:
        return np.array([low, np.nextafter(low, np.inf)])
    decimals = 3 - math.floor(math.log10((edges[-1] - edges[0]) / bins))
    inner = [round(float(edge), decimals) for edge in edges[1:-1]]
    return np.array([edges[0], *inner, edges[-1]])


def cells_in(table, features, dates, bins, keep_missing):
    """Of each row the number of the cell of each column, how many cells each has, and their edges.
    What is missing has a cell of its own, the last, or its row is left out."""
    codes, edges = [], []
    for name, told in features.items():
        column, told = table[name], told_from(table[name], told)
        if holds_words(told):
            places, ends = place_of(column, told), np.arange(len(told) + 1) - 0.5
        else:
            seen = column[np.isfinite(column)]
            whole = name in dates or bool(np.all(seen == np.floor(seen)))
            ends = cell_edges(*told, whole, bins)
            places = np.searchsorted(ends, np.clip(column, *told), side="right") - 1.0
            places = np.where(np.isnan(column), np.nan, np.clip(places, 0, len(ends) - 2))
        if keep_missing:
            places = np.where(np.isnan(places), len(ends) - 1, places)
            ends = np.append(ends, 2 * ends[-1] - ends[-2])
        codes.append(places)
        edges.append(ends)
    codes = np.stack(codes, axis=1)
    return codes[~np.isnan(codes).any(axis=1)].astype(int), [len(e) - 1 for e in edges], edges


def cell_counts(codes, sizes, columns):
    """How many rows lie in each cell of these columns, empty ones among them."""
    counts = np.zeros([sizes[column] for column in columns])
    np.add.at(counts, tuple(codes[:, column] for column in columns), 1)
    return counts


def variation(a, b):
    """The total variation of two tables of counts: half of the sum of |share − share|."""
    return np.abs(a / a.sum() - b / b.sum()).sum() / 2


def zcdp_rho(epsilon, delta):
    """The largest ρ whose ρ-zCDP gives (ε, δ), by the order α of a grid that fits best, as a bound
    holds at any: ln δ = (α − 1)(αρ − ε) + α ln(1 − 1/α) − ln(α − 1) (Canonne, Kamath & Steinke
    2020, Corollary 13)."""
    order = 1 + np.geomspace(1e-6, 1e9, 4001)
    known = order * np.log1p(-1 / order) - np.log(order - 1)

    def gap(log_rho):
        return np.min((order - 1) * (order * math.exp(log_rho) - epsilon) + known) - math.log(delta)

    return math.exp(optimize.brentq(gap, math.log(1e-30), math.log(1e6), xtol=1e-13, rtol=1e-14))


def nearest_counts(counts, total):
    """The nearest counts of that sum that are at least 0: the same number is taken off all, and
    what falls below 0 becomes 0 (Norm-Sub)."""
    counts = counts - counts.max()
    down = np.sort(counts.ravel())[::-1]
    levels = (np.cumsum(down) - max(total, 1e-9)) / np.arange(1, len(down) + 1)
    stay = max(np.count_nonzero(down > levels), 1)
    return np.maximum(counts - levels[stay - 1], 0)


def spanning_tree(codes, sizes, ones, epsilon, rng):
    """Pairs of columns without a circle, each by the exponential mechanism: the likelier the
    further its counts are from what the noisy counts of its columns let one expect. One row moves
    such a score by 1 (McKenna, Miklau & Sheldon 2021)."""
    total = people_told(ones)
    shares = [np.maximum(counts, 0) for _, counts, _ in ones]
    shares = [counts / max(counts.sum(), 1) for counts in shares]
    pairs = list(itertools.combinations(range(len(sizes)), 2))
    scores = np.array([
        np.abs(cell_counts(codes, sizes, (a, b)) - total * np.outer(shares[a], shares[b])).sum()
        for a, b in pairs
    ])  # fmt: skip
    part, edges = list(range(len(sizes))), []
    for _ in range(len(sizes) - 1):
        joins = [i for i, (a, b) in enumerate(pairs) if part[a] != part[b]]
        a, b = pairs[joins[np.argmax(epsilon / 2 * scores[joins] + rng.gumbel(0, 1, len(joins)))]]
        edges.append((a, b))
        part = [part[a] if each == part[b] else each for each in part]
    return edges


def gaussian_counts(codes, sizes, sets, rho, rng):
    """The counts of each of these sets of columns with Gaussian noise, for ρ together: one row is
    in one cell of each, so that σ² = sets/2ρ. As (columns, counts, σ)."""
    sigma, found = math.sqrt(len(sets) / (2 * rho)), []
    for columns in sets:
        counts = cell_counts(codes, sizes, columns)
        found.append(
            (columns, counts + rng.normal(0, sigma, counts.size).reshape(counts.shape), sigma)
        )
    return found


def people_told(measured):
    """How many people there are: the sums of the tables, weighted by the inverse of their
    variance."""
    weights = np.array([1 / (sigma**2 * counts.size) for _, counts, sigma in measured])
    return max(weights @ [counts.sum() for _, counts, _ in measured] / weights.sum(), 1.0)


def made_to_agree(measured, total, rounds=3):
    """Counts that add up to the total, are at least 0 and agree about each column: by turns the
    best estimate of a column, weighted by the inverse of the variances, is spread over the cells of
    each table that has it (Qardaji, Yang & Li 2014)."""
    held = [(columns, nearest_counts(counts, total), sigma) for columns, counts, sigma in measured]
    shared = sorted({c for columns, *_ in held for c in columns}) if len(held) > 1 else []
    for turn in range(rounds):
        for column in shared:
            held = levelled(held, column)
        if turn < rounds - 1:
            held = [(columns, nearest_counts(n, total), sigma) for columns, n, sigma in held]
    return [nearest_counts(counts, total) for _, counts, _ in held]


def levelled(held, column):
    """Tables that agree about one column."""
    mine = [i for i, (columns, *_) in enumerate(held) if column in columns]
    sums, weights, folds = [], [], []
    for i in mine:
        columns, counts, sigma = held[i]
        away = tuple(axis for axis, each in enumerate(columns) if each != column)
        sums.append(counts.sum(axis=away))
        folds.append(counts.size // sums[-1].size)
        weights.append(1 / (sigma**2 * folds[-1]))
    best = sum(w / sum(weights) * s for w, s in zip(weights, sums, strict=True))
    out = list(held)
    for i, have, fold in zip(mine, sums, folds, strict=True):
        columns, counts, sigma = held[i]
        shape = [-1 if each == column else 1 for each in columns]
        out[i] = columns, counts + (best - have).reshape(shape) / fold, sigma
    return out


def whole_numbers(shares, rows, shift):
    """Whole numbers that add up to so many rows, each within 1 of its share: one uniform number
    moves all steps of the distribution function (systematic sampling)."""
    whole = shares.sum()
    shares = shares / whole if whole > 0 else np.full(len(shares), 1 / len(shares))
    steps = np.floor(np.cumsum(rows * shares)[:-1] + shift)
    return np.diff(np.concatenate([[0], np.minimum(steps, rows), [rows]])).astype(int)


def drawn_given(given, parents, rng):
    """A value for each row, with the shares of its parent's value."""
    out = np.zeros(len(parents), dtype=int)
    for value in np.unique(parents):
        rows, shift = np.flatnonzero(parents == value), rng.random()
        out[rng.permutation(rows)] = np.repeat(
            np.arange(given.shape[1]), whole_numbers(given[value], len(rows), shift)
        )
    return out


def drawn_along(edges, ones, twos, rows, rng):
    """Rows of the law of largest entropy that a tree of pairs has: column by column, outwards."""
    out = np.zeros((rows, len(ones)), dtype=int)
    first = edges[0][0] if edges else 0
    out[:, first] = drawn_given(ones[first][None], np.zeros(rows, dtype=int), rng)
    known, left = {first}, dict(enumerate(edges))
    while left:
        number = next(i for i, (a, b) in left.items() if (a in known) != (b in known))
        a, b = left.pop(number)
        parent, child = (a, b) if a in known else (b, a)
        given = twos[number] if parent == a else twos[number].T
        given = np.where(given.sum(axis=1, keepdims=True) > 0, given, ones[child])
        out[:, child] = drawn_given(given, out[:, parent], rng)
        known |= {a, b}
    return out


def laplace_counts(codes, sizes, columns, scale, rng, *, one=False, occurring=False):
    """The counts of the cells of these columns with Laplace noise; as some texts print it, with one
    noise for all cells, or in those alone that occur."""
    exact = cell_counts(codes, sizes, columns)
    noise = rng.laplace(0, scale, 1 if one else exact.size)
    noisy = exact + (noise[0] if one else noise.reshape(exact.shape))
    return np.where(exact > 0, noisy, 0.0) if occurring else noisy


def not_negative(noisy, repair, least):
    """Counts of at least 0: negative ones cut off, or all below a threshold, or the nearest."""
    if repair == "simplex":
        return nearest_counts(noisy, max(noisy.sum(), 1.0))
    return np.where(noisy >= (least if repair == "threshold" else 0), np.maximum(noisy, 0), 0.0)


def cells_drawn(counts, rows, rng):
    """The cell of each of so many rows, by the shares of the counts, in an order by lot."""
    shares = counts.ravel()
    many = whole_numbers(shares, rows, rng.random())
    return rng.permutation(np.repeat(np.arange(len(shares)), many))


def cells_between(edges, low, high):
    """The first and the last cell of a range: its ends at the nearest edges, or at a third and two
    thirds of them where none is named."""
    many = len(edges) - 1
    ends = [
        many * part // 3 if end is None else int(np.argmin(np.abs(edges - end)))
        for part, end in ((1, low), (2, high))
    ]
    first = min(*ends, many - 1)
    return first, max(*ends, first + 1)
