"""What is still to be asked of a person before a table is opened, what was answered before, and how
answers are typed."""

import hashlib
import json
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpstudio.data.codebook import TYPES
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.files.language import shown
from dpstudio.files.read.choices import EVERY, Choices
from dpstudio.files.read.formats.folders import folder_digest
from dpstudio.files.read.outcome import Counts, Doubt, Preview, Read, TableError
from dpstudio.files.read.source import Cancelled
from dpstudio.files.read.told import (
    ALL_FREE,
    PICTURES,
    TYPES_ALONE,
    format_named,
    not_apart,
    setting,
    unread_as,
    untold,
)
from dpstudio.files.read.typing.marks import CLEAR
from dpstudio.files.tables import (
    CancelledError,
    Opened,
    UncertainError,
    example,
    has_own_types,
    is_csv_folder,
    may_be_elsewhere,
    open_with_report,
)
from dpstudio.values.messages import N_, Message, listed, say
from dpstudio.values.parameters import ParamError, domains, from_json, put, to_json

_CHUNK = 1 << 20
ROWS = "ragged"  # the choice that settles what becomes of rows that do not fit


@dataclass(frozen=True)
class Kept:
    """How a person chose to read a file, and the SHA-256 of the bytes for which they chose it."""

    digest: str
    choices: Choices

    def to_json(self) -> dict[str, Any]:
        """The choices of a reading, and the digest of the file that they are for, as JSON."""
        return {"sha256": self.digest, "reading": to_json(self.choices)}


def kept_from_json(data: Any) -> Kept | None:
    """Inverse of `to_json`; None for what is none, or holds a choice that is no more."""
    if not isinstance(data, Mapping) or not isinstance(data.get("sha256"), str):
        return None
    try:
        return Kept(data["sha256"], from_json((Choices,), data.get("reading")))
    except ParamError:
        return None


def odd_rows(counts: Counts) -> bool:
    """Whether rows were repaired or left out."""
    return bool(counts.repaired or counts.refused)


def unsettled(report: Read | Preview, named: Collection[str] = ()) -> tuple[Doubt, ...]:
    """The doubts that the choices in `named` leave open. Rows that do not fit are one of them."""
    doubts = [doubt for doubt in report.doubts if doubt.choice not in named]
    if odd_rows(report.counts) and ROWS not in named and all(d.choice != ROWS for d in doubts):
        made = str(getattr(report.choices, ROWS))
        others = (value for value in domains(Choices)[ROWS].words if value not in ("auto", made))  # type: ignore[attr-defined]
        told = row_words(report.counts)
        why = (
            told[0] if len(told) == 1 else Message("{one} {two}", {"one": told[0], "two": told[1]})
        )
        doubts.append(Doubt(ROWS, why, (made, *others)))
    return tuple(doubts)


def row_words(counts: Counts) -> tuple[Message, ...]:
    """What became of rows that did not fit, a sentence each."""
    out = []
    for tally, text in (
        (
            counts.refused,
            N_(
                "{n} {n:row was left out: line {line}, {why}|rows were left out, the first in line "
                "{line}: {why}}."
            ),
        ),
        (
            counts.repaired,
            N_(
                "{n} {n:row was repaired: line {line}, {why}|rows were repaired, the first in line "
                "{line}: {why}}."
            ),
        ),
    ):
        if tally:
            first = tally.first[0]
            out.append(say(text, n=f"{tally.count:,}", line=first.line, why=first.why))
    return tuple(out)


def note_words(report: Read | Preview) -> tuple[Message, ...]:
    """What the reader did of itself: left out, named anew, kept as words, or took for missing
    values; a sentence each."""
    out = list(report.notes)
    words: dict[str, int] = {}
    for column in report.columns:
        for word, n in column.missing:
            if word:
                words[word] = words.get(word, 0) + (n or 0)
        out += [say("{column}: {note}", column=column.name, note=note) for note in column.notes]
    if words:
        listed = ", ".join(
            f"“{word}” ({n:,})" if n else f"“{word}”"
            for word, n in sorted(words.items(), key=lambda one: -one[1])[:8]
        )
        out.append(say("Read as missing values: {words}.", words=listed))
    return tuple(out)


# What is said of one file alone, and not of its like.
_OWN = ("part", "missing_words", "types")


def shape_of(report: Read | Preview) -> str:
    """What files of the same kind have in common, as a digest that tells nothing of them: the
    format, the names of the columns and what is asked; "" where nothing is."""
    doubts = [(d.choice, [str(v) for v in d.values]) for d in unsettled(report)]
    if not doubts or any(d in _OWN for d, _ in doubts):
        return ""
    told = [report.format, [column.name for column in report.columns], doubts]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def for_the_like(choices: Choices) -> dict[str, Any]:
    """The choices that files of the same shape share, as JSON: no name, word or value of one."""
    whole = Choices()
    return dict(to_json(choices.with_(**{name: getattr(whole, name) for name in _OWN})))


def as_for_the_like(shapes: Mapping[str, Any], shape: str) -> Choices | None:
    """The choices that were kept for this shape; None where there are none."""
    try:
        return from_json((Choices,), shapes[shape]) if shape in shapes else None
    except ParamError:
        return None


def file_digest(path: Path, cancelled: Cancelled) -> str:
    """SHA-256 of a file as it is now, or the seal of a folder; "" where it cannot be read. Raises
    CancelledError."""
    sha = hashlib.sha256()
    try:
        if path.is_dir():
            return folder_digest(path, cancelled)
        if not path.is_file():  # opening a pipe would wait without end
            return ""
        with path.open("rb", buffering=0) as file:
            while part := file.read(_CHUNK):
                if cancelled():
                    raise CancelledError
                sha.update(part)
    except (OSError, ValueError, TableError):
        return ""
    return sha.hexdigest()


# As words on the command line


def chosen(words: Iterable[str]) -> tuple[Choices, frozenset[str]]:
    """The choices in texts such as “delimiter=semicolon decimal=comma”, and the names of those that
    were made.

    Values with spaces stand in quotes. Raises ParamError at the choice that cannot be made.
    """
    choices, named = Choices(), set()
    for text in words:
        for word in _split(text):
            name, equals, value = word.partition("=")
            if not equals:
                raise ParamError("read", say("“{word}” is not of the form name=value.", word=word))
            choices = put(choices, name.strip(), value)
            named.add(name.strip())
    return choices, frozenset(named)


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        raise ParamError(
            "read", say("“{word}” begins a quote that does not end.", word=text)
        ) from None


def open_as_told(where: str, words: Sequence[str]) -> Opened:
    """A table read as the words say. Raises UncertainError, of what they leave open, and
    TableError."""
    if not words and example(where):
        return open_with_report(where)
    choices, named = chosen(words)
    opened = open_with_report(where, choices=choices)
    open_ = unsettled(opened.report, named)
    if open_:
        raise UncertainError(replace(opened.report.preview(), doubts=open_))
    return opened


def refuse_untold(where: str, choices: Choices, option: str = "--read") -> None:
    """Raise TableError where it is not told how a file of one's own is read, before any of it is:
    what is said follows from its name and from the choices alone."""
    names = left_open(where, choices)
    if not names:
        return
    if (why := not_apart(names)) is not None:
        raise TableError(why)
    if has_own_types(where):
        choices = TYPES_ALONE
    known = {"format": format_named(where), "rows": EVERY}
    line = [
        f"{name}={known.get(name, '…')}" if name in names else setting(name, value)
        for name in domains(Choices)
        if (value := getattr(choices, name)) != getattr(ALL_FREE, name) or name in names
    ]
    text = N_(
        "One row could change how {path} is read, so it is told before anything of it leaves. Not "
        "told: {names}. Type {option} {line} with what you know from outside the rows for each …; "
        "“dpstudio read {path}” shows how the file is read now."
    )
    line_ = shlex.quote(" ".join(line))
    raise TableError(say(text, path=where, names=listed(names), option=option, line=line_))


def left_open(where: str, choices: Choices) -> list[str]:
    """The choices that are not told of a file of this name."""
    if example(where) is not None:
        return []
    if may_be_elsewhere(where):
        if is_csv_folder(where):
            return [*untold(choices, "text"), *([] if choices.part else ["part"])]
        return ["types"] * bool(untold(choices, "columnar"))
    if Path(where).is_dir():
        return [*untold(choices, PICTURES)]
    names = untold(choices, format_named(where))
    inside = where.lower().endswith(".zip") and not choices.part and "part" not in names
    return [*names, *(["part"] if inside else [])]


def options(preview: Preview, given: Sequence[str] = (), option: str = "--read") -> str:
    """What is uncertain, and for each doubt the words of an option that would settle it, the
    proposed one first; several lines."""
    opened = say("{path} can be read in more than one way. Nothing was opened.", path=preview.name)
    lines = [shown(opened)]
    doubts = unsettled(preview)
    for doubt in doubts:
        lines.append(f"  {sentence(shown(doubt.why))}")
        for place, value in enumerate(doubt.values):
            proposed = "" if place else f"   {shown(N_('(proposed)'))}"
            lines.append(f"    {option} {_quoted(doubt.choice, value)}{proposed}")
    settings = [*given, *(setting(doubt.choice, doubt.values[0]) for doubt in doubts)]
    line = f"{option} {shlex.quote(' '.join(settings))}"
    return "\n".join([*lines, shown(say("As proposed: {line}", line=line))])


def unread_words(data: Dataset) -> list[Message]:
    """Columns of the codebook whose values cannot all be read as it tells: these count as missing,
    which is never kept quiet."""
    told = [
        (name, about.type) for name, about in data.codebook.columns if about.type and data.has(name)
    ]
    counted = [(name, kind, data.unread(name)) for name, kind in told]
    unread = [unread_as(Message(TYPES[kind]), name, n) for name, kind, n in counted if n]
    named = [name for name, about in data.codebook.columns if about.categories]
    return [*unread, *(each for name in named if (each := taken_for_missing(data, name)))]


def taken_for_missing(data: Dataset, column: str) -> Message | None:
    """That a word of the codebook is in no row where the file is read so that it means a missing
    value, and how to keep it."""
    if not data.has(column) or data.info(column).type == "other":
        return None
    marks = data.spelling.marks  # among words but some of them mean a missing value
    marks = marks.intersection(CLEAR) if data.info(column).type == "category" else marks
    marked = [word for word in data.about(column).categories if word in marks]
    counts = data.tally(column, tuple(marked), Where()) if marked else ()
    lost = [word for word, n in zip(marked, counts, strict=True) if not n]
    if not lost or not data.missing(column):
        return None
    text = N_(
        "“{word}” of “{column}” is read as a missing value: read the file with only empty cells as "
        "missing (missing=blank) where it is a word."
    )
    return say(text, word=lost[0], column=column)


def sentence(text: str) -> str:
    """A reason as a sentence: with a capital, and one full stop."""
    text = text.strip().rstrip(".。")
    return shown(say("{what}.", what=f"{text[:1].upper()}{text[1:]}")) if text else ""


def _quoted(name: str, value: Any) -> str:
    return shlex.quote(setting(name, value))
