"""A point beyond its axis is never drawn as if it stood at the edge: it is an arrow there, on the
screen and in files, and what is read of it is where it really is."""

import xml.etree.ElementTree as ET

import pytest

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer
from dpstudio.charts.readout import reading
from dpstudio.charts.scaling import beyond
from dpstudio.files.write.svg import figure_svg
from dpstudio.values.messages import render

PALETTE = {"surface": "#ffffff", "text": "#000000", "muted": "#777777", "grid": "#cccccc"}
SVG = "{http://www.w3.org/2000/svg}"
PLACES = [
    (0.5, 0.5),
    (3.0, 0.5),
    (-1.0, 0.5),
    (0.5, 9.0),
    (0.5, -9.0),
    (1.0, 1.0),
    (float("nan"), 9),
]


def figure(*layers: Layer) -> Figure:
    return Figure("k", "t", Axis("x", range=(0, 1)), Axis("y", range=(0, 1)), layers)


def test_points_beyond_an_axis_are_arrows_that_point_there() -> None:
    x, y = zip(*PLACES, strict=True)
    drawn = figure(Dots("d", "text", "", x, y))
    assert [way for *_, way in beyond(drawn, x, y)] == ["right", "left", "up", "down"]
    root = ET.fromstring(figure_svg(drawn, PALETTE))
    assert len(root.findall(f"{SVG}circle")) == 2
    arrows = root.findall(f"{SVG}polygon")
    assert len(arrows) == 4
    assert {arrow.get("fill") for arrow in arrows} == {"#ffffff"}
    assert "x 3" in [render(line) for line in reading(drawn, 0.995, 0.5)]


@pytest.mark.parametrize("log", [False, True])
def test_a_handle_beyond_its_chart_is_one_too(log: bool) -> None:
    far = Figure(
        "k",
        "t",
        Axis("x", range=(1, 10), log=log),
        Axis("y", range=(1, 10), log=log),
        (Handle("h", "text", "", 5.0, 4000.0, "epsilon"),),
    )
    root = ET.fromstring(figure_svg(far, PALETTE))
    assert not root.findall(f"{SVG}circle")
    (arrow,) = root.findall(f"{SVG}polygon")
    heights = [float(point.split(",")[1]) for point in (arrow.get("points") or "").split()]
    assert heights[0] == min(heights)  # its tip, at the upper edge
