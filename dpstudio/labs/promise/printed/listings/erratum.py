"""What an erratum is: a formula as it is printed beside the right one, declared as texts, numbers
and pairs of curves."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import (
    Array,
    Axis,
    Columns,
    Figure,
    Handle,
    Layer,
    Line,
    Ribbon,
    Words,
    array,
    nice_above,
)
from dpstudio.labs.context import SCREEN, Effort
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import Message, Num, say
from dpstudio.values.parameters import Parameters

PRINTED, CORRECTED = "printed_", "corrected_"
NONE, NOT_PRINTED = say("none"), say("not printed")
VERSIONS = (say("as printed"), say("corrected"))
REAL_EPSILON = say("real ε")
DEVIATION = say("standard deviation of the noise")

Curve = Callable[[Array], ArrayLike]
Remember = Callable[[Hashable, Callable[[], Any]], Any]
YAxis = Axis | Callable[[Array, Array], Axis]


@dataclass(frozen=True)
class Row:
    """One quantity as printed and corrected; each is a Num or a message."""

    key: str
    label: Message
    printed: Num | Message
    corrected: Num | Message


@dataclass(frozen=True, eq=False)
class Case:
    """What an erratum comes to at its parameters.

    `tone` judges the printed version: "good" where it happens to be right, "warn" where it is
    private but wrong, "bad" where the promise is broken. `values` are the numbers of all texts.
    Layers whose key starts with `printed_` or `corrected_` belong to one side of the switch.
    `follows` and `proof` take the place of the erratum's own; `audited` are the local channels, as
    printed and corrected.
    """

    tone: str
    values: Mapping[str, Num | Message]
    rows: tuple[Row, ...]
    figures: tuple[Figure, ...]
    follows: str = ""
    proof: tuple[str | Message, ...] = ()
    audited: tuple[Subject, Subject] | None = None


@dataclass(frozen=True)
class Draws:
    """What a simulation needs: `remember(key, answer)` works an answer out once."""

    seed: int
    trials: int
    remember: Remember
    effort: Effort = SCREEN


class Erratum(Parameters):
    """Base of the errata: `source` names the text, `wrong` says what is wrong with it, `right` what
    it should be or what else is wrong, `follows` what that means (by the tone of the case), `proof`
    why it breaks its promise (told where it does). A member gives its `case`."""

    wrong: ClassVar[str] = ""
    right: ClassVar[str] = ""
    follows: ClassVar[Mapping[str, str]] = {}
    proof: ClassVar[tuple[str, ...]] = ()

    def case(self, draws: Draws) -> Case:
        """The tone, numbers, rows and charts of the erratum at its parameters."""
        raise NotImplementedError


@dataclass(frozen=True)
class Along:
    """What curves run along: the parameter that their handles set (none where it is empty), an
    axis, and `points` points from `low` to `high`, evenly apart on that axis."""

    sets: str
    axis: Axis
    low: float
    high: float
    points: int

    def x(self, effort: Effort) -> Array:
        """The points, fewer at less effort; shape (k,)."""
        spaced = np.geomspace if self.axis.log else np.linspace
        return np.asarray(spaced(self.low, self.high, effort.of_points(self.points)))


def epsilons(points: int = 97, sets: str = "epsilon") -> Along:
    """Along the declared ε."""
    axis = Axis(say("declared ε"), log=True, range=(0.9 * EPSILON.low, 57.0))
    return Along(sets, axis, EPSILON.low, EPSILON.high, points)


def about(label: Message, least: float = 0.0, most: float = np.inf) -> YAxis:
    """A log axis about both curves, within `least` and `most`."""
    return lambda was, now: Axis(label, log=True, range=decades(was, now, least=least, most=most))


def from_zero(label: Message) -> YAxis:
    """An axis from 0 to a rung above both curves."""
    return lambda was, now: Axis(label, range=linear(was, now))


def compared(
    erratum: Erratum,
    draws: Draws,
    key: str,
    title: Message,
    along: Along,
    y: YAxis,
    was: Curve,
    now: Curve,
    under: Message,
    *,
    names: tuple[Message, Message] = VERSIONS,
    notes: tuple[Layer, ...] = (),
    heights: tuple[float, float] | None = None,
    source: str = "",
) -> Figure:
    """The printed curve and the corrected one, with a handle on each that has a height: that of
    the curve, or what `heights` says. `was` and `now` take points along the axis, shape (k,)."""
    x = along.x(draws.effort)
    curves = np.asarray(was(x), dtype=np.float64), np.asarray(now(x), dtype=np.float64)
    held: tuple[Handle, ...] = ()
    if along.sets:
        at = float(getattr(erratum, along.sets))
        if heights is None:
            before, after = (np.ravel(np.asarray(curve(np.array([at])))) for curve in (was, now))
            heights = float(before[0]), float(after[0])
        held = tuple(h for h in handles(along.sets, at, *heights) if np.isfinite(h.y))
    axis = y if isinstance(y, Axis) else y(*curves)
    told = _told(axis, held)
    return Figure(
        key,
        title,
        along.axis,
        _holding(axis, held),
        (
            replace(printed(key, names[0], x, curves[0]), told=told[0]),
            replace(corrected(key, names[1], x, curves[1]), told=told[1]),
            *notes,
            *held,
        ),
        under,
        source=source or erratum.source,
        told=say("at {x}", x=Num(held[0].x, 5)) if held else "",
    )


def _told(axis: Axis, held: tuple[Handle, ...]) -> tuple[Message, Message]:
    """What both curves come to at their handles, where that is an ε or the size of noise: what is
    spent is rounded up."""
    if len(held) < 2 or axis.label not in (REAL_EPSILON, DEVIATION):
        return Message(""), Message("")
    costs = axis.label == REAL_EPSILON
    was, now = Num(held[0].y, 3, "up" if costs else "near"), Num(held[1].y, 5 if costs else 3)
    return say("{x}", x=was), say("{x}", x=now)


def spent(
    erratum: Erratum,
    draws: Draws,
    real: Curve,
    notes: tuple[Layer, ...] = (),
    sets: str = "epsilon",
) -> Figure:
    """The ε that the printed noise `real`ly costs, against the declared one; corrected they are the
    same. Where it costs more, what lies between is filled, and said at the handle."""
    x = epsilons().x(draws.effort)
    costs = np.asarray(real(x), dtype=np.float64)
    more = np.where(costs > x, x, np.nan)
    over = (Ribbon(f"{PRINTED}over", "second", "", x, more, costs), *_times(erratum, real, sets))
    return compared(
        erratum,
        draws,
        "spent",
        say("Privacy really spent"),
        epsilons(sets=sets),
        about(REAL_EPSILON, 1e-6, 1e5),
        real,
        lambda x: x,
        say("filled: more is spent than is declared"),
        notes=(*notes, *over),
    )


def _times(erratum: Erratum, real: Curve, sets: str) -> tuple[Layer, ...]:
    """An arrow from what is declared to what is spent, where that is ten times as much or more,
    and how many times."""
    declared = np.array([getattr(erratum, sets)] if sets else [], dtype=np.float64)
    costs = np.asarray(real(declared), dtype=np.float64)
    if not (costs >= 10 * declared).any():
        return ()
    text = say("× {times}", times=Num(float(costs[0] / declared[0]), 3))
    x, ends = np.repeat(declared, 2), np.append(declared, costs)
    beside, middle = 1.12 * declared, np.sqrt(declared * costs)
    return (
        Line(f"{PRINTED}gap", "second", "", x, ends, "solid", 2.0, arrow=True),
        Words(f"{PRINTED}times", "second", "", (text,), beside, middle, "start", strong=True),
    )


def printed(key: str, label: Message | str, x: ArrayLike, y: ArrayLike) -> Line:
    """The curve of the text."""
    return Line(PRINTED + key, "second", label, x, y)


def corrected(
    key: str, label: Message | str, x: ArrayLike, y: ArrayLike, ink: str = "first"
) -> Line:
    """A right curve."""
    return Line(CORRECTED + key, ink, label, x, y)


def handles(sets: str, x: float, was: float, now: float) -> tuple[Handle, Handle]:
    """A handle on either curve; both set the same parameter of the erratum."""
    label = say("{x}", x=Num(x, 5))
    return (
        Handle(f"{PRINTED}at_{sets}", "second", "", x, was, f"erratum.{sets}"),
        Handle(f"{CORRECTED}at_{sets}", "first", label, x, now, f"erratum.{sets}"),
    )


def pairs(
    key: str, was: ArrayLike, now: ArrayLike, names: tuple[Message, Message] = VERSIONS
) -> tuple[Columns, Columns]:
    """Bars of both versions side by side at 0, 1, …"""
    was, now = array(was), array(now)
    x = np.arange(len(was), dtype=np.float64)
    return (
        Columns(f"{PRINTED}{key}", "second", names[0], x - 0.2, was, 0.36),
        Columns(f"{CORRECTED}{key}", "first", names[1], x + 0.2, now, 0.36),
    )


def _holding(axis: Axis, held: tuple[Handle, ...]) -> Axis:
    """The axis, longer where it would end before a handle: that is to be dragged."""
    (low, high), beyond = axis.range, [h.y for h in held if h.y > 0]
    if beyond and max(beyond) > high:
        high = (decades if axis.log else linear)(max(beyond))[1]
    if beyond and axis.log and min(beyond) < low:
        low = decades(min(beyond))[0]
    return replace(axis, range=(low, high))


def decades(*curves: ArrayLike, least: float = 0.0, most: float = np.inf) -> tuple[float, float]:
    """Powers of ten about all finite positive values, within `least` and `most`."""
    values = np.concatenate([np.ravel(np.asarray(curve, dtype=np.float64)) for curve in curves])
    values = np.clip(values[np.isfinite(values) & (values > 0)], max(least, 1e-300), most)
    low, high = (
        10.0 ** np.floor(np.log10(values.min()) - 0.05),
        10.0 ** np.ceil(np.log10(values.max()) + 0.05),
    )
    return float(low), float(high)


def linear(*curves: ArrayLike) -> tuple[float, float]:
    """0 to a rung above all finite values."""
    values = np.concatenate([np.ravel(np.asarray(curve, dtype=np.float64)) for curve in curves])
    return 0.0, nice_above(1.05 * float(np.max(values[np.isfinite(values)], initial=1e-300)))
