"""The contract of published tables: nothing of a folder that leaves tells more of the rows that are
left out than the published table and its levels do."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import runpy
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from running import lab_of, little
from test_hidden_files import InWords

from dpstudio import cli
from dpstudio.data.codebook import About, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.files.machine import MACHINE
from dpstudio.files.session import SessionError
from dpstudio.files.write.export import export_findings
from dpstudio.files.write.published import _files, publish
from dpstudio.labs import Lab
from dpstudio.labs.anonymity.anonymity import model
from dpstudio.labs.anonymity.anonymity.page import PAGE
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.values.params import ParamError

CSV = "anonymity.csv"
# Values of each column, and odd ones, of which a row that is left out may have any.
VALUES: dict[str, list[Any]] = {
    "age": [31, 33, 35, 41, 42, 44, 52, 54],
    "size": [1.5, 1.75, 1.8, 2.0, 2.25],
    "zip": ["33617", "33620", "33602", "90210"],
    "job": ["nurse", "clerk", "cook", None],
    "born": ["1990-01-31", "1990-02-01", "2001-12-31"],
    "ill": ["flu", "cold", "heart", None],
}
ODD: dict[str, list[Any]] = {
    "age": [1, 6, 11, 16, 21, 97, 250, 33.5, None],  # of which some begin alike
    "size": [-3.25, 0.001, 40.0, 9e6, None],
    "zip": ["1", "3361", "zzzzz", "00000", None],
    "job": ["?", "", "=1+1", "a|b", "a..b"],
    "born": ["1889-07-01", "2026-11-23", None],
    "ill": ["?", "asthma", "=HIV()", "a;b", "0"],
}
PROMISES = (
    "promise=k promise.k=2",
    "promise=k promise.k=3",
    "promise=l promise.k=2 promise.l=2",
    "promise=l promise.k=2 promise.sense=entropy promise.l=1.5",
    "promise=l promise.k=2 promise.sense=recursive promise.l=2 promise.c=2",
    "promise=t promise.k=2 promise.t=0.5",
    "promise=t promise.k=2 promise.t=0.4 promise.ground=hierarchical",
)
WAYS = (
    "algorithm=full_domain algorithm.suppressed=0.3",
    "algorithm=full_domain algorithm.suppressed=0.3 weights=age=3",
    "algorithm=full_domain algorithm.suppressed=0.5",
    "algorithm=mondrian",
    "algorithm=mondrian algorithm.way=relaxed operation=top_code operation.share=0.2",
    "algorithm=mondrian operation=suppress operation.rows=3",
    "algorithm=mondrian operation=micro_aggregate operation.rows=2",
)
TREES = ("", "", "trees=age=5,10,20|zip=prefixes")


def table(rows: pd.DataFrame) -> Dataset:
    digest = sha256(rows.to_csv().encode()).hexdigest()
    return Dataset(rows, "people", "people.csv", digest)


def asked(rng: random.Random) -> tuple[Lab, pd.DataFrame]:
    """A state, and a table of people for it, some of whom are like nobody else."""
    quasi = rng.sample(["age", "age", "size", "zip", "job", "born"], rng.choice([1, 2]))
    quasi = list(dict.fromkeys(quasi))
    words = f"{rng.choice(PROMISES)} {rng.choice(WAYS)} {rng.choice(TREES)} sensitive=ill known=job"
    among = ["among=job=nurse or job=clerk"] if rng.random() < 0.2 else []
    lab, _ = lab_of(["anonymity", f"quasi={'|'.join(quasi)}", *words.split(), *among])
    rows = [{name: rng.choice(of) for name, of in VALUES.items()} for _ in range(15)]
    rows += [{name: rng.choice(of + ODD[name]) for name, of in VALUES.items()} for _ in range(2)]
    frame = pd.DataFrame(rows)
    return lab.with_(trees=tuple(t for t in lab.trees if t.split("=")[0].strip() in quasi)), frame


def released(lab: Lab, data: Dataset) -> tuple[dict[str, bytes], list[int]]:
    """Every file that leaves, and the rows that are published; nothing where nothing leaves."""
    context = Context(data, effort=LITTLE)
    try:
        if any(problem.stops for problem in lab.problems(data)):
            return {}, []
        *_, made = model.stages(lab, context)
    except ParamError:
        return {}, []
    (outcome,) = PAGE.outcomes(made)
    return _files(outcome, lab.key), made.rows.kept[made.classes.of >= 0].tolist()


def others(frame: pd.DataFrame, row: int, rng: random.Random) -> list[pd.DataFrame]:
    """The table with another person there, or none: what somebody tries who knows all the rest."""
    out = [frame.drop(index=row)]
    for name in frame.columns:
        for value in rng.sample(VALUES[name] + ODD[name], 2):
            changed = frame.astype(object).copy()
            changed.loc[row, name] = value
            out.append(changed.infer_objects())
    return out


def alike(seed: int) -> int:
    """How many tables publish the same at the same levels, one person who is left out being
    another: that their folders are the same is asserted here."""
    rng = random.Random(seed)
    lab, frame = asked(rng)
    here, there = released(lab, table(frame))
    out = [row for row in range(len(frame)) if row not in there]
    if not here or not out:
        return 0
    same, row = 0, rng.choice(out)
    for i, other in enumerate(others(frame, row, rng)):
        held, _ = released(lab, table(other))
        if held.get(CSV) == here[CSV] and heights(held) == heights(here):
            assert held == here, (seed, row, i, lab)
            same += 1
    return same


def heights(held: dict[str, bytes]) -> Any:
    return json.loads(held["anonymity.json"])["heights"]


def test_no_byte_that_leaves_tells_of_a_row_that_is_left_out() -> None:
    """Whoever knows all other rows, and how the table was made, tries every person in the place of
    one who is left out: where the same is published at the same levels, the folder is the same.
    tests/soak.py `--only releases` tries more."""
    assert sum(map(alike, range(12))) > 60


def run_releases(seeds: Iterable[int]) -> int:
    """Of more tables; returns how many tell of a row that was left out. For the soak."""
    bad = same = 0
    for seed in seeds:
        try:
            same += alike(seed)
        except AssertionError as error:
            bad += 1
            print(f"! {seed}: {str(error)[:300]}")
    print(f"{bad} tables tell of a row that they leave out; {same} other rows would leave the same")
    return bad


DISEASES = [(30 + i % 4, f"336{17 + i % 2}", ["flu", "cold", "gout"][i % 3]) for i in range(12)]
HEIGHTS = ["anonymity", "quasi=age | zip", "sensitive=ill", "known=age", "promise.k=3",
           "algorithm=full_domain", "algorithm.suppressed=0.2"]  # fmt: skip


def diseases(*row: Any) -> Dataset:
    return table(pd.DataFrame([*DISEASES, row], columns=["age", "zip", "ill"]))


def test_the_disease_and_age_of_who_is_left_out_stay_unknown() -> None:
    """The report's t and the levels of a hierarchy told both, by trying."""
    lab, _ = lab_of(HEIGHTS)
    here, there = released(lab, diseases(97, "90000", "HIV"))
    assert there == list(range(12))
    for row in ((97, "90000", "flu"), (60, "90000", "HIV"), (250, "12345", None), (21, "1", "a")):
        assert released(lab, diseases(*row))[0] == here
    report = json.loads(here["anonymity.json"])
    assert "minimality attack" in report["warning"]
    assert (report["rows"], report["k"], report["l"]) == (12, 3, 3)
    assert b"97" not in b"".join(here[name] for name in here if name.endswith(".csv"))


def test_the_script_tells_no_bounds_of_a_column() -> None:
    """What a person took over from the data may be the value of who is left out, or be of a column
    that is not published."""
    about = (("age", About(low=30, high=97)), ("ill", About(type="text", categories=("HIV",))))
    data = diseases(97, "90000", "HIV").described(Codebook(about))
    held, _ = released(lab_of(HEIGHTS)[0], data)
    assert not any(b"97" in text or b"HIV" in text for text in (held[CSV], held["anonymity.py"]))
    book = Codebook((("ill", About(type="text")),))
    assert json.dumps(book.to_json()) in held["anonymity.py"].decode()


def test_where_intervals_begin_tells_of_nobody() -> None:
    """They began at the least number of all rows, so who is youngest was told to the year by the
    ages of the others, though left out."""
    words = ["anonymity", "quasi=age", "sensitive=ill", "promise.k=3", *HEIGHTS[-2:]]
    lab, folders = lab_of(words)[0], []
    ills = [*["flu", "cold", "gout"] * 5, "x"]
    for youngest in range(3, 9):
        frame = pd.DataFrame({"age": [*range(30, 45), youngest], "ill": ills})
        held, there = released(lab, table(frame))
        assert there == list(range(15))
        assert heights(held) == [1]
        folders.append(held)
    assert all(held == folders[0] for held in folders)
    assert set(folders[0][CSV].decode().split()[1:]) >= {"30-34,flu", "35-39,flu"}


EVIL = ["=1+1", "+cmd|x", "-2+3+cmd|x", "@SUM(A1)", "\t=1", "\r=1", "a\n=1", "x;=1"]


@pytest.mark.parametrize(
    "words", [*WAYS[::2], "operation=anatomy operation.l=2 algorithm=mondrian"]
)
def test_no_cell_of_a_published_table_is_a_formula(words: str) -> None:
    """Nor of what lies beside it, where the same words stand."""
    frame = pd.DataFrame({"=job": EVIL * 4, "age": [-5, 3] * 16, "@ill": [*EVIL[::-1], *EVIL] * 2})
    lab, _ = lab_of(
        ["anonymity", "quasi==job|age", "sensitive=@ill", "promise.k=2", *words.split()]
    )
    *_, made = model.stages(lab, Context(table(frame), machine=MACHINE))
    (outcome,) = PAGE.outcomes(made)
    for name, content in _files(outcome, "a").items():
        if name.endswith(".csv"):
            text, between = content.decode(), ";" if "hierarchy" in name else ","
            cells = [
                c
                for row in csv.reader(io.StringIO(text, newline=""), delimiter=between)
                for c in row
            ]
            assert len(cells) > 3
            for cell in cells:
                number = re.fullmatch(r"-?[0-9]+(\.\.-?[0-9]+)?", cell)
                assert number or cell.lstrip()[:1] not in tuple("=+-@"), (name, cell)
                assert "\n=" not in cell
    assert "-5" in _files(outcome, "a")["a.csv"].decode()


def test_a_published_table_goes_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By --publish, into a folder that holds nothing else; never among charts of exact numbers and
    raw rows."""
    people = tmp_path / "people.csv"
    diseases(97, "90000", "HIV")._frame.to_csv(people, index=False)
    words = ["run", *HEIGHTS, "--data", str(people)]
    assert cli.main([*words, "--publish", str(tmp_path / "alone")]) == 0
    told = capsys.readouterr()
    names = sorted(path.name for path in (tmp_path / "alone").iterdir())
    assert names == sorted(Path(line).name for line in told.out.split())
    assert {name.split(".")[0].split("-")[1] for name in names} == {"published"}
    assert not any(
        str(tmp_path).encode() in path.read_bytes() for path in (tmp_path / "alone").iterdir()
    )
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "rows.csv").write_text("age")
    for where, more in (("full", words), ("none", ["run", "explore"])):
        assert cli.main([*more, "--publish", str(tmp_path / where)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["rows.csv"]
    assert not (tmp_path / "none").exists()
    with pytest.raises(SessionError, match="no table to publish"):
        publish(Findings(), "synthesis", tmp_path / "none")
    (made,) = little(lab_of(HEIGHTS)[0], diseases(97, "90000", "HIV")).outcomes
    found = Findings(outcomes=(made,))
    lab = lab_of(HEIGHTS)[0]
    export_findings(found, lab, diseases(97, "90000", "HIV"), tmp_path / "all", InWords())
    assert [path.name for path in (tmp_path / "all").iterdir()] == ["findings.json"]


@pytest.mark.parametrize(
    ("told", "odd"),
    [
        ("rows=every ragged=pad comment=none", "#,33617\n"),
        ("ragged=refuse comment=none", "31,33617\n"),
        ("missing_words=gout", ""),
        ("", ""),
    ],
)
def test_the_script_reads_the_rows_that_were_read(
    told: str, odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Of a file that can be read in more than one way, the one that was told."""
    path, out = tmp_path / "t.csv", tmp_path / "out"
    rows = "".join(f"{age},{zip_},{ill}\n" for age, zip_, ill in DISEASES)
    path.write_text(f"age,zip,ill\n{rows}{odd}")
    read = ["--read", told] if told else []
    assert cli.main(["run", *HEIGHTS, "--data", str(path), *read, "--publish", str(out)]) == 0
    capsys.readouterr()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["anonymity-published.py", str(path)])
    runpy.run_path(str(out / "anonymity-published.py"), run_name="__main__")
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.encode() == (out / "anonymity-published.csv").read_bytes()
