"""Hierarchies of columns: those published with a table, or else intervals, prefixes, words."""

from __future__ import annotations

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.anonymity.anonymity.columns import MISSING, Coded
from dpstudio.privacy.anonymity.hierarchy import (
    ANY,
    Hierarchy,
    HierarchyError,
    from_csv,
    of_intervals,
    of_prefixes,
    of_words,
)
from dpstudio.privacy.anonymity.models import Branch, branch

_STEPS = (5, 4, 2, 2)  # each interval holds so many of the ones below it: 5, 20, 40, 80 years
_BINS = 100  # of a column of reals, the lowest intervals


def hierarchy_of(data: Dataset, column: Coded) -> Hierarchy:
    """The hierarchy of a column: one that is published with the table, where it has all of its
    values; else intervals of numbers, prefixes of words of one length that hold digits, and words
    or any. What is missing has a branch of its own."""
    words = tuple(word for word in column.words if word != MISSING)
    if column.quasi.at is not None or len(words) == len(column.words) or not words:
        return _known(data, column, column.words)
    known = _known(data, column, words)
    lacking = (*(MISSING for _ in range(known.height)), known.rows[0][-1])
    return Hierarchy((*known.rows, lacking))


def _known(data: Dataset, column: Coded, words: tuple[str, ...]) -> Hierarchy:
    told = data.hierarchies.get(column.name)
    if told is not None:
        hierarchy = from_csv(told)
        if set(words_of(column) if column.quasi.at is not None else words) <= set(hierarchy.values):
            return hierarchy
    if column.quasi.at is not None:
        return _intervals(column.quasi.at, column.whole)
    if len(words) > 1 and len({len(word) for word in words}) == 1 and _numbered(words):
        return of_prefixes(words)
    return of_words(words)


def _numbered(words: tuple[str, ...]) -> bool:
    return all(any(letter.isdigit() for letter in word) for word in words) and len(words[0]) > 1


def _intervals(at: Array, whole: bool) -> Hierarchy:
    """Intervals that grow by _STEPS, from 1 on for integers of a short range, until one holds
    all."""
    low, span = float(at.min()), float(np.ptp(at))
    width = 1.0 if whole and span <= _BINS else 10.0 ** np.floor(np.log10(max(span, 1e-12) / _BINS))
    start, widths = np.floor(low / width) * width, []
    if not (whole and width == 1.0):
        widths.append(width)
    step = 0
    while width * _STEPS[step % len(_STEPS)] < span + 1 and step < len(_STEPS):
        width *= _STEPS[step]
        widths.append(width)
        step += 1
    return of_intervals(at.tolist(), widths, start)


def words_of(column: Coded) -> tuple[str, ...]:
    """The words of the values of a column, in the order of their codes."""
    if column.words or column.quasi.at is None:
        return column.words
    return tuple(f"{value:.12g}" for value in column.quasi.at.tolist())


def word_at(hierarchy: Hierarchy, words: tuple[str, ...], height: int) -> tuple[str, ...]:
    """The ancestor of each word at a height."""
    above = {row[0]: row[height] for row in hierarchy.rows}
    return tuple(above.get(word, ANY) for word in words)


def root_of(data: Dataset, column: Coded) -> Branch | None:
    """The top of the hierarchy of a column, None where it has none."""
    try:
        hierarchy, words = hierarchy_of(data, column), words_of(column)
        levels = [hierarchy.codes(words, height).tolist() for height in range(hierarchy.height + 1)]
        return branch(levels) if words and hierarchy.height else None
    except HierarchyError:
        return None
