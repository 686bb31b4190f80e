"""Delimited text to a table: the start is judged, the whole is read, and what was not certain
becomes a question."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from dpstudio.files.read import calendar, dialects, evidence, numerals
from dpstudio.files.read.choices import COMMENTS, QUOTES, Choices, free
from dpstudio.files.read.clean import Clean, OddError
from dpstudio.files.read.encodings import Encoding, detect, mark, unmarked_wide
from dpstudio.files.read.layout import Layout, lay_out, named, title_above
from dpstudio.files.read.outcome import ColumnRead, Counts, Doubt, Read, TableError
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.rows import Dialect
from dpstudio.files.read.source import Watch
from dpstudio.files.read.tolerant import (
    TOTAL,
    Fitting,
    Tolerant,
    footer_of,
    read_rows,
    without_footer,
)
from dpstudio.values.messages import Say, say

if TYPE_CHECKING:
    import pyarrow as pa

_WIDEST = 20_000


@dataclass(frozen=True)
class Plan:
    """How the text will be read, from its start."""

    encoding: Encoding
    dialect: Dialect
    layout: Layout
    names: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    notes: tuple[Say, ...]
    comments: int = 0


def read_delimited(packed: Packed, choices: Choices, watch: Watch) -> Read:
    """The table in a text. Raises TableError where there is none."""
    encoding = _guess(packed, choices)
    try:
        plan = _plan(packed, encoding, choices)
        found = _clean(packed, plan, choices, watch)
    except (OddError, UnicodeError):
        encoding = detect(packed, choices.encoding)
        if not encoding.doubts:
            # Chosen, or marked: bytes that do not fit are replaced and counted.
            encoding = replace(encoding, bad=1)
        plan = _plan(packed, encoding, choices)
        found = None
        if encoding.name != "utf-8" and not encoding.bad:
            try:
                found = _clean(packed, plan, choices, watch)
            except OddError:
                found = None
    if found is not None:
        return found
    return _messy(packed, plan, choices, watch)


def _guess(packed: Packed, choices: Choices) -> Encoding:
    """The encoding by the first bytes; UTF-8 is proved or disproved while the whole is read."""
    if choices.encoding == "auto" and not mark(packed.head) and not unmarked_wide(packed.head):
        return Encoding("utf-8")
    return detect(packed, choices.encoding)


def _plan(packed: Packed, encoding: Encoding, choices: Choices) -> Plan:
    """What the start of the text shows. Raises TableError for what is no text, and OddError where
    the guessed encoding does not fit."""
    sample, whole = _sample(packed, encoding)
    name = packed.source.name
    _refuse_binary(name, packed.head, sample, encoding)
    if not sample.strip(" \t\r\n\0\ufeff"):
        raise TableError(
            say("{path} holds no table: no columns were found. Choose another file.", path=name)
        )
    found = dialects.detect(sample.replace("\0", ""), choices, whole)
    layout = lay_out(found.split, choices)
    layout = replace(
        _kept_width(layout, sample, found.split.dialect, choices, whole),
        skip=max(layout.skip, found.skip),
    )
    if layout.width > _WIDEST:
        raise TableError(
            say(
                "{path} has {n} values in a row, which is no table that can be shown.",
                path=name,
                n=layout.width,
            )
        )
    names, repeated = named(layout.names, layout.width)
    notes = [*found.notes, *layout.notes]
    if repeated:
        notes.append(say("{n} column names repeat one before them, and were numbered.", n=repeated))
    if not layout.doubts and choices.skip is None:
        layout = replace(layout, doubts=title_above(sample, found.split, layout))
    sign = found.split.dialect.comment
    above = re.split(r"\r\n|\n|\r", sample)[: layout.start - 1] if sign else []
    comments = sum(line.startswith(sign) for line in above)
    doubts = (*packed.doubts, *encoding.doubts, *found.doubts, *layout.doubts)
    return Plan(encoding, found.split.dialect, layout, tuple(names), doubts, tuple(notes), comments)


def _kept_width(
    layout: Layout, sample: str, dialect: Dialect, choices: Choices, whole: bool
) -> Layout:
    """The layout as it is found again with the lines above it skipped: what most rows hold may be
    another number of values then."""
    if not layout.skip or choices.skip is not None:
        return layout
    chosen = choices.with_(skip=layout.skip, header=layout.header)
    again = lay_out(dialects.split(sample, dialect, chosen, whole), chosen)
    return (
        replace(again, doubts=layout.doubts, notes=layout.notes)
        if again.width != layout.width
        else layout
    )


def _sample(packed: Packed, encoding: Encoding) -> tuple[str, bool]:
    """The start as text, up to a line's end, and whether it is everything."""
    head = packed.head
    whole = len(head) < 1 << 16
    decoder = codecs.getincrementaldecoder(encoding.name)(
        "strict" if not encoding.bad else "replace"
    )
    try:
        text = decoder.decode(head[encoding.mark :], final=whole)
    except UnicodeError:
        if encoding.doubts or encoding.bad:
            text = head[encoding.mark :].decode(encoding.name, "replace")
        else:
            raise OddError from None
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
    """The whole by Arrow; None where this dialect is not Arrow's. Raises OddError at anything that
    is not clean."""
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
    table = Clean(
        packed,
        plan.encoding,
        dialect,
        plan.names,
        plan.layout.start,
        decimal,
        watch,
        forced,
        choices.missing_words,
    ).table()
    counts = Counts(kept=len(table))
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


def _messy(packed: Packed, plan: Plan, choices: Choices, watch: Watch) -> Read:
    """The whole by the tolerant reader, with its counts."""
    layout, ragged = plan.layout, "pad" if choices.ragged == "auto" else choices.ragged
    sign = " " if plan.dialect.delimiter in ("spaces", "wide") else plan.dialect.sign
    fitting = Fitting(layout.width, ragged, sign, layout.trailing)
    doubts = list(plan.doubts)
    blank = choices.blank == "missing"
    found = read_rows(packed, plan.encoding, plan.dialect, layout.start, fitting, blank, watch)
    footer = footer_of(found) if choices.footer is None else int(choices.footer)
    if footer:
        if choices.footer is None:
            why = say("{n} lines stand after the table and would be left out", n=footer)
            doubts.append(Doubt("footer", why, (footer, 0)))
        found = without_footer(found, footer)
    if layout.width == 1 and found.counts.blank and choices.blank == "auto":
        doubts.append(
            Doubt(
                "blank",
                say("{n} blank lines may be rows with a missing value", n=found.counts.blank),
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


def finish(
    packed: Packed,
    plan: Plan,
    columns: Sequence[pa.ChunkedArray],
    counts: Counts,
    choices: Choices,
    watch: Watch,
    assumed: str = "",
    tolerant: Tolerant | None = None,
) -> Read:
    """Types, missing words and the report. `assumed` is the decimal sign under which numbers were
    read already."""
    import pyarrow as pa

    path = packed.source.name
    if counts.kept == 0:
        if counts.refused:
            odd = counts.refused.first[0]
            raise TableError(
                say(
                    "{path} holds no row that fits; line {line}: {why}.",
                    path=path,
                    line=odd.line,
                    why=odd.why,
                )
            )
        raise TableError(
            say("{path} has column names but no rows. Choose another file.", path=path)
        )
    refused_last = (
        tolerant is not None and bool(tolerant.tail) and tolerant.tail[-1][1] == "refused"
    )
    counts.preamble = plan.layout.skip
    doubts, notes = list(plan.doubts), list(plan.notes)
    kept = _without_empty(path, plan, list(zip(plan.names, columns, strict=True)), notes, doubts)
    typed, reads, signs, more = settled(kept, choices, plan.dialect.delimiter, watch, assumed)
    doubts += more
    if (
        choices.footer is None
        and not counts.footer
        and len(typed[0]) > 3
        and not refused_last
        and _is_total(typed)
    ):
        doubts.append(
            Doubt("footer", say("the last row looks like a total, not like a row"), (1, 0))
        )
        typed = [c.slice(0, len(c) - 1) for c in typed]
        counts.kept, counts.footer = counts.kept - 1, 1
    counts.comments += plan.comments
    if counts.comments:
        sign = plan.dialect.comment
        notes.append(
            say(
                "{n} lines that begin with “{sign}” are comments and no rows.",
                n=counts.comments,
                sign=sign,
            )
        )
    table = pa.table(typed, names=[r.name for r in reads])
    settled_ = _choices(plan, signs, choices, packed.part, counts)
    return Read(
        table,
        path,
        "text",
        settled_,
        counts,
        tuple(reads),
        tuple(notes),
        tuple(d for d in doubts if free_of(choices, d)),
    )


def free_of(choices: Choices, doubt: Doubt) -> bool:
    """Whether this doubt is not settled by the choices."""
    return free(choices, doubt.choice) or (doubt.choice in ("part",) and not choices.part)


def _without_empty(
    path: str,
    plan: Plan,
    pairs: list[tuple[str, pa.ChunkedArray]],
    notes: list[Say],
    doubts: list[Doubt],
) -> list[tuple[str, pa.ChunkedArray]]:
    """Columns without a name and without a value are no columns: rows that end with a delimiter
    make them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not plan.layout.names:
        return pairs
    out = []
    for place, (name, column) in enumerate(pairs):
        blank = place >= len(plan.layout.names) or not plan.layout.names[place].strip()
        if blank and len(pairs) > 1:
            empty = column.null_count == len(column)
            if not empty and pa.types.is_string(column.type):
                empty = not pc.any(pc.not_equal(pc.utf8_trim_whitespace(column), "")).as_py()
            if empty:
                continue
            if plan.layout.trailing and place == len(pairs) - 1:
                doubts.append(
                    Doubt(
                        "header",
                        say("the rows have one value more than the header has names"),
                        ("yes", "shifted"),
                    )
                )
        out.append((name, column))
    if not out:
        raise TableError(
            say("{path} holds no table: no columns were found. Choose another file.", path=path)
        )
    if len(out) < len(pairs):
        notes.append(
            say(
                "{n} columns without a name and without any value were left out.",
                n=len(pairs) - len(out),
            )
        )
    return out


def settled(
    pairs: Sequence[tuple[str, pa.ChunkedArray]],
    choices: Choices,
    delimiter: str,
    watch: Watch,
    assumed: str = "",
) -> tuple[list[pa.ChunkedArray], list[ColumnRead], evidence.Signs, list[Doubt]]:
    """Columns of words to their types, others as they are; signs of numbers and dates are decided
    over all of them together."""
    import pyarrow as pa

    worded = [
        place
        for place, (_, column) in enumerate(pairs)
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    ]
    columns = dict(
        zip(
            worded,
            watch.each([partial(evidence.column, *pairs[place], choices) for place in worded]),
            strict=True,
        )
    )
    signs, vague = watch.run(
        lambda: numerals.decided(list(columns.values()), choices, delimiter, assumed)
    )
    dates, more = watch.run(lambda: calendar.decided(list(columns.values()), choices))
    signs, doubts = replace(signs, dates=dates), [*vague, *more]
    finished = dict(
        zip(
            worded,
            watch.each([partial(evidence.finished, h, signs, choices) for h in columns.values()]),
            strict=True,
        )
    )
    typed, reads = [], []
    for place, (name, column) in enumerate(pairs):
        held = columns.get(place)
        if held is None:
            typed.append(column)
            reads.append(
                ColumnRead(
                    name,
                    kind_of(column.type),
                    (("", column.null_count),) if column.null_count else (),
                )
            )
            continue
        array, read = finished[place]
        code = evidence.region_doubt(held, read) if choices.missing == "auto" else None
        if code is not None:
            doubts.append(Doubt("missing", code, ("auto", "blank")))
        typed.append(array)
        reads.append(read)
    return typed, reads, signs, doubts


def kind_of(kind: pa.DataType) -> str:
    import pyarrow as pa

    t = pa.types
    if t.is_integer(kind):
        return "integer"
    if t.is_floating(kind) or t.is_decimal(kind):
        return "number"
    if t.is_boolean(kind):
        return "yes/no"
    if t.is_date(kind) or t.is_timestamp(kind):
        return "date"
    words = t.is_string(kind) or t.is_large_string(kind) or t.is_dictionary(kind)
    return "words" if words else "time" if t.is_time(kind) else "other"


def _is_total(columns: Sequence[pa.ChunkedArray]) -> bool:
    """Whether the last row begins with Total or the like, as no row before it does."""
    import pyarrow as pa

    for column in columns[:3]:
        if pa.types.is_string(column.type):
            word = column[len(column) - 1].as_py()
            if word and TOTAL.match(word.strip()) and len(word) < 40:
                import pyarrow.compute as pc

                return int(pc.sum(pc.equal(column, word)).as_py()) == 1
    return False


def _choices(
    plan: Plan, signs: evidence.Signs, choices: Choices, part: str, counts: Counts
) -> Choices:
    """Every choice as it was made, so that the same file is read the same again."""

    def name_of(names: dict[str, str], sign: str) -> str:
        return next(n for n, s in names.items() if s == sign)

    dialect = plan.dialect
    return choices.with_(
        part=part,
        encoding=plan.encoding.name,
        delimiter=dialect.delimiter,
        quote=name_of(QUOTES, dialect.quote),
        escape="backslash" if dialect.backslash else "doubled",
        comment=name_of(COMMENTS, dialect.comment),
        skip=plan.layout.skip,
        footer=counts.footer,
        header=plan.layout.header,
        ragged="pad" if choices.ragged == "auto" else choices.ragged,
        blank="skip" if choices.blank == "auto" else choices.blank,
        decimal=signs.decimal,
        thousands=signs.thousands,
        dates=signs.dates if choices.dates == "auto" else choices.dates,
    )
