"""A sample of text in records, by one way to part them."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.signs import COMMENTS
from dpstudio.files.read.text.rows import HIDDEN_SIGN, Dialect, Lines, rows
from dpstudio.files.read.typing.marks import is_value, natural

RARE = (
    "caret",
    "tilde",
    "broken_bar",
    "not_sign",
    "section",
    "control_a",
    "unit",
    "record",
    "two_colons",
    "two_pipes",
)


@dataclass(frozen=True)
class Split:
    """The start of the text under one dialect. `counts` are values per record, `lines` where each
    begins.

    The body is records[first:last]; `steady` is the share of it with `width` values, `natural` how
    value-like its cells look.
    """

    dialect: Dialect
    records: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    mended: int
    width: int
    first: int
    last: int
    steady: float
    natural: float
    end: int = 0  # the line after the last record

    @property
    def clean(self) -> bool:
        """Whether every row fits and its cells look like values, with nothing mended."""
        return self.steady == 1 and not self.mended and self.natural >= 0.85 and not self.stray

    @property
    def stray(self) -> bool:
        """Whether quotes are read as letters although some value begins with one."""
        return not self.dialect.quote and any(_STRAY.match(c) for r in self.records for c in r)

    def numeric(self) -> frozenset[int]:
        """The columns that hold numbers or dates in most of these rows."""
        body = [r for r in self.records[self.first : self.last] if len(r) == self.width][1:]
        told = {i: [r[i].strip() for r in body if r[i].strip()] for i in range(self.width)}
        return frozenset(
            i for i, cells in told.items() if cells and 2 * sum(map(is_value, cells)) > len(cells)
        )

    @property
    def score(self) -> float:
        """How good a reading of the sample this is, from 0 to 1."""
        size = (self.width - 1) / self.width if self.width > 1 else 0.25
        return self.steady * self.natural**2 * size * (1 - self.mended / max(1, len(self.records)))


def split(sample: str, dialect: Dialect, choices: Choices, whole: bool) -> Split:
    """The sample under one dialect; comments are found on the way unless they are chosen."""
    found = _records(sample, dialect, choices, whole)
    # The first record may be the header of a table whose first sign is a comment's: then it fits,
    # and is none.
    if not dialect.comment and choices.comment == "auto":
        sign = _comment(found)
        if sign:
            found = _records(sample, replace(dialect, comment=sign), choices, whole)
    return found


def _records(sample: str, dialect: Dialect, choices: Choices, whole: bool) -> Split:
    lines = Lines([sample], int(choices.skip or 0), dialect.comment, newlines=choices.newlines)
    held = list(islice(rows(lines, dialect), ROWS))
    if not whole and len(held) > 1 and len(held) < ROWS:
        held.pop()  # may have been cut
    counts = [len(cells) for _, cells, _ in held]
    width = _width(counts)
    if len(counts) > 3 and min(counts) > 1 and counts[0] == max(counts) and counts[0] in counts[1:]:
        # Rows that leave out blank values at their end, below names for all of them.
        head = [c.strip() for c in held[0][1]]
        if len(set(head)) == len(head) and not any(is_value(c) or not c for c in head):
            width = counts[0]
    fits = [i for i, n in enumerate(counts) if n == width]
    first = fits[0] if fits and choices.skip is None and fits[0] <= FIRST_ODD else 0
    last = fits[-1] + 1 if fits and whole else len(held)
    body = counts[first:last]
    steady = sum(n == width for n in body) / len(body) if body else 0.0
    cells = [c for i in fits[:120] for c in held[i][1][:60]]
    quoted = bool(dialect.quote) and width > 1 and '"' in sample
    likely = {c: natural(c, quoted, dialect.quote) for c in set(cells)}  # the same words come again
    looks = sum(map(likely.__getitem__, cells)) / len(cells) if cells else 0.0
    return Split(
        dialect,
        tuple(tuple(c) for _, c, _ in held),
        tuple(n for n, _, _ in held),
        sum(w not in (None, HIDDEN_SIGN) for _, _, w in held),
        width,
        first,
        last,
        steady,
        looks,
        lines.number + 1,
    )


def _width(counts: list[int]) -> int:
    """The number of values that most records have; of equally many the larger, since lines before a
    table hold few."""
    if not counts:
        return 1
    seen = Counter(counts)
    return max(seen, key=lambda n: (seen[n] * (1.5 if n > 1 else 1), n))


def _comment(found: Split) -> str:
    """The sign that begins every record that does not fit and none that does, or the first lines,
    of which there are several."""
    starts = [(r[0].lstrip(), len(r) == found.width) for r in found.records if r]
    for sign in COMMENTS.values():
        if not sign:
            continue
        above = next(
            (i for i, (text, _) in enumerate(starts) if not text.startswith(sign)), len(starts)
        )
        below = starts[above:]
        odd = [text for text, fits in starts if not fits]
        if (
            (above > 1 or any(t.startswith(sign) for t in odd))
            and below
            and not any(t.startswith(sign) and fits for t, fits in below)
        ):
            if above == 1 and starts[0][1]:
                continue
            return sign
    return ""


_STRAY = re.compile(r"""\s*("|'.*'\s*$)""", re.DOTALL)


ROWS = 400


FIRST_ODD = 60  # lines before the table, at most
