"""The charts of inversion."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Heat, Line, Ribbon, Words
from dpstudio.labs.attacks.inversion.model import STEPS, InversionModel, in_rows, similar
from dpstudio.privacy.attacks.inversion import SIDE
from dpstudio.values.messages import N_, Message, Num, say, worded

_SOURCE = "Fredrikson, Jha & Ristenpart 2015"
_NAMES = (N_("exact"), *(f"{step:g}" for step in STEPS[1:-1]), N_("label"))
# Pictures in a row, the pixels after each and below, and those from one to its name.
_ACROSS, _GAPS, _BELOW = 4, (2, 2), 1.0


def charts(model: InversionModel) -> Iterator[Figure]:
    """What is found beside the mean picture, and how alike they are."""
    yield _pictures_chart(model)
    yield _similar_chart(model)


def _pictures_chart(model: InversionModel) -> Figure:
    """The mean picture of the class, then what is found at every rounding, in two rows."""
    names = (say("class mean"), *map(_rounded, range(len(STEPS))))
    mean, found = model.classifier.means[model.lab.digit], in_rows(model, _ACROSS, _GAPS)
    high, wide = found.shape
    x, y = np.arange(wide + 1), np.arange(high + 1)
    places = [divmod(i, _ACROSS) for i in range(len(names))]
    across = [(SIDE + _GAPS[0]) * column + SIDE / 2 for _, column in places]
    up = [high - (SIDE + _GAPS[1]) * row - SIDE - _BELOW for row, _ in places]
    return Figure(
        "pictures",
        say("What the attacker sees"),
        Axis("", range=(-_GAPS[0] / 2, wide + _GAPS[0] / 2), hidden=True),
        Axis("", range=(0.0, float(high)), hidden=True),
        (
            Heat("pictures", "answer", "", x, y, found),
            Heat(
                "mean", "truth", "", x[: SIDE + 1], y[-SIDE - 1 :], mean.reshape(SIDE, SIDE)[::-1]
            ),
            Words("names", "text", "", names, across, up, room=SIDE + _GAPS[0], lines=1),
        ),
        say("told how sure the classifier is, exactly or rounded to a step"),
        simulated=True,
        source=_SOURCE,
        square=True,
    )


def _rounded(step: int) -> Message:
    """What is told of confidences at a step."""
    if 0 < step < len(STEPS) - 1:
        return say("to {step}", step=Num(STEPS[step]))
    return Message(_NAMES[step])


def _similar_chart(model: InversionModel) -> Figure:
    low, mean, high = similar(model)
    x = list(range(len(STEPS)))
    return Figure(
        "similar",
        say("Correlation with the class mean"),
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
    return tuple((float(i), worded(name)) for i, name in enumerate(_NAMES))
