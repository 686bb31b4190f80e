"""What reading a file comes to: a table with its report, a question to a person, or a sentence that
refuses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dpstudio.values.messages import N_, Message, SentenceError, in_turn, plain, say

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from dpstudio.files.read.choices import Choices

SHOWN_LINES = 200  # of so many rows the line is kept; of the others only the number of rows
FIRST_ROWS = 50


def quoted(text: str, size: int = 60) -> Message:
    """Text of a file inside a sentence: one line, without control signs, and not long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return plain(line if len(line) <= size else line[: size - 1] + "…")


class TableError(SentenceError):
    """A table that could not be opened: `sentence` says what, where and what to do."""


class TablesInsideError(TableError):
    """A file whose tables are asked where they are; `path` is where it stands."""

    def __init__(self, path: str, sentence: Message):
        self.path = path
        super().__init__(sentence)


class CancelledError(Exception):
    """The person asked to stop."""


@dataclass(frozen=True)
class OddRow:
    """One row that did not fit: its first line in the file, counted from 1, and why."""

    line: int
    why: Message


@dataclass
class Tally:
    """Rows that were repaired, refused or left out: how many, and the first of them by line."""

    count: int = 0
    first: list[OddRow] = field(default_factory=list)

    def add(self, line: int, why: Message) -> None:
        """Count one more, of the line with this number; the first few are kept with their
        reasons."""
        self.count += 1
        if len(self.first) < SHOWN_LINES:
            self.first.append(OddRow(line, why))

    def __bool__(self) -> bool:
        return self.count > 0


@dataclass
class Counts:
    """Rows kept as they stand or repaired (`kept` includes `repaired`), refused (not in the table),
    and lines that are no rows."""

    kept: int = 0
    repaired: Tally = field(default_factory=Tally)
    refused: Tally = field(default_factory=Tally)
    comments: int = 0
    blank: int = 0
    preamble: int = 0
    footer: int = 0
    empty: int = 0  # rows of delimiters alone
    over_lines: bool = False  # whether a record holds a line end within quotes
    open_end: bool = False  # whether the last line has no line end


@dataclass(frozen=True)
class Doubt:
    """One choice that a person must make: the field of Choices, why, and the values that make
    sense, the proposed one first."""

    choice: str
    why: Message
    values: tuple[Any, ...]


@dataclass(frozen=True)
class ColumnRead:
    """How one column was read. `kind` is integer, number, yes/no, date, time, words or other.

    `missing` lists the words that were read as missing with their counts where known (None where
    not); "" is a blank cell. `unit` stood at every number.
    """

    name: str
    kind: str
    missing: tuple[tuple[str, int | None], ...] = ()
    notes: tuple[Message, ...] = ()
    unit: str = ""


@dataclass(frozen=True)
class Read:
    """A table that was read. `choices` has every choice that was made (nothing is "auto"), so that
    it can be read so again.

    Of a long Parquet file `table` has the first rows, and `late` is the open file, whose columns
    are read when they are asked for.
    """

    table: pa.Table
    name: str
    format: str
    choices: Choices
    counts: Counts
    columns: tuple[ColumnRead, ...]
    notes: tuple[Message, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    late: pq.ParquetFile | None = None
    stays: Message | None = None  # why nothing leaves of it, however it is read

    @property
    def certain(self) -> bool:
        """Whether nothing was guessed, repaired or left out, so that nobody need be asked."""
        return not (self.doubts or self.counts.repaired or self.counts.refused)

    def preview(self) -> Preview:
        """What a person is shown before the table is opened."""
        return Preview(
            self.name,
            self.format,
            self.choices,
            self.doubts,
            self.counts,
            self.columns,
            tuple(first_rows(self.table)),
            self.notes,
        )


@dataclass(frozen=True)
class Preview:
    """What a person decides on: the proposed choices, each doubt with its alternatives, the counts
    and the first rows as they will be read.

    `rows` are texts, None where a value is missing. `part` of the choices names the sheet, table or
    inner file that is shown.
    """

    name: str
    format: str
    choices: Choices
    doubts: tuple[Doubt, ...]
    counts: Counts
    columns: tuple[ColumnRead, ...]
    rows: tuple[tuple[str | None, ...], ...]
    notes: tuple[Message, ...] = ()

    def reasons(self) -> tuple[Message, ...]:
        """Why a person is asked, one sentence each."""
        return (*(d.why for d in self.doubts), *self._rows())

    def _rows(self) -> Iterable[Message]:
        for tally, text in (
            (
                self.counts.repaired,
                N_("{n} of the rows {n:was|were} repaired, the first in line {line}: {why}."),
            ),
            (
                self.counts.refused,
                N_("{n} {n:row was|rows were} left out, the first in line {line}: {why}."),
            ),
        ):
            if tally:
                yield say(text, n=tally.count, line=tally.first[0].line, why=tally.first[0].why)

    def settings(self) -> tuple[str, ...]:
        """The `name=value` words that would settle it as proposed, one for each doubt; rows that do
        not fit ask for `ragged`."""
        from dpstudio.files.read.choices import shown

        words = {doubt.choice: shown(self.choices, doubt.choice) for doubt in self.doubts}
        if (self.counts.repaired or self.counts.refused) and "ragged" not in words:
            words["ragged"] = shown(self.choices, "ragged")
        return tuple(f"{name}={value}" for name, value in words.items())


class UncertainError(TableError):
    """More than one sensible reading, or rows that would be repaired or left out: a person decides
    on the `preview`."""

    def __init__(self, preview: Preview):
        self.preview = preview
        sentence = say(
            "{path} can be read in more than one way: {why} Choose how to read it; as proposed: "
            "{settings}.",
            path=preview.name,
            why=in_turn(preview.reasons()),
            settings=quoted(" ".join(preview.settings()), 400),
        )
        super().__init__(sentence)


def first_rows(table: pa.Table, rows: int = FIRST_ROWS) -> Iterable[tuple[str | None, ...]]:
    """The first rows as texts."""
    columns = [table.column(i).slice(0, rows).to_pylist() for i in range(table.num_columns)]
    for row in zip(*columns, strict=True):
        yield tuple(None if value is None else str(value) for value in row)
