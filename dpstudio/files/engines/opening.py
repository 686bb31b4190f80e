"""A table that stays elsewhere, opened as a file is."""

from __future__ import annotations

from dpstudio.files.engines.connecting import open_elsewhere
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import FIRST_ROWS, ColumnRead, Counts, Read
from dpstudio.files.tables import Opened

KINDS = {"integer": "integer", "number": "number", "date": "date", "category": "words"}


def opened_elsewhere(where: str) -> Opened:
    """The table behind an address, with its first rows as the report. Raises TableError."""
    data = open_elsewhere(where)
    first = data.first(FIRST_ROWS)
    columns = tuple(ColumnRead(info.name, KINDS.get(info.type, "other")) for info in data.columns)
    counts = Counts(kept=data.rows)
    report = Read(first, data.name, data.engine, Choices(), counts, columns)
    return Opened(data, report)
