"""Logistic regression with noise on its weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dpstudio.charts.figure import Array
from dpstudio.labs.learning.learn.learners.learner import Claim, Known, Looked, Part, Task
from dpstudio.labs.learning.learn.learners.linear_model import LogisticLearner
from dpstudio.privacy.learning.logistic_noise import output_scale, unit_noise
from dpstudio.values.messages import N_, Num, say


@dataclass(frozen=True)
class LogisticOutput(LogisticLearner):
    """The exact minimiser, and vector noise on it."""

    key: ClassVar[str] = "logistic_output"
    label: ClassVar[str] = N_("Logistic, weights")
    place: ClassVar[str] = "output"
    where: ClassVar[str] = N_("on the weights")
    ink: ClassVar[str] = "staircase"
    source: ClassVar[str] = "Chaudhuri, Monteleoni & Sarwate 2011, Algorithm 1"

    def claim(self, known: Known) -> Claim:
        moved = self.ridge(known).sensitivity
        text = N_(
            "One person moves the exact weights by at most {moved} in L2, and vector noise is "
            "scaled to that (Chaudhuri, Monteleoni & Sarwate 2011, Algorithm 1)."
        )
        theorem = say(text, moved=Num(moved, 3, "up"))
        return Claim(known.epsilon, 0.0, theorem, known.epsilon)

    def parts(self, known: Known) -> tuple[Part, ...]:
        scale = output_scale(known.epsilon, self.ridge(known))
        return (Part(say("weights"), say("noise"), known.epsilon, scale),)

    def models(self, task: Task, known: Known, looked: Looked) -> Array:
        exact = self.exact(task, known)
        noise = unit_noise(looked.generator, looked.runs, len(exact))
        return exact + output_scale(known.epsilon, self.ridge(known)) * noise
