"""Columns summed up: against brute force, at the extremes, and what is said of those that tell
persons apart."""

from collections import Counter
from collections.abc import Callable
from itertools import groupby, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.data import profile as profiling
from dpstudio.data.codebook import About, Codebook, codebook_words
from dpstudio.data.column_counts import SHARES, Spread, spread_of_numbers
from dpstudio.data.dataset import Dataset
from dpstudio.data.profile import IDENTIFIER, PERSON, profile, profiles, seems, unsummed
from dpstudio.files.write.leaving import ColumnsStayError, may_leave
from dpstudio.labs.context import LITTLE
from dpstudio.labs.findings import Findings
from dpstudio.labs.start.data import cap
from dpstudio.labs.start.data.charts import Portrait, findings
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.dates import date_text
from dpstudio.values.messages import render

numbers = st.lists(
    st.one_of(st.integers(-300, 300).map(float), st.floats(-1e6, 1e6), st.just(float("nan"))),
    max_size=60,
)


@given(numbers)
def test_a_spread_is_what_counting_by_hand_finds(values: list[float]) -> None:
    spread, held = spread_of_numbers(np.array(values)), [v for v in values if v == v]
    assert (spread.present, spread.distinct) == (len(held), len(set(held)))
    assert spread.runs == len(list(groupby(held)))
    assert spread.most == max(Counter(held).values(), default=0)
    if held:
        # The smallest value that so many of the rows do not exceed.
        by_hand = [
            min(v for v in held if sum(w <= v for w in held) >= share * len(held) - 1e-9)
            for share in SHARES
        ]
        assert list(spread.quantiles) == by_hand
        assert spread.mean == pytest.approx(sum(held) / len(held), abs=1e-6)
        edges = spread.edges
        inside = [
            sum(a <= v < b or (v == b == edges[-1]) for v in held) for a, b in pairwise(edges)
        ]
        assert spread.counts.tolist() == inside
        assert sum(inside) == len(held)


@pytest.mark.parametrize("high", [81, 5_000, 400_000, 10**12, 2**50 - 1])
def test_whole_numbers_far_apart_have_steps_that_are_nearly_full(high: int) -> None:
    """However far: a column of phone numbers was searched through 10^10 widths."""
    edges = spread_of_numbers(np.array([0, high])).edges
    assert len(set(np.diff(edges))) == 1
    assert edges[-2] < high < edges[-1]
    assert edges[-1] - (high + 0.5) <= 0.1 * (edges[1] - edges[0])


@given(st.integers(-(10**6), 10**6), st.integers(0, 5000))
def test_each_step_over_whole_numbers_holds_equally_many_of_them(low: int, reach: int) -> None:
    counts = spread_of_numbers(np.arange(low, low + reach + 1)).counts
    assert len(set(counts[:-1].tolist())) <= 1
    assert 0.3 * counts[0] <= counts[-1] <= counts[0]


@pytest.mark.parametrize(
    ("values", "distinct", "total", "infinite"),
    [
        ([1.7e308, -1.7e308, 3.0], 3, 3, 0),
        ([1.7e308] * 3, 1, 3, 0),
        ([5e-324, 0.0], 2, 2, 0),
        ([float("inf"), 1.0, float("-inf")], 1, 1, 2),
        ([float("inf")], 0, 0, 1),
        ([float("nan")], 0, 0, 0),
        ([2**62, 2**62 + 1], 2, 2, 0),
        ([7], 1, 1, 0),
        ([], 0, 0, 0),
    ],
)
def test_extremes_are_counted_too(
    values: list[float], distinct: int, total: int, infinite: int
) -> None:
    spread = spread_of_numbers(np.array(values))
    assert (spread.distinct, int(spread.counts.sum()), spread.infinite) == (
        distinct,
        total,
        infinite,
    )
    assert bool(total) == bool(np.isfinite(spread.mean))
    assert all(b > a for a, b in pairwise(spread.edges))


@given(st.lists(st.sampled_from(["a", "b", "?", "NA", "", None, "é"]), min_size=1, max_size=40))
def test_words_are_counted_commonest_first(words: list[str | None]) -> None:
    data = Dataset(pd.DataFrame({"w": pd.Series(words, dtype=object)}), "words")
    seen = profile(data, "w")
    held = Counter(word for word in words if word is not None)
    assert seen.spread is not None
    assert list(seen.spread.common) == sorted(held.items(), key=lambda pair: (-pair[1], pair[0]))
    assert (seen.spread.present, seen.missing) == (sum(held.values()), words.count(None))
    assert {word for word, _ in seen.blanks} == {"?", "NA", ""} & set(held)
    assert seen.spread.runs == len(list(groupby(word for word in words if word is not None)))


def test_thousands_of_words_that_are_alike_in_number_are_not_sorted() -> None:
    data = Dataset(
        pd.DataFrame({"w": ["twice"] + [f"w{k}" for k in range(9000)] + ["twice"]}), "words"
    )
    (first, second, *_), seen = data.distinct("w", 5), profile(data, "w")
    assert first == ("twice", 2)
    assert second[1] == 1
    assert (seen.spread.distinct, seen.looks) == (9001, IDENTIFIER)


def test_dates_are_counted_by_the_calendar() -> None:
    days = pd.date_range("2019-01-05", "2023-02-12", freq="D").to_series(name="day")
    found = run(Dataset(pd.DataFrame({"day": days.to_numpy()}), "dates"), "day")
    (figure,) = found.figures
    edges = figure.layer("rows").edges
    assert all(date_text(edge).endswith("-01") for edge in edges)
    assert figure.layer("rows").heights.tolist()[1:3] == [28, 31]
    assert [text for _, text in sorted(figure.x.ticks)] == ["2019", "2020", "2021", "2022", "2023"]
    assert render(found.fact("min").text) == "2019-01-05"
    assert render(found.fact("mean").text) == "2021-01-23"


def spread(
    present: int, distinct: int, runs: int | None = None, low: float = 0.0, high: float = 9e6
) -> Spread:
    return Spread(
        present,
        distinct,
        present if runs is None else runs,
        -(-present // distinct),
        quantiles=(low, 0, 0, 0, 0, 0, high),
    )


@pytest.mark.parametrize(
    ("name", "kind", "held", "looks"),
    [
        ("row", "integer", spread(100, 100, low=1, high=100), IDENTIFIER),
        ("SEQN", "integer", spread(5000, 5000), IDENTIFIER),
        ("income", "integer", spread(100, 100), ""),
        ("personId", "integer", spread(100, 100), IDENTIFIER),
        ("email", "category", spread(100, 99), IDENTIFIER),
        ("patient_id", "integer", spread(900, 300), PERSON),
        ("zper", "integer", spread(20190, 5908, runs=5908), PERSON),
        ("fnlwgt", "integer", spread(32561, 21648, runs=32000), ""),
        ("age", "integer", spread(32561, 73, runs=73), ""),  # sorted by age
        ("user", "category", spread(32561, 4), ""),
        ("paid", "integer", spread(900, 300), ""),
        ("weight", "number", spread(900, 900), ""),
        ("told", "identifier", spread(900, 300), PERSON),
    ],
)
def test_columns_that_tell_persons_apart_are_known(
    name: str, kind: str, held: Spread, looks: str
) -> None:
    assert seems(name, kind, held) == looks


@pytest.fixture(scope="module")
def visits() -> Dataset:
    patients = np.repeat(np.arange(40), 3)
    return Dataset(
        pd.DataFrame(
            {"patient": patients, "cost": np.arange(120.0), "ward": ["a", "b", "unknown"] * 40}
        ),
        "visits",
    )


def run(data: Dataset, column: str) -> Findings:
    (found,) = Portrait(column).run(data)
    return found


def test_what_is_known_of_a_column_shows(visits: Dataset) -> None:
    book = (
        Codebook()
        .with_about("cost", About(low=-5, high=200))
        .with_about("ward", About(type="number"))
    )
    told = visits.described(book)
    assert [layer.key for layer in run(told, "cost").figures[0].layers] == ["rows", "median"]
    attested = visits.described(book.with_about("cost", book.about("cost").with_(attested=True)))
    axis = run(attested, "cost").figures[0].x
    assert [layer.key for layer in run(attested, "cost").figures[0].layers] == [
        "rows",
        "low",
        "median",
    ]  # 200 is far beyond
    assert axis.range[0] < -5 < axis.range[1] < 200
    assert run(told, "ward").sentence("unread").say.values["n"].value == 120
    assert (
        profile(
            visits.described(Codebook().with_about("patient", About(type="identifier"))), "patient"
        ).type
        == "identifier"
    )


def test_persons_with_many_rows_are_spoken_of_until_they_are_the_unit(visits: Dataset) -> None:
    text = render(run(visits, "patient").sentence("person").say)
    assert "3 rows for each value, up to 3. One person, many rows: sensitivity grows." in text
    told = run(visits.described(Codebook().with_person("patient", 2)), "patient").sentences
    assert "person" not in {sentence.key for sentence in told}
    assert render(run(visits, "ward").sentence("blanks").say).startswith(
        "“unknown” stands in 40 rows"
    )


def test_everything_of_a_portrait_is_exact(visits: Dataset) -> None:
    for info in visits.columns:
        found = run(visits, info.name)
        assert found.figures
        assert all(one.exact for one in (*found.figures, *found.tables))
    keys = [
        "rows",
        "missing",
        "distinct",
        "mean",
        "min",
        "q5",
        "q25",
        "median",
        "q75",
        "q95",
        "max",
    ]
    assert [fact.key for fact in run(visits, "cost").facts] == keys


def test_one_column_that_fails_leaves_the_others(
    visits: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest: Callable[[Dataset, str], profiling.Profile] = profiling.profile
    monkeypatch.setattr(
        profiling, "profile", lambda data, name: 1 / 0 if name == "cost" else honest(data, name)
    )
    found = list(profiles(visits, lambda: False))
    assert [seen.spread is not None for seen in found] == [True, False, True]
    assert not findings(unsummed(visits, "cost")).figures
    assert not list(profiles(visits, lambda: True))


def test_sentences_are_free_text_and_names_are_not() -> None:
    notes = [f"the visit went well for number {i} of this week" for i in range(60)]
    names = [f"Person Number {i}" for i in range(60)]
    data = Dataset(pd.DataFrame({"note": notes, "name": names, "same": notes[:3] * 20}), "t")
    assert [profile(data, column).looks for column in ("note", "name", "same")] == [
        "text",
        IDENTIFIER,
        "",
    ]
    assert "free text" in render(findings(profile(data, "note")).sentence("text").say)


def test_what_a_cap_costs_is_what_the_table_of_that_cap_has() -> None:
    """The rows kept are those of the table described so; no noisy count is further off than told
    more often than told, and no other m is."""
    rng = np.random.default_rng(4)
    who = np.where(rng.random(600) < 0.03, np.nan, rng.integers(0, 9, 600) ** 2.0)
    data = Dataset(pd.DataFrame({"patient id": who, "x": rng.random(600)}), "visits")
    persons = data.persons("patient id")
    tables = [data.described(Codebook().with_person("patient id", m)) for m in range(1, 140)]
    assert [persons.left_out(m) for m in range(1, 140)] == [each.dropped for each in tables]
    told = {m: cap.error(persons, m, 0.1) for m in range(1, 140)}
    for m in (1, 40, 70, 139):
        answers = tables[m - 1].rows + rng.laplace(0, m / 0.1, 40_000)
        assert np.mean(np.abs(answers - 600) > told[m]) < 0.05 + 0.004
    assert cap.best(persons, 0.1) == min(told, key=lambda m: told[m])
    seen = profile(tables[2], "patient id")
    found = findings(seen)
    assert [figure.key for figure in found.figures] == ["cap"]
    said = {sentence.key: render(sentence.say) for sentence in found.sentences}
    assert f"keeps 3 rows (m), {tables[2].dropped} of 600 go" in said["cap"]
    assert "fixed without them" in said["looked"]


def test_the_numbers_of_places_are_names() -> None:
    data = Dataset(pd.DataFrame({"postcode": [81001, 81002, 81001], "age": [3, 5, 9]}), "places")
    found = findings(profile(data, "postcode"))
    assert [tick for _, tick in found.figures[0].x.ticks] == ["81001", "81002"]
    assert "mean" not in {fact.key for fact in found.facts}


def test_spellings_of_a_word_are_told_and_merged() -> None:
    """They differ in case and gaps alone; merged, each is written as it is most often, and told no
    more."""
    words = ["Heart"] * 4 + ["heart "] * 2 + ["HEART"] + ["Lung"] * 3 + ["lungs"]
    data = Dataset(pd.DataFrame({"ward": [*words, None]}), "visits")
    found = findings(profile(data, "ward"))
    said = {sentence.key: render(sentence.say) for sentence in found.sentences}
    assert said["twins"].startswith("1 word has several spellings")
    assert all(f"“{word}”" in said["twins"] for word in ("Heart", "heart ", "HEART"))
    merged = data.described(codebook_words(["ward: type=merged"]))
    assert merged.distinct("ward") == (("Heart", 7), ("Lung", 3), ("lungs", 1))
    assert merged.missing("ward") == 1
    assert not profile(merged, "ward").twins
    every = lab_of_words(["explore", "query.where="])
    with pytest.raises(ColumnsStayError, match="“ward” are merged for looking") as stays:
        may_leave(every, merged, LITTLE)
    assert stays.value.columns == ("ward",)
    may_leave(every, data, LITTLE)
