"""How far a long run is, on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpstudio.data.aggregates import Cost
    from dpstudio.data.dataset import Dataset
    from dpstudio.values.messages import Message

_SHORT = 1.0  # seconds in which nothing is told
_CLEARED = "\r\x1b[K"


@contextmanager
def waiting() -> Iterator[Callable[[float, Message], None]]:
    """What a run may tell of its progress stands in one line of stderr, until it ends; nothing
    where stderr is no terminal, or in the first second."""
    from dpstudio.files.language import shown
    from dpstudio.values.messages import Num

    began, out = monotonic(), sys.stderr

    def tell(share: float, doing: Message) -> None:
        if out.isatty() and monotonic() - began > _SHORT:
            far = f": {Num(share, 2, percent=True)}" if share >= 0 else ""
            print(f"{_CLEARED}{shown(doing)}{far}", end="", file=out)
            out.flush()

    try:
        yield tell
    finally:
        if out.isatty():
            print(_CLEARED, end="", file=out, flush=True)


@contextmanager
def costs_told(*, leaves: bool = False) -> Iterator[None]:
    """What a statement over much may read is told before it is sent, in a line of stderr; where
    stderr is a terminal also for how long it runs. Beside what leaves nothing is told, and nothing
    refused: how much there is depends on the rows."""
    from dpstudio.files.engines.costs import Spending, amount, reading, spending
    from dpstudio.files.language import shown
    from dpstudio.values.messages import N_, say

    with waiting() as wait:

        def tell(engine: str, cost: Cost, share: float | None, seconds: float) -> None:
            if seconds:
                wait(-1.0 if share is None else share, reading(engine, cost, seconds))
                return
            text = N_("{engine} reads up to {amount}.")
            said = shown(say(text, engine=engine, amount=amount(cost)))
            print(f"dpstudio: {said}", file=sys.stderr)

        any_cost = leaves or bool(os.environ.get("DPSTUDIO_ANY_COST"))
        with spending(Spending(tell=None if leaves else tell, anything=any_cost)):
            yield


def say_changed(tables: Iterable[Dataset | None]) -> None:
    """Say which of the tables that stay where they are changed while they were read."""
    from dpstudio.files.language import shown
    from dpstudio.values.messages import N_, say

    text = N_("{name} changed while it was read: its numbers may be of different states.")
    for table in tables:
        if table is not None and table.asked is not None and table.changed():
            print(f"dpstudio: {shown(say(text, name=table.name))}", file=sys.stderr)
