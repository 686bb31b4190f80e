"""Choosing an upper bound privately among candidates: how likely each is, exactly."""

import math

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.mechanisms.choosing import Exponential
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.queries import ADD_REMOVE


def rank_sensitivity(q: float, adjacency: str, most: int = 1) -> float:
    """By how much one person, who has up to `most` rows, moves (rows at or below a bound) −
    q·(rows).

    One more row adds 1 − q or −q; one replaced moves a row across the bound, 1, or in or out of the
    condition, q or 1 − q.
    """
    return most * (max(q, 1 - q) if adjacency == ADD_REMOVE else 1.0)


def exponential_chances(ranks: Array, target: float, epsilon: float, sensitivity: float) -> Array:
    """P(i) ∝ exp(−ε·|rankᵢ − target| / 2Δ); shape of `ranks`."""
    return array(Exponential().at(epsilon).pmf(Scores(-np.abs(ranks - target), sensitivity)))


def search_chances(ranks: Array, target: float, epsilon: float, sensitivity: float) -> Array:
    """Chances of a binary search for the first rank ≥ target that compares noisy ranks; every step
    has its share of ε.

    Steps are ⌈log₂ m⌉ at most, each with fresh noise Lap(steps·Δ/ε), so the chance of a path is a
    product.
    """
    m = len(ranks)
    steps = max(1, math.ceil(math.log2(m)))
    down = LaplaceLaw(steps * sensitivity / epsilon).cdf(ranks - target)
    chances = np.zeros(m)
    waiting = [(0, m - 1, 1.0)]
    while waiting:
        low, high, chance = waiting.pop()
        if low == high:
            chances[low] = chance
            continue
        middle = (low + high) // 2
        waiting.append((low, middle, chance * float(down[middle])))
        waiting.append((middle + 1, high, chance * (1 - float(down[middle]))))
    return array(chances)
