"""What stands beside the lanes of a plan: targets, errors, and whether each is met."""

from __future__ import annotations

from dpstudio.labs.publish.plan import model as plans
from dpstudio.labs.publish.plan.model import PlanModel
from dpstudio.values.messages import Message, Num, plain, say


def kept(model: PlanModel) -> Message:
    """In how many releases errors are kept."""
    return say("{n} in 100", n=Num(100 * float(model.plan.terms.confidence), 4, "down"))


def targets(model: PlanModel) -> tuple[Message | str, ...]:
    """Each as it was typed."""
    asked = (question.target for question in model.plan.questions)
    return tuple("" if t is None else plain(f"±{t}") for t in asked)


def errors(model: PlanModel) -> tuple[Message, ...]:
    """How far off each is."""
    return tuple(say("±{w}", w=Num(line.error, 3, "up")) for line in plans.lines(model))


def verdicts(model: PlanModel) -> tuple[tuple[Message | str, str], ...]:
    """Whether each is met, in its ink; what is held says so."""
    free = plans.unheld(model)
    made = []
    for line in plans.lines(model):
        said: Message | str = "" if line.met is None else say("met") if line.met else say("not")
        ink = "text" if line.met is None else "good" if line.met else "bad"
        if line.name not in free:
            said = say("{met}, held", met=said) if said else say("held")
        made.append((said, ink))
    return tuple(made)
