"""What is sent to a room, judged: a report, or a reason to refuse it, which is counted."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock
from types import MappingProxyType
from typing import Any

from dpstudio.privacy.room import Question, Report, Reports, possible
from dpstudio.serve.door import is_fresh_pass, mark
from dpstudio.serve.kept import Kept, Standing
from dpstudio.values.messages import N_

LARGEST = 1024  # bytes of a report; the longest that a phone sends has about 300
MOST = 10_000  # reports of a room, more than any room has people
_CODE: dict[str, tuple[type, ...]] = {"pass": (str,)}
_FIELDS = _CODE | {
    "question": (str,),
    "round": (int,),
    "mechanism": (str,),
    "epsilon": (int, float),
    "value": (int,),
}

# Why something was refused, as it is counted and shown.
REASONS = {
    "used": N_("the code has answered this question before"),
    "late": N_("the question is closed"),
    "code": N_("no such code"),
    "malformed": N_("no report of this survey"),
    "large": N_("too large"),
    "fast": N_("too many at once"),
    "foreign": N_("from another page or under another name"),
    "lost": N_("no such address"),
    "full": N_("the room is full"),
    "disk": N_("it could not be kept"),
}


@dataclass(frozen=True)
class Counts:
    """How many reports were taken, and how much was refused for each of `REASONS`, since the room
    was opened in this process; `kept` counts those from before too."""

    accepted: int
    kept: int
    refused: Mapping[str, int]


class RefusedError(Exception):
    """What is not taken; `reason` is one of `REASONS`."""

    def __init__(self, reason: str):
        self.reason = reason
        super().__init__(reason)


@dataclass
class Intake:
    """What a room holds while it is open, for any thread."""

    kept: Kept
    accepted: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    _lock: RLock = field(default_factory=RLock)
    _held: set[str] = field(default_factory=set)
    _shown: Reports = ()

    def __post_init__(self) -> None:
        self._held = set(self.kept.used)

    def judge(self, body: bytes) -> tuple[Report, str]:
        """The report in a body, and the mark of who sent it, which is held from now on. Raises
        RefusedError."""
        sent = parsed(body, _FIELDS)
        with self._lock:
            asked = self.kept.questions.get(sent["question"])
            if asked is None:
                raise RefusedError("malformed")
            report = report_of(asked, sent)
            if self.kept.codes and sent["pass"] not in self.kept.codes:
                raise RefusedError("code")
            if not self.kept.codes and not is_fresh_pass(sent["pass"]):
                raise RefusedError("malformed")
            if self.standing(asked.key) != Standing(True, report.round):
                raise RefusedError("late")
            held = mark(asked.key, report.round, sent["pass"])
            if held in self._held:
                raise RefusedError("used")
            if len(self._held) >= MOST:
                raise RefusedError("full")
            self._held.add(held)
            return report, held

    def answered(self, body: bytes) -> list[tuple[str, int]]:
        """The questions, each with its round, that the code in a body has answered: told before
        anything is asked, so that no coins are thrown for a wrong code, nor twice for a right one.
        Raises RefusedError."""
        code = parsed(body, _CODE)["pass"]
        if code not in self.kept.codes:
            raise RefusedError("code")
        with self._lock:
            now = [(key, self.standing(key).round) for key in self.kept.questions]
            return [at for at in now if mark(*at, code) in self._held]

    def keep(self, batch: list[tuple[Report, str]]) -> None:
        """Write what was judged; returns when the disk has it. Raises OSError: then it is as if
        none of it had come."""
        try:
            self.kept.write(batch)
        except OSError:
            with self._lock:
                self._held.difference_update(held for _, held in batch)
            raise
        with self._lock:
            self.accepted += len(batch)

    def refuse(self, reason: str) -> None:
        """Count what was refused."""
        with self._lock:
            self.refused[reason] += 1

    def standing(self, key: str) -> Standing:
        """Whether that question is open, and in which round."""
        return self.kept.standing.get(key, Standing())

    def set_standing(self, key: str, standing: Standing) -> None:
        """Open or close a question, kept for the next start. Raises KeyError for a question that is
        not asked, OSError: then it stands as before."""
        with self._lock:
            if key not in self.kept.questions:
                raise KeyError(key)
            before = self.kept.standing
            self.kept.standing = before | {key: standing}
            try:
                self.kept.save()
            except OSError:
                self.kept.standing = before
                raise

    @property
    def counts(self) -> Counts:
        """How many came, as of now."""
        with self._lock:
            refused = MappingProxyType(dict(self.refused))
            return Counts(self.accepted, len(self.kept.reports), refused)

    @property
    def reports(self) -> Reports:
        """All that were kept, in an order by lot; the same tuple while none came."""
        with self._lock:
            if len(self._shown) != len(self.kept.reports):
                self._shown = tuple(self.kept.reports)
            return self._shown


def parsed(body: bytes, fields: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    """The fields in a body, each of one of its types, and no others. Raises RefusedError."""
    if len(body) > LARGEST:
        raise RefusedError("large")
    try:
        sent = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise RefusedError("malformed") from None
    if not isinstance(sent, dict) or sent.keys() != fields.keys():
        raise RefusedError("malformed")
    if not all(type(sent[name]) in kinds for name, kinds in fields.items()):
        raise RefusedError("malformed")
    return sent


def report_of(asked: Question, sent: Mapping[str, Any]) -> Report:
    """A report that the question's page can have made. Raises RefusedError."""
    report = Report(
        asked.key, sent["mechanism"], float(sent["epsilon"]), sent["value"], sent["round"]
    )
    if not possible(asked, report):
        raise RefusedError("malformed")
    return report
