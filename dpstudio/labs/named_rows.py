"""Many things with names as rows, the largest on top: all where they are few, else the ten largest
and one row for all others."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array, Axis, array
from dpstudio.values.messages import Message, Num, render, say

FEW, NAMED = 12, 10


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
            ticks.append((0.0, render(say("{n} {n:other|others}", n=Num(self.others)))))
        return tuple(ticks)


def named_rows(sizes: ArrayLike, always: Iterable[int] = ()) -> NamedRows:
    """The rows of things of these sizes, of which those in `always` come first and have rows of
    their own; at most NAMED where there are more than FEW."""
    size = np.asarray(sizes, dtype=np.float64)
    order = np.argsort(-size, kind="stable")
    if len(size) > FEW:
        kept = list(dict.fromkeys((*always, *order.tolist())))[:NAMED]
        order = order[np.isin(order, kept)]
    rows = np.zeros(len(size))
    rows[order] = np.arange(len(order))[::-1] + float(len(order) < len(size))
    return NamedRows(order, array(rows))
