"""Rows at the foot of a table that are totals of those above: by their word, or by their sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpstudio.files.read.text.tolerant import TOTAL

if TYPE_CHECKING:
    import pyarrow as pa

_FEW = 3  # rows that a total stands below, at least
_MOST = 20


def totals_at(columns: Sequence[pa.ChunkedArray]) -> int:
    """How many rows at the end are totals, averages or the like: each begins with such a word as no
    row before it does, or misses a value and holds the sum of every column in which it has a number
    (or the mean of some)."""
    found = 0
    while columns and len(columns[0]) > _FEW and found < _MOST:
        if not (_worded(columns) or _summed(columns)):
            break
        columns = [c.slice(0, len(c) - 1) for c in columns]
        found += 1
    return found


def _worded(columns: Sequence[pa.ChunkedArray]) -> bool:
    """Whether the last row begins with Total or the like, as no row before it does."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for column in columns[:3]:
        if pa.types.is_string(column.type):
            word = column[len(column) - 1].as_py()
            if word and TOTAL.match(word.strip()) and len(word) < 40:
                return int(pc.sum(pc.equal(column, word)).as_py()) == 1
    return False


def _summed(columns: Sequence[pa.ChunkedArray]) -> bool:
    """Whether the last row alone misses a value where all others have one, and adds up the rest."""
    import pyarrow as pa

    last = [column[len(column) - 1].as_py() for column in columns]
    missed = zip(columns, last, strict=True)
    if not any(value is None and column.null_count == 1 for column, value in missed):
        return False
    sums = 0
    for column, value in zip(columns, last, strict=True):
        if value is None:
            continue
        if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
            return False
        total, mean = _of(column.slice(0, len(column) - 1))
        sums += value != 0 and math.isclose(value, total, rel_tol=1e-9)
        if not any(math.isclose(value, due, rel_tol=1e-9) for due in (total, mean)):
            return False
    return sums > 0


def _of(column: pa.ChunkedArray) -> tuple[float, float]:
    """The sum and the mean of what a column holds."""
    import pyarrow.compute as pc

    found: Any = pc.sum(column).as_py()
    return (float(found), float(pc.mean(column).as_py())) if found is not None else (0.0, 0.0)
