"""The ledger of a population: its filter is exact and holds against who chooses late, nothing is
shown without its spend, and what is changed from outside is noticed."""

import dataclasses
import json
import math
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpstudio.cli import main
from dpstudio.files.booked.of_plan import booked_plan
from dpstudio.files.ledgers import chained
from dpstudio.files.ledgers.amounts import (
    EPSILON,
    NOTHING,
    PERSON_MONTH,
    RHO,
    Cap,
    Cost,
    LedgerError,
    Spent,
    Terms,
    added,
    amount,
    cap_from,
    promised,
)
from dpstudio.files.ledgers.book import DRAWN, Book, Line, Plan, make_ledger
from dpstudio.plans import plan as plans
from dpstudio.plans.question import GAUSSIAN, LAPLACE, Count
from dpstudio.plans.target import Target
from dpstudio.values.messages import render

ONE = Cap(EPSILON, Fraction(1), Fraction(1, 10**6))
TABLE = "a table"


def made(folder: Path, cap: Cap = ONE, terms: Terms | None = None) -> Book:
    return make_ledger(folder / "city.dpledger", "people of a city", terms or Terms(), cap)


def plan(*costs: Cost, digest: str = "one", whole: Cost | None = None) -> Plan:
    lines = (Line(f"line {i}", [digest, i], cost) for i, cost in enumerate(costs))
    return Plan(Terms(), tuple(lines), digest, whole)


def eps(text: str, delta: str = "0") -> Cost:
    return Cost(Fraction(text), Fraction(delta))


def refused(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(LedgerError, match=words):
        call()


def never() -> Any:
    raise AssertionError("drawn")


# The filter


def test_sums_are_exact() -> None:
    """A filter of floats capped at 487ρ lets 486 of ρ through."""
    for text in ("1/20000", "0.1", "1/3", "1e-6"):
        each = amount(text)
        cap, spent, times = Cap(RHO, 487 * each, Fraction(1, 10**6)), NOTHING, 0
        while cap.lets(spent + cap.price(Cost(rho=each))):
            spent, times = spent + cap.price(Cost(rho=each)), times + 1
        assert (times, cap.left(spent).amount) == (487, 0)


def test_a_cap_books_what_it_counts_and_refuses_the_rest_by_name() -> None:
    rho = Cap(RHO, Fraction(1, 2), Fraction(1, 10**6))
    assert rho.price(eps("1/3")) == Spent(Fraction(1, 18))
    assert ONE.price(eps("1/3", "1e-9")) == Spent(Fraction(1, 3), Fraction(1, 10**9))
    refused(lambda: rho.price(eps("1/3", "1e-9")), "no room for the δ")
    room = dataclasses.replace(rho, apart=Fraction(1, 10**8))
    assert room.price(eps("1/3", "1e-9")) == Spent(Fraction(1, 18), Fraction(1, 10**9))
    assert room.left(Spent(Fraction(1, 8), Fraction(1, 10**9))) == Spent(
        Fraction(3, 8), Fraction(9, 10**9)
    )
    assert (room.lets(Spent(Fraction(1, 2), room.apart)), room.raises(rho)) == (True, True)
    assert not room.lets(Spent(Fraction(1, 2), Fraction(11, 10**9)))
    assert not rho.lets(Spent(Fraction(0), Fraction(1, 10**9)))
    assert cap_from(room.to_json()) == room
    assert cap_from(rho.to_json()) == rho
    assert "with δ = 0.00000101 in all" in render(promised(room))
    wide = Cap(RHO, Fraction(1, 10**4), Fraction(1, 12))  # the conversion is below 0 there
    assert "ε = 0 with" in render(promised(wide))
    refused(lambda: Cap(EPSILON, Fraction(1), apart=Fraction(1, 9)), "beside ρ alone")
    refused(lambda: ONE.price(Cost(rho=Fraction(1, 8))), "only ρ = 1/8")
    for text in ("", "nan", "inf", "1/0", "1e9999", "0x1", "½"):
        refused(lambda text=text: amount(text), "is no amount")
    for bad in (0.1, Fraction(-1), None):
        refused(lambda bad=bad: Cost(bad), "fractions of 0 or more")
    refused(lambda: Cap(RHO, Fraction(1)), "beside ρ it must be above 0")
    for odd in (Fraction(10**301), Fraction(1, 10**301)):
        refused(lambda odd=odd: Cap(EPSILON, odd), "between 1e-300 and 1e300")
    refused(lambda: Cap(RHO, Fraction(1), Fraction(1, 10**301)), "between 1e-300 and 1e300")


@pytest.mark.parametrize(
    ("epsilon", "delta", "times"), [(0.1, 1e-4, 60), (0.5, 1e-3, 9), (1.5, 0.01, 2)]
)
def test_what_has_a_delta_of_its_own_is_covered_by_rho_and_the_sum_of_both(
    epsilon: float, delta: float, times: int
) -> None:
    """The worst (ε, δ) answers, which tell all with chance δ and else are randomised response, exactly
    composed: 1 − (1 − δ)^k · (1 − what randomised response loses above the ε of the cap)."""
    one = eps(str(epsilon), str(delta))
    cap = Cap(RHO, times * one.epsilon**2 / 2, Fraction(1, 10**5), times * one.delta)
    spent = added([cap.price(one)] * times)
    assert (spent, cap.left(spent)) == (Spent(cap.amount, cap.apart), NOTHING)
    rho = float(cap.amount)
    alpha = 1 + np.geomspace(1e-3, 1e4, 4000)
    total = float((rho * alpha + (np.log(1e5 / alpha) / (alpha - 1)) + np.log1p(-1 / alpha)).min())
    right = np.arange(times + 1)
    chance = stats.binom.pmf(right, times, 1 / (1 + math.exp(-epsilon)))
    over = float(chance @ -np.expm1(np.minimum(0, total - (2 * right - times) * epsilon)))
    assert 1 - (1 - delta) ** times * (1 - over) <= float(cap.delta + cap.apart)


def test_who_chooses_each_cost_after_the_losses_is_stopped_in_time() -> None:
    """Gaussian answers of ρᵢ have losses N(ρᵢ, 2ρᵢ). The adversary stakes all while it is behind,
    little while it is ahead, and stops as soon as it is above ε(ρ, δ). Of 1,000 runs at most δ may
    be (3 standard deviations more); one that need not stop at the cap is in far more."""
    delta, grid = 0.05, 256
    cap = Cap(RHO, Fraction(1, 4), Fraction(1, 20))
    total, rng = float(cap.amount), np.random.default_rng(1)
    limit = total + 2 * math.sqrt(total * math.log(1 / delta))

    def exceeded(cap: Cap) -> bool:
        spent, loss = NOTHING, 0.0
        while loss <= limit:
            share = (64 if loss < limit / 2 else 16) if loss < 0.8 * limit else 4
            price = cap.price(Cost(rho=Fraction(share, 4 * grid)))
            if not cap.lets(spent + price):
                return False
            spent += price
            rho = float(price.amount)
            loss += rng.normal(rho, math.sqrt(2 * rho))
        return True

    runs = 1000
    most = delta + 3 * math.sqrt(delta * (1 - delta) / runs)
    assert sum(exceeded(cap) for _ in range(runs)) <= most * runs
    assert sum(exceeded(Cap(RHO, Fraction(1), cap.delta)) for _ in range(99)) > most * 99

    def leaked(cap: Cap) -> bool:  # (ε, δ) answers that tell all with chance δ, else lose ε at most
        spent = NOTHING
        while True:
            each = eps(str(Fraction(int(rng.integers(1, 9)), 80)), str(Fraction(1, 100)))
            if not cap.lets(spent + cap.price(each)):
                assert spent.amount <= cap.amount
                return False
            spent += cap.price(each)
            if rng.random() < each.delta:
                return True

    assert (
        sum(leaked(Cap(EPSILON, Fraction(9), Fraction(1, 20))) for _ in range(runs)) <= most * runs
    )


# What is asked, and asked again


@pytest.mark.parametrize("measure", [EPSILON, RHO])
def test_another_programs_filter_stops_at_the_same_answer(measure: str) -> None:
    """OpenDP's, of whole noise whose ε or ρ is a power of two, so that its doubles add up exactly:
    up to the first that is refused, after which it answers nothing any longer."""
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib", "honest-but-curious")
    space, rho = (dp.atom_domain(T=int), dp.absolute_distance(T=int)), measure == RHO
    for seed in range(20):
        rng, spent = random.Random(seed), Fraction(0)
        cap = Cap(measure, Fraction(rng.randrange(8, 64), 32), Fraction(rho, 10**6))
        of = dp.zero_concentrated_divergence() if rho else dp.max_divergence()
        odometer = dp.c.make_fully_adaptive_composition(*space, output_measure=of)
        theirs, ours = dp.c.make_privacy_filter(odometer, 1, float(cap.amount))(7), True
        while ours:
            scale = 2 ** rng.randrange(1, 5)
            make = dp.m.make_gaussian if rho else dp.m.make_laplace
            noise = make(*space, scale=float(scale))
            spent += Fraction(1, 2 * scale**2) if rho else Fraction(1, scale)
            ours = cap.lets(Spent(spent))
            try:
                theirs(noise)
            except dp.OpenDPException:
                assert not ours
            else:
                assert ours


def test_an_answer_costs_once_and_of_another_version_again(tmp_path: Path) -> None:
    book, asked = made(tmp_path), plan(eps("2/5"))
    first = book.answer(asked, "line 0", TABLE, lambda: [7, -3])
    again = book.answer(asked, "line 0", TABLE, never)
    assert (first.fresh, again.fresh) == (True, False)
    assert (again.answer, again.head) == (first.answer, first.head) == ([7, -3], first.head)
    renamed = Plan(Terms(), (Line("other", ["one", 0], eps("2/5")),), "two")
    assert book.answer(renamed, "other", TABLE, never).answer == [7, -3]
    newer = book.answer(asked, "line 0", "its next version", lambda: [8])
    assert "a new spend" in newer.told[1].text
    assert book.state().spent == Spent(Fraction(4, 5))
    refused(lambda: book.answer(asked, "line 0", "a third", never), "left")
    held = book.path.read_bytes()
    assert not [words for words in (TABLE, "next version") if words.encode() in held]


def test_of_a_plan_that_is_paid_for_no_line_is_called_a_new_spend(tmp_path: Path) -> None:
    book, asked = made(tmp_path), plan(eps("1/5"), eps("1/5"))
    for table in (TABLE, "its next version"):
        told = [book.answer(asked, f"line {i}", table, lambda: 1).told[1:] for i in (0, 1)]
    assert ["new spend" in render(each) for (each,) in told] == [True, False]
    assert book.state().spent == Spent(Fraction(4, 5))


def test_a_plan_is_paid_whole_before_its_first_line(tmp_path: Path) -> None:
    book, whole = made(tmp_path), eps("7/10", "1e-7")
    asked = plan(eps("1/2"), eps("1/2"), whole=whole)
    book.book(asked, TABLE)
    assert book.state().spent == Spent(Fraction(7, 10), Fraction(1, 10**7))
    for name in ("line 1", "line 0"):
        assert book.answer(asked, name, TABLE, lambda: 1).fresh
    assert book.state().spent.amount == Fraction(7, 10)
    changed = plan(eps("1/2"), eps("1/3"), whole=whole)
    refused(lambda: book.answer(changed, "line 1", TABLE, never), "none may change")
    refused(lambda: book.answer(asked, "line 2", TABLE, never), "no line of this plan")
    refused(lambda: book.book(plan(eps("1/5"), eps("1/5"), digest="b"), TABLE), "left")
    other = Plan(Terms(PERSON_MONTH, 12), asked.lines, "c")
    refused(lambda: book.book(other, TABLE), "another promise")


def test_a_raised_cap_is_a_new_promise_and_nothing_is_refunded(tmp_path: Path) -> None:
    book = made(tmp_path)
    drawn = book.answer(plan(eps("1")), "line 0", TABLE, lambda: 5)
    more = Cap(EPSILON, Fraction(3, 2), ONE.delta)
    refused(lambda: book.raise_cap(more, "  "), "Write down why")
    refused(
        lambda: book.raise_cap(Cap(EPSILON, Fraction(1, 2), ONE.delta), "less"), "only be raised"
    )
    book.raise_cap(more, "the census asks for ages")
    first, second = book.state().promises
    assert (first.cap, second.cap, second.reason) == (ONE, more, "the census asks for ages")
    assert second.spent.amount == 1
    book.withdraw(int(drawn.head.partition(":")[0]), "wrong bounds")
    assert book.state().spent.amount == 1
    again = book.answer(plan(eps("1")), "line 0", TABLE, never)
    assert (again.answer, len(again.told)) == (5, 2)
    refused(lambda: book.withdraw(99, "no"), "no such answer")


def test_a_solved_plan_is_booked_at_the_price_that_it_shows(tmp_path: Path) -> None:
    """In a ledger of ε by the tightest bound, in one of ρ by the sum of ρ."""
    said = {"who": "the steward", "origin": "the form"}
    count, mean = Count(name="a", target=Target(Fraction(30))), Count(name="b")
    planned = plans.Plan(plans.Terms(**said), (count, mean))
    refused(lambda: booked_plan(planned), "no split")
    split = (plans.Share(GAUSSIAN, Fraction(1, 200)), plans.Share(LAPLACE, Fraction(1, 10)))
    planned = dataclasses.replace(planned, split=split)
    asked, cost = booked_plan(planned), planned.charge
    assert asked.price(ONE) == Spent(cost.epsilon, cost.delta)
    assert asked.price(Cap(RHO, Fraction(1), Fraction(1, 10))) == Spent(Fraction(1, 100))
    book = made(tmp_path, terms=Terms(adjacency="replace"))
    assert book.answer(asked, "a", TABLE, lambda: 7).fresh
    assert book.state().spent == Spent(cost.epsilon, cost.delta)
    looked = dataclasses.replace(planned, terms=planned.terms.with_(purpose=plans.LOOK))
    refused(lambda: booked_plan(looked), "to look at")


def test_the_command_line_makes_shows_checks_and_raises(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(tmp_path / "city.dpledger")

    def told(*words: str) -> tuple[int, str]:
        status = main(["ledger", place, *words])
        out, error = capsys.readouterr()
        return status, out + error

    assert told() == (2, told()[1])
    assert "There is no ledger" in told()[1]
    status, text = told("new", "population=People of a city", "rho=1/8", "delta=1e-6")
    assert (status, "Cap: ρ = 0.125, which is ε = 2.4191 with δ = 0.000001" in text) == (0, True)
    head = text.split()[-1]
    assert told("raise", "rho=1/4")[0] == told("raise", "epsilon=9", "because=x")[0] == 2
    text = told("raise", "rho=1/4", "because=asked again")[1]
    assert ("Cap: ρ = 0.25" in text, "beforehand" in text) == (True, False)  # no answer was there
    assert [told("check", each)[0] for each in (head, "1:0")] == [0, 1]
    held = json.loads(told("--json")[1])
    assert (held["left"]["amount"], [e["kind"] for e in held["entries"]]) == (
        "1/4",
        ["made", "raised"],
    )


# The file


def test_a_draw_that_fails_and_a_full_disk_spend_and_show_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = made(tmp_path)
    with pytest.raises(AssertionError, match="drawn"):
        book.answer(plan(eps("1")), "line 0", TABLE, never)
    connect = chained._connect

    def full(path: Path) -> sqlite3.Connection:
        base = connect(path)
        base.execute(f"PRAGMA max_page_count = {base.execute('PRAGMA page_count').fetchone()[0]}")
        return base

    with monkeypatch.context() as within:
        within.setattr(chained, "_connect", full)
        refused(lambda: book.answer(plan(eps("1")), "line 0", TABLE, lambda: 1), "Make room")
    assert book.state().spent == NOTHING
    assert len(book.state().entries) == 1


def test_a_hand_is_noticed_alone_and_a_cut_against_a_certificate(tmp_path: Path) -> None:
    book = made(tmp_path)
    heads = [
        book.answer(plan(eps("1/9"), digest=str(i)), "line 0", TABLE, lambda: 1).head
        for i in (1, 2)
    ]
    with sqlite3.connect(book.path) as base:
        for each in ("UPDATE entries SET body = ''", "DELETE FROM entries", "DELETE FROM secret"):
            with pytest.raises(sqlite3.IntegrityError, match="only added to"):
                base.execute(each)
    whole = book.path.read_bytes()

    def by_hand(*statements: str) -> None:
        book.path.write_bytes(whole)
        with sqlite3.connect(book.path) as base:
            for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
                base.execute(f"DROP TRIGGER {name}")
            for each in statements:
                base.execute(each)

    for edit in (
        "UPDATE entries SET body = replace(body, '1/9', '1/99') WHERE n = 2",
        "DELETE FROM entries WHERE n = 3",
        "UPDATE entries SET n = 10 WHERE n = 5",
        "DELETE FROM secret",
        "DELETE FROM entries",
    ):
        by_hand(edit)
        refused(book.state, "was changed from outside")
        refused(
            lambda: book.answer(plan(eps("1/9"), digest="3"), "line 0", TABLE, never), "changed"
        )
    by_hand("DELETE FROM entries WHERE n > 3")
    assert [book.state().holds(head) for head in heads] == [True, False]


def test_another_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    book = made(tmp_path)
    refused(lambda: made(tmp_path), "is there already")
    later, foreign, text = (tmp_path / name for name in ("later", "foreign", "text"))
    later.write_bytes(book.path.read_bytes())
    for path, pragma in ((later, "user_version = 2"), (foreign, "user_version = 1")):
        with sqlite3.connect(path) as base:
            base.execute(f"PRAGMA {pragma}")
    text.write_text("no ledger" * 1000)
    for path, words in (
        (later, "later version"),
        (foreign, "no ledger"),
        (text, "no ledger"),
        (tmp_path / "none", "There is no ledger"),
    ):
        refused(Book(path).state, words)
        refused(lambda path=path: Book(path).answer(plan(eps("1")), "line 0", "t", never), words)
    book.path.chmod(0o400)
    refused(lambda: book.answer(plan(eps("1")), "line 0", TABLE, never), "cannot be written")
    assert book.state().spent == NOTHING


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/mounts")
def test_a_drive_of_another_machine_is_refused(tmp_path: Path, monkeypatch: Any) -> None:
    mounts = ["/dev/sda / ext4 rw 0 0", "srv:/a /mnt/our\\040files nfs4 rw 0 0"]
    mounts += ["/dev/sdb /mnt/our\\040files/disk ext4 rw 0 0"]
    told = [
        chained.remote(Path(p), mounts)
        for p in ("/mnt/x", "/mnt/our files/a", "/mnt/our files/disk/a")
    ]
    assert told == ["", "nfs4", ""]
    assert [chained.remote(Path("/a"), [f"x / {k} rw"]) for k in ("cifs", "fuse.sshfs")] != ["", ""]
    book = made(tmp_path)
    monkeypatch.setattr(chained, "remote", lambda path: "nfs4")
    refused(lambda: book.answer(plan(eps("1")), "line 0", TABLE, never), "drive of another machine")
    assert len(book.state().entries) == 1


# Processes

_CHILD = """
import sys
from fractions import Fraction
from pathlib import Path
from dpstudio.files.ledgers.amounts import Cost, LedgerError, Terms
from dpstudio.files.ledgers.book import Book, Line, Plan
book, name, cost, times = Book(Path(sys.argv[1])), sys.argv[2], Fraction(sys.argv[3]), int(sys.argv[4])
print("ready", flush=True)
sys.stdin.readline()
for i in range(times):
    plan = Plan(Terms(), (Line("a", [name, i], Cost(cost)),), f"{name} {i}")
    try:
        print(i, book.answer(plan, "a", "t", lambda: i).head, flush=True)
    except LedgerError as error:
        print("refused", flush=True)
"""


def child(book: Book, name: str, cost: str, times: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", _CHILD, str(book.path), name, cost, str(times)]
    pipe = subprocess.PIPE
    made = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True)
    assert made.stdout is not None
    assert made.stdout.readline() == "ready\n"
    return made


def killed(book: Book, name: str, after: float) -> list[tuple[int, str]]:
    """What a process showed until it was killed: the number of each answer, and its head."""
    process = child(book, name, "1/1000000", 10**6)
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    lines = process.communicate()[0].splitlines()
    whole = [line.split(" ") for line in lines if len(line.partition(":")[2]) == 64]
    return [(int(number), head) for number, head in whole]


def unpaid(book: Book, shown: list[tuple[int, str]]) -> list[int]:
    """What was shown and is not kept with its spend. Raises LedgerError where it does not open."""
    state = book.state()
    drawn = {entry.head: entry.body for entry in state.of(DRAWN)}
    assert state.spent.amount == Fraction(len(state.of("booked")), 10**6)
    booked = {entry.n for entry in state.of("booked")}
    return [
        number
        for number, head in shown
        if head not in drawn
        or drawn[head]["answer"] != number
        or drawn[head]["booked"] not in booked
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="kills with -9")
def test_killed_at_any_moment_nothing_was_shown_without_its_spend(tmp_path: Path) -> None:
    assert run_ledger_kills(tmp_path, 3, None) == 0


def run_ledger_kills(folder: Path, times: int, seed: int | None) -> int:
    """Kill so often; how many answers were shown that are not kept with their spend."""
    rng, shown, faults, book = np.random.default_rng(seed), 0, 0, made(folder)
    for number in range(times):
        if number and number % 25 == 0:  # each answer reads all that are kept
            (folder / str(number)).mkdir()
            book = made(folder / str(number))
        told = killed(book, str(number), rng.uniform(0.02, 0.2))
        faults, shown = faults + len(unpaid(book, told)), shown + len(told)
    print(f"{times} kills, {shown} answers shown, {faults} of them not paid")
    return faults + (shown == 0)


def test_of_two_who_race_for_the_last_of_the_budget_one_wins(tmp_path: Path) -> None:
    book = made(tmp_path)
    racers = [child(book, name, "3/5", 1) for name in "ab"]
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("\n")
        racer.stdin.flush()
    told = sorted(racer.communicate()[0].strip().split(" ")[0] for racer in racers)
    assert told == ["0", "refused"]
    assert book.state().spent.amount == Fraction(3, 5)
