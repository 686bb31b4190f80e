"""Spellings of one word that a page counts apart, in the columns of words that it asks about."""

from collections.abc import Iterator
from functools import partial

from dpstudio.data.codebook import IDENTIFIER
from dpstudio.data.dataset import Dataset
from dpstudio.data.spelling import twins
from dpstudio.labs.role_columns import takes_columns
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import Parameters, domains
from dpstudio.values.problem import Problem

TWICE = "data.spelling"
_WORDS = 200  # a column of more is no group
_TEXT = N_(
    "“{column}” has {n:# word|# words} in several spellings, counted apart here: {pairs}. They can "
    "be merged for looking, under “Columns and rows of this table”; what leaves without the exact "
    "answer never merges them."
)


def asked_columns(lab: Parameters) -> Iterator[str]:
    """The columns that a lab's parameters name."""
    for name, domain in domains(type(lab)).items():
        held = getattr(lab, name)
        if isinstance(held, Parameters):
            yield from asked_columns(held)
        elif takes_columns(domain):
            yield from (held,) if isinstance(held, str) else held


def spelled_twice(data: Dataset, column: str) -> tuple[tuple[str, ...], ...]:
    """Spellings of one word, those of one together; none where a person told how the column is
    read, or it is no column of few words."""
    if not data.has(column) or data.info(column).type != "category" or data.about(column).type:
        return ()
    if column == data.person or data.codebook.role(column) == IDENTIFIER:
        return ()
    return data.remember(("spelled twice", column), partial(_found, data, column))


def _found(data: Dataset, column: str) -> tuple[tuple[str, ...], ...]:
    words = [word for word, _ in data.distinct(column, _WORDS + 1)]
    return tuple(twins(words)) if len(words) <= _WORDS else ()


def pairs_of(found: tuple[tuple[str, ...], ...]) -> str:
    """The first of them, as they are written."""
    return " · ".join(" = ".join(f"“{word}”" for word in some) for some in found[:2])


def counted_apart(lab: Parameters, data: Dataset) -> Iterator[Problem]:
    """What a lab's columns hold in several spellings: seen in the rows, so it never leaves without
    the exact answer."""
    for column in dict.fromkeys(asked_columns(lab) if data.rows else ()):
        if found := spelled_twice(data, column):
            yield Problem(TWICE, told_apart(column, found), stops=False)


def told_apart(column: str, found: tuple[tuple[str, ...], ...]) -> Message:
    """That they are counted apart, and what can be done."""
    return say(_TEXT, column=column, n=Num(len(found)), pairs=pairs_of(found))
