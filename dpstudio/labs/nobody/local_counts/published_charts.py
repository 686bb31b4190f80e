"""What a survey brings in, as plain figures: the bars, many surveys, one person's report, and what
is done to estimates."""

import math
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Area, Array, Axis, Columns, Figure, Layer, Line, Rule, nice_above
from dpstudio.labs.findings import Findings
from dpstudio.labs.local_curves import at_confidence, interval_band, normal_density
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.nobody.local_counts import parameters, row_charts
from dpstudio.labs.nobody.local_counts import surveys as counts_surveys
from dpstudio.labs.nobody.local_counts.errors import deviations
from dpstudio.labs.nobody.local_counts.model import CountsModel, laid_out
from dpstudio.labs.simulated_answer import SURVEY, moved, told_on, with_figures, with_layers
from dpstudio.privacy.local.post import Raw
from dpstudio.values.messages import N_, Num, plain, say, worded

BARS, CURVE = 60, 241
_MANY = 30
# Names that have room below a bar.
_POST = {
    "raw": N_("none"),
    "clip": N_("clip"),
    "normalise": N_("scaled"),
    "simplex": N_("shift"),
    "printed": N_("max 1"),
}


def _across(model: CountsModel) -> tuple[Array, float, Axis]:
    """Where intervals of numbers stand, how far apart, and their axis."""
    edges = np.array(model.population.edges)
    axis = Axis(model.population.across, range=(float(edges[0]), float(edges[-1])))
    return (edges[1:] + edges[:-1]) / 2, float(np.diff(edges).min()), axis


def counts_chart(model: CountsModel) -> Figure:
    """How many hold each value: in truth, and as one survey estimates it, with what it cannot
    tell."""
    lab, protocol, lanes = model.lab, model.lab.protocol, None
    far = max(model.z, 2.6) * deviations(model)
    confidence = at_confidence(lab.confidence)
    if model.population.edges:
        expected = protocol.expected(model.counts)
        people = _people_axis(model, model.counts - far, np.maximum(model.counts + far, expected))
        x, unit, axis = _across(model)
        axes, layers = (axis, people), _bars(model, x, unit)
        text = N_("one survey of {n} {n:person|people}; whiskers hold {confidence}, each its own")
        if not protocol.exact(model.d):
            text = N_(
                "one survey of {n} {n:person|people}, normal law; whiskers hold {confidence}, each "
                "its own"
            )
        told = say(text, n=Num(model.n), confidence=confidence)
    else:
        most = np.append(model.counts + far, laid_out(model).together(model.counts))
        axes = _people_axis(model, model.counts - far, most), row_charts.lanes_axis(model)
        layers, lanes = row_charts.survey_lanes(model)
        told = say("estimate and its {confidence}; stroke: the truth", confidence=confidence)
        if not lab.show_truth:
            told = say("estimate and its {confidence}", confidence=confidence)
    return Figure(
        "published",
        say("What the survey says"),
        *axes,
        layers,
        told,
        notes=model.population.notes,
        exact=lab.show_truth,
        simulated=True,
        source=protocol.source,
        lanes=lanes,
    )


def _people_axis(model: CountsModel, least: Array, most: Array) -> Axis:
    """An axis of people that holds these, from 0 on where nothing below it is published."""
    top = nice_above(1.06 * float(np.max(most)))
    lowest = float(np.min(least)) if model.lab.post == Raw.key else 0.0
    bottom = -nice_above(-lowest) if lowest < -0.02 * top else 0.0
    return Axis(say("people"), range=(bottom, top))


def _bars(model: CountsModel, x: Array, unit: float) -> tuple[Layer, ...]:
    """The bars of the values at x beside each other; where there are many, those estimated before
    those exact, the reports as a curve.

    What a survey brings is filled in by `with_survey`.
    """
    none, many = np.zeros(model.d), model.d > _MANY
    sets = 1 if many else 3 if model.lab.show_truth else 2
    bar = 0.84 * unit / sets
    places = [x + bar * (k - (sets - 1) / 2) for k in range(sets)]
    layers: list[Layer] = []
    if model.lab.show_truth:
        layers.append(Columns("truth", "truth", say("exact"), places[0], model.counts, 0.92 * bar))
    reported = say("reported")
    if many:
        layers.append(Line("reported", "reported", reported, np.sort(x), none))
    else:
        layers.append(Columns("reported", "reported", reported, places[-2], none, 0.92 * bar))
    ink, width = model.lab.protocol.ink, 0.4 * bar if many else 0.92 * bar
    layers.append(Columns("answer", ink, say("estimated"), places[-1], none, width, none, none))
    return tuple(layers)


def surveys_chart(model: CountsModel) -> Figure:
    """The estimate of one value over many surveys, and the normal with its exact variance beside
    it."""
    lab, ink, found = (
        model.lab,
        model.lab.protocol.ink,
        counts_surveys.estimates(model)[:, model.part],
    )
    sd, centre = float(deviations(model)[model.part]), float(model.counts[model.part])
    reach = nice_above(max(4.0 * sd, 3.0))
    low, high = centre - reach, centre + reach
    step = _step(2 * reach / BARS, counts_surveys.grain(model))
    edges = centre + step * (np.arange(-math.ceil(reach / step), math.ceil(reach / step) + 2) - 0.5)
    heights = np.histogram(found, edges)[0] / (len(found) * step)
    layers: list[Layer] = [
        interval_band(lab.confidence, counts_surveys.interval(model)),
        Area("draws", ink, "", edges, heights),
    ]
    if sd > 1e-3 * reach:
        x = np.linspace(low, high, model.effort.of_points(CURVE))
        y = normal_density(x, centre, sd)
        layers.append(Line("law", ink, say("normal"), x, y))
    if lab.show_truth:
        layers.append(
            Rule("truth", "truth", say("truth"), centre, told=told_on(high - low, centre))
        )
    layers.append(Rule("answer", "answer", SURVEY[0], centre))
    text = N_("{surveys} {surveys:survey|surveys}, exact variance")
    if not lab.show_truth:
        text = N_("{surveys} {surveys:survey|surveys} of people like the estimated")
    return Figure(
        "surveys",
        say("Many surveys: {part}", part=plain(model.population.labels[model.part])),
        Axis(say("estimated people"), range=(low, high)),
        Axis(say("density"), room=1.06, hidden=True),
        tuple(layers),
        say(text, surveys=Num(len(found))),
        exact=lab.show_truth,
        simulated=True,
        source=lab.protocol.source,
    )


def _step(width: float, grain: float) -> float:
    """The width of a bar: a multiple of the distance of two estimates, which whole totals keep, or
    combs would be seen."""
    return max(1, round(width / grain)) * grain if 0 < grain < 20 * width else width


def report_chart(model: CountsModel) -> Figure:
    """What one person's report says: belief in each value before and after it."""
    lab, labels = model.lab, model.population.labels
    before, after = counts_surveys.prior(model), counts_surveys.posterior(model)
    belief = Axis(say("belief"), room=1.06)
    axes, layers = (belief, row_charts.rows_axis(model)), row_charts.belief_rows(model)
    if model.population.edges:
        x, unit, axis = _across(model)
        bar, ink = 0.42 * unit, lab.protocol.ink
        axes = axis, belief
        layers = (
            Columns("prior", "reported", say("before"), x - bar / 2, before, 0.92 * bar),
            Columns("posterior", ink, say("after"), x + bar / 2, after, 0.92 * bar),
        )
    return Figure(
        "report",
        say("What one report reveals"),
        *axes,
        layers,
        say(
            "{value} in truth, sent: {shown}",
            value=plain(labels[model.part]),
            shown=counts_surveys.report(model).shown,
        ),
        exact=lab.show_truth,
        simulated=True,
        source=lab.protocol.source,
    )


def post_chart(model: CountsModel) -> Figure:
    """What each way to work on the estimates costs and gains: error and bias over all values,
    simulated."""
    lab, found = model.lab, counts_surveys.worked(model)
    x = np.arange(len(found), dtype=np.float64)
    errors, biases = np.array(list(found.values())).T
    layers: tuple[Layer, ...] = (
        Columns("error", lab.protocol.ink, say("error, root mean square"), x - 0.2, errors, 0.36),
        Columns("bias", "second", say("largest bias"), x + 0.2, biases, 0.36),
    )
    text = N_("over all values, {surveys} simulated {surveys:survey|surveys}")
    if not lab.protocol.exact(model.d):
        text = N_("{surveys} simulated {surveys:survey|surveys}, normal law")
    return Figure(
        "post",
        say("Working on the estimates"),
        names_axis("", [worded(_POST[key]) for key in found]),
        Axis(say("people"), room=1.3),
        layers,
        say(text, surveys=Num(len(counts_surveys.estimates(model)))),
        exact=lab.show_truth,
        simulated=True,
    )


def with_survey(
    findings: Findings, lab: parameters.LocalCounts, totals: Array, raw: Array, span: Array
) -> Findings:
    """The charts with one simulated survey in them: its totals and its estimates, shape (d,), and
    the ends of the whiskers, shape (2, d)."""
    published, surveys = findings.figure("published"), findings.figure("surveys")
    shown = counts_surveys.processed(raw, findings.fact("asked").value, lab.post)
    new = with_bars(published, findings.truth, totals, span, shown)
    mark = moved(surveys.layer("answer"), surveys, float(raw[findings.part]), SURVEY)
    return with_figures(findings, new, with_layers(surveys, mark))


def with_bars(
    published: Figure, truth: Array | None, totals: Array, span: Array, shown: Array
) -> Figure:
    """The first chart with one survey in it."""
    if published.lanes is not None:
        return row_charts.surveyed(published, truth, span, shown)
    return with_layers(published, *_surveyed(published, totals, span, shown))


def _surveyed(published: Figure, totals: Array, span: Array, shown: Array) -> tuple[Layer, ...]:
    """The bars of one survey: its totals, its raw estimates, and these as they are shown."""
    reported, answer = published.layer("reported"), published.layer("answer")
    bars = replace(answer, heights=shown, low=span[0], high=span[1])
    if isinstance(reported, Line):
        return replace(reported, y=totals[np.argsort(answer.x, kind="stable")]), bars
    return replace(reported, heights=totals), bars
