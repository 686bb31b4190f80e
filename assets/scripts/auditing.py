"""What draws alone prove of a mechanism: some of them choose an event, the others test it."""

import math

import numpy as np
from chance import stream
from scipy import special


def drawn(run, seed, side, trials, dims):
    """Outputs on one side in blocks, each of a stream of its own: more draws begin with the same
    ones."""
    blocks, left = [], trials
    while left > 0:
        size = 5000 << max(0, len(blocks) - 1)
        size = max(5000, min(size, 50_000, math.ceil(1_000_000 / dims)))
        outputs = run(stream(seed, 11, side, len(blocks)), side, size)[:left]
        blocks.append(outputs)
        left -= len(outputs)
    return np.concatenate(blocks)


def log_ratios(here, there):
    """ln of the chance of each listed output on one side over that on the other."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(here == there, 0.0, np.log(here) - np.log(there))


def geometric_noise(rng, loss, size):
    """Two geometric numbers from exponentials, and their difference."""
    first, second = rng.standard_exponential(size), rng.standard_exponential(size)
    return np.floor(first / loss) - np.floor(second / loss)


def how_many(scores, at, tail):
    """How many of the sorted scores are at least, or (tail -1) at most, each threshold."""
    if tail > 0:
        return (len(scores) - np.searchsorted(scores, at, side="left")).astype(float)
    return np.searchsorted(scores, at, side="right").astype(float)


def thresholds(scores):
    """Some of the sorted scores: most where they are rare, and others evenly between."""
    size = len(scores)
    ends = np.geomspace(1, size, 100)
    places = [ends - 1, size - ends, np.linspace(0, size - 1, 200)]
    return scores[np.unique(np.concatenate(places).astype(int))]


def wilson(hits, tests):
    """(low, high) of a chance by the score interval of three deviations: close enough to choose."""
    middle, by = (hits + 4.5) / (tests + 9), 3 / (tests + 9)
    half = by * np.sqrt(hits * (1 - hits / tests) + 2.25)
    return np.maximum(middle - half, 0.0), middle + half


def chosen_event(scores, delta):
    """(threshold, tail, likelier side) of the event that promises most on these draws."""
    scores = [np.sort(each) for each in scores]
    at = np.unique(np.concatenate([thresholds(each) for each in scores]))
    best = (-math.inf, None)
    for tail in (1, -1):
        ends = [wilson(how_many(each, at, tail), len(each)) for each in scores]
        for side in (0, 1):
            gap, high = ends[side][0] - delta, ends[1 - side][1]
            worth = np.where(gap > 0, np.log(np.maximum(gap, 1e-300) / high), gap - 1e3)
            if worth.max() > best[0]:
                best = (worth.max(), (float(at[np.argmax(worth)]), tail, side))
    return best[1]


def lower_epsilon(hits, others, tests, confidence, delta):
    """ln((p - delta) / q): P(S) <= exp(epsilon) P'(S) + delta. Of p a lower bound and of q an upper
    one by Clopper & Pearson (1934), each missed with half of what the confidence leaves."""
    miss = (1 - confidence) / 2
    p = special.betaincinv(hits, tests - hits + 1, miss) if hits else 0.0
    q = 1 - special.betaincinv(tests - others, others + 1, miss) if others < tests else 1.0
    return math.log(max((p - delta) / q, 1.0))
