"""The ledger of a user: what leaves of a table that no ledger of a population was named for. It has
no cap; of each table it adds up what left. It also knows which ledger a table was named.

Before, it was a file of JSON: its draws are taken over once, as they are, and it stays as it was.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpstudio import __version__
from dpstudio.files.alone import alone
from dpstudio.files.ledgers.amounts import UNCAPPED, at_least
from dpstudio.files.ledgers.book import MADE, NAMED, TAKEN, Book, State, now
from dpstudio.files.ledgers.chained import Entry, make
from dpstudio.files.session import SessionError
from dpstudio.files.tables import called, example
from dpstudio.files.user_folder import own_folder
from dpstudio.values.messages import N_, Message, because, plain, say

_NAME, _BEFORE = "ledger.dpledger", "ledger.json"
_SQLITE = b"SQLite format 3\0"
_ODD = (ValueError, TypeError, AttributeError)


def ledger_path() -> Path:
    """Where the ledger of this person is kept; `DPSTUDIO_LEDGER` names another place."""
    if named := os.environ.get("DPSTUDIO_LEDGER"):
        return Path(named)
    return own_folder() / _NAME


@dataclass(frozen=True)
class OwnLedger:
    """That at `path`; beside it, where a file of JSON stands there. Methods raise SessionError."""

    path: Path

    @property
    def book(self) -> Book:
        """The file of it, which need not be there."""
        return Book(self._places[0], own=True)

    @property
    def _places(self) -> tuple[Path, Path]:
        """The file, and that of JSON which it was before."""
        path = self.path
        if path.is_file() and not _is_base(path):
            name = path.with_suffix(".dpledger")
            return (path.with_name(path.name + ".dpledger") if name == path else name), path
        return path, path.with_name(_BEFORE) if path.name == _NAME else path

    def state(self, anew: bool = True) -> State | None:
        """What is in it. Where it is not there it is made; not made `anew` where nothing was
        before either."""
        path, before = self._places
        if not path.exists() and (anew or before.is_file()):
            self._make(path, before)
        state = self.book.state() if path.exists() else None
        if state is not None and not state.cap.none:
            raise SessionError(say(_CAPPED, path=path))
        return state

    def _make(self, path: Path, before: Path) -> None:
        """Make it, whole or not at all, by one program alone."""
        try:
            with alone(path):
                if path.exists():
                    return
                made = path.with_name(path.name + ".new")
                made.unlink(missing_ok=True)  # of one that was killed here
                make(made, *_first(before))
                made.replace(path)
        except OSError as error:
            text = N_("{path} could not be made: {why}. Choose another place.")
            raise SessionError(say(text, path=path.parent, why=because(error))) from error

    def of(self, where: str, state: State) -> Book | None:
        """The ledger that was named last for the table there, if one was."""
        (key,) = self.book.file.names(("where", _whole(where)))
        for entry in reversed(state.of(NAMED)):
            if entry.body["table"] == key:
                named = Path(entry.body["ledger"])
                return None if named == self.book.path.absolute() else Book(named)
        return None

    def name(self, where: str, ledger: Path) -> None:
        """From now on that ledger is of the table there, whatever version of it."""
        state = self.state()
        assert state is not None
        before = self.of(where, state) or self.book
        if before.path.absolute() == ledger.absolute():
            return
        if ledger.absolute() != self.book.path.absolute():
            Book(ledger).state()  # that it is one, and whole
        with self.book.file.adding() as file:
            held = {"table": file.name("where", _whole(where)), "ledger": str(ledger.absolute())}
            file.add({"kind": NAMED, **now(), **held})


def name_ledger(where: str, ledger: Path) -> None:
    """From now on what leaves of the table there is booked in that ledger. Raises SessionError."""
    OwnLedger(ledger_path()).name(where, ledger)


def known_beside(where: str, ledger: Path) -> Iterator[Message]:
    """Which other ledgers this machine knows, of the table there or of the same population: none
    counts what another let through. No row decides what is said: a table is its place."""
    try:
        own = OwnLedger(ledger_path())
        state = own.state(anew=False)
        if state is None or ledger.absolute() == own.book.path.absolute():
            return
        (key,) = own.book.file.names(("where", _whole(where)))
        mine = Book(ledger).state().population
    except SessionError as error:
        yield error.sentence
        return
    named = dict.fromkeys((e.body["ledger"], e.body["table"] == key) for e in state.of(NAMED))
    others = [(Path(path), here) for path, here in named if Path(path) != ledger.absolute()]
    table = plain(called(where))
    for path in (path for path, here in others if here and path != own.book.path.absolute()):
        yield say(_TWO, path=path, table=table)
    for path in dict.fromkeys(path for path, _ in others if (path, True) not in others):
        with suppress(SessionError):  # it is not there any longer, or is none
            if (population := Book(path).state().population) == mine:
                yield say(_TWO_OF, path=path, population=plain(population))


_TWO = N_(
    "What leaves of “{table}” was booked in {path} too. Neither ledger counts what the other let "
    "through: for the same people both add up."
)
_TWO_OF = N_(
    "{path} is a ledger of “{population}” too. Neither counts what the other let through: for the "
    "same people both add up."
)


def _whole(where: str) -> str:
    return where if example(where) is not None else str(Path(where).absolute())


def _is_base(path: Path) -> bool:
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE
    return False


_CAPPED = N_(
    "{path} is the ledger of a population, and DPSTUDIO_LEDGER says where that of the user is. "
    "Name the first with --ledger, or on the page Ledger, and leave the other out."
)


# What was a file of JSON


def _first(before: Path) -> list[dict[str, Any]]:
    """The first entries of a new one: those of before, as they were. Raises SessionError."""
    held: dict[str, Any] = _read(before) if before.is_file() else {"key": "", "draws": {}}
    first: dict[str, Any] = {"kind": MADE, "program": __version__, **now(), "population": ""}
    first |= {"terms": None, "cap": UNCAPPED.to_json(), "key": held["key"]}
    taken = (
        {"kind": TAKEN, "name": name, "table": each["table"], "answer": each["drawn"]}
        | {"priced": [str(at_least(each[part])) for part in ("epsilon", "delta")], **now()}
        for name, each in held["draws"].items()
    )
    return [first, *taken]


def _read(path: Path) -> dict[str, Any]:
    try:
        held: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        bytes.fromhex(held["key"])
        for each in held["draws"].values():
            _ = each["table"], each["drawn"]
            if min(at_least(each[part]) for part in ("epsilon", "delta")) < 0:
                raise ValueError
        if held["dpstudio_ledger"] != 1 or not held["key"]:
            raise ValueError
    except (OSError, ArithmeticError, LookupError, RecursionError, *_ODD):
        text = N_(
            "{path}, which keeps what has left the program, could not be read. Put it right or "
            "move it away: then nothing is known of what left before."
        )
        raise SessionError(say(text, path=path)) from None
    return held


def taken_over(state: State, digest: str, asked: str) -> tuple[list[Entry], Entry | None]:
    """All draws of a table that were taken over, and the one of what is asked, if there is one."""
    key = bytes.fromhex(state.entries[0].body.get("key", ""))
    if not key:
        return [], None
    of_table, name = (
        hmac.new(key, text.encode(), hashlib.sha256).hexdigest() for text in (digest, asked)
    )
    found = [entry for entry in state.of(TAKEN) if entry.body["table"] == of_table]
    return found, next((e for e in found if e.body["name"] == name), None)
