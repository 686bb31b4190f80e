"""Messy text by rows: what does not fit is mended, padded or left out as chosen, and told with its
line."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpstudio.files.read.encodings import Encoding, text_blocks
from dpstudio.files.read.outcome import Counts
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.rows import Dialect, Lines, rows
from dpstudio.files.read.source import Watch
from dpstudio.values.messages import Say, say

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 5_000
_TAIL = 1000
TOTAL = re.compile(
    r"(?i)(grand |sub)?"
    r"(total|sum|summe|gesamt|insgesamt|average|mean|somme|totale|итого|合计|合計)s?\b"
    r"|source:|note:|quelle:|end of|-- |\(?\d+ rows"
)


@dataclass(frozen=True)
class Tolerant:
    """What the tolerant reader found: columns of words, the counts, and of the last records whether
    each was kept."""

    columns: list[pa.ChunkedArray]
    counts: Counts
    tail: tuple[tuple[int, str, bool], ...]


@dataclass(frozen=True)
class Fitting:
    """What becomes of a row that has not `width` values. `ragged` is refuse, pad or merge."""

    width: int
    ragged: str
    sign: str
    trailing: bool

    def fit(self, cells: list[str]) -> tuple[list[str] | None, Say]:
        """The row as it is kept, None if it is not, and why it was changed or left out."""
        have, want = len(cells), self.width
        if have > want and not any(c.strip() for c in cells[want:]):
            return cells[:want], say("it ends with {n} empty values too many", n=have - want)
        why = say("it has {have} values where {want} are due", have=have, want=want)
        if self.ragged == "refuse":
            return None, why
        if have < want:
            return cells + [""] * (want - have), why
        if self.ragged == "merge":
            return [*cells[: want - 1], self.sign.join(cells[want - 1 :])], why
        return None, why


def read_rows(
    packed: Packed,
    encoding: Encoding,
    dialect: Dialect,
    start: int,
    fitting: Fitting,
    blank: bool,
    watch: Watch,
) -> Tolerant:
    """All records from line `start` on. `blank`: a blank line is a row."""
    import pyarrow as pa

    lines = Lines(text_blocks(packed, encoding, 1 << 18), start - 1, dialect.comment, blank)
    counts = Counts()
    batches: list[list[pa.Array]] = []
    held: list[list[str]] = []
    tail: deque[tuple[int, str, bool]] = deque(maxlen=_TAIL)
    width = fitting.width

    def batch() -> None:
        batches.append([pa.array(column, pa.string()) for column in zip(*held, strict=True)])
        held.clear()

    for line, cells, mended in rows(lines, dialect, width):
        fate, foot = "kept", False
        if len(cells) != width:
            foot = bool(TOTAL.match(cells[0].strip())) or (width > 2 and len(cells) == 1)
            if fitting.trailing and len(cells) == width - 1:
                cells = [*cells, ""]
            else:
                kept, why = fitting.fit(cells)
                if kept is None:
                    counts.refused.add(line, why)
                    tail.append((line, "refused", foot))
                    continue
                cells, mended = kept, mended or why
        if mended is not None:
            counts.repaired.add(line, mended)
            fate = "repaired"
        tail.append((line, fate, foot))
        held.append(cells)
        if len(held) >= _BATCH:
            watch.ask()
            batch()
            counts.kept += _BATCH
    counts.kept += len(held)
    batch()
    counts.comments, counts.blank = lines.comments, lines.blanks
    columns = [pa.chunked_array([b[i] for b in batches if b], pa.string()) for i in range(width)]
    return Tolerant(columns, counts, tuple(tail))


def without_footer(found: Tolerant, footer: int) -> Tolerant:
    """The last `footer` records taken off, whatever became of them."""
    counts = found.counts
    gone = found.tail[-footer:] if footer else ()
    kept = sum(fate != "refused" for _, fate, _ in gone)
    for line, fate, _ in gone:
        tally = {"refused": counts.refused, "repaired": counts.repaired}.get(fate)
        if tally is not None:
            tally.count -= 1
            tally.first = [odd for odd in tally.first if odd.line != line]
    counts.kept -= kept
    counts.footer = len(gone)
    columns = [c.slice(0, max(0, len(c) - kept)) for c in found.columns] if kept else found.columns
    return Tolerant(columns, counts, found.tail[: len(found.tail) - len(gone)])


def footer_of(found: Tolerant) -> int:
    """How many records at the end are no rows: totals or single texts that do not fit, with nothing
    odd before them."""
    behind = 0
    for _, fate, foot in reversed(found.tail):
        if fate == "kept" or not foot:
            break
        behind += 1
    odd = found.counts.repaired.count + found.counts.refused.count
    return behind if behind and odd == behind and behind <= 20 and found.counts.kept > behind else 0
