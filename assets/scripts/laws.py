"""Noise: its size for a given sensitivity and budget, and the law of the error that it makes."""

import itertools
import math

import numpy as np
from scipy import integrate, optimize, special


def laplace_cdf(x, scale):
    """P(X <= x) of Laplace noise, whose density is exp(-|x|/b) / 2b (Dwork et al. 2006)."""
    tail = np.exp(-np.abs(x) / scale) / 2
    return np.where(np.asarray(x) < 0, tail, 1 - tail)


def gaussian_cdf(x, sigma):
    """P(X <= x) of N(0, sigma^2)."""
    return special.ndtr(np.asarray(x) / sigma)


def geometric_cdf(x, loss):
    """P(X <= x) of noise on the integers with P(X = k) proportional to exp(-loss |k|) (Ghosh,
    Roughgarden & Sundararajan 2012)."""
    k, r = np.floor(x), math.exp(-loss)
    tail = np.exp(-loss * np.where(k < 0, -k, k + 1)) / (1 + r)
    return np.where(k < 0, tail, 1 - tail)


def gaussian_delta(epsilon, ratio):
    """The delta of Gaussian noise for which sensitivity / sigma is `ratio`: Phi(ratio/2 - e/ratio)
    - exp(e) Phi(-ratio/2 - e/ratio) (Balle & Wang 2018, Theorem 8)."""
    a, b = ratio / 2 - epsilon / ratio, -ratio / 2 - epsilon / ratio
    # exp(e) phi(b) = phi(a): with erfcx(x) = exp(x^2) erfc(x) nothing overflows or cancels.
    if a > 5:
        return special.ndtr(a) - math.exp(epsilon + special.log_ndtr(b))
    root = math.sqrt(2)
    return math.exp(-a * a / 2) / 2 * (special.erfcx(-a / root) - special.erfcx(-b / root))


def gaussian_sigma(epsilon, delta):
    """The least sigma that keeps (epsilon, delta) for a sensitivity of 1 (Balle & Wang 2018)."""

    def gap(log_ratio):
        return math.log(max(gaussian_delta(epsilon, math.exp(log_ratio)), 1e-320)) - math.log(delta)

    return math.exp(-optimize.brentq(gap, -25, 25, xtol=1e-14, rtol=1e-14))


def textbook_sigma(epsilon, delta):
    """sqrt(2 ln(1.25/delta)) / epsilon (Dwork & Roth 2014, Theorem 3.22): proven for epsilon < 1
    alone, and false for large ones."""
    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon


def half_width_of(cdf, confidence, *, whole=False, truth=math.inf, start=1.0):
    """The least w with P(|error| <= w) >= confidence, for noise of this cdf; of answers that are
    raised to 0 an error cannot go below -truth."""

    def inside(w):
        low = 0.0 if w >= truth else below(cdf, -w, whole=whole)
        return float(cdf(w)) - low

    high = start
    while inside(high) < confidence:
        high *= 2
    if not whole:
        low = 0.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (low, middle) if inside(middle) >= confidence else (middle, high)
        return high
    low, high = -1, math.ceil(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if inside(middle) >= confidence else (middle, high)
    return float(high)


def below(cdf, x, *, whole):
    """P(X < x)."""
    return float(cdf(math.ceil(x) - 1 if whole else x))


def largest_half_width(cdf, confidence, parts, *, whole=False):
    """The w that holds all of so many independent errors at once: P(|X| <= w)^parts."""
    return half_width_of(cdf, math.exp(math.log(confidence) / parts), whole=whole)


def largest_mean(cdf, parts, *, whole=False):
    """E of the largest of so many |errors|: the sum, or the integral, of 1 - P(|X| <= x)^parts."""
    far = largest_half_width(cdf, 1 - 1e-13, parts, whole=whole)

    def missed(x):
        inside = cdf(x) - (cdf(np.floor(-x) if not whole else -x - 1) if whole else cdf(-x))
        return -np.expm1(parts * np.log(np.maximum(inside, 1e-300)))

    if whole:
        return float(np.sum(missed(np.arange(far + 1))))
    ends = np.linspace(0, far, 65)
    pieces = [integrate.quad(missed, a, b)[0] for a, b in itertools.pairwise(ends)]
    return math.fsum(pieces)
