"""What Plan takes from the question of another lab: all that is typed there. What a table showed is
left to be typed, and so is what nobody attests where the plan may be released."""

from __future__ import annotations

from typing import Any

from dpstudio.labs.page import Lab
from dpstudio.labs.publish.plan.editing import named, with_question
from dpstudio.labs.publish.plan.parameters import Planning
from dpstudio.plans.drafts import DRAFTS
from dpstudio.plans.plan import RELEASE
from dpstudio.plans.question import Question
from dpstudio.values.messages import Message, render
from dpstudio.values.parameters import ParamError, Parameters, domains, find

# The kind of a question in a plan by that of a page, and its parameters by what they are called.
_OF_GROUPS = {"count": "by_group", "sum": "sum_by_group", "mean": "mean_by_group"}
_SAME = {
    "two_way": {"column": "first", "groups": "down", "other": "second", "other_groups": "across"},
    "by_group": {"column": "by"},
    "sum_by_group": {"column": "by", "measured": "column"},
    "mean_by_group": {"column": "by", "measured": "column"},
    "most_common": {"groups": "categories"},
    "quantile": {"share": "q"},
}
_SEEN = ("low", "high", "edges", "groups", "other_groups", "grid")


def taking(lab: Planning, other: Lab) -> Planning | None:
    """The plan with the question of a lab as one more, which is being written; None where a plan
    has no such question."""
    asked = other.page().planned(other)
    draft = None if asked is None else _draft(asked, lab.purpose)
    if draft is None:
        return None
    try:
        return with_question(lab, draft.with_(name=named(lab, _name(draft))))
    except ParamError:
        return None


def _draft(asked: Parameters, purpose: str) -> Question | None:
    key = _key(asked)
    if key not in {kind.key for kind in DRAFTS}:
        return None
    kind = find(DRAFTS, key)
    known = purpose != RELEASE or bool(getattr(asked, "attested", False))
    held: dict[str, Any] = {}
    for name in domains(kind):
        value = getattr(asked, _SAME.get(key, {}).get(name, name), None)
        if value in (None, ()) or (name in _SEEN and not known) or name == "size":
            continue
        held[name] = value
    return kind(**held)


def _key(asked: Parameters) -> str:
    if asked.key == "grouped":
        return _OF_GROUPS.get(getattr(asked, "statistic", ""), "")
    if asked.key == "histogram" and getattr(asked, "categories", None):
        return "by_group"
    return {"contingency": "two_way"}.get(asked.key, asked.key)


def _name(draft: Question) -> str:
    """What it asks, shortly: its condition, or its column."""
    column = getattr(draft, "measured", None) or getattr(draft, "column", "")
    return str(draft.where) or f"{render(Message(draft.label))} {column}".strip()
