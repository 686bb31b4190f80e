"""How often somebody is right, counted on some rows: between which rates that lies among all rows
like these, and which score is better than one answer for all by more than the chance of which rows
were counted."""

import math
from dataclasses import dataclass

Z95 = 1.959963984540054


@dataclass(frozen=True)
class Rate:
    """How often somebody is right, and between which rates it lies with 95 % (Wilson 1927)."""

    right: float
    low: float
    high: float


def rate(right: int, tries: int) -> Rate:
    """The rate of `right` among some tries > 0."""
    p, z2 = right / tries, Z95**2
    middle = (p + z2 / (2 * tries)) / (1 + z2 / tries)
    half = Z95 / (1 + z2 / tries) * math.sqrt(p * (1 - p) / tries + z2 / (4 * tries**2))
    return Rate(p, max(0.0, middle - half), min(1.0, middle + half))


def least_better(constant: float, n: int) -> float:
    """A model in which n test rows had no part is better, at 95 %, than one answer that is right of
    the share `constant` of them, where it tells a larger share right than this.

    Where only one of the two is right, the model is b times and the answer c times: b − c =
    (s − constant)·n, and b + c ≤ (2 − constant − s)·n, since the answer is wrong b times at least.
    Where neither is better b − c has the variance b + c (McNemar 1947). Of few rows it is all of
    them: no score is then more than may be chance."""
    a = Z95**2 / n
    return min(1.0, constant + (math.sqrt(a**2 + 8 * a * (1 - constant)) - a) / 2)


def least_explained(n: int) -> float:
    """Such a model is better, at 95 %, than their mean where its R² on n test rows is larger: it is
    at most the square of a correlation, whose variance is about 1/n where there is none. It is at
    most 1, as R² is."""
    return min(1.0, Z95**2 / n)
