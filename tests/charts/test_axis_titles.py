"""The titles of axes and the hairlines at their ticks, as the screen and the export share them."""

import numpy as np
import pytest

from dpstudio.charts.axis_titles import hairlines, laid_out
from dpstudio.charts.figure import Axis, Figure, Line, Rule
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import figure_svg
from dpstudio.gui.board.axis_items import SideAxis
from dpstudio.gui.board.plotview import PlotView
from dpstudio.gui.parts.theme import Look

X, Y = Axis("a number of answers", range=(0.0, 9.0)), Axis("a", range=(0.0, 4.0))


def measure(text: str) -> tuple[float, float]:
    return 7.0 * len(text), 15.0


def figure(label: str, x: Axis = X, y: Axis = Y, at: float = 4.0) -> Figure:
    ends = np.array([0.0, 9.0])
    layers = Line("a", "laplace", label, ends, ends / 3), Rule("r", "truth", "a rule", at)
    return Figure("chart", "", x, y, layers)


@pytest.mark.parametrize("at", [0.0, 0.3, 1.0, 4.0])
def test_the_title_of_y_stands_over_its_numbers_and_beside_no_rule(at: float) -> None:
    names, titles = laid_out(figure("a curve", at=at), (300, 200), 20, (measure, measure), (0, 0))
    assert titles.y is not None
    assert titles.y.x == -20
    assert titles.y.y + titles.y.height <= -7  # half a number
    rule = next(label for label in names.labels if label.key == "r")
    beside = rule.x > titles.y.x + titles.y.width or rule.x + rule.width < titles.y.x
    assert beside or rule.y >= titles.y.y + titles.y.height


@pytest.mark.parametrize("width", [300, 700])
def test_the_title_of_x_stands_below_its_numbers_where_the_plot_ends(width: int) -> None:
    """In the gutter, where it stood if it had room, it was read as the name of a curve."""
    names, titles = laid_out(figure("a"), (width, 200), 20, (measure, measure), (0, 0))
    assert titles.x is not None
    assert not titles.beside
    assert titles.x.x + titles.x.width == pytest.approx(width - names.gutter)


def test_hairlines_stand_at_numbers_and_between_names() -> None:
    named = Axis("", range=(-0.5, 2.5), ticks=((0.0, "a"), (1.0, "b"), (2.0, "c")))
    at = (0.0, 1.0, 2.0)
    assert hairlines(figure(""), at, at) == ((), at)
    assert hairlines(figure("", y=Axis("", range=(0.0, 1.0), hidden=True)), at, at) == (at, ())
    assert hairlines(figure("", y=named), at, at) == (at, (0.5, 1.5))
    assert hairlines(figure("", x=named), at, at) == ((), at)
    shares = Axis("", range=(-0.1, 1.1), ticks=((0.0, "0 %"), (0.5, "50 %"), (1.0, "10² %")))
    assert hairlines(figure("", y=shares), at, (0.0, 0.5, 1.0)) == ((), (0.0, 0.5, 1.0))


def test_screen_and_export_have_the_same_hairlines_and_no_line_at_the_left(qapp: object) -> None:
    shown = figure("a curve")
    view = PlotView(Look())
    view.resize(640, 380)
    view.show_figure(shown)
    view.grab()
    left, bottom = (view.plot.axes[side] for side in ("left", "bottom"))
    assert isinstance(left, SideAxis)
    assert left.hairs == (0.0, 1.0, 2.0, 3.0, 4.0)
    assert bottom.hairs == ()
    assert left.picture[1] == []
    svg = figure_svg(shown, palette(False), 640, 380)
    assert svg.count(palette(False)["hair"]) == len(left.hairs)
    assert "rotate" not in svg
    view.deleteLater()


def test_values_stand_in_a_column_at_the_right_of_a_gutter_of_one_width() -> None:
    ends, told = np.array([0.0, 9.0]), ("10", "5.851", "")
    layers = tuple(
        Line(f"{k}", "laplace", f"name {k}", ends, ends * (k + 1) / 9, told=value)
        for k, value in enumerate(told)
    )
    names, _ = laid_out(Figure("c", "", X, Y, layers), (784, 300), 20, (measure, measure), (0, 0))
    assert names.gutter == pytest.approx(0.21 * 784, abs=8)
    valued = [label for label in names.labels if label.value]
    assert sorted(label.value for label in valued) == ["10", "5.851"]
    assert [label.x + label.width for label in valued] == pytest.approx([784, 784])
    assert all(label.leader[-1][0] - label.leader[0][0] <= 24 for label in names.labels)
