"""Clusters' charts: scores against ε, what ε is spent on, and what the steps bring."""

import numpy as np

from dpstudio.charts.figure import (
    Axis,
    Columns,
    Figure,
    Handle,
    Layer,
    Line,
    Ribbon,
    Rule,
    nice_above,
)
from dpstudio.labs.local_curves import at_confidence, epsilon_axis, with_point
from dpstudio.labs.models.clusters import model as clusters
from dpstudio.labs.models.clusters.parameters import SCORES
from dpstudio.values.messages import Message, Num, say

_LOWEST = -0.05


def score_chart(model: clusters.ClustersModel) -> Figure:
    """The score against ε: a band over the runs, without noise, and of the first centres alone."""
    lab = model.lab
    epsilons, scores = clusters.by_epsilon(model)
    whole, none, here = clusters.noiseless(model), clusters.untaught(model), clusters.median(model)
    tail, (least, most) = (1 - lab.confidence) / 2, clusters.ends(model)
    own = [value if np.isfinite(value) else none for value in (least, here, most)]
    filled = np.where(np.isfinite(scores), scores, none)
    drawn = np.quantile(filled, [tail, 0.5, 1 - tail], axis=1)
    epsilons, low, middle, high = with_point(epsilons, lab.epsilon, *zip(drawn, own, strict=True))
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
