"""Undo and redo at random: what comes back, and when work counts as saved."""

from __future__ import annotations

import random

import pytest

from dpstudio.gui.state import history
from dpstudio.gui.state.history import History


class Desk:
    """Somebody at work, beside the list of states that one would write down by hand."""

    def __init__(self, seed: int) -> None:
        self.chance, self.history = random.Random(seed), History()
        self.state, self.saved = 0, 0
        self.history.restored.connect(self.show)
        self.written, self.at = [0], 0  # every state that undo and redo can show, and where we are
        self.moved = 0  # steps of undo and redo since the save, None where an edit came between
        self.told = [False, False, True]
        for place, signal in enumerate(
            (self.history.canUndoChanged, self.history.canRedoChanged, self.history.cleanChanged)
        ):
            signal.connect(lambda now, place=place: self.told.__setitem__(place, now))

    def show(self, state: int) -> None:
        self.state = state

    def edit(self) -> None:
        new = self.chance.randrange(6)
        self.history.push(self.state, new)
        if new != self.state:
            self.written = [*self.written[: self.at + 1], new][-history.MOST - 1 :]
            self.at, self.state, self.moved = len(self.written) - 1, new, None

    def drag(self, saves: float = 0.2) -> None:
        """Some steps of one gesture, which are one step; none where it ends where it began."""
        gesture, began = f"drag {self.chance.random()}", self.state
        # What could be done again is gone, wherever the hand comes to rest, and so is the oldest.
        kept = self.written[: self.at + 1][-history.MOST :]
        for _ in range(self.chance.randrange(1, 4)):
            new = self.chance.randrange(6)
            if new != self.state:
                self.history.push(self.state, new, gesture)
                self.written = kept if new == began else [*kept, new]
                self.at, self.state, self.moved = len(self.written) - 1, new, None
            if self.state == began:
                break
            if self.chance.random() < saves:  # while the button is down
                self.history.setClean()
                self.saved, self.moved = self.state, 0

    def undo(self) -> None:
        self.history.undo()
        self._go(-1)

    def redo(self) -> None:
        self.history.redo()
        self._go(1)

    def _go(self, by: int) -> None:
        to = min(max(self.at + by, 0), len(self.written) - 1)
        if self.moved is not None:
            self.moved += to - self.at
        self.at = to

    def save(self) -> None:
        """At once, or with edits while it was written."""
        moment, self.saved = self.history.moment(), self.state
        late = self.chance.choice((0, 0, 1, 3))
        # Below the oldest step that is remembered nobody knows whether it is the state of then.
        bottom = self.at == 0 and len(self.written) > history.MOST
        self.moved = None if bottom else 0
        for _ in range(late):
            self.chance.choice((self.edit, lambda: self.drag(0), self.undo, self.redo))()
        self.history.setClean(moment)

    def holds(self) -> None:
        made = self.history
        assert self.state == self.written[self.at]
        assert (made.canUndo(), made.canRedo()) == (self.at > 0, self.at < len(self.written) - 1)
        assert (made.index(), made.count()) == (self.at, len(self.written) - 1)
        assert self.told == [made.canUndo(), made.canRedo(), made.isClean()]
        # Never clean where something else is shown than was saved; always where only undo and redo
        # went away from it and back.
        assert not made.isClean() or self.state == self.saved
        assert made.isClean() or self.moved != 0


@pytest.mark.parametrize("seed", range(40))
def test_undo_shows_what_was_and_only_what_was_saved_is_clean(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOST", 5)
    desk = Desk(seed)
    for _ in range(120):
        desk.chance.choice((desk.edit, desk.drag, desk.undo, desk.undo, desk.redo, desk.save))()
        desk.holds()


def test_work_that_is_edited_after_an_undo_of_what_was_saved_is_not_saved() -> None:
    made = History()
    made.push(0, 1)
    made.setClean()
    made.undo()
    assert not made.isClean()
    made.push(0, 2)
    assert not made.isClean()
    made.undo()
    assert not made.isClean()


def test_what_was_put_back_or_changed_from_outside_is_as_it_was() -> None:
    made, shown = History(), list[int]()
    made.restored.connect(shown.append)
    made.push(1, 2)
    made.setClean()
    held = made.held()
    made.push(2, 3)
    made.rewrite(lambda state: 10 * state)
    made.undo()
    made.undo()
    assert shown == [20, 10]
    made.put_back(held)
    assert made.isClean()
    made.undo()
    assert shown[-1] == 1
    made.redo()
    assert made.amend(made.newest, lambda state: 7)
    made.push(7, 8)
    assert made.amend(made._steps[0], lambda state: state + 1)
    made.undo()
    made.undo()
    assert shown[-2:] == [8, 1]
    # The state in force is before that step: only what redo will show changes.
    assert not made.amend(made._steps[0], lambda state: 0)
    made.redo()
    assert shown[-1] == 0
    made.clear()
    assert (made.canUndo(), made.canRedo(), made.isClean()) == (False, False, True)
    made.setUnclean()
    assert not made.isClean()
