"""The contract of published tables: nothing of a folder that leaves tells more of the rows that are
left out than the published table and its levels do."""

import csv
import io
import json
import random
import re
import runpy
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from forgotten import forgotten
from running import PLAIN, lab_of, little
from test_hidden_files import InWords

from dpstudio import cli
from dpstudio.data.codebook import About, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.files.machine import MACHINE
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.told import told_words
from dpstudio.files.session import SessionError
from dpstudio.files.tables import open_with_report
from dpstudio.files.write.export import export_findings
from dpstudio.files.write.leaving import StaysError, UntoldError
from dpstudio.files.write.published import _files, may_publish, publish
from dpstudio.labs import Lab
from dpstudio.labs.context import LITTLE, SECOND, Context, Machine
from dpstudio.labs.findings import Findings
from dpstudio.labs.whole_tables.anonymity import model
from dpstudio.labs.whole_tables.anonymity.choices.promises import (
    DISTINCT,
    Closeness,
    Diversity,
    Presence,
)
from dpstudio.labs.whole_tables.masking.choices.operations import OPERATIONS, Anatomy
from dpstudio.labs.whole_tables.masking.parameters import Masking
from dpstudio.labs.whole_tables.masking.published import groups

# What columns hold, which is told, values of each, and odd ones, of which a row that is left out may
# have any.
TYPES = {
    "age": "integer",
    "size": "number",
    "zip": "category",
    "job": "category",
    "born": "date",
    "ill": "category",
}
VALUES: dict[str, list[Any]] = {
    "age": [31, 33, 35, 41, 42, 44, 52, 54],
    "size": [1.5, 1.75, 1.8, 2.0, 2.25],
    "zip": ["33617", "33620", "33602", "90210"],
    "job": ["nurse", "clerk", "cook", None],
    "born": ["1990-01-31", "1990-02-01", "2001-12-31"],
    "ill": ["flu", "cold", "heart", None],
}
ODD: dict[str, list[Any]] = {
    # Of which some begin alike, and some are too far out to be a number.
    "age": [1, 6, 21, 97, 250, -4, 10**9, 33.5, "1e200", "old", "", None],
    "size": [-3.25, 0.001, 40, 9e6, "inf", -1.7e308, 5e-324, "1,8", None],
    "zip": ["1", "3361", "336170000", "zzzzz", "ä中ß", "*", "336**", "", None],
    "job": ["?", "", "=1+1", "a|b", "a..b", "health", "*", "näiv ☃", None],
    "born": ["1889-07-01", "2026-11-23", "0001-01-01", "soon", None],
    "ill": ["?", "asthma", "=HIV()", "a;b", "0", "中", None],
}
PROMISES = (
    "promise=k promise.k=2",
    "promise=k promise.k=3",
    "promise=l promise.k=2 promise.l=2",
    "promise=l promise.k=2 promise.sense=entropy promise.l=1.5",
    "promise=l promise.k=2 promise.sense=recursive promise.l=2 promise.c=2",
    "promise=t promise.k=2 promise.t=0.5",
    "promise=t promise.k=2 promise.t=0.4 promise.ground=hierarchical",
    "promise=t promise.k=2 promise.t=0.3 promise.ground=ordered",
    "promise=presence promise.k=2 promise.most=1",
)
SURE = PROMISES[:3]  # of which any two classes together keep what each keeps
WAYS = (
    "algorithm=full_domain algorithm.suppressed=0.3",
    "algorithm=full_domain algorithm.suppressed=0.3 weights=age=3",
    "algorithm=full_domain algorithm.suppressed=0.5",
    "algorithm=mondrian",
    "algorithm=mondrian algorithm.way=ties",
    "algorithm=mondrian algorithm.way=relaxed",
)
DONE = ("operation.rows=3", "operation.l=2", "operation.share=0.3", "operation.column=yes")
# Typed, in every way that there is; of dates nothing need be. Some lines lack values.
TREES: dict[str, list[str]] = {
    "age": [
        "age = 5, 10, 20",
        "age = 10 from 3",
        "age = 2.5",
        *["age = 31; 30s; * | age = 97; o; *"],
    ],
    "size": ["size = 0.5, 1, 2", "size = 1"],
    "zip": ["zip = prefixes 5", "zip = prefixes 3", "zip = prefixes 9", "zip = words"],
    "job": ["job = words", "job = nurse; health; all | job = clerk; office; all"],
    "born": ["", "born = dates"],
    "ill": ["", "", "ill = flu; lungs; * | ill = cold; lungs; * | ill = heart; heart; *"],
}


def table(rows: pd.DataFrame) -> Dataset:
    """Of columns whose types are told, as far as it has them."""
    digest = sha256(rows.to_csv().encode()).hexdigest()
    words = rows.astype(object).map(lambda cell: None if cell is None else str(cell))
    book = Codebook(tuple((n, About(type=kind)) for n, kind in TYPES.items() if n in rows))
    return Dataset(words, "people", "people.csv", digest).described(book)


def asked(rng: random.Random) -> tuple[Lab, pd.DataFrame, pd.DataFrame]:
    """A state, a table of people for it, some of whom are like nobody else, and a population of
    which they are."""
    quasi = list(
        dict.fromkeys(rng.choices(list(TYPES)[:-1], [3, 1, 2, 2, 1], k=rng.choice([1, 2])))
    )
    words = [
        *(f"quasi={'|'.join(quasi)}", "sensitive=ill"),
        *(["among=job=nurse or job=clerk"] if rng.random() < 0.2 else []),
    ]
    classes = rng.random() < 0.5
    lab, _ = lab_of(in_classes(rng, quasi, words) if classes else masked(rng, words))
    rows = [{name: rng.choice(of) for name, of in VALUES.items()} for _ in range(15)]
    rows += [{name: rng.choice(of + ODD[name]) for name, of in VALUES.items()} for _ in range(2)]
    more = [{name: rng.choice(of) for name, of in VALUES.items()} for _ in range(40)]
    odd = [{name: rng.choice(of) for name, of in ODD.items()} for _ in range(3)]
    frame = pd.DataFrame(rows).astype(object)
    return lab, frame, pd.DataFrame([*rows, *more, *odd]).astype(object)


def in_classes(rng: random.Random, quasi: list[str], words: list[str]) -> list[str]:
    """The words of a table in classes."""
    trees = [rng.choice(TREES[name]) for name in (*quasi, "ill")]
    words += f"{rng.choice(PROMISES)} {rng.choice(WAYS)} known=job".split()
    if "algorithm=full_domain" in words and rng.random() < 0.3:
        words.append(f"algorithm.heights={'|'.join(f'{name}=1' for name in quasi)}")
    return ["anonymity", *words, f"trees={' | '.join(filter(None, trees))}"]


def masked(rng: random.Random, words: list[str]) -> list[str]:
    """The words of a table with a column masked."""
    kind = rng.choice([kind for kind in OPERATIONS if kind.key != "perturb"])  # which leaves none
    done = [w for w in DONE if hasattr(kind, w.split(".")[1].split("=")[0])]
    return ["masking", *words, f"operation={kind.key}", *done]


@dataclass(frozen=True)
class Out:
    """What leaves: every file, and of whom: the rows of the frame, their class each, and at which
    heights these are. Nothing where it is refused."""

    files: dict[str, bytes]
    rows: tuple[int, ...]
    people: tuple[Any, ...]
    levels: Any


NOTHING = Out({}, (), (), None)


def released(lab: Lab, frame: pd.DataFrame, people: pd.DataFrame | None = None) -> Out:
    """What leaves of a table, beside that of a population or none, by chance that is always the
    same."""
    chance = random.Random(7)
    second = None if people is None else table(people)
    context = Context(table(frame), machine=Machine(chance.randrange, float), effort=LITTLE)
    page = lab.page()
    may_publish(lab, context.data, second)
    if any(each.stops for each in lab.problems(context.data)):
        return NOTHING
    if second is not None and page.second and page.second(lab, context.data, second) is True:
        context = replace(context, tables={SECOND: second})
    if [*page.within(lab, context)]:
        return NOTHING
    *_, made = page.stages(lab, context)
    outcomes = [*page.outcomes(made)]
    if not outcomes:
        return NOTHING
    (outcome,) = outcomes
    chance.seed(7)
    files, of, heights = _files(outcome, lab.key), np.arange(len(made.rows.kept)), None
    if isinstance(made, model.AnonymityModel):
        of, heights = made.classes.of, made.walked and made.walked.node
    elif isinstance(lab.operation, Anatomy):
        of = groups(made).group
    there = np.flatnonzero(of >= 0)
    rows = made.rows.kept[there].tolist()
    people = frame.iloc[rows][[*lab.quasi, lab.sensitive]].values.tolist()
    _, of = np.unique(of[there], return_inverse=True)
    return Out(files, tuple(rows), (repr(people),), (of.tolist(), heights))


def others(frame: pd.DataFrame, row: int, rng: random.Random) -> list[pd.DataFrame]:
    """The table with another person there, or none, or one more: what somebody tries who knows all
    the rest."""
    out = [frame.drop(index=row).reset_index(drop=True)]
    for name in frame.columns:
        for value in rng.sample(VALUES[name] + ODD[name], 2):
            changed = frame.copy()
            changed.at[row, name] = value
            out.append(changed)
    odd = {name: rng.choice(of) for name, of in ODD.items()}
    more = pd.concat([frame, pd.DataFrame([odd], dtype=object)], ignore_index=True)
    return [*out, more]


def kept(lab: Lab, out: Out) -> bool:
    """Whether what the report of a published table says of it is what was promised."""
    promise, told = getattr(lab, "promise", None), json.loads(out.files[f"{lab.key}.json"])
    if isinstance(promise, Closeness) and promise.ground in told["t"]:
        return bool(told["k"] >= promise.k and told["t"][promise.ground] <= promise.t)
    if isinstance(promise, Diversity) and promise.sense == DISTINCT:
        return bool(told["k"] >= promise.k and told["l"] >= promise.whole)
    return promise is None or bool(told["k"] >= promise.k)


def alike(seed: int) -> int:
    """How many tables publish the same people at the same levels, one who is left out being
    another: that their folders are the same is asserted here, and that none of them is refused
    where classes that keep a promise keep it together."""
    rng = random.Random(seed)
    lab, frame, population = asked(rng)
    with pytest.MonkeyPatch.context() as changed:  # so few values that some of these are rare
        changed.setattr("dpstudio.labs.whole_tables.rows.table.VALUES_MOST", (200, 2, 3)[seed % 3])
        return _alike(seed, rng, lab, frame, population)


def _alike(
    seed: int, rng: random.Random, lab: Lab, frame: pd.DataFrame, population: pd.DataFrame
) -> int:
    people = population if isinstance(getattr(lab, "promise", None), Presence) else None
    here = released(lab, frame, people)
    out = [row for row in range(len(frame)) if row not in here.rows]
    if not here.rows or not out:
        return 0
    same, row = 0, rng.choice(out)
    sure = (
        not isinstance(lab.operation, Anatomy)
        if isinstance(lab, Masking)
        else any(lab.promise == lab_of(["anonymity", *words.split()])[0].promise for words in SURE)
    )
    alone = frame.iloc[list(here.rows)].reset_index(drop=True)
    assert kept(lab, here), (seed, lab)
    for i, other in enumerate([alone, *others(frame, row, rng)]):
        held = released(lab, other, people)
        assert held.files or not sure, (seed, row, i, lab)
        if (held.people, held.levels) == (here.people, here.levels):
            assert held.files == here.files, (seed, row, i, lab)
            same += 1
    return same


def test_no_byte_that_leaves_tells_of_a_row_that_is_left_out() -> None:
    """Whoever knows all other rows, and how the table was made, tries every person in the place of
    one who is left out: where the same is published at the same levels, the folder is the same.
    tests/soak.py `--only releases` tries more."""
    assert sum(map(alike, range(14, 30))) > 90


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
TYPED = "trees=age = 5, 20, 40 | zip = prefixes 5"
HEIGHTS = ["anonymity", "quasi=age | zip", "sensitive=ill", "known=age", "promise.k=3",
           "algorithm=full_domain", "algorithm.suppressed=0.2", TYPED]  # fmt: skip


def diseases(*row: Any) -> pd.DataFrame:
    return pd.DataFrame([*DISEASES, row], columns=["age", "zip", "ill"]).astype(object)


def test_the_disease_and_age_of_who_is_left_out_stay_unknown() -> None:
    """The report's t and the levels of a hierarchy told both, by trying; so did the widths of
    intervals and how long prefixes are, and another length of a zip was refused."""
    lab, _ = lab_of(HEIGHTS)
    here = released(lab, diseases(97, "90000", "HIV"))
    assert here.rows == tuple(range(12))
    people = [(97, "90000", "flu"), (60, "90000", "HIV"), (250, "12345", None), (21, "1", "a"),
              (10**9, "", "?"), ("old", "33617-1234", "中"), (33.5, None, "")]  # fmt: skip
    for row in people:
        assert released(lab, diseases(*row)).files == here.files, row
    report = json.loads(here.files["anonymity.json"])
    assert "minimality attack" in report["warning"]
    assert (report["rows"], report["k"], report["l"]) == (12, 3, 3)
    assert not any(b"97" in text for name, text in here.files.items() if name.endswith(".csv"))


@pytest.mark.parametrize("kind", ["integer", "number"])
def test_how_intervals_are_written_follows_from_no_row(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One 33.5, though left out, made 30-34 to [30, 35) for everybody."""
    monkeypatch.setitem(TYPES, "age", kind)
    lab, _ = lab_of([*HEIGHTS, "algorithm.heights=age=1 | zip=1"])
    ages = (97, 33.5, 33.25, 98.5, 10**9, None, "x")
    folders = [released(lab, diseases(age, "9", "a")).files for age in ages]
    assert all(each == folders[0] for each in folders)
    low = {"integer": "30-34", "number": '"[30, 35)"'}[kind]
    assert low in folders[0]["anonymity.csv"].decode()


def test_what_hierarchies_are_like_is_typed_before_a_table_leaves() -> None:
    """Widths of intervals, whether words have prefixes, and how long these are: else they follow
    from rows, and that this is refused follows from none."""
    told = []
    for row in ((97, "90000", "HIV"), (10**9, "1", "")):
        data = table(diseases(*row))
        for typed in ("", "age = 5 | zip = prefixes", "zip = words", "age = 5"):
            with pytest.raises(StaysError, match="Nobody typed") as error:
                may_publish(lab_of([*HEIGHTS, f"trees={typed}"])[0], data)
            told.append(str(error.value))
        may_publish(lab_of([*HEIGHTS, "trees=age = 5 | zip = words"])[0], data)
        may_publish(lab_of([*HEIGHTS, "trees=", "algorithm=mondrian"])[0], data)
    assert told[:4] == told[4:]
    lines = told[0].rsplit("such as ", 1)[1].rstrip(".")
    assert lines == "age = 5, 20, 40 | zip = words"
    may_publish(lab_of([*HEIGHTS, f"trees={lines}"])[0], data)


def test_values_of_who_is_left_out_are_given_to_nobody() -> None:
    """PRAM drew them among all values, and a swap could hand one on."""
    for words in ("operation=swap operation.share=1", "operation=pram operation.keep=0",
                  "operation=permute operation.rows=4"):  # fmt: skip
        lab, _ = lab_of(
            ["masking", "quasi=age|zip", "sensitive=ill", "among=age<90", *words.split()]
        )
        folders = [released(lab, diseases(97, "90000", ill)).files for ill in ("HIV", "flu", None)]
        assert folders[0]
        assert folders[0] == folders[1] == folders[2]
        assert b"HIV" not in b"".join(folders[0].values())


def test_who_is_left_out_decides_no_refusal() -> None:
    """The table as one class was asked to be diverse, those too whom no class holds."""
    words = [*HEIGHTS[:4], "promise=l", "promise.sense=entropy", "promise.l=2.99", "promise.k=3"]
    lab, _ = lab_of([*words, *HEIGHTS[-3:]])
    folders = [released(lab, diseases(97, "90000", ill)).files for ill in ("flu", "HIV", None)]
    assert folders[0]
    assert folders[0] == folders[1] == folders[2]


def test_the_script_tells_no_bounds_of_a_column() -> None:
    """What a person took over from the data may be the value of who is left out, or be of a column
    that is not published."""
    told = {"age": About(type="integer"), "ill": About(type="text")}
    about = (("age", replace(told["age"], low=30, high=97)),
             ("ill", replace(told["ill"], categories=("HIV",))))  # fmt: skip
    data = table(diseases(97, "90000", "HIV")).described(Codebook(about))
    (outcome,) = little(lab_of(HEIGHTS)[0], data).outcomes
    held = _files(outcome, "a")
    assert not any(b"97" in text or b"HIV" in text for text in (held["a.csv"], held["a.py"]))
    book = Codebook(tuple(told.items()))
    assert json.dumps(book.to_json()) in held["a.py"].decode()


def test_where_intervals_begin_tells_of_nobody() -> None:
    """They began at the least number of all rows, so who is youngest was told to the year by the
    ages of the others, though left out."""
    words = [HEIGHTS[0], "quasi=age", *HEIGHTS[2:-1], "trees=age = 5, 20, 40"]
    lab, folders = lab_of(words)[0], []
    ills = [*["flu", "cold", "gout"] * 5, "x"]
    for youngest in range(3, 9):
        frame = pd.DataFrame({"age": [*range(30, 45), youngest], "ill": ills}, dtype=object)
        held = released(lab, frame)
        assert held.rows == tuple(range(15))
        assert held.levels[1] == (1,)
        folders.append(held.files)
    assert all(held == folders[0] for held in folders)
    told = folders[0]["anonymity.csv"].decode().split()[1:]
    assert set(told) >= {"30-34,flu", "35-39,flu"}


EVIL = ["=1+1", "+cmd|x", "-2+3+cmd|x", "@SUM(A1)", "\t=1", "\r=1", "a\n=1", "x;=1"]


@pytest.mark.parametrize(
    "words",
    [*(f"anonymity promise.k=2 {way}" for way in WAYS[::2]),
     "masking operation=anatomy operation.l=2", "masking operation=suppress operation.rows=2"],
)  # fmt: skip
def test_no_cell_of_a_published_table_is_a_formula(words: str) -> None:
    """Nor of what lies beside it, where the same words stand."""
    frame = pd.DataFrame({"=job": EVIL * 4, "age": [-5, 3] * 16, "@ill": [*EVIL[::-1], *EVIL] * 2})
    lab, _ = lab_of([*words.split(), "quasi==job|age", "sensitive=@ill"])
    *_, made = lab.page().stages(lab, Context(Dataset(frame, "evil"), machine=MACHINE))
    (outcome,) = lab.page().outcomes(made)
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


READ = ["--read", told_words(PLAIN.with_(types=("age=integer", "zip=words", "ill=words")))]


def people_file(folder: Path, *row: Any) -> Path:
    path = folder / "people.csv"
    diseases(*row).to_csv(path, index=False)
    return path


def test_from_the_file_to_the_folder_nothing_follows_from_who_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bytes, exit status and what is printed, by the command line."""
    told, out = [], tmp_path / "out"
    for row in ((97, "90000", "HIV"), (10**9, "1", ""), ("x", "ä中ß", "=HIV()")):
        words = ["run", *HEIGHTS, "--data", str(people_file(tmp_path, *row))]
        status = cli.main([*words, *READ, "--publish", str(out)])
        said = capsys.readouterr()
        told.append((status, *said, {path.name: path.read_bytes() for path in out.iterdir()}))
    assert told[0][0] == 0
    assert len(told[0][3]) == 6
    assert all(each == told[0] for each in told)


def test_how_a_file_is_read_is_told_before_a_table_of_it_leaves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else the exit status and the types of columns would follow from rows; of the table beside it
    as well."""

    def as_shown(people: str) -> Dataset:
        return open_with_report(people, choices=Choices()).data

    told, out = [], tmp_path / "out"
    for row in ((97, "90000", "HIV"), ('"', "", "a,b,c\nd"), ("x;y", "\t", 0)):
        people = str(people_file(tmp_path, *row))
        words = ["run", *HEIGHTS, "--data", people, "--publish", str(out)]
        beside = [*words, *READ, "promise=presence", "--beside", people]
        for each in (words, [*words, "--read", "delimiter=comma"], beside):
            assert cli.main(each) == 2
            told.append(capsys.readouterr())
        with pytest.raises(UntoldError, match="How this file is read"):
            may_publish(lab_of(HEIGHTS)[0], as_shown(people))
    assert told[:3] == told[3:6] == told[6:]
    assert "Type --read " in told[0].err
    assert "Type --read-beside " in told[2].err
    assert not out.exists()
    seen = open_with_report(str(people_file(tmp_path, 1, "1", "a")), choices=PLAIN).data
    may_publish(lab_of([*HEIGHTS, "quasi=zip"])[0], seen)  # what nobody typed is words
    with pytest.raises(UntoldError, match="beside is read"):
        may_publish(lab_of([*HEIGHTS, "quasi=zip"])[0], seen, as_shown(people))
    with pytest.raises(StaysError, match="Nobody told what kind"):
        may_publish(lab_of(HEIGHTS)[0], Dataset(diseases(1, "1", "a"), "rows", "rows.parquet"))


def test_a_published_table_goes_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By --publish, into a folder that holds nothing else; never among charts of exact numbers and
    raw rows."""
    words = ["run", *HEIGHTS, "--data", str(people_file(tmp_path, 97, "90000", "HIV")), *READ]
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
        assert "leave --publish out" in (err := capsys.readouterr().err) or "goes alone" in err
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["rows.csv"]
    assert not (tmp_path / "none").exists()
    lab, data = lab_of(HEIGHTS)[0], table(diseases(97, "90000", "HIV"))
    with pytest.raises(SessionError, match="no table to publish"):
        publish(Findings(), lab, data, tmp_path / "none", forgotten())
    (made,) = little(lab, data).outcomes
    export_findings(Findings(outcomes=(made,)), lab, data, tmp_path / "all", InWords())
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
    read = [*READ, *(["--read", told] if told else [])]
    assert cli.main(["run", *HEIGHTS, "--data", str(path), *read, "--publish", str(out)]) == 0
    capsys.readouterr()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["anonymity-published.py", str(path)])
    runpy.run_path(str(out / "anonymity-published.py"), run_name="__main__")
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.encode() == (out / "anonymity-published.csv").read_bytes()
