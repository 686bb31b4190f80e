"""How often each of d values is in the sets of many people, each of whom takes a set of fixed size
at random from all values but the own: their totals, all together."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.protocol import Support, Values


def subset_sums(rng: np.random.Generator, people: Values, size: int) -> Values:
    """Totals of `people`, shape (surveys, d), how many hold each value, where each of them takes a
    uniformly random set of `size` of the d − 1 other values; the same shape.

    Exact in law, jointly too. Value after value, who may still take j of the m values that are left
    to them takes this one with j/m, so that it is enough to know how many people have j left. Those
    whose own value has not come yet have one value less before them than those whose own has, and
    all of the first who have the same size are alike: how many of the holders of a value have j
    left is multivariate hypergeometric (own derivation).
    """
    surveys, d = people.shape
    found = np.zeros_like(people)
    left = np.arange(size + 1)
    waiting = np.zeros((surveys, size + 1), dtype=np.int64)
    waiting[:, size] = people.sum(axis=1)
    past = np.zeros_like(waiting)
    for value in range(d if size else 0):
        moved = _split(rng, waiting, people[:, value])
        waiting -= moved
        for pool, others in ((waiting, d - 1 - value), (past, d - value)):
            # Nobody has more left to take than there is: those cells are empty.
            took = rng.binomial(pool, np.minimum(left / max(1, others), 1.0))
            found[:, value] += took.sum(axis=1)
            pool -= took
            pool[:, :-1] += took[:, 1:]
        past += moved
    return found


def _split(rng: np.random.Generator, pool: Values, many: Values) -> Values:
    """How many of each column of a pool, shape (surveys, columns), are among `many`, shape
    (surveys,), drawn from it without putting back."""
    found = np.zeros_like(pool)
    rest, wanted = pool.sum(axis=1), many.copy()
    for column in range(pool.shape[1]):
        inside = pool[:, column]
        rest = rest - inside
        found[:, column] = rng.hypergeometric(inside, rest, wanted)
        wanted = wanted - found[:, column]
    return found


def covariance(people: Values, size: int, support: Support) -> Array:
    """Exact covariances of the totals of reports of sets of `size` values, shape (d, d), of people
    who hold each of d ≥ 3 values, shape (d,).

    Given whether the own value is in the set, the others are a uniformly random set: two of them
    are both in it with k(k − 1)/((d − 1)(d − 2)), k being how many there are.
    """
    d, n, s = len(people), int(people.sum()), support
    pairs = (d - 1) * (d - 2)
    both = s.p * (size - 1) * (size - 2) / pairs + s.not_p * size * (size - 1) / pairs
    own = s.p * ((size - 1) / (d - 1) - s.q)
    other = both - s.q**2
    found = n * other + (own - other) * np.add.outer(people, people)
    found[np.diag_indices(d)] = people * s.p * s.not_p + (n - people) * s.q * s.not_q
    return np.asarray(found, dtype=np.float64)


def normal_sums(
    rng: np.random.Generator, people: Values, size: int, support: Support, surveys: int
) -> Array:
    """Draws from the normal law with the means and covariances of the totals of reports, shape
    (surveys, d); they add up to nω as the totals do."""
    n, d = int(people.sum()), len(people)
    means = people * support.p + (n - people) * support.q
    found = np.tile(means, (surveys, 1))
    if n:
        # The last one is what the others leave, and with it the covariances would be singular.
        root = np.linalg.cholesky(covariance(people, size, support)[:-1, :-1])
        found[:, :-1] += rng.standard_normal((surveys, d - 1)) @ root.T
        found[:, -1] = n * size - found[:, :-1].sum(axis=1)
    return found
