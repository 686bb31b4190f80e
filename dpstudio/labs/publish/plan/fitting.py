"""What a question of a plan starts with beside a table: columns by their names and types, and what
somebody typed of them elsewhere. A plan that leaves may not depend on what the rows hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dpstudio.data import codebook
from dpstudio.data.column_roles import names_rows, parts_of, role_by_name
from dpstudio.data.dataset import ColumnInfo, Dataset
from dpstudio.plans.question import Question
from dpstudio.values.dates import called_years
from dpstudio.values.parameters import Column, domains, forgotten

_SHORTEST = 3  # letters of a word by which a column is known
# What the page of the table calls it.
_TOLD = {"groups": "categories", "other_groups": "categories", "low": "low", "high": "high"}


def columns_of(asked: Question) -> dict[str, str]:
    """Those that its kind is of, by parameter."""
    kind = domains(type(asked)).items()
    return {name: getattr(asked, name) for name, domain in kind if isinstance(domain, Column)}


def with_columns(asked: Question, data: Dataset, others: Sequence[Question] = ()) -> Question:
    """The question about columns of this table, where it is still about those that its kind starts
    with, or was about others of another kind; each with what was typed of it in `others` or is
    known from outside the table."""
    held: dict[str, str] = {}
    for name, column in columns_of(asked).items():
        domain = domains(type(asked))[name]
        assert isinstance(domain, Column)
        if getattr(asked, "groups", None):
            continue
        fresh = column == getattr(type(asked), name) and not data.has(column)
        other = data.has(column) and not _serves(domain, data, column)
        if domain.numeric:  # bounds that were typed are of a column that was meant
            start = forgotten(asked, name)
            other &= all(getattr(asked, each) == value for each, value in start.items())
        for info in _likeliest(asked, domain, data) if fresh or other else ():
            told = data.codebook.role(info.name) in (codebook.IDENTIFIER, codebook.PERSON)
            rows = told or names_rows(info.name)
            taken = info.name in {*columns_of(asked).values(), *held.values()}
            if _serves(domain, data, info.name) and not (rows or taken):
                held[name] = info.name
                break
    gone = {each: value for name in held for each, value in forgotten(asked, name).items()}
    moved = asked.with_(**gone, **held)
    return moved.with_(**dict(_typed(moved, data, others)))


def _likeliest(asked: Question, domain: Column, data: Dataset) -> list[ColumnInfo]:
    """First those that the name of the question speaks of; last whose number means little, as far
    as names say it: a year, a postcode."""
    said = parts_of(asked.name)

    def place(info: ColumnInfo) -> tuple[bool, bool]:
        words = (word for word in parts_of(info.name) if len(word) >= _SHORTEST)
        named = any(part.startswith(word) for word in words for part in said)
        return not named, domain.numeric and _unlikely(info.name)

    return sorted(data.columns, key=place)


def _typed(asked: Question, data: Dataset, others: Sequence[Question]) -> Iterator[tuple[str, Any]]:
    """For each column of which nothing is typed yet: words and bounds from the last other question
    that has any, else those that are attested of it."""
    for name, column in columns_of(asked).items():
        start = forgotten(asked, name)
        if any(getattr(asked, each) != value for each, value in start.items()):
            continue
        told = [_said_of(other, column) for other in reversed(others)]
        if (about := data.codebook.about(column)).attested:
            told.append({each: getattr(about, each) for each in _TOLD.values()})
        for each in start:
            values = (said.get(_TOLD.get(each, each)) for said in told)
            if (value := next((v for v in values if v not in (None, ())), None)) is not None:
                yield each, value


def _said_of(question: Question, column: str) -> dict[str, Any]:
    """What a question says of a column, as the page of the table calls it."""
    return {
        _TOLD.get(each, each): getattr(question, each)
        for name, held in columns_of(question).items()
        for each in (forgotten(question, name) if held == column else ())
    }


def _unlikely(column: str) -> bool:
    return called_years(column) or role_by_name(column) in (codebook.PLACE, codebook.WEIGHT)


def _serves(domain: Column, data: Dataset, column: str) -> bool:
    info = data.info(column)
    return info.numeric if domain.numeric else info.type == "category"
