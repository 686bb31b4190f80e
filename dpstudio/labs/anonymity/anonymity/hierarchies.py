"""Hierarchies of columns: those published with a table, or else intervals, prefixes, words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle, takewhile

import numpy as np

from dpstudio.labs.anonymity.anonymity.choices.trees import DATES, PREFIXES, typed, widths_of
from dpstudio.labs.anonymity.anonymity.columns import MISSING, Coded, as_published, words_of
from dpstudio.privacy.anonymity.hierarchy import (
    ANY,
    Hierarchy,
    HierarchyError,
    from_csv,
    of_dates,
    of_intervals,
    of_prefixes,
    of_words,
    places,
)
from dpstudio.privacy.anonymity.models import Branch, branch
from dpstudio.values.messages import N_, say
from dpstudio.values.params import ParamError

# Of columns the hierarchies that are published with a table, as CSV.
Published = Mapping[str, str]
_STEPS = (5, 4, 2, 2)  # each interval holds so many of the ones below it: 5, 20, 40, 80 years
_BINS = 100  # of a column of reals, the lowest intervals


def hierarchy_of(public: Published, column: Coded, trees: tuple[str, ...]) -> Hierarchy:
    """The hierarchy of a column: that of `trees`, where they name it; else one that is published
    with the table, where it has all of its values; else months and years of dates, intervals of
    numbers, prefixes of words of one length that hold digits, and words or any. What is missing has
    a branch of its own. HierarchyError for a tree that does not hold all values."""
    words = tuple(word for word in words_of(column) if word != MISSING) or column.words
    lines = typed(trees, column.name)
    known = _typed(lines, column, words) if lines else _known(public, column, words)
    if len(words) == len(words_of(column)) or MISSING in known.values:
        return known
    lacking = (*(MISSING for _ in range(known.height)), known.rows[0][-1])
    return Hierarchy((*known.rows, lacking))


def is_given(public: Published, column: Coded, trees: tuple[str, ...]) -> bool:
    """Whether the hierarchy of a column lists values that somebody wrote, or that are published
    with the table: else it lists those that rows have."""
    lines = typed(trees, column.name)
    return ";" in lines[0] if lines else _shipped(public, column, words_of(column)) is not None


def of_range(public: Published, column: Coded, trees: tuple[str, ...]) -> bool:
    """Whether the intervals of a column are as wide as its range asks for."""
    numbers = column.quasi.at is not None and not column.date
    return numbers and not typed(trees, column.name) and not is_given(public, column, trees)


def _typed(lines: tuple[str, ...], column: Coded, words: tuple[str, ...]) -> Hierarchy:
    """The hierarchy that somebody wrote: rows of values, or in one line how to make them."""
    if ";" in lines[0]:
        hierarchy = from_csv("\n".join(lines))
    elif lines[0] == PREFIXES:
        return of_prefixes(words)
    elif lines[0] == DATES and column.date:
        return of_dates(words)
    elif column.quasi.at is None or column.date or not (steps := widths_of(lines[0])):
        text = N_("A hierarchy of “{column}” has a line a value, such as nurse; health; *")
        raise HierarchyError(say(text, column=column.name))
    else:
        return of_intervals(column.quasi.at.tolist(), *steps)
    hierarchy.codes(words, 0)
    return hierarchy


def _known(public: Published, column: Coded, words: tuple[str, ...]) -> Hierarchy:
    shipped = _shipped(public, column, words)
    if shipped is not None:
        return shipped
    if column.date:
        return of_dates(words)
    if column.quasi.at is not None:
        return of_intervals(column.quasi.at.tolist(), intervals(column))
    if len(words) > 1 and len({len(word) for word in words}) == 1 and _numbered(words):
        return of_prefixes(words)
    return of_words(words)


def _shipped(public: Published, column: Coded, words: tuple[str, ...]) -> Hierarchy | None:
    """The hierarchy that is published with the table, where it has all of these words."""
    told = public.get(column.name)
    hierarchy = None if told is None else from_csv(told)
    there = hierarchy is not None and {*words, MISSING} <= {*hierarchy.values, MISSING}
    return hierarchy if there else None


def _numbered(words: tuple[str, ...]) -> bool:
    return all(any(letter.isdigit() for letter in word) for word in words) and len(words[0]) > 1


def intervals(column: Coded) -> tuple[float, ...]:
    """Widths that grow by _STEPS, again and again, from 1 on for integers of a short range, until
    one would hold all. They lie at multiples of themselves: where the least number is, who has it
    may be left out, and the ends of all others would tell it."""
    span = float(np.ptp(np.asarray(column.quasi.at)))
    all_ = span + 1 if column.whole else span
    return tuple(map(float, takewhile(lambda width: width < all_, _growing(column))))


def _least_width(column: Coded) -> float:
    span = float(np.ptp(np.asarray(column.quasi.at)))
    if column.whole and span <= _BINS:
        return 1.0
    return float(10.0 ** np.floor(np.log10(max(span, 1e-12) / _BINS)))


def _growing(column: Coded) -> Iterator[float]:
    """The widths of its intervals, without an end."""
    width = _least_width(column)
    if not (column.whole and width == 1.0):  # which numbers are themselves
        yield width
    for step in cycle(_STEPS):
        width *= step
        yield width


def told_from(
    public: Published, column: Coded, words: Iterable[str], height: int, trees: tuple[str, ...]
) -> Hierarchy:
    """The hierarchy of a column that leaves, from its published `words` on, which stand at this
    height: one that somebody wrote or that is public as it is, else what these words alone let one
    make by the same rules, so that no other row decides where it begins or how high it is."""
    if is_given(public, column, trees):
        return hierarchy_of(public, column, trees)
    there = set(words)
    if height == 0:
        rows = hierarchy_of(public, as_published(column, there), trees).rows
    else:
        tree = hierarchy_of(public, column, trees)
        rows = tuple(dict.fromkeys(row[height:] for row in tree.rows if row[height] in there))
        if of_range(public, column, trees) and height < tree.height:
            rows = _in_wider(column, rows, height, tree)
    one = next(i for i, level in enumerate(zip(*rows, strict=True)) if len(set(level)) == 1)
    top = () if one == 0 and set(rows[0][0]) == {ANY} else (ANY,)
    return Hierarchy(tuple((*row[: max(one, 1)], *top) for row in rows))


def _in_wider(
    column: Coded, rows: tuple[tuple[str, ...], ...], height: int, tree: Hierarchy
) -> tuple[tuple[str, ...], ...]:
    """Published intervals in wider ones, as many as hold them."""
    widths, at = intervals(column), np.asarray(column.quasi.at).tolist()
    width, words = widths[height - 1], {row[0] for row in rows}
    place = {
        row[height]: list(places(value, widths, 0.0))[height - 1]
        for row, value in zip(tree.rows, at, strict=True)
        if row[height] in words
    }
    first, last = min(place.values()), max(place.values())
    wider = []
    for i, each in enumerate(_growing(column)):
        if i >= height and each >= (last - first + 1) * width:
            break
        wider += [each] if i >= height else []
    lows = [each * width for each in place.values()]
    made = of_intervals(lows, wider, whole=column.whole).rows
    return tuple((word, *row[1:]) for word, row in zip(place, made, strict=True))


def word_at(hierarchy: Hierarchy, words: tuple[str, ...], height: int) -> tuple[str, ...]:
    """The ancestor of each word at a height."""
    above = {row[0]: row[height] for row in hierarchy.rows}
    return tuple(above.get(word, ANY) for word in words)


def root_of(public: Published, column: Coded, trees: tuple[str, ...]) -> Branch | None:
    """The top of the hierarchy of the values of a column, None where it has none. Raises ParamError
    at “trees” for one that is written and is none."""
    try:
        hierarchy, words = hierarchy_of(public, column, trees), words_of(column)[: column.values]
        levels = [hierarchy.codes(words, height).tolist() for height in range(hierarchy.height + 1)]
        return branch(levels) if words and hierarchy.height else None
    except HierarchyError as error:
        if typed(trees, column.name):
            raise ParamError("trees", error.sentence) from None
        return None
