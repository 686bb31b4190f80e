"""Columns of a table as what a model learns from: numbers between bounds, words as codes. What
nobody told is taken from the data, which is not private."""

import math

import numpy as np


def told_from(column, told):
    """The bounds of a column of numbers, or the words of one of words: as told, else its ends, or
    the words that it holds."""
    if isinstance(told, tuple):
        return told
    if told == "bounds":
        there = column[np.isfinite(column)]
        low, high = there.min(), there.max()
        return low, high if high > low else low + 1
    return tuple(sorted({word for word in as_words(column) if word is not None}, key=number_first))


def as_words(column):
    """A column as words: 13 is the word “13”."""
    if column.dtype == object:
        return column
    return [None if x != x else str(int(x)) if x == int(x) else repr(float(x)) for x in column]


def number_first(word):
    """Words that are numbers by their size, then all others."""
    try:
        return float(word), word
    except ValueError:
        return math.inf, word


def holds_words(told):
    """Whether a column is told by its words, and not by two bounds."""
    return any(isinstance(each, str) for each in told) or len(told) != 2


def place_of(column, words):
    """The place of each row's word, NaN where it is missing or none of these."""
    code = {word: place for place, word in enumerate(words)}
    return np.array([code.get(word, math.nan) for word in as_words(column)], dtype=float)


def to_box(column, bounds):
    """Numbers clipped to their bounds and scaled to [−1, 1]."""
    low, high = bounds
    return (np.clip(column, low, high) - (low + high) / 2) / ((high - low) / 2)


def numbers_in_box(table, bounds, label=None, classes="words", most=20):
    """The rows that have every value, scaled to [−1, 1], and the class of each by its column: None
    without one, or where it has no values, or more than are classes."""
    columns = [to_box(table[name], told_from(table[name], told)) for name, told in bounds.items()]
    if label is None or not 0 < len(told_from(table[label], "words")) <= most:
        of = None
    else:
        of = place_of(table[label], told_from(table[label], classes))
    there = ~np.isnan(np.stack(columns if of is None else [*columns, of])).any(axis=0)
    x = np.clip(np.stack(columns, axis=1), -1, 1)  # rounding may go beyond
    return x[there], None if of is None else of[there].astype(int)
