"""Questions as people type them at a console, about one column that is protected: COUNT, SUM, AVG
or MAX of the rows that meet a condition on other columns.

    SUM WHERE sex = "Male" and age > 50
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.conditions import Where, apart, parse
from dpstudio.data.dataset import Dataset
from dpstudio.values.messages import Message, say
from dpstudio.values.parameters import Domain, ParamError

COUNT, SUM, AVERAGE, LARGEST = "COUNT", "SUM", "AVG", "MAX"
_FORM = re.compile(r"\s*(count|sum|avg|max)\b(?:\s+where\b(.*))?\s*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Statement:
    """One question: `what` is COUNT, SUM, AVG or MAX."""

    what: str
    where: Where = Where()

    def __str__(self) -> str:
        return f"{self.what} WHERE {self.where}" if self.where else self.what


def statement(text: str) -> Statement:
    """The question that a text asks; ParamError says what is not clear."""
    found = _FORM.fullmatch(text)
    if found is None or (found[2] is not None and not found[2].strip()):
        raise ParamError(
            "", say("Write COUNT, SUM, AVG or MAX, and a condition: SUM WHERE age > 50.")
        )
    return Statement(found[1].upper(), parse(found[2] or ""))


@dataclass(frozen=True)
class Statements(Domain):
    """Several questions; as text they are separated by `|`, in JSON they are a list of texts."""

    listed = True

    most: int = 20

    def check(self, value: Any) -> tuple[Statement, ...]:
        if isinstance(value, str):
            value = [part for part in apart(value) if part.strip()]
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= self.most:
            raise ParamError("", say("Ask 1 to {most} questions, one a line.", most=self.most))
        return tuple(one if isinstance(one, Statement) else self._read(one) for one in value)

    @staticmethod
    def _read(one: Any) -> Statement:
        if not isinstance(one, str):
            raise ParamError("", say("A question is a text such as SUM WHERE age > 50."))
        return statement(one)

    def show(self, value: Any) -> str:
        return " | ".join(map(str, value))

    def to_json(self, value: Any) -> Any:
        return [str(part) for part in value]

    def describe(self) -> Message:
        return say("questions separated by |, such as COUNT WHERE sex = Male | SUM WHERE age > 50")

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "", "MEDIAN", "SUM WHERE", "SUM age", "SUM WHERE age >", [7])


def meets(data: Dataset, where: Where) -> NDArray[np.bool_]:
    """Which rows meet a condition, (rows,). Raises ParamError for a column that is not there, or
    that cannot be compared so."""
    return np.asarray(data._held.mask(where)) if where else np.ones(data.rows, dtype=np.bool_)
