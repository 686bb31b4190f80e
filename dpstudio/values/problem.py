"""Why a question cannot be answered as it stands."""

from dataclasses import dataclass
from typing import Any

from dpstudio.values.messages import Message


@dataclass(frozen=True)
class Mend:
    """What rids a state of a problem: a short name, and the changes (path, value) of one step."""

    name: Message
    changes: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Problem:
    """Why a lab cannot answer as it stands: at which field, and what to do. `stops` is False for
    mere advice; `grave` advice tells of a promise that does not hold. `mend` is known where a run
    was stopped. `columns`: of these something is to be told on the page of the table."""

    field: str
    say: Message
    stops: bool = True
    grave: bool = False
    mend: Mend | None = None
    columns: tuple[str, ...] = ()
