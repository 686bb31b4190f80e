"""Least squares on noisy second moments: noise on what is learnt from."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.models.learn.learners.gaussian_noise import GaussianNoise
from dpstudio.labs.models.learn.learners.learner import LearningFacts, Replays, Task
from dpstudio.labs.models.learn.learners.linear_model import LinearLearner, sides
from dpstudio.privacy.learning.moments import balanced_noise, joined, second_moments, solve_trimmed
from dpstudio.privacy.mechanisms.additive import DELTA
from dpstudio.values.fields import real
from dpstudio.values.messages import N_
from dpstudio.values.parameters import param

_EXACT = 1e-9  # of the trace: a ridge that only keeps columns apart which add up


class LeastSquares(GaussianNoise, LinearLearner):
    """The second moments of features and class (−1 or 1) with Gaussian noise; the weights are read
    from them."""

    key = "least_squares"
    label = N_("Least squares, moments")
    place = "input"
    where = N_("on the second moments of the table")
    ink = "geometric"
    source = "Dwork, Talwar, Thakurta & Zhang 2014; Balle & Wang 2018"

    delta: float = param(1e-5, DELTA)
    firmness: float = real(
        1.0,
        N_("Ridge, in σ"),
        N_("A ridge so many times the noise: it steadies what is read from noisy moments."),
        low=0.0,
        high=100.0,
    )

    def exact(self, task: Task, known: LearningFacts) -> Array:
        moments = _moments(task)
        return solve_trimmed(moments, _EXACT * float(np.trace(moments)))

    def models(self, task: Task, known: LearningFacts, looked: Replays) -> Array:
        moments, scale = _moments(task), self.scale(known)
        noise = balanced_noise(looked.generator, looked.runs, len(moments))
        return solve_trimmed(moments + scale * noise, self.firmness * scale)


def _moments(task: Task) -> Array:
    def made() -> Array:
        return second_moments(joined(task.linear()[0], sides(task.y), len(task.sizes)))

    return task.remember("moments", made)
