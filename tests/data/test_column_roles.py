"""What is proposed of columns, and which serve a purpose: by names and values alone, the same in
whatever order rows and columns stand."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_tables import odd_tables, peoples_tables
from running import opened

from dpstudio.data.codebook import (
    IDENTIFIER,
    LABEL,
    NONE,
    PERSON,
    PLACE,
    QUASI,
    ROLES,
    SENSITIVE,
    WEIGHT,
    Codebook,
    codebook_from_json,
    codebook_words,
)
from dpstudio.data.column_roles import (
    FEATURE,
    GROUP,
    MEASURE,
    columns_for,
    is_prose,
    proposed_role,
    role_by_name,
    role_of,
)
from dpstudio.data.dataset import Dataset
from dpstudio.values.parameters import ParamError

PURPOSES = (MEASURE, FEATURE, GROUP, LABEL, SENSITIVE, QUASI)
TABLES = {name: Dataset(frame, name) for name, frame in (odd_tables() | peoples_tables()).items()}


def proposed_roles(data: Dataset) -> dict[str, str]:
    """What each column seems to be, by name; "" where nothing is proposed. For looking only."""
    return {c.name: proposed_role(data, c.name) for c in data.columns}


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (QUASI, "age Age_at_visit Alter Altersgruppe sex Geschlecht gender race Familienstand"),
        (QUASI, "date_of_birth Geburtsjahr marital-status education EducationLevel occupation"),
        (PLACE, "邮编 邮政编码 Post_code zip_code"),
        (PLACE, "zip ZipCode postcode PLZ plz_wohnort city Wohnort Bundesland native-country"),
        (SENSITIVE, "income Einkommen salary Diagnosis Hauptdiagnose religion Partei icd10"),
        (LABEL, "class Klasse target outcome Label"),
        (WEIGHT, "fnlwgt weight Gewicht sample_weight Gewichtung"),
        ("", "score hours-per-week image stateless capital-gain sexton cost pages usage"),
    ],
)
def test_names_in_english_and_german(role: str, names: str) -> None:
    assert {name: role_by_name(name) for name in names.split()} == dict.fromkeys(
        names.split(), role
    )


def test_a_weight_of_a_body_weighs_no_rows() -> None:
    assert role_by_name("weight", ("age", "height")) == ""
    assert role_by_name("weight_kg") == ""
    assert role_by_name("Weight", ("Patient ID", "Visit date", "Cost")) == ""
    assert role_by_name("weight", ("age", "income")) == WEIGHT


def test_what_is_proposed_of_people() -> None:
    assert proposed_roles(TABLES["visits"]) == {
        "Patient ID": PERSON,
        "Visit date": "",
        "Age": QUASI,
        "Gender": QUASI,
        "Postcode": PLACE,
        "Diagnosis": SENSITIVE,
        "Cost": "",
        "Notes": "",
    }
    assert proposed_roles(TABLES["phones"])["phone"] == IDENTIFIER
    assert proposed_roles(TABLES["names last"])["name"] == IDENTIFIER
    adult = proposed_roles(opened("adult"))
    assert (adult["age"], adult["fnlwgt"], adult["income"]) == (QUASI, WEIGHT, SENSITIVE)
    assert adult["hours-per-week"] == adult["capital-gain"] == ""


def test_a_postcode_is_known_by_its_digits() -> None:
    """Also where its name says nothing; a number of as many digits that is measured is none."""
    rng = np.random.default_rng(8)
    digits = rng.integers(10_000, 100_000, 400)
    words = [f"{word:05}" for word in rng.integers(1_000, 99_999, 40)] * 10
    held = {
        "where": digits,
        "code": ["01067", *words[1:]],
        "cost": rng.integers(8_000, 60_000, 400),
        "paid": np.exp(rng.normal(10.6, 0.4, 400)).clip(12_000, 97_000).astype(int),
    }
    data = Dataset(pd.DataFrame(held), "places")
    assert proposed_roles(data) == {"where": PLACE, "code": PLACE, "cost": "", "paid": ""}
    assert columns_for(data, MEASURE, ("where", "cost")) == ["cost"]
    assert columns_for(data, QUASI)[:2] == ["where", "code"]


@pytest.mark.parametrize("name", TABLES)
def test_the_order_of_rows_and_columns_says_nothing(name: str) -> None:
    data = TABLES[name]
    frame, rng = data._frame, np.random.default_rng(4)
    rows = frame.iloc[rng.permutation(len(frame))].reset_index(drop=True)
    turned = frame[[frame.columns[i] for i in rng.permutation(len(frame.columns))]]
    roles = proposed_roles(data)
    assert proposed_roles(Dataset(rows, "rows")) == roles
    assert proposed_roles(Dataset(turned, "columns")) == roles
    for purpose in PURPOSES:
        assert columns_for(Dataset(rows, "rows"), purpose) == columns_for(data, purpose)


@pytest.mark.parametrize("name", TABLES)
def test_nothing_that_names_rows_serves_a_purpose(name: str) -> None:
    """Nor free text, but where nothing else is left; and a number of a place is no number."""
    data = TABLES[name]
    for purpose in PURPOSES:
        numbers = [c.name for c in data.columns if c.numeric or purpose != MEASURE]
        found = columns_for(data, purpose, numbers)
        unfit = {c for c in found if role_of(data, c) in (IDENTIFIER, PERSON) or is_prose(data, c)}
        assert not unfit or unfit == set(found), purpose
        places = {c for c in found if role_of(data, c) == PLACE and data.info(c).ordered}
        assert purpose not in (MEASURE, FEATURE) or not places or places == set(found)
    assert not [c for c in proposed_roles(data) if is_prose(data, c) and proposed_roles(data)[c]]


def test_rows_are_grouped_by_no_identifier_though_nothing_else_is_left() -> None:
    numbers = [f"A{k:03d}" for k in range(40)]
    frame = pd.DataFrame({"Fallnr": numbers, "PatNr": numbers[:20] * 2, "cost": range(40)})
    assert columns_for(Dataset(frame, "visits"), GROUP, ["Fallnr", "PatNr"]) == []
    told = Dataset(frame.assign(ward=["A", "B"] * 20), "visits").described(
        Codebook().with_person("ward")
    )
    assert columns_for(told, GROUP, ["Fallnr", "PatNr", "ward"]) == []


def test_the_likeliest_first() -> None:
    data = TABLES["visits"]
    assert columns_for(data, MEASURE) == ["Age", "Cost"]
    assert columns_for(data, GROUP)[:2] == ["Diagnosis", "Gender"]
    assert columns_for(data, LABEL)[0] == columns_for(data, SENSITIVE)[0] == "Diagnosis"
    # Nor are sentences that come again: what somebody wrote is no answer to be guarded by its words.
    said = ["The staff was rude to me", "Too loud on every Monday morning"]
    wrote = data._frame[["Cost", "Diagnosis"]].assign(Last=[said[i % 2] for i in range(data.rows)])
    assert columns_for(Dataset(wrote, "wrote"), SENSITIVE)[-1] == "Last"
    # Two classes are told from fewer rows than ten: not of what is known, which is a person's sex.
    ten = [f"D{i % 10}" for i in range(data.rows)]
    again = {"Again": np.arange(data.rows) % 3 == 0, "Diagnosis": ten, "Last": ten}
    assert columns_for(Dataset(data._frame.assign(**again), "again"), LABEL)[0] == "Again"
    # Two numbers between other columns are classes too, but for pixels, which come in many.
    numbers = {"again": np.arange(data.rows) % 3 // 2, "Kind": ten, "Last": ten}
    rest = data._frame[["Age", "Cost"]]
    assert columns_for(Dataset(rest.assign(**numbers), "numbers"), LABEL)[0] == "again"
    pixels = {f"p{i}": numbers["again"] for i in range(5)}
    assert columns_for(Dataset(rest.assign(**pixels | numbers), "p"), LABEL)[0] == "Last"
    assert columns_for(data, QUASI)[:3] == ["Age", "Gender", "Postcode"]
    # What stands last is told of what stands before, unless another is called so.
    assert columns_for(TABLES["label first"], LABEL)[0] == "class"
    assert columns_for(TABLES["weighted"], LABEL)[0] == "answer"
    assert columns_for(TABLES["weighted"], MEASURE)[-1] == "weight"
    assert columns_for(TABLES["of a body"], MEASURE) == ["age", "height", "weight"]


def test_a_year_is_the_last_number_to_be_measured() -> None:
    """Also where no name tells it; but it goes before what never varies, and what is far."""
    years, rows = np.arange(60) % 40 + 1960, np.arange(60.0)
    held = {"Year of birth": years, "born": years, "weight": rows, "Cost": rows, "same": rows * 0}
    data = Dataset(pd.DataFrame(held), "years")
    assert columns_for(data, MEASURE) == ["Cost", "weight", "Year of birth", "born", "same"]
    other = {"year cost": years * 0.5, "sold": years + rows / 7, "Year": years * 10, "born": years}
    assert columns_for(Dataset(pd.DataFrame(other), "none"), MEASURE)[-1] == "born"


def test_what_is_told_goes_before_what_is_proposed() -> None:
    words = ["Cost: role=label", "Age: role=identifier", "Notes: role=none", "Diagnosis: role=none"]
    data = TABLES["visits"].described(codebook_words(words, "Patient ID", 3))
    assert columns_for(data, LABEL)[0] == "Cost"
    assert columns_for(data, MEASURE) == ["Cost"]
    assert role_of(data, "Diagnosis") == ""
    assert role_of(data, "Patient ID") == PERSON
    assert data._rows_of is TABLES["visits"].described(codebook_words([], "Patient ID", 3))


Change = Callable[[Codebook], Codebook]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([*ROLES, PERSON])), max_size=8))
def test_one_role_each(changes: list[tuple[str, str]]) -> None:
    """The last role that is told of a column is its role, there is one person at most, and files
    keep them."""
    book, last = Codebook(), dict[str, str]()
    for column, role in changes:
        book = book.with_role(column, role)
        last = {c: "" if r == PERSON == role else r for c, r in last.items()} | {column: role}
    assert {c: book.role(c) for c in last} == last
    assert codebook_from_json(book.to_json()) == book
    assert book.tells_roles == any(role not in ("", PERSON) for role in last.values())
    assert not book.without_roles.tells_roles
    assert book.without_roles.person == book.person
    assert {c: book.public.role(c) for c in last} == last


def test_roles_are_typed() -> None:
    assert codebook_words(["zip: role=place low=1"]).role("zip") == PLACE
    assert codebook_words(["name: type=identifier"]).role("name") == IDENTIFIER
    assert codebook_words(["a: role=none"]).role("a") == NONE
    with pytest.raises(ParamError):
        codebook_words(["a: role=person"])


def test_many_columns_are_told_by_their_names() -> None:
    """Those after the first two hundred are not summed up."""
    frame = pd.DataFrame(np.ones((3, 300)), columns=[f"x{i}" for i in range(300)])
    data = Dataset(frame.rename(columns={"x299": "age"}), "wide")
    assert proposed_roles(data)["age"] == QUASI
    assert not data.known(("spread", "age"))
