"""Naive Bayes from noisy reports of people who trust nobody: a person answers with one symbol that
stands for a word and the class together."""

import math

import numpy as np


def in_parts(n, share, seed):
    """(all others, a share of so many rows), each in order, by lot."""
    order = np.random.default_rng(seed).permutation(n)
    cut = n - round(n * share)
    return np.sort(order[:cut]), np.sort(order[cut:])


def edges_of_frequency(x, bins):
    """Inner edges of at most so many bins of numbers in [-1, 1], which hold about as many each: the
    last value of each bin."""
    values, counts = np.unique(x, return_counts=True)
    if len(values) < 2:
        return np.linspace(-1, 1, bins + 1)[1:-1]
    wanted = np.arange(1, bins) * counts.sum() / bins
    at = np.searchsorted(np.cumsum(counts), wanted - 1e-9 * counts.sum())
    return np.unique(values[np.minimum(at, len(values) - 2)])


def bayes_right(priors, chances, x, y):
    """How often the likeliest class by independent words is the true one: priors (classes,), of
    each feature chances (classes, words), codes x (rows, features)."""
    scores = np.log(priors) + sum(np.log(p).T[x[:, i]] for i, p in enumerate(chances))
    return float(np.mean(scores.argmax(axis=1) == y))


def bayes_of_rows(x, y, sizes, classes):
    """Priors and chances of exact counts; of each word one row more, so that none is 0."""
    priors = np.maximum(np.bincount(y, minlength=classes), 1)
    chances = []
    for i, words in enumerate(sizes):
        cells = np.bincount(y * words + x[:, i], minlength=classes * words) + 1
        chances.append(cells.reshape(classes, words))
    return priors / priors.sum(), [c / c.sum(axis=1, keepdims=True) for c in chances]


def bayes_of_reports(counts, survey, floor, classes, rng):
    """Priors and chances of one survey, where so many of those asked each question hold each pair
    of class and word: estimates below `floor` standard errors of 0, or 1 person, are raised."""
    members, spread, chances = np.zeros(classes), 0.0, []
    for held in counts:
        found, variance = survey(held, rng)
        found = found.reshape(classes, -1)
        members += found.sum(axis=1)
        spread += found.shape[1] * variance
        raised = np.maximum(found, max(1.0, floor * math.sqrt(variance)))
        chances.append(raised / raised.sum(axis=1, keepdims=True))
    members = np.maximum(members, max(1.0, floor * math.sqrt(spread)))
    return members / members.sum(), chances


def symbols_asked(x, y, sizes, classes, rng=None):
    """Of each question how many of those who answer it hold each pair of class and word: all
    people, or those to whom it falls by lot."""
    lot = None if rng is None else rng.integers(len(sizes), size=len(x))
    found = []
    for i, words in enumerate(sizes):
        some = slice(None) if lot is None else lot == i
        pairs = (y * words + x[:, i])[some]
        found.append(np.bincount(pairs, minlength=classes * words))
    return found
