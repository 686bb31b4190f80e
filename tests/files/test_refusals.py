"""The contract of refusals: whether a table leaves, and what is said where it does not, follows from
what was told and from the rows that are published, never from those that are left out."""

import io
import json
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from neighbours import FORMATS, PACKINGS, TOLD, odd_texts, text_file, texts
from running import lab_of, little
from test_releases import HEIGHTS, READ, TYPES, diseases, released, table

from dpstudio import cli
from dpstudio.files.read.told import told_words
from dpstudio.labs.whole_tables.rows.columns import coded
from dpstudio.privacy.anonymity.columns import words_of
from dpstudio.privacy.anonymity.hierarchy import of_intervals
from dpstudio.privacy.anonymity.models import KAnonymity
from dpstudio.privacy.anonymity.mondrian import RELAXED, STRICT, Quasi, halves, joined, mondrian


def people(values: list[str], *last: Any) -> pd.DataFrame:
    """Twelve people of each of 50 classes, who have these values in turn, and one who is left
    out."""
    rows = [(30 + i % 4, f"336{i % 50:02d}", values[i % len(values)]) for i in range(600)]
    frame = pd.DataFrame([*rows, last], columns=["age", "zip", "ill"]).astype(object)
    return frame.assign(job=[*[f"j{i % 200}" for i in range(600)], last[1]])


MOST = "dpstudio.labs.whole_tables.rows.table.VALUES_MOST"
FULL = [f"d{i}" for i in range(50)]
MANY_WORDS = {
    "sensitive": ([*HEIGHTS], [(97, "90000", ill) for ill in ("d1", "zzz", "a", None)]),
    "quasi": (
        [*HEIGHTS, "quasi=age | job", "trees=age = 5, 20 | job = words", "promise.k=2"],
        [(97, job, "d1") for job in ("x", "y", "", "zzz")],
    ),
    "known": ([*HEIGHTS, "known=job"], [(97, job, "d1") for job in ("j1", "x", "y")]),
    "again": ([*HEIGHTS, "again_quasi=job"], [(97, job, "d1") for job in ("j1", "x", "y")]),
    "again heights": (
        [*HEIGHTS, "again_quasi=age | zip | job", "again_by=another"],
        [(97, job, "d1") for job in ("j1", "12345678901234567890" * 20)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("where", MANY_WORDS)
def test_one_value_more_refuses_nothing(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The 201st word of a column, or one more sensitive value than are counted, of somebody who is
    left out, refused the table; so did columns of which nothing is published."""
    monkeypatch.setattr(MOST, len(FULL))
    words, others = MANY_WORDS[where]
    lab, _ = lab_of(words)
    held = [released(lab, people(FULL, *row)) for row in others]
    assert held[0].rows == tuple(range(600))
    assert all(each == held[0] for each in held)


ALIKE = {
    "full-domain": [*HEIGHTS],
    "diverse": [*HEIGHTS, "promise=l", "promise.k=3", "promise.sense=entropy", "promise.l=2"],
    "at heights": [*HEIGHTS, "algorithm.heights=age=1 | zip=1"],
    "boxes": [*HEIGHTS[:5], "algorithm=mondrian"],
    "overlapping": [*HEIGHTS[:5], "algorithm=mondrian", "algorithm.way=relaxed"],
    "another": [*HEIGHTS, "again_quasi=job", "again_by=another"],
    **{key: ["masking", *HEIGHTS[1:3], f"operation={key}"]
       for key in ("top_code", "suppress", "pram", "swap", "permute", "anatomy")},
}  # fmt: skip


@pytest.mark.parametrize("where", ALIKE)
@pytest.mark.parametrize("many", [59, 60, 61])
def test_which_values_are_rare_follows_from_no_row_that_is_left_out(
    where: str, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a tie one who is left out chose which values of all others were published."""
    monkeypatch.setattr(MOST, len(FULL))
    lab, _ = lab_of(ALIKE[where])
    values = [f"d{i}" for i in range(many)]
    ages = (None, 97) if "algorithm=full_domain" in ALIKE[where] else (None,)
    held = [
        released(lab, people(values, age, "90000", ill))
        for age in ages
        for ill in ("d3", "d55", "d58", "a", None)
    ]
    assert len(held[0].rows) == 600
    assert any(b"?" in text for text in held[0].files.values())
    assert all((each.rows, each.files) == (held[0].rows, held[0].files) for each in held)


@pytest.mark.parametrize("kind", ["integer", "number"])
def test_numbers_that_lie_close_refuse_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that were written alike, though others, were “there twice” in their hierarchy."""
    monkeypatch.setitem(TYPES, "age", kind)
    lab, _ = lab_of(HEIGHTS)
    ages = (97, 30 + 1e-14, 31 - 4e-15, 1e-300, -0.0, 1e15 + 0.5, 2**53 + 1, 1e300, -1e308)
    folders = [released(lab, diseases(age, "90000", "HIV")).files for age in ages]
    assert folders[0]
    assert all(each == folders[0] for each in folders)


def test_numbers_are_words_of_their_own_and_lie_in_their_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However close or far from 0 they lie."""
    monkeypatch.setitem(TYPES, "age", "number")
    rng = random.Random(3)
    near = [31.0, 0.3, 1e15, 1e300, 123456789012.5, -7.7]
    values = sorted({np.nextafter(x, rng.choice([-1e309, 1e309])) for x in near} | {*near})
    for widths in ((0.1, 0.3), (5, 20, 40), (1e-9,), (1e12, 3e12)):
        rows = of_intervals(values, widths, whole=False).rows
        assert len({row[0] for row in rows}) == len(values)
        for value, row in zip(values, rows, strict=True):
            low, high = map(float, row[1][1:-1].split(", "))
            assert float(row[0]) == value
            assert low <= value <= high
    data = table(pd.DataFrame({"age": [*values, 0.0, -0.0]}, dtype=object))
    words = words_of(coded(data, "age", "quasi"))
    assert "-0" not in words
    near_enough = [value for value in values if abs(value) <= 1e150]  # others are no places
    assert len(near_enough) == len(values) - 2
    assert len(words) == len(near_enough) + 1


@pytest.mark.parametrize("way", [STRICT, RELAXED])
def test_words_are_halved_alike_however_many_there_are(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a table of all words of all classes, or sorted where that would be large."""
    rng = np.random.default_rng(5)
    for words in (1, 3, 40, 400):
        codes = rng.integers(0, words, 300)
        quasi, other = Quasi(codes), Quasi(rng.integers(0, 30, 300), np.arange(30.0))
        of, out = rng.integers(0, 9, 300), []
        for small in (True, False):
            monkeypatch.setattr(
                "dpstudio.privacy.anonymity.mondrian.in_table", lambda most, rows, s=small: s
            )
            (left,) = halves(quasi, of, 9, way)
            *_, made = mondrian([quasi, other], codes % 2, 2, KAnonymity(3), way)
            out.append((left.tolist(), made.of.tolist(), joined([quasi], made).of.tolist()))
        assert out[0] == out[1]
        for one in range(9):
            held = codes[of == one]
            there = np.unique(held)
            low = np.isin(codes, there[: len(there) // 2])[of == one]
            assert np.asarray(out[0][0])[of == one].tolist() == low.tolist()


def test_values_that_are_rare_count_as_missing_and_are_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where there are more than are counted; the most frequent stay, of these the first. Nobody is left out
    for hers."""
    frame = pd.DataFrame(
        {"age": [30] * 260, "zip": "1", "ill": [f"d{i % 65:02d}" for i in range(260)]}
    )
    frame.loc[0, "ill"] = "d64"
    monkeypatch.setattr(MOST, 50)
    lab, _ = lab_of(["anonymity", "quasi=age | zip", "sensitive=ill", "known=age"])
    found = little(lab, table(frame.astype(object)))
    (said,) = (each for each in found.problems if each.field == "sensitive")
    assert not said.stops
    assert said.say.values["n"].value == 260 - 5 - 49 * 4
    held = released(lab, frame.astype(object))
    assert {row.split(",")[2] for row in held.files["anonymity.csv"].decode().split()[1:]} == {
        f"d{i:02d}" for i in [*range(1, 50), 64]
    } | {"?"}
    assert len(held.rows) == 260


def test_why_nothing_is_published_follows_from_no_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """“1 rows are too few”, “all rows are left out” and “the whole table does not keep this” each
    told of rows of which none is published."""
    told, path = [], tmp_path / "people.csv"
    rows = [(30, "33617", "flu"), (51, "33617", "cold"), (72, "90000", "gout"), (90, "1", "")]
    for many in range(1, 5):
        frame = pd.DataFrame(rows[:many], columns=["age", "zip", "ill"])
        for more in ([], ["algorithm.heights=age=0 | zip=0"], ["sensitive=age", "quasi=zip"]):
            frame.to_csv(path, index=False)
            words = ["run", *HEIGHTS, "promise.k=5", *more, "--data", str(path), *READ]
            status = cli.main([*words, "--publish", str(tmp_path / "out")])
            told.append((status, *capsys.readouterr()))
    assert told[0][0] == 2
    assert "There is no table to publish" in told[0][2]
    assert all(each == told[0] for each in told)
    missing = [(age, "33617", None) for age in (30, 31) for _ in range(6)]
    for ill in ("HIV", None):
        frame = pd.DataFrame(
            [*missing, (97, "9", ill)], columns=["age", "zip", "ill"], dtype=object
        )
        assert released(lab_of(HEIGHTS)[0], frame).files == {}, ill


def test_anatomy_leaves_nobody_out_for_her_value() -> None:
    """Nor classes in its stead: that no groups exist told of who is in no class, and whoever lacked
    a value was in no group, so that of her one value alone was left."""
    told = []
    for seed in range(24):
        rng = random.Random(seed)
        ills = [*"abcde"[: rng.choice([3, 5])], *([None] if seed % 2 else [])]
        people = [(rng.choice([31, 33, 41]), "336", rng.choice(ills)) for _ in range(12)]
        l = rng.choice([2, 3, 4])
        lab, _ = lab_of(["masking", *HEIGHTS[1:3], "operation=anatomy", f"operation.l={l}"])
        frame = pd.DataFrame(people, columns=["age", "zip", "ill"], dtype=object)
        files, ill = released(lab, frame).files, [each for *_, each in people if each]
        exists = max(map(ill.count, ill)) * l <= len(ill)
        assert exists == ("masking-groups.csv" in files) == bool(files), seed
        if files:
            assert json.loads(files["masking.json"])["rows"] == 12
            groups = pd.read_csv(io.BytesIO(files["masking-groups.csv"]), keep_default_na=False)
            assert groups["count"].sum() == 12
            known = groups[groups["ill"] != "?"]
            assert known.groupby("group").size().min() >= l
        told.append(exists)
    assert 5 < sum(told) < 20


def test_nobody_is_left_out_for_a_number_that_nobody_should_learn() -> None:
    """Who alone of a table was in no box lacked the sensitive number, as all knew."""
    lab, _ = lab_of(["anonymity", "quasi=zip", "sensitive=age", "known=zip", "promise.k=3"])
    held = released(lab, diseases(None, "33617", "flu"))
    assert held.rows == tuple(range(13))
    assert b"?" in held.files["anonymity.csv"]


@pytest.mark.parametrize("name", FORMATS)
def test_from_any_file_nothing_follows_from_who_is_left_out(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever its record holds, packed or not, beside a population or none: where the same people
    are published at the same heights, so is the folder; where nobody is, the words are the same."""
    (told, write, records, odds), rng = FORMATS[name], random.Random(name)
    fixed, second = rng.random() < 0.5, tmp_path / "all.csv"
    second.write_bytes(text_file([*texts(TOLD) * 3, *odd_texts(TOLD)], TOLD))
    beside = ["--beside", str(second), "--read-beside", told_words(TOLD)]
    state = ["run", "anonymity", "quasi=x|c", "sensitive=g", "known=y", "promise.k=3"]
    state += ["algorithm=full_domain", "algorithm.suppressed=0.1", "trees=x = 3, 9 | c = words"]
    state += ["algorithm.heights=x=1 | c=0"] if fixed else []
    for more in ([], ["promise=presence", "promise.most=1", *beside]):
        packing = rng.choice(["", ".gz", ".xz", ".zst"]) if name in ("t.csv", "t.sqlite") else ""
        out, held = tmp_path / f"out{len(more)}", set()
        for odd in (None, *rng.sample(list(odds), 3)):
            path = tmp_path / f"{name}{packing}"
            body = write([*records, *([] if odd is None else [odd])])
            path.write_bytes(PACKINGS[packing](body) if packing else body)
            words = [*state, *more, "--data", str(path), "--read", told_words(told)]
            shutil.rmtree(out, ignore_errors=True)
            status, heard = cli.main([*words, "--publish", str(out)]), capsys.readouterr()
            files = {each.name: each.read_bytes() for each in out.iterdir()} if not status else {}
            assert (status == 0) == bool(files)
            held.add((status, *heard, *sorted(files.items())))
        left = [dict(each[3:]) for each in held if not each[0]]
        tables = {
            (
                each["anonymity-published.csv"],
                each["anonymity-published.json"].split(b'"heights"')[1][:40],
            )
            for each in left
        }
        assert left, (packing, held)
        assert len(left) == len(tables)
        assert len(held) - len(left) <= 1
