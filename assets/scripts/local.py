"""Answers made noisy in the hands of each person: what they cost, how wrong their totals are."""

import math
from typing import NamedTuple

import numpy as np
from scipy import special


def normal_quantile(confidence):
    """z: a normal variable stays within z standard deviations of its mean that often."""
    return float(special.ndtri((1 + confidence) / 2))


class Speaks(NamedTuple):
    """How often a report speaks for a value: `p` of who holds it, `q` of who does not. Both
    complements are kept too, since 1 - p has no digits where p is near 1."""

    p: float
    q: float
    not_p: float
    not_q: float


def noise_of_holder(s):
    """What one person who holds the value adds to the variance of (total - n q)/(p - q)."""
    return s.p * s.not_p / (s.p - s.q) ** 2


def noise_of_other(s):
    """The same of one who holds another value."""
    return s.q * s.not_q / (s.p - s.q) ** 2


def two_coins(truth, heads):
    """The truth where the first coin shows heads, else what a second coin says; of the value yes.
    (Warner 1965; Dwork & Roth 2014, section 3.2)"""
    lie = 1 - truth
    return Speaks(truth + lie * heads, lie * heads, lie * (1 - heads), truth + lie * (1 - heads))


def epsilon_of_coins(s):
    """The largest log ratio of the chances of an answer over yes and no."""
    return max(math.log(s.p / s.q), math.log(s.not_q / s.not_p))


def biased_coins(epsilon):
    """Two coins that show heads with p, at an epsilon above ln 2: e^epsilon is the larger of
    1 + p/(1 - p)^2, the ratio for a no, and 1 + 1/(1 - p), that for a yes."""
    rest = 2 / (1 + math.sqrt(4 * math.exp(epsilon) - 3))  # 1 - p from the first of them
    if epsilon < math.log(3):
        rest = 1 / math.expm1(epsilon)
    p = 1 - rest
    return Speaks(p * (1 + rest), rest * p, rest**2, p + rest**2)


def warner(epsilon):
    """The truth with e^epsilon/(1 + e^epsilon), else its opposite. (Warner 1965)"""
    p, q = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    return Speaks(p, q, q, p)


def direct(epsilon, d):
    """GRR: the own one of d values with e^epsilon/(e^epsilon + d - 1), else one of the others.
    (Kairouz, Bonawitz & Ramage 2016)"""
    a = math.exp(epsilon)
    whole = a + d - 1
    return Speaks(a / whole, 1 / whole, (d - 1) / whole, (a + d - 2) / whole)


def unary_symmetric(epsilon):
    """SUE: a bit for each value, each kept with e^(epsilon/2)/(e^(epsilon/2) + 1).
    (Erlingsson, Pihur & Korolova 2014)"""
    return warner(epsilon / 2)


def unary_optimised(epsilon):
    """OUE: the own bit is kept with 1/2, every other turns to 1 with 1/(e^epsilon + 1).
    (Wang, Blocki, Li & Jha 2017, section 4.3)"""
    other = warner(epsilon)
    return Speaks(0.5, other.q, 0.5, other.p)


def local_hashing(epsilon, buckets=None):
    """OLH: direct encoding of the bucket of a hash function of one's own; another value falls into
    the bucket that is told with 1/g. (Wang, Blocki, Li & Jha 2017, section 4.4)"""
    a = math.exp(epsilon)
    low = min(math.floor(a), 2**31 - 2)

    def with_buckets(g):
        return Speaks(a / (a + g - 1), 1 / g, (g - 1) / (a + g - 1), (g - 1) / g)

    tried = [buckets] if buckets else [low + 1, low + 2]  # g - 1 = e^epsilon is best, of reals
    return min(map(with_buckets, tried), key=noise_of_other)


def above(x, scale):
    """P(Laplace noise > x)."""
    return 0.5 * math.exp(-x / scale) if x >= 0 else 1 - 0.5 * math.exp(x / scale)


def thresholded(epsilon, threshold=None):
    """THE: Laplace noise of scale 2/epsilon on each bit, of which only is told whether it exceeds a
    threshold. Without one: that of least noise for a value that nobody holds, where q = P(noise >
    threshold) solves q^2 - (1 + s) q + 3 s/4 = 0, s = e^(-epsilon/2).
    (Wang, Blocki, Li & Jha 2017, section 4.2)"""
    scale, s = 2 / epsilon, math.exp(-epsilon / 2)
    if threshold is None:
        q = 0.75 * s * 2 / (1 + s + math.sqrt((1 + s) ** 2 - 3 * s))
        threshold = -scale * math.log(2 * q)
    p, q = above(threshold - 1, scale), above(threshold, scale)
    return Speaks(p, q, above(1 - threshold, scale), above(-threshold, scale))


def odds_of_bits(s):
    """The epsilon that two bits of such a report show: ln of p(1 - q)/(q(1 - p))."""
    return math.log(s.p / s.q) + math.log(s.not_q / s.not_p)


def subset_selection(epsilon, d):
    """SS: a set of w of d values; one with the own value is sent e^epsilon times as often as one
    without. w is near d/(e^epsilon + 1); the one of least noise for a value that nobody holds.
    (Ye & Barg 2018)"""
    a = math.exp(epsilon)

    def of_size(w):
        p, not_p = w * a / (w * a + d - w), (d - w) / (w * a + d - w)
        q = p * (w - 1) / (d - 1) + not_p * w / (d - 1)
        return Speaks(p, q, not_p, p * (d - w) / (d - 1) + not_p * (d - w - 1) / (d - 1))

    near = math.floor(d / (a + 1))
    return min(map(of_size, range(max(1, near - 1), min(d - 1, near + 2) + 1)), key=noise_of_other)


def hadamard_blocks(epsilon, d):
    """How many blocks of Hadamard's matrix, a power of two: those of least noise on average for a
    value that nobody holds. (Acharya, Sun & Zhang 2019, in its general form)"""
    tried = [2**power for power in range((d - 1).bit_length() + 1)]
    return min(tried, key=lambda blocks: hadamard_rare(epsilon, d, blocks))


def hadamard_noise(epsilon, blocks):
    """What a person adds to the variance of a count by Hadamard response: who holds the value, who
    shares its block, all others. A report is +1, -1 or 0 for a value, and its mean for the own one
    is (a - 1)/(a + 2B - 1), a = e^epsilon."""
    a, b = math.exp(epsilon), blocks
    own = (2 * b + 2) / (a - 1) * (a / (a - 1)) + (2 * b - 2) / (a - 1) ** 2
    return own, (a + 1) / (a - 1) * (a + 2 * b - 1) / (a - 1), 2 * (a + 2 * b - 1) / (a - 1) ** 2


def hadamard_rare(epsilon, d, blocks):
    """The noise of one person for a value that nobody holds, on average over all d values."""
    _, near, far = hadamard_noise(epsilon, blocks)
    sizes = np.bincount(np.arange(d) % blocks, minlength=blocks)
    share = float((sizes * (sizes - 1)).sum()) / (d * (d - 1))
    return near * share + far * (1 - share)


def pure_protocol(protocol, epsilon, d, buckets=None, threshold=None):
    """p and q of a protocol by its short name, for d values."""
    made = {
        "fair_coins": lambda: two_coins(0.5, 0.5),
        "biased_coins": lambda: biased_coins(epsilon),
        "warner": lambda: warner(epsilon),
        "grr": lambda: direct(epsilon, d),
        "sue": lambda: unary_symmetric(epsilon),
        "oue": lambda: unary_optimised(epsilon),
        "the": lambda: thresholded(epsilon, threshold),
        "olh": lambda: local_hashing(epsilon, buckets),
        "subset": lambda: subset_selection(epsilon, d),
    }
    return made[protocol]()


def variance_of_counts(protocol, epsilon, counts, buckets=None, threshold=None):
    """The exact variance of each estimated count, where `counts` people hold each value: every
    person adds the noise of one report, by whether they hold it."""
    counts = np.asarray(counts, dtype=float)
    n, d = counts.sum(), len(counts)
    if protocol == "she":  # the sum of n numbers with Laplace noise of scale 2/epsilon each
        return np.full(d, n * 8 / epsilon**2)
    if protocol == "hadamard":
        blocks = hadamard_blocks(epsilon, d)
        own, near, far = hadamard_noise(epsilon, blocks)
        block = np.arange(d) % blocks
        mates = np.bincount(block, weights=counts, minlength=blocks)[block]
        return counts * own + (mates - counts) * near + (n - mates) * far
    s = pure_protocol(protocol, epsilon, d, buckets, threshold)
    found = counts * noise_of_holder(s) + (n - counts) * noise_of_other(s)
    # Those of no are n less those of yes: both err alike, by what is estimated of yes.
    return np.full(d, found[1]) if protocol in ("fair_coins", "biased_coins", "warner") else found


def rare_variance(protocol, epsilon, d, buckets=None, threshold=None):
    """The variance of the count of a value that nobody holds, over the number of people."""
    if protocol == "she":
        return 8 / epsilon**2
    if protocol == "hadamard":
        return hadamard_rare(epsilon, d, hadamard_blocks(epsilon, d))
    return noise_of_other(pure_protocol(protocol, epsilon, d, buckets, threshold))


def protocols_for(epsilon, d):
    """The protocols that serve d values at this epsilon."""
    found = ["grr", "sue", "oue", "she", "the", "olh", "subset", "hadamard"]
    if d == 2:
        found += ["warner"]
        found += ["biased_coins"] * (epsilon > math.log(2))
        found += ["fair_coins"] * math.isclose(epsilon, math.log(3), rel_tol=1e-9)
    return found


def survey_by_direct(counts, rng, epsilon):
    """(estimated counts, variance of one that nobody holds) of a survey by direct encoding: the
    truth with p - q, else any value at all."""
    n, d = int(counts.sum()), len(counts)
    s = direct(epsilon, d)
    truth = rng.binomial(counts, s.p - s.q)
    totals = truth + rng.multinomial(n - truth.sum(), np.full(d, 1 / d))
    return (totals - n * s.q) / (s.p - s.q), n * noise_of_other(s)


def survey_by_bits(counts, rng, s):
    """The same where each person sends a bit for every value."""
    n = int(counts.sum())
    totals = rng.binomial(counts, s.p) + rng.binomial(n - counts, s.q)
    return (totals - n * s.q) / (s.p - s.q), n * noise_of_other(s)


def survey_by_sums(counts, rng, epsilon):
    """The same where each sends Laplace noise of scale 2/epsilon on every bit: n of them together
    are the difference of two Gamma(n)."""
    n = int(counts.sum())
    noise = np.subtract(*rng.standard_gamma(n, (2, len(counts))))
    return counts + 2 / epsilon * noise, n * 8 / epsilon**2


# Numbers: t in [-1, 1] is sent as t* with mean t.


def laplace_report(t2, epsilon):
    """The variance of t + Lap(2/epsilon)."""
    return 8 / epsilon**2 + 0 * t2


def duchi_report(t2, epsilon):
    """The variance of +B or -B, B = (e^epsilon + 1)/(e^epsilon - 1): B^2 - t^2.
    (Duchi, Jordan & Wainwright 2018)"""
    return 4 * math.exp(epsilon) / math.expm1(epsilon) ** 2 + (1 - t2)


def piecewise_report(t2, epsilon):
    """The variance of a number from an interval about t, or from all of [-C, C]: with a =
    e^(epsilon/2), t^2/(a - 1) + (a + 3)/(3 (a - 1)^2). (Wang et al. 2019, lemma 1)"""
    less = math.expm1(epsilon / 2)
    return t2 / less + (less + 4) / (3 * less**2)


def hybrid_turn():
    """epsilon*, at which piecewise and Duchi's reports of 0 err alike: 3 a^3 - a^2 + a - 7 = 0 for
    a = e^(epsilon*/2)."""
    roots = np.roots([3, -1, 1, -7])
    return 2 * math.log(float(roots[np.abs(roots.imag) < 1e-9].real[0]))


def hybrid_report(t2, epsilon):
    """Piecewise with 1 - e^(-epsilon/2), else Duchi; up to epsilon* = 0.61 always Duchi.
    (Wang et al. 2019, section III-C)"""
    if epsilon <= hybrid_turn():
        return duchi_report(t2, epsilon)
    share = -math.expm1(-epsilon / 2)
    left = math.exp(-epsilon / 2)
    return share * piecewise_report(t2, epsilon) + left * duchi_report(t2, epsilon)


def numbers_kept(protocol, epsilon, d, coordinates="every"):
    """How many of d numbers a person sends: one or all; of piecewise and hybrid reports
    max(1, min(d, floor(epsilon/2.5))). (Wang et al. 2019, equation 12)"""
    if protocol in ("piecewise", "hybrid"):
        return max(1, min(d, math.floor(epsilon / 2.5)))
    return d if coordinates == "every" and protocol == "local_laplace" else 1


def duchi_corner(epsilon, d):
    """The size of each of d numbers that Duchi's mechanism sends at once: C(d)(e^epsilon + 1)/
    (e^epsilon - 1), C(d) = 2^(d - 1) over (d - 1 choose floor(d/2))."""
    return (1 << (d - 1)) / math.comb(d - 1, d // 2) / math.tanh(epsilon / 2)


def variance_of_number(protocol, epsilon, t2, d=1, coordinates="every"):
    """The variance of one of d numbers of a report, whose square is t2: k of them are sent, each
    with epsilon/k and times d/k; the others are 0."""
    if protocol == "duchi" and d > 1 and coordinates == "every":
        return duchi_corner(epsilon, d) ** 2 - t2
    k = numbers_kept(protocol, epsilon, d, coordinates)
    alone = {
        "local_laplace": laplace_report,
        "duchi": duchi_report,
        "piecewise": piecewise_report,
        "hybrid": hybrid_report,
    }[protocol]
    return d / k * alone(t2, epsilon / k) + (d / k - 1) * t2


def spread_of_number(protocol, epsilon, d=1, coordinates="every", t2=None):
    """That over people whose mean square is t2, and else at worst: it is linear in t^2, so that of
    0 or of 1."""
    ends = (0, 1) if t2 is None else (t2,)
    return max(variance_of_number(protocol, epsilon, square, d, coordinates) for square in ends)


def duchi_sent(t, epsilon, rng):
    """+B or -B, +B with 1/2 + t/2B, B = (e^epsilon + 1)/(e^epsilon - 1)."""
    size = 1 / math.tanh(epsilon / 2)
    return np.where(rng.random(len(t)) < 1 / 2 + t / (2 * size), size, -size)


def piecewise_sent(t, epsilon, rng):
    """With a = e^(epsilon/2): with 1 - 1/a a number from an interval about t/(1 - 1/a) as wide as
    C - 1, else from all of [-C, C], C = (a + 1)/(a - 1)."""
    tells = -math.expm1(-epsilon / 2)
    edge, width = (2 - tells) / tells, 2 * (1 - tells) / tells
    near = t / tells + width * (rng.random(len(t)) - 1 / 2)
    far = edge * (2 * rng.random(len(t)) - 1)
    return np.where(rng.random(len(t)) < tells, near, far)


def number_sent(protocol, epsilon, t, rng, d=1, coordinates="every"):
    """What everybody sends of one of d numbers t: 0 where it is not among those sent."""
    if protocol == "duchi" and d > 1 and coordinates == "every":
        size = duchi_corner(epsilon, d)
        return np.where(rng.random(len(t)) < 1 / 2 + t / (2 * size), size, -size)
    k = numbers_kept(protocol, epsilon, d, coordinates)
    part = epsilon / k
    sent = t + rng.laplace(0, 2 / part, len(t))
    if protocol in ("duchi", "hybrid"):
        sent = duchi_sent(t, part, rng)
    if protocol == "piecewise" or (protocol == "hybrid" and part > hybrid_turn()):
        often = rng.random(len(t)) < (1 if protocol == "piecewise" else -math.expm1(-part / 2))
        sent = np.where(often, piecewise_sent(t, part, rng), sent)
    return np.where(rng.random(len(t)) < k / d, d / k * sent, 0)


def bits_of_number(protocol, epsilon, d=1, coordinates="every"):
    """How many bits a report of d numbers takes: 64 a real one, 1 of Duchi's, and those that say
    which were sent."""
    if protocol == "duchi" and d > 1 and coordinates == "every":
        return float(d)
    k = numbers_kept(protocol, epsilon, d, coordinates)
    return k * (1.0 if protocol == "duchi" else 64.0) + math.log2(math.comb(d, k))
