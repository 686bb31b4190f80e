"""The talk that is not saved, as a draft: written while one makes it, offered by the next start
where the program was killed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from dpstudio.files.session import TALK
from dpstudio.gui.state.drafts import DraftLock, drafts_folder, remove
from dpstudio.gui.state.jobs import Jobs, Work

if TYPE_CHECKING:
    from dpstudio.files.talk import Talk
    from dpstudio.gui.state.player import Player

KEEP_MS = 300
_LOCK = ".lock"


class TalkDraft(QObject):
    """Keeps what is not saved of a player's talk; `taken` is the draft of another window that it
    goes on from, which is removed once it is in this one."""

    def __init__(self, player: Player, jobs: Jobs, parent: QObject):
        super().__init__(parent)
        self.player = player
        self.path = drafts_folder() / f"{os.getpid()}-{secrets.token_hex(6)}{TALK}"
        self.taken: Path | None = None
        self._lock: DraftLock | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(KEEP_MS)
        self._soon.timeout.connect(self._keep)
        self._keeper = jobs.channel("talk-draft")
        player.changed.connect(self._later)

    def _later(self) -> None:
        dirty = self.player.dirty and self.player.talk is not None and self.player.talk.steps
        if (dirty or self._lock is not None) and not self._soon.isActive():
            self._soon.start()

    def _keep(self) -> None:
        talk = self.player.talk if self.player.dirty else None
        if talk is not None and self._lock is None:
            self._lock = DraftLock(self.path.with_suffix(_LOCK))
        self._keeper.submit(partial(_write, talk, self.path, self.taken))

    def close(self) -> None:
        """Remove it, and let go of its name; nothing is written any more."""
        self._soon.stop()
        remove(self.path)
        if self._lock is not None:
            self._lock.free()


def _write(talk: Talk | None, path: Path, taken: Path | None, work: Work) -> Iterator[None]:
    """Write the draft, or remove it where nothing is to be kept; the one that it goes on from goes
    in both cases. Raises SessionError."""
    from dpstudio.files.talk import write_talk

    if talk is None:
        remove(path)
    else:
        write_talk(talk, path)
    if taken is not None:
        remove(taken)
    yield
