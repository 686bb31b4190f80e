"""What must be told of a reading, so that nothing of it follows from rows, and the words that tell
it."""

import shlex
from collections.abc import Sequence
from typing import Any

from dpstudio.files.read import outcome, packing, signs
from dpstudio.files.read.choices import EVERY, FITTING, OPEN, Choices, free
from dpstudio.values.messages import N_, Message, enumerated, listed, render, say
from dpstudio.values.parameters import domains

ALL_FREE = Choices()
_LINES = ("skip", "footer", "header")
WORKBOOK, PICTURES, QUOTED = "workbook", "pictures", "quoted"
NO_RECORDS = N_(
    "A workbook is not read record by record: one cell far away may end the reading of all, and a "
    "blank row at its foot is not there. Save the sheet as CSV, and open that."
)
OPEN_RECORDS = N_(
    "Where values may hold line ends, one quote that is not closed could take the rows of others "
    "into its own. Choose “none” for line ends in values (newlines=none) if no value holds one; "
    "else save the table as Parquet or as JSON lines, and open that."
)
NAMED_RECORDS = N_(
    "Columns that hold objects are not read record by record: a record that bears the name of "
    "another would be one with it. Save the table as JSON lines, and open that."
)
NAMED = "named columns"  # the format of a table that is read of them
_NOT_APART = {WORKBOOK: NO_RECORDS, QUOTED: OPEN_RECORDS}
# What a file of a format is read by that its rows show where nobody chooses it; and one of any.
_SHOWN = {
    "text": ("encoding", "delimiter", "quote", "escape", "newlines", "comment", *_LINES, "ragged"),
    "lines": ("encoding", "types"),
    "json": ("encoding", "types"),
    "columnar": ("types",),
    "database": ("part",),
    signs.AUTO: (),
}
_OF_ANY = ("decimal", "dates", "century", "units")
# What is told of Parquet files that are one table, beside the types.
TYPES_ALONE = Choices(
    format="columnar", rows=EVERY, decimal="point", dates="words", century="window", units="words"
)
_WHOLE = 2**53
_TYPES = {"integer": "integer", "number": "number", "yes/no": "yes/no", "date": "date"}
_ENDINGS = {
    "lines": (".jsonl", ".ndjson"),
    "json": (".json",),
    WORKBOOK: (".xlsx", ".xls", ".xlsb", ".xlsm", ".ods"),
    "columnar": (".parquet", ".pq", ".feather", ".arrow", ".ipc", ".ftr", ".npy", ".npz"),
    "database": (".sqlite", ".sqlite3", ".db"),
}


def untold(choices: Choices, form: str = signs.AUTO) -> tuple[str, ...]:
    """The choices that are left to what the rows of a file show, "format" and "rows" among them; of
    a file of format `form` where none is told. Of a workbook, and of a text whose values are told
    to hold line ends, that alone: nothing tells it."""
    if form == PICTURES:
        return tuple(name for name in ("rows", "side", "down") if not _told(choices, name))
    form = form if free(choices, "format") else choices.format
    if form == WORKBOOK:
        return (WORKBOOK,)
    if form == "text" and choices.newlines == "quoted" and choices.quote != "none":
        return (QUOTED,)
    names = ["format", "rows", *_SHOWN[form], *_OF_ANY]
    if form == "text" and choices.header == "no":  # so nothing names them
        names.append("types")
    if choices.quote == "none":
        names = [name for name in names if name != "newlines"]
    return tuple(name for name in names if not _told(choices, name))


def not_apart(names: Sequence[str]) -> Message | None:
    """Why no choice keeps the records of a file apart, of what is `untold` of it; None where what
    is left can be told."""
    return next((Message(text) for name, text in _NOT_APART.items() if name in names), None)


def why_stays(read: outcome.Read | outcome.Preview) -> Message | None:
    """Why nothing leaves of a table that is read so, whatever else is told; None where it may."""
    if isinstance(read, outcome.Read) and read.stays is not None:
        return read.stays
    if read.format == NAMED:
        return Message(NAMED_RECORDS)
    return not_apart(untold(read.choices.with_(newlines=_newlines(read))))


def _newlines(read: outcome.Read | outcome.Preview) -> str:
    """Whether values hold line ends, as it is told or was found in a text."""
    if read.format != "text" or not free(read.choices, "newlines"):
        return read.choices.newlines
    return "quoted" if read.counts.over_lines else "none"


def _told(choices: Choices, name: str) -> bool:
    return not free(choices, name) and getattr(choices, name) not in ("", (), FITTING)


def format_named(path: str) -> str:
    """The format that the name of a file says, which is "text" where it says none."""
    name = path.lower()
    while packing.packing_named(name):
        name = name[: name.rfind(".")]
    return next((form for form, ends in _ENDINGS.items() if name.endswith(ends)), "text")


def rows_first(choices: Choices) -> bool:
    """Whether the first bytes of a file may be those of a row."""
    named = choices.header != "no" or bool(choices.skip)
    return choices.format in ("lines", "json") or (choices.format == "text" and not named)


def rows_alone(choices: Choices) -> bool:
    """Whether a file is nothing but records, as it is told: without any it has no bytes."""
    lines = choices.format == "lines" or (choices.format == "text" and rows_first(choices))
    return choices.every and lines


def settled(read: outcome.Read) -> Choices:
    """How a file was read, as choices that are told of it: every record is a row, and each column
    holds what it was read as."""
    kinds = (f"{column.name}={_told_type(read, column)}" for column in read.columns)
    made = read.choices
    if read.format == PICTURES:  # of which labels are told, and pixels counted
        pixels = [c.name for c in read.columns if c.name.startswith("pixel_")]
        down, side = (int(place) + 1 for place in pixels[-1].split("_")[1:])
        labels = tuple(kinds)[len(pixels) :]
        return made.with_(rows=EVERY, side=side, down=down, types=labels)
    # Where the file has types of its own.
    plain = {"decimal": "point", "dates": "words", "century": "window", "units": "words"}
    plain = {name: value for name, value in plain.items() if free(made, name)}
    plain["newlines"] = _newlines(read)
    rows = made.rows if made.every else OPEN if read.counts.open_end else EVERY
    return made.with_(rows=rows, types=tuple(kinds), **plain)


def _told_type(read: outcome.Read, column: outcome.ColumnRead) -> str:
    """What a column was read as; words, where doubles do not tell its whole numbers apart, but
    numbers of a typed file: whether doubles hold them there follows from all rows."""
    if column.kind == "integer" and not read.choices.every:  # else it holds words, and is told
        import pyarrow.compute as pc

        ends = pc.min_max(read.table.column(column.name)).as_py()
        if any(end is not None and abs(end) >= _WHOLE for end in ends.values()):
            return "number" if read.choices.format == "columnar" else "words"
    return _TYPES.get(column.kind, "words")


def unread_as(kind: Message, column: str, n: int) -> Message:
    """That so many values of a column are none of what it is told to hold."""
    text = N_(
        "{n} {n:value|values} of “{column}” cannot be read as {type}: {n:it counts|they count} as "
        "missing."
    )
    return say(text, n=f"{n:,}", column=column, type=kind)


def told_words(choices: Choices) -> str:
    """The words of --read that tell all of these choices, but those that play no part."""
    told = (n for n in domains(Choices) if getattr(choices, n) != getattr(ALL_FREE, n))
    return " ".join(setting(name, getattr(choices, name)) for name in told)


def told_in_words(choices: Choices, most: int) -> Message:
    """The same for people: each by its label, and of columns the types in so many letters."""
    told = []
    for name, domain in domains(Choices).items():
        value = getattr(choices, name)
        if value == getattr(ALL_FREE, name):
            continue
        shown = Message(words[value]) if (words := getattr(domain, "words", {})) else None
        if name == "types":
            pairs = [f"{c}: {kind}" for c, _, kind in (each.rpartition("=") for each in value)]
            shown = outcome.quoted(render(listed(pairs)), most)
        shown = domain.said(value) if shown is None else shown
        told.append(say("{label} “{value}”", label=Message(domain.label), value=shown))
    return enumerated(told)


def setting(name: str, value: Any) -> str:
    """One choice as it is typed."""
    text = domains(Choices)[name].show(value)
    plain_ = shlex.quote(text) == text or any(sign in text for sign in '"\\')
    return f"{name}={shlex.quote(text)}" if plain_ else f'{name}="{text}"'
