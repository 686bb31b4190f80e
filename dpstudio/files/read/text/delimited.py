"""Delimited text to a table: the start is judged, the whole is read, and what was not certain
becomes a question."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import Counts, Doubt, Read, TableError
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.source import Watch
from dpstudio.files.read.text import dialects, headers, oversized_cells, rows, splitting, tolerant
from dpstudio.files.read.text.encodings import Encoding, detect, mark, text_blocks, unmarked_wide
from dpstudio.files.read.text.fast_text import FastReading
from dpstudio.files.read.text.feed import Feed, UncleanTextError
from dpstudio.files.read.text.layout import Layout, lay_out, title_above
from dpstudio.files.read.text.typed_table import Plan, finish, kind_of
from dpstudio.values.messages import N_, say

if TYPE_CHECKING:
    import pyarrow as pa


def read_delimited(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """The table in a text. Raises TableError where there is none."""
    try:
        return _read(packed, choices, watch)
    except rows.LongLineError as error:
        raise oversized_cells.too_long(packed, error.args[0]) from None


def _read(packed: Packed, choices: Choices, watch: Watch) -> Read:
    encoding = _guess(packed, choices)
    detected = cache(dialects.detect)  # what is not clean is judged twice, mostly by the same start
    split, looked = rows.Dialect("none"), None
    try:
        plan = _plan(packed, encoding, choices, detected)
        split = plan.dialect
        found = _clean(packed, plan, choices, watch)
    except (UncleanTextError, UnicodeError):
        looked = split
        _refuse_giant(packed, encoding, looked, choices, watch)
        encoding = detect(packed, choices.encoding)
        if not encoding.doubts:
            # Chosen, or marked: bytes that do not fit are replaced and counted.
            encoding = replace(encoding, bad=1)
        plan = _plan(packed, encoding, choices, detected)
        found = None
        if encoding.name != "utf-8" and not encoding.bad:
            try:
                found = _clean(packed, plan, choices, watch)
            except UncleanTextError:
                found = None
    if found is not None:
        return found
    if plan.dialect != looked:
        _refuse_giant(packed, encoding, plan.dialect, choices, watch)
    return _messy(packed, plan, choices, watch)


def _refuse_giant(
    packed: Packed, encoding: Encoding, dialect: rows.Dialect, choices: Choices, watch: Watch
) -> None:
    """Raises LongLineError where a line or a value is longer than any: before all of it is read."""
    giant = oversized_cells.giant_line(packed, encoding, dialect, choices, watch)
    if giant is not None:
        raise rows.LongLineError(giant)


def _guess(packed: Packed, choices: Choices) -> Encoding:
    """The encoding by the first bytes; UTF-8 is proved or disproved while the whole is read."""
    if choices.encoding == "auto" and not mark(packed.head) and not unmarked_wide(packed.head):
        return Encoding("utf-8")
    return detect(packed, choices.encoding)


def _plan(
    packed: Packed,
    encoding: Encoding,
    choices: Choices,
    detected: Callable[[str, Choices, bool], dialects.ChosenDialect],
) -> Plan:
    """What the start of the text shows. Raises TableError for what is no text, and UncleanTextError
    where the guessed encoding does not fit."""
    sample, whole = _sample(packed, encoding)
    name = packed.source.name
    _refuse_binary(name, packed.head, sample, encoding)
    if not sample.strip(" \t\r\n\0\ufeff"):
        raise TableError(
            say("{path} holds no table: no columns were found. Choose another file.", path=name)
        )
    found = detected(sample.replace("\0", ""), choices, whole)
    layout = lay_out(found.split, choices)
    layout = replace(
        _kept_width(layout, sample, found.split.dialect, choices, whole),
        skip=max(layout.skip, found.skip),
    )
    headers.refuse_wide(name, layout.width)
    names, repeated = headers.named(layout.names, layout.width)
    notes = [*found.notes, *layout.notes]
    if repeated:
        notes.append(
            say(
                "{n} column {n:name repeats one before it, and was|names repeat one before them, "
                "and were} numbered.",
                n=repeated,
            )
        )
    if not layout.doubts and choices.skip is None:
        layout = replace(layout, doubts=title_above(sample, found.split, layout))
    sign = found.split.dialect.comment
    above = re.split(r"\r\n|\n|\r", sample)[: layout.start - 1] if sign else []
    comments = sum(line.startswith(sign) for line in above)
    doubts = (*packed.doubts, *encoding.doubts, *found.doubts, *layout.doubts)
    dialect, numeric = found.split.dialect, found.split.numeric()
    return Plan(encoding, dialect, layout, tuple(names), doubts, tuple(notes), comments, numeric)


def _kept_width(
    layout: Layout, sample: str, dialect: rows.Dialect, choices: Choices, whole: bool
) -> Layout:
    """The layout as it is found again with the lines above it skipped: what most rows hold may be
    another number of values then."""
    if not layout.skip or choices.skip is not None:
        return layout
    chosen = choices.with_(skip=layout.skip, header=layout.header)
    again = lay_out(splitting.split(sample, dialect, chosen, whole), chosen)
    return (
        replace(again, doubts=layout.doubts, notes=layout.notes)
        if again.width != layout.width
        else layout
    )


def _sample(packed: Packed, encoding: Encoding) -> tuple[str, bool]:
    """The start as text, up to a line's end, and whether it is everything."""
    head = packed.head
    whole = len(head) < 1 << 16
    if not whole and b"\n" not in head and b"\r" not in head:
        with packed.open() as stream:
            head = stream.read(rows.LONGEST_RECORD)
        whole = len(head) < rows.LONGEST_RECORD
        if not whole and b"\n" not in head and b"\r" not in head:
            raise rows.LongLineError(1)
    decoder = codecs.getincrementaldecoder(encoding.name)(
        "strict" if not encoding.bad else "replace"
    )
    try:
        text = decoder.decode(head[encoding.mark :], final=whole)
    except UnicodeError:
        if encoding.doubts or encoding.bad:
            text = head[encoding.mark :].decode(encoding.name, "replace")
        else:
            raise UncleanTextError from None
    text = text.removeprefix("\ufeff")
    if not whole and "\n" in text:
        text = text[: text.rfind("\n") + 1]
    return text, whole


def _refuse_binary(name: str, head: bytes, sample: str, encoding: Encoding) -> None:
    controls = sum(
        sample.count(chr(c)) for c in (*range(1, 9), *range(14, 27), 28, 29, 127) if c != 1
    )
    sample = sample.rstrip("\0")
    zeros = sample.count("\0")
    if (
        controls > 0.02 * len(sample)
        or zeros > 0.25 * len(sample)
        or sample.count("\ufffd") > 0.05 * len(sample)
    ):
        raise TableError(
            say(
                "{path} is not text and not a table format that is known. Save it as CSV or "
                "Parquet.",
                path=name,
            )
        )
    start = sample[:1000].lstrip().lower()
    if start.startswith(("<!doctype html", "<html", "<?xml", "<!--")):
        raise TableError(
            say(
                "{path} is a web page or XML, not a table. Save the table itself as CSV.", path=name
            )
        )


def _clean(
    packed: Packed, plan: Plan, choices: Choices, watch: Watch, decimal: str = ""
) -> Read | None:
    """The whole by Arrow; None where this dialect is not Arrow's. Raises UncleanTextError at
    anything that is not clean."""
    dialect = plan.dialect
    alone = len(dialect.sign.encode()) <= 1 and dialect.delimiter not in ("spaces", "control_a")
    plain = not (
        dialect.backslash or dialect.comment or dialect.quote == "'" or plan.layout.trailing
    )
    if not (alone and plain) or choices.blank == "missing" or plan.encoding.bad:
        return None
    watch.ask()
    forced = frozenset(choices.forced()) & frozenset(plan.names)
    again = bool(decimal)
    decimal = decimal or (choices.decimal if choices.decimal != "auto" else "point")
    feed = Feed(packed, plan.encoding, dialect, len(plan.names), plan.layout.start)
    table = FastReading(
        feed, plan.names, decimal, watch, forced, choices.missing_words, plan.numeric
    ).table()
    if feed.over_lines and choices.newlines == "none":
        raise UncleanTextError
    whole = len(table)
    table = _filled(table, choices.blank)
    if table is None or (choices.footer is None and _ends_in_note(table, len(table) < whole)):
        return None  # without a note its column may be numbers
    counts = Counts(kept=len(table), empty=whole - len(table), over_lines=feed.over_lines)
    if choices.footer:
        gone = min(int(choices.footer), len(table))
        table, counts.footer, counts.kept = (
            table.slice(0, len(table) - gone),
            gone,
            len(table) - gone,
        )
    read = finish(
        packed, plan, list(table.columns), counts, choices, watch, decimal if again else ""
    )
    if read.choices.decimal == decimal or again:
        return read
    if not any(kind_of(k) in ("number", "integer") for k in table.schema.types):
        return read
    # The sign of tenths is known now: what was read as numbers under the other one is read again.
    return _clean(packed, plan, choices, watch, read.choices.decimal)


BARE = N_(
    "{n} {n:row holds delimiters alone; it may be a row|rows hold delimiters alone; they may be "
    "rows} whose values are all missing"
)


def _filled(table: pa.Table, blank_rows: str) -> pa.Table | None:
    """Without the rows of delimiters alone that spreadsheets write below a table; None where there
    are such between others, of which a person decides."""
    import pyarrow.compute as pc

    if table.num_columns < 2 or any(c.null_count == 0 for c in table.columns):
        return table
    blank = None
    for column in sorted(table.columns, key=lambda c: c.null_count):
        here = pc.is_null(column)
        blank = here if blank is None else pc.and_(blank, here)
        if not pc.any(blank).as_py():
            return table
    filled = pc.indices_nonzero(pc.invert(blank))
    end = filled[len(filled) - 1].as_py() + 1 if len(filled) else 0
    if len(filled) < end and blank_rows == "auto":
        return None
    return table.filter(pc.invert(blank))


def _ends_in_note(table: pa.Table, behind: bool) -> bool:
    last = [c[len(c) - 1].as_py() for c in table.columns if len(c)]
    texts = [None if v is None else str(v) for v in last]
    return tolerant.lone_note(texts, behind)


def _messy(packed: Packed, plan: Plan, choices: Choices, watch: Watch) -> Read:
    """The whole by the tolerant reader, with its counts."""
    layout, ragged = plan.layout, "pad" if choices.ragged == "auto" else choices.ragged
    sign = " " if plan.dialect.delimiter in ("spaces", "wide") else plan.dialect.sign
    fitting = tolerant.Fitting(layout.width, ragged, sign, layout.trailing)
    doubts = list(plan.doubts)
    lines = rows.Lines(
        text_blocks(packed, plan.encoding, 1 << 18),
        layout.start - 1,
        plan.dialect.comment,
        choices.blank == "missing",
        newlines=choices.newlines,
    )
    found = tolerant.read_rows(
        packed.source.name, lines, plan.dialect, fitting, watch, plan.numeric
    )
    footer = tolerant.footer_of(found) if choices.footer is None else int(choices.footer)
    if footer:
        if choices.footer is None:
            why = say(
                "{n} {n:line stands|lines stand} after the table and would be left out", n=footer
            )
            doubts.append(Doubt("footer", why, (footer, 0)))
        found = tolerant.without_footer(found, footer)
    if found.between and choices.blank == "auto":
        doubts.append(Doubt("blank", say(BARE, n=found.between), ("skip", "missing")))
    if layout.width == 1 and found.counts.blank and choices.blank == "auto":
        doubts.append(
            Doubt(
                "blank",
                say(
                    "{n} blank {n:line may be a row|lines may be rows} with a missing value",
                    n=found.counts.blank,
                ),
                ("skip", "missing"),
            )
        )
    return finish(
        packed,
        replace(plan, doubts=tuple(doubts)),
        found.columns,
        found.counts,
        choices,
        watch,
        tolerant=found,
    )
