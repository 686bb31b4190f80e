"""Whether the file of the open table is still the one that was read: asked when it is written to,
and when the window comes forward."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import Kept, file_digest
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.formats.folders import listed
from dpstudio.files.read.outcome import TableError
from dpstudio.files.read.source import Watch
from dpstudio.gui.state.jobs import Channel, Work

_QUIET_MS = 300  # a program that saves a file touches it several times
Stamp = tuple[int, int] | None  # size and time of writing; None where there is no file


class Watcher(QObject):
    """`changed(there)`: the file has other bytes now, or is gone. `known(origin, kept)`: the bytes
    for which a reading was chosen."""

    changed = Signal(bool)
    known = Signal(str, object)

    def __init__(self, parent: QObject, checker: Channel):
        super().__init__(parent)
        self.data: Dataset | None = None
        self._stamp: Stamp = None
        self._told: object = None
        self._asked = 0  # statements that a database had answered when it was looked at last
        self.files = QFileSystemWatcher(self)
        self.files.fileChanged.connect(self._later)
        self.quiet = QTimer(self)
        self.quiet.setSingleShot(True)
        self.quiet.setInterval(_QUIET_MS)
        self.quiet.timeout.connect(self.check)
        self.checker = checker
        self.checker.value.connect(self._on_checked)

    def watch(self, data: Dataset | None, stamp: Stamp, choices: Choices | None) -> None:
        """Another table is open, of a file that was as in `stamp`; None or one that is nowhere is
        not watched."""
        self.quiet.stop()
        self.checker.cancel()
        if self.files.files():
            self.files.removePaths(self.files.files())
        self.data, self._stamp, self._told = (
            (data if data is not None and data.origin else None),
            stamp,
            None,
        )
        if self.data is not None:
            self._follow(self.data.origin)
            self._asked = self.data.asked[-1].number if self.data.asked else 0
            self.checker.submit(partial(_first, self.data, stamp, choices), cancel=True)

    def _later(self, _: str) -> None:
        self.quiet.start()

    def _follow(self, origin: str) -> None:
        """Be told of writes to a file, also where it was saved as another in its place: Qt let go
        of it then. A folder is looked at only when the window comes forward."""
        if "://" in origin or Path(origin).is_dir():
            return
        if origin not in self.files.files():
            self.files.addPath(origin)

    def check(self) -> None:
        """Look, in the background, whether the file is as it was."""
        if self.data is not None:
            self._follow(self.data.origin)
            self.checker.submit(partial(_look, self.data, self._stamp))

    def check_asked(self) -> None:
        """The same after questions of a database: it may have changed while it was read."""
        asked = self.data.asked if self.data is not None else None
        if asked and self._told is None and asked[-1].number != self._asked:
            self._asked = asked[-1].number
            self.check()

    def _on_checked(self, found: tuple[Dataset, Stamp, str, Kept | None]) -> None:
        data, stamp, digest, kept = found
        if data is not self.data:
            return
        self._stamp = stamp
        if kept is not None:
            self.known.emit(data.origin, kept)
        if digest == data.digest:
            self._told = None
        elif self._told != (digest, stamp is None):
            self._told = digest, stamp is None
            self.changed.emit(stamp is not None)

    def close(self) -> None:
        """Look no more."""
        self.quiet.stop()


def stamp_of(path: Path) -> Stamp:
    """Of a folder the sums over it and all files below it, since it is not written to where they
    are."""
    try:
        held = [path.stat()]
        if path.is_dir():
            with suppress(TableError):  # more files than are ever read
                held += [file.lstat() for file in listed(path, Watch(None, None))]
    except (OSError, ValueError):
        return None
    return sum(one.st_size for one in held), sum(one.st_mtime_ns for one in held)


def _first(
    data: Dataset, stamp: Stamp, choices: Choices | None, work: Work
) -> Iterator[tuple[Dataset, Stamp, str, Kept | None]]:
    """The bytes for which a reading was chosen: their digest is waited for here. What was written
    since is found by looking."""
    if choices is not None and data.digest:
        yield data, stamp, data.digest, Kept(data.digest, choices)
    if data.asked is None or stamp is not None:  # a database was asked just now
        yield from _look(data, stamp, work)


def _look(
    data: Dataset, known: Stamp, work: Work
) -> Iterator[tuple[Dataset, Stamp, str, Kept | None]]:
    """The bytes are read only where size or time are others than when they were last read."""
    if data.asked is not None and "://" in data.origin:
        if data.changed():
            yield data, (0, 0), "changed", None
        return
    path = Path(data.origin)
    stamp = stamp_of(path)
    if stamp is not None and stamp == known:
        return
    if stamp is not None and data.asked is not None:  # its files are not read
        yield data, stamp, repr(stamp), None
    else:
        yield data, stamp, "" if stamp is None else file_digest(path, work.cancelled), None
