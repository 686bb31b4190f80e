"""People in a table without names: who looks like whom, who is found, and classes that hide."""

import math

import numpy as np
from scipy import optimize, special


def value_codes(column):
    """Which value each row has, in their order: 0, 1, …; -1 where a number is missing. A missing
    word is a value of its own, the last."""
    if column.dtype != object:
        there = np.abs(column) <= 1e150
        codes = np.full(len(column), -1)
        codes[there] = np.unique(column[there], return_inverse=True)[1]
        return codes
    words = sorted({word for word in column if word is not None})
    place = {word: code for code, word in enumerate([*words, None])}
    return np.array([place[word] for word in column], dtype=int)


def published_rows(table, names, among):
    """The numbers of the rows that are published: those that have each number."""
    lacking = np.any([value_codes(table[name]) < 0 for name in names], axis=0)
    return np.flatnonzero(among & ~lacking)


def looking_alike(table, names, rows):
    """For each of these rows the number of its class, and the size of each class: rows that have
    the same value in all of these columns look alike."""
    if not names:
        return np.zeros(len(rows), dtype=int), np.array([len(rows)])
    codes = np.stack([value_codes(table[name])[rows] for name in names], axis=1)
    _, of, sizes = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    return of.reshape(-1), sizes


def highest_in_population(table, names, rows, people):
    """The risk of the person who is easiest to find for who knows that the rows are some of these
    people: 1 over how many of them look like her (the journalist of El Emam 2013)."""
    of, _ = looking_alike(table, names, people)
    here = np.isin(people, rows)
    return 1 / np.bincount(of)[of[here]].min()


def pitman_fit(sizes):
    """θ and α under which classes of these sizes are likeliest by Pitman's sampling formula: Π(θ +
    iα) over the classes, over (θ + 1)…(θ + n − 1), times Π(1 − α)(2 − α)…(m − 1 − α) over classes
    of m rows (Pitman 1995; Hoshino 2001)."""
    rows, steps = sizes.sum(), np.arange(1, len(sizes))
    values, many = np.unique(sizes, return_counts=True)

    def unlikely(alpha, log_sum):
        theta = math.exp(log_sum) - alpha  # θ > −α
        found = np.log(theta + alpha * steps).sum()
        found -= special.gammaln(theta + rows) - special.gammaln(theta + 1)
        return -found - many @ (special.gammaln(values - alpha) - special.gammaln(1 - alpha))

    def best(of, low, high):
        return optimize.minimize_scalar(of, bounds=(low, high), method="bounded",
                                        options={"xatol": 1e-10, "maxiter": 200})  # fmt: skip

    def inner(alpha):
        return best(lambda log_sum: unlikely(alpha, log_sum), -9, 18)

    alpha = best(lambda a: inner(a).fun, 1e-6, 1 - 1e-6).x
    return math.exp(inner(alpha).x) - alpha, alpha


def pitman_stays(theta, alpha, rows, people):
    """The chance that who is alone among so many rows stays alone among all people: nobody who
    comes sits down beside her, at chances of 1 − (1 − α)/(θ + n) one after the other."""
    ends = special.gammaln([theta + alpha + people - 1, theta + alpha + rows - 1])
    other = special.gammaln([theta + people, theta + rows])
    return math.exp(ends[0] - ends[1] - other[0] + other[1])


def pitman_alone(theta, alpha, sizes, people):
    """The share of all people who are alone: those who are so in the table and stay so, and of the
    others who sits down alone, at a chance of (θ + α·classes)/(θ + n), and stays so."""
    rows = sizes.sum()
    alone = np.count_nonzero(sizes == 1) * pitman_stays(theta, alpha, rows, people)
    if people > rows:
        opens = (theta + alpha * len(sizes)) / (theta + rows)
        alone += (people - rows) * opens * pitman_stays(theta, alpha, rows + 1, people)
    return alone / people
