"""How far a long run is, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
            print(f"{_CLEARED}{shown(doing)}: {Num(share, 2, percent=True)}", end="", file=out)
            out.flush()

    try:
        yield tell
    finally:
        if out.isatty():
            print(_CLEARED, end="", file=out, flush=True)
