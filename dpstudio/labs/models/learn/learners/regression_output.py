"""Linear regression with noise on its weights."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.models.learn.learners import linear_model
from dpstudio.labs.models.learn.learners.learner import Claim, LearningFacts, Part, Replays
from dpstudio.labs.models.learn.learners.regression import Regression
from dpstudio.privacy.learning.linear import ball_sensitivity, output_perturbed
from dpstudio.privacy.learning.logistic_noise import Ridge, unit_noise
from dpstudio.values.fields import real
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import param


class OutputRegression(Regression):
    """The exact ridge regression of short weights, and vector noise on it."""

    key = "output_regression"
    seldom = True
    label = N_("Regression, weights")
    place = "output"
    where = N_("on the weights")
    ink = "l2norm"
    source = N_("Chaudhuri, Monteleoni & Sarwate 2011, Algorithm 1, in a ball")

    penalty: float = param(0.1, linear_model.PENALTY)
    about: int | None = param(None, linear_model.ABOUT)
    radius: float = real(
        1.0,
        N_("Longest weights"),
        N_("A public bound on the length of the weights: a square has no slope without it."),
        low=0.1,
        high=100.0,
        log=True,
    )

    def refusal(self, known: LearningFacts) -> Message | None:
        return linear_model.with_public_rows(known) or super().refusal(known)

    def ridge(self, known: LearningFacts) -> Ridge:
        """How strongly the weights are held at 0, and how many rows one person moves."""
        return linear_model.ridge_of(self.penalty, self.guess(known), known)

    def moved(self, known: LearningFacts) -> float:
        """How far one person moves the weights, in L2."""
        return ball_sensitivity(self.ridge(known), self.radius)

    def claim(self, known: LearningFacts) -> Claim:
        text = N_(
            "One person moves the exact weights by at most {moved} in L2, since they are no longer "
            "than {radius}; vector noise is scaled to that (Chaudhuri, Monteleoni & Sarwate 2011)."
        )
        values = {"moved": Num(self.moved(known), 3, "up"), "radius": Num(self.radius, 4)}
        return Claim(known.epsilon, 0.0, Message(text, values), known.epsilon)

    def parts(self, known: LearningFacts) -> tuple[Part, ...]:
        scale = self.moved(known) / known.epsilon
        return (Part(say("weights"), say("noise"), known.epsilon, scale),)

    def noise(self, known: LearningFacts, looked: Replays, p: int, rows: int) -> Array:
        return unit_noise(looked.generator, looked.runs, p - 1)

    def read(self, moments: Array, noise: Array, known: LearningFacts) -> Array:
        epsilons = np.array([known.epsilon])
        ridge = self.ridge(known)
        models: Array = output_perturbed(moments, epsilons, ridge, self.radius, noise)[1][0]
        return models
