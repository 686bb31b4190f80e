"""What was not saved, as a draft in the person's own folder: written while one works, offered by
the next start where the program was killed. Every draft has a lock that ends with its window."""

import os
import secrets
import threading
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QLockFile

from dpstudio.files.session import SUFFIX, TALK, Session, SessionError, read_session, write_session
from dpstudio.files.user_folder import own_folder
from dpstudio.files.writing import sweep, sweep_folder

_LOCK = ".lock"
OF, SINCE = "draft_of", "draft_since"  # in a draft's view: the session's file, and its mark then


def drafts_folder() -> Path:
    """Where drafts are; DPSTUDIO_DRAFTS names another place, as the tests do."""
    named = os.environ.get("DPSTUDIO_DRAFTS")
    return Path(named) if named else own_folder() / "drafts"


@dataclass(frozen=True)
class LostDraft:
    """A draft that no window keeps any more, of the session in the file `of`, which had the mark
    `since`; None of no file. `written` is the time of its file, in s."""

    path: Path
    session: Session
    of: Path | None
    since: str
    written: float


class DraftLock:
    """A name that one window alone holds, of all windows of this person."""

    def __init__(self, path: Path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._held = QLockFile(str(path))
        self._held.setStaleLockTime(0)  # a window may be open for days; one that is dead is known
        self.mine = self._held.tryLock(0)

    def free(self) -> None:
        """Let go of it; nothing is left of it."""
        self._held.unlock()
        self.mine = False


def claim(path: Path) -> DraftLock | None:
    """The lock of a session's file; None where another window holds it. What cannot be locked is
    nobody's: raises OSError."""
    name = sha256(os.path.realpath(path).encode(errors="replace")).hexdigest()[:32]
    lock = DraftLock(drafts_folder() / (name + _LOCK))
    return lock if lock.mine else None


class Draft:
    """The draft of this window, whose name it alone holds from the first writing on."""

    def __init__(self) -> None:
        name = f"{os.getpid()}-{secrets.token_hex(6)}"
        self.path = drafts_folder() / (name + SUFFIX)
        self._lock: DraftLock | None = None
        self._one = threading.Lock()
        self._turn = self._saved = 0

    @property
    def kept(self) -> bool:
        """Whether it was ever written."""
        return self._lock is not None

    def write(self, session: Session, turn: int) -> None:
        """Write it anew as it was at that turn, which counts the edits, unless a later one is
        saved. Raises SessionError or OSError."""
        with self._one:
            if turn > self._saved:
                self._lock = self._lock or DraftLock(self.path.with_suffix(_LOCK))
                write_session(session, self.path)
                self._turn = turn

    def forget(self, turn: int) -> None:
        """All up to that turn is saved: at once, since a draft that outlived a newer file would be
        offered over it."""
        with self._one:
            self._saved = max(self._saved, turn)
            if self._turn <= turn:
                remove(self.path)

    def leave(self) -> None:
        """Let it be found, as one that a kill left."""
        if self._lock is not None:
            self._lock.free()
            self._lock = None

    def close(self) -> None:
        """Remove it, and let go of its name."""
        if self._lock is not None:
            remove(self.path)
            self._lock.free()


def remove(path: Path) -> None:
    """Remove a draft that was taken up, or is not wanted."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def left() -> list[LostDraft]:
    """The drafts of windows that ended before they could ask, the newest first. What is left of
    windows besides, drafts of what was saved after all and those that say the same twice are
    removed."""
    folder, found = drafts_folder(), list[LostDraft]()
    with suppress(OSError):
        sweep_folder(folder)
        for path in folder.glob("*" + _LOCK):
            DraftLock(path).free()  # one that is held stays; any other goes
        for path in folder.glob("*" + SUFFIX):
            lock = DraftLock(path.with_suffix(_LOCK))
            if lock.mine:
                known = _read(path)
                remove(path) if known is None else found.append(known)
            lock.free()
    wanted = list[LostDraft]()
    for draft in sorted(found, key=lambda draft: -draft.written):
        same = any(_kept(draft.session) == _kept(other.session) for other in wanted)
        remove(draft.path) if same else wanted.append(draft)
    return wanted


def _read(path: Path) -> LostDraft | None:
    """What a draft holds; None where it is no use."""
    try:
        session, written = read_session(path), path.stat().st_mtime
    except (SessionError, OSError):
        return None
    of, since = session.view.get(OF), session.view.get(SINCE)
    draft = LostDraft(
        path, session, Path(of) if isinstance(of, str) and of else None, str(since), written
    )
    return None if draft.of is not None and _saved(draft.of, session) else draft


def _saved(path: Path, session: Session) -> bool:
    """Whether a file holds what a draft does: it was killed between saving and removing."""
    sweep(path)
    try:
        return _kept(read_session(path)) == _kept(session)
    except SessionError:
        return False


def _kept(session: Session) -> object:
    return session.table, session.active, session.labs, session.codebook, session.reading


def left_talks() -> list[Path]:
    """The drafts of talks of windows that ended before they could ask, the newest first."""
    found = []
    for path in drafts_folder().glob("*" + TALK):
        lock = DraftLock(path.with_suffix(_LOCK))
        if lock.mine:
            found.append(path)
        lock.free()
    return sorted(found, key=lambda path: -path.stat().st_mtime)
