"""Where the bytes come from: a file at the size it had when it was opened, or pasted text; read
with progress and cancel."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import stat
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TypeVar

from dpstudio.files.read.outcome import CancelledError, TableError
from dpstudio.values.messages import N_, Message, because, say

Progress = Callable[[float], None]
Cancelled = Callable[[], bool]
T = TypeVar("T")
FEW = 1 << 16  # bytes that are worked on in no more time than threads take to start
MANY = FEW + 1


class Watch:
    """Progress that only rises, and the question whether to stop. The work is done in stages, each
    a share of the whole."""

    def __init__(self, progress: Progress | None = None, cancelled: Cancelled | None = None):
        self._progress, self._cancelled = (
            progress or (lambda share: None),
            cancelled or (lambda: False),
        )
        self._told, self._from, self._to = 0.0, 0.0, 0.9

    def ask(self) -> None:
        """Raises CancelledError once the person asked to stop."""
        if self._cancelled():
            raise CancelledError

    def stopped(self) -> bool:
        """The same question, answered."""
        return self._cancelled()

    def stage(self, to: float) -> None:
        """What is told next runs from where it stands up to the share `to`."""
        self._from, self._to = self._told, max(self._told, to)

    def tell(self, share: float) -> None:
        """`share` of this stage is done."""
        now = self._from + min(1.0, share) * (self._to - self._from)
        if now - self._told > 0.01:
            self._told = now
            self._progress(now)

    def done(self) -> None:
        """All is done."""
        self._progress(1.0)

    def run(self, work: Callable[[], T], size: int = MANY) -> T:
        """`work()` on another thread while it is asked whether to stop: for work that holds no lock
        and cannot be parted. `size` as for `each`."""
        return self.each([work], size)[0]

    def each(self, works: Sequence[Callable[[], T]], size: int = MANY) -> list[T]:
        """The outcomes of all of them, two at a time; of so few bytes (`size`) that threads do not
        pay, one after the other. After a stop those that run go on to their end, and are
        forgotten."""
        self.ask()
        if size <= FEW:
            return [work() for work in works]
        from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

        pool = ThreadPoolExecutor(2)
        try:
            waiting = futures = [pool.submit(work) for work in works]
            while waiting:
                done, left = wait(waiting, 0.05, FIRST_EXCEPTION)
                self.ask()
                if any(f.exception() for f in done):
                    break
                waiting = list(left)
            return [f.result() for f in futures]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


class Source:
    """The bytes of one opening. `name` is what sentences call it. Raises TableError where there is
    nothing to read, unless it is `bare`: then no bytes are no records."""

    def __init__(
        self,
        name: str,
        watch: Watch,
        path: Path | None = None,
        body: bytes | None = None,
        *,
        bare: bool = False,
    ):
        self.name, self.watch, self.path, self.bare = name, watch, path, bare
        self.furthest = 0  # how far into it anything was read
        self.last = b""  # the last four bytes that were unpacked of it
        # Against bombs: not where a reading is told, as one record could be what trips the guard.
        self.guarded = True
        self._body = body
        self._file: IO[bytes] | None = None
        if path is not None:
            self._file = regular(path)
            held = os.fstat(self._file.fileno())
            # What is appended later is not read: the table is the file as it was when it was
            # opened.
            self.size, self._stamp = held.st_size, held.st_mtime_ns
        else:
            self.size, self._stamp = len(body or b""), 0
        if self.size == 0 and not bare:
            self.close()
            raise TableError(say("{path} is empty (0 bytes). Choose another file.", path=name))

    def stream(self) -> io.BufferedReader:
        """The bytes from the start; any number of streams may be open, one is read at a time."""
        return io.BufferedReader(_Watched(self), 1 << 18)

    def at(self, place: int, size: int) -> bytes:
        """At most `size` bytes from `place`; fewer only at the end. Raises TableError where the
        file became shorter."""
        size = min(size, self.size - place)
        if self._body is not None:
            return self._body[place : place + size]
        assert self._file is not None
        self._file.seek(place)
        parts = []
        while size > 0:
            part = self._file.read(size)
            if not part:
                raise self._shorter()
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def into(self, place: int, view: memoryview) -> int:
        """As `at`, into a buffer: how many bytes there were. Raises TableError likewise."""
        if self._file is None:
            part = self.at(place, len(view))
            view[: len(part)] = part
            return len(part)
        size, done = min(len(view), self.size - place), 0
        self._file.seek(place)
        while done < size:
            read = self._file.readinto(view[done:size])  # type: ignore[attr-defined]
            if not read:
                raise self._shorter()
            done += read
        return done

    def _shorter(self) -> TableError:
        return TableError(
            say(
                "{path} became shorter while it was read. Wait until it is written, then open it "
                "again.",
                path=self.name,
            )
        )

    def head(self, size: int) -> bytes:
        """The first `size` bytes, fewer where it is shorter."""
        return self.at(0, size)

    def changed(self) -> Message | None:
        """A sentence if the file grew or was written to since it was opened."""
        if self._file is None:
            return None
        now = os.fstat(self._file.fileno())
        if now.st_size > self.size:
            text = N_(
                "The file grew while it was read: this is its first {n} {n:byte|bytes}, as it was "
                "when it was opened."
            )
            return say(text, n=f"{self.size:,}")
        if now.st_mtime_ns != self._stamp:
            return say("The file was written to while it was read. Open it again when it is whole.")
        return None

    def same(self) -> bool:
        """Whether its path leads to the very file that was opened, as it was then."""
        if self._file is None or self.path is None:
            return False
        try:
            now, held = self.path.stat(), os.fstat(self._file.fileno())
        except OSError:
            return False
        return os.path.samestat(now, held) and (held.st_size, held.st_mtime_ns) == (
            self.size,
            self._stamp,
        )

    def digest(self) -> Digest:
        """The SHA-256 of all of it, from now on worked out by a thread, which closes the file
        then."""
        return Digest(self)

    def close(self) -> None:
        """Give the file back; what is pasted needs none."""
        if self._file is not None:
            self._file.close()


def regular(path: Path) -> IO[bytes]:
    """The file opened for reading, never a pipe or a device, which would be waited for without end.
    Raises TableError."""
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise TableError(
                say("{path} is not a file but a folder. Choose a file in it.", path=path)
            )
        if not stat.S_ISREG(kind):
            raise TableError(
                say(
                    "{path} is not a file but a pipe or a device. Save what it gives as a file, "
                    "and open that.",
                    path=path,
                )
            )
        return path.open("rb", buffering=0)
    except FileNotFoundError:
        raise TableError(
            say("There is no file {path}. Check the name, or open one of the examples.", path=path)
        ) from None
    except PermissionError:
        raise TableError(
            say("{path} may not be read by you. Ask its owner for leave, or copy it.", path=path)
        ) from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise unreadable(path, error) from None


def unreadable(path: Path | str, error: Exception) -> TableError:
    """Why a file could not be read."""
    why = because(error)
    return TableError(say("{path} could not be read: {why}.", path=path, why=why))


class _Watched(io.RawIOBase):
    """A stream over the source that reports how far it is, and stops when it is asked to."""

    def __init__(self, source: Source):
        super().__init__()
        self.source, self.place = source, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        base = {0: 0, 1: self.place, 2: self.source.size}[whence]
        if base + offset < 0:
            raise OSError(errno.EINVAL, "Invalid argument")  # as every file does
        self.place = base + offset
        return self.place

    def tell(self) -> int:
        return self.place

    def readinto(self, into: object, /) -> int:
        self.source.watch.ask()
        view = memoryview(into).cast("B")  # type: ignore[arg-type]
        size = self.source.into(self.place, view) if self.place < self.source.size else 0
        self.place += size
        self.source.furthest = max(self.source.furthest, self.place)
        self.source.watch.tell(self.place / max(1, self.source.size))
        return size


class Digest(threading.Thread):
    """SHA-256 of what was read, worked out while the first pictures are drawn: nobody asks for it
    before a session is saved."""

    def __init__(self, source: Source):
        super().__init__()
        self.source, self.hex = source, ""
        self.start()

    def run(self) -> None:
        """Hash the source block by block, then close it; "" stays where it could not be read."""
        sha = hashlib.sha256()
        with suppress(OSError, TableError):
            for place in range(0, self.source.size, 1 << 20):
                sha.update(self.source.at(place, 1 << 20))
            self.hex = sha.hexdigest()
        self.source.close()

    def finished(self) -> str:
        """The digest in hex, waited for; "" where the source could not be read."""
        self.join()
        return self.hex
