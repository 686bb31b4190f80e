"""From which ε on a score is reached that is wanted, read off the curve that is drawn: in every lab
that learns by an ε and draws one."""

import numpy as np
import pytest
from running import little

from dpstudio.charts.figure import Handle, Line
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Effort
from dpstudio.labs.worded import lab_of_words

LABS = {
    "local_learning": ("wanted", "score", "grr", 0.01),
    "clusters": ("wanted", "score", "median", 1.0),
    "components": ("enough", "captured", "gaussian_matrix", 1.0),
}


@pytest.mark.parametrize("key", LABS)
def test_the_curve_reaches_the_target_from_there_on_and_not_just_below(
    key: str, adult: Dataset
) -> None:
    setting, chart, line, unit = LABS[key]
    needed = []
    for share in ("0.6", "0.9"):
        lab = lab_of_words([key, f"{setting}={share}"])
        found = little(lab, adult, Effort(points=0.5, draws=0.1))
        told = found.sentence("wanted_epsilon").say
        own, before = told.values["own"], told.values["before"]
        held = told.values["what"].values
        aim = held["share" if key == "components" else "score"].value
        drawn = next(each for each in found.figure(chart).layers if each.key == line)
        assert isinstance(drawn, Line)
        x, y = np.asarray(drawn.x), unit * np.asarray(drawn.y)
        assert (y[x >= own.value] >= aim).all()
        below = x[x < own.value][-1]
        # Else the ε in use, which was tried besides, lies between.
        assert y[x == below] < aim or before.value > below
        needed.append(own.value)
    assert needed[0] <= needed[1]


@pytest.mark.parametrize("words", ["learn", "clusters", "local_learning", "synthesis"])
def test_the_point_of_the_epsilon_in_use_lies_on_its_curve(words: str, adult: Dataset) -> None:
    """Between the values of ε at which the curve is drawn it lay a tenth of the chart beside it."""
    chart = "distance" if words == "synthesis" else "score"
    figure = little(lab_of_words([words]), adult).figure(chart)
    here = next(layer for layer in figure.layers if isinstance(layer, Handle))
    own = [each for each in figure.layers if isinstance(each, Line) and each.ink == here.ink]
    there = [y for line in own for x, y in zip(line.x, line.y, strict=True) if x == here.x]
    assert here.y in there


def test_of_inertia_less_is_wanted(adult: Dataset) -> None:
    aims = []
    for share in ("0.3", "0.6"):
        found = little(lab_of_words(["clusters", "score=inertia", f"wanted={share}"]), adult)
        aims.append(found.sentence("wanted_epsilon").say.values["what"].values["score"].value)
    assert aims[0] > aims[1]
