"""Learn's charts of what a model is made of: the budget of each part, and what noise does to it."""

from collections.abc import Iterator, Sequence

import numpy as np

from dpstudio.charts.figure import (
    Axis,
    Columns,
    Dots,
    Figure,
    Layer,
    Line,
    Ribbon,
    Rule,
    nice_above,
)
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.models.learn.charts import scores_axis
from dpstudio.labs.models.learn.learners import learner
from dpstudio.labs.models.learn.model import LearnModel, budget, counted, views, words_found
from dpstudio.labs.models.learn.plane_chart import plane_chart
from dpstudio.labs.named_rows import names_axis
from dpstudio.values.messages import N_, Message, Num, plain, say, worded

_BAR = 10.0  # px of a bar that lies in its row
_INKS = ("first", "second", "third", "gaussian", "geometric", "staircase")
_WORDS = 10
_LINES = N_("lines: no noise; bands: {confidence} of models")


def split_chart(model: LearnModel) -> Figure:
    """What each part of ε is spent on, one row a feature."""
    parts = budget(model)
    rows = list(dict.fromkeys(worded(part.row) for part in parts))
    kinds = list(dict.fromkeys(worded(part.kind) for part in parts))
    ends, told, layers = dict.fromkeys(rows, 0.0), set[str](), list[Layer]()
    for i, part in enumerate(parts):
        row, kind = worded(part.row), worded(part.kind)
        start, y = ends[row], float(len(rows) - rows.index(row))
        ends[row] = start + part.epsilon
        ink, words = _INKS[kinds.index(kind)], "" if kind in told else part.kind
        told.add(kind)
        layers.append(Line(f"part_{i}", ink, words, [start, ends[row]], [y, y], width=_BAR))
    return Figure(
        "split",
        say("What ε is spent on"),
        Axis(say("ε of each part")),
        _rows(rows),
        tuple(layers),
        say("rows of this chart add up, classes do not"),
        exact=words_found(model),
    )


def _rows(names: Sequence[str]) -> Axis:
    ticks = tuple((float(len(names) - i), name) for i, name in enumerate(names))
    return Axis("", range=(0.3, len(names) + 0.7), ticks=ticks)


def view_charts(model: LearnModel) -> Iterator[Figure]:
    """The charts of what a learner shows of itself."""
    return (_chart(model, view) for view in views(model))


def _chart(model: LearnModel, view: learner.View) -> Figure:
    if isinstance(view, learner.Densities):
        return _densities(model, view)
    if isinstance(view, learner.Chances):
        return _chances(model, view)
    if isinstance(view, learner.Plane):
        return plane_chart(model, view)
    if isinstance(view, learner.Growth):
        return _growth(model, view)
    return _errors(model, view) if isinstance(view, learner.Errors) else _weights(model, view)


def _figure(
    model: LearnModel,
    key: str,
    title: Message,
    axes: tuple[Axis, Axis],
    layers: list[Layer],
    under: Message,
) -> Figure:
    return Figure(key, title, *axes, tuple(layers), under, exact=True, simulated=True)


def _under(model: LearnModel, text: str = _LINES) -> Message:
    """What is drawn; and of how many classes, where there are more than inks."""
    words, told = model.known.label.words, say(text, confidence=at_confidence(model.lab.confidence))
    text = N_("{told}; the first {n} of {classes:# class|# classes}")
    some = say(text, told=told, n=Num(len(_INKS)), classes=Num(len(words)))
    return some if len(words) > len(_INKS) else told


def _densities(model: LearnModel, view: learner.Densities) -> Figure:
    """One number class by class."""
    x, layers = view.x, list[Layer]()
    named = list(enumerate(model.known.label.words[: len(_INKS)]))
    layers += [Ribbon(f"band_{i}", _INKS[i], "", x, view.low[i], view.high[i]) for i, _ in named]
    layers += [Line(f"class_{i}", _INKS[i], plain(name), x, view.exact[i]) for i, name in named]
    top = nice_above(1.6 * float(view.exact.max()))
    label, span = plain(view.feature.name), (view.feature.low, view.feature.high)
    axes = Axis(label, range=span), Axis(say("density"), range=(0.0, top), hidden=True)
    title, under = say("Classes by {feature}", feature=label), _under(model)
    return _figure(model, "classes", title, axes, layers, under)


def _chances(model: LearnModel, view: learner.Chances) -> Figure:
    """The words of one feature class by class, the commonest ones."""
    names, layers = model.known.label.words[: len(_INKS)], list[Layer]()
    order = np.argsort(-view.exact.sum(axis=0), kind="stable")[:_WORDS]
    width, places = 0.8 / len(names), np.arange(len(order), dtype=np.float64)
    for i, name in enumerate(names):
        x = places + (i - (len(names) - 1) / 2) * width
        low, high, heights = (100 * each[i][order] for each in (view.low, view.high, view.exact))
        layers.append(
            Columns(f"class_{i}", _INKS[i], plain(name), x, heights, 0.9 * width, low, high)
        )
    top = nice_above(105 * float(max(view.exact.max(), np.median(view.high))))
    label = plain(view.feature.name)
    axes = (
        names_axis(label, [view.feature.words[k] for k in order]),
        Axis(say("% of the class"), range=(0.0, min(101.0, top))),
    )
    title = say("Classes by {feature}", feature=label)
    text = N_("bars: no noise; whiskers: {confidence} of models")
    return _figure(model, "classes", title, axes, layers, _under(model, text))


def _errors(model: LearnModel, view: learner.Errors) -> Figure:
    """How far noise moves each parameter."""
    y = np.arange(len(view.rows), 0, -1, dtype=np.float64)
    shown, layers = 100 * view.typical, list[Layer]()
    for i, kind in enumerate(view.kinds):
        there = np.isfinite(shown[i])
        if there.any():
            layers.append(Dots(f"kind_{i}", _INKS[i], kind, shown[i][there], y[there]))
    axes = (
        Axis(say("error, % of its range"), log=True, floored=True),
        _rows([worded(row) for row in view.rows]),
    )
    title, under = say("Noise of each parameter"), say("of the class that it moves most, median")
    return _figure(model, "errors", title, axes, layers, under)


def _growth(model: LearnModel, view: learner.Growth) -> Figure:
    """R² against the rows that there would be."""
    lab, rows = model.lab, counted(model)[0]
    kept = say("{confidence} of the models", confidence=at_confidence(lab.confidence))
    axis = scores_axis(model, view.middle, view.low, view.whole, 0.0)
    low, middle, high = (np.maximum(y, axis.range[0]) for y in (view.low, view.middle, view.high))
    layers: list[Layer] = [
        Ribbon("band", lab.learner.ink, kept, view.rows, low, high),
        Line("middle", lab.learner.ink, say("median"), view.rows, middle, width=2.6),
        Rule("whole", "truth", say("without noise"), view.whole, "y", "dash"),
        Rule("mean", "muted", say("always the mean"), 0.0, "y", "dot"),
        Rule("here", "text", say("{n} {n:row|rows}", n=Num(rows)), rows, "x", "dot"),
    ]
    taught = view.taught.at
    if view.taught.before is not None and taught is not None and taught < view.rows[-1]:
        half = say("half from {n} {n:row|rows} on", n=Num(taught, 3, "up"))
        layers.append(Dots("taught", "text", half, [taught], [view.whole / 2]))
    span = float(min(view.rows[0], rows)), float(max(view.rows[-1], rows))
    axes = Axis(say("rows learnt from"), log=True, range=span), axis
    title = say("R² against rows, at ε = {epsilon}", epsilon=Num(lab.epsilon, 5))
    return _figure(model, "growth", title, axes, layers, say("the same rows, over and over"))


def _weights(model: LearnModel, view: learner.Weights) -> Figure:
    """Weights of a linear model, without noise and with it."""
    y = np.arange(len(view.names), 0, -1, dtype=np.float64)
    ink, layers = model.lab.learner.ink, list[Layer]()
    kept = say("{confidence} of the models", confidence=at_confidence(model.lab.confidence))
    for i, at in enumerate(y):
        ends, label = [view.low[i], view.high[i]], kept if i == 0 else ""
        layers.append(Line(f"spread_{i}", ink, label, ends, [at, at], width=_BAR, behind=True))
    layers.append(Dots("exact", "truth", say("without noise"), view.exact, y))
    axes = Axis(say("weight"), even=True), _rows(list(view.names))
    runs = Num(model.curve.scores.shape[1]) if model.curve is not None else Num(0)
    under = say("{runs} {runs:model|models}", runs=runs)
    return _figure(model, "weights", say("Weights with noise"), axes, layers, under)
