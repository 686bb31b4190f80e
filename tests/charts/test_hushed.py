"""Above six curves three are named and inked: the chosen one, the best and the worst."""

from dataclasses import replace

import numpy as np
import pytest

from dpstudio.charts.figure import Axis, Figure, Handle, Line
from dpstudio.charts.hushed import SERIES, hushed, spoken, under
from dpstudio.charts.inks import GREY, stroke
from dpstudio.charts.label_layout import place_labels
from dpstudio.privacy.accounting import ACCOUNTANTS

INKS = [kind.ink for kind in ACCOUNTANTS][:9]


def of_many(count: int) -> Figure:
    x = np.linspace(1.0, 10.0, 50)
    lines = [Line(f"l{k}", INKS[k], f"name {k}", x, (k + 1) * x) for k in range(count)]
    point = Handle("here", INKS[4], "at 5", 5.0, 25.0, "k")
    axes = Axis("k", range=(0.0, 10.0)), Axis("ε", range=(0.0, 100.0))
    return Figure("many", "", *axes, (*lines, point))


def names(figure: Figure) -> list[str]:
    laid = place_labels(figure, 784, 330, lambda text: (7.0 * len(text), 15.0))
    return [label.text for label in laid.labels if label.key != "here"]


def test_six_curves_are_all_named() -> None:
    figure = of_many(SERIES)
    assert hushed(figure) is figure
    assert len(names(figure)) == SERIES


@pytest.mark.parametrize("count", [SERIES + 1, 9])
def test_of_more_the_chosen_the_best_and_the_worst_are(count: int) -> None:
    figure = of_many(count)
    quiet = hushed(figure)
    assert set(names(quiet)) == {
        "name 0", "name 4", f"name {count - 1}", f"{count - 3} others",
    }  # fmt: skip
    for before, now in zip(figure.layers, quiet.layers, strict=True):
        kept = before.key in ("l0", "l4", f"l{count - 1}", "here")
        assert now.ink == (before.ink if kept else GREY)
        if isinstance(before, Line) and isinstance(now, Line):
            assert stroke(now).dashes == stroke(before).dashes
            assert now.x is before.x
            assert now.y is before.y


def test_the_widest_is_the_chosen_one_where_there_is_no_point() -> None:
    figure = of_many(8)
    layers = [replace(one, width=3.0) if one.key == "l2" else one for one in figure.layers[:-1]]
    quiet = hushed(replace(figure, layers=tuple(layers)))
    assert set(names(quiet)) == {"name 0", "name 2", "name 7", "5 others"}


def test_the_pointer_gives_one_its_ink_and_its_name() -> None:
    quiet = hushed(of_many(8))
    key = under(quiet, 8.0, 24.3, 0.02)
    assert key == "l2"
    assert under(quiet, 8.0, 28.0, 0.02) == ""
    assert under(quiet, 8.0, 8.1, 0.02) == ""  # it was never hushed
    loud = spoken(quiet, key)
    assert loud.layer("l2").ink == INKS[2]
    assert "name 2" in names(loud)
    assert "4 others" in names(loud)
    assert spoken(quiet, "") is quiet
