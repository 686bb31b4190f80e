"""A table that stays elsewhere, opened as a file is."""

from __future__ import annotations

from dpstudio.files.engines.connecting import open_elsewhere
from dpstudio.files.engines.elsewhere import Elsewhere
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import FIRST_ROWS, ColumnRead, Counts, Read

KINDS = {"integer": "integer", "number": "number", "date": "date", "category": "words"}


def read_elsewhere(where: str) -> tuple[Elsewhere, Read]:
    """The table behind an address, and its first rows as the report. Raises TableError."""
    data = open_elsewhere(where)
    columns = tuple(ColumnRead(info.name, KINDS.get(info.type, "other")) for info in data.columns)
    counts = Counts(kept=data.rows)
    return data, Read(data.first(FIRST_ROWS), data.name, data.engine, Choices(), counts, columns)
