"""What a release says of neighbouring files, from their bytes through the reader: the same, but for
what is drawn, with the same status, and the ledger holds the same."""

import dataclasses
import io
import json
import random
import re
import shutil
import sqlite3
from contextlib import closing, redirect_stderr, redirect_stdout
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from neighbours import FORMATS, TOLD
from test_booked_release import PLAN

from dpstudio import cli
from dpstudio.files.booked.drawing import Draw
from dpstudio.files.ledgers.amounts import EPSILON, Cap, Terms
from dpstudio.files.ledgers.book import make_ledger
from dpstudio.files.plan_file import write_plan_file
from dpstudio.files.read.told import told_words
from dpstudio.plans.plan import Plan
from dpstudio.plans.question import Count

PLACES = (0, 30, 57)
# One question of each kind of sum over rows stands for all of PLAN, which the first format asks.
_FEW = [place for place, q in enumerate(PLAN.questions) if q.name in ("count", "table", "mean")]
SMALL = Plan(
    PLAN.terms,
    tuple(PLAN.questions[place] for place in _FEW),
    tuple(PLAN.split[place] for place in _FEW),
)
NEW = re.compile(
    r"\b\d+:[0-9a-f]{16,64}\b|\b[0-9a-f]{64}\b|\d{4}-\d\d-\d\dT[\d:+]+|base64,[A-Za-z0-9+/=]+"
)


def said(folder: Path, plan: Plan, call: list[str], memory: dict[str, Any]) -> str:
    """All that a release says to both streams, its status, all files that it writes and what the
    ledger keeps, but for keyed hashes and the time; it draws, and gives what was drawn the first
    time."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    for path in folder.glob("made*"):
        path.unlink()
    make_ledger(
        folder / "made.dpledger",
        "people",
        Terms(adjacency=plan.terms.adjacency),
        Cap(EPSILON, Fraction(99), Fraction(1, 100)),
    )
    write_plan_file(folder / "made.json", plan)
    made, streams = Draw.make, io.StringIO()

    def again(draw: Draw, chance: Any) -> Any:
        return memory.setdefault(draw._question.name, made(draw, chance))

    words = ["release", str(folder / "made.json"), "--ledger", str(folder / "made.dpledger"), *call]
    words += ["--out", str(folder / "out")]
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(streams), redirect_stderr(streams):
        patch.setattr(Draw, "make", again)
        status = cli.main(words)
    with closing(sqlite3.connect(folder / "made.dpledger")) as base:
        kept = json.dumps(base.execute("select n, body from entries order by n").fetchall())
    left = [f"{path.name}: {path.read_text()}" for path in sorted((folder / "out").glob("*"))]
    there = (folder / "out").exists()
    return NEW.sub("…", "\n".join([f"{status} {streams.getvalue()} {kept} {there}", *left]))


def sides(name: str, odd: Any, place: int, plan: Plan, folder: Path, *more: str) -> list[str]:
    told, write, records, _ = FORMATS[name]
    memory, heard = dict[str, Any](), []
    for each in (records, [*records[:place], odd, *records[place + 1 :]]):
        (folder / name).write_bytes(write(each))
        call = ["--data", str(folder / name), "--read", told_words(told), *more]
        heard.append(said(folder, plan, call, memory))
    return heard


@pytest.mark.parametrize("name", FORMATS)
def test_a_release_says_the_same_of_neighbouring_files(name: str, tmp_path: Path) -> None:
    """One record of them is any at all; of all `tests/soak.py --only hidden` asks."""
    plan = PLAN if name == next(iter(FORMATS)) else SMALL
    assert run_release(name, tmp_path, 1, plan) == 0


def run_release(name: str, folder: Path, most: int, plan: Plan = PLAN) -> int:
    """Of so many records how many change what a release says."""
    rng, faults, odds = random.Random(name), 0, list(FORMATS[name][3])
    for odd in rng.sample(odds, min(most, len(odds))):
        here, other = sides(name, odd, rng.choice(PLACES), plan, folder)
        if here != other or not here.startswith("0 "):
            print(f"{name}: {odd!r}: {here} | {other}")
            faults += 1
    return faults


def test_what_is_refused_is_refused_of_both_and_nothing_is_spent(tmp_path: Path) -> None:
    """A column that is not there; a reading that is not told whole; words for numbers; persons
    without a column. None depends on the record that is another, and the ledger holds none."""
    split = PLAN.split[:1]
    lost = Plan(PLAN.terms, (Count(name="n", where="nobody > 4"),), split)
    many = dataclasses.replace(PLAN, terms=PLAN.terms.with_(rows=3))
    half = told_words(TOLD).replace("newlines=none", "newlines=quoted")
    for plan, more, words in (
        (lost, [], "nobody"),
        (many, [], "name the column"),
        (many, ["--person", "who"], "who"),
        (PLAN, ["--read", half], "newlines"),
        (PLAN, ["--line", "none of these"], "none of these"),
    ):
        heard = sides("t.csv", b'9,9.5,"zzz', 30, plan, tmp_path, *more)
        assert heard[0] == heard[1]
        assert heard[0].startswith("2 "), heard[0]
        assert words in heard[0]
        assert '"booked"' not in heard[0]
        assert not (tmp_path / "out").exists(), "an empty folder stayed"


def test_a_certificate_without_answers_is_the_same_to_the_byte(tmp_path: Path) -> None:
    """Over neighbours of every format, and where the file is not there at all."""
    assert run_without_answers(tmp_path, 1) == 0


def run_without_answers(folder: Path, most: int) -> int:
    """How many files of so many records that are others change them."""
    ledger, plan, rng = folder / "made.dpledger", folder / "made.json", random.Random(3)
    cap = Cap(EPSILON, Fraction(99), Fraction(1, 100))
    make_ledger(ledger, "people", Terms(adjacency=PLAN.terms.adjacency), cap)

    def left(data: Path) -> list[bytes]:
        shutil.rmtree(folder / "out", ignore_errors=True)
        write_plan_file(plan, SMALL)
        words = ["--ledger", str(ledger), "--without-answers", "--out", str(folder / "out")]
        words += ["--data", str(data), "--read", told_words(TOLD)]
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(out):
            assert cli.main(["release", str(plan), *words]) == 0
        shown = out.getvalue().replace(data.name, "").encode()
        return [shown, *(p.read_bytes() for p in sorted((folder / "out").iterdir()))]

    lone, faults = left(folder / "none"), 0
    for name, (_, write, records, odds) in FORMATS.items():
        for odd in rng.sample(list(odds), min(most, len(odds))):
            place = rng.choice(PLACES)
            for each in (records, [*records[:place], odd, *records[place + 1 :]]):
                (folder / name).write_bytes(write(each))
                if left(folder / name) != lone:
                    print(f"{name}: {odd!r}")
                    faults += 1
    return faults


def test_of_a_person_so_many_rows_count(tmp_path: Path) -> None:
    """Whoever they are: a name nobody else has, or none."""
    persons = dataclasses.replace(SMALL, terms=PLAN.terms.with_(rows=2))
    for odd in (b"9,9.5,a,nobody", b"9,9.5,a,"):
        here, other = sides("t.csv", odd, 30, persons, tmp_path, "--person", "g")
        assert here == other
        assert "of each person at most 2 rows are used" in here
