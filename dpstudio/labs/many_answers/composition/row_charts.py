"""Charts of rows: one below the other, with words in the gutter."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpstudio.charts.figure import Axis, Dots, Figure, Layer, Line
from dpstudio.labs.bound_names import short_of
from dpstudio.privacy.accounting import Accountant
from dpstudio.values.messages import Message, render

MOST_WORDED = 10


@dataclass(frozen=True)
class Bar:
    """What a bound says, as a row: its value, and the words beside that."""

    bound: Accountant
    value: float
    words: Message


def bars_chart(
    key: str,
    title: Message,
    x: Axis,
    bars: Sequence[Bar],
    subtitle: Message,
    source: str,
    beside: tuple[Layer, ...] = (),
) -> Figure:
    """Dots one below the other, the first on top, with the names of their bounds on the axis and
    their words at the right."""
    layers: list[Layer] = [*beside]
    ticks = []
    for i, bar in enumerate(bars):
        place, end, name = float(len(bars) - 1 - i), x.range[1], bar.bound.key
        words: Message | str = ""
        # In so many rows there is room for the words of the ends and of adding up only.
        if len(bars) <= MOST_WORDED or i in (0, len(bars) - 1) or name == "sequential":
            words = bar.words
        row, ink = f"end_{name}", bar.bound.ink
        layers.append(
            Dots(row, ink, words, [bar.value], [place])
            if bar.value <= end  # a dot at the end would be a value; an arrow points beyond it
            else Line(row, ink, words, [0.93 * end, end], [place, place], arrow=True)
        )
        ticks.append((place, render(short_of(bar.bound))))
    y = Axis("", range=(-0.7, max(len(bars), 1) - 0.3), ticks=tuple(ticks))
    return Figure(key, title, x, y, tuple(layers), subtitle, source=source)
