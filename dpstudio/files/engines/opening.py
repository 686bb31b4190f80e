"""A table that stays elsewhere, opened as a file is."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.data.codebook import TYPES
from dpstudio.files.engines.connecting import csv_files, left_out, open_csv, open_elsewhere
from dpstudio.files.engines.elsewhere import Elsewhere
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import FIRST_ROWS, ColumnRead, Counts, Read
from dpstudio.files.read.source import Watch
from dpstudio.files.read.told import told_words, unread_as, untold
from dpstudio.values.messages import Message

KINDS = {"integer": "integer", "number": "number", "date": "date", "category": "words"}


def read_elsewhere(
    where: str, choices: Choices | None, watch: Watch, *, noted: bool = True
) -> tuple[Elsewhere, Read]:
    """The table behind an address, and its first rows as the report; where that is `noted`, with
    how many values are not as told. Raises TableError, and for CSV files UncertainError where a
    person should decide, without choices, and CancelledError."""
    if csv_files(where):
        data, read = open_csv(where, choices, watch)
        data.reading = None if choices is None else told_words(choices)
        data.way = told_words(read.choices)
        return data, replace(read, notes=(*read.notes, *left_out(where)))
    data = open_elsewhere(where, choices)
    told = choices if choices is not None and choices.types else Choices(format="columnar")
    data.found_in_rows(*untold(told))
    data.reading = told_words(told) if told.types else None
    kinds, lost = told.forced(), data.lost_as_told() if noted else {}
    columns = tuple(ColumnRead(info.name, KINDS.get(info.type, "other")) for info in data.columns)
    unread = [
        unread_as(Message(TYPES.get(kinds.get(name, ""), TYPES["category"])), name, n)
        for name, n in lost.items()
    ]
    counts = Counts(kept=data.rows)
    read = Read(data.first(FIRST_ROWS), data.name, data.engine, told, counts, columns)
    return data, replace(read, notes=(*unread, *left_out(where)), stays=data.stays)
