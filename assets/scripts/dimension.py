"""Noise on many coordinates at once, of scale 1: its error by four measures."""

import math

import numpy as np
from scipy import optimize, special

# Which shape the noise of a mechanism has: Laplace, normal, or with density exp(-length).
SHAPES = {"laplace": "laplace", "gaussian": "normal", "textbook": "normal", "l2norm": "ball"}


def moved(growth, k):
    """How many of k coordinates one person moves by 1 each."""
    return {"all": k, "one": 1.0, "two": min(k, 2.0)}[growth]


def unit_error(shape, measure, k, confidence):
    """The error of noise of scale 1 on k coordinates, k real: the standard deviation or the mean of
    |X| of one coordinate, the mean length of all, or the largest |X| at a confidence."""
    if measure == "length":
        return mean_length(shape, k)
    if measure == "largest":
        return largest_error(shape, k, confidence)
    if shape == "laplace":
        return math.sqrt(2) if measure == "deviation" else 1.0
    if shape == "normal":
        return 1.0 if measure == "deviation" else math.sqrt(2 / math.pi)
    if measure == "deviation":
        return math.sqrt(k + 1)
    return 2 / math.sqrt(math.pi) * math.exp(math.lgamma(k / 2 + 1) - math.lgamma((k + 1) / 2))


def mean_length(shape, k):
    """E of the L2 norm: k for the ball, chi for normal noise, and of Laplace noise the integral of
    (1 - M(s)^k) s^(-3/2) / (2 sqrt(pi)), M(s) = E exp(-s X^2) = sqrt(pi) z erfcx(z), z = 1/(2
    sqrt(s))."""
    if shape == "ball":
        return k
    if shape == "normal":
        return math.sqrt(2) * math.exp(math.lgamma((k + 1) / 2) - math.lgamma(k / 2))
    t = np.arange(-76.0, 76.0, 0.125)
    s = np.exp(t)
    z = 0.5 / np.sqrt(s)
    # Where s is small the two factors cancel, and their series does not.
    small = s < 2e-4
    x = np.where(small, 2 * s, 0.0)
    series = np.log1p(-x + 3 * x**2 - 15 * x**3 + 105 * x**4 - 945 * x**5)
    log_m = np.where(
        small, series, np.log(math.sqrt(math.pi) * z * special.erfcx(np.minimum(z, 1e8)))
    )
    lost = -np.expm1(k * log_m)
    return float(lost @ np.exp(-t / 2)) * 0.125 / (2 * math.sqrt(math.pi))


def largest_error(shape, k, confidence):
    """The w with P(every |X| <= w) = confidence."""
    rest = -math.expm1(math.log(confidence) / k)
    if shape == "laplace":
        return -math.log(rest)
    if shape == "normal":
        return float(-special.ndtri(rest / 2))
    # All coordinates of the ball have one length: sqrt(2W) Z with W of shape (k + 1)/2.
    shape_w = (k + 1) / 2
    low, high = (
        np.log(special.gammaincinv(shape_w, 1e-16)),
        np.log(special.gammainccinv(shape_w, 1e-16)),
    )
    t = np.linspace(low, high, 400)
    weight = np.exp(shape_w * t - np.exp(t) - special.gammaln(shape_w))
    weight /= weight.sum()

    def gap(w):
        inside = special.erf(w / (2 * np.exp(t / 2))) ** k
        return float(weight @ inside) - confidence

    return optimize.brentq(gap, 0.0, 100.0 * math.sqrt(k + 1) * (1 - math.log(rest)), xtol=1e-13)


def first_meeting(difference, most):
    """The first k above 1 at which a difference is 0; None where there is none up to `most`."""
    ends = np.geomspace(1.0, most, 161)
    values = [difference(k) for k in ends]
    values = [0.0 if abs(value) < 1e-11 else value for value in values]
    for place in range(160):
        a, b = values[place], values[place + 1]
        if a * b < 0:
            return optimize.brentq(difference, ends[place], ends[place + 1], xtol=1e-13, rtol=1e-14)
        if a == 0 and ends[place] > 1:
            return float(ends[place])
    return None
