"""The talk that is open: which of its steps is on the screen, what is asked there, and the work
that it was begun from."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from dpstudio.data.codebook import EMPTY
from dpstudio.files.session import Second
from dpstudio.files.talk import Step, Talk
from dpstudio.gui.state.step_tables import StepTables
from dpstudio.gui.state.store import Store, StoreState
from dpstudio.gui.state.talk_history import TalkHistory, TalkState
from dpstudio.labs import Lab
from dpstudio.values.between import between
from dpstudio.values.parameters import ParamError

# A step comes smoothly from the one before: frames, and ms from one to the next.
FRAMES, FRAME_MS = 10, 40


@dataclass(frozen=True)
class Asking:
    """The step asks; what was on the screen before stays until it is answered or turned. `behind`:
    that is the step itself."""

    behind: bool = False


@dataclass(frozen=True)
class Waiting:
    """A step comes once its table is open, or the one beside it."""

    step: Step


@dataclass(frozen=True)
class Moving:
    """The lab goes to that of a step, so many frames so far, all of them one `gesture`; what was
    `tried` at the step before can be had back."""

    step: Step
    start: Lab
    gesture: str
    tried: bool
    frame: int = 0


class Player(QObject):
    """Goes through a talk on the store. `changed`: another talk, step or text; `going(Step)`: a
    step comes to the screen, `went(Step)`: it is there; `table(Step)`: it is of another table,
    which is to be opened first, or `second(Step)` a table beside that one. On its way a step is in
    a `phase`, which `_enter` alone changes; it is None where the step is there."""

    changed = Signal()
    going = Signal(object)
    went = Signal(object)
    table = Signal(object)
    second = Signal(object)

    def __init__(self, store: Store, parent: QObject):
        super().__init__(parent)
        self.store = store
        self.talk: Talk | None = None
        self.saved: Talk | None = None  # as it is in its file
        self.place = -1
        self.phase: Asking | Waiting | Moving | None = None
        self.answers: dict[int, float] = {}  # by place
        self.history = TalkHistory(store.history, self)
        self.history.restored.connect(self._restore)
        self.tables = StepTables(store)
        self._shown: Lab | None = None  # what was brought to the screen last, or taken from it
        self._held: StoreState | None = None
        self._frames = QTimer(self)
        self._frames.setInterval(FRAME_MS)
        self._frames.timeout.connect(self._next_frame)

    def _enter(self, phase: Asking | Waiting | Moving | None) -> None:
        self.phase = phase
        if isinstance(phase, Moving) != self._frames.isActive():
            self._frames.start() if isinstance(phase, Moving) else self._frames.stop()

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
    def asking(self) -> bool:
        """Whether the step asks, and was not answered yet."""
        return isinstance(self.phase, Asking)

    @property
    def moving(self) -> bool:
        """Whether a step is on its way to the screen."""
        return isinstance(self.phase, Waiting | Moving)

    @property
    def shows(self) -> bool:
        """Whether something of the talk was on the screen already."""
        return self._shown is not None

    @property
    def elsewhere(self) -> bool:
        """Whether leaving brings another table back."""
        now, held = self.store.data, self._held
        if now is None or held is None:
            return False
        return held.data.described(EMPTY) is not now.described(EMPTY)

    def begin(self, talk: Talk, *, saved: bool = True, place: int = 0) -> None:
        """Open a talk, and go to its first step, or to another `place`; what is set now is
        remembered until it is left."""
        self._hold()
        self._clear()
        self.talk, self.saved = talk, talk if saved else None
        if talk.steps:
            self.go(place, ask=True)
        else:
            self.changed.emit()

    def _hold(self) -> None:
        if self.talk is None and self.store.data is not None:
            self._held = self.store.held(self.store.data)

    def _clear(self) -> None:
        """No talk is open, and nothing is known of one."""
        self._enter(None)
        self.talk = self.saved = self._shown = None
        self.place, self.answers, self.tables = -1, {}, StepTables(self.store)
        self.history.clear()

    def leave(self) -> None:
        """Close the talk, and put back all that was set and open before it."""
        self._clear()
        held, self._held = self._held, None
        if held is not None:
            self.store.put_back(held)
        self.changed.emit()

    # From step to step

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
        step = self.talk.steps[place]
        asks = ask and step.ask is not None and place not in self.answers
        if asks:
            self._finish()  # what is asked about the next is read beside the whole of this one
        self.place = place
        self._enter(Asking() if asks else None)
        self.changed.emit()
        if not asks:
            self._bring(step)

    def answer(self, given: float) -> None:
        """Take an answer, the place of an option or a number, and show the step."""
        if self.asking:
            self.answers[self.place] = given
            self._reveal()

    def ask(self) -> None:
        """Ask what the step on the screen asks, which was shown without; it stays behind."""
        there = self.step is not None and self.step.ask is not None
        if there and self.phase is None and self.place not in self.answers:
            self._enter(Asking(behind=True))
            self.changed.emit()

    def unask(self) -> None:
        """Go back to the step that is behind its question, if any."""
        if isinstance(self.phase, Asking) and self.phase.behind:
            self._reveal()

    def _reveal(self) -> None:
        behind = isinstance(self.phase, Asking) and self.phase.behind
        self._enter(None)
        self.changed.emit()
        if self.step is None:
            return
        if behind:
            self.went.emit(self.step)
        else:
            self._bring(self.step)

    def _bring(self, step: Step) -> None:
        if self.tables.lacks_first(step):
            self._enter(Waiting(step))
            self.table.emit(step)
        elif self.tables.lacks_second(step):
            self._enter(Waiting(step))
            self.second.emit(step)
        else:
            self._show(step)

    def opened(self) -> None:
        """The table that a step waited for is there."""
        if isinstance(self.phase, Waiting) and self.store.data is not None:
            self.tables.locate(self.phase.step.table, self.store.data)
            self._bring(self.phase.step)

    def stood(self, there: bool) -> None:
        """The table is there that a step needs beside the first, or is not to be had."""
        if isinstance(self.phase, Waiting):
            step = self.phase.step
            if there and step.second is not None:
                self.tables.locate(step.second.table, self.store.second)
            self._show(step)

    def _show(self, step: Step) -> None:
        """Set the lab of a step on the open table, smoothly where only numbers change."""
        self._enter(None)
        self.tables.send_away(step)
        gesture, tried = self.store.gesture(), self._shown not in (None, self.store.lab)
        self.going.emit(step)
        if step.table and step.codebook != self.store.state.codebook:
            with suppress(ParamError):  # a table that has no such person column any more
                self.store.describe(step.codebook)
        moving = Moving(step, self.store.lab, gesture, tried)
        near = step.lab.key == moving.start.key and step.lab != moving.start
        if near and between(moving.start, step.lab, 0.5) is not None:
            self._enter(moving)
        else:
            self._arrive(moving)

    def _next_frame(self) -> None:
        if not isinstance(self.phase, Moving):
            return
        moving = replace(self.phase, frame=self.phase.frame + 1)
        share = moving.frame / FRAMES
        lab = between(moving.start, moving.step.lab, share) if share < 1 else None
        if lab is None:
            self._arrive(moving)
        else:
            self._enter(moving)
            self.store.edit(lab, moving.gesture)

    def _arrive(self, moving: Moving) -> None:
        self._enter(None)
        self.store.turn_to(moving.step.lab, moving.gesture)
        if not moving.tried:  # steps are turned, not taken back
            self.store.history.clear()
        self._shown = moving.step.lab
        self.went.emit(moving.step)

    # Making one

    def put_in(self, step: Step) -> None:
        """Add a step after the one on the screen."""
        talk = self.talk or Talk("")
        place = self.place + 1 if talk.steps else 0
        self._take_up(step.lab)
        self._take(talk.inserted(place, step), place)

    def change(self, **changes: Any) -> None:
        """Say something else of the step on the screen; each word that is typed is one edit."""
        step = self.step
        if step is not None and self.talk is not None:
            if "lab" in changes:
                self._take_up(changes["lab"])
            talk = self.talk.with_step(self.place, replace(step, **changes))
            self._take(talk, self.place, f"{self.place} {_typed(changes)}")

    def _take_up(self, lab: Lab) -> None:
        """What is on the screen is the step that is made of it: no other one comes."""
        self._enter(None)
        self._shown = lab

    def remove(self) -> None:
        """Take the step on the screen out of the talk, and go to the one that is there then."""
        if self.step is not None and self.talk is not None:
            talk = self.talk.with_step(self.place, None)
            self._enter(None)
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
        if self.asking and (self.step is None or self.step.ask is None):  # it asks no more
            self._reveal()
        else:
            self.changed.emit()

    def _put(self, talk: Talk, place: int) -> None:
        asked = [step.ask for step in self.talk.steps] if self.talk is not None else []
        if [step.ask for step in talk.steps] != asked:
            self.answers = {}
        self.talk, self.place = talk, place

    # Taking back: a step that is on its way is there first

    def undo(self) -> None:
        """Take back the last edit, of the talk or of its lab."""
        self._finish()
        self.history.undo()

    def redo(self) -> None:
        """Do it again."""
        self._finish()
        self.history.redo()

    def _finish(self) -> None:
        if isinstance(self.phase, Moving):
            self._arrive(self.phase)

    def canUndo(self) -> bool:
        return self.history.canUndo()

    def canRedo(self) -> bool:
        return self.history.canRedo()

    def _restore(self, written: TalkState) -> None:
        """Take a talk up as it was; what another step held, or one that is back, is shown, and what
        was asked is asked still."""
        now, before = self.step, self.talk
        self._put(written.talk, written.place)
        step = self.step
        fewer = before is not None and len(written.talk.steps) < len(before.steps)
        stays = fewer or (step is not None and now is not None and _set(now) == _set(step))
        if step is None:
            self._enter(None)
        elif not stays or self.moving or (self.asking and step.ask is None):
            self.go(self.place)
            return
        self.changed.emit()


def _set(step: Step) -> tuple[Lab, Second | None]:
    """What of a step makes its picture another one."""
    return step.lab, step.second


def _typed(changes: Mapping[str, Any]) -> str:
    """The name of a gesture: the letters of one word."""
    return " ".join(f"{name} {str(value).count(' ')}" for name, value in changes.items())
