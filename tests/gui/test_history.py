"""Undo and redo at random: what comes back, and when work counts as saved."""

import random
from collections.abc import Callable, Sequence

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
        self.mark: int | None = 0  # which of them was saved
        self.told = [False, False, True]
        for place, signal in enumerate(
            (self.history.canUndoChanged, self.history.canRedoChanged, self.history.cleanChanged)
        ):
            signal.connect(lambda now, place=place: self.told.__setitem__(place, now))

    def show(self, state: int) -> None:
        self.state = state

    def write(self, states: list[int], place: int) -> None:
        """States that follow those up to a place, of which the oldest may be forgotten."""
        lost = max(0, place + 1 + len(states) - history.MOST - 1)
        self.written = [*self.written[: place + 1], *states][lost:]
        if self.mark is not None:
            self.mark = self.mark - lost if lost <= self.mark <= place else None
        self.at, self.state = len(self.written) - 1, self.written[-1]

    def edit(self) -> None:
        new = self.chance.randrange(6)
        self.history.push(self.state, new)
        if new != self.state:
            self.write([new], self.at)

    def drag(self, saves: float = 0.2) -> None:
        """Some steps of one gesture, which are one step; none where it ends where it began."""
        gesture, began, moved = f"drag {self.chance.random()}", self.state, False
        for _ in range(self.chance.randrange(1, 4)):
            new = self.chance.randrange(6)
            if new != self.state:
                self.history.push(self.state, new, gesture)
                self.write([new], self.at - moved)
                moved = True
            if moved and new == began:
                self.write([], self.at - 1)
                break
            if self.chance.random() < saves:  # while the button is down
                self.save(())

    def undo(self) -> None:
        self.history.undo()
        self.at = max(self.at - 1, 0)

    def redo(self) -> None:
        self.history.redo()
        self.at = min(self.at + 1, len(self.written) - 1)

    def save(self, late: Sequence[Callable[[], None]]) -> None:
        """Save, and do some things while it is being written."""
        moment, self.saved, self.mark = self.history.moment(), self.state, self.at
        # Below the oldest step that is remembered nobody knows whether it is the state of then.
        first = self.at == 0
        for action in late:
            action()
        if first and len(self.written) > history.MOST:
            self.mark = None
        self.history.setClean(moment)

    def hand_in(self) -> None:
        actions = (self.edit, lambda: self.drag(0), self.undo, self.redo)
        self.save(self.chance.choices(actions, k=self.chance.choice((0, 0, 1, 3))))

    def holds(self) -> None:
        made, last = self.history, len(self.written) - 1
        assert self.state == self.written[self.at]
        assert (made.canUndo(), made.canRedo()) == (self.at > 0, self.at < last)
        assert (made.index(), made.count()) == (self.at, last)
        steps = [step and (step.before, step.after) for step in (made.newest, made.following)]
        assert steps == [
            (self.written[low], self.written[low + 1]) if 0 <= low < last else None
            for low in (self.at - 1, self.at)
        ]
        assert made.isClean() == (self.mark == self.at)
        assert not made.isClean() or self.state == self.saved
        assert self.told == [made.canUndo(), made.canRedo(), made.isClean()]


@pytest.mark.parametrize("seed", range(40))
def test_undo_shows_what_was_and_only_what_was_saved_is_clean(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOST", 5)
    desk = Desk(seed)
    for _ in range(120):
        desk.chance.choice((desk.edit, desk.drag, desk.undo, desk.undo, desk.redo, desk.hand_in))()
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
    assert not made.moving
    made.push(2, 3, "drag")
    assert made.moving
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
