"""Talks: states in an order, each with what is said of it; a lesson is a talk that also asks. One
file holds it all, tables by path and digest (never their rows)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dpstudio.data.codebook import EMPTY, Codebook, codebook_from_json
from dpstudio.files import session
from dpstudio.files.assets import asset
from dpstudio.files.read.choices import Choices
from dpstudio.labs import Lab
from dpstudio.labs.carry_over import TRUTH
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_from_json, name_today, successor_of
from dpstudio.values.messages import (
    N_,
    Message,
    Num,
    Translate,
    plain,
    render,
    safely,
    say,
    unchanged,
)
from dpstudio.values.parameters import ParamError, Parameters, get, to_json

# A program that would show numbers of two tables with the first alone must refuse a talk of
# format 2.
VERSION, TWO_TABLES, PLAIN = 3, 2, 1  # as of a session
SUFFIX = session.TALK
_MOST_STEPS = 500
MOST_MINUTES = 600  # of a step
_AS_GOOD_AS = 0.005  # a number that is off by less is right
# {fact.answer}, {note.cost}, {say.interval} or the dotted path of a parameter, {mechanism.epsilon}
_FIELD = re.compile(r"\{([a-z][a-z0-9_.]*)\}")


@dataclass(frozen=True)
class Ask:
    """What the reader is asked before a step is shown: a choice of `options`, of which `right` is
    the place of the right one, or a number, compared with that of the fact named `fact`, or, where
    there is neither, to think about it."""

    text: str
    options: tuple[str, ...] = ()
    right: int = 0
    fact: str = ""


@dataclass(frozen=True)
class Step:
    """One moment of a talk: a lab as it is set, on a table, and what is said of it.

    `say` is for everybody and may name numbers of the step (see `told`); `notes` are the
    speaker's. `chart` is the key of the chart that is presented, "" for the first, `point` the
    dotted path of a parameter or the key of a chart that is pointed at; `hidden` are the curves
    that are not seen, by chart, and `index` the simulated answer that is. `second` is the table
    beside the first, of which the lab reads as well. It is planned to take so many `minutes`, 0
    where nothing is planned.
    """

    title: str
    lab: Lab
    table: str = ""
    digest: str = ""
    say: str = ""
    notes: str = ""
    chart: str = ""
    point: str = ""
    hidden: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    index: int = 0
    codebook: Codebook = EMPTY
    reading: Choices | None = None
    ask: Ask | None = None
    second: session.Second | None = None
    minutes: float = 0.0

    @property
    def hides(self) -> bool:
        """Whether it is shown without the exact answer."""
        return getattr(self.lab, TRUTH, True) is False


@dataclass(frozen=True)
class Talk:
    """Steps in their order. A `lesson` is shown to who learns: it asks, and is gone through
    alone."""

    name: str
    steps: tuple[Step, ...] = ()
    about: str = ""
    lesson: bool = False

    def planned(self, place: int) -> tuple[float, float]:
        """The minutes from the beginning at which a step is planned to begin, and to end."""
        begins = math.fsum(step.minutes for step in self.steps[:place])
        return begins, begins + math.fsum(step.minutes for step in self.steps[place : place + 1])

    def with_step(self, place: int, step: Step | None) -> Talk:
        """The talk with another step at a place, or without it."""
        new = () if step is None else (step,)
        return replace(self, steps=(*self.steps[:place], *new, *self.steps[place + 1 :]))

    def inserted(self, place: int, step: Step) -> Talk:
        """The talk with one more step, at a place."""
        return replace(self, steps=(*self.steps[:place], step, *self.steps[place:]))

    def moved(self, place: int, by: int) -> Talk:
        """The talk with a step so many places later."""
        steps = list(self.steps)
        step = steps.pop(place)
        steps.insert(min(max(place + by, 0), len(steps)), step)
        return replace(self, steps=tuple(steps))


def told(text: str, lab: Lab, findings: Findings, translate: Translate = unchanged) -> str:
    """A text with its numbers: {fact.KEY}, {note.KEY} and {say.KEY} are what the findings say,
    {a.parameter} how the lab is set. What they do not say is "–"."""
    return _FIELD.sub(lambda found: render(_said(found.group(1), lab, findings), translate), text)


def _said(name: str, lab: Lab, findings: Findings) -> Message:
    kind, _, key = name.partition(".")
    try:
        if kind == "fact":
            return findings.fact(key).text
        if kind == "note":
            note = findings.fact(key).note
            return note if isinstance(note, Message) else Message(note)
        if kind == "say":
            return findings.sentence(key).say
        value = get(lab, name)
    except (KeyError, AttributeError):
        return plain("–")
    if isinstance(value, Parameters):
        return Message(value.label)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return say("{value}", value=Num(float(value))) if number else plain(value)


def unknown_fields(text: str, lab: Lab, findings: Findings) -> list[str]:
    """The numbers that a text names and nobody knows."""
    names = [found.group(1) for found in _FIELD.finditer(text)]
    return [name for name in names if render(_said(name, lab, findings)) == "–"]


def judged(ask: Ask, given: float, findings: Findings, translate: Translate = unchanged) -> str:
    """What is said of an answer once the step is on the screen: which option is the right one, or
    which number, and how far the given one is off."""
    if ask.options:
        text = N_("Right: {right}.") if given == ask.right else N_("No: {right}.")
        right = translate(ask.options[ask.right]).rstrip(".")
        return render(say(text, right=plain(right)), translate)
    try:
        fact = findings.fact(ask.fact)
    except KeyError:
        return ""
    value, first = number_of(fact.value, findings.part), next(_numbers(fact.text), None)
    if isinstance(fact.value, list | tuple) and first is not None and first.value in fact.value:
        value = first.value  # an estimate and its ends, say, of which the text shows the first
    if value is not None:
        given, value = _as_shown(given, value, fact.text)
    return render(_off(given, fact.text, value), translate)


def _as_shown(given: float, value: float, text: Message) -> tuple[float, float]:
    """An answer and the right number on the scale of the text: what is shown in percent is typed
    so, 78.5, or as the share that it is, .785, one in so many as that number, and who types it as
    it is rounded is right."""
    for many in (one.value for one in _numbers(text) if math.isclose(one.value * value, 1.0)):
        typed = (many, 1 / many, 100 / many) if many > 1 else ()
        if any(math.isclose(given, one, rel_tol=0.005) for one in typed):
            return value, value  # “1 in 3” is typed as 3, .333 or 33.3
    shown = [one for one in _numbers(text) if math.isclose(one.value, value)]
    right = value * (scale := 100.0 if any(one.percent for one in _numbers(text)) else 1.0)
    said = min((given, scale * given), key=lambda one: abs(_apart(one, right)))
    held = (scale * safely(one.value, one.digits, one.rounding) for one in shown)
    return said, said if any(math.isclose(said, one) for one in held) else right


def _numbers(said: Message) -> Iterator[Num]:
    """The numbers of a text, those of its parts as well."""
    for held in said.values.values():
        if isinstance(held, Num):
            yield held
        elif isinstance(held, Message):
            yield from _numbers(held)


def _apart(one: float, other: float) -> float:
    """ln of the ratio of two numbers; ∞ where they have none."""
    return math.log(one / other) if one * other > 0 else math.inf


def number_of(value: Any, part: int) -> float | None:
    """The number of a fact, of the coordinate that is looked at; None where it is none."""
    listed = value.tolist() if hasattr(value, "tolist") else value
    try:
        made = float(listed[part] if isinstance(listed, list | tuple) else listed)
    except (IndexError, TypeError, ValueError):
        return None
    return made if math.isfinite(made) else None


def _off(given: float, right: Message, value: float | None) -> Message:
    """How far a number is off: up to half or twice the right one as a share, or of one in percent,
    where a share in percent could be either, in points; else as a factor."""
    if value is None or given * value <= 0:
        return say("You said {given}; it is {right}.", given=Num(given), right=right)
    ratio = given / value
    if abs(ratio - 1) < _AS_GOOD_AS:
        return say("Right: {right}.", right=right)
    text = N_("You said {given}, which is {share} too much: it is {right}.")
    off = Num(abs(ratio - 1), 2, percent=True)
    if ratio < 1:
        text = N_("You said {given}, which is {share} too little: it is {right}.")
    if any(one.percent for one in _numbers(right)):
        off = Num(abs(given - value), 2)
        text = N_("You said {given} %, which is {share} points too much: it is {right}.")
        if ratio < 1:
            text = N_("You said {given} %, which is {share} points too little: it is {right}.")
    if not 0.5 <= ratio <= 2:
        off = Num(max(ratio, 1 / ratio), 2)
        text = N_("You said {given}, which is {share} times too much: it is {right}.")
        if ratio < 1:
            text = N_("You said {given}, which is {share} times too little: it is {right}.")
    return say(text, given=Num(given), right=right, share=off)


def file_name(name: str) -> str:
    """What the file of a talk of this name is called, without its ending."""
    return "".join(c if c.isalnum() or c in " -_" else "-" for c in name).strip() or "talk"


def texts(talk: Talk) -> Iterator[str]:
    """All that people read of a talk, each to be translated when it is shown."""
    yield from (talk.name, talk.about)
    for step in talk.steps:
        yield from (step.title, step.say, step.notes)
        if step.ask is not None:
            yield from (step.ask.text, *step.ask.options)


# The file


def talk_json(talk: Talk) -> dict[str, Any]:
    """A talk as JSON; what is as it starts is left out."""
    return {
        "dpstudio_talk": _format(talk),
        "name": talk.name,
        "about": talk.about,
        "lesson": talk.lesson,
        "steps": [_step_json(step) for step in talk.steps],
    }


def _format(talk: Talk) -> int:
    """The lowest format that holds all that the talk does."""
    if any(step.codebook.tells_roles for step in talk.steps):
        return VERSION
    return TWO_TABLES if any(step.second for step in talk.steps) else PLAIN


def _step_json(step: Step) -> dict[str, Any]:
    second = step.second
    view = {"hidden": {key: list(names) for key, names in step.hidden.items()}}
    words = {name: getattr(step, name) for name in ("say", "notes", "chart", "point")}
    out: dict[str, Any] = {
        "title": step.title,
        "lab": to_json(step.lab),
        "table": session.table_json(step.table, step.digest, step.reading) if step.table else {},
        "second": session.table_json(second.table, second.digest, second.reading) if second else {},
        **words,
        **(view if step.hidden else {}),
        "index": step.index,
        "codebook": step.codebook.to_json() if step.codebook else {},
        "ask": _ask_json(step.ask),
        "minutes": step.minutes,
    }
    return {name: value for name, value in out.items() if value or name in ("title", "lab")}


def _ask_json(ask: Ask | None) -> dict[str, Any]:
    if ask is None:
        return {}
    if not ask.options:
        return {"text": ask.text, "fact": ask.fact}
    return {"text": ask.text, "options": list(ask.options), "right": ask.right}


def write_talk(talk: Talk, path: Path) -> None:
    """Write atomically, as a session is. Raises SessionError."""
    session.write_text(
        path, json.dumps(talk_json(talk), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    )


def lesson_names() -> list[tuple[Path, str, str]]:
    """The lessons that ship, each with its name and what it is about, none of them read further."""
    paths = sorted(asset("lessons").glob(f"*{SUFFIX}"))
    read = [(path, json.loads(path.read_text(encoding="utf-8"))) for path in paths]
    return [(path, str(one["name"]), str(one.get("about", ""))) for path, one in read]


def read_talk(path: Path) -> Talk:
    """The talk in a file. Raises SessionError for what is none, is broken, or comes from a later
    version."""
    return talk_from_json(session.document(path)[0], path)


def talk_from_json(data: Any, path: Path) -> Talk:
    """The talk in what the file at `path` held. Raises SessionError."""
    version = data.get("dpstudio_talk") if isinstance(data, Mapping) else None
    if not isinstance(version, int) or isinstance(version, bool):
        raise session.SessionError(say("{path} is not a dpstudio talk.", path=path))
    if version > VERSION:
        text = N_("{path} was written by a later dpstudio. Update dpstudio to open it.")
        raise session.SessionError(say(text, path=path))
    steps = data.get("steps")
    if not isinstance(steps, list) or len(steps) > _MOST_STEPS:
        text = N_(
            "{path} lacks its steps, or has over {most}; it was changed by hand or cut short."
        )
        raise session.SessionError(say(text, path=path, most=_MOST_STEPS))
    made = tuple(_step(step, place, path) for place, step in enumerate(steps))
    words = {name: _text(data, name) for name in ("name", "about")}
    return Talk(**words, steps=made, lesson=data.get("lesson") is True)


def _step(data: Any, place: int, path: Path) -> Step:
    try:
        if not isinstance(data, Mapping):
            raise ParamError("", say("An object was expected here."))
        table = data.get("table", {})
        table = table if isinstance(table, Mapping) else {}
        words = {name: _text(data, name) for name in ("title", "say", "notes", "chart", "point")}
        looked = words["chart"], words["point"]
        lab, was = lab_from_json(data.get("lab"), looked), successor_of(data.get("lab"), looked)
        words["point"] = name_today(words["point"], lab, was)
        for name in ("say", "notes"):
            words[name] = _FIELD.sub(lambda f: f"{{{name_today(f[1], lab, was)}}}", words[name])
        return Step(
            lab=lab,
            table=_text(table, "path"),
            digest=_text(table, "sha256"),
            hidden=_hidden(data.get("hidden")),
            index=data["index"] if type(data.get("index")) is int else 0,
            codebook=codebook_from_json(data.get("codebook", {})),
            reading=session.reading_in(table),
            ask=_ask(data.get("ask")),
            second=session.second_in(data.get("second")),
            minutes=_minutes(data.get("minutes", 0)),
            **words,
        )
    except ParamError as error:
        raise session.SessionError(
            say(
                "{path} holds a value that cannot be used, in step {n} at {field}: {why}",
                path=path,
                n=place + 1,
                field=error.field or "lab",
                why=error.sentence,
            )
        ) from None


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name, "")
    return value if isinstance(value, str) else ""


def _minutes(data: Any) -> float:
    number = isinstance(data, int | float) and not isinstance(data, bool)
    if not (number and 0 <= data <= MOST_MINUTES):
        raise ParamError("minutes", say("It must be from 0 to {most}.", most=Num(MOST_MINUTES)))
    return float(data)


def _hidden(data: Any) -> dict[str, tuple[str, ...]]:
    """Hidden curves by chart."""
    if not isinstance(data, Mapping):
        return {}
    return {
        str(key): tuple(name for name in names if isinstance(name, str))
        for key, names in data.items()
        if isinstance(names, list)
    }


def _ask(data: Any) -> Ask | None:
    if not isinstance(data, Mapping) or not _text(data, "text"):
        return None
    options = data.get("options")
    options = tuple(map(str, options)) if isinstance(options, list) else ()
    right = data.get("right", 0)
    if options and not (type(right) is int and 0 <= right < len(options)):
        raise ParamError("ask.right", say("No option has this place."))
    return Ask(_text(data, "text"), options, right if options else 0, _text(data, "fact"))
