"""Names under a chart: each is read, and none touches another."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from dpstudio.charts.figure import Axis, Columns, Figure
from dpstudio.charts.scaling import ticks
from dpstudio.charts.tick_names import MOST, tick_names
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import figure_svg
from dpstudio.files.write.text_width import text_width
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.values.dates import as_year
from dpstudio.values.messages import plain, say

DEPARTMENTS = (
    "Physics", "Mathematics", "Electrical Engineering", "Chemistry", "History of Art",
    "Psychology", "English", "Mechanical Engineering", "Law", "Social Welfare",
)  # fmt: skip
HIGH, ENDS = 14.0, (40.0, 18.0)
Box = tuple[float, float, float, float]


def measure(text: str) -> tuple[float, float]:
    return text_width(text, 11), HIGH


def axis(names: tuple[str, ...]) -> Axis:
    return Axis("", range=(-0.6, len(names) - 0.4), ticks=tuple(enumerate(names)))


def boxes(at: float, text: str, turned: bool) -> list[Box]:
    """Left, right, top and bottom of each line of a name."""
    lines = [(k, measure(line)[0]) for k, line in enumerate(text.split("\n")) if line]
    if turned:
        return [(at - HIGH / 2, at + HIGH / 2, 0.0, wide) for _, wide in lines]
    return [(at - wide / 2, at + wide / 2, k * HIGH, (k + 1) * HIGH) for k, wide in lines]


@pytest.mark.parametrize("many", [2, 5, 10, 14, 25, MOST])
def test_each_name_is_read_and_touches_no_other(many: int) -> None:
    names = tuple(DEPARTMENTS[i % 10] + (f" {i // 10}" if i >= 10 else "") for i in range(many))
    for length, room in product((16.0 * many, 240.0, 560.0, 1400.0), (30.0, 60.0, 120.0)):
        made = tick_names(axis(names), length, 62, measure, room, ENDS)
        if length / (many + 0.2) < HIGH:  # not even upright names have room
            continue
        assert made.tall <= HIGH + room + 1e-3
        assert [at for at, _ in made.marks] == list(range(many)), (length, room)
        drawn = [
            boxes((at + 0.6) / (many + 0.2) * length, text, made.turned) for at, text in made.marks
        ]
        for one, other in combinations(drawn, 2):
            for (a, b, c, d), (e, f, g, h) in product(one, other):
                assert b <= e or f <= a or d <= g or h <= c, (length, room, made)
        for (_, text), whole in zip(made.marks, names, strict=True):
            first, _, last = text.replace("\n", " ").strip().partition("…")
            assert whole.startswith(first)
            assert whole.endswith(last)
            assert len(first + last) >= 3
        ends = np.array([box for name in drawn for box in name])
        assert ends[:, 0].min() >= -ENDS[0]
        assert ends[:, 1].max() <= length + ENDS[1]
        assert ends[:, 3].max() <= made.tall + 1e-3


def test_a_scale_and_too_many_names_are_thinned() -> None:
    spans = tuple(f"{low}–{low + 9}" for low in range(0, 200, 10))
    many = tuple(f"place {i}" for i in range(MOST + 1))
    for words in (spans, many):
        made = tick_names(axis(words), 560.0, 62, measure, 100.0, ENDS)
        assert 2 <= len(made.marks) < len(words)
        assert made.tall == HIGH


def test_numbers_that_are_names_are_not_thinned() -> None:
    """Of the classes 1, 2, 3–4, 5–9, … and of the bounds to choose from every second was named."""
    classes = ("1", "2", "3–4", "5–9", "10–19", "20–49", "50–99", "100–999", "1,000+")
    for words in (classes, tuple(f"{2**k:,}" for k in range(7, 14))):
        made = tick_names(replace(axis(words), named=True), 330.0, 62, measure, 30.0, ENDS)
        assert [text.strip() for _, text in made.marks] == [*words]
        assert made.tall <= 2 * HIGH
    wide = tuple(f"{1024 + k:,}" for k in range(20))
    made = tick_names(replace(axis(wide), named=True), 330.0, 62, measure, 30.0, ENDS)
    assert not made.turned
    assert 2 <= len(made.marks) < 20


@pytest.mark.parametrize("length", range(60, 700, 7))
def test_of_a_scale_with_words_of_its_own_every_nth_is_named(length: int) -> None:
    """Of 0 to 100 % stood 20, 40 and 80 %."""
    shares = Axis("", range=(0.0, 1.0), ticks=tuple((k / 5, f"{20 * k} %") for k in range(6)))
    made = tick_names(shares, length, 62, measure, 100.0, ENDS)
    named = [at for at, text in made.marks if text]
    assert len(named) >= 2
    assert np.ptp(np.diff(named)) < 1e-9


@pytest.mark.parametrize("width", [420, 640])
def test_every_bar_of_an_exported_chart_has_its_name(width: int) -> None:
    """Three of ten were named."""
    bars = Columns("bars", "first", "rows", range(10), [3.0] * 10, 0.6)
    figure = Figure("f", "Rows", axis(DEPARTMENTS), Axis("rows", range=(0, 4)), (bars,))
    svg = figure_svg(figure, palette(False), width, 320)
    for name in DEPARTMENTS:
        assert f">{name[:4]}" in svg


def test_the_one_name_that_has_room_is_cut_to_the_picture() -> None:
    """A name that reaches beyond it is not painted at all."""
    names = axis(("Rindfleischetikettierungsüberwachung", "a", "b", "c"))
    made = tick_names(names, 70.0, 62, measure, 0.0, ENDS)
    ((at, text),) = made.marks
    half, centre = measure(text)[0] / 2, (at + 0.6) / 4.2 * 70
    assert text.startswith("Rindfl")
    assert centre - half >= -ENDS[0]
    assert centre + half <= 70 + ENDS[1]


def test_years_have_no_sign_between_their_thousands() -> None:
    """Where the name of a column says that it holds them; any other number has."""
    for name in (
        "Year of birth",
        "birth_year",
        "Year",
        "YearBuilt",
        "year_built",
        "Geburtsjahr",
        "出生年份",
    ):
        found = [text for _, text in ticks(Axis(plain(name), range=(1935.0, 2015.0)), 500)]
        assert "1960" in found or "1940" in found, name
        assert not any("," in text for text in found), name
    for label in (plain("Cost"), plain("cost in the last year"), say("rows of a year")):
        found = [text for _, text in ticks(Axis(label, range=(1935.0, 2015.0)), 500)]
        assert all("," in text for text in found), label
    assert as_year("Year", 12000, "12,000") == "12,000"


def test_the_parts_of_a_histogram_of_years_are_called_as_its_axis_is() -> None:
    for name, first in (("Year of birth", "1950 – 1960"), ("Cost", "1,950 – 1,960")):
        data = Dataset(pd.DataFrame({name: [1951, 1977, 1999]}), "t")
        asked = Histogram(column=name, edges=(1950.0, 1960.0, 2000.0)).ask(data, "add_remove")
        assert asked.labels[0] == first
