"""Logistic regression with noise on its weights."""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.models.learn.learners.learner import Claim, LearningFacts, Part, Replays, Task
from dpstudio.labs.models.learn.learners.linear_model import LogisticLearner, rows, sides
from dpstudio.privacy.learning import logistic, logistic_noise
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_, Num, say

PRINTED = {
    "": N_("as proved"),
    "scale": N_("as printed: 2/λ · n"),
    "bounds": N_("as printed: bounds read from the data"),
}


class LogisticOutput(LogisticLearner):
    """The exact minimiser, and vector noise on it."""

    key = "logistic_output"
    label = N_("Logistic, weights")
    place = "output"
    where = N_("on the weights")
    ink = "staircase"
    source = "Chaudhuri, Monteleoni & Sarwate 2011, Algorithm 1"

    printed: str = choice(
        "",
        N_("Noise"),
        N_("As it is proved, or as texts print it, with a mistake."),
        options=PRINTED,
    )

    def claim(self, known: LearningFacts) -> Claim:
        epsilon = known.epsilon
        if self.printed == "bounds":
            text = N_(
                "As printed the rows are divided by the longest of the data: one person then moves "
                "all of them, and no sensitivity is known."
            )
            return Claim(epsilon, 0.0, say(text), math.inf)
        if self.printed == "scale":
            text = N_(
                "As printed the weights move by 2/λ · n, where 2/(λ · n) is meant: noise {times} "
                "times too large keeps the promise, and leaves nothing to learn."
            )
            return Claim(epsilon, 0.0, say(text, times=Num(self.excess(known), 3)), epsilon)
        moved = self.ridge(known).sensitivity
        text = N_(
            "One person moves the exact weights by at most {moved} in L2, and vector noise is "
            "scaled to that (Chaudhuri, Monteleoni & Sarwate 2011, Algorithm 1)."
        )
        return Claim(epsilon, 0.0, say(text, moved=Num(moved, 3, "up")), epsilon)

    def scale(self, known: LearningFacts) -> float:
        """Scale of the vector noise on the weights."""
        ridge = self.ridge(known)
        if self.printed == "scale":
            rows = round(ridge.strength / self.penalty)
            return logistic_noise.printed_output_scale(known.epsilon, rows, self.penalty)
        return logistic_noise.output_scale(known.epsilon, ridge)

    def excess(self, known: LearningFacts) -> float:
        """How many times the noise is what the proof asks for."""
        return self.scale(known) / logistic_noise.output_scale(known.epsilon, self.ridge(known))

    def parts(self, known: LearningFacts) -> tuple[Part, ...]:
        return (Part(say("weights"), say("noise"), known.epsilon, self.scale(known)),)

    def exact(self, task: Task, known: LearningFacts) -> Array:
        if self.printed != "bounds":
            return super().exact(task, known)
        strength = self.ridge(known).strength

        # Which side of a line a row lies on is no matter of its length.
        return task.remember(
            ("scaled by the data", strength),
            lambda: np.asarray(
                logistic.fit(logistic_noise.printed_ball(rows(task)[0]), sides(task.y), strength)[0]
            ),
        )

    def models(self, task: Task, known: LearningFacts, looked: Replays) -> Array:
        exact = self.exact(task, known)
        return exact + self.scale(known) * logistic_noise.unit_noise(
            looked.generator, looked.runs, len(exact)
        )
