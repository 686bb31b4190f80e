"""The state of the program and its history: one place that changes, one signal that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from dpstudio.core.dataset import Dataset
from dpstudio.core.labs import LABS, Lab
from dpstudio.core.params import Kind, domains, find, get, put, switch


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


class _Snapshot(QUndoCommand):
    """One step of the history. Steps of the same gesture merge; one that ends where it began is dropped."""

    def __init__(self, store: Store, after: State, gesture: str | None):
        super().__init__()
        self.store, self.before, self.after, self.gesture = store, store.state, after, gesture

    def redo(self) -> None:
        self.store._take(self.after)

    def undo(self) -> None:
        self.store._take(self.before)

    def id(self) -> int:
        return 1 if self.gesture else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Snapshot) or other.gesture != self.gesture:
            return False
        self.after = other.after
        self.setObsolete(self.after == self.before)
        return True


class Store(QObject):
    """Holds State and the dataset. `changed` is the only state signal of the program; its argument is the Store."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.state = first_state()
        self.data: Dataset | None = None
        self.history = QUndoStack(self)
        self.history.setUndoLimit(500)
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
        after = self.state.with_lab(lab)
        if after == self.state and not self._continues(gesture):
            return
        self._remember(self.lab)
        self.history.push(_Snapshot(self, after, gesture))

    def _continues(self, gesture: str | None) -> bool:
        """Whether the newest step of the history belongs to this gesture, so that the two can merge."""
        last = self.history.command(self.history.index() - 1) if gesture and self.history.index() else None
        return isinstance(last, _Snapshot) and last.gesture == gesture

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
