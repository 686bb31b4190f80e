"""What learners of a number share: rows and label in the unit ball, weights read from their second
moments with noise, and R² on the test rows and on tables with more rows."""

from dataclasses import replace
from functools import partial

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.models.learn.learners.learner import (
    MOST,
    Growth,
    Learner,
    LearningFacts,
    Replays,
    Task,
    View,
    Weights,
)
from dpstudio.labs.models.learn.learners.linear_model import weight_names
from dpstudio.privacy.learning.linear import MOST_ROWS, rows_that_teach
from dpstudio.privacy.learning.moments import joined, r_squared, second_moments, solve_trimmed

EXACT = 1e-9  # of the trace: a ridge that only keeps columns apart which add up
_ROWS = np.geomspace(100, 1e6, 17)
_RUNS = 100  # models of a chart against rows


class Regression(Learner):
    """Base of those that tell a number by a weighted sum of the features."""

    numbers = True
    family = "regression"

    def noise(self, known: LearningFacts, looked: Replays, p: int, rows: int) -> Array:
        """What is drawn for moments of p columns, (runs, …), scaled; `rows` learnt from matter as
        printed alone."""
        raise NotImplementedError

    def read(self, moments: Array, noise: Array, known: LearningFacts) -> Array:
        """Weights with noise, (runs, p − 1), from the exact `moments`."""
        raise NotImplementedError

    def exact(self, task: Task, known: LearningFacts) -> Array:
        """The weights without noise, (p − 1,)."""
        moments = moments_of(task)
        return solve_trimmed(moments, EXACT * float(np.trace(moments)))

    def noiseless(self, task: Task, known: LearningFacts) -> float:
        return float(r_squared(self.exact(task, known), tested(task)))

    def models(self, task: Task, known: LearningFacts, looked: Replays) -> Array:
        """Weights with noise, (runs, p − 1)."""
        moments = moments_of(task)
        return self.read(moments, self.noise(known, looked, len(moments), len(task.x)), known)

    def scores(self, task: Task, known: LearningFacts, looked: Replays) -> Array:
        return r_squared(self.models(task, known, looked), tested(task))

    def views(self, task: Task, known: LearningFacts, looked: Replays) -> tuple[View, ...]:
        drawn, names = self.models(task, known, looked), weight_names(known.features)
        weights = Weights(names, self.exact(task, known), *looked.ends(drawn))
        return self._growth(task, known, looked), weights

    def _growth(self, task: Task, known: LearningFacts, looked: Replays) -> Growth:
        """How R² grows with the rows, on the rows learnt from, each as often as is needed."""
        mean = moments_of(task) / len(task.x)
        few = replace(looked, runs=min(looked.runs, _RUNS))

        def models(n: float, times: float = 1, *, keeps: bool = False) -> Array:
            public = replace(known, rows=known.rows and round(n))
            learner = self
            if not keeps:
                public, learner = replace(public, learnt=(round(n), round(n))), self.unguessed()
            noise = times * learner.noise(public, few, len(mean), round(n))
            return learner.read(n * mean, noise, public)

        scores = np.transpose([r_squared(models(n), mean) for n in _ROWS.tolist()])
        (low, high), middle = looked.ends(scores), np.median(scores, axis=0)
        whole = float(r_squared(self.exact(task, known), mean))
        # A guess that grows with the rows goes no further than guesses do.
        most = float(MOST) if self.guesses and known.rows is None else MOST_ROWS
        taught = rows_that_teach(mean, models, most=most)
        calm = float(np.median(r_squared(models(most, 0), mean)))
        kept = taught
        if taught.at is None and self.guesses and known.rows is None:
            kept = rows_that_teach(mean, partial(models, keeps=True))
        curves = array(low), array(middle), array(high)
        return Growth(array(_ROWS), *curves, whole, taught, calm, kept)

    def calm(self, task: Task, known: LearningFacts, looked: Replays) -> float:
        moments = moments_of(task)
        noise = self.noise(known, replace(looked, runs=1), len(moments), len(task.x))
        return float(r_squared(self.read(moments, 0 * noise, known), tested(task))[0])


def moments_of(task: Task) -> Array:
    """The second moments of the rows to learn from, (p, p), features, a 1 and then the label."""
    return task.remember("moments of numbers", lambda: _moments(task.linear()[0], task.y, task))


def tested(task: Task) -> Array:
    """Those of the rows to test with."""
    return task.remember("tested moments", lambda: _moments(task.linear()[1], task.test_y, task))


def _moments(x: Array, y: Array, task: Task) -> Array:
    # Of the words of a feature one alone is not 0.
    return second_moments(joined(x, y, len(task.sizes)))
