"""From columns of words to a table with types: totals, empty columns, what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from dpstudio.files.read.choices import Choices, free
from dpstudio.files.read.outcome import ColumnRead, Counts, Doubt, Read, TableError
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.signs import COMMENTS, QUOTES
from dpstudio.files.read.source import Watch
from dpstudio.files.read.text import encodings, rows, totals
from dpstudio.files.read.text.layout import Layout
from dpstudio.files.read.text.tolerant import Tolerant
from dpstudio.files.read.typing import calendar, column_types, evidence, native, numerals, units
from dpstudio.values.messages import N_, Message, say

if TYPE_CHECKING:
    import pyarrow as pa


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
    """The table with types, missing words and the report, of `columns` of words or of what Arrow
    has typed. `assumed` is the decimal sign under which numbers were read already; `tolerant` what
    the tolerant reader found, where it read them. Raises TableError where no row or no column is
    left."""
    import pyarrow as pa

    path = packed.source.name
    if counts.kept == 0:
        raise _no_rows(path, counts)
    _count_header(counts, plan.layout)
    counts.open_end = encodings.open_end(packed, plan.encoding.name)
    doubts, notes = list(plan.doubts), list(plan.notes)
    kept = _without_empty(path, plan, list(zip(plan.names, columns, strict=True)), notes, doubts)
    typed, reads, signs, more = settled(kept, choices, plan.dialect.delimiter, watch, assumed)
    refused = tolerant is not None and tolerant.tail and tolerant.tail[-1].fate == "refused"
    foot = 0 if choices.footer is not None or refused else totals.totals_at(typed)
    if foot:  # the rows above are judged without them, as they are where this is told
        kept = [(name, c.slice(0, len(c) - foot)) for name, c in kept]
        typed, reads, signs, more = settled(kept, choices, plan.dialect.delimiter, watch, assumed)
    doubts = with_totals([*doubts, *more], counts, foot) if foot else [*doubts, *more]
    if counts.empty:
        text = N_("{n} {n:row without any value was|rows without any value were} left out.")
        notes.append(say(text, n=counts.empty))
    counts.comments += plan.comments
    if counts.comments:
        text = N_(
            "{n} {n:line that begins|lines that begin} with “{sign}” {n:is a comment and no row|"
            "are comments and no rows}."
        )
        notes.append(say(text, n=counts.comments, sign=plan.dialect.comment))
    return Read(
        pa.table(typed, names=[r.name for r in reads]),
        path,
        "text",
        settled_choices(plan, signs, choices, packed.part, counts),
        counts,
        tuple(reads),
        tuple(notes),
        tuple(d for d in doubts if free_of(choices, d)),
    )


def _count_header(counts: Counts, layout: Layout) -> None:
    """What stands above the rows."""
    counts.preamble = layout.skip
    counts.over_lines |= any("\n" in name or "\r" in name for name in layout.names)


def with_totals(doubts: list[Doubt], counts: Counts, foot: int) -> list[Doubt]:
    """The doubts, where the last `foot` rows that are left are totals, which then stand after the
    table."""
    noted = counts.footer > 0
    counts.kept, counts.footer = counts.kept - foot, counts.footer + foot
    why = say(
        "the last {n:row looks like a total of those above, not like a row|{n} rows look like "
        "totals of those above, not like rows}",
        n=foot,
    )
    if noted:
        why = say(
            "{n} {n:line at the end looks like a total or a note|lines at the end look like totals "
            "and notes}",
            n=counts.footer,
        )
    others = [d for d in doubts if d.choice != "footer"]
    return [*others, Doubt("footer", why, (counts.footer, 0))]


def _no_rows(path: str, counts: Counts) -> TableError:
    """What to say of a text without a row, or without one that fits."""
    if not counts.refused:
        return TableError(
            say("{path} has column names but no rows. Choose another file.", path=path)
        )
    odd = counts.refused.first[0]
    return TableError(
        say(
            "{path} holds no row that fits; line {line}: {why}.",
            path=path,
            line=odd.line,
            why=odd.why,
        )
    )


def free_of(choices: Choices, doubt: Doubt) -> bool:
    """Whether this doubt is not settled by the choices."""
    return free(choices, doubt.choice) or (doubt.choice in ("part",) and not choices.part)


def _without_empty(
    path: str,
    plan: Plan,
    pairs: list[tuple[str, pa.ChunkedArray]],
    notes: list[Message],
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
                "{n} {n:column without a name and without any value was|columns without a name and "
                "without any value were} left out.",
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
) -> tuple[list[pa.ChunkedArray], list[ColumnRead], evidence.TypingChoices, list[Doubt]]:
    """Columns of words to their types, others as they are; signs of numbers and dates are decided
    over all of them together."""
    import pyarrow as pa

    pairs = [(name, told_words(name, column, choices)) for name, column in pairs]
    worded = [
        place
        for place, (_, column) in enumerate(pairs)
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    ]
    size = sum(pairs[place][1].nbytes for place in worded)
    held = watch.each([partial(units.column, *pairs[place], choices) for place in worded], size)
    signs, vague = watch.run(lambda: numerals.decided(held, choices, delimiter, assumed), size)
    signs, more = watch.run(lambda: calendar.decided(held, choices, signs), size)
    told, in_percent = units.decided(held, choices)
    signs, doubts = replace(signs, units=told), [*vague, *more, *in_percent]
    finished = watch.each([partial(column_types.finished, h, signs, choices) for h in held], size)
    typed, reads = [], []
    found = dict(zip(worded, zip(held, finished, strict=True), strict=True))
    for place, (name, column) in enumerate(pairs):
        if place not in found:
            missing = (("", column.null_count),) if column.null_count else ()
            typed.append(column)
            reads.append(ColumnRead(name, kind_of(column.type), missing))
            continue
        words, (array, read) = found[place]
        code = evidence.region_doubt(words, read) if choices.missing == "auto" else None
        if code is not None:
            doubts.append(Doubt("missing", code, ("auto", "blank")))
        typed.append(array)
        reads.append(read)
    return *calendar.as_days(typed, reads, choices, doubts), signs, doubts


def told_words(name: str, column: pa.ChunkedArray, choices: Choices) -> pa.ChunkedArray:
    """A column as words where it is told to be of another type than the one it has in its file."""
    import pyarrow as pa

    told, kind = choices.forced().get(name), column.type
    if told is None or pa.types.is_nested(kind) or kind_of(kind) in (told, "words"):
        return column
    return native.words(column, "," if choices.decimal == "comma" else ".")


def kind_of(kind: pa.DataType) -> str:
    """What people call a type of Arrow: "integer", "number", "yes/no", "date", "time", "words",
    "other"."""
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


@dataclass(frozen=True)
class Plan:
    """How the text will be read, from its start."""

    encoding: encodings.Encoding
    dialect: rows.Dialect
    layout: Layout
    names: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    notes: tuple[Message, ...]
    comments: int = 0
    numeric: frozenset[int] = frozenset()


def settled_choices(
    plan: Plan, signs: evidence.TypingChoices, choices: Choices, part: str, counts: Counts
) -> Choices:
    """Every choice as it was made, so that the same file is read the same again."""

    def name_of(names: dict[str, str], sign: str) -> str:
        return next(n for n, s in names.items() if s == sign)

    dialect = plan.dialect
    return signs.made(choices).with_(
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
    )
