"""The state of the program and its history: one place that changes, one signal that says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
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
        self._seen: dict[str, dict[str, Any]] = {}
        self._opened = {self.state.active}
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

    def set_all(self, pairs: Iterable[tuple[str, Any]]) -> None:
        """Set several parameters of the open lab in one step; raises ParamError as `set` does."""
        lab = self.lab
        for path, value in pairs:
            lab = put(lab, path, value)
        self.edit(lab)

    def choose(self, path: str, key: str) -> None:
        """Choose another Kind for a parameter; what both have in common, or what was set before, is kept."""
        held = get(self.lab, path)
        if held.key == key:
            return
        self._remember(self.lab)
        domain = domains(type(self.lab))[path]
        kind = find(domain.family(), key)  # type: ignore[attr-defined]
        lab = put(self.lab, path, switch(kind, held, self._seen.get(self.lab.key, {})))
        suited = lab.suited(self.data) if self.data is not None else lab
        # What was asked for stays, with the sentence that says why it cannot be answered; it is not swapped for something else.
        self.edit(suited if get(suited, path).key == key else lab)

    def activate(self, key: str) -> None:
        """Turn to the page of another lab, which is no step of the history.

        A lab that is opened for the first time takes over what it shares with the lab that is left.
        """
        if key == self.state.active:
            return
        state = replace(self.state, active=key)
        if key not in self._opened:
            lab = carried(self.lab, state.lab)
            lab = lab.suited(self.data) if self.data is not None else lab
            state = state.with_lab(lab)
            # It was never edited, so every remembered state holds it as it started.
            self.history.rewrite(partial(State.with_lab, lab=lab))
            self._opened.add(key)
        self._take(state)

    def open(self, state: State, data: Dataset, anew: bool = False) -> None:
        """Another table, or `anew` a session; the history begins anew."""
        self.history.clear()
        self.data = data
        if anew:
            self._seen = {}
            self._opened = {lab.key for lab in state.labs if lab != type(lab)()}
        self._opened.add(state.active)
        self._take(state)

    def _remember(self, kind: Kind, of: str = "") -> None:
        of = of or kind.key
        # Bounds and categories belong to a column and are not carried from one to another.
        for name in domains(type(kind)):
            value = getattr(kind, name)
            if isinstance(value, Kind):
                self._remember(value, of)
            elif name not in ("low", "high", "edges", "categories", "attested"):
                self._seen.setdefault(of, {})[name] = value

    def _take(self, state: State) -> None:
        self.state = state
        self.changed.emit(self)


# What has the same name in several labs but is each lab's own choice.
_OWN = ("measure", "seed", "trials")


def carried(left: Lab, lab: Lab) -> Lab:
    """`lab` with the parameters of the same name and meaning of the lab that is left, its budget too."""
    budget = getattr(left, "mechanism", None)
    spent = {name: getattr(budget, name) for name in ("epsilon", "delta") if hasattr(budget, name)}
    lab = switch(type(lab), {name: getattr(left, name) for name in domains(type(left)) if name not in _OWN}, spent, lab)
    own = getattr(lab, "mechanism", None)
    if not spent and isinstance(own, Kind) and hasattr(own, "sketch"):
        lab = lab.with_(mechanism=switch(type(own), left, own))
    return lab


def state_from(labs: tuple[Lab, ...], active: str) -> State:
    """A state with every lab of the catalogue: those given, the rest as they start."""
    given: Mapping[str, Lab] = {lab.key: lab for lab in labs}
    return State(tuple(given.get(kind.key, kind()) for kind in LABS), active)
