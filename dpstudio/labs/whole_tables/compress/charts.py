"""Compress' charts of who tells what: the trade of every way, by the number of directions, by
attacker, and which directions come first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import (
    PART,
    Array,
    Axis,
    Column,
    Dots,
    Figure,
    Handle,
    Lanes,
    Layer,
    Line,
    Ribbon,
    Rule,
    array,
)
from dpstudio.charts.hushed import hushed
from dpstudio.labs.named_rows import brackets, slim
from dpstudio.labs.percents import percent_axis
from dpstudio.labs.whole_tables.compress import beside
from dpstudio.labs.whole_tables.compress.lost import RATIOS, law, signed
from dpstudio.labs.whole_tables.compress.model import (
    CompressModel,
    banded,
    commonest,
    held,
    here,
    k_of,
    label_name,
    most,
    shown_ways,
    told_here,
    trade,
    trade_at,
    unprojected,
    way_of,
)
from dpstudio.labs.whole_tables.compress.parameters import QUICK, SLOW
from dpstudio.privacy.compression.projections import PRIVACY, PROJECTIONS, UTILITY
from dpstudio.values.messages import Message, Num, say, worded

INKS = {
    "inverse": "second",
    "centre": "third",
    "decoder": "staircase",
    "linear": "laplace",
    "neighbours": "gaussian",
    "logistic": "discrete_gaussian",
}
PRIVATE, PRIVATE_ROWS = "second", "third"
_HALF, _PALE = 0.16, 0.45  # of a lane: half of what lies between two labels, and how strong it is


def notes(model: CompressModel) -> tuple[Message, ...]:
    """What qualifies the bounds."""
    if not held(model).unattested:
        return ()
    return (say("The bounds come from the data: this choice is not private."),)


def trade_chart(model: CompressModel) -> Figure:
    """A lane for whole rows and for each way at the chosen number of directions: from the accuracy
    on the hidden label to that on the wanted one."""
    told = tuple(_told(model))
    chosen, many = [lane.way for lane in told].index(model.lab.way.key), len(told)
    lanes = np.arange(many, dtype=np.float64)[::-1]
    utility, privacy = (
        array([getattr(lane, name) for lane in told]) for name in ("utility", "privacy")
    )
    layers = [*_between(told, chosen)]
    low, _, high = here(model).band[..., 0]
    for name, ink, label, values in (
        ("utility", "truth", UTILITY, utility),
        ("privacy", PRIVATE, PRIVACY, privacy),
    ):
        layers += [
            _crowd(model, label, ink, "x"),
            brackets(f"{name}_band", ink, low[[label]], high[[label]], lanes[[chosen]], many),
            Dots(f"{name}_dots", ink, _plain(label_name(model, label)), values, lanes),
        ]
    picks = [(("way", lane.way),) for lane in told[1 : 1 + len(_keys(model))]]
    last = slice(1, 1 + len(picks))
    targets = Dots("lanes", "text", say("way"), utility[last], lanes[last], picks=tuple(picks))
    names = tuple((float(at), worded(lane.name)) for at, lane in zip(lanes, told, strict=True))
    return Figure(
        "trade",
        say("What is told and given away"),
        percent_axis(say("accuracy"), *_range(layers, "x")),
        Axis(say("way"), range=(-0.5, many - 0.5), ticks=names),
        tuple(layers),
        say(
            "bracket: {share} of {n} {n:split|splits}",
            share=Num(banded(), 3, percent=True),
            n=Num(model.splits),
        ),
        simulated=True,
        lanes=Lanes(
            (
                Column(say("K"), tuple(lane.k for lane in told), ("muted",)),
                _column(model, UTILITY, "truth", utility, strong=True),
                _column(model, PRIVACY, PRIVATE, privacy),
            ),
            chosen,
            (),
            targets,
        ),
    )


def _between(told: tuple[_Lane, ...], chosen: int) -> Iterator[Layer]:
    """What lies between both labels of a lane, where the hidden one is told less often."""
    half = _HALF * slim(len(told))
    for place, lane in enumerate(told):
        at, pale = float(len(told) - 1 - place), 1.0 if place == chosen else _PALE
        ends, low, high = [lane.privacy, lane.utility], [at - half] * 2, [at + half] * 2
        if lane.privacy < lane.utility:
            yield Ribbon(f"between/{at:.0f}", lane.ink, "", ends, low, high, pale)


@dataclass(frozen=True)
class _Lane:
    """A way, "" for whole rows and for private ones: its ink, name, directions, and how often both
    labels are told right; NaN where that is not yet known."""

    way: str
    ink: str
    name: Message
    k: Message
    utility: float = math.nan
    privacy: float = math.nan


def _keys(model: CompressModel) -> tuple[str, ...]:
    """The ways that have a lane, whether their numbers are there yet or not."""
    return tuple(k.key for k in PROJECTIONS if k.key in (model.lab.way.key, *model.lab.drawn))


def _told(model: CompressModel) -> Iterator[_Lane]:
    """Whole rows, the ways in the order of the panel, and private rows."""
    yield _Lane("", "muted", say("whole rows"), Message(""), *unprojected(model))
    for key in _keys(model):
        way = way_of(model, key)
        k = min(k_of(model), most(model, way))
        lane = _Lane(key, way.ink, Message(way.short), say("{k}", k=Num(k)))
        if key in shown_ways(model):
            one, two = trade_at(model, way, model.lab.attacker, (k,)).middle[:, 0]
            lane = replace(lane, utility=float(one), privacy=float(two))
        yield lane
    if beside.can_be_private(model):
        lane = _Lane("", PRIVATE_ROWS, say("private rows"), Message(""))
        if model.stage:
            one, two = beside.private_rows_here(model)
            k_there = say("{k}", k=Num(beside.private_k(model)))
            lane = replace(lane, k=k_there, utility=one, privacy=two)
        yield lane


def _column(
    model: CompressModel, label: int, ink: str, told: Array, *, strong: bool = False
) -> Column:
    cells = (
        say("{x}", x=Num(x, 3, percent=True)) if math.isfinite(x) else Message("")
        for x in told.tolist()
    )
    return Column(_plain(label_name(model, label)), tuple(cells), (ink,), strong)


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
    k = k_of(model)
    layers: list[Layer] = [
        Ribbon("utility_band", way.ink, "", found.ks, low_u, high_u),
        Ribbon("privacy_band", "second", "", found.ks, low_p, high_p),
        Line("utility", way.ink, _plain(label_name(model, UTILITY)), found.ks, mid_u, width=2.6),
        Line("privacy", "second", _plain(label_name(model, PRIVACY)), found.ks, mid_p, width=2.6),
        Dots("utility_dots", way.ink, "", found.ks, mid_u),
        Dots("privacy_dots", "second", "", found.ks, mid_p),
        _crowd(model, UTILITY, way.ink, "y"),
        _crowd(model, PRIVACY, "second", "y"),
    ]
    name = say("K = {k}", k=Num(k))
    layers.append(Handle("here", way.ink, name, float(k), told_here(model)[0], "k"))
    return Figure(
        "by_k",
        say("{way}, by the number of directions", way=Message(way.short)),
        k_axis(most(model, way)),
        percent_axis(say("accuracy"), *_range(layers, "y")),
        tuple(layers),
        simulated=True,
    )


def _crowd(model: CompressModel, label: int, ink: str, axis: str) -> Rule:
    words = say("majority class of {label}", label=label_name(model, label))
    return Rule(f"crowd_{label}", ink, words, commonest(model)[label], axis, dash="dot")


def _plain(name: Message | str) -> Message:
    return name if isinstance(name, Message) else say("{name}", name=name)


def k_axis(top: int, low: float = 1.0) -> Axis:
    """Numbers of directions."""
    return Axis(say("directions K"), log=True, range=(0.85 * low, max(1.2 * top, 2.5)), whole=True)


def attackers_chart(model: CompressModel) -> Figure:
    """How often each attacker tells the hidden label right by the number of directions: named are
    the chosen one, and where the chart looks the best and the worst."""
    layers, chosen, k = list[Layer](), model.lab.attacker, k_of(model)
    for name in beside.strengths(model):
        ks, right = beside.told_by(model, name)
        middle, wide = np.median(right, axis=1), 2.0 + (name == chosen)
        said = Message({**QUICK, **SLOW}[name])
        layers.append(Line(name, INKS[name], said, ks, middle, width=wide))
        if name in SLOW:
            layers.append(Dots(f"{name}{PART}dots", INKS[name], "", ks, middle))
    at = say("K = {k}", k=Num(k))
    layers.append(Handle("here", INKS[chosen], at, float(k), told_here(model)[1], "k"))
    crowd, full = commonest(model)[PRIVACY], unprojected(model)[PRIVACY]
    layers += [
        Rule("crowd", "muted", say("majority class"), crowd, axis="y", dash="dot"),
        Rule("full", "truth", say("whole rows"), full, axis="y"),
    ]
    figure = Figure(
        "attackers",
        say("What attackers tell of {label}", label=label_name(model, PRIVACY)),
        k_axis(most(model, model.lab.way)),
        percent_axis(say("accuracy"), *_range(layers, "y")),
        tuple(layers),
        say("from {way}", way=Message(model.lab.way.short)),
        simulated=True,
        source="Kung 2017; Cover & Hart 1967",
    )
    return hushed(figure, most=3)


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
