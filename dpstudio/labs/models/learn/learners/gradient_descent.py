"""Logistic regression by gradient descent with noise in every step."""

from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.memory import Memory
from dpstudio.labs.models.learn.learners import learner
from dpstudio.labs.models.learn.learners.learner import Claim, LearningFacts, Part, Replays, Task
from dpstudio.labs.models.learn.learners.linear_model import LogisticLearner, rows, sides
from dpstudio.privacy.learning.logistic import right
from dpstudio.privacy.learning.sampled_training import Plan, descent
from dpstudio.privacy.learning.training_promise import Check, noise_for, nothing
from dpstudio.privacy.learning.training_statement import statement
from dpstudio.privacy.mechanisms.additive import DELTA
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import param

# Constants of the mathematics: σ by chance, steps, ε and δ, which a curve asks for at every ε.
_NOISES = Memory(1 << 16)
_NONE = 1e-300  # σ that moves no weight


class GradientDescent(LogisticLearner):
    """In each step a sample of the people, their gradients clipped, and Gaussian noise on the
    sum."""

    most_runs = 40
    slow = True
    targets = ("epsilon", "noise", "steps", "batch", "rows")
    key = "gradient_descent"
    label = N_("Logistic, gradients")
    place = "algorithm"
    where = N_("on the gradient of every step")
    ink = "l2norm"
    source = "Abadi et al. 2016; Zhu, Dong & Wang 2022"

    delta: float = param(1e-5, DELTA)
    steps: int = integer(
        100, N_("Steps"), N_("How often the weights move."), low=1, high=500, log=True
    )
    chance: float = real(
        0.02,
        N_("Share sampled"),
        N_("The chance q of each person to be in the sample of a step."),
        low=1e-3,
        high=0.2,
        log=True,
    )
    clip: float = real(
        0.5,
        N_("Clip"),
        N_("The gradient of one person is shortened to this length."),
        low=1e-3,
        high=100.0,
        log=True,
    )
    rate: float = real(
        20.0, N_("Rate"), N_("How far a step goes."), low=1e-3, high=1_000.0, log=True
    )

    def refusal(self, known: LearningFacts) -> Message | None:
        if known.replace:
            return say(
                "Sampling is accounted for a person who comes or goes: choose “Add or remove one”."
            )
        return super().refusal(known)

    def noise(self, epsilon: float, check: Check = nothing) -> float:
        """σ of the noise of a step in units of the clip, at which all steps cost ε at this δ, by
        the accountant that says least."""
        training = self.chance, self.steps, epsilon, self.delta
        return _NOISES.remember(training, lambda: noise_for(*training, check))

    def claim(self, known: LearningFacts) -> Claim:
        text = N_(
            "{steps:# step|# steps} with noise of σ = {noise:# clip|# clips}, each of a sample of "
            "{share} of the people; all steps together cost ε by the accountant that says least."
        )
        theorem = say(
            text,
            steps=Num(self.steps),
            noise=Num(self.noise(known.epsilon), 4),
            share=Num(self.chance, 3, percent=True),
        )
        return replace(self.keeps(known), theorem=theorem)

    def keeps(self, known: LearningFacts) -> Claim:
        return Claim(known.epsilon, self.delta, Message(""), known.epsilon)

    def guess(self, known: LearningFacts) -> int:
        """People, where the rows say who they are."""
        return learner.guessed(known.learnt[1]) if self.about is None else self.about

    def parts(self, known: LearningFacts) -> tuple[Part, ...]:
        scale = self.noise(known.epsilon) * self.clip
        return (Part(say("all steps"), say("noise"), known.epsilon, scale),)

    def plan(self, known: LearningFacts, check: Check = nothing) -> Plan:
        """How the training runs at the budget."""
        return Plan(
            self.steps,
            self.chance,
            self.noise(known.epsilon, check),
            self.clip,
            self.rate,
            float(self.guess(known)),
            self.penalty,
        )

    def statement(self, known: LearningFacts) -> tuple[Message, ...]:
        public = self.about is not None
        return statement(self.plan(known), self.delta, persons=known.persons, public=public)

    def models(self, task: Task, known: LearningFacts, looked: Replays) -> Array:
        return self._trained(task, self.plan(known, looked.check), looked)

    def calm(self, task: Task, known: LearningFacts, looked: Replays) -> float:
        plan = replace(self.plan(known, looked.check), noise=_NONE)
        weights = self._trained(task, plan, looked)
        return float(np.median(right(weights, rows(task)[1], sides(task.test_y))))

    def _trained(self, task: Task, plan: Plan, looked: Replays) -> Array:
        x, _ = rows(task)

        def made() -> Array:
            generator = np.random.Generator(np.random.SFC64([looked.seed, 8]))
            steps = descent(x, task.y, plan, generator, looked.runs, persons=task.persons)
            for weights in steps:
                looked.check()
                found = weights
            return found

        return task.remember(("descent", plan, looked.runs, looked.seed), made)
