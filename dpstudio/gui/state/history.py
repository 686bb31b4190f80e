"""Undo and redo as a list of snapshots.

QUndoStack would serve, but PySide keeps the Python side of every merged or cleared QUndoCommand for
ever, a slider step each.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal

MOST = 500


@dataclass(eq=False)
class Step:
    """A change that was made."""

    before: Any
    after: Any
    gesture: str | None


# The newest step, None where none was made, and what it made then: a gesture may go on.
Moment = tuple[Step | None, Any]


class History(QObject):
    """Steps between states. `restored(state)` asks to show one; steps of the same gesture are one
    step."""

    restored = Signal(object)
    canUndoChanged = Signal(bool)
    canRedoChanged = Signal(bool)
    cleanChanged = Signal(bool)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._steps: list[Step] = []
        self._index = 0
        self._clean: int | None = 0
        self._told = (False, False, True)

    def push(self, before: Any, after: Any, gesture: str | None = None) -> None:
        """Record a change that was made. One that a gesture takes back to where it began leaves
        nothing."""
        last = (
            self._steps[self._index - 1]
            if self._index and self._index == len(self._steps)
            else None
        )
        if gesture and last is not None and last.gesture == gesture:
            if self._clean == self._index:
                self._clean = None  # what was saved was an earlier moment of this gesture
            last.after = after
            if last.after == last.before:
                self._steps.pop()
                self._index -= 1
        elif before != after:
            del self._steps[self._index :]
            if self._clean is not None and self._clean > self._index:
                self._clean = None
            self._steps.append(Step(before, after, gesture))
            self._index += 1
            if len(self._steps) > MOST:
                self._steps.pop(0)
                self._index -= 1
                self._clean = self._clean - 1 if self._clean else None
        self._tell()

    def undo(self) -> None:
        if self.canUndo():
            self._index -= 1
            self.restored.emit(self._steps[self._index].before)
            self._tell()

    def redo(self) -> None:
        if self.canRedo():
            self._index += 1
            self.restored.emit(self._steps[self._index - 1].after)
            self._tell()

    @property
    def newest(self) -> Step | None:
        """The step that undo would take back."""
        return self._steps[self._index - 1] if self._index else None

    @property
    def moving(self) -> bool:
        """Whether a hand makes the newest step, or made it last."""
        return self.newest is not None and self.newest.gesture is not None

    @property
    def following(self) -> Step | None:
        """The step that redo would make again."""
        return self._steps[self._index] if self.canRedo() else None

    def amend(self, step: Step | None, change: Callable[[Any], Any]) -> bool:
        """Change what a step made, and all states after it: what it was to make was found later. As
        `rewrite` where there is no step; whether the state in force is one of those."""
        if step is None:
            self.rewrite(change)
            return True
        if step not in self._steps:
            return False
        place = self._steps.index(step)
        step.after = change(step.after)
        for later in self._steps[place + 1 :]:
            later.before, later.after = change(later.before), change(later.after)
        return self._index > place

    def rewrite(self, change: Callable[[Any], Any]) -> None:
        """Change every state that is remembered: what is no edit of a person is no step, and must
        not come back by undo."""
        for step in self._steps:
            step.before, step.after = change(step.before), change(step.after)

    def clear(self) -> None:
        self._steps, self._index, self._clean = [], 0, 0
        self._tell()

    def held(self) -> tuple[list[Step], int, int | None]:
        """All of it, as it is now, to be put back."""
        return [replace(step) for step in self._steps], self._index, self._clean

    def put_back(self, held: tuple[list[Step], int, int | None]) -> None:
        """As it was when it was held."""
        self._steps, self._index, self._clean = held
        self._tell()

    def canUndo(self) -> bool:
        return self._index > 0

    def canRedo(self) -> bool:
        return self._index < len(self._steps)

    def isClean(self) -> bool:
        """Whether the state is the one that was saved, or opened."""
        return self._clean == self._index

    def moment(self) -> Moment:
        """The state as it is now, to be told as saved later."""
        return self.newest, self.newest.after if self.newest else None

    def setClean(self, moment: Moment | None = None) -> None:
        """The state is saved, or was at that moment: where it is not known any more, none is."""
        step, after = self.moment() if moment is None else moment
        if step is None:
            self._clean = 0 if len(self._steps) < MOST else None
        else:
            known = step in self._steps and step.after == after
            self._clean = self._steps.index(step) + 1 if known else None
        self._tell()

    def setUnclean(self) -> None:
        """What is shown was never saved, though nothing was done to it here."""
        self._clean = None
        self._tell()

    def count(self) -> int:
        return len(self._steps)

    def index(self) -> int:
        return self._index

    def _tell(self) -> None:
        now = (self.canUndo(), self.canRedo(), self.isClean())
        was, self._told = self._told, now
        for signal, old, new in zip(
            (self.canUndoChanged, self.canRedoChanged, self.cleanChanged), was, now, strict=True
        ):
            if old != new:
                signal.emit(new)
