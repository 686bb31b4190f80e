"""What can be audited: the noisy counts and sums of a naive Bayes, with the budget split over them,
and as texts print it."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.learning import naive_bayes
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import N_
from dpstudio.values.parameters import param

_SHAPE = naive_bayes.Shape((0, 3), 2)  # a number, and three words
_ROWS, _CLASSES = np.array([[-1.0, 0.0], [1.0, 2.0]]), np.array([0.0, 1.0])


class NoisyBayes(Subject):
    """All that a naive Bayes is made of; D′ has a row more, which moves every statistic by as much
    as one row can."""

    key = "noisy_bayes"
    label = N_("Noisy Bayes")
    what = N_(
        "The counts, sums and squares of a naive Bayes, which share ε: a row enters between D and "
        "D′."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)

    @property
    def split(self) -> naive_bayes.Split:
        """What each statistic spends."""
        return naive_bayes.split_budget(self.epsilon, _SHAPE)

    def exact(self) -> float:
        return self.split.total(_SHAPE)

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        unit = naive_bayes.unit_noise(_SHAPE, size, rng)
        return _flat(
            naive_bayes.noisy(self._statistics(side), unit, naive_bayes.scales(self.split, False)),
            size,
        )

    def loss(self, outputs: Array) -> Array:
        here, there = (_flat(self._statistics(side), 1) for side in (0, 1))
        zero = naive_bayes.statistics(_ROWS[:0], _CLASSES[:0], _SHAPE)
        one = naive_bayes.Statistics(*(np.ones_like(part) for part in _parts(zero)))
        scale = _flat(naive_bayes.noisy(zero, one, naive_bayes.scales(self.split, False)), 1)
        away = np.abs(outputs - there) - np.abs(outputs - here)
        return np.asarray((away / scale).sum(axis=1))

    @staticmethod
    def _statistics(side: int) -> naive_bayes.Statistics:
        return naive_bayes.statistics(_ROWS[: 1 + side], _CLASSES[: 1 + side], _SHAPE)


class PrintedBayes(NoisyBayes):
    """The same where every statistic spends all of ε."""

    key = "printed_bayes"
    label = N_("Printed Bayes")
    what = N_("A naive Bayes as printed: each of its counts, sums and squares spends all of ε.")

    @property
    def split(self) -> naive_bayes.Split:
        return naive_bayes.printed_split(self.epsilon)


def _parts(found: naive_bayes.Statistics) -> tuple[Array, ...]:
    return found.counts, found.sums, found.squares, found.cells


def _flat(found: naive_bayes.Statistics, size: int) -> Array:
    """All of them in a row, (size, numbers)."""
    return np.concatenate([part.reshape(size, -1) for part in _parts(found)], axis=1)
