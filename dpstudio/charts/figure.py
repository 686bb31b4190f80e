"""A chart as plain data: axes, layers and words. Colours are palette names; text is a message,
translated when shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.values.messages import Message, Translate, Worded, render

Array = NDArray[np.float64]
PART = "/"  # in the key of a layer, between that of another one and which part of it this is


def array(values: ArrayLike) -> Array:
    """A read-only float array."""
    out = np.array(values, dtype=np.float64)
    out.setflags(write=False)
    return out


class Numbers:
    """A field of a layer that takes any numbers in rows and holds them as read-only floats; None
    stands for none.

    It is a descriptor, so that who writes a layer gives what is at hand, and who reads one knows
    what is there.
    """

    def __init__(self, *default: Any):
        self.default: Any = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    if TYPE_CHECKING:  # without it a layer's own numbers are read at no cost, thousands a step

        def __get__(self, layer: Layer | None, owner: type) -> Array: ...

    def __set__(self, layer: Layer, values: ArrayLike) -> None:
        if isinstance(values, Numbers):  # the layer was given none
            values = self.default
        layer.__dict__[self.name] = values if _frozen(values) else array(values)


class MaybeNumbers(Numbers):
    """The same, where there may be none."""

    if TYPE_CHECKING:

        def __get__(  # type: ignore[override]
            self, layer: Layer | None, owner: type
        ) -> Array | None: ...

    def __set__(self, layer: Layer, values: ArrayLike | None) -> None:
        if values is None or isinstance(values, Numbers):
            layer.__dict__[self.name] = None
        else:
            super().__set__(layer, values)


def _frozen(values: object) -> bool:
    """Whether these are read-only floats already, and need no copy."""
    return (
        isinstance(values, np.ndarray) and values.dtype == np.float64 and not values.flags.writeable
    )


@dataclass(frozen=True, eq=False)
class Layer:
    """Something drawn. `key` is stable while the chart moves, so that a view can keep what stands;
    `ink` is a palette name."""

    key: str
    ink: str
    label: Message | str = ""
    # Fields by axis, which a fitted axis holds.
    reaches: ClassVar[Mapping[str, tuple[str, ...]]] = {"x": ("x",), "y": ("y",)}


@dataclass(frozen=True, eq=False)
class Line(Layer):
    """A curve through (x, y); gaps are NaN. `dash`: that of its ink where it is empty, else
    "solid", "dash", "dot", "outside" (where its theorem does not hold, or where it is worse than
    adding up), or the name of another ink. Its name stands at its end, or, `named` "head", above
    its middle. One `behind` lies under dots. `told` follows its name there:
    the value where the chart looks at it. An `arrow` has a head at its last point."""

    x: Numbers = Numbers()
    y: Numbers = Numbers()
    dash: str = ""
    width: float = 2.0
    named: str = "end"
    behind: bool = False
    told: Message | str = ""
    arrow: bool = False


@dataclass(frozen=True, eq=False)
class Area(Layer):
    """A histogram: heights over the intervals between edges, filled down to zero."""

    edges: Numbers = Numbers(0, 1)
    heights: Numbers = Numbers(0)
    opacity: float = 0.28
    reaches = {"x": ("edges",), "y": ("heights",)}


@dataclass(frozen=True, eq=False)
class Ribbon(Layer):
    """What lies between the curves through (x, low) and (x, high): the spread of what is drawn
    over its middle."""

    x: Numbers = Numbers()
    low: Numbers = Numbers()
    high: Numbers = Numbers()
    opacity: float = 0.18
    reaches = {"x": ("x",), "y": ("low", "high")}


@dataclass(frozen=True, eq=False)
class Columns(Layer):
    """Bars of a given width centred at x, from 0 to heights; `low` and `high` are whiskers where
    given."""

    x: Numbers = Numbers()
    heights: Numbers = Numbers()
    width: float = 0.4
    low: MaybeNumbers = MaybeNumbers()
    high: MaybeNumbers = MaybeNumbers()
    reaches = {"x": ("x",), "y": ("heights", "low", "high")}


@dataclass(frozen=True, eq=False)
class Dots(Layer):
    """Points at (x, y). `diameter` is in x units (0: a small fixed marker, that of its ink where
    `marker` names no other).

    `picks` gives for each point the parameters, as (dotted path, value) pairs, that a click on it
    sets; none: not clickable. Dots with a `stack`, (area, place), are equally likely values: they
    are stacked in columns from 0 on, as wide as high whatever the chart's size, with an edge at
    that place; together they have that area, in units of x and y. `tells` has for each point the
    lines that are read of it alone.
    """

    x: Numbers = Numbers()
    y: Numbers = Numbers()
    diameter: float = 0.0
    marker: str = ""
    picks: tuple[tuple[tuple[str, Any], ...], ...] = ()
    stack: tuple[float, float] | None = None
    tells: tuple[tuple[Message, ...], ...] = ()


@dataclass(frozen=True, eq=False)
class Heat(Layer):
    """Cells coloured by value: `values` has shape (len(y) − 1, len(x) − 1) over the edges x and y,
    row 0 at the bottom.

    The colour runs from the ground at `low` to the full ink at `high`; where low < 0 < high, values
    below 0 take the ink `below`.
    """

    x: Numbers = Numbers(0, 1)
    y: Numbers = Numbers(0, 1)
    values: Numbers = Numbers((0,))
    low: float = 0.0
    high: float = 1.0
    below: str = "answer"
    other: Message | str = ""


@dataclass(frozen=True, eq=False)
class Band(Layer):
    """The strip low ≤ x ≤ high, over the whole height."""

    low: float = 0.0
    high: float = 0.0
    reaches = {"x": (), "y": ()}


@dataclass(frozen=True, eq=False)
class Rule(Layer):
    """A line across the chart at x = at (axis "x") or y = at (axis "y"); `told` follows its
    name, a level one's in the column of values."""

    at: float = 0.0
    axis: str = "x"
    dash: str = "solid"
    told: Message | str = ""
    reaches = {"x": (), "y": ()}


@dataclass(frozen=True, eq=False)
class Handle(Layer):
    """A point that a person can drag along x; doing so sets the parameter `sets`, after what it
    `picks` as a dot does."""

    x: float = 0.0
    y: float = 0.0
    sets: str = ""
    picks: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Column:
    """Words beside lanes, one for each in the order of the ticks of y, below a `head`. `inks`: one
    for each, or one for all and the head. It stands at the right, or `left` between names and
    plot; the one that is `strong` gives way last where room is short. A cell may have a curve in
    place of its words, `curves` of points from 0 to 1, `wide` in lines."""

    head: Message | str
    cells: tuple[Message | str, ...]
    inks: tuple[str, ...] = ("text",)
    strong: bool = False
    left: bool = False
    curves: tuple[tuple[tuple[float, float], ...], ...] = ()
    wide: float = 2.7


@dataclass(frozen=True, eq=False)
class Lanes:
    """What makes lanes of the rows of a chart, which the ticks of y name: columns of words, the
    place of the `chosen` one among the ticks (−1: none), an ink for each name where they have some,
    words `under` each where a lane has room for two lines, and points, not drawn, whose lanes can
    be taken: `picks` says what each sets. The mark of a `star` stands in its lane, before the words
    of the columns at the left. The `whole` of which the lanes are parts stands above all, over the
    whole width: the share of each in an ink, by its name."""

    columns: tuple[Column, ...]
    chosen: int = -1
    inks: tuple[str, ...] = ()
    targets: Dots | None = None
    star: Dots | None = None
    under: tuple[Message | str, ...] = ()
    whole: tuple[float, ...] = ()
    ink: str = "text"


@dataclass(frozen=True, eq=False)
class Words(Layer):
    """Texts that stand in the chart, at (x, y) each with its start, middle or end (`anchor`), its
    middle `up` lines above that. They are folded to `room` units of x; what needs more than so many
    `lines`, or is higher than `tall` units of y, is left out. A `mark` is the shape that follows
    each."""

    texts: tuple[Message | str, ...] = ()
    x: Numbers = Numbers()
    y: Numbers = Numbers()
    anchor: str = "middle"
    up: float = 0.0
    room: float = math.inf
    strong: bool = False
    mark: str = ""
    lines: int = 2
    tall: float = math.inf
    reaches = {"x": (), "y": ()}


FITTED = (math.nan, math.nan)


@dataclass(frozen=True)
class Axis:
    """`range` is (low, high) in data units, also on a log axis. `ticks` replaces the numbers by
    words, the one to label first coming first; where `named`, each is the only name of what stands
    there, also where it is a number. On a `whole` axis only integers mean something; on a `floored`
    logarithmic one 0 stands on the low end.

    One without a range is fitted by its figure to what the layers hold, but for bands and rules: it
    goes from 0 to a step of a ladder at least `room` times as high as the highest, below 0 where
    they do, `even` as far as above; a logarithmic one has the powers of ten about them.
    """

    label: Message | str
    log: bool = False
    range: tuple[float, float] = FITTED
    ticks: tuple[tuple[float, str], ...] = ()
    hidden: bool = False
    whole: bool = False
    floored: bool = False
    room: float = 1.08
    even: bool = False
    named: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError for a logarithmic axis that does not lie above 0: nothing would be
        seen on it, and no word said why."""
        if self.log and not (self.loose or 0 < self.range[0] <= self.range[1]):
            raise ValueError(f"a logarithmic axis has a range above 0, unlike {self.range}")

    def worded(self, translate: Translate) -> Axis:
        """This axis with its words in a language."""
        if not any(isinstance(text, Worded) for _, text in self.ticks):
            return self
        said = ((at, render(t, translate) if isinstance(t, Worded) else t) for at, t in self.ticks)
        return replace(self, ticks=tuple(said))

    @property
    def loose(self) -> bool:
        """Whether it is still to be fitted."""
        return self.range is FITTED

    def about(self, values: Array) -> Axis:
        """This axis fitted to numbers; those that are not finite do not count."""
        values = values[np.isfinite(values)]
        if self.log:
            return replace(self, range=decades(values))
        least, most = np.min(values, initial=0.0), np.max(values, initial=0.0)
        if self.even:
            least, most = -max(-least, most), max(-least, most)
        low = -nice_above(-self.room * float(least)) if least < 0 else 0.0
        return replace(
            self, range=(low, nice_above(self.room * float(most)) if most > 0 or not least else 0.0)
        )

    @property
    def floor(self) -> float:
        """Where 0 stands on a floored axis: a little above the low end, so that a point there is
        seen whole."""
        low, high = self.range
        return low * (high / low) ** 0.03 if self.floored and low > 0 else low


@dataclass(frozen=True, eq=False)
class Figure:
    """One chart. `exact` charts hold the exact answer, `simulated` ones draws that are no private
    release; through a `staged` one the player goes step by step, though nothing in it is drawn by
    chance.

    In a `square` chart one unit is as long upwards as across, so that circles are round. `beside`
    names the table beside the first of which it was made too: what it is, by "name", "rows" and
    "sha256". Of layers that are `hushed`, grey and without a name, it keeps the inks. `told` heads
    the values that follow the names of curves. One that leads a page and is `low` stands below the
    small ones there: its axis is the dial of all.
    """

    key: str
    title: Message | str
    x: Axis
    y: Axis
    layers: tuple[Layer, ...]
    subtitle: Message | str = ""
    notes: tuple[Message, ...] = ()
    exact: bool = False
    simulated: bool = False
    source: str = ""
    square: bool = False
    beside: Mapping[str, Any] = field(default_factory=dict)
    staged: bool = False
    lanes: Lanes | None = None
    hushed: tuple[tuple[str, str], ...] = ()
    told: Message | str = ""
    low: bool = False

    def __post_init__(self) -> None:
        for name, axis in (("x", self.x), ("y", self.y)):
            if axis.loose:
                held = (
                    getattr(each, field) for each in self.layers for field in each.reaches[name]
                )
                values = [np.ravel(each) for each in held if each is not None]
                object.__setattr__(self, name, axis.about(np.concatenate([[], *values])))

    def worded(self, translate: Translate) -> Figure:
        """This figure with the words of its axes in a language."""
        x, y = self.x.worded(translate), self.y.worded(translate)
        return self if x is self.x and y is self.y else replace(self, x=x, y=y)

    def layer(self, key: str) -> Any:
        """The layer of that key; KeyError if there is none."""
        for layer in self.layers:
            if layer.key == key:
                return layer
        raise KeyError(key)

    def without(self, hidden: frozenset[str]) -> Figure:
        """The figure without the layers that a person has hidden, and what is PART of them."""
        if not hidden:
            return self
        seen = (each for each in self.layers if each.key.partition(PART)[0] not in hidden)
        return replace(self, layers=tuple(seen))


_LADDER = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def nice_above(value: float) -> float:
    """The smallest step of a 1–1.5–2–3–… ladder that is at least `value` > 0: axes then jump rarely
    while a slider moves."""
    if not np.isfinite(value) or value <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(value))
    for rung in _LADDER:
        if value <= rung * power * (1 + 1e-12):
            return float(rung * power)
    return float(10 * power)


def decades(values: Array) -> tuple[float, float]:
    """Powers of ten about what is above 0, at most nine of them: what is smaller lies on the
    floor."""
    positive = values[values > 0]
    if not len(positive):
        return 0.1, 10.0
    low, high = np.log10(positive.min()) - 0.05, np.log10(positive.max()) + 0.05
    high = float(10.0 ** np.ceil(high))
    return max(float(10.0 ** np.floor(low)), high * 1e-9), high
