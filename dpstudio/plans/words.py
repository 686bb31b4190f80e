"""A plan in sentences: whom it protects, what is charged, how far off answers are, and what would
cost less."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpstudio.plans.charge import BOUNDS
from dpstudio.plans.exact import in_short, read_off
from dpstudio.plans.frontier import Line, dearest, dropping, frontier
from dpstudio.plans.plan import ADJACENCIES, RELEASE, Plan, whom
from dpstudio.plans.question import GAUSSIAN, Question
from dpstudio.plans.solve import least_total
from dpstudio.values.messages import N_, Message, Num, listed, plain, say


def asks(question: Question) -> Message:
    """Its kind, and of which columns and rows it is."""
    held = (getattr(question, name, "") for name in ("column", "other", "measured", "where"))
    about = [each for each in held if each]
    if not about:
        return Message(question.label)
    return say("{kind}: {about}", kind=Message(question.label), about=listed(about))


def heading(plan: Plan) -> Message:
    """What the plan is for, whom it protects, and what it may cost."""
    terms = plan.terms
    text = N_(
        "A plan to look at, which is not for a release. One person is {person}, and at most {rows} "
        "{rows:row of each is|rows of each are} used; neighbours: {adjacency}. All questions have "
        "ε = {epsilon} and δ = {delta}."
    )
    if terms.purpose == RELEASE:
        text = N_(
            "A plan to release, which reads no table. One person is {person}, and at most {rows} "
            "{rows:row of each is|rows of each are} used; neighbours: {adjacency}. All questions "
            "have ε = {epsilon} and δ = {delta}."
        )
    return say(
        text,
        person=whom(terms.person),
        rows=Num(terms.rows, 9),
        adjacency=Message(ADJACENCIES[terms.adjacency]),
        epsilon=read_off(terms.epsilon),
        delta=read_off(terms.delta),
    )


def mixed(question: Question) -> Message | None:
    """What is to be said where words may have been meant to be separated by commas, too."""
    for name in ("groups", "other_groups"):
        for word in getattr(question, name, ()):
            if ", " in word:
                text = N_("“{word}” is taken for one word: words are separated by | alone.")
                return say(text, word=word)
    return None


def charged(plan: Plan) -> Message:
    """What a solved plan costs one person."""
    cost = plan.charge
    text = N_("Charged: ε = {epsilon} and δ = {delta}, by the bound: {bound}. Σρ = {rho}.")
    return say(
        text,
        epsilon=in_short(cost.epsilon),
        delta=in_short(cost.delta),
        bound=Message(BOUNDS[cost.bound]),
        rho=Num(float(cost.rho), 5, "up"),
    )


def sentences(plan: Plan) -> Iterator[Message]:
    """What else is to be said of a solved plan."""
    yield charged(plan)
    if not plan.keeps:
        yield say("That is more than the plan may cost: solve it anew.")
    yield say(
        "In {share} of all releases no number of a question is further off than stands beside it: "
        "by noise, not by clipping, nor by who is in the table.",
        share=Num(float(plan.terms.confidence), 4, "down", percent=True),
    )
    if not all(question.additive for question in plan.questions):
        yield say("What is chosen is compared with the best of what could be chosen.")
    held: dict[int, list[str]] = {}
    for question, lot in zip(plan.questions, plan.lots, strict=True):
        if lot is not None:
            held.setdefault(lot, []).append(f"“{question.name}”")
    for names in held.values():
        text = N_(
            "No row can be in two of {names}: one person pays {most:the dearest alone|the {most} "
            "dearest of them at most}."
        )
        yield say(text, names=listed(names), most=Num(plan.terms.unit.touched, 9))


def trades(plan: Plan) -> Iterator[Message]:
    """What meeting all targets costs, which is the dearest, and what others would cost; nothing
    where a question has no target."""
    if not aimed(plan):
        return
    whole = least_total(plan)
    if math.isinf(whole):
        yield say("No ε meets all targets: allow more, or type a larger size.")
        return
    yield say("ε = {epsilon} meets all targets.", epsilon=Num(whole, 4, "up"))
    if len(plan.questions) > 1:
        tied = dearest(dropping(plan))
        text = N_(
            "“{name}” is the dearest: without it ε = {epsilon} meets {others:the other one|the "
            "other {others}}."
        )
        others, left = Num(len(plan.questions) - 1), Num(tied[-1].epsilon, 4, "up")
        named: dict[str, object] = {"name": tied[0].name}
        if len(tied) > 1:
            text = N_(
                "None is dearer than {names}: without one of them ε = {epsilon} meets "
                "{others:the other one|the other {others}}."
            )
            named = {"names": listed(f"“{one.name}”" for one in tied)}
        yield say(text, **named, epsilon=left, others=others)
    for epsilon, factor in frontier(plan)[::3] if plan.split else ():
        text = N_("ε = {epsilon}: every error at most {factor} times its target.")
        if factor != 1:
            yield say(text, epsilon=Num(epsilon, 3, "up"), factor=Num(factor, 3, "up"))


def aimed(plan: Plan) -> bool:
    """Whether every question has a target of a known size."""
    return bool(plan.questions) and plan.aimed.questions == plan.questions


def paid(noise: str, cost: float) -> Message:
    """What one question pays each time."""
    text = N_("ρ = {cost}") if noise == GAUSSIAN else N_("ε = {cost}")
    return say(text, cost=Num(cost, 4, "up"))


def share(line: Line) -> Num:
    """The part of what all questions pay."""
    return Num(line.share, 3, percent=True)


_OFF = {"": N_("±{n}"), "rows": N_("±{n:# row|# rows}"), "ranks": N_("±{n:# rank|# ranks}")}


def off(question: Question, line: Line, digits: int = 4) -> Message:
    """How far off a question is at most, at the confidence."""
    return say(_OFF[question.behind], n=Num(line.error, digits, "up"))


def target(question: Question) -> Message | str:
    """How far off it may be, as it was typed."""
    if question.target is None or question.target.relative:
        return "" if question.target is None else plain(f"±{question.target}")
    return say(_OFF[question.behind], n=Num(float(question.target.amount), 15))


def found(plan: Plan, what: str, name: str, value: float) -> Message:
    """What was left to find of one question: "error", "size" or "times"."""
    texts = {
        "error": N_("At ε = {epsilon} “{name}” is off by at most {value}; all others as aimed."),
        "size": N_("At ε = {epsilon} all targets are met where the size of “{name}” is {value}."),
        "times": N_("At ε = {epsilon} “{name}” can be asked {value:once|{value} times}."),
    }
    shown = Num(value, 4 if what == "error" else 15, "up")
    return say(texts[what], epsilon=read_off(plan.terms.epsilon), name=name, value=shown)
