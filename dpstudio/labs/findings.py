"""What a lab finds: figures, facts for the strip, sentences, tables, and problems that stop it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpstudio.charts.figure import Array, Figure, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.outcome import Outcome
from dpstudio.values.messages import Message
from dpstudio.values.problem import Problem


@dataclass(frozen=True)
class Fact:
    """A number of the strip above the charts: `value` is the raw, unrounded number or vector."""

    key: str
    label: Message | str
    text: Message
    note: Message | str = ""
    ink: str = "text"
    value: Any = None


@dataclass(frozen=True)
class Sentence:
    """A computed sentence; its message holds the raw values. `tone`: "plain", "good", "warn" or
    "bad"."""

    key: str
    say: Message
    tone: str = "plain"


@dataclass(frozen=True)
class Table:
    """Named columns of equal length. A `shown` table is a card beside the charts: its cells are
    Say, Num or plain text there, and `heads` are the words above the columns (the column names
    where there are none). `exact`, `simulated` and `beside` as for a figure; of `rows` are the
    first ones of the table that was read."""

    key: str
    title: Message | str
    columns: tuple[tuple[str, tuple[Any, ...]], ...]
    shown: bool = False
    heads: tuple[Message | str, ...] = ()
    exact: bool = False
    rows: bool = False
    beside: Mapping[str, Any] = field(default_factory=dict)
    simulated: bool = False


def table_beside(data: Dataset) -> dict[str, Any]:
    """Which table was read beside the first: its "name", "rows" and "sha256"; none of its rows."""
    name = data.origin.replace("\\", "/").rpartition("/")[2] or data.name
    return {"name": name, "rows": data.rows, "sha256": data.digest}


@dataclass(frozen=True)
class Compared:
    """One number for each choice of a list, by its key, by which they can be compared, and `what`
    that number is. A choice without one cannot serve, or keeps no promise."""

    what: Message
    numbers: Mapping[str, Message]


@dataclass(frozen=True, eq=False)
class Findings:
    """One outcome of `lab.run`. `replays` are simulated answers (m rows, one column a coordinate)
    to be shown one by one, `spans` the ends of what each tells of the exact one, shape (m, 2,
    coordinates).

    `part` is the coordinate looked at, `labels` names the coordinates, `refused` gives by field the
    choices that cannot work on this table, each with the reason, `compared` the numbers by which
    those of a list are compared. `headline` names the sentences that stand above the charts;
    the first `leading` facts stand below the first of them, and at most
    `beside` small charts with the first figure: the others wait. `second` is the table
    beside the first that was read as well. `coarse` are the keys of facts, sentences and figures
    that finer findings of the same run tell otherwise. What comes `ahead` of findings is their
    first figure alone.
    """

    figures: tuple[Figure, ...] = ()
    facts: tuple[Fact, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    tables: tuple[Table, ...] = ()
    problems: tuple[Problem, ...] = ()
    replays: Array = field(default_factory=lambda: array([]))
    truth: Array | None = None
    part: int = 0
    labels: tuple[str, ...] = ()
    refused: Mapping[str, Mapping[str, Message]] = field(default_factory=dict)
    headline: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    spans: Array = field(default_factory=lambda: array([]))
    leading: int = 3
    beside: int = 3
    second: Dataset | None = None
    ahead: bool = False
    coarse: frozenset[str] = frozenset()
    compared: Mapping[str, Compared] = field(default_factory=dict)

    def figure(self, key: str) -> Figure:
        """The figure of that key; KeyError if there is none."""
        for figure in self.figures:
            if figure.key == key:
                return figure
        raise KeyError(key)

    def fact(self, key: str) -> Fact:
        """The fact of that key; KeyError if there is none."""
        for fact in self.facts:
            if fact.key == key:
                return fact
        raise KeyError(key)

    def sentence(self, key: str) -> Sentence:
        """The sentence of that key; KeyError if there is none."""
        for sentence in self.sentences:
            if sentence.key == key:
                return sentence
        raise KeyError(key)
