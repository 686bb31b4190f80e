"""What is done behind for a room: to start it, to make a table of its reports, to forget them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from dpstudio.data.dataset import Dataset
from dpstudio.files.alone import alone
from dpstudio.files.user_folder import own_folder
from dpstudio.gui.parts.tr import language, shown, tr
from dpstudio.gui.state.jobs import Work
from dpstudio.privacy.room import Question

if TYPE_CHECKING:
    from dpstudio.serve import Room


_LOCK = "room"  # what a room that is open holds in its folder
# Looks of one window come one after the other, and before it opens a room: each holds the folder
# for a moment, and would be taken for another window by the next.
_TURN = RLock()


@dataclass(frozen=True)
class Wanted:
    """How a room is to be opened: `seats` single-use codes, 0 for an open address; `anew` forgets
    what an earlier one kept."""

    questions: tuple[Question, ...]
    seats: int
    tls: bool
    host: str
    port: int
    anew: bool


@dataclass(frozen=True)
class Left:
    """What an earlier room kept: so many `reports` and single-use `codes`, 0 at an open address and
    None where that cannot be read."""

    reports: int
    codes: int | None = None


def room_folder() -> Path:
    """Where a room keeps its reports; DPSTUDIO_ROOM names another place, as the tests do."""
    named = os.environ.get("DPSTUDIO_ROOM")
    return Path(named) if named else own_folder() / "room"


def started(wanted: Wanted, on_change: Callable[[], None]) -> Room:
    """A room that is open and asks the last of its questions. Raises RoomError, OSError."""
    from dpstudio.serve import Codes, Open, Room

    folder, door = room_folder(), Codes(wanted.seats) if wanted.seats else Open()
    with _TURN:
        if wanted.anew:
            forget()
        room = Room.start(
            wanted.questions,
            folder,
            door,
            tls=wanted.tls,
            host=wanted.host,
            port=wanted.port,
            on_change=on_change,
            translate=tr,
            language=language(),
        )
    try:
        room.open(wanted.questions[-1].key)
    except OSError:
        room.stop()
        raise
    return room


def starting(
    wanted: Wanted, told: Callable[[], None], rooms: list[Any], work: Work
) -> Iterator[Room]:
    """The same as a job; `rooms` has the room before anybody is told, so that a window which closes
    can stop it."""
    rooms.append(started(wanted, told))
    yield rooms[-1]


def looking(work: Work) -> Iterator[tuple[Left | None, None]]:
    """What an earlier room left, which is no more open in another window."""
    yield left(), None


def finding(work: Work) -> Iterator[tuple[Left | None, tuple[str, ...]]]:
    """The same, and the addresses of this machine in its networks, the likeliest first."""
    from dpstudio.serve.addresses import addresses

    yield left(), addresses()


def left() -> Left | None:
    """What an earlier room kept; None where there was none, or it is open in another
    window."""
    folder = room_folder()
    if not folder.is_dir():
        return None  # nor is anything imported
    from dpstudio.serve.kept import REPORTS, ROOM, codes_kept

    try:
        with _TURN, alone(folder / _LOCK, wait=False):
            kept = folder / REPORTS
            reports = kept.read_bytes().count(b"\n") if kept.exists() else 0
            there = reports or (folder / ROOM).exists()
            return Left(reports, codes_kept(folder)) if there else None
    except OSError:
        return None


def forget() -> None:
    """Remove what a room kept, unless another window has it open. Raises OSError."""
    folder = room_folder()
    with _TURN, alone(folder / _LOCK, wait=False):
        for path in folder.iterdir():
            if path.is_file() and path.suffix != ".lock":
                path.unlink()


def table_of(room: Any) -> Dataset:
    """The reports of a room as a table, as they are saved too."""
    import pandas as pd

    from dpstudio.serve.export import reports_table

    made = reports_table(room.questions, room.reports)
    return Dataset(
        pd.DataFrame({name: list(cells) for name, cells in made.columns}), shown(made.title)
    )
