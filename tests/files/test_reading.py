"""The reader against its corpus of nasty files: certain, asked or refused as is right; the counts
are printed, and wrong is 0."""

from collections import Counter
from datetime import date
from functools import cache
from typing import Any

import pandas as pd
import pytest
from fuzz_reading import attempt
from nasty import CORPUS, Nasty

from dpstudio.files.asking import note_words
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import Read, UncertainError
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, from_json, put, to_json


@cache
def outcome(nasty: Nasty) -> str:
    """What became of the file; AssertionError where that is wrong."""
    found = attempt(nasty.body)
    if isinstance(found, Read):
        assert nasty.verdict in ("certain", "any"), f"certain, as {found.choices}"
        check(nasty, found)
        assert nasty.says in " ".join(render(note) for note in found.notes)
        check_told(found)
        return "right"
    if not isinstance(found, UncertainError):
        text = str(found)
        assert nasty.verdict == "refused", text
        assert nasty.says in text
        assert text.endswith(".")
        assert "\n" not in text
        assert "Error" not in text
        return "refused"
    assert nasty.verdict in ("asked", "any"), str(found)
    preview = found.preview
    again = attempt(nasty.body, preview.choices)
    assert isinstance(again, Read)
    check(nasty, again)
    shown = [(column.name, column.kind, column.missing) for column in preview.columns]
    assert shown == [(column.name, column.kind, column.missing) for column in again.columns]
    doubted = {d.choice for d in preview.doubts}
    assert set(nasty.asks) <= doubted, doubted
    assert tuple(o.line for o in preview.counts.repaired.first) == nasty.repaired
    assert tuple(o.line for o in preview.counts.refused.first) == nasty.refused
    assert preview.counts.kept == again.table.num_rows
    assert preview.settings()
    assert all(
        len(d.values) > 1 and d.values[0] == getattr(preview.choices, d.choice)
        for d in preview.doubts
    )
    return "repaired" if nasty.repaired else "rows left out" if nasty.refused else "asked"


def check(nasty: Nasty, found: Read) -> None:
    """Shape, names, some cells, kinds and missing words."""
    table = found.table
    assert tuple(table.column_names) == nasty.names, found.choices
    assert table.num_rows == nasty.rows == found.counts.kept
    for (row, column), value in nasty.cells.items():
        held: Any = table.column(column)[row if row >= 0 else table.num_rows + row].as_py()
        assert held == value, (row, column, held)
        assert type(held) is type(value) or isinstance(held, float | int), (row, column, held)
    kinds = {c.name: c.kind for c in found.columns}
    assert {n: kinds[n] for n in nasty.kinds} == nasty.kinds
    for name, marks in nasty.missing.items():
        listed = next(c.missing for c in found.columns if c.name == name)
        assert {word for word, _ in listed} == set(marks)


def check_told(found: Read) -> None:
    """What was left out or changed is said: lines that are no rows, names made anew, and words
    taken for missing."""
    told = " ".join(render(note) for note in note_words(found))
    counts = found.counts
    for n in (counts.comments, counts.empty, counts.footer):
        assert not n or f"{n} " in told
    assert not counts.preamble or "comments" in told or "separated by" in told or "value" in told
    assert all(f"“{w}”" in told for c in found.columns for w, _ in c.missing if w)


@pytest.mark.parametrize("nasty", CORPUS, ids=lambda n: n.name)
def test_nasty(nasty: Nasty) -> None:
    outcome(nasty)


def test_none_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    """The whole corpus once more, counted."""
    counts: Counter[str] = Counter()
    for nasty in CORPUS:
        try:
            counts[outcome(nasty)] += 1
        except AssertionError:
            counts["wrong"] += 1
    with capsys.disabled():
        print(
            f"\n{len(CORPUS)} nasty files: "
            + ", ".join(
                f"{word} {counts[word]}"
                for word in ("right", "asked", "repaired", "rows left out", "refused", "wrong")
            )
        )
    assert counts["wrong"] == 0
    assert len({n.name for n in CORPUS}) == len(CORPUS) >= 60


SETTLED = [
    ("ragged=refuse", b"a,b,c\n1,2,3\n4,5\n6,7,8,9\n", [{"a": 1, "b": 2, "c": 3}]),
    (
        "ragged=merge",
        b"a,b\n1,x\n2,y,z\n3\n",
        [{"a": 1, "b": "x"}, {"a": 2, "b": "y,z"}, {"a": 3, "b": None}],
    ),
    (
        "header=no",
        b"x,y\nz,w\n",
        [{"column 1": "x", "column 2": "y"}, {"column 1": "z", "column 2": "w"}],
    ),
    ("delimiter=none", b"a,b\nx,y\n", [{"a,b": "x,y"}]),
    ("delimiter=semicolon", b"a;b,c\n1;2\n", [{"a": 1, "b,c": 2}]),
    ("decimal=comma", b"n;w\n1,234;a\n5,678;b\n", [{"n": 1.234, "w": "a"}, {"n": 5.678, "w": "b"}]),
    ("decimal=point", b"n;w\n1,234;a\n5,678;b\n", [{"n": 1234, "w": "a"}, {"n": 5678, "w": "b"}]),
    (
        "dates=mdy",
        b"d,n\n01/02/2021,1\n03/04/2021,2\n",
        [{"d": date(2021, 1, 2), "n": 1}, {"d": date(2021, 3, 4), "n": 2}],
    ),
    ("dates=words", b"d,n\n01/02/2021,1\n", [{"d": "01/02/2021", "n": 1}]),
    (
        "missing=blank",
        b"c,n\nNA,1\n?,2\n,3\n",
        [{"c": "NA", "n": 1}, {"c": "?", "n": 2}, {"c": None, "n": 3}],
    ),
    (
        "missing_words=none given | 99",
        b"c,n\na,99\nnone given,2\n",
        [{"c": "a", "n": None}, {"c": None, "n": 2}],
    ),
    ("types=n=words", b"c,n\na,1\nb,2\n", [{"c": "a", "n": "1"}, {"c": "b", "n": "2"}]),
    ("types=z=number", b"z,n\n007,1\nx,2\n", [{"z": 7.0, "n": 1}, {"z": None, "n": 2}]),
    ("blank=missing", b"n\n1\n\n3\n", [{"n": 1}, {"n": None}, {"n": 3}]),
    ("skip=2", b"a,b\nc,d\ne,f\n1,2\n", [{"e": 1, "f": 2}]),
    ("footer=1", b"a,b\n1,2\n3,4\n", [{"a": 1, "b": 2}]),
    ("encoding=latin-1", b"a,b\n\xe9,1\nx,2\n", [{"a": "é", "b": 1}, {"a": "x", "b": 2}]),
    ("comment=percent", b"%a,b\na,b\n%1,2\n3,4\n", [{"a": 3, "b": 4}]),
    ("quote=none", b'a,b\n"x,1\ny",2\n', [{"a": '"x', "b": 1}, {"a": 'y"', "b": 2}]),
    (
        "outer=rows",
        b'{"x": [1, 2], "y": [3, 4]}',
        [
            {"Unnamed: 0": "x", "column 1": 1, "column 2": 2},
            {"Unnamed: 0": "y", "column 1": 3, "column 2": 4},
        ],
    ),
    ("outer=columns", b'{"x": {"a": 1}, "y": {"a": 3}}', [{"Unnamed: 0": "a", "x": 1, "y": 3}]),
    ("outer=fields", b'{"x": [1, 2], "y": [3, 4]}', [{"x": "[1, 2]", "y": "[3, 4]"}]),
    (
        "header=no",
        b'[["x", "y"], [1, 2]]',
        [{"column 1": "x", "column 2": "y"}, {"column 1": "1", "column 2": "2"}],
    ),
    ("escape=backslash", b'a,b\n"x\\"y",1\n"z",2\n', [{"a": 'x"y', "b": 1}, {"a": "z", "b": 2}]),
]


@pytest.mark.parametrize(("setting", "body", "rows"), SETTLED, ids=[s for s, _, _ in SETTLED])
def test_choices_settle_it(setting: str, body: bytes, rows: list[dict[str, Any]]) -> None:
    """One choice typed as on the command line; the rest is as found, and nothing is asked."""
    name, _, value = setting.partition("=")
    found = attempt(body, put(Choices(), name, value))
    assert isinstance(found, Read), str(found)
    assert found.table.to_pylist() == rows


@pytest.mark.parametrize("orient", ["split", "records", "index", "columns", "values", "table"])
@pytest.mark.parametrize("named", [True, False])
def test_json_as_pandas_writes_it(orient: Any, named: bool) -> None:
    """However a table lies in it, as proposed it is that table, and never one row in silence."""
    frame = pd.DataFrame(
        {"a": [3, 1, 4, 1, 5], "w": list("xyxzx"), "b": [0.5, 2.25, 8.0, 1.5, 0.25]}
    )
    if named:
        frame.index = pd.Index(["one", "two", "three", "four", "five"])
    found = attempt(frame.to_json(orient=orient).encode())
    if isinstance(found, UncertainError):
        found = attempt(frame.to_json(orient=orient).encode(), found.preview.choices)
    assert isinstance(found, Read)
    rows = [[row[name] for name in found.table.column_names] for row in found.table.to_pylist()]
    assert [row[-3:] for row in rows] == frame.to_numpy().tolist()
    names = [f"column {i}" for i in (1, 2, 3)] if orient == "values" else list(frame.columns)
    assert found.table.column_names[-3:] == names


def test_every_bad_choice_is_refused_by_name() -> None:
    for name, value in Choices.invalid_examples():
        with pytest.raises(ParamError, match=name):
            Choices(**{name: value})
    assert from_json([Choices], to_json(Choices(delimiter="pipe", skip=3))) == Choices(
        delimiter="pipe", skip=3
    )
    with pytest.raises(ParamError, match="name=type"):
        Choices(types=("a=colour",))
