"""Noise: its size for what one person can change and for a budget, and the law of the error that it
makes."""

import math

import numpy as np
from scipy import optimize, special


def norms(moves, place=0):
    """(L1, L2, Linf) of the largest moves of one measurement."""
    sizes = [np.array(move[place], dtype=float) for move in moves if move[place]]
    return (
        max(float(each.sum()) for each in sizes),
        max(math.hypot(*each) for each in sizes),
        max(float(each.max()) for each in sizes),
    )


def grown(moves, rows):
    """The same where one person has up to so many rows, which may all do the same."""
    return tuple(tuple(tuple(rows * by for by in part) for part in move) for move in moves)


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


def leaky_cdf(x, scale, delta):
    """P(X <= x) of noise that is 0 with probability delta, and else Laplace."""
    return (1 - delta) * laplace_cdf(x, scale) + delta * (np.asarray(x) >= 0)


def staircase_gamma(epsilon, aim):
    """The high part of each step for the least E|X| or the least E X^2 (Geng & Viswanath 2016)."""
    b = math.exp(-epsilon)
    if aim == "l1":
        return 1 / (1 + math.exp(epsilon / 2))
    return ((b * (1 + b) / 2) ** (1 / 3) - b) / (1 - b)


def staircase_of(moves, place, epsilon, shape):
    """(epsilon of each coordinate, gamma, how many coordinates one person moves) of a measurement:
    all of them may be moved by a whole step, so they share epsilon."""
    moved = max(len(move[place]) for move in moves)
    each = min(500.0, epsilon / moved)
    return each, shape if isinstance(shape, float) else staircase_gamma(each, shape), moved


def staircase_height(epsilon, gamma):
    """The density at 0 of steps of width 1."""
    b = math.exp(-epsilon)
    return (1 - b) / (2 * (gamma + b * (1 - gamma)))


def staircase_cdf(x, width, epsilon, gamma):
    """P(X <= x): the density falls by exp(-epsilon) from one step of this width to the next, at the
    share gamma of each (Geng & Viswanath 2016)."""
    b, c = math.exp(-epsilon), staircase_height(epsilon, gamma)
    size = np.abs(x) / width
    step = np.floor(size)
    part = size - step
    inside = np.where(part < gamma, 0.5 - c * part, b * (0.5 + c * (1 - part)))
    tail = np.exp(-epsilon * step) * inside
    return np.where(np.asarray(x) < 0, tail, 1 - tail)


def staircase_mean(width, epsilon, gamma):
    """E|X| of steps of this width."""
    b = math.exp(-epsilon)
    level = gamma + b * (1 - gamma)
    return width * (b / (1 - b) + (gamma**2 + b * (1 - gamma**2)) / (2 * level))


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


def vector_sigmas(moves, shares, sigma):
    """The sigma of each measurement where all of them are one Gaussian vector, and `sigma` is right
    for a sensitivity of 1: one person moves it by sqrt(sum (move / sigma_i)^2) (Dong, Roth & Su
    2022, Corollary 3.3), of which each measurement has its share."""
    lengths = [norms(moves, i)[1] for i in range(len(shares))]
    most = max(
        sum(s * (math.hypot(*move[i]) / lengths[i]) ** 2 for i, s in enumerate(shares))
        for move in moves
    )
    return [by * math.sqrt(most / s) * sigma for by, s in zip(lengths, shares, strict=True)]


def chance_inside(x, cdf, truths, *, clamped=False, rounded=False, whole=False):
    """P(every |error| <= x) of answers with independent noise: of one that is raised to 0 where it
    is below, the error cannot go below -truth; rounding is to the nearest integer."""
    x = np.asarray(x, dtype=float)[..., None]
    up = np.floor(x) + 0.5 if rounded and not whole else np.floor(x) if whole else x
    # P(X < -x), which of integers is P(X <= -x - 1).
    under = cdf(-up - 1) if whole else cdf(-up)
    if clamped:
        under = np.where(x >= truths, 0.0, under)
        out = np.where(x < -truths, 0.0, cdf(up) - under)
    else:
        out = np.broadcast_to(cdf(up) - under, np.broadcast_shapes(x.shape, truths.shape))
    return np.prod(np.maximum(out, 0.0), axis=-1)


def half_width_of(inside, confidence, *, whole=False):
    """The least w with P(|error| <= w) >= confidence, by halving."""
    high = 1.0
    while inside(high) < confidence:
        high *= 2
    low = -1 if whole else 0.0
    high = math.ceil(high) if whole else high
    for _ in range(200):
        middle = (low + high) // 2 if whole else (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if inside(middle) >= confidence else (middle, high)
    return float(high) if whole else high


def mean_of(inside, truths=(), *, whole=False, squared=False):
    """E|error|, the integral or the sum of P(|error| > x), or E error^2, that of 2x P(|error| >
    x)."""
    far = half_width_of(inside, 1 - 1e-13, whole=whole)
    if whole:
        k = np.arange(far + 1)
        return math.fsum((1 - inside(k)) * (2 * k + 1 if squared else 1))
    jumps = [t for t in np.abs(truths) if 0 < t < far]
    ends = np.unique([*np.linspace(0, far, 401), *jumps])
    # By Gauss and Legendre between every two of these ends.
    nodes, weights = np.polynomial.legendre.leggauss(12)
    half = np.diff(ends)[:, None] / 2
    x = (ends[1:] + ends[:-1])[:, None] / 2 + half * nodes
    return float(np.sum(half * weights * (1 - inside(x)) * (2 * x if squared else 1)))


def ratio(noisy, low, high, middle, step):
    """A noisy sum over a noisy count, as a mean between two bounds."""
    total, count = noisy
    return np.clip(step * total / np.maximum(count, 1.0) + middle, low, high)


def spread(noisy, half, *, root):
    """A variance, or its root, of a noisy sum, sum of squares and count."""
    total, squares, count = noisy
    n = np.maximum(count, 1.0)
    variance = np.clip(squares / n - (total / n) ** 2, 0.0, half**2)
    return np.sqrt(variance) if root else variance


def geometric_draws(rng, loss, size):
    """Two geometric numbers, and their difference."""
    p = -math.expm1(-loss)
    return (rng.geometric(p, size) - rng.geometric(p, size)).astype(float)


def leaky_draws(rng, scale, delta, size):
    """Laplace noise, of which a whole answer is 0 with probability delta."""
    return np.where(rng.random((size[0], 1)) < delta, 0.0, rng.laplace(0, scale, size))


def staircase_draws(rng, width, epsilon, gamma, size):
    """The step, its high or low part, the place within that, the sign (Geng & Viswanath 2016)."""
    b = math.exp(-epsilon)
    step = rng.geometric(1 - b, size) - 1
    high = rng.random(size) < gamma / (gamma + b * (1 - gamma))
    place = rng.random(size)
    part = np.where(high, gamma * place, gamma + (1 - gamma) * place)
    return rng.choice([-1.0, 1.0], size) * (step + part) * width


def norm_draws(rng, scale, dims, size):
    """Coordinates of vectors of so many with density proportional to exp(-|b| / scale)."""
    length = np.sqrt(2 * rng.standard_gamma((dims + 1) / 2, (size[0], 1)))
    return length * rng.standard_normal(size) * scale


def norm_mean(scale, dims):
    """E|X| of one coordinate of such a vector: sqrt(2W) Z with W of shape (dims + 1)/2."""
    shape = (dims + 1) / 2
    return 2 * scale / math.sqrt(math.pi) * math.exp(math.lgamma(shape + 0.5) - math.lgamma(shape))


def norm_cdf(x, scale, dims):
    """P(X <= x) of one coordinate: the mean of Phi(x / sqrt(2 W)) over W."""
    shape = (dims + 1) / 2
    shares = (np.arange(4000) + 0.5) / 4000
    # Half-way in the angle: the tails of W are looked at closely too.
    shares = np.sin(shares * math.pi / 2) ** 2
    ends = np.sin(np.arange(4001) / 4000 * math.pi / 2) ** 2
    deviations = np.sqrt(2 * special.gammaincinv(shape, shares)) * scale
    return special.ndtr(np.asarray(x, dtype=float)[..., None] / deviations) @ np.diff(ends)


def staircase_deviation(width, epsilon):
    """The least standard deviation of steps of this width (Geng & Viswanath 2016)."""
    return staircase_root(width, epsilon, staircase_gamma(epsilon, "l2"))


def staircase_root(width, epsilon, g):
    """The standard deviation of steps of this width, of which the share g is high."""
    b = math.exp(-epsilon)
    gap, level = 1 - b, g + b * (1 - g)
    second, third = g**2 + b * (1 - g**2), (g**3 + b * (1 - g**3)) / 3
    return width * math.sqrt(b * (1 + b) / gap**2 + (second * b / gap + third) / level)


def geometric_deviation(loss):
    """The standard deviation of noise that loses so much a step."""
    return (
        math.sqrt(0.5) / math.sinh(loss / 2) if loss < 700 else math.sqrt(2) * math.exp(-loss / 2)
    )


def tiers(errors):
    """The keys with the least error, then those with the least of what is left, and so on; those
    within 0.05 % are level."""
    left, found = dict(sorted(errors.items(), key=lambda pair: pair[1])), []
    while left:
        least = min(left.values())
        found.append([key for key, error in left.items() if error <= least * 1.0005])
        left = {key: error for key, error in left.items() if error > least * 1.0005}
    return found
