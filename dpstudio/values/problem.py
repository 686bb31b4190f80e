"""Why a question cannot be answered as it stands."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio.values.messages import Say


@dataclass(frozen=True)
class Problem:
    """Why a lab cannot answer as it stands: at which field, and what to do. `stops` is False for
    mere advice; `grave` advice tells of a promise that does not hold."""

    field: str
    say: Say
    stops: bool = True
    grave: bool = False
