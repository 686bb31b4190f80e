"""Tables that people bring: every lab whose kind of column is there opens with a picture of it, by
its roles; refusals speak of its own columns; and what somebody chose is never changed."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from kept_choices import opened_page
from odd_tables import odd_tables, peoples_tables
from running import LEAST, opened

from dpstudio.cli import commands
from dpstudio.cli.parsing import run_parser
from dpstudio.data.codebook import Codebook, codebook_words
from dpstudio.data.column_roles import is_prose, role_of
from dpstudio.data.conditions import parse
from dpstudio.data.dataset import Dataset
from dpstudio.files.write import leaving
from dpstudio.files.write.leaving import StaysError
from dpstudio.files.write.taken_as_public import written
from dpstudio.labs import Lab
from dpstudio.labs.context import Context
from dpstudio.labs.naming import every_lab, lab_kind
from dpstudio.labs.question import reads_table
from dpstudio.labs.role_columns import own, reset, told
from dpstudio.labs.worded import with_words
from dpstudio.privacy.queries.count import Count
from dpstudio.values.domains import Column
from dpstudio.values.messages import render
from dpstudio.values.parameters import Parameters, domains, from_json, to_json

TABLES = {name: Dataset(frame, name) for name, frame in (odd_tables() | peoples_tables()).items()}
LABS = [kind for kind in every_lab() if reads_table(kind())]
BUNDLED = ("pima", "car", "diabetes", "digits", "table_3_1", "figure_8_7")
every = pytest.mark.parametrize("kind", LABS, ids=lambda kind: kind.key)
Needs = Callable[[Dataset], bool]


def _numbers(data: Dataset, least: int = 1) -> bool:
    """So many columns of numbers that can be summed."""
    ends = (data.extent(c.name) for c in data.columns if c.numeric)
    return sum(e is not None and max(abs(e.low), abs(e.high)) <= 1e15 for e in ends) >= least


def _classes(data: Dataset, most: int = 20) -> list[str]:
    names = [c.name for c in data.columns if data.missing(c.name) < 0.9 * data.rows]
    return [n for n in names if data.more_than(n, 1) and not data.more_than(n, most)]


def _columns(data: Dataset, least: int) -> bool:
    """So many columns that say something of people."""
    names = [c.name for c in data.columns if data.missing(c.name) < 0.9 * data.rows]
    said = [n for n in names if not is_prose(data, n) and role_of(data, n) not in _NAMES_ROWS]
    return sum(data.info(n).ordered or not data.more_than(n, 50) for n in said) >= least


def _together(data: Dataset) -> bool:
    """Enough rows that lack nothing."""
    return len(data._frame.dropna(axis=1, thresh=data.rows // 2).dropna()) >= 40


_NAMES_ROWS = ("identifier", "person")
# What a page needs of a table, but for rows; of the others any column will do.
NEEDS: dict[str, Needs] = {
    "clipping": _numbers,
    "selection": lambda data: (
        _numbers(data) or any(data.info(name).type == "category" for name in _classes(data))
    ),
    "local_means": _numbers,
    "components": lambda data: _numbers(data, 2) and _together(data),
    "owners": lambda data: _numbers(data, 2) and _together(data),
    "learn": lambda data: bool(_classes(data)) and _columns(data, 2) and _together(data),
    "local_learning": lambda data: (
        bool(_classes(data, 10)) and _columns(data, 2) and _together(data)
    ),
    "anonymity": lambda data: bool(_classes(data)) and _columns(data, 2) and _together(data),
    "masking": lambda data: bool(_classes(data)) and _columns(data, 2) and _together(data),
    "risk": lambda data: _columns(data, 2) and _together(data),
    "rules": lambda data: len(_classes(data)) > 1,
    "compress": lambda data: len(_classes(data)) > 1 and _columns(data, 3) and _together(data),
    "synthesis": lambda data: _columns(data, 1),
    # Words or whole numbers of some rows; else ratings that are made up are linked.
    "linkage": lambda data: (
        data.rows >= 10 and any(c.type in ("category", "integer") for c in data.columns)
    ),
}


@every
def test_a_page_whose_kind_of_column_is_there_opens_on_it(kind: type[Lab]) -> None:
    opened_on = 0
    for name, data in TABLES.items():
        if not data.rows or not NEEDS.get(kind.key, bool)(data):
            continue
        lab = kind().suited(data)
        stops = [render(p.say) for p in lab.problems(data) if p.stops]
        assert not stops, (name, lab)
        assert reads_table(lab), (name, lab)
        opened_on += 1
    assert opened_on >= 10


@every
def test_the_command_line_opens_as_the_window_does(kind: type[Lab]) -> None:
    """On the same columns, also of the bundled tables."""
    given = run_parser(kind.key).parse_intermixed_args([])
    for data in (TABLES["visits"], TABLES["one column of numbers"], *map(opened, BUNDLED)):
        started = commands._started(kind(), data, given, leaves=False)
        assert started == opened_page(kind, data).lab, data.name


@pytest.mark.parametrize(
    "words",
    ["learn learner=gradient_descent", "synthesis way=weights", "components k=4",
     "local_counts protocol=warner"],
)  # fmt: skip
def test_what_is_typed_is_typed_on_the_columns_of_the_page(words: str) -> None:
    """Where what fits the table would choose another: as in the window, where it opens first."""
    name, word = words.split()
    path, value = word.split("=")
    data, kind = opened("car"), lab_kind(name)
    given = run_parser(name).parse_intermixed_args([word])
    given.settings = [word]
    started = commands._started(with_words(kind(), [word]), data, given, leaves=False)
    store = opened_page(kind, data)
    (store.set if path == "k" else store.choose)(path, 4 if path == "k" else value)
    assert started == store.lab


@every
def test_the_picture_of_visits(kind: type[Lab]) -> None:
    """There, and not of who somebody is, of free text, or of a postcode as a number."""
    data = TABLES["visits"]
    lab = kind().suited(data)
    assert next(lab.run(Context(data, effort=LEAST))).figures
    for holder, name, column in named(lab):
        assert column not in ("Patient ID", "Notes"), name
        domain: Any = domains(type(holder))[name]
        number = getattr(domain, "numeric", False) or domain.purpose == "feature"
        assert column != "Postcode" or not number, name


@every
def test_a_page_asks_a_question_of_visits(kind: type[Lab]) -> None:
    """About some of its rows; what might be known is in it. The condition is marked, so that it
    stays here, and in a session too; what a person writes is not, though it is the same."""
    lab = kind().suited(data := TABLES["visits"])
    for where in (each for each in written(lab) if each.proposed):
        assert 0 < data.count(where) < data.rows
        assert from_json([kind], to_json(lab)) == lab
        assert not parse(str(where)).proposed
        with pytest.raises(StaysError, match="proposed the condition"):
            leaving._as_told(lab, data)
    for holder, name, column in named(lab):
        assert data.has(column), (holder.key, name)
    query = getattr(lab, "query", None)
    assert not isinstance(query, Count) or not getattr(lab, "asks", True) or query.where


def named(lab: Parameters) -> list[tuple[Parameters, str, str]]:
    """Which parameter names which column."""
    found = list[tuple[Parameters, str, str]]()
    for name, domain in domains(type(lab)).items():
        held = getattr(lab, name)
        if isinstance(held, Parameters):
            found += named(held)
        elif isinstance(domain, Column) or domain.purpose:
            found += [(lab, name, each) for each in ((held,) if isinstance(held, str) else held)]
    return found


@every
def test_a_refusal_speaks_of_this_table(kind: type[Lab]) -> None:
    """Where no state can be answered, no column of another table is named, but one of this; or
    what is missing is a kind of column."""
    for name, data in TABLES.items():
        said = [render(p.say) for p in kind().suited(data).problems(data) if p.stops]
        quoted = {word for words in said for word in re.findall("“([^”]+)”", words)}
        adult = {info.name for info in opened("adult").columns}
        own_names = {info.name for info in data.columns}
        assert not quoted & (adult - own_names), (name, said)
        for words in said:
            speaks = any(f"“{column}”" in words for column in own_names)
            assert speaks or "has no column of" in words, (name, words)


TOLD = codebook_words(
    [f"{name}: role={role}" for name, role in (
        ("education", "label"), ("race", "sensitive"), ("sex", "quasi"), ("hours-per-week", "quasi"),
        ("native-country", "place"), ("age", "identifier"), ("fnlwgt", "weight"),
    )]
)  # fmt: skip


@every
def test_what_is_told_is_taken_where_nobody_chose(kind: type[Lab]) -> None:
    """By each parameter that names columns, whatever the rows are: the same of a table with other
    rows, where something may leave."""
    adult = opened("adult")
    data, other = adult.described(TOLD), Dataset(adult._frame.head(3), "three rows").described(TOLD)
    lab = told(reset(kind()), data, looking=False)
    assert lab == told(reset(kind()), other, looking=False)
    for holder, name, column in named(told(reset(kind()), data, looking=True)):
        domain: Any = domains(type(holder))[name]
        role = TOLD.role(column)
        assert role != "identifier" or domain.purpose == "identifier", (name, column)
        if domain.purpose in ("label", "sensitive"):
            assert role == domain.purpose, (name, column)
        assert domain.purpose != "quasi" or role in ("quasi", "place"), (name, column)
        assert domain.purpose != "feature" or role not in ("label", "weight"), (name, column)
    stops = [
        p for p in told(reset(kind()), data, looking=True).suited(data).problems(data) if p.stops
    ]
    assert not stops


def test_nothing_changes_where_nothing_is_told() -> None:
    adult = opened("adult")
    for kind in every_lab():
        assert told(reset(kind()), adult, looking=True) == reset(kind()) == kind()
        assert own(kind(), adult) == kind()
        person = adult.described(Codebook().with_each_row())
        assert told(kind(), person, looking=True) == kind()
