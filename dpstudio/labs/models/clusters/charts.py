"""Clusters' charts: the steps in the plane, scores against ε, and what ε is spent on."""

from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Columns,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Ribbon,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.findings import Findings
from dpstudio.labs.local_curves import at_confidence, epsilon_axis
from dpstudio.labs.models.clusters import model as clusters
from dpstudio.labs.models.clusters.parameters import SCORES
from dpstudio.values.messages import Message, Num, plain, say

_INKS = ("first", "second", "third", "gaussian", "geometric", "staircase")
_TURN = np.linspace(0, 2 * np.pi, 49)
_POINT = 0.025  # of the box
_LOWEST = -0.05


def places(model: clusters.ClustersModel) -> Array:
    """What the player shows: x, y and the deviation of the noise of each centre, before the steps
    and after each of them, (steps + 1, 3k)."""
    run, (across, up) = clusters.found(clusters.one(model)), clusters.axes(model)
    centres = run.centres[0]
    radii = np.vstack([np.zeros(model.lab.k), run.radii()[0]])
    rows = [centres[..., across], centres[..., up], radii]
    return array(np.concatenate(rows, axis=1))


def plane_chart(model: clusters.ClustersModel) -> Figure:
    """The points, where centres end without noise, and the noisy centres on their way."""
    held, (across, up) = clusters.cloud(model), clusters.axes(model)
    xy, chosen = clusters.drawn(model)
    whole = clusters.exact(clusters.one(model)).centres[0, -1]
    layers: list[Layer] = []
    if held.classes is None:
        layers.append(Dots("points", "grid", say("points"), xy[:, 0], xy[:, 1], _POINT))
    else:
        for i, kind in enumerate(np.unique(held.classes).tolist()[: len(_INKS)]):
            here = xy[held.classes[chosen] == kind]
            layers.append(Dots(f"class_{i}", _INKS[i], "", here[:, 0], here[:, 1], _POINT))
    name = say("without noise")
    layers.append(Dots("exact", "truth", name, whole[:, across], whole[:, up]))
    layers += _on_the_way(places(model), clusters.steps_of(model))
    box = (-1.2, 1.2)  # noise about a centre at the edge of the points is seen
    return Figure(
        "plane",
        say("Centres, step by step"),
        Axis(plain(held.names[across]), range=box),
        Axis(plain(held.names[up]), range=box),
        tuple(layers),
        _step(clusters.steps_of(model), clusters.steps_of(model)),
        exact=True,
        simulated=True,
        square=True,
    )


def _step(index: int, steps: int) -> Message:
    if not index:
        return say("first centres, which no point has a part in")
    return say("after step {step} of {steps}", step=Num(index), steps=Num(steps))


def _on_the_way(rows: Array, index: int) -> list[Layer]:
    """The ways of the centres up to a step, the circles of its noise, and where they are."""
    x, y, radii = np.split(rows[: index + 1], 3, axis=1)
    layers: list[Layer] = []
    for j in range(x.shape[1]):
        name = say("noise of the step, one deviation") if j == 0 else ""
        ring = x[-1, j] + radii[-1, j] * np.cos(_TURN), y[-1, j] + radii[-1, j] * np.sin(_TURN)
        layers.append(Line(f"ring_{j}", "answer", name, *ring, "dash", 1.4, named="outside"))
        layers.append(Line(f"way_{j}", "answer", "", x[:, j], y[:, j], "solid", 1.2))
    layers.append(Dots("centres", "answer", say("noisy centres"), x[-1], y[-1]))
    return layers


def with_step(findings: Findings, index: int) -> Findings:
    """The plane after another step: first the last one, then from the start."""
    index = (index - 1) % len(findings.replays)
    plane = findings.figure("plane")
    moved = {layer.key: layer for layer in _on_the_way(findings.replays, index)}
    layers = tuple(moved.get(layer.key, layer) for layer in plane.layers)
    under = _step(index, len(findings.replays) - 1)
    changed = replace(plane, layers=layers, subtitle=under)
    figures = tuple(changed if f.key == "plane" else f for f in findings.figures)
    return replace(findings, figures=figures)


def score_chart(model: clusters.ClustersModel) -> Figure:
    """The score against ε: a band over the runs, without noise, and of the first centres alone."""
    lab = model.lab
    epsilons, scores = clusters.by_epsilon(model)
    tail = (1 - lab.confidence) / 2
    filled = np.where(np.isfinite(scores), scores, clusters.untaught(model))
    low, middle, high = np.quantile(filled, [tail, 0.5, 1 - tail], axis=1)
    whole, none, here = clusters.noiseless(model), clusters.untaught(model), clusters.median(model)
    top = nice_above(1.05 * float(max(high.max(), whole, none)))
    bottom = min(_LOWEST, 1.1 * float(low.min())) if model.key != "inertia" else 0.0
    kept = say("{confidence} of the runs", confidence=at_confidence(lab.confidence))
    name = Message(SCORES[model.key])
    at = say("ε {epsilon} → {score}", epsilon=Num(lab.epsilon, 5), score=Num(here, 3))
    layers: list[Layer] = [
        Ribbon("band", "laplace", kept, epsilons, low, high),
        Line("median", "laplace", say("noisy steps"), epsilons, middle, width=2.6),
        Rule("noiseless", "truth", say("without noise"), whole, "y", "dash"),
        Rule("untaught", "muted", say("first centres alone"), none, "y", "dot"),
        Handle("here", "laplace", at, lab.epsilon, here, "epsilon"),
    ]
    return Figure(
        "score",
        say("Privacy against {score}", score=name),
        epsilon_axis(),
        Axis(name, range=(bottom, top)),
        tuple(layers),
        say("{runs} {runs:run|runs} at each ε; exact, not private", runs=Num(scores.shape[1])),
        exact=True,
        simulated=True,
    )


def split_chart(model: clusters.ClustersModel) -> Figure:
    """What each step spends on counts and on sums."""
    counts, sums = clusters.count_cost(model), clusters.sum_cost(model)
    steps = np.arange(1, clusters.steps_of(model) + 1, dtype=np.float64)
    ends = np.repeat(len(steps) + 1 - steps[:, None], 2, axis=1)
    ticks = tuple((len(steps) + 1 - at, f"{at:.0f}") for at in steps.tolist())
    layers: list[Layer] = []
    for i, (at, y) in enumerate(zip(steps, ends, strict=True)):
        start = (at - 1) * (counts + sums)
        names = (say("counts"), say("sums")) if i == 0 else ("", "")
        cut = start + counts
        layers.append(Line(f"counts_{i}", "first", names[0], [start, cut], y, width=10.0))
        layers.append(Line(f"sums_{i}", "second", names[1], [cut, cut + sums], y, width=10.0))
    layers.append(Rule("promised", "text", say("promised"), model.lab.epsilon, "x", "dash"))
    far = 1.08 * max(len(steps) * (counts + sums), model.lab.epsilon)
    return Figure(
        "split",
        say("What ε is spent on"),
        Axis(say("ε, step after step"), range=(0.0, far)),
        Axis(say("step"), range=(0.3, len(steps) + 0.7), ticks=ticks),
        tuple(layers),
    )


def step_chart(model: clusters.ClustersModel) -> Figure:
    """Inertia of the run drawn, step by step."""
    found = clusters.by_step(model)
    x = np.arange(len(found), dtype=np.float64)
    layers = (Columns("inertia", "laplace", "", x, found, 0.6),)
    return Figure(
        "by_step",
        say("Inertia of a point, step by step"),
        Axis(say("step"), range=(-0.6, len(found) - 0.4), whole=True),
        Axis(say("inertia"), room=1.05),
        layers,
        say("of the run drawn"),
        exact=True,
        simulated=True,
    )
