"""Plan in words: how many targets are met, and what would meet them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.publish.plan import cells, editing
from dpstudio.labs.publish.plan import model as plans
from dpstudio.labs.publish.plan.model import PlanModel
from dpstudio.labs.publish.plan.parameters import LEAST, Planning
from dpstudio.plans import words as plan_words
from dpstudio.plans.frontier import dearest
from dpstudio.plans.plan import Plan, digest
from dpstudio.plans.question import NOISES
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem

_LONGEST = 20  # letters of a name within the headline
_DIGITS = 16  # of a digest, that are read


def sentences(model: PlanModel) -> Iterator[Sentence]:
    """What the plan keeps, and what it costs."""
    yield from _headline(model)
    asked = model.lab.asked
    name, asks = plain(asked.name or "…"), plan_words.asks(asked)
    yield Sentence("asked", say("{name} ({asks}).", name=name, asks=asks))
    for number, said in enumerate(plans.said(model)):
        yield Sentence("charged" if not number else f"plan {number}", said)
    if model.trades is None and not model.awaits and plans.aimed(model):
        yield Sentence("never", say("No ε meets all targets: allow more, or type a larger size."))
    try:
        plan = editing.leaving(model.lab, fine=not model.quick or bool(model.lab.approved))
    except ParamError as error:
        yield Sentence("digest", error.sentence)
        return
    read = "…" if model.quick else digest(plan)[:_DIGITS]  # of the plan that leaves alone
    yield Sentence("digest", say("Its digest begins with {digest}.", digest=read))
    if plan.terms.approval:
        yield Sentence("approval", _approval(model.lab, plan))


def _approval(lab: Planning, plan: Plan) -> Message:
    """Whether an approval stands with it; who verifies its signature is the desk."""
    name, of = plain(plan.terms.approver[0]), lab.approved.partition(" ")[0]
    if not of:
        return say("{name} must approve it, and has not yet.", name=name)
    if of != digest(plan):
        return say("What {name} approved is another plan: this one was changed since.", name=name)
    return say("An approval by {name} stands with it: the desk verifies it.", name=name)


def _headline(model: PlanModel) -> Iterator[Sentence]:
    all_, far = len(plans.aimed(model)), plans.missing(model)
    if not all_ and (bare := plans.bare(model)):
        yield Sentence("met", say("{bare}: type it.", bare=_bare(bare)), "bad")
    elif not all_:
        text = N_("{n} {n:question has|questions have} no target yet.")
        yield Sentence("met", say(text, n=Num(len(plans.lines(model)))))
    elif far is None:
        rest = _without(model)
        text, held = N_("{n:The one target is|All {n} targets are} met."), {"n": Num(all_)}
        if model.lab.find == LEAST and model.refused is None:
            text = N_("{n:The one target is|All {n} targets are} met, for ε = {e}.")
            held["e"] = Num(float(model.plan.charge.epsilon), 3, "up")
        yield (
            Sentence("met", Message(text, held), "good")
            if rest is None
            else Sentence(
                "met", say("{n:# target is|# targets are} met; {rest}.", n=Num(all_), rest=rest)
            )
        )
    else:
        line, points = far
        text = N_("{k} of {all} targets {k:is|are} met; {name} needs {points} more.")
        if (line.needs or 0.0) > 1:  # that noise does not do it, whoever else pays nothing
            text = N_("{k} of {all} targets {k:is|are} met; {name} needs more than 100 %.")
        if len(line.name) > _LONGEST:
            text = N_("{k} of {all} targets {k:is|are} met.")
        values: dict[str, Any] = {"k": Num(plans.met(model)), "all": Num(all_)}
        if "{name}" in text:
            values["name"] = plain(line.name)
        if "{points}" in text:
            values["points"] = say("{n:# point|# points}", n=Num(points, 2, "up"))
        yield Sentence("met", Message(text, values), "bad")


def _without(model: PlanModel) -> Message | None:
    """The questions that no target speaks of: first those that are not in the plan yet."""
    if left := len(plans.waiting(model)):
        return say("{n:# question is|# questions are} not finished", n=Num(left))
    if bare := plans.bare(model):
        return _bare(bare)
    if none := len(plans.lines(model)) - len(plans.aimed(model)):
        return say("{n:# question has|# questions have} none", n=Num(none))
    return None


def _bare(count: int) -> Message:
    return say("{n} {n:target is|targets are} a part of a size not typed", n=Num(count))


def facts(model: PlanModel) -> Iterator[Fact]:
    """What would meet all targets; without the dearest; and without Gaussian noise. Their places
    are kept while they are worked out: what stands below them moves for none."""
    trades, count = model.trades, len(plans.aimed(model))
    if trades is None and not model.awaits:
        return
    label = say("would meet all, best shared")
    if count < len(plans.lines(model)):
        text = N_("would meet {n:this target|these {n} targets}, all others left out")
        label = say(text, n=Num(count))
    yield _fact("least", label, None if trades is None else trades.least)
    if trades is None and count > 1:
        yield _fact("without", say("would do without the dearest"), None)
    elif trades is not None and len(trades.dropped) > 1:
        tied = dearest(trades.dropped)
        label = say("would do without {name}, the dearest", name=plain(tied[0].name))
        if len(tied) > 1:
            label = say("would do without one of the {n} dearest", n=Num(len(tied)))
        yield _fact("without", label, tied[-1].epsilon)
    label = say("with Laplace noise, adding up")
    yield _fact("added", label, None if trades is None else trades.added)


def _fact(key: str, label: Message, epsilon: float | None) -> Fact:
    told = plain("…") if epsilon is None else say("ε = {e}", e=Num(epsilon, 3, "up"))
    return Fact(key, label, told, value=epsilon)


def tables(model: PlanModel) -> tuple[Table, ...]:
    """Every question with its noise and its cost."""
    lines = plans.lines(model)
    held: dict[str, tuple[str, list[Any]]] = {
        "question": (N_("question"), [plain(line.name) for line in lines]),
        "kind": (N_("kind"), [Message(q.label) for q in model.plan.questions]),
        "noise": (N_("noise"), [Message(NOISES[line.noise]) for line in lines]),
        "cost": (N_("pays"), [plan_words.paid(line.noise, line.cost) for line in lines]),
        "share": (N_("share"), [plan_words.share(line) for line in lines]),
        "target": (N_("target"), list(cells.targets(model))),
        "error": (N_("error"), list(cells.errors(model))),
    }
    columns = tuple((key, tuple(each)) for key, (_, each) in held.items())
    heads = tuple(Message(head) for head, _ in held.values())
    return (Table("questions", say("Questions"), columns, True, heads),)


def advice(model: PlanModel) -> Iterator[Problem]:
    """Why the split is not the one that is asked for."""
    if model.refused is not None:
        yield Problem("find", model.refused.sentence, stops=False, grave=True)
