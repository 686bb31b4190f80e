"""Who a person is: where a column looks as if it told, and nobody has said, every lab says so; and
n of the local labs counts persons."""

import hashlib
import json

import numpy as np
import pandas as pd
import pytest
from kept_by_hand import kept_by_hand
from running import little

from dpstudio.data.codebook import EMPTY, codebook_from_json, codebook_words
from dpstudio.data.dataset import Dataset
from dpstudio.data.person_columns import MAYBE, NO, SURE, names_persons, person_column
from dpstudio.files.write.export import leaving
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs import Lab
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.naming import every_lab, lab_kind
from dpstudio.labs.person_question import WHO, who_is_a_person
from dpstudio.labs.question import reads_table
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, domains, put

VISITS = pd.DataFrame(
    {
        "patient_id": [f"p{i // 3}" for i in range(240)],
        "age": [20 + 7 * i % 60 for i in range(240)],
        "word": ["abc"[i % 7 % 3] for i in range(240)],
    }
)


@pytest.fixture(scope="module")
def visits() -> Dataset:
    return Dataset(VISITS, "visits")


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_every_lab_says_that_rows_are_taken_as_persons(kind: type[Lab], visits: Dataset) -> None:
    """Until it is answered, either way, where the lab asks about the table or counts the rows of a
    person; and nothing of it leaves without the exact answer, since one row can decide whether it
    is said."""
    lab = kind().suited(visits)
    first = next(iter(lab.run(Context(visits, effort=LITTLE))))
    told = [render(p.say) for p in first.problems if p.field == WHO]
    assert len(told) == (lab.counts_persons or reads_table(lab))
    assert all("“patient_id”" in each for each in told)
    for book in (EMPTY.with_person("patient_id"), EMPTY.with_each_row()):
        assert not list(who_is_a_person(visits.described(book)))
    hidden = put(lab, "show_truth", False) if "show_truth" in domains(kind) else None
    if hidden is not None:
        left = leaving(next(iter(hidden.run(Context(visits, effort=LITTLE)))), hidden)
        assert "seems to tell persons apart" not in json.dumps(findings_json(left))


def test_what_looks_like_a_person() -> None:
    for name in (
        "patient_id", "PatientID", "customerno", "nhs_number", "member code", "患者编号",
        "Carte lecteur", "Numéro d’abonné", "N° adhérent", "Kundennummer", "Leser-Kennung",
        "Reader ID", "tenant_id", "HolderNo", "Teacher number", "debtor code", "guest_id", "Mieternr",
        "Inhaber-Nr", "donor id", "voter_id", "insured no", "locataire_id", "读者编号", "租户ID", "教师编号",
    ):  # fmt: skip
        assert names_persons(name) == SURE, name
    for name in (
        "id",
        "user",
        "Subject",
        "email",
        "PID",
        "caseid",
        "skipper_id",
        "dentist id",
        "读者",
    ):
        assert names_persons(name) == MAYBE, name
    for name in (
        "age", "zip", "product_id", "CustomerAge", "number_of_children", "num_people", "persons",
        "hospital_id", "user_agent", "code", "name", "年龄", "编号",
        "N° emprunt", "Année de naissance", "Hausnummer",
        "order_id", "sensor id", "committee_id", "department_id", "skipper", "number of readers",
    ):  # fmt: skip
        assert names_persons(name) == NO, name


def test_only_repeated_persons_are_asked_about(adult: Dataset) -> None:
    """Values that all differ, a few values, or thousands of rows each are no question, and no
    ordinary column is."""

    def of(**columns: object) -> str:
        return person_column(Dataset(pd.DataFrame(columns), "t"))

    rows = np.arange(400)
    assert person_column(adult) == ""
    assert of(id=rows, patient_id=rows) == ""
    assert of(zip=rows // 4, age=rows // 8, product_id=rows // 2) == ""
    assert of(subject=[f"s{i % 5}" for i in rows], student=["yes", "no"] * 200) == ""
    assert of(subject=[f"s{i % 50}" for i in rows]) == "subject"
    assert of(id=rows // 2, user_id=rows // 4) == "user_id"
    assert of(patient_no=np.where(rows < 3, np.nan, rows // 4)) == "patient_no"
    told = Dataset(pd.DataFrame({"who": [f"w{i // 2}" for i in rows]}), "t")
    assert person_column(told) == ""
    assert person_column(told.described(codebook_words(["who: type=identifier"]))) == "who"


def test_values_like_numbers_of_persons_are_asked_about_whatever_the_column_is_called() -> None:
    """But not what its name says to be something else, nor postcodes, classes and dates."""
    rows = np.arange(3000)

    def asked(name: str, words: list[str]) -> bool:
        return person_column(Dataset(pd.DataFrame({name: words, "x": rows}), "t")) == name

    of_persons = [f"P{i % 900:05}" for i in rows]
    hashes = [hashlib.sha256(word.encode()).hexdigest() for word in of_persons]
    for name in ("Kartei", "ref", "Akte", "Nummer"):
        assert asked(name, of_persons), name
        assert asked(name, hashes), name
        assert asked(name, [f"{i % 900:06}-A" for i in rows]), name
    for name in (
        "Artikel",
        "Product code",
        "order no",
        "Rechnung",
        "ICD",
        "Postcode",
        "Flight",
        "lsoa11cd",
        "Area",
    ):
        assert not asked(name, of_persons), name
    for words in (
        [f"P{i:05}" for i in rows],  # each once
        [f"P{i % 30:05}" for i in rows],  # of so few, or in so many rows, nobody is told
        [f"P{i % 100:05}" for i in rows],
        [f"{'EIJ'[i % 3]}{i % 90:02}.{i % 10}" for i in rows],  # diseases
        [f"{i % 900:05}" for i in rows],  # places
        [f"{1000 + i % 900} AB" for i in rows],
        [f"2020-{i % 9 + 1:02}-{i % 28 + 1:02}x" for i in rows],
        [f"name {i % 900:05} of nobody" for i in rows],
        [f"P{i % 900}" for i in rows],
    ):
        assert not asked("Kartei", words), words[1000]
    rng = np.random.default_rng(4)
    given = 431_000 + rng.integers(0, 900, 3000)
    for name, numbers, expected in (
        ("Kartei", given, True),
        ("Kartei", given - 400_000, False),  # days, postcodes, pay
        ("Kartei", 100 * given, False),
        ("Kartei", (431_000 + 150 * rng.normal(size=3000)).astype(int), False),
        ("Kartei", 431_000 + rows, False),
        ("order", given, False),
    ):
        data = Dataset(pd.DataFrame({name: numbers, "x": rows}), "t")
        assert (person_column(data) == name) == expected, numbers[:3]
    named = pd.DataFrame({"Kartei": of_persons, "subject": rows // 3})
    assert person_column(Dataset(named, "t")) == "subject"


def test_the_answer_is_kept() -> None:
    book = codebook_words(["age: low=0"], each_row=True)
    assert codebook_from_json(json.loads(json.dumps(book.to_json()))) == book
    assert book.with_person("who", 2).each_row is False
    assert book.reading == EMPTY
    with pytest.raises(ParamError):
        codebook_words([], "who", each_row=True)
    with pytest.raises(ParamError):
        codebook_from_json({"person": "who", "each_row": True})


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("local_counts", ("query.column=word",)),
        ("local_counts", ("query.column=word", "query.where=age > 40")),
        ("local_means", ("query.column=age",)),
        ("local_means", ("query.column=age", "query.where=word = a")),
    ],
)
def test_local_labs_count_persons(
    visits: Dataset, key: str, settings: tuple[str, ...], most: int
) -> None:
    """Each person sends one report, of one row, however many rows the other labs use: the
    same findings as of a table that has only these rows."""
    data = visits.described(EMPTY.with_person("patient_id", most))
    alone = Dataset(VISITS.iloc[kept_by_hand(VISITS, "patient_id", 1)], "visits")
    lab = lab_kind(key)()
    for setting in settings:
        lab = put(lab, *setting.split("=", 1))
    found, expected = little(lab, data), little(lab, alone)
    assert found.truth is not None
    assert expected.truth is not None
    assert found.truth.tolist() == expected.truth.tolist()
    assert [render(s.say) for s in found.sentences] == [render(s.say) for s in expected.sentences]
    assert "asked once" in " ".join(render(p.say) for p in found.problems)


def test_rows_of_a_person_need_not_move_more_numbers_than_one(visits: Dataset) -> None:
    """No row of age 30 or more meets the first of these conditions, so three rows do not either."""
    lab = put(put(lab_kind("sensitivity")(), "query", "counts"), "query.where", "age >= 30")
    lab = put(lab, "query.conditions", "age < 25 | word = a | age < 70")
    found = little(lab, visits.described(EMPTY.with_person("patient_id", 3)))
    assert render(found.fact("l0").text) == "at most 3 of 3"
    assert "moves 2 of the counts" in render(found.sentence("mover").say)


@pytest.mark.parametrize("words", [["explore"], ["explore", "query=mean"], ["decide"]])
@pytest.mark.parametrize("truth", [True, False])
def test_an_answer_of_some_rows_is_not_called_the_tables(words: list[str], truth: bool) -> None:
    """Three of four rows of each person go: the mean of what is left is not that of the table."""
    frame = pd.DataFrame({"who": [k // 4 for k in range(400)], "cost": [k % 4 for k in range(400)]})
    data = Dataset(frame, "visits")
    for most, used in ((0, False), (1, True), (4, not truth)):
        told = data.described(EMPTY.with_person("who", most)) if most else data
        lab = lab_of_words([*words, f"show_truth={truth}"]).suited(told)
        found = lab.last(Context(told, effort=LITTLE))
        said = " ".join(render(each.say) for each in found.sentences)
        said += " ".join(render(fact.note) for fact in found.facts if fact.note)
        assert ("this table’s" in said) != used
        assert ("the used rows’" in said) == used
