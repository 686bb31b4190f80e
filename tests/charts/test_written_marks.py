"""Words that stand in a chart, and heads of arrows: whole and in their room, alike on screen and on
paper."""

import re
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.charts.figure import Axis, Figure, Line, Words
from dpstudio.charts.inks import shape
from dpstudio.charts.written import headed, written
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import figure_svg
from dpstudio.values.messages import render

FEW = st.lists(st.sampled_from(["sums,", "blinded", "138,240", "a"]), min_size=1, max_size=6)


def measure(text: str) -> tuple[float, float]:
    return 7.0 * len(text), 15.0


@given(words=FEW, room=st.floats(20, 400), tall=st.floats(5, 60), up=st.sampled_from([-0.5, 0.0, 0.75]),
       anchor=st.sampled_from(["start", "middle", "end"]), mark=st.sampled_from(["", "lock"]))  # fmt: skip
def test_words_are_whole_and_in_their_room_or_not_there(
    words: list[str], room: float, tall: float, up: float, anchor: str, mark: str
) -> None:
    text = " ".join(words)
    layer = Words("w", "text", "", (text,), [0.5], [0.5], anchor, up, mark=mark)
    layer = replace(layer, room=room, tall=tall)  # of axes on which a unit is a px
    axes = Axis("", range=(0, 400)), Axis("", range=(0, 200))
    found = written(layer, np.array([[200.0, 100.0]]), axes, (400.0, 200.0), measure, render)
    lines = list(found)
    if not lines:
        assert measure(text)[0] + 17 > room or tall < 15  # it needs more than one line
        return
    assert 0.8 * 15 * len(lines) <= tall
    assert " ".join(line.text for line in lines) == text
    assert len(lines) <= layer.lines
    for line in lines:
        ends = [line.left, line.left + line.width]
        if line.mark is not None:
            ends.append(line.mark[0] + line.mark[2] / 2)
        start = {"start": 200.0, "middle": 200.0 - room / 2, "end": 200.0 - room}[anchor]
        assert min(ends) >= start - 1e-6
        assert max(ends) <= start + room + 1e-6
    if up > 0.5:
        assert lines[-1].top + 15 <= 100  # above the arrow, however many lines
    assert (lines[-1].mark is not None) == bool(mark)


@given(st.floats(-300, 300), st.floats(-300, 300))
def test_an_arrow_ends_at_its_last_point(dx: float, dy: float) -> None:
    x, y = np.array([10.0, 10.0 + dx]), np.array([20.0, 20.0 + dy])
    length = np.hypot(x[1] - x[0], y[1] - y[0])
    short, level, head = headed(x, y, 1.0)
    if not length > 0:
        assert head == []
        return
    assert head[0] == (x[1], y[1])
    back = np.mean(head[1:], axis=0)
    assert np.allclose(back, (short[1], level[1]), atol=1e-6)
    assert np.isclose(np.hypot(*(back - head[0])), min(8.0, length), rtol=1e-6)


def test_paper_shows_what_the_figure_says() -> None:
    figure = Figure(
        "f", "t", Axis("", range=(0, 1), hidden=True), Axis("", range=(0, 1), hidden=True),
        (Line("a", "first", "", [0.2, 0.8], [0.5, 0.5], arrow=True),
         Words("w", "first", "", ("<sealed>",), [0.5], [0.5], up=0.75, mark="lock")),
    )  # fmt: skip
    drawn = figure_svg(figure, palette(False))
    assert ">&lt;sealed&gt;</text>" in drawn
    polygons = re.findall(r'<polygon points="([^"]*)"', drawn)
    assert sorted(len(points.split()) for points in polygons) == [3, len(shape("lock"))]
