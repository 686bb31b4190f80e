"""Anonymity's chart of the bridge: ε against k."""

import math

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Layer, Line, Rule
from dpstudio.labs.whole_tables.anonymity.bridge import bridged, curves
from dpstudio.labs.whole_tables.anonymity.choices.promises import K_MOST
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.values.messages import Num, say

_INKS = ("first", "second", "third", "staircase")


def bridge_chart(model: AnonymityModel) -> Figure:
    """Both dials: the ε that a k has at some shares of the sample; none where a line ends."""
    lab, layers, every = model.lab, list[Layer](), [1e-2, 10.0]
    for ink, (share, x, y) in zip(_INKS, curves(model), strict=False):
        label = say("β = {share}", share=Num(share, 3, percent=True))
        layers.append(Line(f"share{ink}", ink, label, x, y))
        every += y.tolist()
    layers.append(Rule("k", "text", say("k = {k}", k=Num(lab.promise.k)), lab.promise.k,
                       dash="dot"))  # fmt: skip
    if math.isfinite(bridged(model)):
        layers.append(Dots("here", "target", "", [lab.promise.k], [bridged(model)]))
        every.append(bridged(model))
    ends = 0.7 * float(np.min(every)), 1.4 * float(np.max(every))
    return Figure(
        "bridge",
        say("Both dials"),
        Axis(say("k"), log=True, range=(1.8, 1.1 * K_MOST)),
        Axis(say("ε"), log=True, range=ends),
        tuple(layers),
        say("of a sample of share β, at δ = {delta}", delta=Num(lab.failure, 3)),
        source="Li, Qardaji & Su 2012; Bild, Kuhn & Prasser 2018",
    )
