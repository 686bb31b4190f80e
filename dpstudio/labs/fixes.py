"""What mends a problem that stops a lab: changes of its state, tried on the table before they are
offered."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Protocol, TypeVar

from dpstudio.data.column_roles import columns_for
from dpstudio.data.conditions import Conditions, Test, Where
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES, REPLACE
from dpstudio.privacy.queries.query import condition_problems
from dpstudio.values.domains import Choice, Column, Flag, Integer, Maybe, ParamError, Real
from dpstudio.values.lists import Words
from dpstudio.values.messages import N_, Message, Num, listed, plain, say
from dpstudio.values.parameters import OneOf, Parameters, domains, forgotten, get, put
from dpstudio.values.problem import Mend, Problem

_COLUMNS = 6  # so many columns are tried, the nearest names first
_SMALLER = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-12)  # tried in the place of a δ that is too large

K = TypeVar("K", bound=Parameters)


class Judge(Protocol):
    """What the page of a lab declares of a state on a table."""

    @property
    def problems(self) -> Callable[[Any, Dataset], Iterable[Problem]]:
        """What stops or qualifies it."""

    @property
    def suited(self) -> Callable[[Any, Dataset], Any]:
        """The nearest one that the table can answer."""


def mend_of(lab: Parameters, data: Dataset, problem: Problem, judge: Judge) -> Mend | None:
    """What rids a state of a problem on this table, the least change first; a change after which
    nothing else stops the lab goes before one after which something does. None where none is
    known."""
    partly = None
    for mend in _candidates(lab, data, problem, judge):
        try:
            made = mended(lab, mend)
        except ParamError:
            continue
        left = [p for p in judge.problems(made, data) if p.stops]
        if not left:
            return mend
        if partly is None and all((p.field, p.say.text) != _what(problem) for p in left):
            partly = mend
    return partly


def mended(lab: K, mend: Mend) -> K:
    """The state with the changes of a mend."""
    for path, value in mend.changes:
        lab = put(lab, path, value)
    return lab


def _what(problem: Problem) -> tuple[str, str]:
    return problem.field, problem.say.text


def _candidates(lab: Parameters, data: Dataset, problem: Problem, judge: Judge) -> Iterator[Mend]:
    """What may help, by what the field of the problem holds; last, what fits the table."""
    holder, name = _holder(lab, problem.field)
    domain = domains(type(holder)).get(name)
    path, held = problem.field, getattr(holder, name, None)
    if isinstance(domain, Column):
        yield from _columns(holder, path, domain, data)
    elif isinstance(held, Where):
        yield from _conditions(path, held, data)
    elif isinstance(domain, Conditions | Words):
        yield from _lists(holder, path, domain, data, problem)
    elif isinstance(domain, Flag):
        if getattr(lab, "adjacency", "") == ADD_REMOVE:
            name_ = say("Choose “{choice}”", choice=Message(ADJACENCIES[REPLACE]))
            yield Mend(name_, (("adjacency", REPLACE),))
        turn = N_("Turn off “{setting}”") if held else N_("Turn on “{setting}”")
        yield Mend(say(turn, setting=Message(domain.label)), ((path, not held),))
    elif isinstance(domain, Choice):
        for word, label in domain.words.items():
            yield Mend(say("Choose “{choice}”", choice=Message(label)), ((path, word),))
    elif isinstance(domain, Maybe) and held is not None:
        both = tuple((path.replace("high", end), None) for end in ("low", "high"))
        yield Mend(say("Let the data propose it"), both if name == "high" else ((path, None),))
    elif isinstance(domain, Real):
        tried = (data.rows, domain.low) if isinstance(domain, Integer) else _below(held)
        for value in (value for value in tried if held is not None and value < held):
            text = say("Take {name} = {value}", name=Message(domain.label), value=Num(value))
            yield Mend(text, ((path, value),))
    elif isinstance(held, tuple):
        for k in range(len(held) - 1, 0, -1):
            yield Mend(say("Keep the first {count}", count=Num(k)), ((path, held[:k]),))
    yield from _suited(lab, judge.suited(lab, data))


def _below(held: float | None) -> Iterator[float]:
    """Whole numbers, each half of the one before, where there are any; then those tried for δ."""
    half = (held or 0) // 2
    while half >= 1:
        yield half
        half //= 2
    yield from _SMALLER


def _holder(lab: Parameters, path: str) -> tuple[Parameters, str]:
    """The `Parameters` that holds the last name of a path; the lab itself where there is none."""
    outer, _, name = path.rpartition(".")
    try:
        holder = get(lab, outer) if outer else lab
    except AttributeError:
        return lab, path
    return holder, name


def _near(column: str, data: Dataset, domain: Column) -> list[str]:
    """The columns that can stand for another, the nearest name first."""
    names = [
        c.name
        for c in data.columns
        if (c.numeric or not domain.numeric)
        and (c.type == "category" or not domain.words)
        and c.name != column
        and data.missing(c.name) < data.rows
    ]
    near = get_close_matches(column, names, n=_COLUMNS, cutoff=0.5)
    ranked = columns_for(data, domain.serves, names)
    return list(dict.fromkeys((*near, *ranked, *(() if domain.words else names))))[:_COLUMNS]


def _columns(holder: Parameters, path: str, domain: Column, data: Dataset) -> Iterator[Mend]:
    """Another column, without what belonged to the one before."""
    outer, dot, name = path.rpartition(".")
    gone = tuple((outer + dot + other, value) for other, value in forgotten(holder, name).items())
    for column in _near(getattr(holder, name), data, domain):
        yield Mend(say("Take {columns}", columns=plain(f"“{column}”")), ((path, column), *gone))


def _conditions(path: str, where: Where, data: Dataset) -> Iterator[Mend]:
    """The nearest names of its columns, one comparison less, none."""
    renamed = _renamed(where, data)
    for tried in (renamed, *_fewer(renamed), *_fewer(where)):
        if tried != where and tried:
            yield Mend(say("Ask about {where}", where=plain(tried)), ((path, tried),))
    yield Mend(say("Ask about all rows"), ((path, Where()),))


def _renamed(where: Where, data: Dataset) -> Where:
    """The condition with the nearest name for each column that the table lacks, where one is
    near."""

    def renamed(part: Test | Where) -> Test | Where:
        if isinstance(part, Where):
            return _renamed(part, data)
        if data.has(part.column):
            return part
        near = get_close_matches(part.column, [c.name for c in data.columns], n=1)
        return Test(near[0], part.operator, part.values) if near else part

    return replace(where, parts=tuple(map(renamed, where.parts)))


def _fewer(where: Where) -> Iterator[Where]:
    for i in range(len(where.parts) if len(where.parts) > 1 else 0):
        yield replace(where, parts=(*where.parts[:i], *where.parts[i + 1 :]))


def _lists(
    holder: Parameters, path: str, domain: Conditions | Words, data: Dataset, problem: Problem
) -> Iterator[Mend]:
    """Conditions that can be asked, columns that are there, or the most common of too many
    words."""
    outer, dot, name = path.rpartition(".")
    held = getattr(holder, name)
    if isinstance(domain, Conditions):
        known = [
            made
            for where in held
            if not any(condition_problems(made := _renamed(where, data), data))
        ]
        if known:
            yield Mend(say("Keep what can be asked"), ((path, tuple(known)),))
        return
    limit, column = problem.say.values.get("limit"), problem.say.values.get("column")
    if limit is not None and isinstance(column, str) and data.has(column):
        most = int(getattr(limit, "value", limit))
        words = tuple(word for word, _ in data.distinct(column, most))
        text = say("List the {count} most common", count=Num(len(words)))
        yield Mend(text, ((path, words), (f"{outer}{dot}attested", False)))
    kept = tuple(word for word in held if data.has(word) and data.info(word).numeric)
    if kept != held:
        yield Mend(say("Keep the columns of numbers"), ((path, kept),))


def _suited(lab: Parameters, nearest: Parameters) -> Iterator[Mend]:
    """The nearest state that suits the table."""
    changes = tuple(
        (name, getattr(nearest, name))
        for name in domains(type(lab))
        if getattr(nearest, name) != getattr(lab, name)
    )
    if not changes:
        return
    named = _named(lab, nearest)
    yield Mend(named or Message(N_("Ask what this table can answer")), changes)


def _named(before: Parameters, after: Parameters) -> Message | None:
    """The `Parameters` that was chosen, else the columns that were, in an order that puts the outer
    change first."""
    columns = list[str]()
    for name, domain in domains(type(before)).items():
        old, new = getattr(before, name), getattr(after, name)
        if isinstance(domain, OneOf) and type(old) is not type(new):
            return say("Choose {choice}", choice=Message(new.label))
        if isinstance(domain, OneOf) and old != new and (inner := _named(old, new)):
            return inner
        if isinstance(domain, Column) and old != new:
            columns.append(new)
        elif name == "columns" and old != new:
            columns.extend(new)
    names = listed(f"“{column}”" for column in columns)
    return say("Take {columns}", columns=names) if columns else None
