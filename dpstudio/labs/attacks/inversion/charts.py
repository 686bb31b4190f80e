"""The charts of inversion."""

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Heat, Line, Ribbon
from dpstudio.labs.attacks.inversion.model import STEPS, InversionModel, row_of, similar
from dpstudio.values.messages import N_, say

_SOURCE = "Fredrikson, Jha & Ristenpart 2015"
_NAMES = (N_("exact"), *(f"{step:g}" for step in STEPS[1:-1]), N_("label"))


def charts(model: InversionModel) -> tuple[Figure, ...]:
    """What is found beside the mean picture, and how alike they are."""
    return _pictures_chart(model), _similar_chart(model)


def _pictures_chart(model: InversionModel) -> Figure:
    cells = row_of(model)
    high, wide = cells.shape
    names = (N_("class mean"), *_NAMES)
    each = (wide + 1) / len(names)
    ticks = tuple((i * each + (each - 1) / 2, name) for i, name in enumerate(names))
    heat = Heat("pictures", "answer", "", np.arange(wide + 1), np.arange(high + 1), cells)
    return Figure(
        "pictures",
        say("What the attacker sees"),
        Axis(say("confidences rounded to"), range=(-0.5, wide + 0.5), ticks=ticks),
        Axis("", range=(-0.5, high + 0.5), hidden=True),
        (heat,),
        simulated=True,
        source=_SOURCE,
        square=True,
    )


def _similar_chart(model: InversionModel) -> Figure:
    low, mean, high = similar(model)
    x = list(range(len(STEPS)))
    return Figure(
        "similar",
        say("Likeness to the class mean"),
        Axis(say("confidences rounded to"), range=(-0.3, len(STEPS) - 0.7), ticks=_ticks()),
        Axis(say("correlation"), range=(-0.2, 1.02)),
        (
            Ribbon("digits", "answer", say("all digits"), x, low, high),
            Line("mean", "answer", say("on average"), x, mean),
            Dots("points", "answer", "", x, mean, marker="circle"),
        ),
        simulated=True,
        source=_SOURCE,
    )


def _ticks() -> tuple[tuple[float, str], ...]:
    return tuple((float(i), name) for i, name in enumerate(_NAMES))
