"""How a chart is read: three sentences of every chart, each true of what is drawn in it."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from dpstudio.charts.figure import Axis, Band, Dots, Figure, Handle, Heat, Line, Rule
from dpstudio.charts.how_to_read import how_to_read
from dpstudio.labs import LABS, About, Lab
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import render


@pytest.mark.parametrize("about", LABS, ids=lambda about: about.key)
def test_every_chart_has_three_sentences_of_what_it_holds(
    about: About, default_findings: Callable[[type[Lab]], Findings]
) -> None:
    """No two alike, all names that they say are of the chart."""
    for figure in default_findings(about.kind).figures:
        told = [render(sentence) for sentence in how_to_read(figure)]
        assert len({*told}) == 3, figure.key
        assert all(re.fullmatch(r"\S.*[.]", sentence) for sentence in told), told
        labels = [figure.x.label, figure.y.label, *(layer.label for layer in figure.layers)]
        labels += [each.head for each in figure.lanes.columns] if figure.lanes else []
        named = {render(label) for label in labels}
        for name in re.findall(r"“(.*?)”(?=[,.; ]|$)", " ".join(told)):
            assert any(name in label for label in named), (figure.key, name)


def figure(*layers: object, x: str = "ε", y: str = "error", **more: object) -> list[str]:
    """What is said of a chart of these layers."""
    axes = Axis(x, log=bool(more.pop("log", False)), range=(1.0, 10.0)), Axis(y, hidden=not y)
    return [render(s) for s in how_to_read(Figure("f", "f", *axes, layers, **more))]  # type: ignore[arg-type]


def test_sentences_follow_from_the_layers() -> None:
    x = np.array([1.0, 2.0, 3.0])
    curve, fold = Line("a", "text", "A", x=x, y=x), Line("b", "text", "B", x=x[::-1], y=x)
    nameless = Line("c", "text", x=x, y=x)
    assert "The curve “A” tells “error” for each “ε”." in figure(curve, fold)
    assert not any("“B” tell" in told for told in figure(fold))
    assert "logarithmic" in figure(curve, log=True)[0]
    assert "logarithmic" not in figure(curve)[0]
    assert "no number is to be read" in figure(curve, y="")[0]
    assert any("dragged" in told for told in figure(curve, Handle("h", "text", "H", sets="ε")))
    assert not any("dragged" in told for told in figure(curve, Handle("h", "text", "H")))
    assert "The level line across the chart marks “R”." in figure(
        curve, Rule("r", "text", "R", at=1, axis="y")
    )
    assert "The strip over the whole height is “S”." in figure(curve, Band("s", "text", "S"))
    stack = Dots("d", "text", x=x, y=x, stack=(1.0, 0.0))
    assert "Dots are stacked where they fall: 3 values, all equally likely." in figure(stack)
    assert any("from 0." in told for told in figure(Heat("h", "text", low=-1.0)))
    assert any("no private release" in told for told in figure(nameless, exact=True))
    assert any("no simulated one" in told for told in figure(nameless))
