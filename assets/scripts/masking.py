"""A column that is masked, and what is left of its tie to another."""

import math

import numpy as np
from anonymity import value_codes


def secret_codes(column, most=200):
    """The values of a column as codes, and how many values there are: of very many the most
    frequent. All others, and what is missing, are one code more."""
    codes = value_codes(column)
    lacking = codes < 0
    if column.dtype == object:
        lacking = np.array([word is None for word in column])
    held = np.bincount(codes[~lacking])
    kept = np.sort(np.argsort(-held, kind="stable")[:most])
    kept = kept[held[kept] > 0]
    code = np.full(len(held) + 1, len(kept))
    code[kept] = np.arange(len(kept))
    return code[np.where(lacking, len(held), codes)], len(kept)


def tie(a, b):
    """Cramér's V of two columns of codes: √(χ²/n/(m − 1)), m the fewer values of the two; 0 where
    they are independent, 1 where one tells the other."""
    a, b = (np.unique(each, return_inverse=True)[1] for each in (a, b))
    p = np.bincount(a * (b.max() + 1) + b).astype(float) / len(a)
    p = np.append(p, np.zeros((a.max() + 1) * (b.max() + 1) - len(p)))
    p = p.reshape(a.max() + 1, b.max() + 1)
    fewer = min(p.shape) - 1
    if not fewer:
        return 0.0
    apart = np.outer(p.sum(axis=1), p.sum(axis=0))
    return math.sqrt(np.sum((p - apart) ** 2 / apart) / fewer)


def in_bins(x, of, most=40):
    """Numbers in bins of the column `of`: one for each of its values where these are few, else of
    one width; NaN in one of its own."""
    values = np.unique(of)
    edges = (values[1:] + values[:-1]) / 2
    if len(values) > most:
        edges = np.linspace(of.min(), of.max(), most + 1)[1:-1]
    return np.where(np.isnan(x), len(edges) + 1, np.searchsorted(edges, x, side="right"))


def pram(codes, keep, rng):
    """Each value stays with the chance `keep`, or becomes one of the others, all alike likely
    (Gouweleeuw, Kooiman, Willenborg & de Wolf 1998). It is drawn along the chances of its row,
    added up, so that one uniform number decides."""
    values, codes = np.unique(codes, return_inverse=True)
    many = len(values)
    if many == 1:
        return values[codes]
    chances = np.full((many, many), (1 - keep) / (many - 1))
    np.fill_diagonal(chances, keep)
    steps = np.cumsum(chances, axis=1)
    steps /= steps[:, -1:]
    return values[(rng.random(len(codes))[:, None] >= steps[codes]).sum(axis=1)]


def swapped(codes, near, share, rng):
    """Rows next to each other in `near` exchange their values, each pair by chance (Dalenius &
    Reiss 1982)."""
    order = np.lexsort((rng.random(len(codes)), near))
    pairs = order[: len(order) // 2 * 2].reshape(-1, 2)
    one, two = pairs[rng.random(len(pairs)) < share].T
    out = codes.copy()
    out[one], out[two] = codes[two], codes[one]
    return out


def shuffled_within(codes, of, rng):
    """Values shuffled within classes of rows (Zhang, Koudas, Srivastava & Yu 2007)."""
    out = codes.copy()
    order = np.argsort(of, kind="stable")
    out[order] = codes[np.lexsort((rng.random(len(of)), of))]
    return out


def anatomy(codes, values, diversity, rng):
    """The group of each row and how often each value occurs in each group: one row of each of the
    values that are most frequent at that moment, as many as the groups are to have (Xiao & Tao
    2006); what is left over joins a group that lacks its value, and rows without a value any."""
    order = np.argsort(rng.random(len(codes)), kind="stable")
    piles = [order[codes[order] == value].tolist() for value in range(values)]
    group, many = np.full(len(codes), -1), 0
    while sum(len(pile) > 0 for pile in piles) >= diversity:
        for pile in sorted(piles, key=len, reverse=True)[:diversity]:
            group[pile.pop()] = many
        many += 1
    counts = np.zeros((many, values), dtype=int)
    there = (group >= 0) & (codes < values)
    np.add.at(counts, (group[there], codes[there]), 1)
    for value, pile in enumerate(piles):
        for row in pile:
            free = np.flatnonzero(counts[:, value] == 0)
            if len(free):
                group[row] = free[int(rng.random() * len(free))]
                counts[group[row], value] += 1
    lacking = order[codes[order] >= values]
    group[lacking] = (rng.random(len(lacking)) * many).astype(int)
    return group, counts


def guessed_within(codes, values, group, counts, rng):
    """One value of the group of each row, by lot: what anatomy tells of it."""
    upto = np.cumsum(counts, axis=1)
    out, there = codes.copy(), (group >= 0) & (codes < values)
    drawn = np.floor(rng.random(len(codes)) * upto[group, -1])
    out[there] = (drawn[there, None] >= upto[group[there]]).sum(axis=1)
    return out


def group_means(x, size):
    """Numbers replaced by the mean of as many next to them; the last group has the rest
    (micro-aggregation, Domingo-Ferrer & Torra 2005)."""
    out, order = np.empty(len(x)), np.argsort(x, kind="stable")
    for part in np.split(order, [size * cut for cut in range(1, len(x) // size)]):
        out[part] = x[part].mean()
    return out


def drawn_anew(values, rng, fitted):
    """A column drawn anew: from a bell curve of its mean and deviation, or from its values."""
    if fitted and values.std():
        return rng.normal(values.mean(), values.std(), len(values))
    return values[np.floor(rng.random(len(values)) * len(values)).astype(int)]


def noise_on(x, law, deviation, rng):
    """Noise of mean 0 whose standard deviation is that share of the range of x."""
    sigma = deviation * max(np.ptp(x), 1e-9)
    if law == "uniform":
        return rng.uniform(-math.sqrt(3) * sigma, math.sqrt(3) * sigma, len(x))
    if law == "normal":
        return rng.normal(0, sigma, len(x))
    return rng.laplace(0, sigma * math.sqrt(0.5), len(x))
