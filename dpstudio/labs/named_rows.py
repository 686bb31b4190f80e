"""Many things with names as rows, the largest on top: all where they are few, else the ten largest
and one row for all others; and what is drawn in lanes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array, Axis, Line, Ribbon, array
from dpstudio.values.messages import Message, Num, say, worded

FEW, SPARE = 12, 2  # rows at most, and how many of these are left free where there are more
_BAR, _CAP = 0.16, 0.1  # of a lane: half a bar, and half the end of a bracket
_MANY = 6  # lanes that are no higher than they need be


def names_axis(label: Message | str, names: Iterable[str], reach: float = 0.6) -> Axis:
    """An axis of names at 0, 1, …, that reaches so far beyond the first and the last."""
    ticks = tuple((float(place), name) for place, name in enumerate(names))
    return Axis(label, range=(-reach, len(ticks) - 1 + reach), ticks=ticks)


@dataclass(frozen=True, eq=False)
class NamedRows:
    """`named` are those that have a row of their own, the largest first; `rows` is the row of each,
    the highest above, shape (n,), where all others share row 0."""

    named: NDArray[np.int64]
    rows: Array

    @property
    def others(self) -> int:
        """How many share the lowest row; 0 where each has its own."""
        return len(self.rows) - len(self.named)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.named) + bool(self.others)

    def together(self, values: ArrayLike) -> Array:
        """What each row holds of additive `values`, from the lowest up; shape (count,)."""
        return array(np.bincount(self.rows.astype(np.int64), values, self.count))

    def ticks(self, labels: Sequence[str]) -> tuple[tuple[float, str], ...]:
        """Every row by its name, the largest first."""
        ticks = [(float(self.rows[i]), labels[i]) for i in self.named]
        if self.others:
            ticks.append((0.0, worded(say("{n} {n:other|others}", n=Num(self.others)))))
        return tuple(ticks)


def named_rows(sizes: ArrayLike, always: Iterable[int] = (), few: int = FEW) -> NamedRows:
    """The rows of things of these sizes, of which those in `always` come first and have rows of
    their own; at most `few` − SPARE where there are more than `few`."""
    size = np.asarray(sizes, dtype=np.float64)
    order = np.argsort(-size, kind="stable")
    if len(size) > few:
        kept = list(dict.fromkeys((*always, *order.tolist())))[: few - SPARE]
        order = order[np.isin(order, kept)]
    rows = np.zeros(len(size))
    rows[order] = np.arange(len(order))[::-1] + float(len(order) < len(size))
    return NamedRows(order, array(rows))


def slim(lanes: int) -> float:
    """By how much what is drawn in lanes is lower than in many of them: a few are high."""
    return min(1.0, lanes / _MANY)


def bar(key: str, ink: str, end: float, lane: float, lanes: int, opacity: float = 1.0) -> Ribbon:
    """A bar along one of some lanes, from 0 to its end."""
    half = _BAR * slim(lanes)
    low, high = [lane - half] * 2, [lane + half] * 2
    return Ribbon(key, ink, "", [0.0, end], low, high, opacity)


def brackets(
    key: str,
    ink: str,
    low: ArrayLike,
    high: ArrayLike,
    lanes: ArrayLike,
    of: int,
    *,
    begin: bool = True,
) -> Line:
    """What lies between two ends along each of some lanes, `of` so many, with an upright stroke at
    both, or at the second alone where it does not `begin` with one."""
    low, high, at = (np.asarray(each, dtype=np.float64) for each in (low, high, lanes))
    gap = np.full_like(at, np.nan)
    first = low if begin else gap
    x = np.column_stack([first, first, gap, low, high, gap, high, high, gap])
    cap = _CAP * slim(of)
    up, down = at + cap, at - cap
    y = np.column_stack([down, up, gap, at, at, gap, down, up, gap])
    return Line(key, ink, "", x.ravel(), y.ravel(), dash="solid", width=1.6)
