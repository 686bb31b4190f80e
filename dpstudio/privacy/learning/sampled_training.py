"""Private gradient descent: a sample of the people in every step, their gradients clipped one by
one, and Gaussian noise on the sum."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError

LOGISTIC, LINEAR = "logistic", "linear"
LOSSES = (LOGISTIC, LINEAR)
_AT_ONCE = 1 << 16  # drawn places that are made in one go
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Plan:
    """How a training runs: `steps` steps; in each everybody is sampled with chance 0 < q ≤ 1
    (`chance`), a person's gradient is clipped to L2 norm `clip`, and noise N(0, (σ·clip)²I) is
    added to the sum, σ = `noise`. The sum is divided by q·`people`, a public number, and the
    weights move by `rate` times that; `ridge` is the λ of λ/2‖w‖², which is public and needs no
    noise."""

    steps: int
    chance: float
    noise: float
    clip: float
    rate: float
    people: float
    ridge: float = 0.0

    def __post_init__(self) -> None:
        """Raises ParamError for what is no training."""
        if not 0 < self.chance <= 1:
            raise ParamError("chance", say("The chance to be sampled is above 0 and at most 1."))
        if self.steps < 1:
            raise ParamError("steps", say("A training has at least one step."))
        positive = {"noise": self.noise, "clip": self.clip, "people": self.people}
        for field, value in positive.items():
            if not 0 < value < np.inf:
                raise ParamError(field, say("Noise, clip and number of people are above 0."))

    @property
    def batch(self) -> float:
        """How many people are drawn in a step on average, where there are `people`."""
        return self.chance * self.people

    @property
    def deviation(self) -> float:
        """Of the noise on the sum of gradients."""
        return self.noise * self.clip


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows put together by person: those of person i are `order`[`starts`[i] : `starts`[i + 1]]."""

    order: Integers
    starts: Integers

    @classmethod
    def of(cls, n: int, persons: NDArray[np.int64] | None) -> Rows:
        """Of n rows; each is a person of its own where nobody says whose it is."""
        if persons is None:
            return cls(np.arange(n), np.arange(n + 1))
        order = np.argsort(persons, kind="stable")
        first = np.flatnonzero(np.diff(persons[order], prepend=persons[order[:1]] - 1))
        return cls(order, np.append(first, n))

    @property
    def people(self) -> int:
        """How many persons there are."""
        return len(self.starts) - 1


def slopes(loss: str, z: Array, y: Array) -> Array:
    """Derivative of the loss by the score z = w·x: sigmoid(z) − y for labels y of 0 and 1
    (logistic), z − y (linear: half the squared error). The gradient of a row is this times x."""
    if loss == LINEAR:
        return np.asarray(z - y)
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-z)) - y)


def sampled(
    rng: np.random.Generator, places: int, chance: float, rounds: int
) -> Iterator[Integers]:
    """For each of so many rounds the places, of 0 … places − 1, that are in its sample, increasing:
    each with the same chance, by itself (Poisson sampling). The gaps between them are geometric,
    so that what is not drawn costs nothing."""
    if places == 0 or chance == 1:
        for _ in range(rounds):
            yield np.arange(places)
        return
    drawn, start = np.zeros(0, dtype=np.int64), 0
    for _ in range(rounds):
        end = start + places
        parts = [drawn]
        last = int(drawn[-1]) if len(drawn) else start - 1
        while last < end:
            size = min(_AT_ONCE, 16 + int(1.2 * places * chance))
            # A gap beyond this round leads into the next one, whose own law it starts.
            parts.append(last + np.cumsum(rng.geometric(chance, size)))
            last = int(parts[-1][-1])
        drawn = np.concatenate(parts)
        cut = int(np.searchsorted(drawn, end))
        yield drawn[:cut] - start
        drawn, start = drawn[cut:], end


def descent(
    x: Array,
    y: Array,
    plan: Plan,
    rng: np.random.Generator,
    seeds: int = 1,
    loss: str = LOGISTIC,
    persons: NDArray[np.int64] | None = None,
) -> Iterator[Array]:
    """The weights after every step, shape (seeds, p), of so many trainings at once: x (n, p)
    finite, y (n,) of 0 and 1 (logistic) or numbers (linear); a constant is a column of x. Each
    starts at 0.

    Unit: one person, who joins or leaves with all their rows (`persons` (n,); a row each without).
    Their clipped gradients move the sum by at most `clip` in L2 norm, so that a step is Gaussian
    noise of σ = `plan.noise` at sensitivity 1, of a Poisson sample (Abadi et al. 2016, Algorithm
    1, with whole persons for examples; `training_promise` says what all steps cost). Noise is
    for looking: the generator is the caller's. ParamError for other labels or another loss.
    """
    _checked(y, loss)
    rows, width = Rows.of(len(x), persons), x.shape[1]
    weights = np.zeros((seeds, width))
    pace = plan.rate / plan.batch
    for drawn in sampled(rng, seeds * rows.people, plan.chance, plan.steps):
        total = rng.standard_normal((seeds, width)) * plan.deviation
        if len(drawn):
            seed, person = np.divmod(drawn, rows.people)
            total += clipped_sums(x, y, weights, (seed, person), rows, plan.clip, loss)
        weights = weights * (1 - plan.rate * plan.ridge) - pace * total
        yield weights


def trained(
    x: Array,
    y: Array,
    plan: Plan,
    rng: np.random.Generator,
    seeds: int = 1,
    loss: str = LOGISTIC,
    persons: NDArray[np.int64] | None = None,
) -> Array:
    """The weights of `descent` at its end, shape (seeds, p)."""
    return deque(descent(x, y, plan, rng, seeds, loss, persons), maxlen=1)[0]


def _checked(y: Array, loss: str) -> None:
    if loss not in LOSSES:
        raise ParamError("loss", say("Gradients are known of the logistic and the linear loss."))
    if loss == LOGISTIC and not np.isin(y, (0, 1)).all():
        raise ParamError("label", say("Logistic training tells two classes apart, 0 and 1."))


def clipped_sums(
    x: Array,
    y: Array,
    weights: Array,
    drawn: tuple[Integers, Integers],
    rows: Rows,
    clip: float,
    loss: str,
) -> Array:
    """Sums of clipped gradients of the drawn (seed, person), seeds increasing; shape (seeds, p)."""
    seed, person = drawn
    count = rows.starts[person + 1] - rows.starts[person]
    first = np.cumsum(count) - count
    place = np.arange(int(count.sum())) + np.repeat(rows.starts[person] - first, count)
    row, of_seed = rows.order[place], np.repeat(seed, count)
    found = x[row]
    slope = slopes(loss, np.einsum("ij,ij->i", found, weights[of_seed]), y[row])
    found *= slope[:, None]
    gradients = found if len(found) == len(seed) else np.add.reduceat(found, first, axis=0)
    norm = np.sqrt(np.einsum("ij,ij->i", gradients, gradients))
    gradients *= np.minimum(1.0, clip / np.maximum(norm, 1e-300))[:, None]
    total = np.zeros(weights.shape)
    some, begin = np.unique(seed, return_index=True)
    total[some] = np.add.reduceat(gradients, begin, axis=0)
    return total
