"""What is read of a chart under the pointer: what it is, its number and its unit; at most five
lines, the nearest first."""

from collections.abc import Callable, Iterator
from string import digits

import numpy as np
import pytest

from dpstudio.charts.figure import Axis, Columns, Dots, Figure, Line, Words
from dpstudio.charts.readout import MOST, bars_read, reading
from dpstudio.labs import LABS
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.page import Lab
from dpstudio.values.messages import Message, render

GRID = np.linspace(0.03, 0.97, 7)


def place(axis: Axis, share: float) -> float:
    low, high = axis.range
    at = low * (high / low) ** share if axis.log else low + share * (high - low)
    return float(at)


def words(said: Message | str) -> str:
    return render(said) if isinstance(said, Message) else str(said)


def named(figure: Figure) -> Iterator[str]:
    """All that a line may name."""
    for said in (figure.title, figure.x.label, figure.y.label):
        yield words(said)
    for layer in figure.layers:
        yield words(layer.label)
    yield from worded(figure)


def worded(figure: Figure) -> Iterator[str]:
    """What stands there instead of a number."""
    for axis in (figure.x, figure.y):
        yield from (words(tick) for _, tick in axis.ticks)
    for column in figure.lanes.columns if figure.lanes is not None else ():
        yield from (words(column.head), *map(words, column.cells))
    for layer in figure.layers:
        yield from map(words, layer.texts if isinstance(layer, Words) else ())


@pytest.mark.parametrize("key", [about.key for about in LABS])
def test_each_line_names_what_it_reads(
    key: str, default_findings: Callable[[type[Lab]], Findings]
) -> None:
    for figure in default_findings(lab_kind(key)).figures:
        names = {name for name in named(figure) if name}
        values = {*filter(None, worded(figure)), "∞", *digits}
        labels = {words(layer.label) for layer in figure.layers} | {words(figure.y.label)}
        for x in GRID:
            for y in GRID:
                lines = reading(figure, place(figure.x, x), place(figure.y, y))
                told = [render(line) for line in lines]
                assert len(told) <= MOST
                for line in told:
                    assert any(name in line for name in names), (figure.key, line)
                    assert line in labels or any(sign in line for sign in values), line
                assert not told or not labels.issuperset(told)


@pytest.mark.parametrize("key", [about.key for about in LABS])
def test_one_group_of_bars_is_read_with_all_that_stands_in_it(
    key: str, default_findings: Callable[[type[Lab]], Findings]
) -> None:
    """Wherever in a group the pointer is: no bar of the next is nearer than its own."""
    for figure in default_findings(lab_kind(key)).figures:
        bars = [one for one in figure.layers if isinstance(one, Columns)]
        if len(bars) < 2 or len({len(one.x) for one in bars}) > 1 or len(bars[0].x) < 2:
            continue
        for group in range(len(bars[0].x)):
            expected = {one.key: float(one.heights[group]) for one in bars}
            for one in bars:
                for share in (-0.49, 0.0, 0.49):
                    at = float(one.x[group]) + share * one.width
                    assert bars_read(figure, at) == expected, (figure.key, group, one.key)


def test_three_bars_of_a_group_are_nearer_to_the_next_group_than_to_one_another() -> None:
    middles = np.arange(4.0)
    bars = [Columns(f"b{k}", "text", f"b{k}", middles + 0.27 * (k - 1), 10 * middles + k, 0.24)
            for k in range(3)]  # fmt: skip
    for ticks in ((), tuple((float(at), f"group {at}") for at in middles)):
        axes = Axis("", range=(-0.6, 3.6), ticks=ticks), Axis("n", range=(0, 40))
        figure = Figure("k", "t", *axes, tuple(bars))
        for at in (1.62, 1.73, 2.0, 2.27, 2.38):
            assert bars_read(figure, at) == {"b0": 20.0, "b1": 21.0, "b2": 22.0}
            told = [render(line) for line in reading(figure, at, 0.0)][1:]
            assert sorted(told) == ["b0 20", "b1 21", "b2 22"]


def test_the_nearest_is_read_first_and_the_farthest_not_at_all() -> None:
    curves = tuple(Line(f"l{k}", "text", f"curve {k}", [0, 1], [k, k]) for k in range(8))
    axes = Axis("ε", range=(0, 1)), Axis("error", range=(0, 8))
    figure = Figure("k", "t", *axes, curves)
    told = [render(line) for line in reading(figure, 0.5, 5.2)]
    assert told == ["ε 0.5 · error", "curve 5 5", "curve 6 6", "curve 4 4", "curve 7 7"]
    hidden = Figure("k", "t", axes[0], Axis("density", range=(0, 8), hidden=True), curves)
    assert [render(line) for line in reading(hidden, 0.5, 5.2)] == ["ε 0.5"]
    dot = Figure("k", "t", *axes, (*curves, Dots("d", "text", "here", [0.5], [5.3])))
    assert [render(line) for line in reading(dot, 0.5, 5.2)] == ["here", "ε 0.5", "error 5.3"]


def test_of_stacked_dots_is_read_how_many_stand_below_whatever_the_chart_s_size() -> None:
    """A count of those nearby was no column that is drawn, and had no unit."""
    axes = Axis("rows", range=(0, 10)), Axis("", range=(0, 8), hidden=True)
    named = Line("l", "first", "Laplace", [0, 10], [1, 1])
    dots = Dots("d", "first", "", [2.0, 4.0, 4.5, 7.0], np.zeros(4), 1.0, stack=(3.0, 5.0))
    figure = Figure("k", "t", *axes, (named, dots))
    for at, below in ((1.0, 0), (4.2, 2), (9.0, 4)):
        told = [render(line) for line in reading(figure, at, 3.0)]
        assert told == [f"rows {at:g}", f"Laplace: {below} of 4 below this"]
