"""Local means' charts as plain figures."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Array,
    Axis,
    Band,
    Columns,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.privacy.local.number import Sampled
from dpstudio.values.messages import N_, Num, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.labs.local.means.model import MeansModel, Rival

_BARS = 41
_LINE = 181
CENTRAL = say("one trusted collector")


def _source(model: MeansModel) -> str:
    return "; ".join(dict.fromkeys(r.protocol.source for r in model.rivals))


def _decades(values: Array) -> tuple[float, float]:
    low, high = float(np.min(values)), float(np.max(values))
    return float(10 ** np.floor(np.log10(low) - 0.05)), float(10 ** np.ceil(np.log10(high) + 0.05))


def _width(rival: Rival, model: MeansModel) -> float:
    return 2.6 if rival.key == model.mine.key else 1.6


def estimates_chart(model: MeansModel) -> Figure:
    """The mean that many surveys estimate, under the normal law of the exact variance; or one
    survey, and what it says."""
    lab, sd = model.lab, model.deviation
    shown = lab.show_truth
    middle = model.truth if shown else float(model.replays[0, 0])
    reach = nice_above(3.6 * sd)
    low, high = middle - reach, middle + reach
    x = np.linspace(low, high, _LINE)
    normal = np.exp(-(((x - middle) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))
    half = model.interval
    layers: list[Layer] = [
        Band(
            "interval",
            "band",
            say("{confidence}", confidence=Num(lab.confidence, 4, "down", percent=True)),
            middle - half,
            middle + half,
        )
    ]
    top = float(normal.max())
    if shown:
        edges = np.linspace(low, high, _BARS + 1)
        heights = np.histogram(model.surveys, edges)[0] / (len(model.surveys) * np.diff(edges))
        top = max(top, float(heights.max()))
        layers.append(Area("draws", lab.protocol.ink, "", edges, heights))
    layers.append(Line("normal", "text", say("normal"), x, normal, width=1.6))
    if shown:
        layers.append(Rule("truth", "truth", say("truth"), middle))
    layers.append(Rule("answer", "answer", say("this answer"), float(model.replays[0, 0])))
    text = N_("{trials} surveys, exact variance")
    hidden = say("one survey, and where the exact mean may be")
    return Figure(
        "published",
        say("What surveys estimate"),
        Axis(model.unit, range=(low, high)),
        Axis(say("density"), range=(0.0, nice_above(1.1 * top)), hidden=True),
        tuple(layers),
        say(text, trials=Num(len(model.surveys))) if shown else hidden,
        notes=model.notes,
        exact=shown,
        simulated=True,
        source=lab.protocol.source,
    )


def _law(model: MeansModel, rival: Rival) -> tuple[Array, Array, tuple[tuple[float, float], ...]]:
    """(x, density, atoms) of what the rival sends of the value, in the units of the column, where
    it sends that number at all."""
    protocol, d, t = rival.protocol, model.d, model.t
    if not isinstance(protocol, Sampled) or getattr(protocol, "whole", lambda d: False)(d):
        size = protocol.size(d)  # type: ignore[attr-defined]
        return (
            array([]),
            array([]),
            tuple((float(model.shown(z * size)), (1 + z * t / size) / 2) for z in (-1, 1)),
        )
    one, times = protocol.part(d), d / protocol.kept(d)
    atoms = tuple((float(model.shown(times * place)), mass) for place, mass in one.atoms(t))
    steps = one.steps(t)
    if not steps:
        return array([]), array([]), atoms
    low, high = one.reach()
    if len(steps) > 1:
        # Steps stand upright: a point on either side of each.
        hair = 1e-3 * min(b - a for a, b in pairwise(steps) if b > a)
        x = np.sort(np.concatenate([np.array(steps) - hair, np.array(steps) + hair]))
    else:
        x = np.sort(np.concatenate([np.linspace(2 * low, 2 * high, _LINE), np.array(steps)]))
    return array(model.shown(times * x)), array(one.density(x, t) / (times * model.half)), atoms


def report_chart(model: MeansModel) -> Figure:
    """What one person with the chosen value sends: steps, spikes, and Laplace noise."""
    # The hybrid is made of two of the others: it is drawn without them, and they without it.
    apart = ("piecewise", "duchi") if model.mine.key == "hybrid" else ("hybrid",)
    seen = [r for r in model.drawn if r.protocol.key not in apart]
    laws = {r.key: _law(model, r) for r in seen}
    peaks = {key: float(y.max()) for key, (_, y, _) in laws.items() if len(y)}
    # A large ε makes the piecewise peak so high and narrow that nothing else would be seen beside
    # it: it may leave the chart.
    top = nice_above(1.15 * min(max(peaks.values()), 6 * min(peaks.values())))
    layers: list[Layer] = []
    ends = [abs(x - float(model.shown(0.0))) for _, _, atoms in laws.values() for x, _ in atoms]
    for rival in sorted(seen, key=lambda r: r.key == model.mine.key):
        x, y, atoms = laws[rival.key]
        ink, width = rival.protocol.ink, _width(rival, model)
        if len(x):
            layers.append(Line(rival.key, ink, Say(rival.protocol.label), x, y, width=width))
            if rival.protocol.key != "local_laplace":
                ends.append(float(np.max(np.abs(x - model.shown(0.0)))))
        for i, (place, mass) in enumerate(atoms):
            label = say(
                "{name} {share}", name=Say(rival.protocol.label), share=Num(mass, 2, percent=True)
            )
            layers.append(
                Line(
                    f"{rival.key}_{i}",
                    ink,
                    label,
                    [place, place],
                    [0.0, 0.88 * top * mass],
                    width=width + 1,
                )
            )
    reach = nice_above(1.2 * max(ends))
    middle = float(model.shown(0.0))
    layers.append(
        Handle(
            "here",
            "truth",
            say("holds {value}", value=Num(model.value, 4)),
            model.value,
            0.03 * top,
            "value",
        )
    )
    one = N_("exact; spikes are probabilities")
    many = N_("where this number is sent; spikes are probabilities")
    return Figure(
        "report",
        say("One person’s report"),
        Axis(
            say("reported {column}", column=plain(model.column)),
            range=(middle - reach, middle + reach),
        ),
        Axis(say("density"), range=(0.0, top), hidden=True),
        tuple(layers),
        Say(one if model.d == 1 else many),
        notes=model.notes,
        exact=model.lab.show_truth,
        source=_source(model),
    )


def _least(model: MeansModel) -> float:
    """Where the axis of ε starts."""
    return 0.0009 if model.protocol.epsilon < 0.05 else 0.045


def tradeoff_chart(model: MeansModel) -> Figure:
    """Error against ε for all protocols."""
    epsilon, here, least = model.protocol.epsilon, model.errors[model.mine.key], _least(model)
    scale = model.factor * model.half / math.sqrt(model.n)
    layers: list[Layer] = []
    seen = [np.array([here])]
    for rival in model.drawn:
        x, spread = model.curve(rival)
        y = scale * np.sqrt(spread)
        # Beyond 10 all but Laplace and Duchi fall without end: the axis follows them no further
        # than the point in use.
        seen.append(y[(x >= least) & (x <= max(10.0, epsilon))])
        layers.append(
            Line(
                rival.key,
                rival.protocol.ink,
                Say(rival.protocol.label),
                x,
                y,
                width=_width(rival, model),
            )
        )
    words = say("ε {epsilon} → ±{error}", epsilon=Num(epsilon, 5), error=Num(here, 3, "up"))
    layers.append(Handle("here", model.protocol.ink, words, epsilon, here, "protocol.epsilon"))
    return Figure(
        "tradeoff",
        say("Privacy against utility"),
        Axis(Say("ε"), log=True, range=(least, 57.0)),
        Axis(
            say("± {column}", column=plain(model.column)),
            log=True,
            range=_decades(np.concatenate(seen)),
        ),
        tuple(layers),
        model.error_words,
        exact=model.lab.show_truth,
        source=_source(model),
    )


def contest_chart(model: MeansModel) -> Figure:
    """Every error as a share of that of Laplace noise, against ε: who wins where, with a dot
    wherever two err alike."""
    least = _least(model)
    x, base = model.curve(model.drawn[0])
    layers: list[Layer] = []
    for rival in model.drawn:
        y = np.sqrt(model.curve(rival)[1] / base)
        layers.append(
            Line(
                rival.key,
                rival.protocol.ink,
                Say(rival.protocol.label),
                x,
                y,
                width=_width(rival, model),
            )
        )
    for i, (one, other, at) in enumerate(model.crossings):
        level = math.sqrt(
            model.spread(one.protocol.at(at)) / model.spread(model.drawn[0].protocol.at(at))
        )
        key = f"cross_{one.key}_{other.key}_{i}"
        layers.append(
            Rule(f"{key}_at", "muted", say("{epsilon}", epsilon=Num(at, 5)), at, dash="dot")
        )
        layers.append(Dots(key, "text", "", [at], [level]))
    epsilon = model.protocol.epsilon
    here = model.errors[model.mine.key] / model.errors[model.drawn[0].key]
    words = say("ε {epsilon} → {share}", epsilon=Num(epsilon, 5), share=Num(here, 3))
    layers.append(Handle("here", model.protocol.ink, words, epsilon, here, "protocol.epsilon"))
    return Figure(
        "contest",
        say("Who wins where"),
        Axis(Say("ε"), log=True, range=(least, 57.0)),
        Axis(say("error, Laplace = 1"), range=(0.0, max(1.6, nice_above(1.1 * here)))),
        tuple(layers),
        Say(N_("worst values") if model.worst else N_("this column’s values")),
        exact=model.lab.show_truth,
        source=_source(model),
    )


def people_chart(model: MeansModel) -> Figure:
    """Error against the number of people: each for themselves, and all through one trusted
    collector."""
    n, enough, here = model.n, model.enough, model.errors[model.mine.key]
    left = 10.0 ** math.floor(math.log10(min(n, enough) / 3))
    right = 10.0 ** math.ceil(math.log10(3 * max(n, enough)))
    x = np.geomspace(left, right, 49)
    local = here * np.sqrt(n / x)
    trusted = model.central(1) / x
    layers = (
        Line("central", "laplace", CENTRAL, x, trusted, dash="dash"),
        Line(
            "local",
            model.protocol.ink,
            say("{protocol}, no trust", protocol=Say(model.protocol.label)),
            x,
            local,
        ),
        Line("gap", "muted", "", [enough, n], [here, here], dash="dot", width=1.5),
        Rule("needed", "laplace", say("{n}", n=Num(math.ceil(enough - 1e-9))), enough, dash="dot"),
        Rule("asked", model.protocol.ink, say("{n}", n=Num(n)), float(n), dash="dot"),
        Dots("enough", "laplace", "", [enough], [here]),
        Dots("here", model.protocol.ink, "", [float(n)], [here]),
    )
    return Figure(
        "people",
        say("What trusting nobody costs"),
        Axis(say("people asked"), log=True, range=(left, right)),
        Axis(
            say("± {column}", column=plain(model.column)),
            log=True,
            range=_decades(np.concatenate([local, trusted])),
        ),
        layers,
        say("both at ε = {epsilon}", epsilon=Num(model.protocol.epsilon, 5)),
        exact=model.lab.show_truth,
        source=f"{model.protocol.source}; Laplace: Dwork, McSherry, Nissim & Smith 2006",
    )


def dims_chart(model: MeansModel) -> Figure:
    """Error of this mean against how many numbers each person's report is about."""
    top = 100 if model.d <= 50 else 1000
    d = np.unique(np.round(np.geomspace(1, top, 41)).astype(int))
    scale = model.factor * model.half / math.sqrt(model.n)
    layers: list[Layer] = []
    seen = []
    for rival in model.rivals if model.d > 1 else model.both_ways:
        y = scale * np.sqrt([model.spread(rival.protocol, int(k)) for k in d])
        seen.append(y)
        layers.append(
            Line(
                rival.key,
                rival.protocol.ink,
                rival.name,
                d,
                y,
                dash=rival.dash,
                width=_width(rival, model),
            )
        )
    here = model.errors[model.mine.key]
    words = say("d {d} → ±{error}", d=Num(model.d), error=Num(here, 3, "up"))
    layers.append(Handle("here", model.protocol.ink, words, float(model.d), here, "dims"))
    # Laplace noise on every number runs away from all others: the axis does not follow it.
    low, high = float(np.min(seen)), max(here, float(np.max(seen[1:])))
    return Figure(
        "dims",
        say("Several numbers each"),
        Axis(say("numbers each person holds d"), log=True, range=(0.85, 1.2 * top), whole=True),
        Axis(
            say("± {column}", column=plain(model.column)), log=True, range=(low / 1.6, 2.5 * high)
        ),
        tuple(layers),
        say("this one mean, ε = {epsilon} in all", epsilon=Num(model.protocol.epsilon, 5)),
        exact=model.lab.show_truth,
        source=_source(model),
    )


def variance_chart(model: MeansModel) -> Figure:
    """How far one person's report strays, against what the person holds."""
    t = np.linspace(-1, 1, 81)
    x = array(model.shown(t))
    layers: list[Layer] = []
    tops = []
    for rival in model.drawn:
        y = model.half * np.sqrt(rival.protocol.variance(t, model.d))
        tops.append(float(y.max()))
        layers.append(
            Line(
                rival.key,
                rival.protocol.ink,
                Say(rival.protocol.label),
                x,
                y,
                width=_width(rival, model),
            )
        )
    here = model.half * math.sqrt(float(model.mine.protocol.variance(model.t, model.d)))
    words = say("{value} → ±{error}", value=Num(model.value, 4), error=Num(here, 3))
    layers.append(Handle("here", model.protocol.ink, words, model.value, here, "value"))
    low, high = model.bounds
    return Figure(
        "variance",
        say("How far one report strays"),
        Axis(plain(model.column), range=(low - 0.03 * (high - low), high + 0.03 * (high - low))),
        Axis(say("standard deviation of a report"), range=(0.0, nice_above(1.12 * max(tops)))),
        tuple(layers),
        say("exact, ε = {epsilon}", epsilon=Num(model.protocol.epsilon, 5)),
        notes=model.notes,
        exact=model.lab.show_truth,
        source=_source(model),
    )


def columns_chart(model: MeansModel) -> Figure:
    """The mean of every column in one survey, each on the scale of its bounds, with whiskers of the
    error."""
    lab = model.lab
    names = (model.column, *lab.more)
    places = np.arange(len(names), dtype=np.float64)
    means = [
        (2 * m - low - high) / (high - low)
        for m, (low, high) in zip(model.one_survey, model.all_bounds, strict=True)
    ]
    width = model.factor * np.sqrt(
        [model.spread(model.mine.protocol, place=i) / model.n for i in range(len(names))]
    )
    layers: list[Layer] = []
    if lab.show_truth:
        exact = array([model.people_in(i).mean for i in range(len(names))])
        layers.append(Columns("truth", "truth", say("exact"), places - 0.21, exact, 0.38))
    shown = array(places + (0.21 if lab.show_truth else 0.0))
    answer = array(means)
    layers.append(
        Columns(
            "answer",
            lab.protocol.ink,
            say("one survey"),
            shown,
            answer,
            0.38,
            answer - width,
            answer + width,
        )
    )
    reach = nice_above(max(1.0, 1.05 * float(np.max(np.abs(answer) + width))))
    return Figure(
        "columns",
        say("All columns of one survey"),
        Axis(
            say("column"),
            range=(-0.6, len(names) - 0.4),
            ticks=tuple((float(i), name) for i, name in enumerate(names)),
        ),
        Axis(say("mean, bounds at −1 and 1"), range=(-reach, reach)),
        tuple(layers),
        say("each column from its own law; sent together they are not independent"),
        notes=model.notes,
        exact=lab.show_truth,
        simulated=True,
        source=lab.protocol.source,
    )
