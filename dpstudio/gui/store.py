"""The state of the program and its history: one place that changes, one signal that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpstudio.core.dataset import Dataset
from dpstudio.core.labs import LABS, Lab
from dpstudio.core.params import Kind, domains, find, get, put, switch
from dpstudio.gui.history import History


@dataclass(frozen=True)
class State:
    """The labs as they are set, and which one is open."""

    labs: tuple[Lab, ...]
    active: str

    @property
    def lab(self) -> Lab:
        return next(lab for lab in self.labs if lab.key == self.active)

    def with_lab(self, lab: Lab) -> State:
        return replace(self, labs=tuple(lab if old.key == lab.key else old for old in self.labs))


def first_state() -> State:
    return State(tuple(kind() for kind in LABS), LABS[0].key)


class Store(QObject):
    """Holds State and the dataset. `changed` is the only state signal of the program; its argument is the Store."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.state = first_state()
        self.data: Dataset | None = None
        self.history = History(self)
        self.history.restored.connect(self._take)
        self._seen: dict[str, Any] = {}
        self._gesture = 0

    @property
    def lab(self) -> Lab:
        return self.state.lab

    def gesture(self) -> str:
        """A new name for a drag: edits that carry it are one step of the history."""
        self._gesture += 1
        return f"gesture {self._gesture}"

    def edit(self, lab: Lab, gesture: str | None = None) -> None:
        """Make `lab` the state of its page, as one step that can be undone."""
        before, after = self.state, self.state.with_lab(lab)
        if after == before:
            return
        self._remember(self.lab)
        self._take(after)
        self.history.push(before, after, gesture)

    def set(self, path: str, value: Any, gesture: str | None = None) -> None:
        """Set one parameter of the open lab; raises ParamError at its dotted path and changes nothing then."""
        self.edit(put(self.lab, path, value), gesture)

    def choose(self, path: str, key: str) -> None:
        """Choose another Kind for a parameter; what both have in common, or what was set before, is kept."""
        held = get(self.lab, path)
        if held.key == key:
            return
        self._remember(self.lab)
        domain = domains(type(self.lab))[path]
        kind = find(domain.family(), key)  # type: ignore[attr-defined]
        lab = put(self.lab, path, switch(kind, held, self._seen))
        self.edit(lab.suited(self.data) if self.data is not None else lab)

    def open(self, state: State, data: Dataset) -> None:
        """Another table or session; the history begins anew."""
        self.history.clear()
        self.data = data
        self._take(state)

    def _remember(self, kind: Kind) -> None:
        # Bounds and categories belong to a column and are not carried from one to another.
        for name in domains(type(kind)):
            value = getattr(kind, name)
            if isinstance(value, Kind):
                self._remember(value)
            elif name not in ("low", "high", "edges", "categories", "attested"):
                self._seen[name] = value

    def _take(self, state: State) -> None:
        self.state = state
        self.changed.emit(self)


def state_from(labs: tuple[Lab, ...], active: str) -> State:
    """A state with every lab of the catalogue: those given, the rest as they start."""
    given: Mapping[str, Lab] = {lab.key: lab for lab in labs}
    return State(tuple(given.get(kind.key, kind()) for kind in LABS), active)
