"""Names stand in a gutter in the order of the ends, never over one another; ticks are
round; thinning loses no peak."""

import time
from dataclasses import replace
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
from dpstudio.charts.inks import stroke
from dpstudio.charts.label_folding import evenly, folded
from dpstudio.charts.label_head import Upright, stood
from dpstudio.charts.label_layout import place_labels
from dpstudio.charts.readout import reading
from dpstudio.charts.scaling import clip, shades, share, squared, thin, ticks, to_unit
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


def test_values_beside_names_have_a_head_over_the_first_of_them() -> None:
    """It stood nowhere at which k they hold, though curves are named at their ends."""
    told = tuple(replace(each, told=f"{k}.5") for k, each in enumerate(sines().layers))
    figure = replace(sines(), layers=told, told="at x = 3")
    labels = place_labels(figure, 784, 330, measure, least=(0.0, 30.0)).labels
    head = next(one for one in labels if one.key == "told")
    first = min(one.y for one in labels if one.value)
    assert (head.text, head.x + head.width) == ("at x = 3", 784)
    assert -30 <= head.y <= first - head.height
    without = place_labels(replace(figure, told=""), 784, 330, measure, least=(0.0, 30.0))
    assert without.labels == tuple(one for one in labels if one.key != "told")


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


@settings(max_examples=200, deadline=None)
@given(figures(), st.floats(200, 900), st.floats(120, 600))
def test_names_stay_apart_whatever_is_drawn(figure: Figure, width: float, height: float) -> None:
    laid = place_labels(figure, width, height, measure)
    assert 0 <= laid.gutter <= 0.6 * width
    assert 0 <= laid.head <= 0.5 * height
    boxes = [(one.x, one.y, one.x + one.width, one.y + one.height) for one in laid.labels]
    for i, one in enumerate(boxes):
        for two in boxes[:i]:
            beside = one[2] <= two[0] + 1e-6 or two[2] <= one[0] + 1e-6
            slack = 0.11 * 15  # lines may be a little nearer where there are many
            assert beside or one[3] <= two[1] + slack or two[3] <= one[1] + slack


def lines_of(**curves: object) -> Figure:
    x = np.linspace(0, 10, 200)
    layers = tuple(Line(key, "first", key, x, y) for key, y in curves.items())
    return Figure("k", "t", Axis("x", range=(0, 10)), Axis("y", range=(0, 10)), layers)


def test_names_stand_in_the_order_of_the_ends_with_leaders_to_them() -> None:
    x = np.linspace(0, 10, 200)
    laid = place_labels(lines_of(low=0.3 * x, high=0.95 * x, near=0.9 * x), 400, 300, measure)
    assert [one.key for one in laid.labels] == ["high", "near", "low"]
    assert all(a.y + a.height <= b.y + 2 for a, b in pairwise(laid.labels))
    plot = 400 - laid.gutter
    for one, height in zip(laid.labels, (0.95, 0.9, 0.3), strict=True):
        (x0, y0), *_, (x1, y1) = one.leader
        assert plot <= x0 < x1 < one.x
        assert y0 == pytest.approx(300 * (1 - height), abs=0.5)
        assert one.y < y1 < one.y + one.height
    assert laid.labels[2].y + 7.5 == pytest.approx(210, abs=1)


def test_a_curve_that_runs_backwards_ends_at_the_right_too() -> None:
    x = np.linspace(0, 10, 200)
    lines = tuple(Line(k, "first", k, x[::-1], (s * x)[::-1]) for k, s in (("a", 0.9), ("b", 0.3)))
    laid = place_labels(replace(lines_of(), layers=lines), 400, 300, measure)
    assert [one.leader[0][1] for one in laid.labels] == pytest.approx([30, 210], abs=0.5)


def test_curves_that_coincide_are_one_in_words_and_drawing() -> None:
    x = np.linspace(0, 10, 200)
    curves = {"a": x, "b": x * (1 + 1e-12), "c": 0.5 * x, "d": np.where(x < 5, x, 0.8 * x)}
    laid = place_labels(lines_of(**curves), 400, 300, measure)
    assert {one.text for one in laid.labels} == {"a = b", "c", "d"}
    assert laid.merged == {"a"}


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (("", "", "", ""), "a ≈ b = c = e"),
        (("7.1", "7", "7", "7"), "a: 7.1, b = c = e: 7"),
        (("7.1", "7", "7", "6.9"), "a: 7.1, b = c: 7, e: 6.9"),
        (("7", "7", "7", ""), "a: 7 ≈ b = c: 7 ≈ e"),
    ],
)
def test_only_equal_curves_are_joined_as_equal(told: tuple[str, ...], text: str) -> None:
    """What only looks alike has its own number beside its name; `e` runs backwards."""
    x = np.linspace(0, 10, 200)
    drawn = [(x, x + 0.02), (x, x), (x, x), (x[::-1], x[::-1])]
    lines = tuple(
        Line(key, "first", key, *curve, told=number)
        for key, curve, number in zip("abce", drawn, told, strict=True)
    )
    laid = place_labels(replace(lines_of(), layers=lines), 600, 300, measure)
    assert [one.text for one in laid.labels] == [text]
    assert laid.merged == {"a", "b", "c"}


def test_lines_lead_only_from_where_a_curve_ends_alone() -> None:
    """Two bells that both end at nothing have samples of their strokes instead, in the order that
    they had where they parted; nothing dotted runs through the plot, but for a bracket's own row."""
    x = np.linspace(0, 10, 200)
    high, low = 9 * np.exp(-((x - 5) ** 2)), 3 * np.exp(-((x - 5) ** 2) / 4)
    curves = lines_of(high=high, low=low, alone=np.full(200, 6.0))
    short = Line("short", "third", "short", [2, 6], [4.0, 4.0])
    laid = place_labels(replace(curves, layers=(*curves.layers, short)), 400, 300, measure)
    found = {one.key: one for one in laid.labels}
    assert [bool(found[key].leader) for key in ("high", "low", "alone", "short")] == [
        False, False, True, True,
    ]  # fmt: skip
    assert found["high"].y > found["low"].y  # at the feet the higher bell is the lower one
    for one in (found["high"], found["low"]):
        assert one.sample == stroke(Line("", one.ink))
        assert 400 - laid.gutter < one.sampled[0][0] < one.sampled[1][0] < one.x
    assert [key for key, one in found.items() if one.dotted] == ["short"]
    for one in (found["alone"], found["short"]):
        assert one.leader[-1][0] - one.leader[0][0] <= 24


def test_what_all_curves_come_to_is_named_above_those_that_came_from_below() -> None:
    """“no noise 100 %” stood among what keeps 99.8 % and 98.7 % of it."""
    x = np.linspace(0, 10, 200)
    rising = {key: 8 - 7 * np.exp(-rate * x) for key, rate in (("slow", 1.5), ("quick", 3.0))}
    curves = lines_of(**rising)
    curves = replace(curves, layers=(*curves.layers, Rule("all", "truth", "all", 8.0, "y")))
    laid = place_labels(curves, 400, 300, measure)
    assert [one.key for one in sorted(laid.labels, key=lambda one: one.y)] == [
        "all",
        "quick",
        "slow",
    ]
    falling = {key: 7 * np.exp(-rate * x) + 1 for key, rate in (("slow", 1.5), ("quick", 3.0))}
    curves = lines_of(**falling)
    curves = replace(curves, layers=(*curves.layers, Rule("all", "truth", "all", 1.0, "y")))
    laid = place_labels(curves, 400, 300, measure)
    assert [one.key for one in sorted(laid.labels, key=lambda one: one.y)] == [
        "slow",
        "quick",
        "all",
    ]


def test_uprights_are_named_at_their_upper_end() -> None:
    rules = [Rule(f"r{at}", "truth", f"rule at {at}", at=at) for at in (3.0, 4.5, 9.5)]
    handle = Handle("h", "first", "the point", x=3.8, y=2.0, sets="x")
    figure = replace(lines_of(), layers=(*rules, handle))
    laid = place_labels(figure, 400, 300, measure)
    for one in laid.labels:
        assert one.y + one.height <= 0
        assert -laid.head <= one.y
        x = {"r3.0": 120, "r4.5": 180, "r9.5": 380, "h": 152}[one.key]
        assert one.leader[-1] == (pytest.approx(x, rel=0.05), 0.0)
    point = next(one for one in laid.labels if one.key == "h")
    assert point.dotted[1] == (pytest.approx(152, rel=0.05), pytest.approx((300 - laid.head) * 0.8))


def test_a_row_that_two_brackets_share_leads_to_neither_of_them() -> None:
    """A dotted leader of the first ran through the second: shares of ε, one after the other."""
    first = Line("first", "first", "first", [1, 3], [4.0, 4.0])
    then = Line("then", "second", "then", [3, 6], [4.0, 4.0])
    below = Line("below", "third", "below", [1, 6], [2.0, 2.0])
    figure = replace(lines_of(), layers=(first, then, below))
    found = {one.key: one for one in place_labels(figure, 400, 300, measure).labels}
    assert [key for key, one in found.items() if one.dotted or one.leader] == ["below"]
    assert all(found[key].sample for key in ("first", "then"))


def test_an_upright_is_named_at_its_own_upper_end_beside_one_that_has_no_room_at_its_right() -> (
    None
):
    """Clipping's "best 2,415" stood over the rule at 4,400."""
    wanted = [Upright(236, 59), Upright(266, 107)]
    places = stood(wanted, 376)
    assert all(at.stem for at in places)
    for one, at in zip(wanted, places, strict=True):
        assert one.x in (pytest.approx(at.left - 5), pytest.approx(at.left + one.width + 5))


@given(st.floats(-1e6, 1e6), st.booleans(), st.booleans())
def test_one_number_has_the_place_that_it_has_among_many(
    value: float, log: bool, floored: bool
) -> None:
    axis = Axis("x", log=log, range=(0.01, 50.0), floored=floored)
    assert share(axis, value) == pytest.approx(float(to_unit(axis, value)), nan_ok=True)


def test_a_gutter_that_was_given_is_kept() -> None:
    """So that a plot does not shift under the hand."""
    figure = lines_of(low=np.full(200, 3.0))
    assert place_labels(figure, 400, 300, measure, least=(120.0, 40.0)).gutter == 120
    assert place_labels(figure, 400, 300, measure).gutter < 120


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
        (Axis("", range=(0.7, 3.3), whole=True), 400, "1 2 3"),
        (Axis("", range=(0, 3e8)), 300, "0 10⁸ 2·10⁸ 3·10⁸"),
        (Axis("", log=True, range=(1e-3, 1e5)), 900, "0.01 1 100 10⁴"),
        (Axis("", log=True, range=(0.04, 1)), 400, "0.05 0.1 0.2 0.5 1"),
        (Axis("", range=(1, 1)), 400, ""),
        (
            Axis(
                "",
                range=(0.0, 1.0),
                ticks=((0, "a category with a long name"), (1, "b"), (9, "unseen")),
            ),
            400,
            "a category with a long name b",
        ),
    ],
)
def test_ticks_are_round_and_short(axis: Axis, length: float, expected: str) -> None:
    assert " ".join(text for _, text in ticks(axis, length)) == expected


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-1.0, 1.0), (2.0, 1.0), (float("nan"), 1.0)])
def test_a_logarithmic_axis_lies_above_zero(ends: tuple[float, float]) -> None:
    """It is refused where it is made: a chart on it was empty, and nothing was said."""
    with pytest.raises(ValueError, match="above 0"):
        Axis("", log=True, range=ends)


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
    assert [render(line) for line in reading(figure, 6, 7)] == ["value 4.5", "x second", "y 7.5"]
    assert not [line for line in reading(figure, 11, 7) if "value" in render(line)]
    dots = Dots("d", "a", "dots", array([2, 8]), array([2, 8]))
    figure = Figure("k", "t", Axis("x", range=(0, 10)), Axis("y", range=(0, 10)), (dots,))
    assert [render(line) for line in reading(figure, 7.9, 8.1)] == ["dots", "x 8", "y 8"]
    assert [render(line) for line in reading(figure, 5, 5)] == ["x 5"]


def test_a_gap_on_a_floored_axis_stays_a_gap() -> None:
    """Only 0 and less stand on the floor."""
    axis = Axis("y", log=True, range=(0.01, 100.0), floored=True)
    found = to_unit(axis, [np.nan, 0.0, -1.0, 1.0])
    assert np.isnan(found[0])
    assert found[1] == found[2] == pytest.approx(0.03)
    assert found[3] == pytest.approx(0.5)


def test_names_go_above_a_plot_that_they_would_crowd() -> None:
    """A narrow chart of bars and a dot: what names them leaves it half its width, and a name is
    broken after its hyphens."""
    x = array([0.0, 1.0, 2.0])
    layers = (
        Dots("a", "accent", "Permute-and-flip", x, x, 0.3),
        Dots("b", "target", "report noisy maximum", x, x, 0.3),
        Dots("c", "answer", "the winner of this run", x[:1], x[:1]),
    )
    figure = Figure("k", "t", Axis("x", range=(0, 2)), Axis("y", range=(0, 2)), layers)
    wide, narrow = (place_labels(figure, width, 200, measure) for width in (900, 250))
    assert {label.key for label in wide.labels if label.x > 900 - wide.gutter} == set("abc")
    assert narrow.gutter < 0.5 * 250
    assert all(label.y < 0 for label in narrow.labels)
    assert {label.text for label in narrow.labels} == {render(layer.label) for layer in layers}
    assert folded("Permute-and-flip at 2-3", 60, measure) == ("Permute-", "and-flip", "at 2-3")
    assert folded("列对（MST）", 40, measure) == ("列对", "（MST）")
    assert folded("甲：1、乙：2，丙", 30, measure) == ("甲：1、", "乙：2，", "丙")
    assert folded("room: ± 107 points, 59 %", 55, measure) == ("room:", "± 107", "points,", "59 %")
    assert evenly("Sequential (adding up)", 130, measure) == ("Sequential", "(adding up)")
    assert evenly("noise stays at 0.5 √n", 130, measure) == ("noise stays", "at 0.5 √n")
    assert evenly("short", 130, measure) == ("short",)
    assert evenly("averyveryverylongword", 30, measure) == ("averyveryverylongword",)
