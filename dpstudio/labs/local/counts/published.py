"""What a survey brings in, as plain figures: the bars, many surveys, one person's report, and what
is done to estimates."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Array,
    Axis,
    Band,
    Columns,
    Figure,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.findings import Findings
from dpstudio.labs.local.counts.model import CountsModel, processed
from dpstudio.values.messages import N_, Num, Say, plain, say

if TYPE_CHECKING:
    from dpstudio.labs.local.counts.parameters import LocalCounts

BARS, CURVE = 60, 241
_MANY = 30
# Names that have room below a bar.
_POST = {
    "raw": N_("none"),
    "clip": N_("clip"),
    "normalise": N_("scale"),
    "simplex": N_("shift"),
    "printed": N_("max 1"),
}


def _across(model: CountsModel) -> tuple[Array, float, Axis]:
    """Where the values stand, how far apart, and their axis: numbers in their order, words with the
    largest first."""
    population, d = model.population, model.d
    if population.edges:
        edges = np.array(population.edges)
        axis = Axis(population.across, range=(float(edges[0]), float(edges[-1])))
        return array((edges[1:] + edges[:-1]) / 2), float(np.diff(edges).min()), axis
    order = np.argsort(-model.counts, kind="stable") if d > 2 else np.arange(d)
    x = np.empty(d)
    x[order] = np.arange(d)
    ticks = tuple((float(x[i]), population.labels[i]) for i in order)
    return array(x), 1.0, Axis(population.across, range=(-0.6, d - 0.4), ticks=ticks)


def counts_chart(model: CountsModel) -> Figure:
    """How many hold each value: in truth, as the reports say it, and as estimated from them, with
    whiskers."""
    lab, protocol = model.lab, model.lab.protocol
    x, unit, axis = _across(model)
    widths, expected = model.z * model.sd, protocol.expected(model.counts)
    far = max(model.z, 2.6) * model.sd
    top = nice_above(1.06 * float(max(np.max(model.counts + far), np.max(expected))))
    lowest = float(np.min(model.counts - far))
    bottom = -nice_above(-lowest) if lowest < -0.02 * top else 0.0
    text = N_("one survey of {n} people; whiskers hold {confidence}, each its own")
    if not protocol.joint:
        text = N_(
            "one survey of {n} people, marginals only; whiskers hold {confidence}, each its own"
        )
    return Figure(
        "published",
        say("What the survey says"),
        axis,
        Axis(say("people"), range=(bottom, top)),
        _bars(model, x, unit, widths),
        say(text, n=Num(model.n), confidence=_confidence(lab)),
        notes=model.population.notes,
        exact=lab.show_truth,
        simulated=True,
        source=protocol.source,
    )


def _bars(model: CountsModel, x: Array, unit: float, widths: Array) -> tuple[Layer, ...]:
    """The bars of the values at x beside each other; where there are many, those estimated before
    those exact, the reports as a curve.

    What a survey brings is filled in by `with_survey`.
    """
    none, many = array(np.zeros(model.d)), model.d > _MANY
    sets = 1 if many else 3 if model.lab.show_truth else 2
    bar = 0.84 * unit / sets
    places = [array(x + bar * (k - (sets - 1) / 2)) for k in range(sets)]
    reported = say("reported")
    layers: list[Layer] = []
    if model.lab.show_truth:
        layers.append(Columns("truth", "truth", say("exact"), places[0], model.counts, 0.92 * bar))
    if many:
        layers.append(Line("reported", "reported", reported, np.sort(x), none))
    else:
        layers.append(Columns("reported", "reported", reported, places[-2], none, 0.92 * bar))
    label = say("estimated")
    width = 0.4 * bar if many else 0.92 * bar
    layers.append(
        Columns("answer", model.lab.protocol.ink, label, places[-1], none, width, -widths, widths)
    )
    return tuple(layers)


def _confidence(lab: LocalCounts) -> Num:
    return Num(lab.confidence, 4, "down", percent=True)


def surveys_chart(model: CountsModel) -> Figure:
    """The estimate of one value over many surveys, and the normal with its exact variance beside
    it."""
    lab, protocol = model.lab, model.lab.protocol
    sd, centre = float(model.sd[model.part]), float(model.counts[model.part])
    reach = nice_above(max(4.0 * sd, 3.0))
    low, high = centre - reach, centre + reach
    estimates = model.estimates[:, model.part]
    step = _step(2 * reach / BARS, protocol, model)
    edges = centre + step * (np.arange(-math.ceil(reach / step), math.ceil(reach / step) + 2) - 0.5)
    heights = np.histogram(estimates, edges)[0] / (len(estimates) * step)
    layers: list[Layer] = [
        Band(
            "interval",
            "band",
            say("{confidence}", confidence=_confidence(lab)),
            centre - model.z * sd,
            centre + model.z * sd,
        ),
        Area("draws", protocol.ink, "", edges, heights),
    ]
    top = float(heights.max(initial=0))
    if sd > 1e-3 * reach:
        x = np.linspace(low, high, CURVE)
        y = np.exp(-(((x - centre) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))
        layers.append(Line("law", protocol.ink, say("normal"), x, y))
        top = max(top, float(y.max()))
    if lab.show_truth:
        layers.append(Rule("truth", "truth", say("truth"), centre))
    layers.append(Rule("answer", "answer", say("this survey"), centre))
    text = (
        N_("{surveys} surveys, exact variance")
        if lab.show_truth
        else N_("{surveys} surveys of people like the estimated")
    )
    return Figure(
        "surveys",
        say("Many surveys: {part}", part=plain(model.population.labels[model.part])),
        Axis(say("estimated people"), range=(low, high)),
        Axis(say("density"), range=(0.0, nice_above(1.06 * top)), hidden=True),
        tuple(layers),
        say(text, surveys=Num(len(estimates))),
        exact=lab.show_truth,
        simulated=True,
        source=protocol.source,
    )


def _step(width: float, protocol: object, model: CountsModel) -> float:
    """The width of a bar: a multiple of the distance of two estimates, which whole totals keep, or
    combs would be seen."""
    one, two = model.lab.protocol.estimate(
        np.array([np.zeros(model.d), np.ones(model.d)]), model.n
    )[:, model.part]
    grain = float(abs(two - one))
    return max(1, round(width / grain)) * grain if 0 < grain < 20 * width else width


def report_chart(model: CountsModel) -> Figure:
    """What one person's report says: belief in each value before and after it."""
    lab, labels = model.lab, model.population.labels
    x, unit, axis = _across(model)
    prior, after = model.prior, model.posterior
    bar = 0.42 * unit
    layers = (
        Columns("prior", "reported", say("before"), x - bar / 2, prior, 0.92 * bar),
        Columns("posterior", lab.protocol.ink, say("after"), x + bar / 2, after, 0.92 * bar),
    )
    return Figure(
        "report",
        say("What one report reveals"),
        axis,
        Axis(say("belief"), range=(0.0, nice_above(1.06 * float(max(prior.max(), after.max()))))),
        layers,
        say(
            "{value} in truth, sent: {shown}",
            value=plain(labels[model.part]),
            shown=model.report.shown,
        ),
        exact=lab.show_truth,
        simulated=True,
        source=lab.protocol.source,
    )


def post_chart(model: CountsModel) -> Figure:
    """What each way to work on the estimates costs and gains: error and bias over all values,
    simulated."""
    lab = model.lab
    worked = model.worked
    keys = list(worked)
    x = np.arange(len(keys), dtype=np.float64)
    errors = array([worked[key][0] for key in keys])
    biases = array([worked[key][1] for key in keys])
    top = nice_above(1.3 * float(max(errors.max(), biases.max(), 1e-9)))
    layers: tuple[Layer, ...] = (
        Columns("error", lab.protocol.ink, say("error (RMSE)"), x - 0.2, errors, 0.36),
        Columns("bias", "bad", say("largest bias"), x + 0.2, biases, 0.36),
    )
    text = (
        N_("over all values, {surveys} simulated surveys")
        if lab.protocol.joint
        else N_("{surveys} simulated surveys, marginals only")
    )
    return Figure(
        "post",
        say("Working on the estimates"),
        Axis(
            "",
            range=(-0.6, len(keys) - 0.4),
            ticks=tuple((float(i), _POST[key]) for i, key in enumerate(keys)),
        ),
        Axis(say("people"), range=(0.0, top)),
        layers,
        say(text, surveys=Num(len(model.estimates))),
        exact=lab.show_truth,
        simulated=True,
    )


def with_survey(findings: Findings, lab: LocalCounts, index: int) -> Findings:
    """The charts with simulated survey number `index` in them."""
    n = float(findings.fact("asked").value)
    totals = findings.replays[index % len(findings.replays)]
    raw = lab.protocol.estimate(totals, n)
    published, surveys = findings.figure("published"), findings.figure("surveys")
    reported, answer, mark = (
        published.layer("reported"),
        published.layer("answer"),
        surveys.layer("answer"),
    )
    half = (answer.high - answer.low) / 2
    bars = replace(
        answer,
        heights=array(processed(raw, n, lab.post)),
        low=array(raw - half),
        high=array(raw + half),
    )
    if isinstance(reported, Line):
        arrived: Layer = replace(reported, y=array(totals[np.argsort(answer.x)]))
    else:
        arrived = replace(reported, heights=array(totals))
    low, high = surveys.x.range
    value = float(raw[findings.part])
    label, dash = say("this survey"), "solid"
    if not low <= value <= high:
        label, dash = (
            Say(
                N_("this survey lies beyond →") if value > high else N_("← this survey lies beyond")
            ),
            "dot",
        )
    moved = replace(mark, at=min(max(value, low), high), dash=dash, label=label)
    changed = {"published": _with(published, arrived, bars), "surveys": _with(surveys, moved)}
    return replace(findings, figures=tuple(changed.get(f.key, f) for f in findings.figures))


def _with(figure: Figure, *layers: Layer) -> Figure:
    new = {layer.key: layer for layer in layers}
    return replace(figure, layers=tuple(new.get(layer.key, layer) for layer in figure.layers))
