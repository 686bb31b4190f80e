"""What a room keeps in its folder, so that a killed studio goes on where it was: questions, codes,
reports, and which codes were used. Nothing of it is about a device."""

import json
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dpstudio.files.writing import replace_file, sweep_folder
from dpstudio.privacy.room import Question, Report, possible
from dpstudio.serve.door import Codes, Door, fresh_codes, fresh_token
from dpstudio.values.messages import N_, SentenceError, say

ROOM, REPORTS, USED = "room.json", "reports.jsonl", "used.json"
_VERSION, _OWN = 1, 0o600
_LOT = secrets.SystemRandom()


class RoomError(SentenceError):
    """A room that cannot be opened; `sentence` says why, and what to do."""


@dataclass(frozen=True)
class Standing:
    """Whether a question takes answers, and for which time it was opened anew."""

    open: bool = False
    round: int = 1


@dataclass
class Kept:
    """The folder of one room. `reports`, from which all is made that leaves it, are in an order by
    lot: who saw the phones answer one after the other does not know whose a report is. `used` are
    the marks of codes that answered; the two cannot be told to belong together: the marks are
    sorted, and what is written at once is shuffled. `damaged` lines of a file could not be read."""

    folder: Path
    token: str
    codes: frozenset[str]
    questions: dict[str, Question]
    port: int = 0
    standing: dict[str, Standing] = field(default_factory=dict)
    reports: list[Report] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    damaged: int = 0

    def save(self) -> None:
        """Write all but the reports. Raises OSError."""
        held = {
            "dpstudio_room": _VERSION,
            "token": self.token,
            "port": self.port,
            "codes": sorted(self.codes),
            "questions": [asdict(asked) for asked in self.questions.values()],
            "standing": {key: asdict(now) for key, now in self.standing.items()},
        }
        replace_file(self.folder / ROOM, json.dumps(held).encode(), _OWN)

    def write(self, batch: list[tuple[Report, str]]) -> None:
        """Add reports with the marks of who sent them, in any order. First the marks: who is killed
        between the two loses a report, and counts none twice. Raises OSError."""
        shuffled = [report for report, _ in batch]
        _LOT.shuffle(shuffled)
        used = self.used | {mark for _, mark in batch}
        _write_used(self.folder, used)
        lines = "".join(json.dumps(asdict(report)) + "\n" for report in shuffled).encode()
        try:
            _append(self.folder / REPORTS, lines)
        except OSError:
            with suppress(OSError):
                _write_used(self.folder, self.used)
            raise
        self.used = used
        for report in shuffled:  # those before it keep their order: each order is alike likely
            self.reports.insert(_LOT.randrange(len(self.reports) + 1), report)


def _write_used(folder: Path, used: Iterable[str]) -> None:
    replace_file(folder / USED, json.dumps(sorted(used)).encode(), _OWN)


def _append(path: Path, lines: bytes) -> None:
    """Add whole lines, or none where the disk is full."""
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _OWN)
    try:
        before = os.fstat(number).st_size
        try:
            view = memoryview(lines)
            while view:
                view = view[os.write(number, view) :]
            os.fsync(number)
        except OSError:
            os.ftruncate(number, before)
            raise
    finally:
        os.close(number)


def open_kept(folder: Path, questions: Iterable[Question], door: Door) -> Kept:
    """The room of a folder: as it was left, or a new one. Questions may be added, not changed.
    Raises RoomError, OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    sweep_folder(folder)
    held = _read(folder / ROOM)
    seats = door.seats if isinstance(door, Codes) else 0
    if held is None:
        kept = Kept(folder, fresh_token(), frozenset(fresh_codes(seats)), {})
    else:
        kept = _from_json(folder, held)
        if bool(kept.codes) != bool(seats):
            text = N_("{path} holds a room with the other way in. Choose that, or begin anew.")
            raise RoomError(say(text, path=folder))
        more = fresh_codes(max(0, seats - len(kept.codes)), kept.codes)
        kept.codes |= frozenset(more)
    _ask(kept, questions)
    _read_reports(kept)
    kept.save()
    return kept


def _ask(kept: Kept, questions: Iterable[Question]) -> None:
    asked = {question.key: question for question in questions}
    for key, question in asked.items():
        if kept.questions.get(key, question) != question:
            text = N_(
                "{path} holds answers to another question named {key}. Choose another name for the "
                "question, or another folder."
            )
            raise RoomError(say(text, path=kept.folder, key=key))
    # In the order they were asked, as far as is known.
    kept.questions = {k: q for k, q in kept.questions.items() if k not in asked} | asked
    # What is asked no more takes no answers.
    kept.standing = {k: now for k, now in kept.standing.items() if k in asked}


def _read(path: Path) -> dict[str, Any] | None:
    """What a room kept; None for a new one. Raises RoomError."""
    try:
        held = json.loads(path.read_bytes())
        if held["dpstudio_room"] != _VERSION:
            raise ValueError
        return dict(held)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _unreadable(path) from None


def codes_kept(folder: Path) -> int | None:
    """How many single-use codes the room of a folder has, 0 at an open address; None where that
    cannot be read. Raises OSError."""
    try:
        held = _read(folder / ROOM)
        return None if held is None else len(held["codes"])
    except (RoomError, KeyError, TypeError):
        return None


def _unreadable(path: Path) -> RoomError:
    text = N_("{path}, which keeps a room, could not be read. Begin anew.")
    return RoomError(say(text, path=path))


def _from_json(folder: Path, held: dict[str, Any]) -> Kept:
    try:
        lists = ("options", "epsilons")
        questions = [
            Question(**(q | {name: tuple(q[name]) for name in lists})) for q in held["questions"]
        ]
        standing = {key: Standing(**now) for key, now in held["standing"].items()}
        used = json.loads((folder / USED).read_bytes()) if (folder / USED).exists() else []
        return Kept(
            folder,
            str(held["token"]),
            frozenset(held["codes"]),
            {question.key: question for question in questions},
            int(held["port"]),
            standing,
            used=set(used),
        )
    except (ValueError, KeyError, TypeError):
        raise _unreadable(folder / ROOM) from None


def _read_reports(kept: Kept) -> None:
    """Those in the folder; a last line that was torn is cut off, so that the next begins anew."""
    path = kept.folder / REPORTS
    if not path.exists():
        return
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        os.truncate(path, len(whole))
    for line in whole.splitlines():
        try:
            report = Report(**json.loads(line))
            whole_one = possible(kept.questions[report.question], report)
        except (ValueError, TypeError, KeyError):
            whole_one = False
        if whole_one:
            kept.reports.append(report)
        else:
            kept.damaged += 1
    _LOT.shuffle(kept.reports)
