"""The sensitivity inspector's charts: the row that moves on a picture of the column, the norms of
that, and the noise it asks for."""

import numpy as np

from dpstudio.charts.figure import Area, Axis, Columns, Dots, Figure, Layer, Line, array, nice_above
from dpstudio.labs.one_answer.sensitivity import column
from dpstudio.labs.one_answer.sensitivity import model as sensitivity
from dpstudio.labs.winners import besides_first, listed, tiers
from dpstudio.privacy.mechanisms.additive import Additive
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES
from dpstudio.values.messages import N_, Message, Num, plain, say

# The height of the row that moves, over the highest bar, and of the chart.
_ROW, _TOP = 1.14, 1.3
# Bars in px, and the dots on them as a share of the axis.
_BAR, _DOT = 10.0, 0.016


def move_chart(model: sensitivity.SensitivityModel) -> Figure:
    """The worst pair of neighbours: the row that moves, on a picture of what is asked."""
    picture = column.column_picture(model)
    x, y, layers = _parts(model) if picture is None else _column(picture)
    return Figure(
        "move",
        say("The neighbour that moves it most"),
        x,
        y,
        tuple(layers),
        sensitivity.mover(model).what,
        exact=model.lab.show_truth,
        source=type(model.lab.query).source,
    )


def _column(picture: column.ColumnPicture) -> tuple[Axis, Axis, list[Layer]]:
    """The rows of a column, and above them the one that moves."""
    low, high = float(picture.edges[0]), float(picture.edges[-1])
    layers: list[Layer] = []
    peak = 1.0
    if picture.counted is not None:
        sides = [picture.counted]
        if picture.others is not None:
            sides.append(picture.others)
            layers.append(Area("others", "muted", say("other rows"), picture.edges, sides[1]))
        label = say("rows that count")
        layers.append(Area("rows", "truth", label, picture.edges, sides[0]))
        peak = max(1.0, *(float(side.max()) for side in sides))
    layers += _row(picture, _ROW * peak, 0.025 * (high - low), 0.02 * peak)
    beyond = 0.03 * (high - low)
    return (
        Axis(plain(picture.column), range=(low - beyond, high + beyond)),
        Axis(say("rows"), range=(0.0, _TOP * peak), hidden=picture.counted is None),
        layers,
    )


def _row(picture: column.ColumnPicture, y: float, across: float, up: float) -> list[Layer]:
    """The row that moves: upright where it stands on this table and on the neighbour, an arrow
    between; the tip of the arrow is `across` long and `up` high on either side."""
    before, after = picture.before, picture.after
    layers: list[Layer] = []
    if before is not None and after is not None:
        back = after - across * np.sign(after - before)
        layers.append(
            Line(
                "moves", "second", "",
                [before, after, np.nan, back, after, back], [y, y, np.nan, y + up, y, y - up],
            )
        )  # fmt: skip
    told = {"before": N_("this row at {value}"), "after": N_("in the neighbour at {value}")}
    if before is None:
        told["after"] = N_("this row, at {value}, is there or not")
    if after is None:
        told["before"] = N_("this row, at {value}, gives way to one that does not count")
    for key, ink, at in (("before", "first", before), ("after", "second", after)):
        if at is not None:
            words = say(told[key], value=Num(at, 6))
            layers.append(Line(key, ink, words, [at, at], [0.0, y]))
            block = [at - 0.2 * across, at + 0.2 * across]
            layers.append(Line(f"{key}_row", ink, "", block, [y, y], width=_BAR))
    return layers


def _parts(model: sensitivity.SensitivityModel) -> tuple[Axis, Axis, list[Layer]]:
    """A row for each number of the answer, and on those that the neighbour changes by how much."""
    picture = column.parts_picture(model)
    shifts, base = picture.shifts, np.zeros(picture.laid.count)
    y = np.arange(len(shifts), dtype=np.float64)
    layers: list[Layer] = []
    if picture.values is not None:
        base, gaps = np.asarray(picture.values), np.full(len(y), np.nan)
        bars = np.column_stack([np.zeros(len(y)), base, gaps]).ravel()
        layers.append(Line("rows", "muted", "", bars, np.repeat(y, 3), width=_BAR))
    less, more = np.flatnonzero(shifts < 0), np.flatnonzero(shifts > 0)
    ends = base + shifts
    seen = np.append(ends, base)
    top = nice_above(1.06 * float(np.max(seen, initial=0.0)) or 1.0)
    least = float(np.min(seen, initial=0.0))
    bottom = nice_above(-1.06 * least) if least < 0 else 0.0
    if len(less) == len(more) == 1:
        i, j = int(less[0]), int(more[0])
        layers.append(Line("moves", "second", "", [ends[i], ends[j]], [y[i], y[j]], width=1.5))
    for key, ink, these in (("less", "first", less), ("more", "second", more)):
        if len(these):
            words = _by(shifts[these])
            layers.append(Dots(key, ink, words, ends[these], y[these], _DOT * (top + bottom)))
            if picture.values is None:
                bare = np.column_stack([base[these], ends[these], np.full(len(these), np.nan)])
                layers.append(Line(f"{key}_by", ink, "", bare.ravel(), np.repeat(y[these], 3)))
    unit = sensitivity.measured_name(model)
    label = say("{name}", name=unit) if picture.values is not None else say("change by one person")
    return (
        Axis(label, range=(-bottom, top)),
        Axis("", range=(-0.7, len(y) - 0.3), ticks=picture.laid.ticks(picture.labels)),
        layers,
    )


def _by(shifts: np.ndarray) -> Message:
    """By how much some numbers change, where it is as much for all of them."""
    first = float(shifts[0])
    if np.ptp(shifts) > 1e-9 * abs(first):
        return Message(N_("less in the neighbour") if first < 0 else N_("more in the neighbour"))
    return say("{by} in the neighbour", by=Num(first, 4, "up" if first > 0 else "down", sign=True))


def norms_chart(model: sensitivity.SensitivityModel) -> tuple[Figure, ...]:
    """L1, L2 and L∞ under both adjacencies, side by side; nothing for one number, for which they
    are the same."""
    if len(model.measurement.values) == 1:
        return ()
    layers: list[Layer] = []
    for i, (key, label) in enumerate(ADJACENCIES.items()):
        s = sensitivity.sensitivity_under(model, key)
        if s is None:
            continue
        heights = array([s.l1, s.l2, s.linf])
        ink = "first" if key == ADD_REMOVE else "second"
        layers.append(
            Columns(
                f"norms_{key}", ink, Message(label), np.arange(3) + (i - 0.5) * 0.36, heights, 0.32
            )
        )
    ticks = ((0.0, "L1"), (1.0, "L2"), (2.0, "L∞"))
    norms = say("added up (L1), as a length (L2), at most one (L∞)")
    return (
        Figure(
            "norms",
            say("How far in all"),
            Axis(norms, range=(-0.6, 2.6), ticks=ticks),
            Axis(say("largest change"), room=1.15),
            tuple(layers),
            say("by one person, under both kinds of neighbours"),
            source=type(model.lab.query).source,
        ),
    )


def _named(equals: list[tuple[Additive, float]]) -> Message:
    """Two by their names, more by the first of them."""
    names = [Message(m.label) for m, _ in equals]
    if len(names) < 3:
        return listed(names)
    return say("{name} and {n} {n:other|others}", name=names[0], n=Num(besides_first(names)))


def noise_chart(model: sensitivity.SensitivityModel) -> Figure:
    """What the sensitivity costs: the noise that each mechanism puts on one number, the least on
    top; those that put as much on it share a row."""
    ranked = tiers(sensitivity.noises(model), lambda pair: pair[1])[::-1]
    layers: list[Layer] = []
    for i, equals in enumerate(ranked):
        first, most = equals[0][0], max(sd for _, sd in equals)
        layers.append(Line(f"stem_{first.key}", first.ink, _named(equals), [0.0, most], [i, i]))
        layers += (Dots(f"noise_{m.key}", m.ink, "", [sd], [i]) for m, sd in equals)
    text = N_("at ε = {epsilon}, δ = {delta}, all of it for this measurement")
    return Figure(
        "noise",
        say("The noise it asks for"),
        Axis(say("standard deviation of one number")),
        Axis("", range=(-0.7, len(ranked) - 0.3), hidden=True),
        tuple(layers),
        say(text, epsilon=Num(model.lab.epsilon, 5), delta=Num(model.lab.delta, 3, "up")),
        source="; ".join(m.source for m, _ in sensitivity.noises(model)),
    )
