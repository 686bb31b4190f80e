"""Undo and redo while a talk is open: what was written of it and what was set in the lab, the last
of both first."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from dpstudio.files.talk import Talk
from dpstudio.gui.state.history import History, Step


@dataclass(frozen=True)
class TalkState:
    """A talk, which of its steps is open, and the newest step of the lab's history then."""

    talk: Talk
    place: int
    since: Step | None


class TalkHistory(QObject):
    """Of both histories the one whose turn it is: an edit of the talk knows after which edit of the
    lab it was made. `restored(Written)` asks to take a talk up again; `changed`: there is
    something else to undo or redo."""

    restored = Signal(object)
    changed = Signal()

    def __init__(self, lab: History, parent: QObject):
        super().__init__(parent)
        self.lab, self.talk = lab, History(self)
        self.talk.restored.connect(self.restored)
        for history in (lab, self.talk):
            history.canUndoChanged.connect(self.changed)
            history.canRedoChanged.connect(self.changed)

    def push(self, before: tuple[Talk, int], after: tuple[Talk, int], gesture: str | None) -> None:
        """Record an edit of the talk; those of one gesture are one step."""
        since = self.lab.newest
        if self.talk.newest is not None and self.talk.newest.after.since is not since:
            gesture = None  # something was set in between
        self.talk.push(TalkState(*before, since), TalkState(*after, since), gesture)

    def clear(self) -> None:
        """Nothing of a talk is to be taken back any more."""
        self.talk.clear()

    def undo(self) -> None:
        """Take back the last edit."""
        newest = self.talk.newest
        written = newest is not None and newest.after.since is self.lab.newest
        (self.talk if written or not self.lab.canUndo() else self.lab).undo()

    def redo(self) -> None:
        """Do it again."""
        following = self.talk.following
        written = following is not None and following.after.since is self.lab.newest
        (self.talk if written or not self.lab.canRedo() else self.lab).redo()

    def canUndo(self) -> bool:
        return self.lab.canUndo() or self.talk.canUndo()

    def canRedo(self) -> bool:
        return self.lab.canRedo() or self.talk.canRedo()
