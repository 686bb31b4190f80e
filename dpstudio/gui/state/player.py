"""The talk that is open: which of its steps is on the screen, and the work that it was begun
from."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from dpstudio.files.talk import Step, Talk
from dpstudio.gui.state.snapshot import State
from dpstudio.gui.state.store import Store
from dpstudio.labs import Lab
from dpstudio.values.between import between

# A step comes smoothly from the one before: frames, and ms from one to the next.
FRAMES, FRAME_MS = 10, 40


class Player(QObject):
    """Goes through a talk on the store. `changed`: another talk, step or text; `went(Step)`: a step
    is on the screen; `table(Step)`: it is of another table, which is to be opened first; `left`:
    the talk is closed."""

    changed = Signal()
    went = Signal(object)
    table = Signal(object)
    left = Signal()

    def __init__(self, store: Store, parent: QObject):
        super().__init__(parent)
        self.store = store
        self.talk: Talk | None = None
        self.place = -1
        self.saved: Talk | None = None  # as it is in its file
        self._before: tuple[State, str] | None = None
        self._goal: Step | None = None
        self._start: Lab | None = None
        self._frame, self._gesture = 0, ""
        self._frames = QTimer(self)
        self._frames.setInterval(FRAME_MS)
        self._frames.timeout.connect(self._next_frame)

    @property
    def step(self) -> Step | None:
        """The step that is on the screen, or was last."""
        inside = self.talk is not None and 0 <= self.place < len(self.talk.steps)
        return self.talk.steps[self.place] if inside and self.talk is not None else None

    @property
    def dirty(self) -> bool:
        """Whether the talk is not as it is in its file."""
        return self.talk is not None and self.talk != self.saved

    def begin(self, talk: Talk, *, saved: bool = True) -> None:
        """Open a talk, and go to its first step; what is set now is remembered until it is left."""
        if self.talk is None and self.store.data is not None:
            self._before = self.store.state, self.store.data.origin
        self.talk, self.saved, self.place = talk, talk if saved else None, -1
        if talk.steps:
            self.go(0)
        else:
            self.changed.emit()

    def leave(self) -> None:
        """Close the talk, and go back to what was set before it."""
        self._frames.stop()
        self.talk = self.saved = self._goal = None
        self.place = -1
        before, self._before = self._before, None
        self.changed.emit()
        self.left.emit()
        if before is None:
            return
        state, origin = before
        if self.store.data is not None and self.store.data.origin == origin:
            self.store.activate(state.active)
            self.store.edit(state.lab)
        else:
            self.table.emit(Step("", state.lab, origin, codebook=state.codebook))

    def turn(self, by: int) -> None:
        """So many steps on, or back."""
        if self.talk is not None and 0 <= self.place + by < len(self.talk.steps):
            self.go(self.place + by)

    def go(self, place: int) -> None:
        """Put a step on the screen."""
        if self.talk is None:
            return
        self._frames.stop()
        self.place, step = place, self.talk.steps[place]
        self.changed.emit()
        data = self.store.data
        if step.table and (data is None or data.origin != step.table):
            self._goal = step
            self.table.emit(step)
            return
        self.show(step)

    def opened(self) -> None:
        """The table that a step waited for is there."""
        if self._goal is not None and self.store.data is not None:
            goal, self._goal = self._goal, None
            self.show(goal)

    def show(self, step: Step) -> None:
        """Set the lab of a step on the open table, smoothly where only numbers change."""
        self._goal, self._gesture = None, self.store.gesture()
        near = step.lab.key == self.store.state.active
        self._start = self.store.lab if near else None
        if self._start is not None and between(self._start, step.lab, 0.5) is not None:
            self._frame = 0
            self._frames.start()
            return
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
        self.store.activate(step.lab.key)
        self.store.edit(step.lab, self._gesture)
        self.went.emit(step)

    # Making one

    def put_in(self, step: Step) -> None:
        """Add a step after the one on the screen."""
        talk = self.talk or Talk("")
        self.place = self.place + 1 if talk.steps else 0
        self._take(talk.inserted(self.place, step))

    def change(self, **changes: object) -> None:
        """Say something else of the step on the screen."""
        step = self.step
        if step is not None and self.talk is not None:
            self._take(self.talk.with_step(self.place, replace(step, **changes)))  # type: ignore[arg-type]

    def remove(self) -> None:
        """Take the step on the screen out of the talk."""
        if self.step is not None and self.talk is not None:
            talk = self.talk.with_step(self.place, None)
            self.place = min(self.place, len(talk.steps) - 1)
            self._take(talk)

    def move(self, by: int) -> None:
        """Move the step on the screen so many places on."""
        if self.step is not None and self.talk is not None:
            to = min(max(self.place + by, 0), len(self.talk.steps) - 1)
            talk = self.talk.moved(self.place, to - self.place)
            self.place = to
            self._take(talk)

    def rename(self, name: str) -> None:
        """Give the talk a name."""
        self._take(replace(self.talk or Talk(""), name=name))

    def kept(self) -> None:
        """The talk was written to its file."""
        self.saved = self.talk
        self.changed.emit()

    def _take(self, talk: Talk) -> None:
        if self.talk is None and self.store.data is not None:
            self._before = self.store.state, self.store.data.origin
        self.talk = talk
        self.changed.emit()
