"""A condition to begin with on a table that nobody has asked yet: a frequent word of its likeliest
groups, or a round number near the middle of its likeliest measure.

It takes its word from the rows and is marked as proposed: for looking alone, until a person writes
one.
"""

from collections.abc import Iterator
from math import floor, log10

import numpy as np

from dpstudio.data.column_roles import GROUP, MEASURE, columns_for
from dpstudio.data.conditions import Test, Where
from dpstudio.data.dataset import Dataset

_MOST = 20  # groups
_LETTERS = 40  # of a word that is still read in a question
_FURTHEST = 1e15  # a round number nearer to 0 than this is not itself alone


def proposed_condition(data: Dataset) -> Where:
    """The first such condition that some rows meet and others do not; every row where there is
    none."""
    return data.remember("proposed condition", lambda: _found(data))


def _found(data: Dataset) -> Where:
    for test in (*_groups(data), *_measures(data)):
        where = Where("and", (test,), proposed=True)
        if 0 < data.count(where) < data.rows:
            return where
    return Where()


def _groups(data: Dataset) -> Iterator[Test]:
    words = [c.name for c in data.columns if c.type == "category"]
    for name in columns_for(data, GROUP, words):
        if data.more_than(name, 1) and not data.more_than(name, _MOST):
            word, _ = data.distinct(name, _MOST + 1)[0]
            if len(word) <= _LETTERS:
                yield Test(name, "=", (word,))


def _measures(data: Dataset) -> Iterator[Test]:
    numbers = [c.name for c in data.columns if c.numeric]
    for name in columns_for(data, MEASURE, numbers):
        asked = data.ordered(name, Where())
        if len(asked.values) > 1 and np.isfinite(asked.values).all():
            half = np.searchsorted(np.cumsum(asked.counts), asked.counts.sum() / 2)
            yield from (Test(name, ">", (cut,)) for cut in _cuts(float(asked.values[half])))


def _cuts(middle: float) -> Iterator[float]:
    """Round numbers not above the middle, the roundest first, and it itself."""
    if 1e-3 <= abs(middle) <= _FURTHEST:
        most = 10.0 ** floor(log10(abs(middle)))
        yield from (float(f"{floor(middle / step) * step:.12g}") for step in (most, most / 10))
    yield middle
