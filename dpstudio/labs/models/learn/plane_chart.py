"""Learn's chart of the line between two classes, where two numbers are learnt from."""

import numpy as np

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Layer, Line
from dpstudio.labs.models.learn.learners.learner import Plane
from dpstudio.labs.models.learn.model import LearnModel
from dpstudio.values.messages import Num, plain, say

_INKS = ("first", "second")


def plane_chart(model: LearnModel, view: Plane) -> Figure:
    """Rows by their class, the line without noise, and some with it."""
    low = np.array([feature.low for feature in view.features])
    half = np.array([feature.high - feature.low for feature in view.features]) / 2
    xy, names = low + half * (view.points + 1), model.known.label.words
    layers: list[Layer] = []
    for i, ink in enumerate(_INKS):
        here = xy[view.classes == i]
        layers.append(Dots(f"class_{i}", ink, plain(names[i]), here[:, 0], here[:, 1]))
    for i, weights in enumerate(view.drawn):
        x, y = (low + half * (segment(weights) + 1)).T
        label = say("with noise") if i == 0 else ""
        layers.append(Line(f"line_{i}", "answer", label, x, y, "solid", 1.0, named="outside"))
    x, y = (low + half * (segment(view.exact) + 1)).T
    layers.append(Line("exact", "truth", say("without noise"), x, y, "dash", 2.6, named="outside"))
    across, up = (Axis(plain(f.name), range=(f.low, f.high)) for f in view.features)
    return Figure(
        "plane",
        say("The line between the classes"),
        across,
        up,
        tuple(layers),
        say("{n} of the rows learnt from", n=Num(len(view.points))),
        exact=True,
        simulated=True,
    )


def segment(weights: Array) -> Array:
    """The ends of the part of the line w₁x + w₂y + c = 0 that lies in [−1, 1]², (2, 2); (0, 2)
    where it passes outside."""
    (a, b, c), ends = weights, list[tuple[float, float]]()
    for side in (-1.0, 1.0):
        if b and abs(y := -(a * side + c) / b) <= 1:
            ends.append((side, y))
        if a and abs(x := -(b * side + c) / a) < 1:
            ends.append((x, side))
    return np.array(ends[:2] if len(ends) > 1 else []).reshape(-1, 2)
