"""What stands beside the lanes of a plan: targets, errors, and whether each is met."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from dpstudio.labs.law_curves import Curve, sketched
from dpstudio.labs.publish.plan import model as plans
from dpstudio.labs.publish.plan.model import PlanModel
from dpstudio.plans.question import EXPONENTIAL, GAUSSIAN, LAPLACE, NOISY_MAX
from dpstudio.plans.words import asks, off, target
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussian
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian
from dpstudio.privacy.mechanisms.geometric import Geometric
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import N_, Message, Num, render, say

# In a word, and in the ink that the noise has elsewhere.
_NOISES = {
    LAPLACE: N_("geometric"),
    GAUSSIAN: N_("Gaussian"),
    EXPONENTIAL: N_("exponential"),
    NOISY_MAX: N_("noisy max"),
}
# What is added to whole numbers, and to others: on a grid too fine to be seen.
_LAWS: dict[str, tuple[type[Additive], type[Additive]]] = {
    LAPLACE: (Geometric, Laplace),
    GAUSSIAN: (DiscreteGaussian, AnalyticGaussian),
}
_SHORT = 22  # letters under the name of a lane
_MARKS = N_("✓ met"), N_("✗ not")


def kept(model: PlanModel) -> Message:
    """In how many releases errors are kept."""
    return say("{n} in 100", n=Num(100 * float(model.plan.terms.confidence), 4, "down"))


def noises(model: PlanModel) -> tuple[Message, ...]:
    """What is added to each answer, or how one is drawn."""
    return tuple(Message(_NOISES[line.noise]) for line in plans.lines(model))


def _laws(model: PlanModel) -> Iterator[tuple[str, bool]]:
    """The noise of each, and whether it is added to whole numbers."""
    unit = model.plan.terms.unit
    for line, question in zip(plans.lines(model), model.plan.questions, strict=True):
        yield line.noise, question.reach(unit).whole


def inks(model: PlanModel) -> tuple[str, ...]:
    """The ink of each."""
    found = _laws(model)
    return tuple(_LAWS[kind][not whole].ink if kind in _LAWS else kind for kind, whole in found)


def curves(model: PlanModel) -> tuple[Curve, ...]:
    """The shape of each; none where one of several words is chosen."""
    return tuple(_curve(kind, whole) for kind, whole in _laws(model))


@lru_cache(maxsize=16)
def _curve(kind: str, whole: bool) -> Curve:
    return sketched(_LAWS[kind][not whole]) if kind in _LAWS else ()


def asked(model: PlanModel) -> tuple[Message, ...]:
    """What each asks; of many letters the columns alone, which lanes have room for."""
    every = (asks(question) for question in model.plan.questions)
    return tuple(
        one.values["about"] if len(render(one)) > _SHORT and "about" in one.values else one
        for one in every
    )


def targets(model: PlanModel) -> tuple[Message | str, ...]:
    """Each as it was typed."""
    return tuple(map(target, model.plan.questions))


def errors(model: PlanModel) -> tuple[Message, ...]:
    """How far off each is."""
    pairs = zip(model.plan.questions, plans.lines(model), strict=True)
    return tuple(off(question, line, 3) for question, line in pairs)


def verdicts(model: PlanModel) -> tuple[tuple[Message | str, str], ...]:
    """Whether each is met, in its ink; and where a part is asked for, whether of nothing known."""
    made: list[tuple[Message | str, str]] = []
    for line, question in zip(plans.lines(model), model.plan.questions, strict=True):
        untold = "" if question.target is None else say("of what?")
        said = untold if line.met is None else Message(_MARKS[not line.met])
        made.append((said, "text" if line.met is None else "good" if line.met else "bad"))
    return tuple(made)
