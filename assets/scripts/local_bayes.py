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


def bells_of_rows(z, y, classes):
    """Mean and variance of each number in each class, (classes, numbers)."""
    member = (y == np.arange(classes)[:, None]).astype(float)
    n = np.maximum(member.sum(axis=1, keepdims=True), 1)
    means = np.clip(member @ z / n, -1, 1)
    return means, np.maximum(member @ (z * z) / n - means**2, 1e-4)


def bells_right(priors, chances, bells, x, z, y):
    """The same as `bayes_right` where numbers are told by normal laws of each class."""
    means, variances = bells
    scores = np.log(priors) + sum((np.log(p).T[x[:, i]] for i, p in enumerate(chances)), 0)
    apart = (z[:, None, :] - means) ** 2 / variances + np.log(variances)
    return float(np.mean((scores - apart.sum(axis=2) / 2).argmax(axis=1) == y))


def bells_of_reports(z, y, lots, send, worst, priors, floor, classes, rng):
    """The same of one survey: who is asked about a number sends it, or 2 z^2 - 1, at the place of
    the class and 0 at all others, by `send`; `worst` is the most that a place of it varies. Of each
    number both questions are the next two of `lots`."""
    found = np.zeros((2, classes, z.shape[1]))
    least = np.zeros((classes, z.shape[1]))
    for i in range(z.shape[1]):
        for turn, told in enumerate((z[:, i], 2 * z[:, i] ** 2 - 1)):
            some = slice(None) if lots is None else lots == 2 * i + turn
            members = np.maximum(priors * len(y[some]), 1)
            for c in range(classes):
                found[turn, c, i] = send(t=np.where(y[some] == c, told[some], 0), rng=rng).sum()
            found[turn, :, i] /= members
            least[:, i] = np.maximum(floor * np.sqrt(len(y[some]) * worst) / members / 2, 1e-4)
    means = np.clip(found[0], -1, 1)
    return means, np.minimum(np.maximum((found[1] + 1) / 2 - means**2, least), 1)


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


def symbols_asked(x, y, sizes, classes, lots=None):
    """Of each question how many of those who answer it hold each pair of class and word: all
    people, or those to whom it falls by lot."""
    found = []
    for i, words in enumerate(sizes):
        some = slice(None) if lots is None else lots == i
        pairs = (y * words + x[:, i])[some]
        found.append(np.bincount(pairs, minlength=classes * words))
    return found
