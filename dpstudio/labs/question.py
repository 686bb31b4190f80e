"""What labs with a question share: the answer of the query on a table, what stands in its way, and
the nearest question that a table can answer."""

from collections.abc import Iterator
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from dpstudio.data.conditions import ORDERED, Condition, Conditions, Test, Value, Where, as_word
from dpstudio.data.dataset import Dataset
from dpstudio.data.spelling import PLAIN
from dpstudio.labs.lacking import no_rows
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import Query
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.privacy.release.answerable import answerable, refused_mechanisms
from dpstudio.values.lists import Ranges
from dpstudio.values.messages import N_, Message
from dpstudio.values.parameters import Column, Parameters, domains, roles, switch
from dpstudio.values.problem import Problem

# The measurements of an answer that have other words in the middle of a sentence than a name.
_MEASURED = {"squares": N_("sum of squares"), "spread": N_("answer")}


# What is asked of a column clipped to bounds that the lab Clipping can choose.
CLIPPED = ("sum", "mean", "variance")


def clipped_statistic(query: Parameters) -> str | None:
    """Which of these a question asks, of all rows or of each group; None for any other."""
    asked = getattr(query, "statistic", "") if query.key == "grouped" else query.key
    return asked if asked in CLIPPED else None


def with_clipped_question(lab: Any, other: Parameters) -> Any:
    """The lab Clipping with the question of another about a clipped column, its bounds and its
    budget; None where that asks another question."""
    query, mechanism = getattr(other, "query", None), getattr(other, "mechanism", None)
    statistic = None if query is None else clipped_statistic(query)
    if query is None or statistic is None:
        return None
    held = {name: getattr(query, name) for name in ("column", "where", "low", "high")}
    held |= {name: getattr(query, name, False) for name in ("n_public", "centred")}
    if query.column != lab.column:  # what was known and set was of the other column
        held |= {"attested": False} | dict.fromkeys(("centre", "grid_low", "grid_high"))
    return lab.with_(statistic=statistic, moving="upper", mechanism=mechanism, **held)


def measured_as(name: str) -> Message:
    """What is measured by that name, in the middle of a sentence."""
    return Message(_MEASURED.get(name, name))


class Asking(Protocol):
    """A lab with a question."""

    @property
    def query(self) -> Query:
        """What is asked."""

    @property
    def adjacency(self) -> str:
        """Which tables are neighbours."""

    def with_(self, **changes: object) -> Self:
        """The lab with some parameters changed."""


class Answering(Asking, Protocol):
    """A lab with a question and one mechanism that answers it."""

    @property
    def mechanism(self) -> Additive:
        """What answers it."""


class Judging(Asking, Protocol):
    """The parameters of a lab that judges an answer by its error."""

    @property
    def post_processing(self) -> str:
        """What becomes of the answer before it is published."""

    @property
    def confidence(self) -> float:
        """The share of answers that the half-width keeps."""

    @property
    def measure(self) -> str:
        """Which error is drawn."""

    @property
    def part(self) -> int:
        """The coordinate that is looked at."""

    @property
    def largest(self) -> bool:
        """Whether the largest error over all coordinates is judged."""

    @property
    def seed(self) -> int:
        """The seed of what is simulated."""

    @property
    def show_truth(self) -> bool:
        """Whether the exact answer is to be seen."""


A = TypeVar("A", bound=Asking)
B = TypeVar("B", bound=Answering)


def reads_table(kind: Parameters) -> bool:
    """Whether anything that a lab, or a question, asks for comes from the table: it, or a
    `Parameters` within it, names a column, columns for a purpose, or a condition."""
    for name, domain in domains(type(kind)).items():
        held = getattr(kind, name)
        if domain.purpose or isinstance(domain, Column | Condition | Conditions):
            return True
        if isinstance(held, Parameters) and reads_table(held):
            return True
    return False


def asked_types(kind: Parameters) -> dict[str, str]:
    """What a lab, or a question, takes columns for, by their name: numbers that it clips, words
    that it groups by, what the ends or words that are typed are of, and what has an order in a
    condition."""
    found: dict[str, str] = {}
    for name, domain in domains(type(kind)).items():
        held, role = getattr(kind, name), roles(type(kind))[name]
        if isinstance(held, Parameters):
            found |= asked_types(held)
        elif isinstance(domain, Column) and (domain.numeric or domain.words):
            found[held] = "number" if domain.numeric else "category"
        elif isinstance(domain, Ranges) and role.of:
            found |= dict.fromkeys(getattr(kind, role.of[0]), "number")
        elif role.holds and held not in (None, ()) and len({*role.holds[1]} - {"integer"}) == 1:
            found[getattr(kind, role.holds[0])] = role.holds[1][0]
        for test in tests_of(held):
            if test.operator in ORDERED and (only := PLAIN.type_of(as_word(test.values[0]))):
                found.setdefault(test.column, only)
    return found


def compared_types(kind: Parameters) -> dict[str, str]:
    """What a lab, or a question, compares columns with for being the same, by their name: dates,
    which name a span of days, or else words. Of values that may be a year as well as a number
    nothing is said."""
    found: dict[str, str] = {}
    for name in domains(type(kind)):
        held = getattr(kind, name)
        if isinstance(held, Parameters):
            found |= compared_types(held)
        for test in tests_of(held):
            kinds = {PLAIN.type_of(as_word(value)) or _year(value) for value in test.values}
            if test.operator not in ORDERED and "year" not in kinds:
                found.setdefault(test.column, "date" if kinds == {"date"} else "category")
    return found


def _year(value: Value) -> str:
    """ "year" for what may be a year as well as a number; "" for a word."""
    return "" if np.isnan(PLAIN.read(as_word(value), "number")) else "year"


def tests_of(held: object) -> Iterator[Test]:
    """The comparisons of a condition, or of several."""
    for where in held if isinstance(held, tuple) else (held,):
        if isinstance(where, Where):
            yield from where.tests()


def measured(query: Query, data: Dataset, adjacency: str) -> MeasuredQuestion:
    """The exact answer with its sensitivities, remembered by the table."""
    return data.remember(("asked", query, adjacency), lambda: query.ask(data, adjacency))


def measured_if_possible(query: Query, data: Dataset, adjacency: str) -> MeasuredQuestion | None:
    """The same; None where a problem stops it."""
    stopped = any(p.stops for p in question_problems(query, data, adjacency))
    return None if stopped else measured(query, data, adjacency)


def question_problems(query: Query, data: Dataset, adjacency: str) -> Iterator[Problem]:
    """Why this table cannot answer the question, or what qualifies the answer."""
    if data.rows == 0:
        yield Problem("data", no_rows(data))
        return
    yield from query.problems(data, adjacency)


def mechanism_refused(lab: Answering, data: Dataset) -> dict[str, Message]:
    """The mechanisms that cannot answer the question of a lab, each with the reason."""
    return refused_mechanisms(measured_if_possible(lab.query, data, lab.adjacency))


def answering_problems(lab: Answering, data: Dataset) -> Iterator[Problem]:
    """The problems of a question that one mechanism answers."""
    found = list(question_problems(lab.query, data, lab.adjacency))
    yield from found
    if not any(p.stops for p in found):
        refused = mechanism_refused(lab, data)
        if lab.mechanism.key in refused:
            yield Problem("mechanism", refused[lab.mechanism.key])


def with_question(lab: A, data: Dataset) -> A:
    """The lab with the nearest question that the table can answer."""
    return lab.with_(query=answerable(lab.query, data, lab.adjacency))


def with_answer(lab: B, data: Dataset) -> B:
    """The same, and with Laplace noise where the mechanism cannot answer it."""
    made = with_question(lab, data)
    if made.mechanism.key in mechanism_refused(made, data):
        made = made.with_(mechanism=switch(Laplace, made.mechanism))
    return made
