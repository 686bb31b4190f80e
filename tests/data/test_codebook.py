"""What is known of columns from outside: kept as JSON, typed as text, read as told, and used in the
place of the data by every question."""

import json
import math
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_by_hand import kept_by_hand
from running import little

from dpstudio.data.codebook import EMPTY, TYPES, About, Codebook, codebook_from_json, codebook_words
from dpstudio.data.columns import Columns, FrameColumns
from dpstudio.data.conditions import Where, parse
from dpstudio.data.dataset import Dataset
from dpstudio.data.exact_sums import ExactSums, so_many_persons
from dpstudio.data.held_columns import HeldColumns
from dpstudio.data.typed_columns import Retyped
from dpstudio.files.arrow_columns import from_table
from dpstudio.files.write.export import provenance
from dpstudio.labs import Lab
from dpstudio.labs.context import Context
from dpstudio.labs.naming import every_lab
from dpstudio.labs.one_answer.clipping.bounds import bounds_in_force
from dpstudio.labs.one_answer.clipping.model import clipping_model
from dpstudio.labs.one_answer.clipping.parameters import Clipping
from dpstudio.labs.one_answer.clipping.private import public_grid, public_other
from dpstudio.labs.question import reads_table
from dpstudio.privacy.queries import ADD_REMOVE, CHOICES, QUERIES
from dpstudio.values.dates import days_of
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, domains, put

LABS = every_lab()

KNOWN = [
    "age: low=10 high=95 attested=yes source=the census form",
    "sex: categories=Male | Female | Other; attested=yes",
]
KINDS: dict[str, Any] = {kind.key: kind for kind in [*QUERIES, *CHOICES]}


def test_text_and_json_round_trips() -> None:
    book = codebook_words(
        [*KNOWN, "when: type=date high=2024-10-04", "c:d: type=identifier"], "hours-per-week", "3"
    )
    assert book.about("age") == About(low=10, high=95, attested=True, source="the census form")
    assert book.about("sex").categories == ("Male", "Female", "Other")
    assert book.about("c:d").type == "identifier"
    assert book.about("nothing") == About()
    assert codebook_from_json(json.loads(json.dumps(book.to_json()))) == book
    assert len({book, codebook_from_json(book.to_json()), EMPTY}) == 2
    assert book.with_about("age", About()).with_about("age", book.about("age")) == book
    assert not Codebook((("age", About()),), most=7)
    assert book.with_person("").most == 1
    counted = replace(book, people=70)
    assert codebook_from_json(json.loads(json.dumps(counted.to_json()))) == counted
    assert counted.public.people == counted.with_person(book.person, 2).people == 70
    assert counted.reading == book.reading
    assert counted.with_person("age").people is None
    assert codebook_words([], "who", people="70") == Codebook(person="who", people=70)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: codebook_words(["age"]), "about"),
        (lambda: codebook_words(["low=3"]), "about"),
        (lambda: codebook_words(["age: low=5 high=3"]), "age.high"),
        (lambda: codebook_words(["age: type=colour"]), "age.type"),
        (lambda: codebook_words([], "who", 0), "most"),
        (lambda: codebook_words([], "", 3), "person"),
        (lambda: codebook_from_json({"columns": {"age": {"low": "x"}}}), "codebook.low"),
        (lambda: codebook_from_json({"columns": {"age": 3}}), "codebook"),
        (lambda: codebook_from_json({"whom": "who"}), "codebook"),
        (lambda: codebook_from_json([]), "codebook"),
        (lambda: codebook_from_json({"person": "who", "people": 0}), "codebook.people"),
        (lambda: codebook_words([], people="9"), "person"),
        (lambda: codebook_words([], "who", people="many"), "people"),
        (lambda: codebook_from_json({"person": "who", "most": 1.5}), "codebook.most"),
    ],
)
def test_what_is_no_codebook_is_refused_at_its_field(call: Any, field: str) -> None:
    with pytest.raises(ParamError) as caught:
        call()
    assert caught.value.field == field


FRAME = pd.DataFrame(
    {
        "word": ["1", "2.5", "1,000", "-", None, "7"],
        "day": ["2020-01-31", "2020", "31 May", "2020-02-01 12:00", None, "2021-03"],
        "whole": [20200131, 5, 7, 2020, 5, 19991231],
        "part": [1.0, 2.5, math.nan, -4.0, 1e20, 2.0],
        "date": pd.to_datetime(
            ["2020-01-31", "1970-01-02", None, "2020-02-01 12:00", "1969-12-31", "2021-03-01"],
            format="mixed",
        ),
    }
)
READ: dict[tuple[str, str], list[Any]] = {
    ("word", "number"): [1, 2.5, 1000, None, None, 7],
    ("word", "integer"): [1, None, 1000, None, None, 7],
    ("day", "date"): [
        days_of("2020-01-31"),
        days_of("2020-01-01"),
        None,
        days_of("2020-02-01") + 0.5,
        None,
        days_of("2021-03-01"),
    ],
    ("whole", "date"): [
        days_of("2020-01-31"),
        None,
        None,
        days_of("2020-01-01"),
        None,
        days_of("1999-12-31"),
    ],
    ("part", "integer"): [1, None, None, -4, None, 2],
    ("date", "integer"): [
        days_of("2020-01-31"),
        1,
        None,
        days_of("2020-02-01"),
        -1,
        days_of("2021-03-01"),
    ],
    ("whole", "category"): ["20200131", "5", "7", "2020", "5", "19991231"],
    ("part", "identifier"): ["1", "2.5", None, "-4", "100000000000000000000", "2"],
    ("date", "text"): [
        "2020-01-31",
        "1970-01-02",
        None,
        "2020-02-01 12:00",
        "1969-12-31",
        "2021-03-01",
    ],
}


@pytest.mark.parametrize("engine", ["pandas", "arrow"])
@pytest.mark.parametrize(("column", "kind"), READ)
def test_columns_are_read_as_told(column: str, kind: str, engine: str) -> None:
    frame: Columns = (
        FrameColumns(FRAME) if engine == "pandas" else from_table(pa.Table.from_pandas(FRAME))
    )
    place, wanted = frame.names.index(column), READ[column, kind]
    read = Retyped(frame, {place: kind})
    assert read.absent(place).tolist() == [value is None for value in wanted]
    assert read.unread(place) == sum(value is None for value in wanted) - int(
        frame.absent(place).sum()
    )
    if kind in ("category", "identifier", "text"):
        codes, words = read.codes(place)
        assert read.types[place] == "category"
        assert [None if code < 0 else words[code] for code in codes] == wanted
    else:
        assert read.types[place] == kind
        np.testing.assert_array_equal(
            read.numbers(place).astype(float), [math.nan if v is None else v for v in wanted]
        )
        codes, words = read.codes(place)
        assert [code < 0 for code in codes] == [v is None for v in wanted]
    shown = [row[place] for row in read.cells(0, 6)]
    assert [value is None for value in shown] == [value is None for value in wanted]
    others = [name for name in frame.names if name != column]
    assert [read.types[frame.names.index(n)] for n in others] == [
        frame.types[frame.names.index(n)] for n in others
    ]


def test_every_type_can_be_told_of_every_column() -> None:
    data = Dataset(FRAME, "t")
    for column in FRAME.columns:
        for kind in TYPES:
            told = data.described(EMPTY.with_about(column, About(type=kind)))
            assert told.missing(column) >= data.missing(column)
            assert told.unread(column) == told.missing(column) - data.missing(column)
            told.distinct(column)
            list(KINDS["histogram"](column=column).problems(told, ADD_REMOVE))
            assert told.cells(0, 99)[0][0] is not None or told.missing(column)


STATED = st.tuples(
    st.integers(0, 3) | st.none(),
    st.sampled_from(["a", "1:a", "", "ä\x1f", None]),
    st.sampled_from([0.0, -0.0, 2.5, 1e300, float("-inf"), float("nan"), 2.0**53]),
    st.sampled_from([pd.Timestamp("2020-03-31"), pd.Timestamp("2090-01-02 03:04:05.678901"), None]),
)


def stated(rows: list[Any]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["who", "word", "x", "day"])
    return frame.astype({"who": float, "word": object, "x": float, "day": "datetime64[us]"})


@settings(max_examples=60)
@given(st.lists(STATED, max_size=20), st.lists(STATED, max_size=5), st.integers(1, 3), st.randoms())
def test_which_rows_of_a_person_are_kept_is_said_by_them_alone(
    rows: list[Any], others: list[Any], most: int, order: Random
) -> None:
    """As worked out row by row, in whatever order they stand; and for everybody else the same
    whatever one person says, who may make a column of whole numbers one of doubles."""

    def kept(held: pd.DataFrame) -> list[str]:
        return shown(Dataset(held, "t").described(EMPTY.with_person("who", most)).cells(0, 99))

    frame = stated(rows)
    by_hand = kept_by_hand(frame, "who", most)
    assert kept(frame) == shown(Dataset(frame.iloc[by_hand], "t").cells(0, 99))
    assert kept(stated(order.sample(rows, len(rows)))) == kept(frame)
    whole = stated([each for each in rows if abs(each[2]) < 2**53 and each[2] % 1 == 0])
    one = stated([(9, *each[1:]) for each in others])
    mine = kept(one)
    with_one = kept(pd.concat([whole, one], ignore_index=True))
    assert with_one == sorted([*kept(whole.astype({"x": "int64"})), *mine])


def shown(rows: list[Any]) -> list[str]:
    """Rows in the order of their words, −0 as 0."""
    return sorted(
        repr([float(v) + 0.0 if isinstance(v, int | float) else v for v in r]) for r in rows
    )


@pytest.mark.parametrize("person", ["word", "number", "day"])
def test_a_described_table_answers_for_the_rows_that_are_kept(person: str) -> None:
    rng = np.random.default_rng(3)
    who = rng.integers(0, 5, 60)
    frame = pd.DataFrame(
        {"number": who, "word": [f"p{i}" if i else None for i in who], "x": rng.normal(size=60)}
    )
    frame["day"] = pd.to_datetime(who, unit="D")
    data = Dataset(frame, "t", "t.csv", "ab")
    told = data.described(EMPTY.with_person(person, 4))
    kept = frame.iloc[kept_by_hand(frame, person, 4)]
    assert (told.rows, told.dropped, told.unowned) == (
        len(kept),
        60 - len(kept),
        int(frame[person].isna().sum()),
    )
    assert told.clipped("x", -1, 1, parse("x > 0")).total == pytest.approx(
        kept["x"][kept["x"] > 0].clip(-1, 1).sum()
    )
    assert [row[2] for row in told.cells(0, 60)] == kept["x"].tolist()
    assert told.whole is data
    assert told.digest == "ab"
    assert told.described(EMPTY) is data
    assert told.described(told.codebook) is told


def test_no_person_column_no_persons() -> None:
    data = Dataset(FRAME.assign(odd=[[1]] * 6), "t")
    for person in ("nobody", "odd"):
        with pytest.raises(ParamError) as caught:
            data.described(EMPTY.with_person(person, 2))
        assert caught.value.field == "person"


def test_answers_of_one_codebook_reach_no_other(adult: Dataset) -> None:
    """What depends on rows alone is worked out once for all bounds; what depends on bounds, or on
    persons, for each codebook."""
    data = Dataset(adult._frame, "fresh")
    bounded, other = (
        data.described(codebook_words([f"age: low=10 high={high} attested=yes"]))
        for high in (95, 50)
    )
    persons = data.described(codebook_words([], "hours-per-week", 2))
    asked: list[str] = []
    for told in (data, bounded, other, persons):
        told.remember(("asked", "the same"), lambda told=told: asked.append(told.name) or told)
        assert told.remember(("asked", "the same"), lambda: None) is told
    assert len(asked) == 4
    data.ordered("age", parse(""))
    assert bounded.ordered("age", parse("")) is data.ordered("age", parse(""))
    assert persons.ordered("age", parse("")) is not data.ordered("age", parse(""))
    sums = [KINDS["sum"](column="age").ask(told, ADD_REMOVE) for told in (data, bounded, other)]
    assert [float(s.measurements[0].sensitivity.l1) for s in sums] == [90, 95, 50]
    assert [bool(s.notes) for s in sums] == [True, False, False]


PUBLIC: list[tuple[str, dict[str, Any]]] = [
    ("sum", {"column": "age"}),
    ("mean", {"column": "age"}),
    ("variance", {"column": "age"}),
    ("deviation", {"column": "age"}),
    ("histogram", {"column": "age"}),
    ("histogram", {"column": "sex"}),
    ("grouped", {"column": "age", "by": "sex"}),
    ("grouped", {"by": "sex", "statistic": "count"}),
    ("contingency", {"first": "sex", "second": "race"}),
    ("covariance", {"columns": ("age", "education-num")}),
    ("most_common", {"column": "sex"}),
    ("quantile", {"column": "age"}),
]


@pytest.mark.parametrize(("key", "held"), PUBLIC)
def test_questions_take_what_is_known_before_they_look(
    key: str, held: dict[str, Any], adult: Dataset
) -> None:
    """Attested bounds and words make the question public; the same ones unattested, or typed over,
    do not."""
    known = [
        *KNOWN,
        "race: categories=White | Black; attested=yes",
        "education-num: low=1 high=16 attested=yes",
    ]
    query = KINDS[key](**held)
    public = query.ask(adult.described(codebook_words(known)), ADD_REMOVE)
    assert public.openness == ()
    assert query.ask(adult, ADD_REMOVE).openness
    silent = codebook_words([line.replace("attested=yes", "") for line in known])
    assert query.ask(adult.described(silent), ADD_REMOVE).openness
    assert any("Other" in label for label in public.labels) or "sex" not in held.values()
    field = {"low": 20.0} if hasattr(query, "low") else {}
    if field and "age" in held.values():
        assert query.with_(**field).ask(adult.described(codebook_words(known)), ADD_REMOVE).openness
        typed = query.with_(**field, attested=True)
        if "groups" not in domains(type(query)):
            assert typed.ask(adult.described(codebook_words(known)), ADD_REMOVE).openness == ()


def test_bounds_in_force_are_those_told(adult: Dataset) -> None:
    data = adult.described(codebook_words(KNOWN))
    assert KINDS["sum"](column="age").bounds(data) == (10, 95)
    assert KINDS["sum"](column="age", low=20).bounds(data) == (20, 95)
    assert KINDS["sum"](column="age", low=99).bounds(data) == (99, 100)
    assert KINDS["histogram"](column="age", bins=5).parts(data)[0] == (10, 27, 44, 61, 78, 95)
    assert KINDS["quantile"](column="age", points=18).values(data).tolist() == list(
        range(10, 96, 5)
    )
    assert KINDS["covariance"](columns=("age", "education-num")).bounds(data)[0] == (10, 95)
    clipping = clipping_model(Clipping(column="age", grid="equal", points=18), Context(data))
    assert (clipping.bounds.low, clipping.bounds.high) == (10, 95)
    assert public_grid(clipping)
    assert public_other(clipping)
    # One end is typed, the other one that of the codebook.
    for grid, attested in (("equal", True), ("equal", False), ("doubling", True)):
        lab = Clipping(column="age", grid=grid, grid_high=80, attested=attested)
        assert public_grid(clipping_model(lab, Context(data))) == (grid == "equal" and attested)
    hidden = bounds_in_force(Clipping(column="age", show_truth=False), data)
    assert (hidden.low, hidden.high) == (10, 95)
    half = adult.described(codebook_words(["age: low=10 attested=yes"]))
    assert KINDS["sum"](column="age").bounds(half)[0] == 10
    assert KINDS["sum"](column="age").ask(half, ADD_REMOVE).openness


def test_dates_that_are_known_make_a_public_calendar() -> None:
    data = Dataset(FRAME[["date"]], "t")
    about = About(low=days_of("1960"), high=days_of("2029-12-31"), attested=True)
    asked = KINDS["histogram"](column="date", bins=7).ask(
        data.described(EMPTY.with_about("date", about)), ADD_REMOVE
    )
    assert asked.openness == ()
    assert asked.labels[0].startswith("1960")
    assert asked.truth.sum() == 5


TELLING = ("explore", "compare", "guarantee", "selection", "sensitivity", "clipping")


@pytest.mark.parametrize(
    "kind", [lab for lab in LABS if lab.key in (*TELLING, "stories")], ids=lambda lab: lab.key
)
def test_labs_say_who_a_person_is_and_hide_what_is_exact(kind: type[Lab], adult: Dataset) -> None:
    """With persons every lab that reads a table runs; rows left out are told of where exact answers
    are shown, and nowhere else."""
    data = adult.described(codebook_words(KNOWN, "hours-per-week", 40))
    tells = kind.key in TELLING
    for show in (True, False) if "show_truth" in domains(kind) else (True,):
        lab = kind(**({} if show else {"show_truth": False})).suited(data)
        found = little(lab, data)
        assert found.figures
        said = {sentence.key: render(sentence.say) for sentence in found.sentences}
        assert ("unit" in said) == tells
        if tells:
            assert "40 rows" in said["unit"]
            assert ("30,125 of 32,561 rows" in said["kept"]) == show
        if not show:
            assert "30,125" not in " ".join(said.values())
            made = provenance(lab, data)
            assert "rows" not in json.dumps(made.get("table"))
            if reads_table(lab):
                assert made["codebook"]["person"] == "hours-per-week"


@pytest.mark.parametrize(
    "kind", [lab for lab in LABS if lab.key in TELLING], ids=lambda lab: lab.key
)
def test_no_slider_touches_the_table_of_persons(
    kind: type[Lab], adult: Dataset, touched: list[str]
) -> None:
    """Neither the rows that are kept nor those that are left out are read again."""
    data = adult.described(codebook_words(KNOWN, "education", 900))
    lab = kind().suited(data)
    little(lab, data)
    touched.clear()
    moved = [("mechanism.epsilon", 0.37), ("epsilon", 0.37), ("confidence", 0.8), ("high", 1234.0)]
    for path, value in moved:
        if path.split(".")[0] in domains(kind):
            little(put(lab, path, value), data)
            assert touched == [], path


def test_what_leaving_rows_out_does_is_told_right(adult: Dataset) -> None:
    frame = adult._frame
    data = adult.described(codebook_words([], "hours-per-week", 40))
    kept = data._frame
    assert kept.groupby("hours-per-week").size().max() == 40
    found = little(next(lab for lab in LABS if lab.key == "explore")(), data)
    said = next(render(s.say) for s in found.sentences if s.key == "kept")
    assert f"would be {(frame['age'] > 50).sum():,} instead of {(kept['age'] > 50).sum()}." in said


def test_exports_hold_what_is_attested(adult: Dataset) -> None:
    data = adult.described(codebook_words(KNOWN, "hours-per-week", 40))
    made = provenance(LABS[0](), data)
    assert made["codebook"] == data.codebook.to_json()
    assert made["codebook"]["columns"]["age"] == {
        "low": 10.0,
        "high": 95.0,
        "attested": True,
        "source": "the census form",
    }
    assert made["table"] | {"sha256": ""} == {
        "name": "adult",
        "rows": 32_561,
        "rows_used": 2_436,
        "sha256": "",
    }
    assert "codebook" not in provenance(LABS[0](), adult)


def test_a_bound_may_be_typed_as_a_date() -> None:
    about = codebook_words(
        ["day: low=2020-01-31 high=2020-02 attested=yes", "n: low=-5 high=2020"]
    ).about("day")
    assert (about.low, about.high) == (days_of("2020-01-31"), days_of("2020-02-01"))
    assert about.holds == about.type == "date"
    with pytest.raises(ParamError, match="2020-13-01"):
        codebook_words(["day: low=2020-13-01"])
    # One date says that the other bound is one too: a year is its first day, here as in the window.
    for line in (
        "low=1990 high=2020-01-01",
        "high=2020 low=1990 type=date",
        "low=1990-01 high=2020",
    ):
        years = codebook_words([f"day: {line}"]).about("day")
        assert (years.type, years.low, years.high) == ("date", days_of("1990"), days_of("2020"))
    assert codebook_words(["day: low= high=2020-01-01"]).about("day").low is None
    with pytest.raises(ParamError, match=r"“7305\.5” is not a date; write one such") as refused:
        codebook_words(["day: low=7305.5 high=2020-01-01"])
    assert refused.value.field == "day.low"
    with pytest.raises(ParamError, match=r"above the lowest \(2020-01-31\)"):
        codebook_words(["day: low=2020-01-31 high=2019"])
    for lines in (
        ["day: low=2020-01-31 type=number"],
        ["day: type=number low=2020-01-31"],
        ["day: low=2020-01-31", "day: type=number"],
    ):
        with pytest.raises(ParamError, match=r"“2020-01-31” is a date.* to hold numbers"):
            codebook_words(lines)


def test_what_is_attested_says_what_a_column_holds() -> None:
    """A session from before keeps days alone for the bounds of a column of dates."""
    assert About(low=18_000, high=19_000, attested=True).holds == "number"
    assert About(low=1, high=2).holds == ""
    assert About(categories=("0", "1"), low=0, attested=True).holds == "category"


def test_many_values_are_found_in_the_first_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A column of ten million numbers is not made into words to see that it has more than two
    hundred."""
    data = Dataset(
        pd.DataFrame(
            {
                "id": range(500),
                "few": [i % 3 for i in range(500)],
                "x": [float(i % 2) or None for i in range(500)],
            }
        ),
        "t",
    )
    assert not data.more_than("few", 3)
    assert data.more_than("few", 2)
    assert not data.more_than("x", 1)
    monkeypatch.setattr(HeldColumns, "codes", lambda *_: pytest.fail("made into words"))
    assert data.more_than("id", 200)


@pytest.mark.parametrize("people", [1, 2, 3, 5])
def test_a_table_is_of_as_many_persons_as_are_told(people: int) -> None:
    """Those of the first rows, and rows without values behind them; of more rows each it is as it
    is."""
    frame = pd.DataFrame({"who": [*"aabbcc", None], "x": [1, 2, 3, 4, 5, 6, 7], "c": [*"uvuvuvu"]})
    data = Dataset(frame, "t").described(Codebook(person="who", people=people))
    made = so_many_persons(data)
    kept = [tuple(row) for row in frame.iloc[kept_by_hand(frame, "who", 1)].to_numpy()]
    whole = [*kept, *[(None,) * 3] * 2]
    assert made.rows == people
    assert made.cells(0, 9) == whole[:people]
    assert ExactSums(made).missing("x") == ExactSums(made).missing("c") == max(0, people - 3)
    assert ExactSums(made).clipped("x", 0, 9, Where()).total == sum(x for _, x, _ in kept[:people])
    many = data.described(Codebook(person="who", most=2, people=people))
    assert so_many_persons(many) is many
