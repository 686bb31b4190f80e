"""The charts of Selection where exact scores are shown."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import (
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
    nice_above,
)
from dpstudio.labs.findings import Findings
from dpstudio.labs.named_rows import named_rows
from dpstudio.labs.one_answer.selection import model as selection
from dpstudio.labs.one_answer.selection.curves import loss_curve
from dpstudio.labs.one_answer.selection.named_charts import named_chart
from dpstudio.labs.percents import percent_axis
from dpstudio.privacy.mechanisms.selection import Selection as Mechanism
from dpstudio.values.messages import N_, Message, Num, by_log, say

_TALL = 24


def charts(model: selection.SelectionModel) -> Iterator[Figure]:
    """Who is chosen, how far from the best, the trade, and simulated winners."""
    published = named_chart if model.asked.values is None else chances_chart
    yield published(model)
    yield error_chart(model)
    yield loss_chart(model)
    yield winners_chart(model)


def _axis(model: selection.SelectionModel) -> Axis:
    asked, place = model.asked, selection.places(model)
    if asked.values is not None:
        return Axis(asked.what, range=selection.axis_range(model))
    # The best is labelled first where room is short.
    ticks = tuple((float(place[i]), asked.labels[i]) for i in np.argsort(place, kind="stable"))
    return Axis(asked.what, range=selection.axis_range(model), ticks=ticks)


def chances_chart(model: selection.SelectionModel) -> Figure:
    """Exact probabilities of the chosen mechanism as bars, of the others as dots; whiskers from
    simulated winners."""
    lab, asked, place = model.lab, model.asked, selection.places(model)
    exact = selection.chances(model)
    low, high = selection.wilson(selection.frequencies(model), model.trials, lab.confidence)
    mechanism, wide = lab.mechanism, 0.62 * selection.least_step(model)
    heights = exact[mechanism.key]
    label = Message(mechanism.label)
    bars = Columns("chances", mechanism.ink, label, place, heights, wide, low, high)
    top = nice_above(1.12 * max(float(c.max()) for c in exact.values()))
    # A dot that lies on the axis says nothing, and hundreds of them hide it.
    seen = np.max(list(exact.values()), axis=0) > 0.002 * top
    dots = tuple(
        Dots(m.key, m.ink, Message(m.label), place[seen], exact[m.key][seen])
        for m in selection.chosen_last(model)[:-1]
    )
    answer = Rule("answer", "answer", say("this winner"), float(place[asked.best]))
    how = say(
        "exact; whiskers: {trials} simulated {trials:winner|winners} at {confidence}",
        trials=Num(model.trials),
        confidence=Num(lab.confidence, 4, "down", percent=True),
    )
    return Figure(
        "published",
        say("Who is named"),
        _axis(model),
        percent_axis(say("probability"), 0.0, top, 5),
        # The marks lie below the bars: they must not cover the dots.
        (_best_rule(model), answer, bars, *dots),
        how,
        notes=asked.notes,
        exact=model.exact,
        simulated=True,
    )


def _best_rule(model: selection.SelectionModel) -> Rule:
    label = say("exact") if model.asked.metric else say("best")
    return Rule(
        "truth", "truth", label, float(selection.places(model)[model.asked.best]), dash="dot"
    )


def winners_chart(model: selection.SelectionModel) -> Figure:
    """Every simulated winner as a dot over its candidate, in the order in which they are played."""
    mechanism, (low, high) = model.lab.mechanism, selection.axis_range(model)
    winners = selection.replays(model)[:, 0].astype(np.int64)
    x, y, rows = _stacked(winners, selection.places(model), selection.least_step(model))
    beyond = int(((x < low) | (x > high)).sum())
    how = say("{n} {n:run|runs} of the algorithm itself, one dot each", n=len(winners))
    if beyond:
        text = N_("{n} {n:run|runs} of the algorithm itself, {beyond} beyond the edges")
        how = say(text, n=len(winners), beyond=beyond)
    return Figure(
        "winners",
        say("Simulated winners"),
        _axis(model),
        Axis(say("winners"), range=(0.0, rows), hidden=True),
        (
            Dots("later", "grid", "", x, y, marker=mechanism.ink),
            Dots("answer", mechanism.ink, say("drawn so far"), x[:1], y[:1]),
            _best_rule(model),
        ),
        how,
        exact=model.exact,
        simulated=True,
    )


def _stacked(winners: np.ndarray, place: Array, step: float) -> tuple[Array, Array, float]:
    """Positions of the dots, (x, y) of each winner, and the height of the chart: wide columns, at
    most 24 rows where that fits."""
    counts = np.bincount(winners, minlength=len(place))
    wide = max(1, -(-int(counts.max()) // _TALL))
    rank = np.empty(len(winners))
    for candidate in np.flatnonzero(counts):
        rank[winners == candidate] = np.arange(counts[candidate])
    across = (rank % wide - (wide - 1) / 2) / max(wide, 2) * 0.84 * step if wide > 1 else 0.0
    rows = float(max(12, -(-int(counts.max()) // wide) + 2))
    return place[winners] + across, rank // wide + 0.5, rows


def with_winner(findings: Findings, index: int) -> Findings:
    """The charts with simulated winner number `index` in them."""
    mark = int(findings.replays[index, 0])
    winners, published = findings.figure("winners"), marked(findings, mark)
    later, end = winners.layer("later"), index + 1
    so_far = replace(winners.layer("answer"), x=later.x[:end], y=later.y[:end])
    changed = {"published": published, "winners": _with(winners, so_far)}
    return replace(findings, figures=tuple(changed.get(f.key, f) for f in findings.figures))


def marked(findings: Findings, winner: int) -> Figure:
    """The chart of who is chosen with the mark of a simulated winner: in its lane, or over its
    place; at the border where that lies beyond it."""
    published = findings.figure("published")
    if published.lanes is not None and published.lanes.star is not None:
        scores = dict(next(t for t in findings.tables if t.key == "parts").columns)["score"]
        star = replace(published.lanes.star, y=[float(named_rows(scores).rows[winner])])
        return replace(published, lanes=replace(published.lanes, star=star))
    answer, chances = published.layer("answer"), published.layer("chances")
    place, (low, high) = chances.x[winner], published.x.range
    dash, label = "solid", say("this winner")
    if place > high:
        dash, label = "dot", say("this winner lies beyond →")
    elif place < low:
        dash, label = "dot", say("← this winner lies beyond")
    at = float(np.clip(place, low, high))
    return _with(published, replace(answer, at=at, dash=dash, label=label))


def _with(figure: Figure, layer: Layer) -> Figure:
    return replace(
        figure, layers=tuple(layer if old.key == layer.key else old for old in figure.layers)
    )


def error_chart(model: selection.SelectionModel) -> Figure:
    """The share of winners that are within an error, exactly, for each mechanism."""
    lab, asked = model.lab, model.asked
    positive = asked.errors[asked.errors > 0]
    least = float(positive.min()) if len(positive) else 1.0
    reach = nice_above(1.15 * max(selection.far(model), 2 * least))
    told = say("{confidence} of winners", confidence=Num(lab.confidence, 4, "down", percent=True))
    within = max(selection.error_kept(model), 0.004 * reach)
    layers: list[Layer] = [Band("interval", "band", told, 0.0, within)]
    for m in selection.chosen_last(model):
        steps, shares = selection.shares_within(model, m)
        x = np.repeat(np.append(steps, max(reach, float(steps[-1])) * 1.01), 2)[1:-1]
        layers.append(Line(m.key, m.ink, Message(m.label), x, np.repeat(shares, 2)))
    label = say("error in {what}", what=asked.what) if asked.metric else short_label(model)
    return Figure(
        "error",
        say("How far from the best"),
        Axis(label, range=(0.0, reach)),
        percent_axis(say("share of winners"), 0.0, 1.06, 5),
        tuple(layers),
        say("share of winners within this error"),
        exact=model.exact,
    )


def short_label(model: selection.SelectionModel) -> Message:
    """What is lost, as an axis label."""
    return say("short of the best: {unit}", unit=model.asked.unit)


def loss_chart(model: selection.SelectionModel) -> Figure:
    """Expected score loss against ε for each mechanism."""
    mechanism, asked = model.lab.mechanism, model.asked
    curves = [(m, loss_curve(model, m)) for m in selection.chosen_last(model)]
    drawn = [(m, *_visible(c.epsilons, c.losses)) for m, c in curves if c.done]
    here = selection.losses(model)[mechanism.key]
    low, high = _decades(np.concatenate([*(y for _, _, y in drawn), [here]]))
    epsilon = mechanism.epsilon
    loss = by_log(selection.log_loss(model, mechanism.key), 3, "up")
    words = say("ε {epsilon} → {loss}", epsilon=Num(epsilon, 5), loss=loss)
    return Figure(
        "tradeoff",
        say("Privacy against utility"),
        Axis(Message("ε"), log=True, range=(0.0009, 57.0)),
        Axis(short_label(model), log=True, range=(low, high), floored=True),
        (
            *trade_lines(mechanism, drawn),
            Handle("here", mechanism.ink, words, epsilon, here, "mechanism.epsilon"),
        ),
        say("expected loss, exact: {unit} short of the best", unit=asked.unit),
        exact=model.exact,
    )


def trade_lines(
    chosen: Mechanism, drawn: list[tuple[Mechanism, Array, Array]]
) -> tuple[Layer, ...]:
    """A line for each (mechanism, ε, loss); that of the chosen one stands out."""
    return tuple(
        Line(m.key, m.ink, Message(m.label), x, y, width=2.0 if m is chosen else 1.5)
        for m, x, y in drawn
    )


def _visible(epsilons: Array, losses: Array) -> tuple[Array, Array]:
    """The curve up to where floats can no longer hold the loss: on the floor of the axis that would
    look like a larger one."""
    kept = losses > 0 if losses.any() else np.ones(len(losses), dtype=np.bool_)
    return epsilons[kept], losses[kept]


def _decades(losses: Array) -> tuple[float, float]:
    """Powers of ten about the losses, at most five: a loss below that is none that anyone would
    see."""
    positive = losses[losses > 0]
    if not len(positive):
        return 0.1, 10.0
    high = float(10.0 ** np.ceil(np.log10(positive.max()) + 0.05))
    return max(float(10.0 ** np.floor(np.log10(positive.min()) - 0.05)), high * 1e-5), high
