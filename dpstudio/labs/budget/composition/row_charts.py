"""Charts of rows: one below the other, with words beside what stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpstudio.charts.figure import Axis, Dots, Figure, Layer, Line
from dpstudio.labs.budget.composition.names import short_of
from dpstudio.privacy.accounting import Accountant
from dpstudio.values.messages import Say, render, say

MOST_WORDED = 10


@dataclass(frozen=True)
class Bar:
    """What a bound says, as a row: its value, the words beside that, and its ink if that is not the
    one of the bound."""

    bound: Accountant
    value: float
    words: Say
    ink: str = ""


def beside_row(name: str, ink: str, words: Say, x: float, row: float) -> Line:
    """Words to the left or right of a place in a row. Those of a dot may go to the border, in
    another row; these belong to a short upright line, hidden by what stands there, and so stay in
    theirs."""
    padded = say("\u2002{words}\u2002", words=words) if words.text else words
    return Line(f"words_{name}", ink, padded, [x, x], [row - 0.03, row + 0.03], width=1.0)


def bars_chart(
    key: str,
    title: Say,
    x: Axis,
    bars: Sequence[Bar],
    subtitle: Say,
    source: str,
    beside: tuple[Layer, ...] = (),
) -> Figure:
    """Dots one below the other, the first on top, with the names of their bounds on the axis and
    their words beside them."""
    layers: list[Layer] = [*beside]
    ticks = []
    for i, bar in enumerate(bars):
        place, end, name = float(len(bars) - 1 - i), min(bar.value, x.range[1]), bar.bound.key
        ink = bar.ink or bar.bound.ink
        # In so many rows there is room for the words of the ends and of adding up only.
        if len(bars) <= MOST_WORDED or i in (0, len(bars) - 1) or name == "sequential":
            layers.append(beside_row(name, ink, bar.words, end, place))
        layers.append(Dots(f"end_{name}", ink, "", [end], [place]))
        ticks.append((place, render(short_of(bar.bound))))
    y = Axis("", range=(-0.7, max(len(bars), 1) - 0.3), ticks=tuple(ticks))
    return Figure(key, title, x, y, tuple(layers), subtitle, source=source)
