"""A table as whole numbers: bins that anyone can know, missing values, and the way back."""

import numpy as np
import pandas as pd
import pytest

from dpstudio.data.cells import EVERYWHERE, NOWHERE, cells_of, placed, values_of
from dpstudio.data.codebook import EMPTY, About
from dpstudio.data.dataset import Dataset
from dpstudio.data.stand_in import StandIn
from dpstudio.files.tables import open_table
from dpstudio.privacy.synthetic.marginals import cells
from dpstudio.values.parameters import ParamError

FRAME = pd.DataFrame(
    {
        "age": [17, 36, 90, 200, 44],
        "job": ["x", None, "y", "odd", "x"],
        "pay": [0.0, 0.5, np.nan, 1.0, 0.999],
        "level": [1, 2, 3, 1, 2],
        "day": pd.to_datetime(
            ["2026-01-01", "2026-01-02", "2026-01-10", "2026-01-03", "2026-01-04"]
        ),
    }
)
TOLD = (
    EMPTY.with_about("age", About(low=17, high=90, attested=True))
    .with_about("job", About(categories=("y", "x"), attested=True))
    .with_about("pay", About(low=0, high=1, attested=True))
)


def table() -> Dataset:
    return Dataset(FRAME, "five").described(TOLD)


def test_each_value_has_the_cell_that_its_public_bounds_and_words_give():
    made = cells_of(table(), tuple(FRAME), bins=4)
    age, job, pay, level, day = made.axes
    assert age.edges == (17, 35.5, 54, 72.5, 91)
    assert age.labels == ("17–35", "36–53", "54–72", "73–90", "?")
    assert job.labels == ("y", "x", "?")
    assert pay.labels == ("0–0.25", "0.25–0.5", "0.5–0.75", "0.75–1", "?")
    assert level.labels == ("1", "2", "3", "?")
    assert day.labels[0] == "2026-01-01–2026-01-03"
    np.testing.assert_array_equal(
        made.codes.T,
        [[0, 1, 3, 3, 1], [1, 2, 0, 2, 1], [0, 2, 4, 3, 3], [0, 1, 2, 0, 1], [0, 0, 3, 0, 1]],
    )
    assert (made.sizes, made.left_out) == ((5, 3, 5, 4, 5), 0)
    assert made.unattested == ("level", "day")
    fewer = cells_of(table(), ("age", "job", "pay"), 4, NOWHERE)
    assert (fewer.sizes, fewer.left_out, len(fewer.codes)) == ((4, 2, 4), 3, 2)


def test_edges_are_short_and_are_what_labels_say():
    """Integers of many values and reals: twenty times a twentieth is no double."""
    low, high = -0.7, 12.1
    book = EMPTY.with_about("x", About(low=low, high=high, attested=True))
    frame = pd.DataFrame({"x": [low, 1.1, 1.22, high], "n": [0, 17, 90, 99_999]})
    for axis in cells_of(Dataset(frame, "four").described(book), ("x", "n")).axes:
        assert (axis.edges[0], axis.edges[-1]) == ((low, high) if axis.name == "x" else (0, 1e5))
        even = np.linspace(axis.edges[0], axis.edges[-1], 21)
        np.testing.assert_allclose(axis.edges, even, atol=5e-4 * (even[1] - even[0]))
        assert max(len(repr(edge)) for edge in axis.edges) <= 8
        if axis.name == "x":
            assert [float(label.split("–")[0]) for label in axis.labels[1:-1]] == list(
                axis.edges[1:-1]
            )

    # Where doubles are further apart than bins there are fewer, and one at least.
    few = pd.DataFrame({"a": [1e17] * 3, "b": [1.7e18, 1.7e18 + 256, 1.7e18 + 1024]})
    held = cells_of(Dataset(few, "few"), ("a", "b"))
    assert held.codes.T.tolist() == [[0, 0, 0], [0, 1, 3]]
    drawn = values_of(held.axes[1], held.codes[:, 1], np.random.default_rng(1))
    assert placed(held.axes[1], np.array(drawn)).tolist() == [0, 1, 3]


def test_a_value_drawn_for_a_cell_lies_in_it():
    made, rng = cells_of(table(), tuple(FRAME), bins=4), np.random.default_rng(3)
    for axis in made.axes:
        codes = np.repeat(np.arange(axis.size), 50)
        back = pd.DataFrame({axis.name: values_of(axis, codes, rng)})
        if axis.type == "date":
            back[axis.name] = pd.to_datetime(back[axis.name])
        elif axis.type == "integer":
            back[axis.name] = back[axis.name].astype("Int64")
        again = cells_of(Dataset(back, "back").described(table().codebook), (axis.name,), 4)
        if axis.feature.attested:  # the others' ends come from what is drawn
            np.testing.assert_array_equal(again.codes[:, 0], codes)


def test_adult_in_20_bins_has_the_known_number_of_pairs():
    adult = open_table("adult")
    names = tuple(column.name for column in adult.columns)
    made = cells_of(adult, names, 20, NOWHERE)
    # 8, 14 and 41 words: the question mark of three columns is no word here.
    assert made.sizes == (20, 8, 20, 16, 16, 7, 14, 6, 5, 2, 20, 20, 20, 41, 2)
    assert made.left_out == 32_561 - 30_162
    told = cells_of(adult, names, 20, EVERYWHERE)
    assert told.left_out == 0
    with_three = [size + (name in ("workclass", "occupation", "native-country")) for size, name in
                  zip(made.sizes, names, strict=True)]  # fmt: skip
    pairs = [(a, b) for a in range(15) for b in range(a)]
    assert sum(cells(with_three, pair) for pair in pairs) == 21_850


def test_columns_that_cannot_be_cells_are_refused():
    for columns in ((), ("age", "age"), ("none",)):
        with pytest.raises(ParamError) as refused:
            cells_of(table(), columns)
        assert refused.value.field == "columns"


def test_whole_numbers_stay_whole_in_what_is_made() -> None:
    """Also of a column of floats, as ages are where one is missing; of what leaves only as told."""
    ages = pd.DataFrame({"age": [57.0, 18.0, np.nan, 90.0] * 5, "pay": [1.5, 2.0, 90.0, 7.0] * 5})
    data, rng = Dataset(ages, "people"), np.random.default_rng(2)
    for held, name, whole in (
        (data, "age", True),
        (data, "pay", False),
        (StandIn(data), "age", False),
    ):
        made = cells_of(held, (name,), 4)
        values = values_of(made.axes[0], np.repeat(np.arange(4), 50), rng)
        assert all(float(each).is_integer() for each in values) == whole, (held, name)
        assert made.axes[0].whole == whole
