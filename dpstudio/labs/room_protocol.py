"""What a lab has to do with a room of people who answer on their own phones."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

L = TypeVar("L")

# The name by which the reports of the room that is open stand among the tables of a context.
REPORTS = "reports"


@dataclass(frozen=True)
class Asks(Generic[L]):
    """`question` is what a lab would ask a room, as the room knows it; `listening` is the lab as it
    shows what the room reports; `listens` whether it does so now; `reported` whether what it shows
    is of reports, which hold their noise already; `fields` are the paths of what is asked."""

    question: Callable[[L], Any]
    listening: Callable[[L], L]
    listens: Callable[[L], bool]
    reported: Callable[[L], bool]
    fields: tuple[str, ...]
