"""Two plans beside each other: what one says and the other does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dpstudio.plans.frontier import Line, who_pays
from dpstudio.plans.plan import Plan
from dpstudio.plans.question import Question
from dpstudio.plans.words import off, paid
from dpstudio.values.messages import N_, Message, plain, render, say
from dpstudio.values.parameters import Parameters, domains


@dataclass(frozen=True)
class Difference:
    """What differs, in one question or, where `question` is empty, in what all have in common."""

    question: str
    what: Message
    first: Message
    second: Message

    @property
    def say(self) -> Message:
        """It in a line."""
        text = N_("{what}: {first} → {second}")
        if self.question:
            text = N_("“{question}”, {what}: {first} → {second}")
        values = {"what": self.what, "first": self.first, "second": self.second}
        return say(text, **values, **({"question": self.question} if self.question else {}))


_NOTHING = plain("–")


def differences(first: Plan, second: Plan) -> Iterator[Difference]:
    """All that differs: of what all questions have in common, then of each question."""
    yield from _settings("", first.terms, second.terms)
    ours, theirs = ({q.name: q for q in plan.questions} for plan in (first, second))
    for name in dict.fromkeys((*ours, *theirs)):
        one, other = ours.get(name), theirs.get(name)
        if one is None or other is None or one.key != other.key:
            kinds = (_NOTHING if q is None else Message(q.label) for q in (one, other))
            yield Difference(name, say("Kind"), *kinds)
        else:
            yield from _settings(name, one, other)
    said = _said(first), _said(second)
    for name in dict.fromkeys((*said[0], *said[1])):
        for place, what in enumerate((say("pays"), say("off by"))):
            pair = [each.get(name, (_NOTHING, _NOTHING))[place] for each in said]
            if render(pair[0]) != render(pair[1]):
                yield Difference(name, what, *pair)


def _settings(name: str, one: Parameters, other: Parameters) -> Iterator[Difference]:
    for field, domain in domains(type(one)).items():
        pair = getattr(one, field), getattr(other, field)
        if pair[0] != pair[1]:
            shown = (plain(text) if (text := domain.show(v)) else _NOTHING for v in pair)
            yield Difference(name, Message(domain.label), *shown)


def _said(plan: Plan) -> Mapping[str, tuple[Message, Message]]:
    """What each question of a solved plan pays, and how far off it is."""
    lines = who_pays(plan) if plan.split else ()
    given: Iterator[tuple[Question, Line]] = zip(plan.questions, lines, strict=False)
    return {q.name: (paid(line.noise, line.cost), off(q, line)) for q, line in given}
