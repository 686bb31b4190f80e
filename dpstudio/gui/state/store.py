"""The state of the program and its history: one place that changes, one signal that says so."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpstudio.data.codebook import EMPTY, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.gui.state.fitting import Fit, Fitter
from dpstudio.gui.state.history import History, Step
from dpstudio.gui.state.jobs import Channel
from dpstudio.gui.state.shared_settings import (
    SharedSettings,
    apart,
    asked_for,
    by_roles,
    chosen_kept,
    fitted_since,
    retold,
    suited,
)
from dpstudio.gui.state.snapshot import Snapshot, changed, first_state
from dpstudio.labs import LABS, Lab
from dpstudio.labs.carry_over import carried
from dpstudio.labs.question import reads_table
from dpstudio.labs.role_columns import same_roles
from dpstudio.values.parameters import OneOf, ParamError, domains, put


@dataclass
class _Shelf:
    """How the labs were left on one table. `forced` has for each lab what the table made of it, and
    of what."""

    state: Snapshot
    trail: list[str]
    memory: SharedSettings
    forced: dict[str, tuple[Lab, Lab]]


@dataclass
class StoreState:
    """All that a store holds, to be put back as it is now."""

    data: Dataset
    state: Snapshot
    trail: list[str]
    memory: SharedSettings
    forced: dict[str, tuple[Lab, Lab]]
    second: Dataset | None
    shelves: dict[Hashable, _Shelf]
    history: tuple[list[Step], int, int | None]


class Store(QObject):
    """Holds State and the dataset, as the codebook describes it.

    `changed` is the only state signal of the program; its argument is the Store. `grasped(holds)`:
    a hand was laid on something that moves the state, or lifted. With a `fitter`
    labs are fitted to large tables there: the state holds what was asked for until then, edits go
    on, and what the table makes of it is put below them.
    """

    changed = Signal(object)
    grasped = Signal(bool)

    def __init__(self, fitter: Channel | None = None) -> None:
        super().__init__()
        self._fitter = Fitter(fitter, self)
        self._fitter.fitted.connect(self._on_fitted)
        self._fitter.failed.connect(self._on_unfitted)
        self.state = first_state()
        self.lab = self.state.lab  # the open one, which every editor asks for at every step
        self.data: Dataset | None = None
        self.second: Dataset | None = None  # stands beside it
        self.history = History(self)
        self.history.restored.connect(self._take)
        self._memory = SharedSettings()
        self._trail = [self.state.active]
        self._forced: dict[str, tuple[Lab, Lab]] = {}
        self._shelves: dict[Hashable, _Shelf] = {}
        self._gesture = 0

    @property
    def opened(self) -> tuple[str, ...]:
        """The labs that were opened, the one on the screen last."""
        return tuple(self._trail)

    def gesture(self) -> str:
        """A new name for a drag: edits that carry it are one step of the history."""
        self._gesture += 1
        return f"gesture {self._gesture}"

    def grasp(self) -> str:
        """The same, of a hand that holds something until it lets go."""
        self.grasped.emit(True)
        return self.gesture()

    def let_go(self) -> None:
        """The hand was lifted."""
        self.grasped.emit(False)

    def edit(self, lab: Lab, gesture: str | None = None) -> None:
        """Make `lab` the state of its page, as one step that can be undone."""
        before, after = self.state, self.state.with_lab(lab)
        if after == before:
            return
        self._memory.keep(self.lab)
        self._take(after)
        self.history.push(before, after, gesture)

    def describe(self, codebook: Codebook) -> None:
        """Tell something else of the table's columns or of its persons, as one step that can be
        undone.

        The rows of persons are chosen here, unless that was asked for in the background before.
        Raises ParamError when there is no such person column, and changes nothing then.
        """
        if self.data is None:
            return
        before, after = self.state, replace(self.state, codebook=codebook)
        if after == before:
            return
        data = self.data.described(codebook)
        same = same_roles(data, before.codebook, codebook)
        for lab in self.shown_labs():
            made = (lab if same else retold(lab, self.data, data)).retold(self.data, data)
            if not same or made != lab:
                self._forced_to(self._wanted(lab), made)
                after = after.with_lab(made)
        self._take(after)
        self.history.push(before, after, None)

    def hand(self, key: str) -> bool:
        """Add what is set in the open lab to another one, as one step that can be undone; False
        where it takes nothing."""
        other = self.state.held(key)
        lab = other.taking(self.lab)
        if lab is None:
            return False
        before, after = self.state, self.state.with_lab(lab)
        if key not in self._trail:  # what was handed over stays when its page is first opened
            self._trail.insert(0, key)
        self._take(after)
        self.history.push(before, after, None)
        return True

    def set(self, path: str, value: Any, gesture: str | None = None) -> None:
        """Set one parameter of the open lab; raises ParamError at its dotted path and changes
        nothing then."""
        self.edit(apart(put(self.lab, path, value), path), gesture)

    def set_all(self, pairs: Iterable[tuple[str, Any]], gesture: str | None = None) -> None:
        """Set several parameters of the open lab in one step; raises ParamError as `set` does."""
        lab = self.lab
        for path, value in pairs:
            lab = put(lab, path, value)
        self.edit(lab, gesture)

    def choose(self, path: str, key: str) -> None:
        """Choose another `Parameters` for a parameter; what both have in common, or what was set
        before, is kept."""
        domain = domains(type(self.lab))[path]
        assert isinstance(domain, OneOf)
        if getattr(self.lab, path).key == key:
            return
        self._memory.keep(self.lab)
        lab = put(self.lab, path, self._memory.chosen(self.lab, path, domain, key, self.data))
        # What was asked for stays, now and before, with the sentence that says why it cannot be
        # answered; it is not swapped for something else.
        start = self._forced.get(lab.key, (type(lab)(),))[0]
        self.edit_fitted(lab, lambda fitted: apart(chosen_kept(lab, fitted, start, path), path))

    def edit_fitted(self, lab: Lab, found: Callable[[Lab], Lab] = lambda fitted: fitted) -> None:
        """Make `lab`, fitted to the table, the state of its page, as one step that can be undone.
        `found` may take something else than what the table made of it."""
        if self.data is None or self.at_hand is not None:
            self.edit(found(suited(lab, self.data)))
            return
        before = self.history.newest
        fit = self._fitter.begin(lab, self.data, found)
        self.edit(lab)
        fit.step = self.history.newest
        if fit.step is before:  # nothing was edited
            self._fitter.leave(fit)

    def reset(self) -> None:
        """Make the page as it opens, as one step that can be undone."""
        self.edit_fitted(by_roles(type(self.lab)(), self.data))

    def activate(self, key: str) -> None:
        """Turn to the page of another lab, which is no step of the history.

        A lab that is opened for the first time takes over what it shares with those that were open
        before.
        """
        if key != self.state.active:
            self._take(self._entered(self.state, key))

    def turn_to(self, lab: Lab, gesture: str | None = None) -> None:
        """Turn to the page of a lab as it is given, as one step that can be undone."""
        before, after = self.state, replace(self.state.with_lab(lab), active=lab.key)
        if after != before:
            self._take(after)
            self.history.push(before, after, gesture)

    def _entered(self, state: Snapshot, key: str) -> Snapshot:
        if key not in self._trail:
            wanted = self.opening(state)(key)
            lab = wanted
            if self.data is not None and self.at_hand is None:
                self._fitter.begin(wanted, self.data, partial(self._forced_to, wanted))
            else:
                lab = suited(wanted, self.data)
            self._forced_to(wanted, lab)
            state = state.with_lab(lab)
            # It was never edited, so every remembered state holds it as it started.
            self.history.rewrite(partial(Snapshot.with_lab, lab=lab))
            self._trail.append(key)
        return replace(state, active=key)

    def opening(self, state: Snapshot | None = None) -> Callable[[str], Lab]:
        """What gives the lab of a page as it opens now, before it is fitted to a table: as it is
        where it was opened before, else with what it takes from those. It may import the lab, and
        may be called in the background."""
        state, trail, forced = state or self.state, tuple(self._trail), dict(self._forced)

        def wanted(key: str) -> Lab:
            lab = state.held(key)
            return asked_for(lab, *forced.get(key, (lab, lab)))

        visited = [wanted(other) for other in reversed(trail)]
        data = self.data

        def opens(key: str) -> Lab:
            return (
                state.held(key) if key in trail else by_roles(carried(wanted(key), visited), data)
            )

        return opens

    def _forced_to(self, wanted: Lab, fitted: Lab) -> Lab:
        self._forced[wanted.key] = fitted, wanted
        return fitted

    @property
    def at_hand(self) -> Dataset | None:
        """The table, where a lab is fitted to it at once."""
        return self.data if not self._fitter.slow(self.data) else None

    @property
    def fitting(self) -> bool:
        """Whether a lab is still being fitted to the table: what is in force is not final."""
        return self._fitter.busy

    def _on_fitted(self, fit: Fit, fitted: Lab) -> None:
        """Put what the table made of a lab below the edits since."""

        def since(state: Snapshot) -> Snapshot:
            return state.with_lab(fitted_since(state.held(fit.lab.key), fit.lab, fitted))

        self._take(since(self.state) if self.history.amend(fit.step, since) else self.state)

    def _on_unfitted(self) -> None:
        self._take(self.state)  # whoever runs it as it is will say what is wrong

    def open_session(
        self, state: Snapshot, data: Dataset, opened: Iterable[str] | None = None
    ) -> None:
        """Another table and the state saved with it; the history begins anew.

        Labs that were `opened` stay as they are; where that was not saved, those that are not as
        they start.
        """
        self._leave()
        self._memory, self._forced = SharedSettings(), {}
        known = {about.key for about in LABS}
        self._trail = (
            [lab.key for lab in state.labs]
            if opened is None
            else [key for key in opened if key in known]
        )
        self._begin(state, state.active, data)

    def open_table(self, data: Dataset) -> None:
        """Another table, on the same page: as its labs were left, where it was open before, else as
        they are now, fitted to it."""
        before = self._trail
        self._leave()
        old, key = self.state, self.state.active
        shelf = self._shelves.get(_place(data))
        if shelf is None:
            state = self._fitted(old, data)
        else:
            # Labs that ask nothing of a table are as they are now.
            here = dict.fromkeys((*before, *(lab.key for lab in old.labs)))
            apart = [lab for lab in map(old.held, here) if not reads_table(lab)]
            state = shelf.state
            for lab in apart:
                state = state.with_lab(lab)
            known = [
                *(lab.key for lab in apart if lab.key in before and lab.key not in shelf.trail),
                *shelf.trail,
            ]
            self._trail = list(dict.fromkeys(known))
            self._memory, self._forced = shelf.memory, shelf.forced
        self._begin(state, key, data)

    def renew(self, data: Dataset) -> None:
        """The same table as it is now: labs and codebook stay as they are, and the history where
        the table still has all of the columns that it may speak of."""
        state = self.state
        if self.data is None or not {info.name for info in self.data.columns} <= {
            info.name for info in data.columns
        }:
            self.history.clear()
        self._take(self._describe(state, data))

    def _describe(self, state: Snapshot, data: Dataset) -> Snapshot:
        """Open a table as its codebook tells it; the state that it opens in."""
        try:
            self.data = data.described(state.codebook)
        except ParamError:
            self.history.clear()
            state = replace(state, codebook=state.codebook.with_person(""))
            self.data = data.described(state.codebook)
        return state

    def stand(self, second: Dataset | None) -> None:
        """Another table stands beside the first, or none any more: no step of the history."""
        self.second = second
        self._take(self.state)

    def _fitted(self, state: Snapshot, data: Dataset) -> Snapshot:
        """Every lab that was opened or set, as it was asked for, fitted to a table."""
        labs = [self._forced_to(wanted, suited(wanted, data)) for wanted in self.wanted()]
        return Snapshot(changed(labs), state.active)

    def asked(self) -> Lab:
        """The open lab, as it was asked for, before the table changed it."""
        return self._wanted(self.lab)

    def wanted(self) -> tuple[Lab, ...]:
        """The labs that were opened or set, as they were asked for."""
        return tuple(map(self._wanted, self.shown_labs()))

    def shown_labs(self) -> tuple[Lab, ...]:
        """The labs that were opened or set, as they are."""
        keys = dict.fromkeys((*self._trail, *(lab.key for lab in self.state.labs)))
        return tuple(map(self.state.held, keys))

    def _wanted(self, lab: Lab) -> Lab:
        """A lab as it was asked for, before the table changed it."""
        return asked_for(lab, *self._forced.get(lab.key, (lab, lab)))

    def held(self, data: Dataset) -> StoreState:
        """Everything as it is now, on the table that is open."""
        self._fitter.finish()
        trail, forced, shelves = list(self._trail), dict(self._forced), dict(self._shelves)
        memory, history = self._memory.copy(), self.history.held()
        return StoreState(data, self.state, trail, memory, forced, self.second, shelves, history)

    def put_back(self, held: StoreState) -> None:
        """Everything as it was then; what was done since is forgotten."""
        self._fitter.finish()
        self._trail, self._memory, self._forced = held.trail, held.memory, held.forced
        self._shelves, self.data, self.second = held.shelves, held.data, held.second
        self.history.put_back(held.history)
        self._take(held.state)

    def _leave(self) -> None:
        """Put the labs away as they are on this table."""
        self._fitter.finish()
        if self.data is not None:
            self._shelves[_place(self.data)] = _Shelf(
                self.state, self._trail, self._memory, self._forced
            )
        self._trail, self._memory = list(self._trail), self._memory.copy()
        self._forced = dict(self._forced)

    def _begin(self, state: Snapshot, key: str, data: Dataset) -> None:
        self.history.clear()
        self.second = None
        # What is known of columns, also of such that this table lacks, is kept; whose row it is
        # must be told by the table.
        state = self._describe(state, data)
        if state.active not in self._trail:
            self._trail.append(state.active)
        self._take(self._entered(state, key))

    def _take(self, state: Snapshot) -> None:
        self.state, self.lab = state, state.lab
        if self.data is not None:
            self.data = self.data.described(state.codebook)
        if self._trail[-1] != state.active:
            self._trail = [*(key for key in self._trail if key != state.active), state.active]
        self.changed.emit(self)


def _place(data: Dataset) -> Hashable:
    """What names a table for as long as the program runs; its digest may still be worked out."""
    file = data.described(EMPTY)
    return file.origin, file.rows, file.columns
