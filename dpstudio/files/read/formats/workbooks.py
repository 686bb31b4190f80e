"""Excel and OpenDocument sheets, by calamine: one light reader, in Rust, for xlsx, xls, xlsb and
ods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.formats import sheets
from dpstudio.files.read.formats.values import column_of, marked, read_values, word
from dpstudio.files.read.outcome import Counts, Doubt, Read, TableError, quoted
from dpstudio.files.read.packing import Packed, broken, refuse_bomb
from dpstudio.files.read.source import Watch
from dpstudio.files.read.text import headers, splitting, tolerant, totals, typed_table
from dpstudio.files.read.text.layout import lay_out
from dpstudio.files.read.text.rows import Dialect
from dpstudio.values.messages import N_, Message, Num, of_library, say

if TYPE_CHECKING:
    import pyarrow as pa

_LARGEST = 1 << 29  # bytes of a workbook; all of it is held while it is read
Cells = list[Any]


def read_workbook(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """The chosen sheet, or the only one with cells. Raises TableError for a locked or broken
    workbook."""
    sheet = sheet_of(packed, choices.part, watch)
    names = sheet.names
    if len(names) > 1 and not choices.part:
        why = say(
            "the workbook has {n} {n:sheet|sheets} with cells: {names}",
            n=len(names),
            names=quoted(", ".join(names[:8]), 200),
        )
        packed = replace(packed, doubts=(*packed.doubts, Doubt("part", why, tuple(names))))
    return watch.run(partial(_read, replace(packed, part=sheet.name), sheet, choices, watch))


def sheet_of(packed: Packed, part: str, watch: Watch) -> sheets.Sheet:
    """As `_sheet`, of a workbook that is not too large. Raises TableError likewise."""
    if packed.source.size > _LARGEST:
        text = N_("{path} is larger than a workbook can be read. Save the sheet as CSV.")
        raise TableError(say(text, path=packed.source.name))
    _refuse_bomb(packed)
    sheet = watch.run(lambda: _sheet(packed, part))
    watch.tell(0.7)
    return sheet


def _sheet(packed: Packed, part: str) -> sheets.Sheet:
    """The sheet that is read, with None for blanks; by a child, so that a cell far away, for which
    there is no memory, ends only that."""
    path = packed.source.name
    kind, *found = sheets.asked(packed.whole(), packed.source.size, part)
    if kind == "read":
        read: sheets.Sheet = found[0]
        return read
    if kind == "part":
        text = N_("{path} has no sheet {part}; it has: {names}.")
        names = quoted(", ".join(found[0]), 200)
        raise TableError(say(text, path=path, part=part, names=names))
    if kind == "empty":
        text = N_("{path} is a workbook without any cells. Choose another file.")
        raise TableError(say(text, path=path))
    if kind == "locked":
        text = N_("{path} is locked with a password. Save it without one, and open that.")
        raise TableError(say(text, path=path))
    if kind == "memory":
        text = N_(
            "{path} needs more memory than a workbook of its size may, as one with a cell far from "
            "all others does. Save the table in it as CSV."
        )
        raise TableError(say(text, path=path))
    text = N_("{path} is not a workbook that can be read: {why}. Save the sheet as CSV.")
    raise TableError(say(text, path=path, why=of_library(found[0])))


def _refuse_bomb(packed: Packed) -> None:
    """Raises TableError where the parts of a workbook unpack to more than any does."""
    if packed.head.startswith(b"PK"):
        with broken(packed.source.name), ZipFile(packed.whole()) as archive:
            parts = archive.infolist()
        refuse_bomb(
            packed.source, sum(p.file_size for p in parts), sum(p.compress_size for p in parts)
        )


def _told(sheet: sheets.Sheet) -> list[Message]:
    """What the cells of a sheet do not show."""
    out = []
    if sheet.hidden:
        names = quoted(", ".join(sheet.hidden[:8]), 200)
        out.append(say("Hidden sheets of the workbook: {names}.", names=names))
    if sheet.merged:
        text = N_(
            "Cells are merged downwards in {n} {n:place|places}: only the first of their rows has "
            "the value, and the others miss it."
        )
        out.append(say(text, n=Num(sheet.merged)))
    if sheet.formulas:
        text = N_(
            "{n} {n:formula has|formulas have} no value in the file: nothing is read there. Open "
            "it in the program that it is from, and save it there."
        )
        out.append(say(text, n=Num(sheet.formulas)))
    return out


_REPEATED = N_(
    "{n} column {n:name repeats one before it, and was|names repeat one before them, and were} "
    "numbered."
)
_FOOTER = N_(
    "{n:the last row looks like a total or a note|{n} rows at the end look like totals or notes} "
    "and would be left out"
)


def _read(packed: Packed, sheet: sheets.Sheet, choices: Choices, watch: Watch) -> Read:
    cells = sheet.rows
    filled = _filled(packed, cells)
    numbered = [(line, row) for line, row in filled if line > int(choices.skip or 0)]
    layout = lay_out(_split(numbered, choices), choices)
    names, repeated = headers.named(layout.names, layout.width)
    doubts, notes = list(layout.doubts), _told(sheet)
    if repeated:
        notes.append(say(_REPEATED, n=repeated))
    rows = [row for line, row in numbered if line >= layout.start]
    footer = _footer(rows) if choices.footer is None else int(choices.footer)
    if footer and choices.footer is None:
        doubts.append(Doubt("footer", say(_FOOTER, n=footer), (footer, 0)))
    if footer:
        rows = rows[:-footer]
    counts = Counts(
        blank=len(cells) - len(filled), preamble=layout.skip, footer=footer, kept=len(rows)
    )
    watch.ask()
    sign, vague = marked(names, [*zip(*rows, strict=True)], choices)
    doubts += vague
    columns = _typed(rows, layout.width, sign, watch)
    foot = totals.totals_at([column for column, _ in columns]) if choices.footer is None else 0
    if foot:  # the rows above are judged without them, as they are where this is told
        columns = _typed(rows[:-foot], layout.width, sign, watch)
        doubts = typed_table.with_totals(doubts, counts, foot)
    kept = [
        i
        for i in range(layout.width)
        if not layout.names or layout.names[i].strip() or columns[i][0].null_count < counts.kept
    ]
    return read_values(
        packed,
        "workbook",
        [names[i] for i in kept],
        [columns[i] for i in kept],
        counts,
        choices,
        doubts,
        notes,
        watch,
        choices.with_(skip=layout.skip, header=layout.header),
    )


def _filled(packed: Packed, cells: list[Cells]) -> list[tuple[int, Cells]]:
    """The rows that hold anything, by their lines, without the empty columns around them."""
    filled = [(i + 1, row) for i, row in enumerate(cells) if any(c is not None for c in row)]
    if not filled:
        raise TableError(
            say(
                "{path}: the sheet {part} has no cells. Choose another sheet.",
                path=packed.source.name,
                part=packed.part,
            )
        )
    left = min(next(i for i, c in enumerate(row) if c is not None) for _, row in filled)
    right = max(max(i for i, c in enumerate(row) if c is not None) for _, row in filled) + 1
    return [(line, (row + [None] * right)[left:right]) for line, row in filled]


def _split(numbered: Sequence[tuple[int, Cells]], choices: Choices) -> splitting.Split:
    """The sheet as the start of a text is seen: full rows are the table, sparse ones before it are
    not."""
    width = len(numbered[0][1]) if numbered else 0
    sample = numbered[:400]
    filled = [sum(c is not None for c in row) for _, row in sample]
    full = max(filled, default=0)
    first = (
        next((i for i, n in enumerate(filled) if n >= max(min(2, full), 0.6 * full)), 0)
        if choices.skip is None
        else 0
    )
    records = []
    for place, (_, row) in enumerate(sample):
        texts = ["" if c is None else word(c) for c in row]
        records.append(tuple(texts) if place >= first else tuple(t for t in texts if t))
    lines = tuple(line for line, _ in sample)
    # One value or none before a table of one column, or a title as wide as the table, is no line
    # before it.
    return splitting.Split(
        Dialect("none"),
        tuple(r if i >= first else (" ".join(r),) for i, r in enumerate(records)),
        lines,
        0,
        width,
        first,
        len(records),
        1.0,
        1.0,
    )


def _typed(
    rows: Sequence[Cells], width: int, choices: Choices, watch: Watch
) -> list[tuple[pa.ChunkedArray, tuple[tuple[str, int | None], ...]]]:
    """The columns of `rows`, each with the words that are missing values in it."""
    import pyarrow as pa

    columns = []
    for place in range(width):
        array, missing = column_of([row[place] for row in rows], choices, whole_floats=True)
        columns.append((pa.chunked_array([array]), missing))
        watch.ask()
    return columns


def _footer(rows: Sequence[Cells]) -> int:
    """Rows at the end that begin with Total or the like, or hold one text alone."""
    width = len(rows[0]) if rows else 0
    count = 0
    for row in reversed(rows[-20:]):
        told = [c for c in row if c is not None]
        total = isinstance(row[0], str) and tolerant.TOTAL.match(row[0].strip())
        lone = width > 2 and len(told) == 1 and isinstance(told[0], str)
        if not (total or lone):
            break
        count += 1
    return count if count < len(rows) else 0
