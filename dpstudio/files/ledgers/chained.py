"""A file of entries to which one can only add: one SQLite file, each entry bound to all before it.

Every entry carries a keyed hash of itself and of the entry before. The key is in the same file: a
hand that changes an entry in the middle is noticed alone; whoever reads the key, or cuts entries
off at the end, is noticed against the hash of any entry that was noted elsewhere.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import sqlite3
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpstudio.files.ledgers.amounts import LedgerError
from dpstudio.values.messages import N_, Message, because, say

_APPLICATION, _VERSION = 0x4450534C, 1  # “DPSL”
_WAIT_S = 60.0
_BLOCK = 4096
_ONLY_ADDED = "\n".join(
    f"CREATE TRIGGER {name}_{what.lower()} BEFORE {what} ON {name} "
    f"BEGIN SELECT RAISE(ABORT, 'a ledger is only added to'); END;"
    for name in ("entries", "secret")
    for what in ("UPDATE", "DELETE")
)
_TABLES = (
    "CREATE TABLE secret (key BLOB NOT NULL);"
    "CREATE TABLE entries (n INTEGER PRIMARY KEY, body TEXT NOT NULL, mac TEXT NOT NULL);"
)
# Drives of another machine: a lock there may be none, and what was written may not be kept.
_REMOTE = re.compile(
    r"nfs\d*|cifs|smb\w*|ncpfs|afs|ceph|lustre|beegfs|gfs2?|ocfs2|coda|glusterfs|davfs\w*|9p|vboxsf"
    r"|fuse\.(?!ext\w|ntfs|fuseblk|portal|lxcfs|snapfuse|squashfuse).*|fuse|drvfs|prl_fs"
)


@dataclass(frozen=True)
class Entry:
    """One line of the file: its number from 1, what it holds, and its hash."""

    n: int
    body: dict[str, Any]
    mac: str

    @property
    def head(self) -> str:
        """What is noted of it elsewhere."""
        return f"{self.n}:{self.mac}"


@dataclass(frozen=True)
class Chained:
    """A file that is there; `make` makes it. Each call opens and checks it anew. It is added to on
    a disk of this machine alone, unless it may lie `anywhere`."""

    path: Path
    anywhere: bool = False

    def entries(self) -> tuple[Entry, ...]:
        """All of them, checked. Raises LedgerError."""
        with _opened(self.path) as base:
            return _checked(self.path, base)[1]

    def seal(self, text: str) -> str:
        """A keyed hash of what is written of it elsewhere. Raises LedgerError."""
        with _opened(self.path) as base:
            return hmac.new(
                _checked(self.path, base)[0], b"seal" + text.encode(), "sha256"
            ).hexdigest()

    def names(self, *each: Sequence[str]) -> list[str]:
        """The keyed hashes under which these stand in it (`Adding.name`). Raises LedgerError."""
        with _opened(self.path) as base:
            key = _key(self.path, base)
        return [_name(key, parts) for parts in each]

    @contextmanager
    def adding(self) -> Iterator[Adding]:
        """What is added in here is kept at the end, all or nothing, while nobody else adds. Raises
        LedgerError, with nothing kept."""
        if not self.anywhere:
            refuse_remote(self.path)
        if not self.path.exists() or not self.path.stat().st_mode & stat.S_IWUSR:
            told = _READ_ONLY if self.path.exists() else _NONE
            raise LedgerError(say(told, path=self.path))
        with _opened(self.path) as base:
            with _told(self.path):
                base.execute("BEGIN IMMEDIATE")
            key, entries = _checked(self.path, base)
            yield Adding(self.path, base, key, [*entries])
            with _told(self.path):
                base.execute("COMMIT")  # what was not committed is undone as the file is closed


@dataclass(frozen=True)
class Adding:
    """The entries so far, to which more are added; the key of the file makes names of what must
    not stand in it."""

    path: Path
    base: sqlite3.Connection
    key: bytes
    entries: list[Entry]

    def add(self, body: dict[str, Any]) -> Entry:
        """One more. Raises LedgerError where it cannot be kept."""
        text = json.dumps(body, ensure_ascii=False, sort_keys=True, allow_nan=False)
        # A whole block: how long a drawn answer is does not decide if it finds room on the disk.
        text += " " * (-len(text.encode()) % _BLOCK)
        n, before = len(self.entries) + 1, self.entries[-1].mac if self.entries else ""
        made = Entry(n, body, _mac(self.key, n, before, text))
        with _told(self.path):
            self.base.execute("INSERT INTO entries VALUES (?, ?, ?)", (n, text, made.mac))
        self.entries.append(made)
        return made

    def name(self, *parts: str) -> str:
        """A keyed hash: who has not the file cannot test a guess."""
        return _name(self.key, parts)


def make(path: Path, *bodies: dict[str, Any]) -> None:
    """A new file with its first entries. Raises LedgerError, and then there is none."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        text = N_("{path} is there already, and no ledger is written over. Choose another name.")
        raise LedgerError(say(text, path=path)) from None
    except OSError as error:
        raise LedgerError(say(_UNMADE, path=path, why=because(error))) from error
    try:
        with closing(_connect(path)) as base, _told(path):
            base.execute("BEGIN IMMEDIATE")
            for each in (f"application_id = {_APPLICATION}", f"user_version = {_VERSION}"):
                base.execute(f"PRAGMA {each}")
            for each in [*_TABLES.split(";")[:-1], *_ONLY_ADDED.split("\n")]:
                base.execute(each)
            key = secrets.token_bytes(32)
            base.execute("INSERT INTO secret VALUES (?)", (key,))
            file = Adding(path, base, key, [])
            for body in bodies:
                file.add(body)
            base.execute("COMMIT")
    except BaseException:
        path.unlink()
        raise


def _name(key: bytes, parts: Sequence[str]) -> str:
    text = json.dumps(parts).encode()
    return hmac.new(key, b"name" + text, hashlib.sha256).hexdigest()


def _mac(key: bytes, n: int, before: str, text: str) -> str:
    """The hash of an entry, which binds those before it."""
    held = json.dumps(["entry", n, before, text]).encode()
    return hmac.new(key, held, hashlib.sha256).hexdigest()


def _connect(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=rw", _WAIT_S, uri=True, isolation_level=None
    )
    # EXTRA is FULL with the folder synchronised too: else a commit could be undone by a power cut
    # after its answer was shown.
    for pragma in ("synchronous = EXTRA", "fullfsync = ON", "trusted_schema = OFF"):
        base.execute(f"PRAGMA {pragma}")
    return base


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, if it is a ledger that this version knows. Raises LedgerError."""
    if not path.is_file():  # a pipe would be waited for
        raise LedgerError(say(_FOREIGN if path.exists() else _NONE, path=path))
    with closing(_told_connect(path)) as base:
        with _told(path):
            made, version = (
                base.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("application_id", "user_version")
            )
        if made != _APPLICATION or version < 1:
            raise LedgerError(say(_FOREIGN, path=path))
        if version > _VERSION:
            raise LedgerError(say(_LATER, path=path, version=version, known=_VERSION))
        yield base


def _told_connect(path: Path) -> sqlite3.Connection:
    with _told(path):
        return _connect(path)


def _checked(path: Path, base: sqlite3.Connection) -> tuple[bytes, tuple[Entry, ...]]:
    """The key and all entries, if each is bound to those before it. Raises LedgerError."""
    key = _key(path, base)
    with _told(path):
        rows = base.execute("SELECT n, body, mac FROM entries ORDER BY n").fetchall()
    found, before = list[Entry](), ""
    try:
        for number, (n, text, mac) in enumerate(rows, 1):
            if n != number or not hmac.compare_digest(mac, _mac(key, n, before, text)):
                raise LedgerError(say(_CHANGED, path=path, n=number))
            found.append(Entry(n, json.loads(text), mac))
            before = mac
    except (TypeError, ValueError, AttributeError):
        raise LedgerError(say(_CHANGED, path=path, n=len(found) + 1)) from None
    if not found:
        raise LedgerError(say(_CHANGED, path=path, n=1))
    return key, tuple(found)


def _key(path: Path, base: sqlite3.Connection) -> bytes:
    with _told(path):
        keys = [key for (key,) in base.execute("SELECT key FROM secret")]
    if len(keys) != 1 or not isinstance(keys[0], bytes):
        raise LedgerError(say(_CHANGED, path=path, n=1))
    return keys[0]


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What SQLite cannot do, in a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise LedgerError(_why(path, error)) from error


def _why(path: Path, error: sqlite3.Error) -> Message:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return say(_NO_ROOM, path=path, why=error)
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return say(_READ_ONLY, path=path)
    if code == sqlite3.SQLITE_BUSY:
        return say(_BUSY, path=path)
    return say(_FOREIGN, path=path)


_NONE = N_(
    "There is no ledger {path}. Make one with: dpstudio ledger FILE new population=NAME epsilon=1."
)
_UNMADE = N_("{path} could not be made: {why}. Choose another place.")
_FOREIGN = N_("{path} is no ledger of this program, or it is damaged. Choose another file.")
_LATER = N_(
    "{path} was made by a later version of the program (format {version}; this one knows {known}). "
    "Open it with that version."
)
_CHANGED = N_(
    "{path} was changed from outside: entry {n} is not the one that was written. Nothing is spent "
    "from it any longer; look for a copy from before."
)
_READ_ONLY = N_(
    "{path} cannot be written to, or its folder cannot. Nothing was shown and nothing spent. Ask "
    "its owner, or choose another ledger."
)
_NO_ROOM = N_(
    "{path} could not be written: {why}. Nothing was shown and nothing spent. Make room on the "
    "disk."
)
_BUSY = N_(
    "Somebody else is at {path} since a minute. Nothing was shown and nothing spent. Wait, and try "
    "again."
)
_FAR = N_(
    "{path} lies on a drive of another machine ({kind}), where two programs could spend the same "
    "budget twice and what was written may get lost. Keep the ledger on a disk of this machine."
)


def refuse_remote(path: Path) -> None:
    """Raise LedgerError on a drive of another machine, as far as the system tells."""
    if kind := remote(path):
        raise LedgerError(say(_FAR, path=path, kind=kind))


def remote(path: Path, mounts: Sequence[str] | None = None) -> str:
    """What kind of drive of another machine a path lies on; empty for a disk of this one, and where
    nothing is known of it."""
    if sys.platform == "win32":
        return _remote_on_windows(path)
    if mounts is None:
        try:
            listed = Path("/proc/mounts").read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ""
        mounts = listed.splitlines()
    best, kind, whole = -1, "", path.resolve()
    for line in mounts:
        words = line.split(" ")
        if len(words) < 3:
            continue
        folder = Path(re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), words[1]))
        if len(folder.parts) >= best and (folder == whole or folder in whole.parents):
            best, kind = len(folder.parts), words[2]
    return kind if _REMOTE.fullmatch(kind) else ""


def _remote_on_windows(path: Path) -> str:
    import ctypes

    drive = path.resolve().drive
    kind = getattr(ctypes, "windll").kernel32.GetDriveTypeW(drive + "\\")  # noqa: B009
    return "network" if drive.startswith("\\\\") or kind == 4 else ""
