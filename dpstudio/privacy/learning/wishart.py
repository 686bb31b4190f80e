"""The additive Wishart mechanism: second moments with those of k random rows added, which stay
positive; how many rows it takes exactly, and the basis as printed, which is not private.

Noise N ~ W_p(I, k), rows ‖z‖ ≤ 1. Where one row z enters, output S has the privacy loss
    ln p(S | M)/p(S | M + zzᵀ) = −m/2·ln(1 − ‖z‖²/G) − ‖z‖²/2,   m = k − p − 1,
with G = ‖z‖²/(zᵀ N⁻¹ z), which is χ² with k − p + 1 degrees of freedom; where G ≤ ‖z‖² the other
table cannot give S at all. Seen from the other table, G − ‖z‖² has that law. So δ(ε) is exact.
"""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.gaussian import special
from dpstudio.privacy.queries.query import REPLACE
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError


def wishart_noise(rng: np.random.Generator, seeds: int, p: int, k: int) -> Array:
    """W_p(I, k), shape (seeds, p, p), by Bartlett's decomposition: k ≥ p random rows cost no more
    than p of them."""
    root = np.tril(rng.standard_normal((seeds, p, p)), -1)
    root[:, range(p), range(p)] = np.sqrt(rng.chisquare(k - np.arange(p), (seeds, p)))
    return np.asarray(root @ root.transpose(0, 2, 1))


def wishart_loss(noise: Array, row: Array, k: int) -> Array:
    """ln p(S | M)/p(S | M + zzᵀ) for outputs with S − M = `noise` (outputs, p, p) and z = `row`
    (p,), by the densities of both: (outputs,). ∞ where only M can give S; an S − M that is not
    positive comes from neither."""
    told = np.linalg.solve(noise, row[:, None])[..., 0] @ row  # 1/G·‖z‖²
    with np.errstate(divide="ignore"):
        left = np.log(np.maximum(1 - told, 0))
    power = (k - len(row) - 1) / 2
    moved = (-power * left if power else 0 * told) - row @ row / 2
    return np.asarray(np.where(told >= 1, np.inf, moved))


def wishart_delta(epsilon: float, p: int, k: int, length: float = 1.0) -> float:
    """Exact δ(ε) for a row of squared length `length` in (0, 1] that enters or leaves, the worse of
    the two; largest at 1. k ≥ p + 2."""
    m, half = k - p - 1, (k - p + 1) / 2
    chi = special().gammainc
    low = length / -math.expm1(-(length + 2 * epsilon) / m)
    leaves = chi(half, low / 2) - math.exp(epsilon) * chi(half, max(0.0, low - length) / 2)
    if 2 * epsilon >= length:  # the loss the other way stays below ‖z‖²/2
        return float(leaves)
    high = length / math.expm1((length - 2 * epsilon) / m)
    above = special().gammaincc
    enters = above(half, high / 2) - math.exp(epsilon) * above(half, (high + length) / 2)
    return float(max(leaves, enters))


def published_degrees(epsilon: float, delta: float, p: int) -> int:
    """k = ⌊p + 14/ε²·2 ln(4/δ)⌋ random rows (Sheffet 2019, "Old Techniques"): enough by
    `wishart_delta`, with room to spare."""
    return math.floor(p + 28 / epsilon**2 * math.log(4 / delta))


def exact_degrees(epsilon: float, delta: float, p: int, adjacency: str, most: int = 1) -> int:
    """The smallest k for which the mechanism is (ε, δ)-DP, by `wishart_delta`. Raises ParamError
    where ε or δ are out of range, and for what has no proof here: a row that is replaced, and a
    person with several."""
    if not (epsilon > 0 and 0 < delta < 1):
        raise ParamError("epsilon", say("The Wishart mechanism needs ε > 0 and 0 < δ < 1."))
    if adjacency == REPLACE or most > 1:
        text = N_(
            "The Wishart mechanism is proven for one row that enters or leaves, no more: choose "
            "Gaussian noise."
        )
        raise ParamError("adjacency", say(text))
    low, high = p + 1, max(p + 2, published_degrees(epsilon, delta, p))
    while wishart_delta(epsilon, p, high) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if wishart_delta(epsilon, p, middle) <= delta else (middle, high)
    return high


def printed_wishart_noise(
    rng: np.random.Generator, epsilon: float, n: int, seeds: int, p: int
) -> Array:
    """As printed (A.2.5): W_p(C, p + 1) with C = 3/(2nε)·I on M/n, claimed to be ε-DP; (seeds, p,
    p). It is not: noise that is always positive shows the table that lies above."""
    return wishart_noise(rng, seeds, p, p + 1) * (3 / (2 * n * epsilon))


def printed_impossible(epsilon: float) -> float:
    """Share of the outputs of a table that it cannot give any more once a row of length 1 is there,
    or stands in place of a row of zeros: P(χ²₂ < 2ε/3) = 1 − e^(−ε/3), whatever n and p. So δ is at
    least that large at any ε."""
    return -math.expm1(-epsilon / 3)
