"""What leaves beside plans is booked: in the ledger of a population that was named for its table,
below its cap; else in that of the user, which took over what it was before."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from test_hidden_files import HERE, LEAST, WHERE, lab_of

from dpstudio import cli
from dpstudio.cli.booking import listing
from dpstudio.files.booked.certificate import certificate
from dpstudio.files.booked.releasing import Desk, Source
from dpstudio.files.ledger import Export, Ledger, ledger_path
from dpstudio.files.ledgers import chained
from dpstudio.files.ledgers.amounts import EPSILON, RHO, Cap, Cost, Spent, Terms
from dpstudio.files.ledgers.book import BOOKED, DRAWN, NAMED, RECORDED, TAKEN, Book, make_ledger
from dpstudio.files.ledgers.book import Plan as BookedPlan
from dpstudio.files.ledgers.own import OwnLedger, known_beside
from dpstudio.files.plan_file import write_plan_file
from dpstudio.files.session import SessionError
from dpstudio.files.tables import open_table
from dpstudio.files.write.leaving import leave
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.plan import Terms as PlanTerms
from dpstudio.plans.question import LAPLACE, Count
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.queries import ADD_REMOVE, REPLACE
from dpstudio.values.messages import render

HALF, KEY = Guarantee(0.5, 0.0), "07" * 32
ROWS = "x,c\n" + "".join(f"{i % 9},{'ab'[i % 2]}\n" for i in range(40))


def never(*given: Any) -> Any:
    raise AssertionError("drawn")


def drawn(ledger: Ledger, asked: Any, make: Callable[..., Any], data: Any = HERE, **more: Any):
    draws = ledger.draws_of(data, Export(**more))
    return draws.draw(asked, HALF, make), [render(each) for each in draws.told]


def population(path: Path, most: str = "1", adjacency: str = ADD_REMOVE) -> Book:
    return make_ledger(path, "people", Terms(adjacency=adjacency), Cap(EPSILON, Fraction(most)))


def kept_before(path: Path, *draws: tuple[Any, Any, float, float]) -> bytes:
    """A ledger as it was: of each draw what was asked, what was drawn, ε and δ."""
    held = {}
    for asked, answer, epsilon, delta in draws:
        whole = json.dumps(
            [HERE.digest, HERE.content, HERE.codebook.without_roles.to_json(), *asked]
        )
        of_table, name = (
            hmac.new(bytes.fromhex(KEY), text.encode(), hashlib.sha256).hexdigest()
            for text in (HERE.digest, whole)
        )
        costs = {"table": of_table, "epsilon": epsilon, "delta": delta}
        held[name] = {**costs, "drawn": answer}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"dpstudio_ledger": 1, "key": KEY, "draws": held}) + "\n")
    return path.read_bytes()


OLD = [[-3, 1 << 90]], {"codes": [[0, 1]], "noisy": [None, [7.5]], "seed": [1 << 64]}


@pytest.mark.parametrize("where", ["ledger.json", "ledger.dpledger", "mine"])
def test_draws_of_before_are_taken_over_once_as_they_were(tmp_path: Path, where: str) -> None:
    """Wherever it stood; the file stays as it was, and what came to it later is not looked at."""
    before = tmp_path / ("mine" if where == "mine" else "ledger.json")
    asked = ["one", 1], ["two", {"q": 0.1}]
    given = [(a, b, 0.1, 1e-6) for a, b in zip(asked, OLD, strict=True)]
    held = kept_before(before, *given)
    ledger = Ledger(tmp_path / where)
    for a, b in zip(asked, OLD, strict=True):
        answer, told = drawn(ledger, a, never)
        assert json.dumps(answer) == json.dumps(b)
        assert "made before" in told[0]
    _, told = drawn(ledger, ["three"], lambda *_: 1)
    assert "after 2 draws" in told[0]
    assert "all of them together ε = 0.7 with δ = 2·10⁻⁶." in told[0]
    assert before.read_bytes() == held
    kept_before(before, *given, (["four"], 4, 0.1, 0.0))
    assert drawn(Ledger(tmp_path / where), ["four"], lambda *_: 5)[0] == 5
    state = ledger.own.book.state()
    assert [len(state.of(kind)) for kind in (TAKEN, BOOKED, DRAWN)] == [2, 2, 2]
    assert KEY in str(state.entries[0].body)
    assert KEY not in " ".join(listing(state))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"dpstudio_ledger": 2, "key": "00", "draws": {}}',
        '{"draws": {"a": 1}}',
        '{"dpstudio_ledger": 1, "key": "00", "draws":'
        ' {"a": {"table": "t", "drawn": 1, "epsilon": -5, "delta": 0}}}',
    ],
)
def test_a_damaged_file_of_before_is_a_sentence_and_nothing_is_made(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "ledger.json").write_text(text)
    for name in ("ledger.json", "ledger.dpledger"):
        with pytest.raises(SessionError, match="move it away"):
            drawn(Ledger(tmp_path / name), ["x"], never)
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".lock"}


def test_a_ledger_made_by_hand_is_a_sentence(tmp_path: Path) -> None:
    """Its hashes are right, for its key is in it: a spend below nothing would give budget back."""
    at = {"at": "2026-01-01"}
    made = {"kind": "made", "population": "p", "terms": None, "cap": None} | at
    spent = {"kind": BOOKED, "plan": "", "table": "", "lines": []} | at
    for n, entries in enumerate(
        (
            [{}],
            [[]],
            [made | {"cap": {}}],
            [made | {"terms": {"unit": "moon"}}],
            [made, made],
            [made, spent],
            [made, spent | {"priced": ["-5", "0"]}],
            [made, {"kind": ["x"]}],
        )
    ):
        path = tmp_path / f"{n}.dpledger"
        chained.make(path, *entries)  # type: ignore[arg-type]
        for read in (Book(path).state, OwnLedger(path).state):
            with pytest.raises(SessionError, match="no ledger that this program wrote"):
                read()


def test_a_ledger_that_was_named_refuses_before_anything_is_drawn(tmp_path: Path) -> None:
    """All that is to leave is paid whole, and is over the cap whole; what left before costs
    nothing, wherever it was booked."""
    book, ledger = population(tmp_path / "l"), Ledger(tmp_path / "own")
    assert drawn(ledger, ["before"], lambda *_: 0)[0] == 0
    ledger.own.name(HERE.origin, book.path)
    ledger.own.name(HERE.origin, book.path)
    assert len(ledger.own.book.state().of(NAMED)) == 1
    assert drawn(ledger, ["before"], never, adjacency=ADD_REMOVE)[0] == 0
    whole = tuple(([name], HALF) for name in "abc")
    with pytest.raises(SessionError, match=r"booked in .*l. It costs ε = 1.5, and of the cap"):
        drawn(ledger, ["a"], never, adjacency=ADD_REMOVE, foreseen=whole)
    assert len(book.state().entries) == 1
    draws = ledger.draws_of(HERE, Export("Explore", ADD_REMOVE, (*whole[:2], (["before"], HALF))))
    assert [draws.draw([name], HALF, lambda *_: 1) for name in ("a", "b", "before")] == [1, 1, 0]
    told = [render(each) for each in draws.told]
    assert told == [
        "Booked in the ledger of “people”. It costs ε = 1; ε = 0 is left.",
        "This is the draw that was made before: it costs nothing more.",
    ]
    assert [len(book.state().of(kind)) for kind in (BOOKED, DRAWN)] == [1, 2]
    with pytest.raises(SessionError, match="Nothing was drawn"):
        drawn(ledger, ["c"], never, adjacency=ADD_REMOVE)
    book.raise_cap(Cap(EPSILON, Fraction(2)), "unforeseen")
    both = ledger.draws_of(HERE, Export("Explore", ADD_REMOVE, ((["d"], HALF),)))
    for name in "de":  # the second was not foreseen: it is paid by itself, and told
        both.draw([name], HALF, lambda *_: 1)
    assert [render(each).partition("; ")[2] for each in both.told] == [
        "ε = 0.5 is left.",
        "ε = 0 is left.",
    ]
    book.withdraw(3, "a slip")
    assert "withdrawn since: a slip" in drawn(ledger, ["a"], never, adjacency=ADD_REMOVE)[1][0]


def test_ten_tenths_are_one_and_what_was_booked_by_doubles_is_given_again(tmp_path: Path) -> None:
    """An export costs the decimal that is shown, ε and δ: ten fit, and the eleventh does not. A
    draw that was booked by its double, a hair above, costs nothing more."""
    cap = Cap(EPSILON, Fraction(1), Fraction(1, 10**4))
    book, ledger = make_ledger(tmp_path / "l", "people", Terms(), cap), Ledger(tmp_path / "own")
    ledger.own.name(HERE.origin, book.path)
    promise = Guarantee(0.1, 1e-5)
    draws = ledger.draws_of(HERE, Export(adjacency=ADD_REMOVE))
    for n in range(10):
        assert draws.draw(["one", n], promise, lambda *_, n=n: n) == n
    assert book.state().spent == Spent(Fraction(1), Fraction(1, 10**4))
    with pytest.raises(SessionError, match="Nothing was drawn"):
        draws.draw(["one", 10], promise, never)
    other = make_ledger(tmp_path / "m", "people", Terms(), cap)
    line = replace(draws._line(["one"], promise), cost=Cost(Fraction(0.1), Fraction(1e-5)))
    other.answer(BookedPlan(Terms(), (line,), "d"), line.name, HERE.digest, lambda: 7)
    ledger.own.name(HERE.origin, other.path)
    assert ledger.draws_of(HERE, Export()).draw(["one"], promise, never) == 7


def test_what_a_ledger_cannot_book_is_refused_by_name(tmp_path: Path) -> None:
    rho = Cap(RHO, Fraction(1), Fraction(1, 10**6))
    for name, adjacency, cap, promise, why in (
        ("replaced", REPLACE, None, HALF, "other neighbours"),
        ("nobody", "", None, HALF, "does not say which tables"),
        ("rho", ADD_REMOVE, rho, Guarantee(1.0, 1e-9), "counts ρ and has no room"),
        ("endless", ADD_REMOVE, None, Guarantee(float("inf"), 0.0), "no finite"),
    ):
        ledger = Ledger(tmp_path / f"own {name}")
        path = tmp_path / name
        book = make_ledger(path, "people", Terms(), cap or Cap(EPSILON, Fraction(9)))
        ledger.own.name(HERE.origin, path)
        with pytest.raises(SessionError, match=why):
            ledger.draws_of(HERE, Export("Explore", adjacency)).draw(["x"], promise, never)
        assert len(book.state().entries) == 1
        path.unlink()
        with pytest.raises(SessionError, match="What leaves of this table is booked in"):
            ledger.draws_of(HERE, Export("Explore", ADD_REMOVE)).draw(["x"], HALF, never)
    with pytest.raises(SessionError, match="There is no ledger"):
        ledger.own.name("t.csv", tmp_path / "none")
    plan = Plan(PlanTerms(who="w", origin="o"), (Count(name="n"),), (Share(LAPLACE, Fraction(1)),))
    with pytest.raises(SessionError, match="has no cap"):
        Desk(ledger.own.book).release(plan, Source(HERE))


def test_what_cannot_be_kept_is_neither_shown_nor_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, a file that cannot be written, one that is none, a pipe, a population's."""
    ledger, connect = Ledger(tmp_path / "own"), chained._connect
    assert drawn(ledger, ["kept"], lambda *_: 1)[0] == 1

    def full(path: Path) -> sqlite3.Connection:
        base = connect(path)
        base.execute(f"PRAGMA max_page_count = {base.execute('PRAGMA page_count').fetchone()[0]}")
        return base

    with monkeypatch.context() as within:
        within.setattr(chained, "_connect", full)
        with pytest.raises(SessionError, match=r"nothing spent\. Make room"):
            drawn(ledger, ["x"], lambda *_: 2)
        with pytest.raises(SessionError, match="Make room"):
            drawn(Ledger(tmp_path / "another"), ["x"], lambda *_: 2)
    assert not Book(tmp_path / "another").state().of(DRAWN)
    ledger.path.chmod(0o400)
    with pytest.raises(SessionError, match="cannot be written to"):
        drawn(ledger, ["x"], never)
    assert drawn(ledger, ["kept"], never)[0] == 1
    assert len(ledger.own.book.state().of(DRAWN)) == 1
    os.mkfifo(tmp_path / "pipe")
    population(tmp_path / "l")
    held = sqlite3.connect(tmp_path / "foreign")
    held.execute("CREATE TABLE t (a)")
    held.close()
    for name, why in (("pipe", "no ledger"), ("l", "of a population"), ("foreign", "no ledger")):
        with pytest.raises(SessionError, match=why):
            drawn(Ledger(tmp_path / name), ["x"], never)
    with pytest.raises(SessionError, match="could not be made"):
        drawn(Ledger(tmp_path / "l" / "below"), ["x"], never)
    assert cli.main(["verify", str(tmp_path / "pipe")]) == 2
    assert cli.main(["ledger", str(tmp_path / "pipe")]) == 2


def test_neighbours_are_refused_alike_and_an_edited_file_stays_in_its_ledger(
    tmp_path: Path,
) -> None:
    """A ledger is named for a place, whatever rows lie there."""
    ledger, path = Ledger(tmp_path / "own"), tmp_path / "t.csv"
    book = population(tmp_path / "l", "1/2")
    ledger.own.name(str(path), book.path)
    said = []
    for rows in (ROWS, ROWS + "3,a\n"):
        path.write_text(rows)
        data = open_table(str(path))
        for asked in ("a", "b"):
            try:
                said.append(drawn(ledger, [asked], lambda *_: 1, data, adjacency=ADD_REMOVE)[1])
            except SessionError as error:
                said.append(str(error))
    assert said[0] == ["Booked in the ledger of “people”. It costs ε = 0.5; ε = 0 is left."]
    assert said[1] == said[2] == said[3]


def test_labs_are_booked_by_their_own_neighbours(tmp_path: Path) -> None:
    """By what each says of the tables that it protects."""
    for words, adjacency in (
        (["explore", WHERE], ADD_REMOVE),
        (["explore", WHERE, "adjacency=replace"], REPLACE),
        (
            ["local_counts", "query.column=c", "query.categories=a|b|c", "query.attested=yes"],
            REPLACE,
        ),
    ):
        ledger = Ledger(tmp_path / f"own {len(words)}{words[0]}")
        for wrong in (True, False):
            other = {ADD_REMOVE: REPLACE, REPLACE: ADD_REMOVE}[adjacency]
            book = population(
                tmp_path / f"{ledger.path.name} {wrong}", "9", other if wrong else adjacency
            )
            ledger.own.name(HERE.origin, book.path)
            if wrong:
                with pytest.raises(SessionError, match="other neighbours"):
                    leave(lab_of(words)[0], HERE, ledger, LEAST)
            else:
                leave(lab_of(words)[0], HERE, ledger, LEAST)
            assert len(book.state().of(DRAWN)) == (0 if wrong else 1)


def test_the_command_line_books_all_that_leaves_in_one_ledger(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An export, a table without an ε, and a plan; what was released is in the certificate's sum."""
    book = population(tmp_path / "l", "2", REPLACE)
    export = ["run", "explore", "adjacency=replace", "query.where=age > 50", "--without-truth"]
    assert cli.main([*export, "--ledger", str(book.path)]) == 0
    assert "Booked in the ledger of “people”" in capsys.readouterr().err
    assert cli.main([*export, "mechanism.epsilon=0.25"]) == 0
    assert "ε = 1.65 is left" in capsys.readouterr().err
    assert cli.main([*export, "mechanism.epsilon=4"]) == 2
    assert "of the cap ε = 1.65 is left" in capsys.readouterr().err
    masked = ["run", "masking", "--publish", str(tmp_path / "out")]
    for _ in range(2):
        assert cli.main(masked) == 0
    terms = PlanTerms(delta=Fraction(0), who="the steward", origin="the form")
    plan = Plan(terms, (Count(name="n", where="age > 50"),), (Share(LAPLACE, Fraction(1, 4)),))
    made = Desk(book).release(plan, Source(open_table("adult")))
    held = certificate(book, made)
    assert held["ledger"]["left"] == "ε = 1.4"
    assert "1 table left without an ε" in " ".join(held["not_covered"])
    assert len(book.state().of(RECORDED)) == 1
    assert not OwnLedger(ledger_path()).book.state().of(BOOKED)
    capsys.readouterr()
    for path in (book.path, ledger_path()):
        assert cli.main(["ledger", str(path)]) == 0
    assert "without a ledger of their own" in capsys.readouterr().out
    assert cli.main(["run", "explore", "--ledger", str(book.path)]) == 2
    assert "--without-truth" in capsys.readouterr().err


def test_a_release_names_the_ledger_of_its_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from dpstudio.files.plan_file import write_plan_file

    book = population(tmp_path / "l", "2", REPLACE)
    terms = PlanTerms(delta=Fraction(0), who="the steward", origin="the form")
    plan = Plan(terms, (Count(name="n", where="age > 50"),), (Share(LAPLACE, Fraction(1, 4)),))
    write_plan_file(tmp_path / "p.json", plan)
    words = ["release", str(tmp_path / "p.json"), "--ledger", str(book.path), "--data", "adult"]
    assert cli.main(words) == 0
    export = ["run", "explore", "adjacency=replace", "query.where=age > 50", "--without-truth"]
    assert cli.main(export) == 0
    assert len(book.state().of(DRAWN)) == 2
    assert replace(plan) == plan


_CHILD = """
import sys
from pathlib import Path
import pandas as pd
from dpstudio.data.dataset import Dataset
from dpstudio.files.ledger import Export, Ledger
from dpstudio.privacy.mechanisms.additive import Guarantee
data = Dataset(pd.DataFrame({"x": [1.0]}), "t", sys.argv[2], digest="1" * 64)
cost = Guarantee(2.0**-20, 0.0)
for i in range(10**6):
    lines = tuple(([sys.argv[3], i, k], cost) for k in "ab")
    draws = Ledger(Path(sys.argv[1])).draws_of(data, Export("Explore", "add_remove", lines))
    for k, (asked, _) in enumerate(lines):
        print(sys.argv[3], i, draws.draw(asked, cost, lambda *_: 2 * i + k), flush=True)
"""


def run_export_kills(folder: Path, times: int, seed: int | None) -> int:
    """Kill a program that exports, in turn into the ledger of a population and into that of a user
    which has draws of before to take over; how many draws were shown that are not kept or paid."""
    rng, shown_, faults = random.Random(seed), 0, 0
    for number in range(times):
        here = folder / f"exported {number}"
        here.mkdir()
        kept_before(here / "ledger.json", *((["old", i], i, 0.1, 0.0) for i in range(50)))
        own = OwnLedger(here / "ledger.dpledger")
        if number % 2:
            own.name("t", population(here / "l", "9").path)
        words = [sys.executable, "-c", _CHILD, str(own.path), "t", str(number)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        first = process.stdout.readline() if number % 4 else ""
        time.sleep(rng.uniform(0, 0.4) + (0 if number % 4 else 0.6))
        process.kill()
        told = (first + process.communicate()[0]).split("\n")[:-1]
        state = own.state()
        assert state is not None
        faults += len(state.of(TAKEN)) != 50
        state = Book(here / "l").state() if number % 2 else state
        kept = {entry.body["answer"]: entry.body["booked"] for entry in state.of(DRAWN)}
        paid = {entry.n for entry in state.of(BOOKED)}
        shown_ += len(told)
        faults += sum(kept.get(int(line.split(" ")[2])) not in paid for line in told)
    print(f"{times} kills, {shown_} draws shown, {faults} faults")
    return faults + (shown_ == 0)


@pytest.mark.skipif(sys.platform == "win32", reason="kills with -9")
def test_killed_at_any_moment_no_draw_was_shown_without_its_spend(tmp_path: Path) -> None:
    assert run_export_kills(tmp_path, 2, None) == 0


def test_two_ledgers_of_one_table_or_population_are_told_of_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the second is made or chosen, and each time after that; not of another table, nor
    where there is one alone."""
    plan = Plan(
        PlanTerms(delta=Fraction(0), adjacency=ADD_REMOVE, who="the steward", origin="the form"),
        (Count(name="n", where="age > 50"),),
        (Share(LAPLACE, Fraction(1, 4)),),
    )
    write_plan_file(tmp_path / "plan.json", plan)
    first, second, third = (tmp_path / f"{n}.dpledger" for n in ("first", "second", "third"))
    export = ["run", "explore", "query.where=age > 50", "--without-truth", "--ledger"]

    def heard(*words: str) -> str:
        assert cli.main([*words]) == 0
        return capsys.readouterr().err

    def made(path: Path, population: str) -> str:
        return heard("ledger", str(path), "new", f"population={population}", "epsilon=1")

    def released(path: Path, table: str = "adult") -> str:
        plan = str(tmp_path / "plan.json")
        return heard("release", plan, "--ledger", str(path), "--data", table)

    assert "other let through" not in made(first, "people") + released(first)
    assert f"{first} is a ledger of “people” too" in made(second, "people")
    assert "is a ledger" not in made(third, "patients")
    told = f"“adult” was booked in {first} too"
    assert told in released(second)
    assert f"“adult” was booked in {second} too" in released(first)
    assert told in heard(*export, str(third))
    rows = tmp_path / "rows.csv"
    rows.write_text("age,x\n" + "51,1\n49,2\n" * 30)
    known = list(known_beside(str(rows), third))
    assert not known
    assert len(list(known_beside(str(rows), second))) == 1
    first.unlink()
    assert any(told in render(each) for each in known_beside("adult", second))
