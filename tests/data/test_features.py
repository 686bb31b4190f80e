"""A table as arrays to learn from: public bounds and words, rows left out, persons kept together."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from dpstudio.data.codebook import EMPTY, About
from dpstudio.data.coins import tossed
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Sample, one_hot, sample_of, split, unit
from dpstudio.files.tables import open_table
from dpstudio.values.parameters import ParamError

FRAME = pd.DataFrame(
    {
        "who": ["a", "a", "b", "c", "c", "d"],
        "age": [20.0, 95.0, np.nan, 40.0, 10.0, 60.0],
        "job": ["x", "y", "x", "z", "x", "y"],
        "grade": [1, 2, 10, 2, 1, 2],
        "empty": [None] * 6,
        "own": [f"{i}" for i in range(6)],
    }
)
TOLD = EMPTY.with_about("age", About(low=18, high=90, attested=True)).with_about(
    "job", About(categories=("y", "x"), attested=True)
)


def table() -> Dataset:
    return Dataset(FRAME, "six")


def test_what_is_told_bounds_the_rows_and_what_is_not_is_taken_from_them():
    told = sample_of(table().described(TOLD), ("age", "job"), "grade", classes=True)
    # Row 2 has no age, row 3 a job that nobody told of.
    np.testing.assert_array_equal(told.x, [[20, 1], [90, 0], [18, 1], [60, 0]])
    assert told.label is not None
    assert told.label.words == ("1", "2", "10")
    np.testing.assert_array_equal(told.y, [0, 1, 0, 1])
    assert (told.left_out, told.persons, told.unattested) == (2, None, ("grade",))
    bare = sample_of(table(), ("age", "job"), "grade")
    assert [(f.low, f.high, f.words) for f in bare.features] == [
        (10, 95, ()),
        (0, 0, ("x", "y", "z")),
    ]
    assert bare.unattested == ("age", "job", "grade")
    np.testing.assert_array_equal(bare.y, [1, 2, 2, 1, 2])
    data = table()
    assert sample_of(data, ["age"], None) is sample_of(data, ("age",), None)


def test_what_is_published_of_a_bundled_table_is_known_but_the_codebook_goes_first():
    data = open_table("adult").described(TOLD)
    sample = sample_of(data, ("age", "hours-per-week", "fnlwgt"), "income")
    assert [(f.low, f.high, f.attested) for f in sample.features[:2]] == [
        (18, 90, True),
        (1, 99, True),
    ]
    assert sample.unattested == ("fnlwgt",)
    assert sample.label is not None
    assert sample.label.words == ("<=50K", ">50K")
    assert np.count_nonzero(sample.y) == 7_841


def test_numbers_are_scaled_by_their_bounds_and_words_stand_apart():
    data = table().described(TOLD)
    np.testing.assert_allclose(
        unit(sample_of(data, ("age",), None))[:, 0], (np.array([20, 90, 40, 18, 60]) - 54) / 36
    )
    both = one_hot(sample_of(data, ("job", "age"), None))
    np.testing.assert_array_equal(both[0], [0, 1, (20 - 54) / 36])
    with pytest.raises(ParamError, match="holds words"):
        unit(sample_of(data, ("job",), None))


@pytest.mark.parametrize(
    ("features", "label", "field"),
    [
        ((), None, "features"),
        (("age", "age"), None, "features"),
        (("age",), "age", "label"),
        (("nothing",), None, "features"),
        (("age",), "nothing", "label"),
        (("empty",), None, "features"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused_at_its_field(
    features: tuple[str, ...], label: str | None, field: str
):
    with pytest.raises(ParamError) as refused:
        sample_of(table(), features, label)
    assert refused.value.field == field


def test_a_column_half_of_words_half_of_numbers_says_what_to_do_with_it():
    """And what it says can be done."""
    cells = [str(i) if i % 2 else "none" for i in range(500)]
    data = Dataset(pd.DataFrame({"m": cells, "w": [f"w{i}" for i in range(500)]}), "half")
    for column, said in (("m", "Read it as numbers"), ("w", "name the words that count")):
        with pytest.raises(ParamError, match=said):
            sample_of(data, (column,), None)
    told = EMPTY.with_about("m", About(type="number", low=0, high=500, attested=True))
    sample = sample_of(data.described(told), ("m",), None)
    assert (len(sample.x), sample.left_out, sample.features[0].high) == (250, 250, 500)


def test_parts_of_a_split_share_no_person():
    train, test = split(48_842, 1 / 3, None)
    assert (len(train), test[0], len(test)) == (32_561, 32_561, 16_281)
    data = table().described(EMPTY.with_person("who", 2))
    sample: Sample = sample_of(data, ("job",), "grade")
    assert sample.most == 2
    assert sample.persons is not None
    for seed in range(5):
        train, test = split(len(sample.x), 0.5, seed, sample.persons)
        assert not set(sample.persons[train]) & set(sample.persons[test])
        np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(6))
        assert len(np.unique(sample.persons[test])) == 2


NAMES = ("age", "job", "grade")


def parts_of(frame: pd.DataFrame, seed: int, person: str = "") -> list[Counter]:
    """The rows to learn from and those to test with, each with how often it is there."""
    known = EMPTY.with_about("age", About(low=0, high=9, attested=True)).with_person(person, 9)
    data = Dataset(frame, "small").described(known if person else known.with_each_row())
    sample = sample_of(data, NAMES[:2], NAMES[2], classes=True)
    rows = list(zip(*(frame[name][sample.kept].tolist() for name in NAMES), strict=True))
    return [Counter(rows[i] for i in side) for side in tossed(sample, data, 0.4, seed)]


@pytest.mark.parametrize("person", ["", "who", "number"])
def test_who_comes_or_goes_changes_one_row_of_one_part_whatever_the_seed(person: str):
    """All removals, one after the other, of tables full of duplicates and of rows that lack a value
    or alone hold a word: of the rows of one person, of one part."""
    rng, moved = np.random.default_rng(3), Counter()
    for seed in range(6):
        n = 14
        who = rng.integers(0, 5, n)
        frame = pd.DataFrame(
            {
                "age": rng.choice([-0.0, 0.0, 3.5, np.nan], n, p=[0.3, 0.3, 0.3, 0.1]),
                "job": [*rng.choice(["x", "y"], n).tolist()[:-1], "alone"],
                "grade": rng.choice(["a", "b"], n),
                "who": [f"p{i}" for i in who],
                "number": who * 2.0**40,
            }
        )
        whole = parts_of(frame, seed, person)
        for row in range(n):
            gone = frame[person] == frame[person][row] if person else frame.index == row
            here = parts_of(frame[~gone].reset_index(drop=True), seed, person)
            taken = [before - after for before, after in zip(whole, here, strict=True)]
            assert not any(after - before for before, after in zip(whole, here, strict=True))
            complete = int(frame["age"][gone].notna().sum())
            assert sorted(part.total() for part in taken) == [0, complete]
            moved.update(side for side, part in enumerate(taken) if part)
    assert min(moved[0], moved[1]) > 10


def test_coins_fall_as_often_as_they_should_on_rows_that_are_all_alike():
    """And those of two seeds, or of neighbouring numbers, have nothing to do with each other."""
    for column in (np.zeros(40_000), np.arange(40_000.0), np.arange(40_000) * 1e-9):
        data = Dataset(pd.DataFrame({"x": column}), "many")
        sample = sample_of(data, ("x",), None)
        heads = np.zeros((2, 40_000))
        for seed in (1, 2):
            heads[seed - 1, tossed(sample, data, 0.3, seed)[1]] = 1
        assert heads.mean(axis=1) == pytest.approx([0.3, 0.3], abs=0.01)
        assert abs(np.corrcoef(heads)[0, 1]) < 0.02
        assert abs(np.corrcoef(heads[0, 1:], heads[0, :-1])[0, 1]) < 0.02
