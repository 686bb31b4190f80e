"""A column of a table, read as codes."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.anonymity import classes, mondrian
from dpstudio.privacy.anonymity.columns import MISSING, Coded, told_at
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

# Squares of numbers up to here add up. What is further out, or infinite, is no number: it has no
# mean or spread, or lies in no interval, and one would take those of all others away.
_FURTHEST = 1e150
_FEW = 200  # numbers that are written at once; of more those that are asked for


def coded(data: Dataset, name: str, field: str) -> Coded:
    """A column of a table, remembered with it, however many values it has: one row more, which may
    be left out, refuses nothing. Raises ParamError at `field` for one that is not there."""
    if not data.has(name) or data.info(name).type == "other":
        text = N_("This table has no column “{column}” of numbers or words. Choose another.")
        raise ParamError(field, say(text, column=name))
    return data.remember(("coded", name), lambda: _coded(data, name))


def _coded(data: Dataset, name: str) -> Coded:
    held, info = data._held, data.info(name)
    if info.ordered:
        x = np.asarray(held.numbers(name), dtype=np.float64)
        there = np.abs(x) <= _FURTHEST
        at, found = _values(x[there])
        codes = np.full(len(x), -1, dtype=np.int64)
        codes[there] = found
        date = info.type == "date"
        words = told_at(at, date) if len(at) <= _FEW else ()
        return Coded(name, mondrian.Quasi(codes, at), words, info.type != "number", date)
    words = tuple(sorted(word for word in held.codes(name)[1] if word != MISSING))
    codes = held.places(name, words).astype(np.int64)
    if np.any(codes == len(words)):  # what reads alike is one value, and the last
        words = (*words, MISSING)
    return Coded(name, mondrian.Quasi(codes), words, True)


def _values(x: Array) -> tuple[Array, classes.Codes]:
    """The different numbers in their order, (values,), and which of them each is, (n,): of whole
    ones in a short range without a sort."""
    low, high = (float(x.min()), float(x.max())) if len(x) else (0.0, np.inf)
    if high - low > len(x) or not np.all(x == np.floor(x)):
        at, found = np.unique(x, return_inverse=True)
        return at, found.astype(np.int64)
    found, many = classes.dense((x - low).astype(np.int64))
    at = np.empty(many)
    at[found] = x
    return at, found
