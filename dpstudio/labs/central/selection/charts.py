"""The charts of Selection as plain figures."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

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
    array,
    nice_above,
)
from dpstudio.labs.central.selection.model import SelectionModel
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.roots import root

if TYPE_CHECKING:
    from dpstudio.privacy.mechanisms.selection import Selection as Mechanism

_TALL = 24


def charts(model: SelectionModel) -> tuple[Figure, ...]:
    """Who is chosen, simulated winners, how far from the best, and the trade."""
    return chances_chart(model), winners_chart(model), error_chart(model), loss_chart(model)


def _axis(model: SelectionModel) -> Axis:
    if model.asked.values is not None:
        return Axis(model.asked.what, range=model.reach)
    # The best is labelled first where room is short.
    order = np.argsort(model.place)
    return Axis(
        model.asked.what,
        range=model.reach,
        ticks=tuple((float(model.place[i]), model.asked.labels[i]) for i in order),
    )


def chances_chart(model: SelectionModel) -> Figure:
    """Exact probabilities of the chosen mechanism as bars, of the others as dots; whiskers from
    simulated winners."""
    lab, asked = model.lab, model.asked
    chosen = model.chances[lab.mechanism.key]
    low, high = _whiskers(model.frequencies, lab.trials, lab.confidence)
    bars = Columns(
        "chances",
        lab.mechanism.ink,
        Say(lab.mechanism.label),
        model.place,
        chosen,
        0.62 * model.step,
        low,
        high,
    )
    top = nice_above(1.12 * max(float(c.max()) for c in model.chances.values()))
    # A dot that lies on the axis says nothing, and hundreds of them hide it.
    seen = np.max(list(model.chances.values()), axis=0) > 0.002 * top
    dots = tuple(
        Dots(m.key, m.ink, Say(m.label), model.place[seen], model.chances[m.key][seen])
        for m in model.others
    )
    truth = Rule("truth", "truth", _best_label(model), float(model.place[asked.best]), dash="dot")
    answer = Rule("answer", "answer", say("this winner"), float(model.place[asked.best]))
    how = say(
        "exact; whiskers: {trials} simulated winners at {confidence}",
        trials=Num(lab.trials),
        confidence=Num(lab.confidence, 4, "down", percent=True),
    )
    return Figure(
        "published",
        say("Who is chosen"),
        _axis(model),
        Axis(say("probability"), range=(0.0, top)),
        # The marks lie below the bars: they must not cover the dots.
        (truth, answer, bars, *dots),
        how,
        notes=asked.notes,
        exact=model.exact,
        simulated=True,
        source=lab.mechanism.source,
    )


def _best_label(model: SelectionModel) -> Say:
    return say("exact") if model.asked.metric else say("best")


def _whiskers(share: Array, trials: int, confidence: float) -> tuple[Array, Array]:
    """Wilson's interval of a share of `trials` draws."""
    # The normal quantile as a root of erfc: scipy would cost 0.2 s for it.
    z = root(lambda x: math.erfc(x / math.sqrt(2)) - (1 - confidence), 0.0, 10.0, 1e-9)
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = (
        z
        / (1 + z * z / trials)
        * np.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    )
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


def winners_chart(model: SelectionModel) -> Figure:
    """Every simulated winner as a dot over its candidate, in the order in which they are played."""
    lab = model.lab
    winners = model.replays[:, 0].astype(np.int64)
    x, y, rows = _stacked(winners, model.place, model.step)
    inside = (x >= model.reach[0]) & (x <= model.reach[1])
    layers: tuple[Layer, ...] = (
        Dots("later", "grid", "", x, y),
        Dots("answer", lab.mechanism.ink, say("drawn so far"), x[:1], y[:1]),
        Rule(
            "truth", "truth", _best_label(model), float(model.place[model.asked.best]), dash="dot"
        ),
    )
    how = say("{n} runs of the algorithm itself, one dot each", n=len(winners))
    if not inside.all():
        how = say(
            "{n} runs of the algorithm itself, {beyond} beyond the edges",
            n=len(winners),
            beyond=int((~inside).sum()),
        )
    return Figure(
        "winners",
        say("Simulated winners"),
        _axis(model),
        Axis(say("winners"), range=(0.0, rows), hidden=True),
        layers,
        how,
        exact=model.exact,
        simulated=True,
        source=lab.mechanism.source,
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
    return (
        place[winners] + across,
        rank // wide + 0.5,
        float(max(12, -(-int(counts.max()) // wide) + 2)),
    )


def with_winner(findings: Findings, index: int) -> Findings:
    """The charts with another simulated winner in them."""
    index %= len(findings.replays)
    published, winners = findings.figure("published"), findings.figure("winners")
    place = published.layer("chances").x[int(findings.replays[index, 0])]
    low, high = published.x.range
    mark = replace(
        published.layer("answer"),
        at=float(np.clip(place, low, high)),
        dash="solid",
        label=say("this winner"),
    )
    if not low <= place <= high:
        mark = replace(
            mark,
            dash="dot",
            label=Say(
                N_("this winner lies beyond →") if place > high else N_("← this winner lies beyond")
            ),
        )
    later = winners.layer("later")
    so_far = replace(
        winners.layer("answer"), x=array(later.x[: index + 1]), y=array(later.y[: index + 1])
    )
    changed = {"published": _with(published, mark), "winners": _with(winners, so_far)}
    return replace(findings, figures=tuple(changed.get(f.key, f) for f in findings.figures))


def _with(figure: Figure, layer: Layer) -> Figure:
    return replace(
        figure, layers=tuple(layer if old.key == layer.key else old for old in figure.layers)
    )


def error_chart(model: SelectionModel) -> Figure:
    """The share of winners that are within an error, exactly, for each mechanism."""
    lab, asked = model.lab, model.asked
    errors = asked.errors
    positive = errors[errors > 0]
    least = float(positive.min()) if len(positive) else 1.0
    reach = nice_above(1.15 * max(model.far, 2 * least))
    steps = np.unique(errors)
    layers: list[Layer] = []
    within = model.error(lab.mechanism)
    told = say("{confidence} of winners", confidence=Num(lab.confidence, 4, "down", percent=True))
    layers.append(Band("interval", "band", told, 0.0, max(within, 0.004 * reach)))
    for mechanism in (*model.others, lab.mechanism):
        order = np.searchsorted(steps, errors)
        shares = np.cumsum(
            np.bincount(order, weights=model.chances[mechanism.key], minlength=len(steps))
        )
        x = np.repeat(np.append(steps, max(reach, float(steps[-1])) * 1.01), 2)[1:-1]
        dash = "solid" if mechanism is lab.mechanism else "dash"
        layers.append(
            Line(
                mechanism.key,
                mechanism.ink,
                Say(mechanism.label),
                x,
                np.repeat(shares, 2),
                dash=dash,
            )
        )
    label = say("error in {what}", what=asked.what) if asked.metric else _short(model)
    return Figure(
        "error",
        say("How far from the best"),
        Axis(label, range=(0.0, reach)),
        Axis(say("share of winners"), range=(0.0, 1.06)),
        tuple(layers),
        say("share of winners within this error"),
        exact=model.exact,
        source=lab.mechanism.source,
    )


def _short(model: SelectionModel) -> Say:
    return say("short of the best: {unit}", unit=model.asked.unit)


def loss_chart(model: SelectionModel) -> Figure:
    """Expected score loss against ε for each mechanism."""
    lab = model.lab
    curves = [(m, model.curve(m)) for m in (*model.others, lab.mechanism)]
    drawn = [(m, *_visible(c.epsilons, c.losses)) for m, c in curves if c.done]
    here = model.losses[lab.mechanism.key]
    low, high = _decades(np.concatenate([*(y for _, _, y in drawn), [here]]))
    text = N_("ε {epsilon} → {loss}")
    words = say(text, epsilon=Num(lab.mechanism.epsilon, 5), loss=Num(here, 3, "up"))
    return Figure(
        "tradeoff",
        say("Privacy against utility"),
        Axis(Say("ε"), log=True, range=(0.0009, 57.0)),
        Axis(_short(model), log=True, range=(low, high), floored=True),
        (
            *_lines(lab.mechanism, drawn),
            Handle(
                "here", lab.mechanism.ink, words, lab.mechanism.epsilon, here, "mechanism.epsilon"
            ),
        ),
        say("expected loss, exact: {unit} short of the best", unit=model.asked.unit),
        exact=model.exact,
        source=lab.mechanism.source,
    )


def _lines(chosen: Mechanism, drawn: list[tuple[Mechanism, Array, Array]]) -> tuple[Layer, ...]:
    return tuple(
        Line(
            m.key,
            m.ink,
            Say(m.label),
            x,
            y,
            dash="solid" if m is chosen else "dash",
            width=2.0 if m is chosen else 1.5,
        )
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


def hidden_charts(model: SelectionModel) -> tuple[Figure, ...]:
    """What may be shown of a hidden answer: one simulated winner, and what holds whatever the
    scores are."""
    return _hidden_winner(model), _hidden_error(model), _hidden_promise(model)


def _hidden_winner(model: SelectionModel) -> Figure:
    asked, lab = model.asked, model.lab
    winner = int(model.unseen_winner[0, 0])
    numbers = asked.values
    place = numbers if numbers is not None else np.arange(model.count, dtype=np.float64)
    step = float(np.diff(place).min()) if model.count > 1 else 1.0
    # The winner is labelled first where room is short; the others stand in the order in which they
    # are listed.
    order = [winner, *(i for i in range(model.count) if i != winner)]
    ticks = () if numbers is not None else tuple((float(i), asked.labels[i]) for i in order)
    return Figure(
        "published",
        say("Who is chosen"),
        Axis(
            asked.what,
            range=(float(place[0]) - 0.6 * step, float(place[-1]) + 0.6 * step),
            ticks=ticks,
        ),
        Axis(say("winner"), range=(0.0, 1.25), hidden=True),
        (
            Columns(
                "answer", lab.mechanism.ink, say("this winner"), [place[winner]], [1.0], 0.62 * step
            ),
        ),
        say("one simulated winner"),
        notes=asked.openness,
        simulated=True,
        source=lab.mechanism.source,
    )


def _hidden_error(model: SelectionModel) -> Figure:
    """The share of winners that are within a loss, at least, over all scores that so many
    candidates may have."""
    lab = model.lab
    reach = nice_above(1.15 * max(model.promised(m) for m in model.mechanisms))
    layers: list[Layer] = [
        Band(
            "interval",
            "band",
            say("{confidence} of winners", confidence=Num(lab.confidence, 4, "down", percent=True)),
            0.0,
            model.promised(lab.mechanism),
        )
    ]
    for mechanism in (*model.others, lab.mechanism):
        gaps, beyond = model.tail(mechanism)
        dash = "solid" if mechanism is lab.mechanism else "dash"
        layers.append(
            Line(
                mechanism.key,
                mechanism.ink,
                Say(mechanism.label),
                gaps / mechanism.rate(model.scores),
                1 - beyond,
                dash=dash,
            )
        )
    return Figure(
        "error",
        say("How far from the best"),
        Axis(_short(model), range=(0.0, reach)),
        Axis(say("share of winners"), range=(0.0, 1.06)),
        tuple(layers),
        say("at least this share, whatever the scores are"),
        source=lab.mechanism.source,
    )


def _hidden_promise(model: SelectionModel) -> Figure:
    """The loss that the confidence keeps whatever the scores are, against ε."""
    lab = model.lab
    epsilons = np.array([0.001, 50.0])
    drawn = [
        (m, epsilons, model.promised(m) * m.epsilon / epsilons)
        for m in (*model.others, lab.mechanism)
    ]
    here = model.promised(lab.mechanism)
    values = np.concatenate([y for _, _, y in drawn])
    low, high = (
        (10.0 ** np.floor(np.log10(values.min())), 10.0 ** np.ceil(np.log10(values.max())))
        if values.min() > 0
        else (0.1, 10.0)
    )
    words = say(
        "ε {epsilon} → at most {loss}",
        epsilon=Num(lab.mechanism.epsilon, 5),
        loss=Num(here, 3, "up"),
    )
    return Figure(
        "tradeoff",
        say("Privacy against utility"),
        Axis(Say("ε"), log=True, range=(0.0009, 57.0)),
        Axis(_short(model), log=True, range=(float(low), float(high)), floored=True),
        (
            *_lines(lab.mechanism, drawn),
            Handle(
                "here", lab.mechanism.ink, words, lab.mechanism.epsilon, here, "mechanism.epsilon"
            ),
        ),
        say(
            "what {confidence} of winners keep whatever the scores are",
            confidence=Num(lab.confidence, 4, "down", percent=True),
        ),
        source=lab.mechanism.source,
    )
