"""Questions of a plan while they are being written: of the same parameters, which need not agree
yet; and how much each was given by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from dpstudio.plans.exact import Exact, fraction_of, written
from dpstudio.plans.plan import MOST_QUESTIONS, Share, question_json
from dpstudio.plans.question import NOISES, QUESTIONS, Question
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import Domain, ParamError, domains, find, from_json, param, roles


def _draft(kind: type[Question]) -> type[Question]:
    """Its bounds are empty until they are typed: no number that nobody chose is planned with."""
    held: dict[str, Any] = {
        "__module__": __name__,
        "__doc__": kind.__doc__,
        "agree": lambda self: None,
    }
    ends = [name for name in ("low", "high") if name in domains(kind)]
    for name in ends:
        domain = domains(kind)[name]
        assert isinstance(domain, Exact)
        held[name] = param(None, replace(domain, none=True), of=roles(kind)[name].of)
    held["__annotations__"] = dict.fromkeys(ends, "Fraction | None")
    return type(f"{kind.__name__}Draft", (kind,), held)


DRAFTS = [_draft(kind) for kind in QUESTIONS]


def finished(draft: Question) -> Question:
    """The question that a draft is. Raises ParamError at the field that is still to be written."""
    kind = find(QUESTIONS, draft.key)
    for name in ("low", "high"):
        if getattr(draft, name, "") is None:
            text = N_("Type between which values a row counts, as known from outside the table.")
            raise ParamError(name, Message(text))
    return kind(**{name: getattr(draft, name) for name in domains(kind)})


def draft_of(question: Question) -> Question:
    """A question, to be written on."""
    kind = find(DRAFTS, question.key)
    return kind(**{name: getattr(question, name) for name in domains(kind)})


@dataclass(frozen=True)
class _Listed(Domain):
    """A list that is typed as JSON; on the page other things make it."""

    editor: str = "elsewhere"

    def check(self, value: Any) -> tuple[Any, ...]:
        try:
            held = json.loads(value, parse_float=str) if isinstance(value, str) else value
        except (ValueError, RecursionError):
            held = None
        if not isinstance(held, list | tuple) or len(held) > MOST_QUESTIONS:
            text = N_("Write a list of JSON of at most {most} {most:entry|entries}.")
            raise ParamError("", say(text, most=MOST_QUESTIONS))
        return tuple(map(self.entry, held))

    def entry(self, value: Any) -> Any:
        """One of the list. Raises ParamError."""
        raise NotImplementedError

    def show(self, value: Any) -> str:
        return json.dumps(self.to_json(value), ensure_ascii=False)

    def told(self, value: Any) -> str:
        return ", ".join(getattr(each, "name", "") or each[0] for each in value)

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "{", "7", [7], ["count"], [{"kind": "nothing"}])


@dataclass(frozen=True)
class Drafts(_Listed):
    """Several drafts, in order."""

    def entry(self, value: Any) -> Question:
        """The draft that stands there. Raises ParamError."""
        if isinstance(value, Question):
            # A draft was checked when it was made: at a step of a slider all of them stay.
            return value if type(value) in DRAFTS else draft_of(value)
        return from_json(DRAFTS, value)

    def to_json(self, value: Any) -> Any:
        return [question_json(each) for each in value]

    def describe(self) -> Message:
        return say("questions as a plan holds them: a list of JSON")


@dataclass(frozen=True)
class Given(_Listed):
    """(name, share) of questions; only the proportions of what they pay count."""

    def entry(self, value: Any) -> tuple[str, Share]:
        """The name and its share. Raises ParamError."""
        try:
            name, held = value
            noise, cost = (held.noise, held.cost) if isinstance(held, Share) else held
            share = Share(str(noise), fraction_of(cost))
            if noise not in NOISES or share.cost <= 0:
                raise ValueError
        except (TypeError, ValueError, ZeroDivisionError):
            text = N_("Write for each question its name, its noise and its cost.")
            raise ParamError("", Message(text)) from None
        return str(name), share

    def to_json(self, value: Any) -> Any:
        return [[name, [share.noise, written(share.cost)]] for name, share in value]

    def describe(self) -> Message:
        return say("name, noise and cost of questions: a list of JSON")
