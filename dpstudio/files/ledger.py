"""What has left the program without the exact answer: every draw, so that the same export gives the
same draw again and no second one that could be averaged with it."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any

from dpstudio.data.dataset import Dataset
from dpstudio.files.alone import alone
from dpstudio.files.session import SessionError, write_text
from dpstudio.files.user_folder import own_folder
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.values.messages import N_, Message, Num, say

_VERSION = 1
_NAMES = ("epsilon", "delta")
_THREADS = RLock()


def ledger_path() -> Path:
    """Where the ledger of this person is kept; `DPSTUDIO_LEDGER` names another place."""
    if named := os.environ.get("DPSTUDIO_LEDGER"):
        return Path(named)
    return own_folder() / "ledger.json"


@dataclass
class Ledger:
    """The draws that left, in a file that stays with the person; without a `path`, in memory.

    It holds no exact number and no digest: a draw is found by a keyed hash of the table and of what
    was drawn. The key is in the same file, so who has it can test a guess of the whole table; it is
    readable by its owner alone, and never goes into an export. Where nothing may be drawn `anew`,
    it gives what it has, and raises SessionError else.
    """

    path: Path | None = None
    randbelow: Callable[[int], int] = field(default_factory=lambda: secrets.randbelow)
    anew: bool = True
    _held: dict[str, Any] = field(default_factory=dict)

    def draws_of(self, data: Dataset) -> Drawn:
        """The one way to draw of this table for one export. Raises SessionError where the file
        cannot be read."""
        return Drawn(self, data)

    def read(self) -> dict[str, Any]:
        """The key and the draws. Raises SessionError for a file that is no ledger."""
        if self.path is not None and self.path.exists():
            try:
                held = json.loads(self.path.read_text(encoding="utf-8"))
                whole = held["dpstudio_ledger"] == _VERSION
                if not whole or not isinstance(held["draws"], dict) or not held["key"]:
                    raise ValueError
                self._held = held
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                text = N_(
                    "{path}, which keeps what has left the program, could not be read. Put it "
                    "right or move it away: then nothing is known of what left before."
                )
                raise SessionError(say(text, path=self.path)) from None
        if not self._held:
            key = f"{self.randbelow(1 << 256):064x}"
            self._held = {"dpstudio_ledger": _VERSION, "key": key, "draws": {}}
        return self._held

    def keep(self, name: str, entry: dict[str, Any]) -> None:
        """Add a draw, before anything is made of it. Raises SessionError."""
        held = self.read()
        held["draws"][name] = entry
        if self.path is not None:
            write_text(self.path, json.dumps(held) + "\n", mode=0o600)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """From reading what was drawn until a new draw is kept, no other process may do the same:
        it would lose one of the two, or draw twice. Raises SessionError."""
        with ExitStack() as held:
            held.enter_context(_THREADS)
            if self.path is not None:
                try:
                    held.enter_context(alone(self.path))
                except OSError as error:
                    text = N_("{path} could not be made: {why}. Choose another place.")
                    raise SessionError(
                        say(text, path=self.path.parent, why=error.strerror or error)
                    ) from error
            yield


@dataclass
class Drawn:
    """The draws of one export of `data`, remembered in the ledger: `labs.context.Draws`."""

    ledger: Ledger
    data: Dataset
    _now: dict[str, Any] = field(default_factory=dict)
    _own: str = field(default_factory=lambda: secrets.token_hex(16))
    _told: dict[str, Message] = field(default_factory=dict)

    @property
    def told(self) -> tuple[Message, ...]:
        """What each draw costs, and what went before."""
        return tuple(self._told.values())

    def draw(
        self,
        asked: Sequence[Any],
        promise: Guarantee,
        make: Callable[[Dataset, ReleaseRandom], Any],
    ) -> Any:
        """What left for this question: the draw that is kept, or a new one of `make` under this
        promise, which is kept from now on. Raises NotDrawnError where the promise is not kept."""
        if not promise.kept:
            raise NotDrawnError(say(_BROKEN, why=promise.note, instead=promise.instead))
        text = json.dumps(asked)
        if text not in self._now:
            with self.ledger.alone():
                self._now[text] = self._drawn(text, asked, promise, make)
        return self._now[text]

    def _drawn(
        self,
        text: str,
        asked: Sequence[Any],
        promise: Guarantee,
        make: Callable[[Dataset, ReleaseRandom], Any],
    ) -> Any:
        table, name = self._names(asked)
        draws = self.ledger.read()["draws"]
        if name in draws:
            again = N_("This is the draw that was made before: it costs nothing more.")
            self._told[text] = say(again)
            return draws[name]["drawn"]
        if not self.ledger.anew:
            raise SessionError(say(_NOT_HERE))
        before = [entry for entry in draws.values() if entry["table"] == table]
        drawn = make(self.data, ReleaseRandom(self.ledger.randbelow))
        cost = {name: getattr(promise, name) for name in _NAMES}
        self._told[text] = _fresh([cost, *before])
        entry = {"table": table, **cost, "drawn": drawn}
        self.ledger.keep(name, entry)
        return drawn

    def _names(self, asked: Sequence[Any]) -> tuple[str, str]:
        """What the file and what is drawn of it are known by. Two readings of a file are two
        tables, which share no draw, about the same people, so that the ε of both add up. A
        file that was edited is another one: its bytes do not tell whom it is about. Of a table
        without a digest nothing is known again."""
        data, key = self.data, bytes.fromhex(self.ledger.read()["key"])
        bytes_ = data.digest or self._own
        whole = json.dumps([bytes_, data.content, data.codebook.without_roles.to_json(), *asked])
        hashes = [hmac.new(key, text.encode(), hashlib.sha256) for text in (bytes_, whole)]
        return hashes[0].hexdigest(), hashes[1].hexdigest()


_NOT_HERE = N_(
    "What this figure shows is not in the ledger of this machine for this table, and is not drawn "
    "anew: two draws of one answer could be averaged."
)
_BROKEN = N_("{why} So nothing of it leaves. {instead}")
_COSTS = {  # by whether there is a δ
    False: N_("ε = {epsilon}"),
    True: N_("ε = {epsilon} with δ = {delta}"),
}


def _fresh(costs: Sequence[Mapping[str, float]]) -> Message:
    """What a new draw costs, the first of these, with those of the same table that left before it:
    ε and δ add up (Dwork & Roth 2014, Theorem 3.16)."""
    if len(costs) == 1:
        text = N_(
            "The first draw of this very file in the ledger of this machine: it costs {cost}. What "
            "is in another ledger, or left of another version of it, or of other tables about the "
            "same people, is not known here, and adds to that."
        )
        return say(text, cost=_added(costs))
    text = N_(
        "A new draw of this very file, after {n} {n:draw|draws} in the ledger of this machine: it "
        "costs {cost}, all of them together {total}."
    )
    if math.fsum(each["delta"] for each in costs) >= 1:
        text = N_(
            "A new draw of this very file, after {n} {n:draw|draws} in the ledger of this machine: "
            "it costs {cost}. Together they have a δ of 1 or more, and so nothing is promised any "
            "longer."
        )
    values = {"n": Num(len(costs) - 1), "cost": _added(costs[:1]), "total": _added(costs)}
    return Message(text, values)


def _added(costs: Sequence[Mapping[str, float]]) -> Message:
    epsilon, delta = (math.fsum(float(each[name]) for each in costs) for name in _NAMES)
    told = {"epsilon": Num(epsilon, 5, "up"), "delta": Num(delta, 3, "up")}
    return Message(_COSTS[delta > 0], told)
