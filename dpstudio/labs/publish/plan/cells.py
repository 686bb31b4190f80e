"""What stands beside the lanes of a plan: targets, errors, and whether each is met."""

from __future__ import annotations

from dpstudio.labs.publish.plan import model as plans
from dpstudio.labs.publish.plan.model import PlanModel
from dpstudio.plans.question import EXPONENTIAL, GAUSSIAN, LAPLACE, NOISY_MAX
from dpstudio.values.messages import N_, Message, Num, plain, say

# In a word, and in the ink that the noise has elsewhere.
_NOISES = {
    LAPLACE: (N_("geometric"), "geometric"),
    GAUSSIAN: (N_("Gaussian"), "discrete_gaussian"),
    EXPONENTIAL: (N_("exponential"), "exponential"),
    NOISY_MAX: (N_("noisy max"), "noisy_max"),
}
_MARKS = N_("✓ met"), N_("✗ not met")


def kept(model: PlanModel) -> Message:
    """In how many releases errors are kept."""
    return say("{n} in 100", n=Num(100 * float(model.plan.terms.confidence), 4, "down"))


def noises(model: PlanModel) -> tuple[Message, ...]:
    """What is added to each answer, or how one is drawn."""
    return tuple(Message(_NOISES[line.noise][0]) for line in plans.lines(model))


def inks(model: PlanModel) -> tuple[str, ...]:
    """The ink of that, for each."""
    return tuple(_NOISES[line.noise][1] for line in plans.lines(model))


def targets(model: PlanModel) -> tuple[Message | str, ...]:
    """Each as it was typed."""
    asked = (question.target for question in model.plan.questions)
    return tuple("" if t is None else plain(f"±{t}") for t in asked)


def errors(model: PlanModel) -> tuple[Message, ...]:
    """How far off each is."""
    return tuple(say("±{w}", w=Num(line.error, 3, "up")) for line in plans.lines(model))


def verdicts(model: PlanModel) -> tuple[tuple[Message | str, str], ...]:
    """Whether each is met, in its ink."""
    made = []
    for line in plans.lines(model):
        said = "" if line.met is None else Message(_MARKS[not line.met])
        made.append((said, "text" if line.met is None else "good" if line.met else "bad"))
    return tuple(made)
