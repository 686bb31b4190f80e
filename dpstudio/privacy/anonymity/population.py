"""Who is found in a population of which a table is a part: what a register tells, and what the
table alone lets one estimate."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpstudio.privacy.anonymity.classes import Classes, Codes, Mask

_EACH = 256  # terms of the sum that are added one by one; the others by their integral
_NODES = np.polynomial.legendre.leggauss(64)
_GOLDEN = (math.sqrt(5) - 1) / 2
_STEPS = 40
_LOGS = (-9.0, 18.0)  # of θ + α


def matches(classes: Classes, allowed: Sequence[Sequence[Mask]], population: Codes) -> Codes:
    """How many of a population, (people, columns), what is published of each class fits, (many,).
    `allowed[class][column]` says of each code whether it fits."""
    out = np.zeros(classes.many, dtype=np.int64)
    for place, masks in enumerate(allowed):
        rows = np.arange(len(population))
        for column, mask in enumerate(masks):
            rows = rows[mask[population[rows, column]]]
        out[place] = len(rows)
    return out


@dataclass(frozen=True)
class Pitman:
    """The law of the sizes of classes: with n people seated, the next one is alone with a chance of
    (θ + α·classes)/(θ + n), else in a class of m with one of (m − α)/(θ + n) (Pitman 1995; Hoshino
    2001). 0 < α < 1, θ > −α."""

    theta: float
    alpha: float

    def alone(self, sizes: Codes, people: int) -> float:
        """The expected share of `people` that is alone, where those in classes of these sizes are
        seated: those of them who stay alone, and the others, each of whom may sit down next."""
        rows, unique = int(sizes.sum()), int(np.count_nonzero(sizes == 1))
        opens = (self.theta + self.alpha * len(sizes)) / (self.theta + rows)
        out = unique * self.stays(rows, people)
        if people > rows:
            out += (people - rows) * opens * self.stays(rows + 1, people)
        return out / people

    def stays(self, rows: int, people: int) -> float:
        """The chance that who is alone among `rows` people is so among `people`, of whom they are
        part: none of the others sits down beside her."""
        theta, both = self.theta, self.theta + self.alpha
        return math.exp(
            math.lgamma(both + people - 1) - math.lgamma(both + rows - 1)
            - math.lgamma(theta + people) + math.lgamma(theta + rows)
        )  # fmt: skip

    def log_likelihood(self, sizes: Codes) -> float:
        """The log of the chance of a partition into classes of these sizes (Hoshino 2001, the
        Pitman sampling formula)."""
        values, many = np.unique(sizes, return_counts=True)
        return self._fewer(len(sizes), int(sizes.sum())) + _within(self.alpha, values, many)

    def _fewer(self, classes: int, rows: int) -> float:
        """The part of it that only the numbers of classes and rows decide."""
        ends = math.lgamma(self.theta + 1) - math.lgamma(self.theta + rows)
        return _log_sum(self.theta, self.alpha, classes) + ends


def _within(alpha: float, values: Codes, many: Codes) -> float:
    from scipy.special import gammaln

    return float(many @ (gammaln(values - alpha) - gammaln(1 - alpha)))


def _log_sum(theta: float, alpha: float, classes: int) -> float:
    """Σ ln(θ + iα) over i = 1 … classes − 1; far terms by the integral, corrected for its ends
    (Euler and Maclaurin)."""
    first = np.arange(1, min(classes, _EACH))
    out = float(np.log(theta + alpha * first).sum())
    if classes > _EACH:
        low, high = _EACH - 0.5, classes - 0.5
        at = (low + high) / 2 + (high - low) / 2 * _NODES[0]
        out += float((high - low) / 2 * (_NODES[1] @ np.log(theta + alpha * at)))
        out -= (alpha / (theta + alpha * high) - alpha / (theta + alpha * low)) / 24
    return out


def fitted(sizes: Codes) -> Pitman | None:
    """The law under which a sample with classes of these sizes is likeliest; None where all are
    alone or in one class, so that there is no best one."""
    rows, classes = int(sizes.sum()), len(sizes)
    if not 1 < classes < rows:
        return None
    values, many = np.unique(sizes, return_counts=True)

    def theta_of(alpha: float) -> float:
        best = _highest(lambda log: Pitman(math.exp(log) - alpha, alpha)._fewer(classes, rows),
                        *_LOGS)  # fmt: skip
        return math.exp(best) - alpha

    def profile(alpha: float) -> float:
        return Pitman(theta_of(alpha), alpha)._fewer(classes, rows) + _within(alpha, values, many)

    alpha = _highest(profile, 1e-6, 1 - 1e-6)
    return Pitman(theta_of(alpha), alpha)


def _highest(of: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one peak is highest, by golden section."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    there = of(left), of(right)
    for _ in range(_STEPS):
        if there[0] > there[1]:
            high, right = right, left
            left = high - _GOLDEN * (high - low)
            there = of(left), there[0]
        else:
            low, left = left, right
            right = low + _GOLDEN * (high - low)
            there = there[1], of(right)
    return (low + high) / 2
