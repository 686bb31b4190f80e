"""Hierarchies of columns: those published with a table, or else intervals, prefixes, words."""

from collections.abc import Iterable, Mapping
from itertools import accumulate, chain, cycle, takewhile
from operator import mul

import numpy as np

from dpstudio.privacy.anonymity import written
from dpstudio.privacy.anonymity.columns import MISSING, Coded, words_of
from dpstudio.privacy.anonymity.hierarchy import (
    ANY,
    Hierarchy,
    HierarchyError,
    from_csv,
    of_dates,
    of_intervals,
    of_prefixes,
    of_words,
)
from dpstudio.values.messages import N_, say

# Of columns the hierarchies that are published with a table, as CSV.
Published = Mapping[str, str]
_STEPS = (5, 4, 2, 2)  # each interval holds so many of the ones below it: 5, 20, 40, 80 years
_BINS = 100  # of a column of reals, the lowest intervals


def hierarchy_of(public: Published, column: Coded, trees: tuple[str, ...]) -> Hierarchy:
    """The hierarchy of a column: that of `trees`, where they name it; else one that is published
    with the table, where it has all of its values; else months and years of dates, intervals of
    numbers, prefixes of words of one length that hold digits, and words or any. A value that it
    lacks, and what is missing, has a branch of its own. HierarchyError for a tree that is none."""
    words = tuple(word for word in words_of(column) if word != MISSING) or column.words
    lines = written.typed(trees, column.name)
    known = _typed(lines, column, words) if lines else _known(public, column, words)
    return known.with_values(words_of(column))


def from_rows(public: Published, name: str, trees: tuple[str, ...], *, date: bool) -> bool:
    """Whether rows decide what the hierarchy of a column is like: the widths of its intervals, how
    long prefixes are, or whether there are any. They do where nobody typed it, and it is neither
    published with the table nor that of dates."""
    lines = written.typed(trees, name)
    return written.length_of(lines[0]) == 0 if lines else not date and name not in public


def lacks(column: Coded, trees: tuple[str, ...]) -> tuple[str, ...]:
    """The values of a column that have no line in the hierarchy that somebody wrote of it."""
    listed = _listed(written.typed(trees, column.name))
    there = {MISSING, *(listed.values if listed is not None else words_of(column))}
    return tuple(word for word in words_of(column) if word not in there)


def _listed(lines: tuple[str, ...]) -> Hierarchy | None:
    return from_csv("\n".join(lines)) if lines and ";" in lines[0] else None


def _typed(lines: tuple[str, ...], column: Coded, words: tuple[str, ...]) -> Hierarchy:
    """The hierarchy that somebody wrote: rows of values, or in one line how to make them."""
    told, at, length = _listed(lines), column.quasi.at, written.length_of(lines[0])
    if told is not None:
        return told
    if length is not None:
        return of_prefixes(words, length)
    if lines[0] == written.DATES and column.date:
        return of_dates(words)
    if lines[0] == written.WORDS and at is None:
        return of_words(words)
    if at is None or column.date or not (steps := written.widths_of(lines[0])):
        text = N_("A hierarchy of “{column}” has a line a value, such as nurse; health; *")
        raise HierarchyError(say(text, column=column.name))
    return of_intervals(at.tolist(), *steps, whole=column.whole)


def _known(public: Published, column: Coded, words: tuple[str, ...]) -> Hierarchy:
    shipped = _shipped(public, column, words)
    if shipped is not None:
        return shipped
    if column.date:
        return of_dates(words)
    if column.quasi.at is not None:
        return of_intervals(column.quasi.at.tolist(), intervals(column), whole=column.whole)
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
    single = column.whole and span <= _BINS
    first = 1.0 if single else float(10.0 ** np.floor(np.log10(max(span, 1e-12) / _BINS)))
    growing = accumulate(chain((first,), cycle(_STEPS)), mul)
    if single:  # which numbers are themselves
        next(growing)
    all_ = span + 1 if column.whole else span
    return tuple(map(float, takewhile(lambda width: width < all_, growing)))


def told_from(
    public: Published, column: Coded, words: Iterable[str], height: int, trees: tuple[str, ...]
) -> Hierarchy:
    """The hierarchy of a column that leaves, from its published `words` on, which stand at this
    height: one that lists values as it is, with words that it lacks, else what is above these words
    alone, so that no other row decides where it begins or how high it is."""
    there, tree = set(words), hierarchy_of(public, column, trees)
    listed = _listed(written.typed(trees, column.name)) or _shipped(
        public, column, words_of(column)
    )
    if listed is not None:
        more = there - {*listed.words(height)}
        return listed.with_values(row[0] for row in tree.rows if row[height] in more)
    rows = tuple(dict.fromkeys(row[height:] for row in tree.rows if row[height] in there))
    one = next(i for i, level in enumerate(zip(*rows, strict=True)) if len(set(level)) == 1)
    top = () if one == 0 and set(rows[0][0]) == {ANY} else (ANY,)
    return Hierarchy(tuple((*row[: max(one, 1)], *top) for row in rows))


def word_at(hierarchy: Hierarchy, words: tuple[str, ...], height: int) -> tuple[str, ...]:
    """The ancestor of each word at a height."""
    above = {row[0]: row[height] for row in hierarchy.rows}
    return tuple(above.get(word, ANY) for word in words)
