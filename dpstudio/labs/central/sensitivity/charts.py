"""The sensitivity inspector's charts: the largest move, its norms, the noise it asks for, and the
people of this table."""

from __future__ import annotations

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Axis,
    Columns,
    Dots,
    Figure,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.central.sensitivity.model import (
    EDGES,
    SensitivityModel,
    counted_column,
    labels,
    middle_and_bound,
    mover,
    noises,
    people,
    under,
)
from dpstudio.labs.question import MEASURED
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES
from dpstudio.values.messages import N_, Num, Say, plain, say

_BARS = 24


def move_chart(model: SensitivityModel) -> Figure:
    """By how much the worst neighbour changes each number of the answer."""
    shift = dict(mover(model).shifts[model.place])
    names = labels(model)
    # What moves, and where there is room what does not.
    places = sorted(shift)[:_BARS]
    places += [i for i in range(len(names)) if i not in shift][
        : max(0, min(_BARS, len(names)) - len(places))
    ]
    places.sort()
    change = np.array([shift.get(i, 0.0) for i in places])
    top = nice_above(1.1 * float(np.max(np.abs(change), initial=0.5)))
    low = -top if change.min(initial=0) < 0 else 0.0
    x = np.arange(len(places), dtype=np.float64)
    ticks = (
        tuple((float(i), names[place]) for i, place in enumerate(places))
        if len(names) > 1
        else ((0.0, ""),)
    )
    bars = Columns("change", "first", "", x, change, 0.6 if len(places) > 1 else 0.25)
    return Figure(
        "move",
        say("The neighbour that moves it most"),
        Axis(Say(MEASURED[model.measurement.name]), range=(-0.6, len(places) - 0.4), ticks=ticks),
        Axis(say("change by one person"), range=(low, top)),
        (bars,),
        mover(model).what,
        source=type(model.lab.query).source,
    )


def norms_chart(model: SensitivityModel) -> Figure:
    """L1, L2 and L∞ under both adjacencies, side by side."""
    layers: list[Layer] = []
    tops = []
    for i, (key, label) in enumerate(ADJACENCIES.items()):
        asked = under(model, key)
        if asked is None:
            continue
        s = asked.measurements[min(model.place, len(asked.measurements) - 1)].sensitivity
        heights = array([s.l1, s.l2, s.linf])
        tops.append(float(heights.max()))
        ink = "first" if key == ADD_REMOVE else "second"
        layers.append(
            Columns(f"norms_{key}", ink, Say(label), np.arange(3) + (i - 0.5) * 0.36, heights, 0.32)
        )
    return Figure(
        "norms",
        say("Sensitivity"),
        Axis(say("norm"), range=(-0.6, 2.6), ticks=((0.0, "L1"), (1.0, "L2"), (2.0, "L∞"))),
        Axis(
            say("largest change of the {name}", name=Say(MEASURED[model.measurement.name])),
            range=(0.0, nice_above(1.15 * max(tops))),
        ),
        tuple(layers),
        say("under both kinds of neighbours"),
    )


def noise_chart(model: SensitivityModel) -> Figure:
    """What the sensitivity costs: the noise that each mechanism puts on one number, the least on
    top."""
    ranked = sorted(noises(model), key=lambda pair: -pair[1])
    layers: list[Layer] = []
    for i, (m, sd) in enumerate(ranked):
        layers.append(Line(f"stem_{m.key}", m.ink, "", [0.0, sd], [i, i]))
        layers.append(Dots(f"noise_{m.key}", m.ink, "", [sd], [i]))
    ticks = tuple((float(i), m.label) for i, (m, _) in reversed(list(enumerate(ranked))))
    text = N_("at ε = {epsilon}, δ = {delta}, all of it for this measurement")
    return Figure(
        "noise",
        say("The noise it asks for"),
        Axis(say("standard deviation of one number"), range=(0.0, nice_above(1.08 * ranked[0][1]))),
        Axis("", range=(-0.7, len(ranked) - 0.3), ticks=ticks),
        tuple(layers),
        say(text, epsilon=Num(model.lab.epsilon, 5), delta=Num(model.lab.delta, 3, "up")),
        source="; ".join(m.source for m, _ in noises(model)),
    )


def people_chart(model: SensitivityModel) -> tuple[Figure, ...]:
    """How far each person of this table moves a sum, against the bound that must hold for everyone
    who could be in it."""
    query = counted_column(model)
    if query is None:
        return ()
    _, bound = middle_and_bound(model, query)
    counts = people(model, query)
    layers: tuple[Layer, ...] = (
        Area("people", "truth", "", np.arange(EDGES + 1) * (bound / EDGES), counts),
        Rule("bound", "limit", say("bound {bound}", bound=Num(bound, 4, "up")), bound),
    )
    return (
        Figure(
            "people",
            say("The people of this table"),
            Axis(
                say("how far one person moves the sum of {column}", column=plain(query.column)),
                range=(0.0, nice_above(1.05 * bound)),
            ),
            Axis(say("rows"), range=(0.0, nice_above(1.05 * float(max(1, counts.max()))))),
            layers,
            say("noise must hide the bound, not the people who happen to be here"),
            exact=True,
        ),
    )
