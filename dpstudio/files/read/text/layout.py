"""Where the table stands in the text: lines before it, its header, and the names of the columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import Doubt, quoted
from dpstudio.files.read.text.dialects import SENTENCE
from dpstudio.files.read.text.headers import judged
from dpstudio.files.read.text.splitting import Split
from dpstudio.files.read.typing.marks import MARKS, digits, is_name, is_value
from dpstudio.values.messages import Message, say


@dataclass(frozen=True)
class Layout:
    """`names` as they stand in the file, () without a header. `start` is the line of the first data
    row, `width` values make a row.

    `trailing`: the rows end with a delimiter that the header lacks.
    """

    header: str
    names: tuple[str, ...]
    start: int
    skip: int
    width: int
    trailing: bool = False
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True)
class _Head:
    """The record `at` which the header stands, or the first row, and the `rows` below it."""

    header: str
    names: tuple[str, ...]
    at: int
    rows: list[tuple[str, ...]]
    trailing: bool = False
    doubts: tuple[Doubt, ...] = ()


def lay_out(split: Split, choices: Choices) -> Layout:
    """The layout of a text whose start is `split`."""
    if choices.skip is None:
        split = replace(split, first=_below_titles(split))
    records, lines, width = split.records, split.lines, split.width
    fitting = [r for r in records[split.first : split.last] if len(r) == width]
    first = _head(split, fitting, choices.header)
    head = _with_titles(first, split, choices)
    doubts, skip = list(head.doubts), int(choices.skip or 0)
    said = [c for r in records[: first.at] for c in r if c.strip()]
    if head.at != first.at:
        skip = lines[head.at] - 1
    elif first.at and choices.skip is None:
        skip = lines[first.at] - 1
        why = say(
            "{n} {n:line stands|lines stand} before the table and would be left out: {said}",
            n=skip,
            said=quoted(" ".join(said)),
        )
        if said:
            doubts.append(Doubt("skip", why, (skip, 0)))
    at = head.at + {"no": 0, "two": 2}.get(head.header, 1)
    start = lines[at] if at < len(lines) else max(split.end, 1)
    return Layout(head.header, head.names, start, skip, width, head.trailing, tuple(doubts))


def _below_titles(split: Split) -> int:
    """The first record of the table where titles and blank rows above it have a delimiter for every
    column, as spreadsheets write them."""
    start, width = split.first, split.width
    records = split.records[start : start + 100]
    filled = [sum(bool(c.strip()) for c in r) if len(r) == width else 0 for r in records]
    full = max(filled, default=0)
    first = next((i for i, n in enumerate(filled) if n >= max(2, 0.6 * full)), 0)
    if not first or width < 2:
        return start
    told = [next(c for c in r if c.strip()).strip() for r in records[:first] if any_told(r)]
    below = [r for r in records[first + 1 :] if len(r) == width]
    if any(is_value(c) for c in told):
        return start
    if _two_rows(records[first - 1 :], width):
        first -= 1
    elif told and (
        judged(records[first], below)[0] != "yes"
        or all(map(is_value, filter(None, records[first])))
    ):
        return start
    return start + first


def any_told(row: Sequence[str]) -> bool:
    """Whether any cell of the row holds something."""
    return any(c.strip() for c in row)


def _two_rows(records: Sequence[tuple[str, ...]], width: int) -> bool:
    """Whether the first two records name the columns together, as merged cells above years do:
    where the first is blank the second is not, and below stand values."""
    if len(records) < 3 or width < 3 or any(len(r) != width for r in records[:2]):
        return False
    top, below = ([c.strip() for c in r] for r in records[:2])
    rows = [r for r in records[2:60] if len(r) == width and any_told(r)]
    gaps = [i for i, c in enumerate(top) if not c]
    if not rows or not gaps or not any(top) or any(is_value(c) for c in top if c):
        return False
    if not all(below[i] for i in gaps if any(top[:i])) or not any(below[i] for i in gaps):
        return False
    if any(is_value(c) and not (digits(c) and len(c) == 4) for c in below if c):
        return False

    def share(place: int, test: Callable[[str], bool]) -> bool:
        told = [r[place].strip() for r in rows if r[place].strip()]
        return bool(told) and 2 * sum(map(test, told)) > len(told)

    hanging = any(not below[i] and top[i] and share(i, bool) for i in range(width))
    numbers = all(share(i, is_value) for i in gaps if below[i])
    # A title stands at the left, over names that are whole without it.
    between = any(top[gaps[0] :]) and sum(map(bool, top)) > 1
    return numbers and (hanging or (between and not any(map(is_value, below))))


def joined(top: Sequence[str], below: Sequence[str]) -> tuple[str, ...]:
    """The names of two rows as one: what stands above goes on over the blanks to its right."""
    out, above = [], ""
    for upper, lower in zip(top, below, strict=True):
        above = upper.strip() or (above if lower.strip() else "")
        out.append(" ".join(part for part in (above, lower.strip()) if part))
    return tuple(out)


def _head(split: Split, fitting: list[tuple[str, ...]], chosen: str) -> _Head:
    """The header by what was `chosen`; it may be one shorter or longer than the `fitting` rows."""
    records, first, width = split.records, split.first, split.width
    if chosen == "two" or (chosen == "auto" and _two_rows(records[first:], width)):
        both = [tuple(r) for r in records[first : first + 2] if len(r) == width]
        if len(both) == 2:
            why = say("the first two rows name the columns together, as merged cells do")
            asked = (Doubt("header", why, ("two", "yes")),) if chosen == "auto" else ()
            return _Head("two", joined(*both), first, fitting[2:], doubts=asked)
        chosen = "yes"
    if chosen in ("auto", "yes", "shifted"):
        at, before = first, records[first - 1] if first else ()
        if not first and records and len(records[0]) != width and fitting:
            at, before = 1, records[0]
        short = len(before) - width
        if len(before) > 1 and short in (-1, 1, 2) and _heads(before, fitting, short):
            names, trailing, doubt, header = _uneven(before, fitting, width, chosen)
            return _Head(header, names, at - 1, fitting, trailing, (doubt,) if doubt else ())
    plain = "yes" if chosen == "shifted" else chosen
    header, names, doubt = _header(records[first] if records else (), fitting[1:], plain)
    rows = fitting[1:] if header == "yes" else fitting
    return _Head(header, names, first, rows, doubts=(doubt,) if doubt else ())


def _with_titles(head: _Head, split: Split, choices: Choices) -> _Head:
    """The header where several rows may name the columns, or a title stands above, with what to
    ask."""
    if head.header != "yes" or head.doubts or choices.skip is not None:
        return head
    more = _more_heads(head.rows) if choices.header == "auto" else 0
    if more and head.at + more < len(split.lines):
        # Titles above the names, or units below them.
        line = split.lines[head.at + more] - 1
        why = say(
            "several rows may name the columns: {n} more {n:holds|hold} words where numbers follow",
            n=more,
        )
        if split.width > 1:
            return replace(head, doubts=(Doubt("skip", why, (0, line)),))
        asked = (Doubt("skip", why, (line, 0)),)
        return replace(head, names=head.rows[more - 1], at=head.at + more, doubts=asked)
    above = _titles([head.names, *head.rows]) if split.width == 1 else 0
    if not above:
        return head
    why = say("the first line may be a title above the name of the column")
    return replace(head, doubts=(Doubt("skip", why, (0, split.lines[head.at + above] - 1)),))


def _more_heads(rows: list[tuple[str, ...]]) -> int:
    """How many of the first rows hold words in a column that is numbers from there on, as titles,
    names and units do."""
    for place in range(len(rows[0]) if rows else 0):
        cells = [r[place].strip() for r in rows[:80]]
        cells = ["" if c in MARKS else c for c in cells]
        first = next((i for i, c in enumerate(cells) if is_value(c)), 0)
        if (
            0 < first <= 20
            and all(not c or is_value(c) for c in cells[first:])
            and any(cells[:first])
        ):
            return first
    if any(
        sum(map(is_value, (r[i].strip() for r in rows))) > len(rows) / 2
        for i in range(len(rows[0]) if rows else 0)
    ):
        return 0  # a word over numbers has shown where the names are
    return max(
        (_lonely([r[i] for r in rows]) for i in range(len(rows[0]) if rows else 0)), default=0
    )


def _lonely(cells: list[str]) -> int:
    """How many of the first words occur once where every later one recurs, as a name above
    categories does."""
    counts = Counter(cells)
    first = next((i for i, c in enumerate(cells) if counts[c] > 1), 0)
    later = cells[first:]
    return first if first <= 20 and len(later) >= 8 and all(counts[c] > 1 for c in later) else 0


def _titles(records: list[tuple[str, ...]]) -> int:
    """How many sentences stand over words: several are titles, and one is where the word below it
    occurs once, as a name does."""
    long = [len(r[0].split()) > 3 or ", " in r[0] for r in records]
    above = long.index(False) if False in long else 0
    below = [r[0] for r in records[above:]]
    if len(below) <= max(1, above) or any(long[above:]) or not is_name(below[0]):
        return 0
    return above if above > 1 or below[0] not in below[1:] else 0


def title_above(sample: str, split: Split, layout: Layout) -> tuple[Doubt, ...]:
    """What to ask where the first line is written unlike all others: a title above the names."""
    lines = [line for line in sample.splitlines() if line.strip()]
    quote = split.dialect.quote
    if (
        layout.width == 1
        and quote
        and len(lines) > 2
        and not lines[0].startswith(quote)
        and all(x.startswith(quote) for x in lines[1:])
    ):
        why = say("the first line alone is not in quotes, so it may be a title above the name")
        return (Doubt("skip", why, (layout.skip, layout.skip + 1)),)
    comma = (
        layout.width == 2
        and split.dialect.delimiter == "comma"
        and not split.first
        and layout.header == "yes"
    )
    if comma and SENTENCE.match(sample) and not any(", " in line for line in lines[1:]):
        why = say(
            "the first line alone has a space after its comma, so it may be a title above the names"
        )
        if len(split.records) == 2:
            return (Doubt("header", why, ("yes", "no")),)
        below = [[r[place] for r in split.records[1:] if place < len(r)] for place in (0, 1)]
        if all(c and is_name(c[0].strip()) and c[0] not in c[1:] for c in below):
            return (Doubt("skip", why, (layout.skip, split.lines[1] - 1)),)
    return ()


def _heads(before: Sequence[str], rows: list[tuple[str, ...]], short: int) -> bool:
    """Whether a record one longer or shorter than the rows may be their header: not where the first
    of the rows is one."""
    if judged(rows[0], rows[1:]) == ("yes", True):
        return False
    width = len(before) - short
    return short == -1 or not any_told(before[width:]) or judged(before[:width], rows)[0] == "yes"


def _uneven(
    before: Sequence[str], rows: list[tuple[str, ...]], width: int, chosen: str
) -> tuple[tuple[str, ...], bool, Doubt | None, str]:
    """A header that is shorter or longer than the rows: (names, whether rows end with a delimiter,
    what to ask, how it is read). Never is a name moved without a question."""
    if len(before) > width:
        beyond = [c for c in before[width:] if c.strip()]
        why = say(
            "the header has {names:# name|# names} and the rows have {values:# value|# values}; "
            "“{said}” would have none",
            names=len(before),
            values=width,
            said=quoted(", ".join(beyond)),
        )
        doubt = Doubt("header", why, ("yes", "no")) if chosen == "auto" and beyond else None
        return tuple(before[:width]), False, doubt, "yes"
    if chosen != "shifted" and all(not r[-1].strip() for r in rows):
        return tuple(before), True, None, "yes"
    first, other = ("shifted", "yes") if _row_names(rows) else ("yes", "shifted")
    why = say(
        "the header has {names:# name|# names} and the rows have {values:# value|# values}; the "
        "first value may be the name of the row, or the last have none",
        names=len(before),
        values=width,
    )
    doubt = Doubt("header", why, (first, other, "no")) if chosen == "auto" else None
    header = first if chosen == "auto" else chosen
    return ("", *before) if header == "shifted" else (*before, ""), False, doubt, header


def _row_names(rows: list[tuple[str, ...]]) -> bool:
    """Whether the first values are names of rows: each once, numbered one by one, or before values
    to the end, where a remark that only some rows have would be words."""
    firsts = [r[0].strip() for r in rows]
    if len(set(firsts)) < len(firsts):
        return False
    if all(map(digits, firsts)) and all(int(b) - int(a) == 1 for a, b in pairwise(firsts)):
        return True
    return all(is_value(r[-1].strip()) for r in rows)


def _header(
    head: Sequence[str], rows: list[tuple[str, ...]], chosen: str
) -> tuple[str, tuple[str, ...], Doubt | None]:
    if chosen != "auto":
        return chosen, tuple(head) if chosen == "yes" else (), None
    verdict, sure = judged(head, rows)
    doubt = None
    if not sure:
        shown = quoted(", ".join(c[:20] for c in head[:4]))
        why = say("the first row ({said}) may name the columns or be data", said=shown)
        doubt = Doubt("header", why, (verdict, "no" if verdict == "yes" else "yes"))
    return verdict, tuple(head) if verdict == "yes" else (), doubt
