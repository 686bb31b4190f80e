"""What a lab made besides numbers: a table, a model, a choice, a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from dpstudio.values.messages import Say


@runtime_checkable
class Outcome(Protocol):
    """Something that can be kept. `exact`: it holds the exact answer, or comes from it."""

    @property
    def key(self) -> str:
        """Its name among the outcomes of a lab."""

    @property
    def title(self) -> Say | str:
        """What people read above it."""

    @property
    def exact(self) -> bool:
        """Whether it holds the exact answer."""

    def to_json(self) -> Any:
        """All of it as JSON can hold it."""
        ...


@dataclass(frozen=True)
class Made:
    """Named values: a plan, a choice, the parameters of a fitted model."""

    key: str
    title: Say | str
    values: Mapping[str, Any]
    exact: bool = False

    def to_json(self) -> Any:
        """The values by their names."""
        return dict(self.values)


@dataclass(frozen=True)
class MadeTable:
    """A table of columns of equal length, that can be written as one and opened again; `sidecar` is
    what is said of it in a file beside it."""

    key: str
    title: Say | str
    columns: tuple[tuple[str, tuple[Any, ...]], ...]
    exact: bool = False
    sidecar: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len({len(column) for _, column in self.columns}) > 1:
            raise ValueError("The columns of a table are of one length.")

    def to_json(self) -> Any:
        """What is said beside it, where it has a file of its own; else the columns by their names,
        each a list."""
        return dict(self.sidecar) or {name: list(column) for name, column in self.columns}
