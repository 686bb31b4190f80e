"""Labels never overlap or leave the area, keep still, and name the curve beside them; ticks are
round; thinning loses no peak."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.charts.figure import (
    Area,
    Axis,
    Band,
    Columns,
    Dots,
    Figure,
    Handle,
    Heat,
    Layer,
    Line,
    Rule,
    array,
)
from dpstudio.charts.label_layout import place_labels
from dpstudio.charts.readout import reading
from dpstudio.charts.scaling import clip, shades, squared, thin, ticks, to_unit
from dpstudio.values.messages import render


def measure(text: str) -> tuple[float, float]:
    return 7.0 * len(text), 15.0


def sines(shift: float = 0.0, count: int = 5) -> Figure:
    x = np.linspace(0, 10, 500)
    lines = [
        Line(
            f"l{i}",
            "accent",
            f"curve {i}",
            x=array(x),
            y=array(np.sin(x + i + shift) * (1 + i / 5)),
        )
        for i in range(count)
    ]
    return Figure("k", "t", Axis("x", range=(0, 10)), Axis("y", range=(-2, 2)), tuple(lines))


values = st.floats(-3, 13) | st.sampled_from([0.0, 5.0, 10.0, float("nan"), float("inf"), -1e300])
names = st.text("abc ±ε漢", max_size=24)


@st.composite
def layers(draw: st.DrawFn) -> Layer:
    kind, label = draw(st.integers(0, 6)), draw(names)
    some = array(draw(st.lists(values, min_size=1, max_size=30)))
    more = array(np.resize(np.array(draw(st.lists(values, min_size=1, max_size=30))), len(some)))
    a, b = draw(values), draw(values)
    rising = array(np.linspace(-1, 11, len(some) + 1))
    bars = (
        Area("", "accent", label, edges=rising, heights=some),
        Columns("", "accent", label, x=rising[1:], heights=more),
    )
    return [
        Line("", "accent", label, x=some, y=more),
        Rule("", "target", label, at=a, axis="x"),
        Rule("", "target", label, at=a, axis="y"),
        Band("", "band", label, low=a, high=b),
        Handle("", "accent", label, x=a, y=b),
        Dots("", "accent", label, x=some, y=more, diameter=0.3),
        draw(st.sampled_from(bars)),
    ][kind]


@st.composite
def figures(draw: st.DrawFn) -> Figure:
    drawn = draw(st.lists(layers(), max_size=8))
    for number, layer in enumerate(drawn):
        object.__setattr__(layer, "key", str(number))
    log = draw(st.booleans())
    return Figure(
        "k",
        "t",
        Axis("x", log=log, range=(0.01 if log else 0.0, 10)),
        Axis("y", range=(0, 10)),
        tuple(drawn),
    )


@settings(max_examples=300, deadline=None)
@given(figures(), figures(), st.floats(30, 700), st.floats(20, 500))
def test_labels_stay_inside_and_apart(
    figure: Figure, earlier: Figure, width: float, height: float
) -> None:
    for previous in (None, place_labels(earlier, width, height, measure)):
        boxes = []
        for label in place_labels(figure, width, height, measure, previous):
            w, h = measure(label.text)
            assert -1e-9 <= label.x <= width - w + 1e-9
            assert -1e-9 <= label.y <= height - h + 1e-9
            boxes.append((label.x, label.y, label.x + w, label.y + h))
        for i, one in enumerate(boxes):
            for two in boxes[:i]:
                assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


def test_a_label_that_fits_is_shown_even_in_a_crowd() -> None:
    flat = [
        Line(f"l{i}", "accent", f"curve {i}", x=array([0, 10]), y=array([5 + i / 50] * 2))
        for i in range(8)
    ]
    figure = Figure("k", "t", Axis("x", range=(0, 10)), Axis("y", range=(0, 10)), tuple(flat))
    assert len(place_labels(figure, 300, 200, measure)) == 8
    assert place_labels(figure, 40, 200, measure) == ()


def test_a_label_lies_beside_its_own_curve_and_crosses_none() -> None:
    x = np.linspace(0, 10, 400)
    curves = {"low": 0.3 * x, "middle": 0.6 * x, "high": 0.95 * x}
    lines = tuple(Line(key, "accent", key, x=array(x), y=array(y)) for key, y in curves.items())
    figure = Figure("k", "t", Axis("x", range=(0, 10)), Axis("y", range=(0, 10)), lines)
    for label in place_labels(figure, 400, 300, measure):
        w, h = measure(label.text)
        gaps = {}
        for key, y in curves.items():
            dx = np.maximum(0, np.maximum(label.x - x * 40, x * 40 - label.x - w))
            dy = np.maximum(0, np.maximum(label.y - (300 - y * 30), 300 - y * 30 - label.y - h))
            gaps[key] = float(np.hypot(dx, dy).min())
        assert min(gaps, key=gaps.__getitem__) == label.key
        assert 0 < gaps[label.key] < 8


def test_labels_glide_while_a_slider_moves() -> None:
    previous = place_labels(sines(count=2), 500, 300, measure)
    for step in range(1, 20):
        now = place_labels(sines(step / 400, count=2), 500, 300, measure, previous)
        assert [one.spot for one in now] == [one.spot for one in previous]
        assert max(abs(a.x - b.x) + abs(a.y - b.y) for a, b in zip(now, previous, strict=True)) < 8
        previous = now


def test_labels_of_five_curves_are_placed_within_a_frame() -> None:
    figure, times = sines(), []
    for _ in range(30):
        start = time.perf_counter()
        place_labels(figure, 420, 260, measure)
        times.append(time.perf_counter() - start)
    # 0.9 ms where it was written; the rest is for slow machines.
    assert min(times) < 0.004


@pytest.mark.parametrize(
    ("axis", "length", "expected"),
    [
        (Axis("", range=(0, 1)), 400, "0 0.2 0.4 0.6 0.8 1"),
        (Axis("", range=(-1500, 1500)), 300, "−1,000 0 1,000"),
        (Axis("", range=(0, 3e8)), 300, "0 10⁸ 2·10⁸ 3·10⁸"),
        (Axis("", log=True, range=(1e-3, 1e5)), 900, "0.001 0.01 0.1 1 10 100 1,000 10⁴ 10⁵"),
        (Axis("", log=True, range=(0.04, 1)), 400, "0.05 0.1 0.2 0.5 1"),
        (Axis("", log=True, range=(0, 1)), 400, ""),
        (Axis("", range=(1, 1)), 400, ""),
        (
            Axis("", ticks=((0, "a category with a long name"), (1, "b"), (9, "unseen"))),
            400,
            "a category wi… b",
        ),
    ],
)
def test_ticks_are_round_and_short(axis: Axis, length: float, expected: str) -> None:
    assert " ".join(text for _, text in ticks(axis, length)) == expected


@given(st.floats(-1e12, 1e12), st.floats(1e-9, 1e12), st.floats(20, 2000), st.booleans())
def test_ticks_lie_on_the_axis_and_apart(low: float, span: float, length: float, log: bool) -> None:
    axis = Axis(
        "", log=log, range=(abs(low) + 1e-9, abs(low) + 1e-9 + span) if log else (low, low + span)
    )
    found = ticks(axis, length, measure=measure)
    at = to_unit(axis, [value for value, _ in found]) * length
    assert np.all((at > -1e-3) & (at < length + 1e-3))
    assert np.all(np.diff(at) >= [(len(a) + len(b)) * 3.5 for (_, a), (_, b) in pairwise(found)])
    assert len({text for _, text in found}) == len(found)


def test_thin_keeps_ends_peaks_and_gaps() -> None:
    x = np.linspace(0, 1, 20_000)
    y = np.sin(40 * x)
    y[777], y[5000:5100] = 9.0, np.nan
    xs, ys = thin(x, y, 500)
    assert len(xs) <= 503
    assert (xs[0], xs[-1]) == (0, 1)
    assert np.nanmax(ys) == 9
    hole = np.flatnonzero(np.isnan(ys))
    assert xs[hole[0] - 1] == x[4999]
    assert xs[hole[-1] + 1] == x[5100]


@given(st.lists(st.tuples(st.floats(-50, 150), st.floats(-50, 150)), min_size=2, max_size=12))
def test_clip_keeps_to_the_rectangle_and_to_the_line(points: list[tuple[float, float]]) -> None:
    x, y = np.array(points).T
    cut, seen = clip(x, y, 100, 80)
    assert np.all((cut[seen] >= -1e-4) & (cut[seen] <= [100.0001, 80.0001] * 2))
    inside = (x >= 0) & (x <= 100) & (y >= 0) & (y <= 80)
    assert np.all(seen[inside[:-1] & inside[1:]])
    across = (cut[:, 0] - x[:-1]) * np.diff(y) - (cut[:, 1] - y[:-1]) * np.diff(x)
    assert np.all(np.abs(across[seen]) < 1e-4)


@given(
    st.floats(1, 3000),
    st.floats(1, 3000),
    st.floats(0.01, 1e6),
    st.floats(0.01, 1e6),
    st.floats(-1e6, 1e6),
)
def test_a_square_chart_shows_all_and_one_unit_is_as_long_up_as_across(
    width: float, height: float, wide: float, high: float, at: float
) -> None:
    figure = Figure(
        "k", "t", Axis("x", range=(at, at + wide)), Axis("y", range=(-high, 0)), (), square=True
    )
    made = squared(figure, width, height)
    (left, right), (low, top) = made.x.range, made.y.range
    assert width / (right - left) == pytest.approx(height / (top - low), rel=1e-6)
    slack = 1e-6 * (wide + high + abs(at))
    assert left <= at + slack
    assert right >= at + wide - slack
    assert low <= -high + slack
    assert top >= -slack
    assert squared(Figure("k", "t", figure.x, figure.y, ()), width, height).x is figure.x


def test_shades_run_from_the_ground_to_the_ink() -> None:
    edges = array(range(6))
    values = array([[0, 0.5, 1, 2, np.nan]])
    one = shades(
        Heat("h", "a", "", edges, array([0, 1]), values, 0, 1),
        (255, 255, 255),
        (0, 0, 0),
        (255, 0, 0),
    )
    assert one[0, :, 0].tolist() == [255, 128, 0, 0, 255]
    both = shades(
        Heat("h", "a", "", edges, array([0, 1]), array([[-2, -1, 0, 2, 4]]), -2, 4),
        (200, 200, 200),
        (0, 0, 0),
        (200, 0, 0),
    )
    assert both[0].tolist() == [
        [200, 0, 0],
        [200, 100, 100],
        [200, 200, 200],
        [100, 100, 100],
        [0, 0, 0],
    ]


def test_cells_and_single_dots_are_read_at_the_pointer() -> None:
    heat = Heat("h", "a", "value", array([0, 1, 10]), array([0, 5, 10]), array([[1, 2], [3, 4.5]]))
    words = ((0.5, "first"), (5.5, "second"))
    figure = Figure(
        "k", "t", Axis("x", range=(0, 10), ticks=words), Axis("y", range=(0, 10)), (heat,)
    )
    assert render(reading(figure, 6, 7) or "") == "second · y 7.5 · value 4.5"
    assert reading(figure, 11, 7) is None
    dots = Dots("d", "a", "dots", array([2, 8]), array([2, 8]))
    figure = Figure("k", "t", Axis("x", range=(0, 10)), Axis("y", range=(0, 10)), (dots,))
    assert render(reading(figure, 7.9, 8.1) or "") == "dots · x 8 · y 8"
    assert reading(figure, 5, 5) is None
    assert reading(figure, 8) is None


def test_a_gap_on_a_floored_axis_stays_a_gap() -> None:
    """Only 0 and less stand on the floor."""
    axis = Axis("y", log=True, range=(0.01, 100.0), floored=True)
    found = to_unit(axis, [np.nan, 0.0, -1.0, 1.0])
    assert np.isnan(found[0])
    assert found[1] == found[2] == pytest.approx(0.03)
    assert found[3] == pytest.approx(0.5)
