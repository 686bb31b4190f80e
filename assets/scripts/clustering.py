"""k-means with noise in every step, and how well its clusters agree with classes."""

import math

import numpy as np
from scipy import spatial, special


def count_weight(d):
    """Of what a step spends, the part of the count where a coordinate of the sum has 1, so that the
    squared error of a centre is least: (4dρ²)^⅓, centres ρ = 0.225 of the width from the middle on
    average (Su, Cao, Li, Bertino & Jin 2016, section 4.2)."""
    return (4 * d * 0.225**2) ** (1 / 3)


def steps_paid(epsilon, rows, k, d):
    """How many steps ε pays for, from 2 to 7: one needs √(500k³/n²·(d + weight)³) (Su et al. 2016,
    section 4.3)."""
    one = math.sqrt(500 * k**3 / rows**2 * (d + count_weight(d)) ** 3)
    return int(min(7, max(2, epsilon // one)))


def lloyd_scales(split, epsilon, d, steps, moved):
    """The scales of the Laplace noise on each count and on each sum. In a step one person moves
    counts by `moved`, and each of d sums by as much."""
    if split == "even":
        scale = (d + 1) * steps * moved / epsilon
        return scale, scale
    if split == "printed":  # counts and sums each as if they had all of ε: together 2ε
        return steps / epsilon, d * steps / epsilon
    part = epsilon / (steps * moved * (d + count_weight(d)))
    return 1 / (part * count_weight(d)), 1 / part


def four_clusters(n, rng):
    """Points of four clusters of deviation 0.1 about (±0.6, ±0.6), and the cluster of each."""
    of = rng.integers(0, 4, n)
    middle = 0.6 * np.stack([1 - 2 * (of % 2), 1 - 2 * (of // 2)], axis=1)
    return np.clip(middle + rng.normal(0, 0.1, (n, 2)), -1, 1), of


def first_centres(start, runs, k, d, rng, tries=30):
    """Centres that the points have no part in: by lot in the box, or each the one of some drawn
    that is furthest from those before it and from the border, which counts half."""
    if start == "lot":
        return rng.uniform(-1, 1, (runs, k, d))
    out = np.empty((runs, k, d))
    for j in range(k):
        drawn = rng.uniform(-1, 1, (runs, tries, d))
        room = 2 * (1 - np.abs(drawn).max(axis=2))
        for before in range(j):
            apart = np.linalg.norm(drawn - out[:, before, None], axis=2)
            room = np.minimum(room, apart)
        out[:, j] = drawn[np.arange(runs), room.argmax(axis=1)]
    return out


def nearest_centre(x, centres):
    """The nearest centre of each point: |x − c|² is least where x·c − |c|²/2 is most."""
    return np.argmax(x @ centres.T - (centres**2).sum(axis=1) / 2, axis=1)


def lloyd(x, centres, noise):
    """Steps of one run: each point joins its nearest centre; then each centre moves to the noisy
    sum over the noisy count of its points, and stays where that count is below 1 (Blum, Dwork,
    McSherry & Nissim 2005). The last centres, and the noisy counts of each step."""
    counts = []
    for step in noise:
        near = nearest_centre(x, centres)
        held = step.copy()
        for j in range(len(centres)):
            held[j, 0] += np.count_nonzero(near == j)
            held[j, 1:] += x[near == j].sum(axis=0)
        counts.append(held[:, 0])
        stays = held[:, :1] < 1
        moved = np.clip(held[:, 1:] / np.where(stays, 1, held[:, :1]), -1, 1)
        centres = np.where(stays, centres, moved)
    return centres, np.array(counts)


def inertia(x, centres):
    """The mean squared distance to the nearest centre."""
    return ((x - centres[nearest_centre(x, centres)]) ** 2).sum(axis=1).mean()


def crossed(classes, clusters):
    """How many points of each class are in each cluster, without empty ones."""
    pair = np.zeros((classes.max() + 1, clusters.max() + 1), dtype=int)
    np.add.at(pair, (classes, clusters), 1)
    return pair[pair.sum(axis=1) > 0][:, pair.sum(axis=0) > 0]


def entropy_of(counts):
    """−Σ p ln p of counts."""
    p = counts[counts > 0] / counts.sum()
    return -np.sum(p * np.log(p))


def agreement(score, classes, clusters):
    """How well clusters agree with classes: the adjusted Rand index (Hubert & Arabie 1985); the
    adjusted mutual information (Vinh, Epps & Bailey 2010); or homogeneity, completeness and their
    mean V, what one tells of the other (Rosenberg & Hirschberg 2007)."""
    pair = crossed(classes, clusters)
    rows, columns, n = pair.sum(axis=1), pair.sum(axis=0), pair.sum()
    if score == "ari":
        both, one, two, all_ = (special.comb(c, 2).sum() for c in (pair, rows, columns, n))
        chance = one * two / max(all_, 1)
        room = (one + two) / 2 - chance
        return (both - chance) / room if room > 0 else 1.0
    one, two = entropy_of(rows), entropy_of(columns)
    told = max(0.0, one + two - entropy_of(pair))
    if score == "ami":
        if len(rows) == len(columns) == 1:
            return 1.0
        chance = information_by_chance(rows, columns, n)
        room = (one + two) / 2 - chance
        return (told - chance) / (room if abs(room) > 1e-15 else 1e-15)
    whole = {"homogeneity": one, "completeness": two, "v": (one + two) / 2}[score]
    return told / whole if whole > 0 else 1.0


def information_by_chance(rows, columns, n):
    """What tables with the same margins tell on average: each cell is hypergeometric."""
    log = special.gammaln
    total = 0.0
    for a in rows:
        for b in columns:
            m = np.arange(max(1, a + b - n), min(a, b) + 1)
            chance = np.exp(
                log(a + 1) + log(b + 1) + log(n - a + 1) + log(n - b + 1) - log(n + 1)
                - log(m + 1) - log(a - m + 1) - log(b - m + 1) - log(n - a - b + m + 1)
            )  # fmt: skip
            total += np.sum(m / n * np.log(n * m / (a * b)) * chance)
    return total


def silhouette(x, near, rng, most=1000):
    """How much nearer points are to their own cluster than to the nearest other, (b − a)/max(a, b)
    on average over some points by lot (Rousseeuw 1987); 0 for who is alone, NaN for one cluster."""
    some = rng.permutation(len(x))[:most]
    x, near = x[some], np.unique(near[some], return_inverse=True)[1]
    sizes = np.bincount(near)
    if not 1 < len(sizes) < len(x):
        return math.nan
    apart = spatial.distance.cdist(x, x)
    total = apart @ (near[:, None] == np.arange(len(sizes)))
    here = np.arange(len(x))
    inside = total[here, near] / np.maximum(sizes[near] - 1, 1)
    mean = total / sizes
    mean[here, near] = np.inf
    outside = mean.min(axis=1)
    most = np.maximum(inside, outside)
    gain = np.divide(outside - inside, most, out=np.zeros(len(x)), where=most > 0)
    return np.where(sizes[near] > 1, gain, 0.0).mean()


def median_and_ends(scores, confidence):
    """The median of the scores that there are, and between which that share of them lies."""
    there = scores[np.isfinite(scores)]
    if not len(there):
        return math.nan, (math.nan, math.nan)
    tail = (1 - confidence) / 2
    return np.median(there), tuple(np.quantile(there, [tail, 1 - tail]))
