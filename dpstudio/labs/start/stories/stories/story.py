"""What a tale is: a small story about privacy with parameters of its own, told in figures, facts,
sentences and a shown table."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from dpstudio.charts.figure import Axis, Columns, Figure, Layer, Line, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import SCREEN, Effort
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.values.messages import Message, say, worded
from dpstudio.values.parameters import Parameters
from dpstudio.values.problem import Problem


@dataclass(frozen=True)
class Telling:
    """What a tale is told from: the table, the draws, and whether exact answers may be shown."""

    data: Dataset
    seed: int
    trials: int
    show_truth: bool
    effort: Effort = SCREEN


@dataclass(frozen=True, eq=False)
class Tale:
    """A story as it is told at its parameters; `headline` names the sentences that lead."""

    figures: tuple[Figure, ...]
    facts: tuple[Fact, ...]
    sentences: tuple[Sentence, ...]
    table: Table
    headline: tuple[str, ...]


class Story(Parameters):
    """Base of the tales. A member gives `tell`."""

    help: ClassVar[str] = ""

    def tell(self, telling: Telling) -> Tale:
        """All that is said and drawn, from the table and the draws of `telling`."""
        raise NotImplementedError

    def problems(self, data: Dataset) -> Iterator[Problem]:
        """Why this table cannot tell it, at a field of the tale."""
        yield from ()

    def suited(self, data: Dataset) -> Self:
        """The nearest tale that this table can tell."""
        return self


@dataclass(frozen=True)
class NoiseCurve:
    """The density of one noise: its key, ink, name, law, dash and weight; it stands about
    `centre`."""

    key: str
    ink: str
    label: Message
    law: Law
    dash: str = ""
    centre: float = 0.0
    width: float = 2.0


@dataclass(frozen=True)
class Bar:
    """One bar: its key and ink, the label along its upper edge, its height."""

    key: str
    ink: str
    label: Message
    height: float


def deviation(law: Law) -> float:
    """The standard deviation of a law."""
    return math.sqrt(law.variance)


def noise_chart(
    title: Message,
    subtitle: Message,
    x_label: Message,
    curves: tuple[NoiseCurve, ...],
    source: str,
    effort: Effort,
) -> Figure:
    """The exact densities of several noises over each other."""
    reach = nice_above(
        1.05 * float(np.median([c.law.half_width(0.97) for c in curves]))
        + max(abs(c.centre) for c in curves)
    )
    x = np.linspace(-reach, reach, effort.of_points(401))
    layers: list[Layer] = []
    for c in curves:
        at = np.sort(np.append(x, c.centre)) if abs(c.centre) < reach else x
        y = c.law.density(at - c.centre)
        layers.append(Line(c.key, c.ink, c.label, at, y, c.dash, c.width))
    return Figure(
        "noise",
        title,
        Axis(x_label, range=(-reach, reach)),
        Axis(say("density"), room=1.05, hidden=True),
        tuple(layers),
        subtitle,
        source=source,
    )


def bars_chart(
    key: str,
    title: Message,
    subtitle: Message,
    y_label: Message,
    bars: tuple[Bar, ...],
    source: str,
    names: tuple[str, ...] = (),
    x_label: Message | str = "",
) -> Figure:
    """Bars at 0, 1, …; short `names` may stand below them."""
    layers: list[Layer] = []
    for i, bar in enumerate(bars):
        layers.append(Columns(bar.key, bar.ink, "", [float(i)], [bar.height], 0.62))
        # The name runs along the upper edge of its bar.
        edge, height = [i - 0.4, i + 0.4], [bar.height, bar.height]
        layers.append(
            Line(f"{bar.key}_name", bar.ink, bar.label, edge, height, width=1.5, named="head")
        )
    return Figure(
        key,
        title,
        Axis(
            x_label,
            range=(-0.7, len(bars) - 0.3),
            hidden=not names,
            ticks=tuple((float(i), worded(name)) for i, name in enumerate(names)) or ((-0.7, ""),),
        ),
        Axis(y_label, room=1.22),
        tuple(layers),
        subtitle,
        source=source,
    )


def shown_table(
    key: str,
    title: Message,
    columns: tuple[tuple[str, Message, tuple[object, ...]], ...],
    *,
    exact: bool = False,
) -> Table:
    """A table beside the charts: (key, head, cells) of each column."""
    return Table(
        key,
        title,
        tuple((name, cells) for name, _, cells in columns),
        shown=True,
        heads=tuple(head for _, head, _ in columns),
        exact=exact,
    )
