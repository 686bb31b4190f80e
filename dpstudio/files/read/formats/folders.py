"""A folder of pictures as its files: which there are, their bytes one by one, and a digest of all
of them."""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dpstudio.files.read.outcome import TableError
from dpstudio.files.read.source import Cancelled, Watch
from dpstudio.values.messages import N_, Num, say

FILES_MOST, BYTES_MOST = 20_000, 1 << 25  # files and folders of one folder; bytes of a picture
_IGNORED = ("__MACOSX", "Thumbs.db", "desktop.ini")  # and all that begins with a point
_MAGIC = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"BM", b"GIF8", b"P2", b"P5")


@dataclass(frozen=True)
class Member:
    """A file of a folder: the names that lead to it from there, and its bytes; none where it is no
    picture, or larger than BYTES_MOST (`large`)."""

    names: tuple[str, ...]
    body: bytes = b""
    large: bool = False


def listed(folder: Path, watch: Watch) -> list[Path]:
    """The files below a folder in the order of their names, no link followed. Raises TableError
    where there are too many, and CancelledError."""
    found, seen = list[Path](), 0
    for where, folders, names in os.walk(folder):
        watch.ask()
        folders[:] = sorted(name for name in folders if not _ignored(name))
        found += [Path(where, name) for name in sorted(names) if not _ignored(name)]
        seen += len(folders) + len(names)
        if seen > FILES_MOST:
            text = N_(
                "{path} holds more than {most} {most:file|files}. Choose a folder of fewer "
                "pictures."
            )
            raise TableError(say(text, path=folder, most=Num(FILES_MOST)))
    return found


def _ignored(name: str) -> bool:
    return name.startswith(".") or name in _IGNORED


def members(folder: Path, files: list[Path], watch: Watch) -> Iterator[Member]:
    """Each of these files with its bytes, one at a time."""
    for place, path in enumerate(files):
        watch.ask()
        yield _member(path, path.relative_to(folder).parts)
        watch.tell((place + 1) / len(files))


def _member(path: Path, names: tuple[str, ...]) -> Member:
    """A file that cannot be read, a link, a pipe or a device counts as no picture."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return Member(names)
        with path.open("rb") as file:
            head = file.read(8)
            if not head.startswith(_MAGIC):
                return Member(names)
            body = head + file.read(BYTES_MOST)
    except OSError:
        return Member(names)
    return Member(names, large=True) if len(body) > BYTES_MOST else Member(names, body)


class FolderDigest:
    """SHA-256 over the names and the bytes of files, told one after the other."""

    def __init__(self) -> None:
        self._sha = hashlib.sha256()

    def add(self, member: Member) -> None:
        """One more file."""
        for part in ("/".join(member.names).encode("utf-8", "surrogateescape"), member.body):
            self._sha.update(len(part).to_bytes(8, "big") + part)

    @property
    def hex(self) -> str:
        """Of all that was told so far."""
        return self._sha.hexdigest()


def folder_digest(folder: Path, cancelled: Cancelled) -> str:
    """The seal of a folder as it is now. Raises TableError and CancelledError as `listed` does."""
    watch, seal = Watch(None, cancelled), FolderDigest()
    for member in members(folder, listed(folder, watch), watch):
        seal.add(member)
    return seal.hex
