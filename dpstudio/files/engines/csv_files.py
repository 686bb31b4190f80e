"""CSV files as one table of DuckDB, read by the dialect and the types that our reader settles on
the start of the first, or that are told. A file that is otherwise is refused by its name.

All cells are told to DuckDB to be texts, which are made values here: what it would find out by
itself, or round, never counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from dpstudio.files.read.choices import Choices, free
from dpstudio.files.read.opening import read_source
from dpstudio.files.read.outcome import CancelledError, Doubt, Read, TableError, UncertainError
from dpstudio.files.read.signs import DELIMITERS
from dpstudio.files.read.source import Source, Watch
from dpstudio.files.read.text.delimited import BARE
from dpstudio.files.read.typing import marks
from dpstudio.files.read.typing.evidence import FALSE, TRUE
from dpstudio.values.messages import N_, Message, plain, say
from dpstudio.values.parameters import domains

_START = 1 << 22
_QUOTES = {"double": '"', "single": "'", "none": ""}
# What DuckDB is told, or does so anyway; another choice is refused.
_SPOKEN: dict[str, tuple[Any, ...]] = {
    "rows": ("fitting",),
    "part": ("",),
    "format": ("text",),
    "encoding": ("utf-8",),
    "delimiter": tuple(name for name, sign in DELIMITERS.items() if len(sign) == 1 and sign != " "),
    "comment": ("none",),
    "footer": (0, None),
    "header": ("yes", "no"),
    "decimal": ("point",),
    "thousands": ("none",),
}
_DAY = r"\d{4}-\d{2}-\d{2}"
_WRITTEN = {
    "integer": r"[-+]?\d{1,18}",
    "number": marks.POINT.replace("−", ""),
    "date": rf"{_DAY}([ T]\d{{2}}:\d{{2}}(:\d{{2}}(\.\d{{1,6}})?)?)?",
}
_LINE = re.compile(r"\bLine: (\d+)")


def settled_first(path: str, choices: Choices | None, watch: Watch) -> Read:
    """How the first file is read, by its start. Raises UncertainError without choices where
    a person should decide, and TableError where files are not read so together."""
    whole = Source(path, watch, path=Path(path))
    try:
        body = whole.head(_START)
        if whole.size > len(body):
            body = body[: body.rfind(b"\n") + 1]
    finally:
        whole.close()
    one = choices and choices.with_(part="")  # which files there are
    read = read_source(Source(path, watch, body=body), one, watch)
    if len(read.columns) < 2:
        _refuse(path, say("it has one column"))
    for name, known in _SPOKEN.items():
        if getattr(read.choices, name) not in known:
            _refuse(path, Message(domains(Choices)[name].label))
    return read


def _refuse(path: str, why: Message) -> None:
    text = N_(
        "{path} is read in a way in which many files are not read as one table: {why}. Save "
        "the files as Parquet, or open them one by one."
    )
    raise TableError(say(text, path=path, why=why))


def csv_table(connected: Any, files: list[str], read: Read, watch: Watch) -> tuple[Any, int]:
    """The files as one table, and how many rows of delimiters alone they have; each is read once to
    see that it fits. Raises TableError naming one that does not, and CancelledError."""
    forced = read.choices.forced()
    columns = [_Cells(read, place, c.name in forced) for place, c in enumerate(read.columns)]
    head, bare = None, 0
    for place, path in enumerate(files):
        check = partial(_checked, connected, path, files[0], read, columns)
        try:
            found, empty = watch.run(check)
        except CancelledError:
            connected.con.interrupt()
            raise
        head, bare = head or found, bare + empty
        if found != head:
            text = N_(
                "{path} has other columns than {first}, or in another order, or parted by "
                "another sign. Mend it, or move it out of the folder."
            )
            raise TableError(say(text, path=path, first=files[0]))
        watch.tell((place + 1) / len(files))
    shown = ", ".join(f"{c.value} AS {_name(c.name)}" for c in columns)
    connected.raw_sql(f"CREATE VIEW rows AS SELECT {shown} FROM {_relation(files, read)}")
    return connected.table("rows"), bare


def of_all(read: Read, bare: int, choices: Choices | None) -> Read:
    """What is to be asked of all files, of which so many rows are delimiters alone. Raises
    UncertainError where there is anything, without choices."""
    kept = tuple(doubt for doubt in read.doubts if doubt.choice != "blank")
    if bare and (choices is None or free(choices, "blank")):
        kept = (*kept, Doubt("blank", say(BARE, n=bare), ("skip", "missing")))
    read = replace(read, doubts=kept)
    if kept and choices is None:
        raise UncertainError(read.preview())
    return read


def _checked(
    connected: Any, path: str, first: str, read: Read, columns: list[_Cells]
) -> tuple[tuple[Any, ...], int]:
    """The row of names of a file, of which every cell is read, and how many rows are delimiters
    alone."""
    wrong = ", ".join(f"count(*) FILTER (WHERE {c.wrong})" for c in columns)
    head: tuple[Any, ...] = ()
    try:
        if read.choices.header == "yes":
            _named(path, read)
            names = _relation([path], read, header=False)
            head = connected.con.cursor().execute(f"SELECT * FROM {names} LIMIT 1").fetchone() or ()
        cursor = connected.con.cursor()
        rows, some = _relation([path], read, bare=True), _some(read)
        asked = f"SELECT {wrong}, count(*) FILTER (WHERE NOT ({some})) FROM {rows}"
        *counts, empty = cursor.execute(asked).fetchone()
    except Exception as error:
        # Its words quote cells: the line alone is said.
        if type(error).__module__.partition(".")[0] not in ("duckdb", "_duckdb"):
            raise
        line = _LINE.search(str(error))
        where = say("in line {n}", n=line[1]) if line else plain(type(error).__name__)
        text = N_(
            "{path} is not read as {first} is ({where}): it has more or fewer values in a row, "
            "other quotes, line ends or letters. Mend it, or move it out of the folder."
        )
        raise TableError(say(text, path=path, first=first, where=where)) from None
    for column, n in zip(columns, counts, strict=True):
        if n:
            text = N_(
                "In {path} {n:# value|# values} of “{column}” cannot be read as {kind}, which "
                "the column holds at the start of {first}. Tell its type, as "
                "types={column}=words, or mend the file."
            )
            told = {"path": path, "n": n, "column": column.name, "first": first}
            raise TableError(say(text, kind=Message(_KINDS[column.kind]), **told))
    return head, empty


def _named(path: str, read: Read) -> None:
    """Raise TableError where an empty line stands in the place of the names of columns: DuckDB
    takes that for them, and them for a row."""
    with open(path, "rb") as file:
        for _ in range((read.choices.skip or 0) + 1):
            line = file.readline(_START)
    if not line.strip():
        text = N_("{path} has an empty line where the names of its columns should stand: mend it.")
        raise TableError(say(text, path=path))


_KINDS = {
    "integer": N_("whole numbers"),
    "number": N_("numbers with a decimal point"),
    "date": N_("dates such as 2020-03-31"),
    "yes/no": N_("yes or no"),
    "words": N_("words"),
}


@dataclass(frozen=True)
class _Cells:
    """The cells of a column as SQL: `value` in its type, and whether one is `wrong`."""

    read: Read
    place: int
    told: bool

    @property
    def name(self) -> str:
        return self.read.columns[self.place].name

    @property
    def kind(self) -> str:
        kind = self.read.columns[self.place].kind
        return kind if kind in _KINDS else "words"

    @property
    def _text(self) -> str:
        """What is there without what means a missing value, by the rules of our reader."""
        kept = self.read.choices
        known: frozenset[str] = frozenset(kept.missing_words) | {""}
        if kept.missing != "blank" and not self._signs():
            known |= frozenset(marks.CLEAR) if self.kind == "words" else marks.MARKS
        cell = f"trim(c{self.place}, {_said(_GAPS)})"
        return f"CASE WHEN {cell} NOT IN ({', '.join(map(_said, sorted(known)))}) THEN {cell} END"

    def _signs(self) -> bool:
        """Whether all words are signs, of which a dash is one."""
        held = self.read.table.column(self.place)
        words = [w for w in held.unique().to_pylist() if isinstance(w, str) and w]
        return self.kind == "words" and bool(words) and not any(map(_has_letter, words))

    @property
    def _type(self) -> str:
        import pyarrow as pa

        held = self.read.table.schema.field(self.place).type
        if self.kind == "date":
            return "DATE" if pa.types.is_date(held) else "TIMESTAMP"
        return "BIGINT" if pa.types.is_integer(held) else "DOUBLE"

    @property
    def value(self) -> str:
        if self.kind == "words":
            return self._text
        if self.kind == "yes/no":
            if not self._boolean:
                return self._text
            return f"lower({self._text}) IN ({', '.join(map(_said, sorted(TRUE)))})"
        return f"TRY_CAST({self._text} AS {self._type})"

    @property
    def _boolean(self) -> bool:
        import pyarrow as pa

        return bool(pa.types.is_boolean(self.read.table.schema.field(self.place).type))

    @property
    def wrong(self) -> str:
        if self.kind == "words":
            return f"strlen({self._text}) < 0"  # never; that it is read shows that it can be
        if self.kind == "yes/no":
            held = self.read.table.column(self.place).unique().to_pylist()
            known = TRUE | FALSE if self.told else {str(w).lower() for w in held if w is not None}
            known = {"true", "false"} if self._boolean and not self.told else known
            return f"lower({self._text}) NOT IN ({', '.join(map(_said, sorted(known)))})"
        form = _DAY if self._type == "DATE" else _WRITTEN[self.kind]
        fits = f"regexp_full_match({self._text}, {_said(form)})"
        wrong = f"NOT {fits} OR {self._text} IS NOT NULL AND {self.value} IS NULL"
        if self.kind != "date" and not self.told:  # digits that are names of something
            for pattern in (marks.ZERO_LED, marks.TOO_LONG):
                wrong += f" OR regexp_full_match({self._text}, {_said(pattern)})"
        return wrong


_GAPS = " \t"


def _has_letter(word: str) -> bool:
    return any(sign.isalnum() for sign in word)


def _relation(
    files: list[str], read: Read, *, header: bool | None = None, bare: bool = False
) -> str:
    """The cells of files as texts, by the dialect; rows of delimiters alone are none, where the
    reading has it so."""
    made, width = read.choices, len(read.columns)
    quote = _QUOTES[made.quote]
    named = made.header == "yes" if header is None else header
    told = {
        "auto_detect": "false",
        "header": str(named).lower(),
        "skip": str(made.skip or 0),
        "delim": _said(DELIMITERS[made.delimiter]),
        "quote": _said(quote),
        "escape": _said("" if not quote else "\\" if made.escape == "backslash" else quote),
        "encoding": "'utf-8'",
        "strict_mode": "true",
        "columns": "{" + ", ".join(f"c{i}: 'VARCHAR'" for i in range(width)) + "}",
    }
    sources = ", ".join(_said(os.path.abspath(path)) for path in unpatterned(files))
    settings = ", ".join(f"{key}={value}" for key, value in told.items())
    rows = f"read_csv([{sources}], {settings})"
    return rows if bare or made.blank == "missing" else f"(FROM {rows} WHERE {_some(read)})"


def _some(read: Read) -> str:
    """Whether a row holds more than delimiters."""
    places = range(len(read.columns))
    return " OR ".join(f"coalesce(trim(c{i}, {_said(_GAPS)}), '') <> ''" for i in places)


def unpatterned(files: list[str]) -> Iterator[str]:
    """Names in which DuckDB finds no pattern."""
    for path in files:
        yield re.sub(r"[*?\[]", lambda sign: f"[{sign[0]}]", path)


def _said(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'
