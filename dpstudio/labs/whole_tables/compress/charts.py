"""Compress' charts of who tells what: the trade of every way, by the number of directions, by
attacker, and which directions come first."""

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Ribbon, Rule
from dpstudio.labs.percents import percent_axis
from dpstudio.labs.whole_tables.compress import beside
from dpstudio.labs.whole_tables.compress.lost import RATIOS, law, signed
from dpstudio.labs.whole_tables.compress.model import (
    CompressModel,
    Trade,
    banded,
    commonest,
    held,
    k_of,
    label_name,
    most,
    shown_ways,
    told_here,
    trade,
    unprojected,
    way_of,
)
from dpstudio.labs.whole_tables.compress.parameters import QUICK, SLOW
from dpstudio.privacy.compression.projections import PRIVACY, UTILITY
from dpstudio.values.messages import Message, Num, say

INKS = {
    "inverse": "second",
    "centre": "third",
    "decoder": "staircase",
    "linear": "laplace",
    "neighbours": "gaussian",
    "logistic": "discrete_gaussian",
}
PRIVATE, PRIVATE_ROWS = "second", "third"
_NAMED = 6  # curves of one chart, each with its name


def notes(model: CompressModel) -> tuple[Message, ...]:
    """What qualifies the bounds."""
    if not held(model).unattested:
        return ()
    return (say("The bounds come from the data: this choice is not private."),)


def trade_chart(model: CompressModel) -> Figure:
    """Utility told right against privacy told right, a dot for each number of directions."""
    mine, layers = model.lab.way.key, list[Layer]()
    for key, ink, text, found in reversed(list(islice(_curves(model), _NAMED))):
        layers += _curve(model, key, ink, text, found, chosen=key == mine)
    utility, privacy = told_here(model)
    layers.append(Dots("here", "truth", "", [privacy], [utility], marker="answer"))
    layers += _bounds(model)
    low, high = _range(layers, "x"), _range(layers, "y")
    return Figure(
        "trade",
        say("What is told and given away"),
        percent_axis(say("accuracy on {label}", label=label_name(model, PRIVACY)), *low),
        percent_axis(say("accuracy on {label}", label=label_name(model, UTILITY)), *high),
        tuple(layers),
        say(
            "bars: {share} of {n} {n:split|splits}",
            share=Num(banded(), 3, percent=True),
            n=Num(model.splits),
        ),
        simulated=True,
    )


def _curves(model: CompressModel) -> Iterator[tuple[str, str, Message, Trade]]:
    """Key, ink, name and trade of what is drawn, the chosen way first; the last are left out where
    there would be more names than can be read."""
    mine = model.lab.way.key
    for key in sorted(shown_ways(model), key=lambda key: key != mine):
        way = way_of(model, key)
        yield key, way.ink, Message(way.short), trade(model, way, model.lab.attacker)
    if model.stage and beside.can_be_private(model):
        yield "private_rows", PRIVATE_ROWS, say("private rows"), beside.private_rows(model)
        text, found = say("private directions"), beside.private_directions(model)
        yield "private", PRIVATE, text, found


def _curve(
    model: CompressModel, key: str, ink: str, text: Message, found: Trade, *, chosen: bool
) -> list[Layer]:
    utility, privacy = found.middle
    picks = tuple((("way", key), ("k", k)) for k in found.ks) if key in shown_ways(model) else ()
    single = len(found.ks) == 1
    made: list[Layer] = [
        Dots(f"{key}_dots", ink, text if single else "", privacy, utility, picks=picks)
    ]
    if not single:
        made = [Line(key, ink, text, privacy, utility, width=2.6 if chosen else 1.4), *made]
    if not chosen:
        return made
    (low_u, low_p), _, (high_u, high_p) = found.band
    gap = np.full(len(utility), np.nan)
    across = np.column_stack([low_p, high_p, gap]).ravel(), np.repeat(utility, 3)
    up = np.repeat(privacy, 3), np.column_stack([low_u, high_u, gap]).ravel()
    bars = [
        Line(f"{key}_across", ink, "", *across, dash="solid", width=1.0, behind=True),
        Line(f"{key}_up", ink, "", *up, dash="solid", width=1.0, behind=True),
    ]
    return [*bars, *made]


def _bounds(model: CompressModel) -> list[Layer]:
    (crowd_u, crowd_p), (full_u, full_p) = commonest(model), unprojected(model)
    return [
        Rule("crowd_privacy", "muted", say("majority class"), crowd_p, dash="dot"),
        Rule("crowd_utility", "muted", "", crowd_u, axis="y", dash="dot"),
        Rule("full_privacy", "truth", say("whole rows"), full_p),
        Rule("full_utility", "truth", "", full_u, axis="y"),
    ]


def _range(layers: list[Layer], axis: str) -> tuple[float, float]:
    """About all that is drawn, to whole steps of 2 %."""
    values: list[float] = []
    for layer in layers:
        if isinstance(layer, Rule):
            values += [layer.at] if layer.axis == axis else []
        elif isinstance(layer, Line | Dots):
            values += getattr(layer, axis).tolist()
    low, high = np.nanmin(values), np.nanmax(values)
    edge = max(0.04 * (high - low), 0.005)
    return (
        max(0.0, math.floor(50 * (low - edge)) / 50),
        min(1.02, math.ceil(50 * (high + edge)) / 50),
    )


def by_k_chart(model: CompressModel) -> Figure:
    """Both accuracy on labels by the number of directions of the chosen way, with bands."""
    way = model.lab.way
    found = trade(model, way, model.lab.attacker)
    (low_u, low_p), (mid_u, mid_p), (high_u, high_p) = found.band
    (crowd_u, crowd_p), k = commonest(model), k_of(model)
    layers: list[Layer] = [
        Ribbon("utility_band", way.ink, "", found.ks, low_u, high_u),
        Ribbon("privacy_band", "second", "", found.ks, low_p, high_p),
        Line("utility", way.ink, _plain(label_name(model, UTILITY)), found.ks, mid_u, width=2.6),
        Line("privacy", "second", _plain(label_name(model, PRIVACY)), found.ks, mid_p, width=2.6),
        Dots("utility_dots", way.ink, "", found.ks, mid_u),
        Dots("privacy_dots", "second", "", found.ks, mid_p),
        Rule("crowd_utility", way.ink, say("majority class"), crowd_u, axis="y", dash="dot"),
        Rule("crowd_privacy", "second", "", crowd_p, axis="y", dash="dot"),
    ]
    name = say("K = {k}", k=Num(k))
    layers.append(Handle("here", way.ink, name, float(k), told_here(model)[0], "k"))
    low, high = _range(layers, "y")
    return Figure(
        "by_k",
        say("{way}, by the number of directions", way=Message(way.short)),
        k_axis(most(model, way)),
        percent_axis(say("accuracy"), low, high),
        tuple(layers),
        say("dotted: the majority class"),
        simulated=True,
    )


def _plain(name: Message | str) -> Message:
    return name if isinstance(name, Message) else say("{name}", name=name)


def k_axis(top: int, low: float = 1.0) -> Axis:
    """Numbers of directions."""
    return Axis(say("directions K"), log=True, range=(0.85 * low, max(1.2 * top, 2.5)), whole=True)


def attackers_chart(model: CompressModel) -> Figure:
    """How often each attacker tells the hidden label right by the number of directions."""
    layers = list[Layer]()
    for name in beside.strengths(model):
        ks, right = beside.told_by(model, name)
        middle = np.median(right, axis=1)
        layers.append(Line(name, INKS[name], Message({**QUICK, **SLOW}[name]), ks, middle))
        if name in SLOW:
            layers.append(Dots(f"{name}_dots", INKS[name], "", ks, middle))
    crowd, full = commonest(model)[PRIVACY], unprojected(model)[PRIVACY]
    layers += [
        Rule("crowd", "muted", say("majority class"), crowd, axis="y", dash="dot"),
        Rule("full", "truth", say("whole rows"), full, axis="y"),
    ]
    low, high = _range(layers, "y")
    return Figure(
        "attackers",
        say("What attackers tell of {label}", label=label_name(model, PRIVACY)),
        k_axis(most(model, model.lab.way)),
        percent_axis(say("accuracy"), low, high),
        tuple(layers),
        say("from {way}", way=Message(model.lab.way.short)),
        simulated=True,
        source="Kung 2017; Cover & Hart 1967",
    )


def law_chart(model: CompressModel) -> Figure:
    """The eigenvalue of a direction in which classes do not differ, by its variance: a formula,
    which no row has a part in."""
    minus, plus = signed(model, -1), signed(model, 1)
    layers: tuple[Layer, ...] = (
        Line("plus", "gaussian", say("ρ′ > 0"), RATIOS, law(plus.rho_prime)),
        Line("minus", "laplace", say("ρ′ < 0"), RATIOS, law(minus.rho_prime)),
        Rule("none", "muted", say("ρ′ = 0"), 1.0, axis="y", dash="dot"),
    )
    size = plus.rho_prime
    return Figure(
        "law",
        say("Which directions come next"),
        Axis(say("variance along it, in ρ"), log=True, range=(float(RATIOS[0]), float(RATIOS[-1]))),
        Axis(say("eigenvalue"), range=(1 - 1.15 * size, 1 + 1.15 * size)),
        layers,
        say("1 + ρ′/(λ + ρ): the largest come first"),
        source="Kung 2017",
    )
