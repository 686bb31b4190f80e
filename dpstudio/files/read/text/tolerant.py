"""Messy text by rows: what does not fit is mended, padded or left out as chosen, and told with its
line."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dpstudio.files.read.outcome import Counts, TableError
from dpstudio.files.read.source import Watch
from dpstudio.files.read.text.rows import Dialect, Lines, rows
from dpstudio.files.read.typing.marks import is_value
from dpstudio.values.messages import N_, Message, say

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 5_000
_TAIL = 1000
_MISFITS = 100_000
TOTAL = re.compile(
    r"(?i)(grand |sub)?"
    r"(total|sum|summe|gesamt|insgesamt|average|mean|somme|totale|итого|合计|合計)s?\b"
    r"|source:|note:|quelle:|end of|-- |\(?\d+ rows"
)
# How notes below a table begin: a word for it, or the mark of a footnote.
_NOTE = re.compile(
    r"(?i)(notes?|sources?|quellen?|fuente|hinweis|anmerkung|remarks?|copyright|prepared|published"
    r"|(last )?updated|retrieved|extracted|data (are|from|as|is))\b|©|[*†‡§]"
    r"|[(\[]?(\d{1,2}|[a-z])[)\].:]"
    r"|\d{1,2} [a-z]"
)


@dataclass(frozen=True)
class LastRecord:
    """One of the last records: its `line`, its `fate` (kept, repaired or refused), and whether it
    looks like a note or a total."""

    line: int
    fate: str
    foot: bool


@dataclass(frozen=True)
class Tolerant:
    """What the tolerant reader found: columns of words, the counts, and of the last records whether
    each was kept."""

    columns: list[pa.ChunkedArray]
    counts: Counts
    tail: tuple[LastRecord, ...]
    between: int = 0  # rows of delimiters alone that other rows follow


@dataclass(frozen=True)
class Fitting:
    """What becomes of a row that has not `width` values. `ragged` is refuse, pad or merge."""

    width: int
    ragged: str
    sign: str
    trailing: bool

    def why(self, cells: list[str]) -> Message:
        """What is wrong with a row of another number of values."""
        return say(
            "it has {have:# value|# values} where {want} {want:is|are} due",
            have=len(cells),
            want=self.width,
        )

    def fit(self, cells: list[str]) -> tuple[list[str] | None, Message | None]:
        """The row as it is kept, None if it is not, and why it was changed or left out."""
        have, want = len(cells), self.width
        if self.trailing and have == want - 1:
            return [*cells, ""], None
        if have > want and not any(c.strip() for c in cells[want:]):
            return cells[:want], say(
                "it ends with {n} empty {n:value|values} too many", n=have - want
            )
        why = self.why(cells)
        if self.ragged == "refuse":
            return None, why
        if have < want:
            return cells + [""] * (want - have), why
        if self.ragged == "merge":
            return [*cells[: want - 1], self.sign.join(cells[want - 1 :])], why
        return None, why


def read_rows(
    path: str,
    lines: Lines,
    dialect: Dialect,
    fitting: Fitting,
    watch: Watch,
    numeric: frozenset[int] = frozenset(),
) -> Tolerant:
    """All records of these lines. Where they keep blank ones, one of delimiters is a row too."""
    import pyarrow as pa

    counts = Counts()
    batches: list[list[pa.Array]] = []
    held: list[list[str]] = []
    tail: deque[LastRecord] = deque(maxlen=_TAIL)
    width = fitting.width
    delimited, behind, between = width > 1 and not lines.keep_blank, False, 0

    def batch() -> None:
        batches.append([pa.array(column, pa.string()) for column in zip(*held, strict=True)])
        held.clear()

    for line, cells, mended in rows(lines, dialect, width, numeric):
        text = "".join(cells)
        counts.over_lines = counts.over_lines or len(lines.taken) > 1
        if delimited and mended is None and not text.strip():
            counts.empty, behind = counts.empty + 1, True
            continue
        foot = (text in cells and lone_note(cells, behind)) or _no_row(cells, width)
        kept, why = fitting.fit(cells) if len(cells) != width else (cells, None)
        mended, behind, between = mended or why, False, between if foot else counts.empty
        if kept is None:
            counts.refused.add(line, why or fitting.why(cells))
        elif mended is not None:
            counts.repaired.add(line, mended)
        fate = "refused" if kept is None else "kept" if mended is None else "repaired"
        tail.append(LastRecord(line, fate, foot))
        held += [kept] if kept is not None else []
        if len(held) >= _BATCH:
            watch.ask()
            batch()
            counts.kept += _BATCH
            _refuse_misfit(path, counts)
    counts.kept += len(held)
    batch()
    counts.comments, counts.blank = lines.comments, lines.blanks
    columns = [pa.chunked_array([b[i] for b in batches if b], pa.string()) for i in range(width)]
    return Tolerant(columns, counts, tuple(tail), between)


def _refuse_misfit(path: str, counts: Counts) -> None:
    """Raises TableError where next to no row of very many fits: to go on would take minutes."""
    odd = counts.repaired.count + counts.refused.count
    if odd > _MISFITS and odd > 0.99 * (counts.kept + counts.refused.count):
        first = (counts.repaired.first or counts.refused.first)[0]
        text = N_("{path} holds next to no row that fits; line {line}: {why}. Choose another file.")
        raise TableError(say(text, path=path, line=first.line, why=first.why))


def without_footer(found: Tolerant, footer: int) -> Tolerant:
    """The last `footer` records taken off, whatever became of them."""
    counts = found.counts
    gone = found.tail[-footer:] if footer else ()
    kept = sum(last.fate != "refused" for last in gone)
    for last in gone:
        tally = {"refused": counts.refused, "repaired": counts.repaired}.get(last.fate)
        if tally is not None:
            tally.count -= 1
            tally.first = [odd for odd in tally.first if odd.line != last.line]
    counts.kept -= kept
    counts.footer = len(gone)
    columns = [c.slice(0, max(0, len(c) - kept)) for c in found.columns] if kept else found.columns
    return replace(found, columns=columns, tail=found.tail[: len(found.tail) - len(gone)])


def footer_of(found: Tolerant) -> int:
    """How many records at the end are no rows: totals that do not fit and notes, with nothing odd
    before them."""
    behind = strange = 0
    for last in reversed(found.tail):
        if not last.foot:
            break
        behind += 1
        strange += last.fate != "kept"
    odd = found.counts.repaired.count + found.counts.refused.count
    return behind if odd == strange and behind <= 20 and found.counts.kept > behind else 0


def _no_row(cells: list[str], width: int) -> bool:
    """Whether a record that does not fit begins as a total does, or is one text."""
    if len(cells) == width:
        return False
    return bool(TOTAL.match(cells[0].strip())) or (width > 2 and len(cells) == 1)


def lone_note(cells: Sequence[str | None], behind: bool = False) -> bool:
    """Whether a row of several columns is a single text that reads as a note does; `behind` a blank
    row any text is one."""
    told = [c for c in cells if c and c.strip()] if len(cells) > 1 else []
    if len(told) != 1 or is_value(told[0].strip()):
        return False
    text = told[0].strip()
    return behind or bool(TOTAL.match(text) or _NOTE.match(text)) or len(text.split()) > 3
