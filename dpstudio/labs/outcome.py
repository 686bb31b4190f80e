"""What a lab made besides numbers: a table, a model, a choice, a plan."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dpstudio.values.messages import Message


@runtime_checkable
class Outcome(Protocol):
    """Something that can be kept. `exact`: it holds the exact answer, or comes from it."""

    @property
    def key(self) -> str:
        """Its name among the outcomes of a lab."""

    @property
    def title(self) -> Message | str:
        """What people read above it."""

    @property
    def exact(self) -> bool:
        """Whether it holds the exact answer."""

    def to_json(self) -> Any:
        """All of it as JSON can hold it."""
        ...


@dataclass(frozen=True)
class NamedValues:
    """Named values: a plan, a choice, the parameters of a fitted model."""

    key: str
    title: Message | str
    values: Mapping[str, Any]
    exact: bool = False

    def to_json(self) -> Any:
        """The values by their names."""
        return dict(self.values)


@dataclass(frozen=True)
class MadeTable:
    """A table of columns of equal length, None where a value is missing, that can be written as one
    and opened again."""

    key: str
    title: Message | str
    columns: tuple[tuple[str, tuple[Any, ...]], ...]
    exact: bool = False

    def __post_init__(self) -> None:
        if len({len(column) for _, column in self.columns}) > 1:
            raise ValueError("The columns of a table are of one length.")

    def to_json(self) -> Any:
        """The columns by their names, each a list."""
        return {name: list(column) for name, column in self.columns}


@dataclass(frozen=True)
class MadeText:
    """Sentences to be printed elsewhere, one a line."""

    key: str
    title: Message | str
    lines: tuple[Message, ...]
    exact: bool = False

    def to_json(self) -> Any:
        """The sentences."""
        return list(self.lines)


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """A table for others, with a `report` of what was done, and, where it is not drawn, the text of
    a `script` that makes it again. What lies `beside` are more files of text, by the end of their
    name. Rows and report are worked out when they are written."""

    key: str
    title: Message | str
    make: Callable[[], MadeTable]
    report: Callable[[], Mapping[str, Any]]
    script: Callable[[], str] | None = None
    beside: Callable[[], Mapping[str, str]] = dict
    exact: bool = True

    def to_json(self) -> Any:
        """The report: the rows have a file of their own."""
        return dict(self.report())


@dataclass(frozen=True)
class ReleasedModel:
    """A model that was drawn to leave, as JSON can hold it, with the `statement` of its training
    and the lines of Python that make a model of scikit-learn's kind of its file."""

    key: str
    title: Message | str
    values: Mapping[str, Any]
    statement: tuple[Message, ...]
    loader: str
    exact: bool = False

    def to_json(self) -> Any:
        """The values, with the statement."""
        return {"statement": list(self.statement), **self.values}
