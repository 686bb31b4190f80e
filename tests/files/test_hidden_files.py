"""The contract of files without the exact answer: of neighbouring tables from which the same was
drawn, they are the same, byte for byte."""

from __future__ import annotations

import io
import json
import random
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from forgotten import forgotten
from neighbours import FORMATS
from neighbours import TOLD as READ
from running import lab_of, leaves

from dpstudio import cli
from dpstudio.data.codebook import EMPTY, About, Codebook, codebook_words
from dpstudio.data.coins import tossed
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.data.exact_sums import ExactSums, persons_named
from dpstudio.data.features import sample_of
from dpstudio.data.stand_in import StandIn
from dpstudio.files.handing_out import Tables
from dpstudio.files.ledger import Ledger
from dpstudio.files.ledgers.book import DRAWN, Book
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.told import told_words
from dpstudio.files.session import Session, SessionError, write_session
from dpstudio.files.tables import open_table
from dpstudio.files.talk import Step
from dpstudio.files.write import leaving
from dpstudio.files.write.csvout import table_tsv
from dpstudio.files.write.export import chart_svg, export_findings, metadata
from dpstudio.files.write.leaving import Left, StaysError, leave
from dpstudio.files.write.taken_as_public import taken_as_public
from dpstudio.labs import LABS, Lab
from dpstudio.labs.context import SECOND, Context, Effort
from dpstudio.labs.models.learn.learners import LEARNERS
from dpstudio.labs.models.learn.learners.learner import Learner
from dpstudio.labs.question import reads_table
from dpstudio.privacy.attacks.float_bits import off_grid, reachable
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.queries import ADJACENCIES, QUERIES
from dpstudio.privacy.release.answerable import refused_mechanisms
from dpstudio.privacy.release.release import Release
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.values.messages import render

LEAST = Effort(points=0.02, draws=0.02, replays=2)


@dataclass
class Replayed:
    """A ledger that gives every table what was drawn of the first; `real` draws were made."""

    memory: dict[str, Any] = field(default_factory=dict)

    def draws_of(self, data: Dataset, export: Any = None) -> Replayed:
        self.data = data
        return self

    told: tuple[Any, ...] = ()

    def draw(self, asked: Any, cost: Any, make: Callable[[Dataset, ReleaseRandom], Any]) -> Any:
        assert not isinstance(self.data, StandIn)
        made = make(self.data, ReleaseRandom(secrets.randbelow))
        json.dumps(made)
        return self.memory.setdefault(json.dumps(asked), made)


def table(rows: list[tuple[float, float, str, str]], digest: str) -> Dataset:
    frame = pd.DataFrame(rows, columns=["x", "y", "c", "g"])
    return Dataset(frame, "people", "/home/me/people.csv", digest * 64)


ROWS = [(float(i % 9), 1.5 + i % 4, "abc"[i % 3], "uv"[i % 2]) for i in range(60)]
# Who comes or goes is the first of all in every column, and lacks a value.
HERE = table(ROWS, "1")
MORE = table([*ROWS, (9e6, -3e3, "zzz", "w"), (np.nan, 2.0, "a", "u")], "2")
OTHER = table([(9e6, -3e3, "zzz", "w"), (np.nan, 2.0, None, "u"), *ROWS[2:]], "3")

X = "query.column=x query.low=0 query.high=8 query.attested=yes"
C = "query.column=c query.categories=a|b|c query.attested=yes"
WHERE = "query.where=x>4"
ASKED = {
    "count": "query.where=",
    "histogram": C,
    "grouped": f"{X} query.by=c query.groups=a|b",
    "contingency": "query.first=c query.second=g query.down=a|b query.across=u|v "
    "query.attested=yes",
    "counts": "query.conditions=x>1|x>2",
    "covariance": "query.columns=x|y query.ranges=0..8|0..5 query.attested=yes",
}
# Every lab, query, adjacency and way to leave, as few as hold them all; in all their combinations
# tests/soak.py `--only hidden` asks.
STATES = [
    f"decide {WHERE}",
    f"explore {WHERE}",
    f"explore query=mean {X} adjacency=replace query.n_public=yes",
    f"explore query=histogram {C} largest=yes mechanism=l2norm",
    f"compare query=histogram {C} adjacency=replace",
    "composition",
    "plan",
    "averaging",
    f"guarantee neighbour=row row=3 query=sum {X} {WHERE}",
    "dimension",
    "clipping column=x statistic=mean adjacency=replace low=0 high=8 attested=yes",
    f"selection {C} {WHERE}",
    "selection mechanism=noisy_max mechanism.noise=gumbel query=quantile query.column=x "
    f"query.grid=0,2,4,6,8 query.attested=yes adjacency=replace {WHERE}",
    f"sensitivity query=sum {X}",
    "audit trials=2000",
    "float_leak",
    "survey",
    "room",
    f"local_counts {C} {WHERE}",
    f"local_means {X}",
    "clusters points=table points.features=x points.classes=c",
    "components features=x|y predicts=c",
    "local_learning features=x|y predicts=c reports=all",
    "stories",
    "stories story=differencing story.column=x story.low=0 story.high=8 story.row=800001",
    "printed",
    "learn predicts=c features=x|y",
    "synthesis columns=x|c",
    "anonymity quasi=x|y sensitive=c known=g",
    "risk quasi=x|y known=g",
    "masking quasi=x|y sensitive=c",
    "rules known=g sensitive=c support=0.01 sure=0.05",
    f"differencing query=sum {X}",
    "reconstruction",
    f"membership query=sum {X}",
    "linkage attacker=frequency attacker.column=c",
    "inversion passes=2",
    "compress points.features=x|y points.utility=c points.privacy=g",
    "owners looks.features=x|y looks.classes=c",
    "owners looks=trusting",
    "owners looks=asking looks.column=x",
    "owners looks=asking looks.column=x looks.operation=order",
]
SOAKED = [
    *STATES,
    f"explore query=mean {X} {WHERE}",
    f"explore {WHERE} mechanism=discrete_gaussian adjacency=replace",
    f"explore mechanism=catastrophe query=sum {X}",
    f"explore mechanism=gaussian query=mean {X} {WHERE}",
    f"explore mechanism=geometric query=sum {X}",
    f"explore query=variance {X} {WHERE}",
    f"explore query=deviation {X} query.n_public=yes adjacency=replace",
    f"compare query=sum {X} focus=geometric",
    f"guarantee query=sum {X}",
    f"guarantee neighbour=row row=3 {WHERE}",
    "clipping column=x low=0 high=8 attested=yes",
    "selection query=typed",
    "local_counts query=count query.where=c=a protocol=warner",
    f"local_means dims=3 protocol=piecewise {X}",
    "stories story=differencing story.column=x story.low=0 story.high=8 story.row=7",
    "stories story=parallel",
]
# What cannot be drawn exactly, and says what to choose.
# “learn” stands for all labs that learn, too.
REFUSED = (
    "mechanism=l2norm",
    "mechanism=geometric query=sum",
    "learn",
    "synthesis",
    "anonymity",
    "risk",
    "masking",
    "plan",
    "rules",
    "linkage",
    "looks.features",
)


class InWords:
    """A PNG or PDF is what is drawn into it."""

    def png(self, *drawn: Any) -> None:
        svg, path, *made = drawn
        path.write_text(json.dumps([svg, *made]))

    pdf = png


def files(left: Left, folder: Path) -> dict[str, bytes]:
    """Everything that is written of it, by name."""
    drawn: dict[str, bytes] = {}
    for path in export_findings(left.findings, left.lab, left.data, folder, InWords()):
        drawn[path.name] = path.read_bytes()
    for made in left.findings.tables:
        drawn[f"{made.key}.tsv"] = table_tsv(made).encode()
        drawn[f"{made.key} told"] = json.dumps(metadata(made, left.lab, left.data)).encode()
    drawn["words"] = "\n".join(render(s.say) for s in left.findings.sentences).encode()
    return drawn


def replaces(lab: Lab) -> bool:
    """Whether neighbours of a lab have as many rows."""
    default = "replace" if hasattr(lab, "protocol") else ""
    return getattr(lab, "adjacency", default) == "replace"


INTEGERS = [(i % 9, 1 + i % 4, "abc"[i % 3], "uv"[i % 2]) for i in range(60)]
NONE = [(1.0, 1.5, "b", "u")] * 60
# (a table, one where somebody came, one where somebody was replaced): the first of all in every
# column, who lacks a value; the only one with a fraction; the first who meets a condition.
TABLES = {
    "first": (HERE, MORE, OTHER),
    "fraction": (
        table(INTEGERS, "4"),
        table([*INTEGERS, (2.5, 1, "a", "u")], "5"),
        table([(2.5, 1, "a", "u"), *INTEGERS[1:]], "6"),
    ),
    "condition": (
        table(NONE, "7"),
        table([*NONE, (5.0, 1.5, "a", "u")], "8"),
        table([(5.0, 1.5, "a", "u"), *NONE[1:]], "9"),
    ),
}


def compare(
    words: str,
    tables: str,
    folder: Path,
    untold: Callable[[], None],
    known: Codebook | None = None,
    refused: Sequence[str] = REFUSED,
) -> None:
    """What leaves of two neighbours with one draw is the same, or neither leaves, for one reason.
    `untold` lets the second go without the trial, whose stand-ins are the same again. `known` is
    said of all tables."""
    lab, _ = lab_of(words.split(" "))
    ledger, some = Replayed(), (TABLES | TIPPED)[tables]
    here, more, other = some if known is None else (data.described(known) for data in some)
    sides = []
    for data in (here, other if replaces(lab) else more):
        try:
            left = leave(lab, data, ledger, LEAST)
        except StaysError as stays:
            sides.append({"stays": render(stays.sentence).encode()})
            continue
        untold()
        sides.append(files(left, folder / data.digest[:1]))
        assert left.findings.truth is None
    assert sides[0].keys() == sides[1].keys()
    assert ("stays" in sides[0]) == any(name in words for name in refused), sides[0]
    assert b"choose" in sides[0].get("stays", b"choose").lower()
    for name, held in sides[0].items():
        assert held == sides[1][name], name
        assert here.digest.encode() not in held
        assert (b'"seed"' in held) <= (not hasattr(lab, "show_truth")), name
        assert b"people.csv" not in held or reads_table(lab), name


@pytest.mark.parametrize("words", STATES)
def test_neighbours_with_one_draw_give_the_same_files(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab, _ = lab_of(words.split(" "))
    kinds = list(TABLES) if reads_table(lab) else ["first"]
    untold = lambda: monkeypatch.setattr(leaving, "_check", lambda *given: None)  # noqa: E731
    compare(words, kinds[STATES.index(words) % len(kinds)], tmp_path, untold)


KNOWN = Codebook(
    (
        ("x", About(low=0, high=9, attested=True)),
        ("y", About(low=0, high=9, attested=True)),
        ("c", About(categories=("a", "b", "c"), attested=True)),
        ("g", About(categories=("u", "v"), attested=True)),
    )
)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda kind: kind.key)
def test_the_budget_of_a_learner_leaves_and_is_the_same_of_neighbours(
    learner: type[Learner], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of bounds and words that are known, and a number of rows that is guessed; one neighbour has
    words that are not, one lacks a value. What holds where one comes or goes alone is refused where
    one is replaced."""
    untold = lambda: monkeypatch.setattr(leaving, "_check", lambda *given: None)  # noqa: E731
    label = "y" if learner.numbers else "g"
    words = f"learn learner={learner.key} predicts={label} features=x|c epsilon=0.5"
    guess = " learner.about=50" if learner().guesses else ""
    compare(words + guess, "first", tmp_path, untold, KNOWN, ())
    lab, _ = lab_of(f"{words} adjacency=replace".split(" "))
    stops = [problem for problem in lab.problems(HERE.described(KNOWN)) if problem.stops]
    refused = ("learn",) if stops else ()
    compare(f"{words} adjacency=replace", "first", tmp_path / "replace", untold, KNOWN, refused)


# Of a column of words that has attested bounds, or is asked for as numbers, as many are numbers as
# are none; a column of numbers, written in two ways, in which one word is, or in which a column of
# digits is of words; one of dates.
HALF = [(str(i % 9) if i % 2 else "w", 1.5, str(i % 2), "u") for i in range(60)]
DIGITS = [(float(i % 9), 1.5, float(i % 2), "u") for i in range(60)]
SPELLED = [(str(x), y, str(c), g) for x, y, c, g in DIGITS]
DAYS = [(f"2020/1/{1 + i % 9}", 1.5, "a", "u") for i in range(60)]
STAMPS = [(pd.Timestamp(x), *rest) for x, *rest in DAYS]
TIPPED = {
    "half": (
        table(HALF, "1"),
        table([*HALF, ("7", 1.5, "1", "u")], "2"),
        table([("7", 1.5, "1", "u"), *HALF[1:]], "3"),
    ),
    "odd": (
        table(DIGITS, "4"),
        table([*SPELLED, ("w", 1.5, "zzz", "u")], "5"),
        table([("w", 1.5, "zzz", "u"), *SPELLED[1:]], "6"),
    ),
    "days": (
        table(STAMPS, "7"),
        table([*DAYS, ("w", 1.5, "zzz", "u")], "8"),
        table([("w", 1.5, "zzz", "u"), *DAYS[1:]], "9"),
    ),
}
BOUNDED = Codebook(
    (("x", About(low=0, high=9, attested=True)), ("c", About(categories=("0", "1"), attested=True)))
)
DATED = codebook_words(["x: low=2020-01-01 high=2020-01-09 attested=yes"])
TOLD = [
    ("explore query=sum query.column=x", BOUNDED, "half"),
    ("explore query=grouped query.column=x query.by=c", BOUNDED, "odd"),
    ("explore query=histogram query.column=x", DATED, "days"),
    ("compare query=count query.where=x>4", EMPTY, "odd"),
    ("explore query.where=c=1", EMPTY, "odd"),
    (f"selection query.column=c {WHERE}", BOUNDED, "odd"),
    ("clipping column=x statistic=mean low=0 high=8 attested=yes", EMPTY, "half"),
    ("local_counts query.column=c", BOUNDED, "odd"),
    (f"local_means {X}", EMPTY, "half"),
    ("learn predicts=c features=x", BOUNDED, "half"),
]


@pytest.mark.parametrize(("words", "known", "tables"), TOLD)
def test_one_value_does_not_tip_how_a_column_is_read(
    words: str, known: Codebook, tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a column holds is told, by its bounds and words or by the question, and not by most of
    its rows: also where as many rows say one thing as another."""
    untold = lambda: monkeypatch.setattr(leaving, "_check", lambda *given: None)  # noqa: E731
    compare(words, tables, tmp_path, untold, known, ())


def test_one_value_moves_what_is_asked_of_a_column_by_itself_alone() -> None:
    """Nor does it decide how the others are read, spelled or counted: ExactSums of each of three
    tables, of which the second has a row more that has no value."""
    asked = {"c": "category"}
    for tables, known in (("half", BOUNDED), ("odd", BOUNDED), ("odd", EMPTY), ("days", DATED)):
        read = {"x": "number", **asked} if known == EMPTY else {}
        here, more, _ = (ExactSums(data.described(known), read) for data in TIPPED[tables])
        low, high = (18262.0, 18270.0) if known == DATED else (0.0, 9.0)
        sums = [data.clipped("x", low, high, Where()) for data in (here, more)]
        assert sums[1].total - sums[0].total == (7 if tables == "half" else 0)
        assert sums[0].used == (30 if tables == "half" else 60)
        counts = [data.tally("c", ("0", "1.0", "1"), Where()).tolist() for data in (here, more)]
        if tables != "days":
            assert counts == [[30, 30, 0], [30, 30 + (tables == "half"), 0]]
        assert [c.type for c in here.columns] == [c.type for c in more.columns]


# Words that are read in one way or another as the rows beside them, and rows that may tip it.
NUMBERS = [
    "1.234",
    "1,234",
    "1,23",
    "0,123",
    "0.123",
    "12,5",
    "1.5",
    "1 234",
    "1'234",
    "1 234,5",
    "1,234.5",
    "1.234,5",
    "1.234.567",
    "5,",
    ",5",
    "1e400",
    "1,5e3",
    "+5",
    "−5",
    "007",
    "12345678901234567",
    "inf",
    "1\xa0234,5",
    "2020",
    "2020-01-02",
    "None",
    "true",
]
DATES = [
    "1/2/2020",
    "31/12/2020",
    "12/31/2020",
    "1/2/68",
    "1/2/69",
    "1.2.2020",
    "2020/1/2",
    "1/2/2020 9:05",
    "2020-01-02T10:15:30",
    "2020-01-02 10:15:30.123456789",
    "2020-01-02T10:15:30+02:00",
    "30/2/2020",
    "2020",
    "20200102",
    "5",
]
WRITTEN = [
    "1",
    "01",
    "1.0",
    "2.50",
    "1,5",
    "None",
    "NA",
    "−",
    "unknown",
    "TRUE",
    "True",
    "true",
    "yes",
    "2020-01-02",
    "1/2/2020",
    "1/2/2020 10:15",
    "12345678901234567",
    "12345678901234568",
    "+1",
    "1e3",
    " a",
]
TYPED = [
    (
        "type=number low=-9e6 high=9e6",
        NUMBERS,
        ("7|8", "2.5|3", "2,5|3"),
        "w|0,5|0.5|1.234|1 234|007",
    ),
    ("type=date", DATES, ("3/4/2020|3/4/2020", "2020-03-04T1:30Z|2020-03-04T1:30Z"), "w|1.2.2020"),
    ("categories=a|b", WRITTEN, ("1|2", "1.5|2", "True|True", "3/4/2020|3/4/2020"), "zzz|1.5|None"),
]


@pytest.mark.parametrize(("decimal", "order"), [("point", "dmy"), ("comma", "mdy")])
@pytest.mark.parametrize(("about", "cells", "beside", "odd"), TYPED, ids=["n", "d", "w"])
def test_a_told_column_is_read_word_by_word(
    about: str,
    cells: list[str],
    beside: tuple[str, ...],
    odd: str,
    decimal: str,
    order: str,
    tmp_path: Path,
) -> None:
    """As the file is told to write, whatever comes to it; a column for each word."""
    told = Choices(delimiter="tab", header="yes", decimal=decimal, dates=order, quote="none")
    book = codebook_words([f"c{i}: {about} attested=yes" for i in range(len(cells))])

    def read(*rows: str) -> list[Any]:
        path = tmp_path / "t.tsv"
        lines = ["\t".join([row] * len(cells)) for row in rows]
        head = "\t".join(f"c{i}" for i in range(len(cells)))
        path.write_text("\n".join((head, "\t".join(cells), *lines)))
        held = ExactSums(open_table(str(path), choices=told).described(book))._held
        if about.startswith("type"):
            return [float(held.numbers(f"c{i}")[0]) for i in range(len(cells))]
        known = [held.codes(f"c{i}") for i in range(len(cells))]
        return [{n: w for w, n in words.items()}.get(int(codes[0])) for codes, words in known]

    for rows in beside:
        alone = read(*rows.split("|"))
        for other in odd.split("|"):
            np.testing.assert_array_equal(read(*rows.split("|"), other), alone)


@pytest.mark.parametrize("where", ["c=5", "c!=5", "c in (5, a)", "c is missing", "c=2020-05"])
def test_what_a_condition_compares_with_is_read_word_by_word(where: str, tmp_path: Path) -> None:
    """Also of a column of which nothing is told."""
    lab, _ = lab_of(["explore", "query=count", f"query.where={where}"])
    path, counts = tmp_path / "t.csv", []
    spelled = ["2020-05-03", "2020-06-03"] if "2020" in where else ["5.0", "2.5", "None", "5"]
    for more in ((), ("zzz",)):
        path.write_text("".join(("c,y\n", *(f"{word},1\n" for word in (*spelled, *more)))))
        data = open_table(str(path), choices=READ.with_(types=("y=integer",)))
        leave(lab, data, ledger := Replayed(), LEAST)
        counts.append(ledger.data.count(lab.query.where))
    assert counts[1] - counts[0] == (where == "c!=5")
    assert counts[0] == {"c=5": 2, "c!=5": 1, "c in (5, a)": 2, "c is missing": 1}.get(where, 1)


def test_an_odd_name_among_numbers_tosses_no_other_coin(tmp_path: Path) -> None:
    """Nor is anybody two people by it."""
    path, sides = tmp_path / "t.csv", []
    book = codebook_words(["x: low=0 high=99 attested=yes"], "who", 2)
    # Of each of twenty people two rows are kept, however they are written; of a mark none.
    rows = [f"{i % 20}{'.0' if i % 3 else ''},{i}" for i in range(50)] + ["-,51", "NA,52"]
    for more in ((), ("w,50",)):
        path.write_text("\n".join(("who,x", *rows, *more)))
        read = READ.with_(types=("who=words", "x=integer"))  # as what leaves is read
        data = ExactSums(persons_named(open_table(str(path), choices=read).described(book)))
        sample = sample_of(data, ("x",), None)
        sides.append([sample.x[side, 0].tolist() for side in tossed(sample, data, 0.5, 1)])
    assert [[x for x in side if x != 50] for side in sides[1]] == sides[0]
    assert len(sides[0][0]) + len(sides[0][1]) == 40


@pytest.mark.parametrize("told", ["text", "category", "identifier"])
def test_an_odd_word_changes_no_other_word_of_a_told_column(tmp_path: Path, told: str) -> None:
    path, sides = tmp_path / "t.csv", []
    for more in ((), ("x,9",)):
        path.write_text("\n".join(("c,y", "1,1", "1.0,2", "2.5,3", "NA,4", *more)))
        book = codebook_words([f"c: type={told}"])
        data = ExactSums(open_table(str(path)).described(book))
        sides.append((data.tally("c", ("1", "2.5"), Where()).tolist(), data.missing("c")))
    assert sides[0] == sides[1] == ([2, 1], 1)


def test_what_is_taken_as_public_is_said_until_it_is_told(tmp_path: Path) -> None:
    """What a file with types of its own says of its columns, and words for missing; and the same of
    any rows."""
    words = ["explore", "query=histogram", "query.column=c", "query.attested=yes"]
    lab, _ = lab_of([*words, "query.categories=a|NA"])
    features, _ = lab_of(["clusters", "points=table", "points.features=x", "points.classes=c"])
    told, write, rows, odd = FORMATS["t.parquet"]
    path, said = tmp_path / "t.parquet", []
    for types in ((), told.types, told.types[:1]):
        for first in (rows[0], odd[1]):
            path.write_bytes(write([first, *rows[1:]]))
            data = open_table(str(path), choices=told.with_(types=types))
            assert data.spelling.found == (() if types else ("types",))  # so that nothing leaves
            for kind, name in ((lab, "c"), (features, "x")):  # of what is asked, until it is told
                words = [*map(render, taken_as_public(kind, data))]
                assert words[int("The type" in words[0])].startswith("That the question is about “")
                assert f"“{name}”" in words[int("The type" in words[0])]
            data = data.described(codebook_words(["c: role=sensitive", "x: role=none"]))
            said.append([[*map(render, taken_as_public(kind, data))] for kind in (lab, features)])
    assert said[2] == said[3] == [[mark := said[2][0][0]], []]
    assert mark.startswith("“NA” of “c” is a missing value")
    # What is told of some columns alone has the others as words.
    assert said[4] == said[5]
    assert [data.info(name).type for name in ("x", "y", "c")] == ["integer", "category", "category"]
    assert not list(taken_as_public(lab, open_table("adult")))
    asked, _ = lab_of(["explore", "query.where=c = a"])
    assert any(
        "“" not in each and "c = " in each for each in map(render, taken_as_public(asked, data))
    )
    ages, _ = lab_of(["clusters", "points=table", "points.features=age"])
    (typed,) = map(render, taken_as_public(ages, open_table("diabetes")))
    assert typed.startswith("The type of “age”, numbers, words or dates, is told by nobody")


def test_digits_that_are_a_name_stay_apart_when_they_leave(tmp_path: Path) -> None:
    """As 01 and 1, and numbers of more digits than a double holds."""
    path, words = tmp_path / "t.csv", ("01", "1", "12345678901234567", "12345678901234568")
    path.write_text("\n".join(("c,y", *(f"{word},1" for word in words))))
    book = codebook_words([f"c: categories={'|'.join(words)} attested=yes"])
    data = ExactSums(open_table(str(path)).described(book))
    assert data.tally("c", words, Where()).tolist() == [1, 1, 1, 1]


# What came of reading a file is no less of its rows: a line that did not fit, a word for missing,
# a word among numbers.
LINES = ["x,y,c,g", *(",".join(map(str, row)) for row in ROWS)]
OTHER_LINES = [*LINES[:30], "9e6,NA,zzz,w,7", *LINES[30:]]
ODD_LINES = [*LINES[:30], "w,1.5,zzz,u", *LINES[30:]]


def spoken(call: list[str], ledger: Replayed) -> str:
    """All that the command line says, to both streams, and its status."""
    streams = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpstudio.files.ledger.Ledger", lambda path: ledger)
        patch.setattr(leaving, "leave", partial(leave, effort=LEAST))
        with redirect_stdout(streams), redirect_stderr(streams):
            status = cli.main([*call, "--without-truth"])
    return f"{status} {streams.getvalue()}"


def compare_words(words: str, folder: Path) -> None:
    ledger, path = Replayed(), folder / "people.csv"
    call = ["run", *words.split(" "), "--data", str(path), "--read", told_words(READ)]
    sides = []
    for lines in (LINES, OTHER_LINES):
        path.write_text("\n".join(lines))
        sides.append(spoken([*call, "--about", "y: type=integer"], ledger))
    assert sides[0] == sides[1]
    assert sides[0].startswith("0 ") or "--read" not in sides[0]


def test_the_command_line_does_not_say_what_a_row_leaves_open(tmp_path: Path) -> None:
    """Of two tables that can be read in more than one way, by another row and for another reason."""
    path, said = tmp_path / "people.csv", []
    for row in ("9e6,NA,zzz,w,7", "9"):
        path.write_text("\n".join([*LINES[:30], row, *LINES[30:]]))
        said.append(spoken(["run", "explore", WHERE, "--data", str(path)], Replayed()))
    assert said[0] == said[1]
    assert "--read" in said[0]


def test_the_command_line_says_the_same_of_neighbours(tmp_path: Path) -> None:
    """Both streams: one table has a row that does not fit, and values that cannot be read."""
    compare_words(f"explore {WHERE}", tmp_path)


DATE_LINES = ["x,c", *(f"2020-01-0{1 + i % 9},{'ab'[i % 2]}" for i in range(60))]


@pytest.mark.parametrize(
    ("query", "about", "tables"),
    [
        ("query=sum", BOUNDED.about("x"), (LINES, ODD_LINES)),
        ("query=mean", replace(DATED.about("x"), type=""), (DATE_LINES, [*DATE_LINES, "w,a"])),
    ],
    ids=["numbers", "days"],
)
def test_a_session_says_the_same_of_neighbours(
    query: str, about: About, tables: tuple[list[str], list[str]], tmp_path: Path
) -> None:
    """One from before types were told: its bounds say that a column holds numbers, days too, though
    a row alone may leave it no column of dates. So it is on paper."""
    ledger, path, kept = Replayed(), tmp_path / "people.csv", tmp_path / "s.dpstudio"
    lab, book = lab_of(["explore", query, "query.column=x"])[0], EMPTY.with_about("x", about)
    sides, types = [], []
    for lines in tables:
        path.write_text("\n".join(lines))
        data = open_table(str(path))
        types.append(data.info("x").type)
        told = READ.with_(types=())
        session = Session(str(path), data.digest, (lab,), lab.key, codebook=book, reading=told)
        write_session(session, kept)
        sides.append(spoken(["export", str(kept), "--json"], ledger))
        step = Step("", lab.with_(show_truth=False), str(path), codebook=book, reading=told)
        assert Tables()(step).codebook == book
        with pytest.raises(StaysError, match="Delimiter"):
            Tables()(replace(step, reading=None))
    assert sides[0] == sides[1]
    assert sides[0].startswith("0 ")
    assert (types == ["date", "category"]) == (query == "query=mean")


EXPORTS = 300


def proving(folder: Path, mechanism: str) -> int:
    """Of so many whole exports of a count of 0 at ε = 1, how many prove by the bits of the answer
    in their file that it was not 0, or not 1. Of doubles of numpy's noise a quarter do."""
    looking = np.random.default_rng(1).laplace(size=EXPORTS)
    assert np.mean(off_grid(looking, 1.0) | ~reachable(looking, 1.0)) > 0.2
    outputs, ledger = list[float](), forgotten()
    for seed in range(EXPORTS):
        words = ["explore", f"mechanism={mechanism}", "mechanism.epsilon=1", f"seed={seed}"]
        words.append("query.where=x>100")
        left = leave(lab_of(words)[0], HERE, ledger, LEAST)
        export_findings(left.findings, left.lab, left.data, folder, InWords())
        facts = json.loads((folder / "findings.json").read_text())["facts"]
        outputs.append(next(fact["value"] for fact in facts if fact["key"] == "answer"))
    written = np.array(outputs)
    assert len(np.unique(written)) > EXPORTS / 2 or mechanism == "geometric"
    tell = [off_grid(written, x) | ~reachable(written, x) for x in (0.0, 1.0)]
    return int(np.count_nonzero(np.any(tell, axis=0)))


def run_hidden(folder: Path) -> int:
    """Every state on every pair of neighbours; returns how many tell them apart. For the soak."""
    bad = 0
    for words in SOAKED:
        for form in ("", " --json"):
            try:
                if not replaces(lab_of(words.split(" "))[0]):
                    compare_words(words + form, folder)
            except AssertionError as error:
                bad += 1
                print(f"! {words}{form} [command line]: {str(error)[:600]}")
        for tables in TABLES if reads_table(lab_of(words.split(" "))[0]) else ["first"]:
            try:
                compare(words, tables, folder, lambda: None)
            except AssertionError as error:
                bad += 1
                print(f"! {words} [{tables}]: {str(error)[:300]}")
    for mechanism in ("laplace", "gaussian", "geometric"):
        proved = proving(folder, mechanism)
        print(f"{proved} of {EXPORTS} exports by {mechanism} prove something of the answer")
        bad += proved
    print(f"{bad} of {len(SOAKED)} states on all pairs of neighbours tell them apart")
    return bad


@pytest.mark.parametrize("scatter", ["mcdo", "scdo"])
def test_shares_by_classes_that_are_known_leave(
    scatter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many ciphertexts an owner sends says how many classes there are."""
    untold = lambda: monkeypatch.setattr(leaving, "_check", lambda *given: None)  # noqa: E731
    words = f"owners looks.features=x|y looks.classes=c looks.scatter={scatter}"
    compare(words, "first", tmp_path, untold, KNOWN, ())


def test_the_pixels_and_pages_of_neighbours_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what a PNG and a PDF say of themselves; a PDF tells when it was written, and no more."""
    from dpstudio.gui.board.render import headless, save_pdf, save_png

    headless()
    lab, _ = lab_of(["explore", *WHERE.split(" ")])
    ledger, sides = Replayed(), []
    for data in (HERE, MORE):
        left = leave(lab, data, ledger, LEAST)
        monkeypatch.setattr(leaving, "_check", lambda *given: None)
        figure, path = left.findings.figure("published"), tmp_path / "chart"
        svg, told = chart_svg(figure, left.lab, left.data), metadata(figure, left.lab, left.data)
        save_png(svg, path, 1.0, told)
        png = path.read_bytes()
        save_pdf(svg, path, told)
        when = rb"\d{4}-?\d\d-?\d\d[T\d:+'-]*Z?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|<[0-9a-f]{32}>"
        sides.append((png, re.sub(when, b"", path.read_bytes())))
    assert sides[0][0] == sides[1][0]
    assert sides[0][1] == sides[1][1]
    assert b"Contains the exact answer" not in sides[0][0]


# What made each of these refuse was a row.
@pytest.mark.parametrize(
    ("words", "tables"),
    [
        (
            f"selection query=quantile query.column=x query.grid=0,2,4 query.attested=yes {WHERE}",
            "condition",
        ),
        (f"explore query=mean {X} adjacency=replace query.n_public=yes", "first"),
        (f"local_counts {C} {WHERE}", "condition"),
        (f"sensitivity query=sum {X}", "fraction"),
        (f"explore mechanism=geometric query=sum {X}", "fraction"),
    ],
)
def test_no_row_decides_whether_a_file_leaves(
    words: str, tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    untold = lambda: monkeypatch.setattr(leaving, "_check", lambda *given: None)  # noqa: E731
    compare(words, tables, tmp_path, untold)


def test_every_lab_and_question_is_in_the_contract() -> None:
    """A lab, mechanism or protocol that is added is drawn exactly, or refused, here too."""
    seen = {words.split(" ")[0] for words in STATES}
    assert seen == {about.key for about in LABS}


BOUNDS = [
    "explore query=sum query.column=x",
    "explore query=sum query.column=x query.low=0 query.high=8",
    "explore query=histogram query.column=c",
    "explore query=histogram query.column=x",
    "compare query=mean query.column=x",
    "guarantee query=sum query.column=x",
    "sensitivity query=sum query.column=x",
    f"selection query.column=c {WHERE}",
    f"selection query.column=x {WHERE}",
    "selection query=quantile query.column=x",
    "local_counts query.column=c",
    "local_means query.column=x",
    "stories story=differencing story.column=x",
]


@pytest.mark.parametrize("words", BOUNDS)
def test_what_comes_from_the_data_stays_and_nothing_is_drawn(words: str) -> None:
    lab, _ = lab_of(words.split(" "))
    ledger = Replayed()
    with pytest.raises(StaysError, match="outside"):
        leave(lab, HERE, ledger, LEAST)
    assert not ledger.memory


def test_nothing_leaves_into_a_folder_where_exact_answers_stay(tmp_path: Path) -> None:
    """What is overwritten does not stay; the same export goes there again."""
    lab, _ = lab_of(f"selection {C} {WHERE}".split(" "))
    left, no_png = leave(lab, HERE, forgotten(), LEAST), InWords()
    shown = lab.last(Context(HERE, effort=LEAST))
    exact = {path.name for path in export_findings(shown, lab, HERE, tmp_path, no_png)}
    with pytest.raises(SessionError, match=r"selection-.*\.csv was saved with the exact answer"):
        export_findings(left.findings, left.lab, left.data, tmp_path, no_png)
    for _ in range(2):
        written = export_findings(left.findings, left.lab, left.data, tmp_path / "new", no_png)
    for name in exact - {path.name for path in written}:
        (tmp_path / name).unlink(missing_ok=True)
    export_findings(left.findings, left.lab, left.data, tmp_path, no_png)


def test_a_table_takes_no_chart_of_its_key_away(tmp_path: Path) -> None:
    lab, _ = lab_of(["room"])
    shown = lab.last(Context(HERE, effort=LEAST))
    assert {figure.key for figure in shown.figures} & {table.key for table in shown.tables}
    written = export_findings(shown, lab, HERE, tmp_path, InWords())
    assert len(written) == len({*written})
    table = (tmp_path / "room-groups-table.csv").read_text()
    assert "by head count" in table
    assert "# Warning: Simulated" in table  # nobody was asked
    assert "# Caption" in (tmp_path / "room-groups.csv").read_text()


def test_only_what_is_attested_of_the_codebook_leaves() -> None:
    """Bounds that a person took over from the data are in no file; those known from outside are."""
    known = About(low=0, high=8, attested=True)
    book = Codebook((("x", known), ("y", About(low=1.5, high=4.5))))
    lab, _ = lab_of(["explore", "query=sum", "query.column=x"])
    left = leave(lab, HERE.described(book), Replayed(), LEAST)
    assert [name for name, _ in left.data.codebook.columns] == ["x"]
    other, _ = lab_of(["explore", "query=sum", "query.column=y"])
    with pytest.raises(StaysError):
        leave(other, HERE.described(book), Replayed(), LEAST)


def test_a_survey_does_not_tell_how_many_meet_its_condition() -> None:
    """Two tables of 60 people, of whom another number meets the condition: who does not says so."""
    lab, _ = lab_of(f"local_counts {C} {WHERE}".split(" "))
    left = leave(lab, HERE, forgotten(), LEAST)
    assert left.findings.fact("asked").value == 60
    assert "none of these" in left.findings.labels
    mean, _ = lab_of(f"local_means {X} {WHERE}".split(" "))
    with pytest.raises(StaysError, match="condition"):
        leave(mean, HERE, forgotten(), LEAST)
    # Of two persons with thirty rows each there are two reports, however many rows count elsewhere.
    many = HERE.described(Codebook(person="g", most=9, people=2))
    lab, _ = lab_of(f"local_counts {C}".split(" "))
    assert leave(lab, many, forgotten(), LEAST).findings.fact("asked").value == 2


# The ledger


def test_the_same_export_gives_its_stored_draw(tmp_path: Path) -> None:
    """Also after a restart, and from another lab; another ε or seed is a new draw, whose ε adds.
    The ledger holds neither digest nor exact answer, and only its owner reads it."""
    path = tmp_path / "kept" / "ledger.json"
    first = leave(lab_of(["explore", WHERE])[0], HERE, Ledger(path), LEAST)
    again = leave(
        lab_of(["compare", WHERE, "focus=laplace", "epsilon=0.1"])[0], HERE, Ledger(path), LEAST
    )
    assert "costs ε = 0.1" in render(first.told[0])
    assert "nothing more" in render(again.told[0])
    same = leave(lab_of(["explore", WHERE, "confidence=0.9"])[0], HERE, Ledger(path), LEAST)
    assert "nothing more" in render(same.told[0])
    assert (same.findings.replays == first.findings.replays).all()
    fresh = leave(lab_of(["explore", WHERE, "seed=2"])[0], HERE, Ledger(path), LEAST)
    assert "after 1 draw in the ledger of this machine: it costs ε" in render(fresh.told[0])
    held = path.read_bytes()
    assert HERE.digest.encode() not in held
    assert path.stat().st_mode & 0o077 == 0
    path.write_bytes(held[:99] + b"x" + held[100:4096])
    with pytest.raises(SessionError, match="Choose another file"):
        leave(first.lab, HERE, Ledger(path), LEAST)


def test_two_readings_of_one_file_share_no_draw() -> None:
    """Columns of one name, type and length that were read in two ways, as with another decimal
    mark, are two tables of the same people: the second draw is new, and adds."""
    ledger, words = forgotten(), ["explore", WHERE]
    read = table([(x * 1000, *rest) for x, *rest in ROWS], "1")
    first = leave(lab_of(words)[0], HERE, ledger, LEAST)
    other = leave(lab_of(words)[0], read, ledger, LEAST)
    assert "after 1 draw in the ledger of this machine: it costs ε" in render(other.told[0])
    assert (other.findings.replays != first.findings.replays).any()
    assert "nothing more" in render(leave(lab_of(words)[0], read, ledger, LEAST).told[0])
    assert len({HERE.content, read.content, table(ROWS[::-1], "1").content}) == 3
    assert HERE.content == table(ROWS, "4").content


DRAWER = """
import secrets, sys, time
from pathlib import Path
import pandas as pd
from dpstudio.data.dataset import Dataset
from dpstudio.files.read.told import told_words
from dpstudio.files.handing_out import Tables
from dpstudio.files.ledger import Ledger
from dpstudio.privacy.mechanisms.additive import Guarantee

data = Dataset(pd.DataFrame({"x": [1.0]}), "t", digest="1" * 64)
cost = Guarantee(0.1, 0.0)
for i in range(6):
    made = lambda *given: time.sleep(0.005) or secrets.randbelow(1 << 40)
    drawn = Ledger(Path(sys.argv[2])).draws_of(data)
    print(drawn.draw(["both", i], cost, made), drawn.draw([sys.argv[1], i], cost, made))
"""


def test_two_processes_lose_no_draw_and_share_what_both_ask(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "ledger.json"
    call = [sys.executable, "-c", DRAWER]
    both = [
        subprocess.Popen([*call, name, path], stdout=subprocess.PIPE, text=True) for name in "ab"
    ]
    said = [one.communicate()[0].split() for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert said[0][::2] == said[1][::2]  # one draw, whoever made it
    kept = {entry.body["answer"] for entry in Book(path).state().of(DRAWN)}
    assert kept == {int(each) for one in said for each in one}
    assert len(kept) == 18


def test_a_table_without_a_digest_is_drawn_anew() -> None:
    """Two tables of which nothing tells them apart are never given one draw."""
    ledger, bare = forgotten(), Dataset(pd.DataFrame({"x": [1.0]}), "t")
    for _ in range(2):
        assert "first draw" in render(
            leave(lab_of(["explore", "query.where="])[0], bare, ledger, LEAST).told[0]
        )


# Bits


@pytest.mark.parametrize("query", [query.key for query in QUERIES])
def test_every_query_leaves_by_every_mechanism_or_says_what_to_choose(query: str) -> None:
    """In whole steps of its grid, as many as it measures."""
    lab: Any = lab_of(["explore", f"query={query}", *ASKED.get(query, X).split(" ")])[0]
    data = ExactSums(HERE)
    for adjacency in ADJACENCIES:
        asked = lab.query.ask(data, adjacency)
        refused = refused_mechanisms(asked)
        for kind in MECHANISMS:
            if kind.key in refused:
                continue
            release = Release(asked, kind())
            several = any(len(m.values) > 1 for m in asked.measurements)
            if (kind.key == "l2norm" and several) or not leaves(kind):
                with pytest.raises(NotDrawnError, match="Choose"):
                    release.leave(ReleaseRandom(secrets.randbelow))
                continue
            left = release.leave(ReleaseRandom(secrets.randbelow))
            assert [len(part) for part in left] == [len(m.values) for m in asked.measurements]
            assert all(type(k) is int for part in left for k in part)


BELOW = random.Random(12).randrange


@pytest.mark.parametrize("kind", list(filter(leaves, MECHANISMS)), ids=lambda kind: kind.key)
def test_no_bit_of_300_exports_tells_the_answer(kind: type[Additive]) -> None:
    """The float leak of the program: of doubles of x + numpy's noise, 27 % prove that the answer
    was not x + 1. Of what leaves none does, whichever of the two it is."""
    lab: Any = lab_of(["explore", "query.where="])[0]
    release = Release(lab.query.ask(ExactSums(HERE), "add_remove"), kind())
    (step,) = map(float, release.grids)
    chance = ReleaseRandom(BELOW)
    left = [release.left(release.leave(chance)) for _ in range(300)]
    outputs = np.array([float(each.truth[0]) for each in left])
    assert (outputs == np.rint(outputs / step) * step).all()  # on the grid, whatever it is near
    for answer in (0.0, 59.0, 60.0, 61.0):
        assert not off_grid(outputs, answer).any()
        assert reachable(outputs, answer).all()


# Sums


def sums(rows: list[tuple[float, float, str, str]], words: str) -> list[Fraction]:
    """What is measured of so many rows, before it is drawn."""
    lab: Any = lab_of(["explore", *words.split(" ")])[0]
    asked = lab.query.ask(ExactSums(table(rows, "1")), "replace")
    return [Fraction(value) for m in asked.measurements for value in m.values.tolist()]


def test_a_sum_that_leaves_is_exact_in_any_order() -> None:
    """Floats lose small numbers next to large ones, in each order others. So
    neighbours moved the sum by other than Δ, and the order of the rows was in it."""
    big = 2.0**49
    rows = [(big, 0.1, "a", "u"), (1.0, 0.2, "a", "u"), (1.0, 0.3, "a", "u"), (-big, 0.7, "a", "u")]
    rows = [*rows * 3, *[(0.25, 1.1, "a", "u")] * 8]
    far = f"query.column=x query.low={-big} query.high={big} query.attested=yes"
    near = "query.column=y query.low=0 query.high=1.5 query.attested=yes"
    by = f"{near} query.by=c query.groups=a|b"
    columns = "query.columns=y|x query.ranges=0..1.5|0..4 query.attested=yes"
    for words in (
        f"query=sum {far}",
        f"query=sum {near}",
        f"query=mean {near}",
        f"query=variance {near}",
        f"query=grouped {by}",
        f"query=covariance {columns}",
    ):
        assert len({tuple(sums(each, words)) for each in (rows, rows[::-1], sorted(rows))}) == 1
    assert sums(rows, f"query=sum {far}") == [Fraction(6 + 2)]
    # One who is replaced moves a sum by his own share, to the last bit, whoever else is there.
    one, two = (0.1, 0.1, "a", "u"), (0.1, 1.3, "a", "u")
    moved = {
        sums([two, *others], f"query=sum {near}")[0] - sums([one, *others], f"query=sum {near}")[0]
        for others in (rows, rows * 7, [])
    }
    assert max(moved) - min(moved) < 2**-44  # each sum is rounded once, to a double


def test_a_mean_of_public_rows_is_exact_next_to_far_bounds() -> None:
    """Δ is (U − L)/n: next to bounds far from 0 a double cannot tell so little, so neighbours
    would be 0 or 2⁻⁶ apart, which is Δ or more. What is drawn about is exact, and of what left
    nothing exact is kept."""
    far, ends = 10.0**14, (0.0, 1.0)
    query = f"query.low={far:.0f} query.high={far + 1:.0f} query.attested=yes query.n_public=yes"
    words = ["explore", "query=mean", "query.column=x", *query.split(" "), "adjacency=replace"]
    lab: Any = lab_of(words)[0]
    means = []
    for end in ends:
        rows = [(far + end, 0.0, "a", "u"), *[(far + 0.25, 0.0, "a", "u")] * 999]
        release = Release(lab.query.ask(ExactSums(table(rows, "1")), "replace"), lab.mechanism)
        (part,) = release.asked.measurements
        assert part.exact is not None
        means.append(part.exact[0])
        assert Fraction(part.sensitivity.l1) == pytest.approx(Fraction(1, 1000))
        left = release.left(release.leave(ReleaseRandom(secrets.randbelow)))
        assert left.measurements[0].exact is None
    assert means[1] - means[0] == Fraction(1, 1000)


def test_a_file_says_that_its_draw_adds() -> None:
    left = leave(lab_of(["explore", WHERE])[0], HERE, forgotten(), LEAST)
    svg = chart_svg(left.findings.figure("published"), left.lab, left.data)
    assert "adds to that of all else" in svg
    assert "not a private release" not in svg
    assert "simulated: not" not in json.dumps([render(f.note) for f in left.findings.facts])


def test_nothing_of_a_second_table_leaves_for_it_is_not_even_opened(tmp_path: Path) -> None:
    """No lab that hides the exact answer is given it, and the command line opens no file."""

    class Closed:
        def __getattr__(self, name: str) -> None:
            raise AssertionError(name)

    for about in LABS:
        lab = about.kind()
        if lab.page().second is not None:
            hidden = lab.with_(show_truth=False)
            *_, found = hidden.run(Context(HERE, {SECOND: Closed()}, effort=LEAST))  # type: ignore[dict-item]
            assert found.second is None
    out = io.StringIO()
    words = ["linkage", "--data", "adult", "--beside", str(tmp_path / "none.csv"), "--json"]
    with redirect_stdout(out), redirect_stderr(io.StringIO()) as told:
        assert cli.main(["run", *words, "--without-truth"]) == 2  # all of it is exact
    assert "was not opened" in told.getvalue()
    assert not out.getvalue()
