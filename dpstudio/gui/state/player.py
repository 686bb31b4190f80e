"""The talk that is open: which of its steps is on the screen, what is asked there, and the work
that it was begun from."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from dpstudio.data.codebook import EMPTY
from dpstudio.data.dataset import Dataset
from dpstudio.files.session import Second
from dpstudio.files.talk import Step, Talk
from dpstudio.gui.state.store import Store, StoreState
from dpstudio.gui.state.talk_history import TalkHistory, TalkState
from dpstudio.labs import Lab
from dpstudio.values.between import between
from dpstudio.values.parameters import ParamError

# A step comes smoothly from the one before: frames, and ms from one to the next.
FRAMES, FRAME_MS = 10, 40


class Player(QObject):
    """Goes through a talk on the store. `changed`: another talk, step or text; `going(Step)`: a
    step comes to the screen, `went(Step)`: it is there; `table(Step)`: it is of another table,
    which is to be opened first, or `second(Step)` a table beside that one. A step that asks is
    `asking` until it is answered or turned, and what was on the screen before stays until then."""

    changed = Signal()
    going = Signal(object)
    went = Signal(object)
    table = Signal(object)
    second = Signal(object)

    def __init__(self, store: Store, parent: QObject):
        super().__init__(parent)
        self.store = store
        self.talk: Talk | None = None
        self.place = -1
        self.asking = False
        self.answers: dict[int, float] = {}  # by place
        self.shows = False  # something of the talk was on the screen already
        self.history = TalkHistory(store.history, self)
        self.history.restored.connect(self._restore)
        self._recorded: Lab | None = None  # what was brought to the screen, or taken from it
        self.saved: Talk | None = None  # as it is in its file
        self._held: StoreState | None = None
        self._goal: Step | None = None
        self._opened: dict[str, str] = {}  # where the tables of steps were found
        self._start: Lab | None = None
        self._tried = False
        self._frame, self._gesture = 0, ""
        self._frames = QTimer(self)
        self._frames.setInterval(FRAME_MS)
        self._frames.timeout.connect(self._next_frame)

    @property
    def step(self) -> Step | None:
        """The step that is on the screen, or comes, or was last."""
        inside = self.talk is not None and 0 <= self.place < len(self.talk.steps)
        return self.talk.steps[self.place] if inside and self.talk is not None else None

    @property
    def following(self) -> Step | None:
        """The step after it."""
        steps = self.talk.steps if self.talk is not None else ()
        return steps[self.place + 1] if self.place + 1 < len(steps) else None

    @property
    def dirty(self) -> bool:
        """Whether the talk is not as it is in its file."""
        return self.talk is not None and self.talk != self.saved

    @property
    def moving(self) -> bool:
        """Whether a step is on its way to the screen."""
        return self._frames.isActive() or self._goal is not None

    def begin(self, talk: Talk, *, saved: bool = True) -> None:
        """Open a talk, and go to its first step; what is set now is remembered until it is left."""
        self._hold()
        self.talk, self.saved, self.place = talk, talk if saved else None, -1
        self.asking, self.answers, self._opened, self.shows = False, {}, {}, False
        self.history.clear()
        self._recorded = None
        if talk.steps:
            self.go(0, ask=True)
        else:
            self.changed.emit()

    def _hold(self) -> None:
        if self.talk is None and self.store.data is not None:
            self._held = self.store.held(self.store.data)

    def leave(self) -> None:
        """Close the talk, and put back all that was set and open before it."""
        self.stop()
        self.talk = self.saved = None
        self.place, self.asking = -1, False
        self.history.clear()
        held, self._held = self._held, None
        if held is not None:
            self.store.put_back(held)
        self.changed.emit()

    @property
    def elsewhere(self) -> bool:
        """Whether leaving brings another table back."""
        now, held = self.store.data, self._held
        if now is None or held is None:
            return False
        return held.data.described(EMPTY) is not now.described(EMPTY)

    def stop(self) -> None:
        """Let nothing come to the screen any more."""
        self._frames.stop()
        self._goal = None

    def turn(self, by: int) -> None:
        """So many steps on, or back; from a question that is not answered on to what it is
        about."""
        if self.asking and by > 0:
            self._reveal()
        elif self.talk is not None and 0 <= self.place + by < len(self.talk.steps):
            self.go(self.place + by, ask=by > 0)

    def go(self, place: int, *, ask: bool = False) -> None:
        """Put a step on the screen, or `ask` first what it asks."""
        if self.talk is None:
            return
        self.stop()
        self.place, step = place, self.talk.steps[place]
        self.asking = ask and step.ask is not None and place not in self.answers
        self.changed.emit()
        if not self.asking:
            self._bring(step)

    def answer(self, given: float) -> None:
        """Take an answer, the place of an option or a number, and show the step."""
        if self.asking:
            self.answers[self.place] = given
            self._reveal()

    def _reveal(self) -> None:
        self.asking = False
        self.changed.emit()
        if self.step is not None:
            self._bring(self.step)

    def _bring(self, step: Step) -> None:
        second = step.second
        if step.table and not self._open(step.table, self.store.data):
            self._goal = step
            self.table.emit(step)
        elif second is not None and not self._open(second.table, self.store.second):
            self._goal = step
            self.second.emit(step)
        else:
            self._show(step)

    def _open(self, table: str, data: Dataset | None) -> bool:
        """Whether this is the table that a step names."""
        return data is not None and data.origin == (self.found(table) or table)

    def found(self, table: str) -> str:
        """Where the table that steps name was when it was opened for one; "" before that."""
        return self._opened.get(table, "")

    def opened(self) -> None:
        """The table that a step waited for is there."""
        if self._goal is not None and self.store.data is not None:
            goal, self._goal = self._goal, None
            self._opened[goal.table] = self.store.data.origin
            self._bring(goal)

    def stood(self, there: bool) -> None:
        """The table is there that a step needs beside the first, or is not to be had."""
        goal, self._goal = self._goal, None
        if goal is None:
            return
        if there and goal.second is not None:
            self.located(goal.second.table)
        self._show(goal)

    def located(self, second: str) -> None:
        """The table that stands beside the first is the one that steps name so."""
        if self.store.second is not None:
            self._opened[second] = self.store.second.origin

    def _send_away(self, step: Step) -> None:
        """Let no table stand beside the first that a step would read, and is not of it."""
        stands, second = self.store.second, step.second
        if stands is None or (second is not None and self._open(second.table, stands)):
            return
        if second is not None or step.lab.page().second is not None:
            self.store.stand(None)

    def _show(self, step: Step) -> None:
        """Set the lab of a step on the open table, smoothly where only numbers change."""
        self._send_away(step)
        self._gesture = self.store.gesture()
        self._tried = self._recorded not in (None, self.store.lab)
        self.going.emit(step)
        if step.table and step.codebook != self.store.state.codebook:
            with suppress(ParamError):  # a table that has no such person column any more
                self.store.describe(step.codebook)
        near = step.lab.key == self.store.state.active and step.lab != self.store.lab
        self._start = self.store.lab if near else None
        if self._start is not None and between(self._start, step.lab, 0.5) is not None:
            self._frame = 0
            self._frames.start()
        else:
            self._arrive(step)

    def _next_frame(self) -> None:
        self._frame += 1
        step, start = self.step, self._start
        if step is None or start is None:
            self._frames.stop()
            return
        made = between(start, step.lab, self._frame / FRAMES) if self._frame < FRAMES else None
        if made is None:
            self._frames.stop()
            self._arrive(step)
        else:
            self.store.edit(made, self._gesture)

    def _arrive(self, step: Step) -> None:
        self.store.turn_to(step.lab, self._gesture)
        if not self._tried:  # what was tried at the step before can be had back; steps are turned
            self.store.history.clear()
        self.shows, self._recorded = True, step.lab
        self.went.emit(step)

    # Making one

    def put_in(self, step: Step) -> None:
        """Add a step after the one on the screen."""
        talk = self.talk or Talk("")
        place = self.place + 1 if talk.steps else 0
        self.shows, self._recorded = True, step.lab
        self._take(talk.inserted(place, step), place)

    def change(self, **changes: Any) -> None:
        """Say something else of the step on the screen; each word that is typed is one edit."""
        step = self.step
        if step is not None and self.talk is not None:
            self._recorded = changes.get("lab", self._recorded)
            talk = self.talk.with_step(self.place, replace(step, **changes))
            self._take(talk, self.place, f"{self.place} {_typed(changes)}")

    def remove(self) -> None:
        """Take the step on the screen out of the talk, and go to the one that is there then."""
        if self.step is not None and self.talk is not None:
            talk = self.talk.with_step(self.place, None)
            self._take(talk, min(self.place, len(talk.steps) - 1))
            if talk.steps:
                self.go(self.place)

    def move(self, by: int) -> None:
        """Move the step on the screen so many places on."""
        if self.step is not None and self.talk is not None:
            to = min(max(self.place + by, 0), len(self.talk.steps) - 1)
            self._take(self.talk.moved(self.place, to - self.place), to)

    def describe(self, **changes: Any) -> None:
        """Give the talk another name, or say otherwise what it is."""
        talk = replace(self.talk or Talk(""), **changes)
        self._take(talk, self.place, _typed(changes))

    def kept(self) -> None:
        """The talk was written to its file."""
        self.saved = self.talk
        self.changed.emit()

    def _take(self, talk: Talk, place: int, gesture: str | None = None) -> None:
        self._hold()
        before, at = self.talk, self.place
        self._put(talk, place)
        if before is not None:
            self.history.push((before, at), (talk, place), gesture)
        self.changed.emit()

    def _put(self, talk: Talk, place: int) -> None:
        asked = [step.ask for step in self.talk.steps] if self.talk is not None else []
        if [step.ask for step in talk.steps] != asked:
            self.answers = {}
        self.talk, self.place = talk, place

    # Taking back

    def undo(self) -> None:
        """Take back the last edit, of the talk or of its lab."""
        self.stop()
        self.history.undo()

    def redo(self) -> None:
        """Do it again."""
        self.stop()
        self.history.redo()

    def canUndo(self) -> bool:
        return self.history.canUndo()

    def canRedo(self) -> bool:
        return self.history.canRedo()

    def _restore(self, written: TalkState) -> None:
        """Take a talk up as it was; what another step held, or one that is back, is shown."""
        now, before = self.step, self.talk
        self._put(written.talk, written.place)
        step, self.asking = self.step, False
        self.changed.emit()
        fewer = before is not None and len(written.talk.steps) < len(before.steps)
        if step is not None and not fewer and (now is None or _set(now) != _set(step)):
            self.go(self.place)


def _set(step: Step) -> tuple[Lab, Second | None]:
    """What of a step makes its picture another one."""
    return step.lab, step.second


def _typed(changes: Mapping[str, Any]) -> str:
    """The name of a gesture: the letters of one word."""
    return " ".join(f"{name} {str(value).count(' ')}" for name, value in changes.items())
