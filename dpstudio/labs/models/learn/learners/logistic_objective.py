"""Logistic regression with noise on the objective that it minimises."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.models.learn.learners.learner import Claim, LearningFacts, Part, Replays, Task
from dpstudio.labs.models.learn.learners.linear_model import LogisticLearner, rows, sides
from dpstudio.privacy.learning import logistic_noise
from dpstudio.values.messages import N_, say


class LogisticObjective(LogisticLearner):
    """The exact minimiser of an objective that noise has tilted."""

    most_runs = 40
    key = "logistic_objective"
    label = N_("Logistic, objective")
    place = "objective"
    where = N_("on the objective")
    ink = "gaussian"
    source = "Chaudhuri, Monteleoni & Sarwate 2011, Algorithm 2; Kifer, Smith & Thakurta 2012"

    def claim(self, known: LearningFacts) -> Claim:
        text = N_(
            "The exact minimiser of the noisy objective: the tilt pays for the gradient of one "
            "person, the rest of ε for the curvature (Kifer, Smith & Thakurta 2012, Theorem 2)."
        )
        if known.replace:
            text = N_(
                "The exact minimiser of the noisy objective: the tilt pays for the gradient of "
                "one person, the rest of ε for the curvature (Chaudhuri, Monteleoni & Sarwate "
                "2011, Theorem 9)."
            )
        return Claim(known.epsilon, 0.0, say(text), known.epsilon)

    def parts(self, known: LearningFacts) -> tuple[Part, ...]:
        terms = logistic_noise.objective_terms(known.epsilon, self.ridge(known))
        rest = known.epsilon - terms.left
        tilt = Part(say("objective"), say("tilt"), terms.left, terms.scale)
        return tilt, Part(say("objective"), say("curvature"), rest, 0.0)

    def models(self, task: Task, known: LearningFacts, looked: Replays) -> Array:
        x, _ = rows(task)
        noise = logistic_noise.unit_noise(looked.generator, looked.runs, x.shape[1])
        epsilons = np.array([known.epsilon])
        question = "objective", known.epsilon, self.ridge(known), looked.runs, looked.seed
        return task.remember(
            question,
            lambda: logistic_noise.objective_perturbed(
                x, sides(task.y), epsilons, self.ridge(known), noise
            )[0],
        )
