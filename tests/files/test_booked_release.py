"""Lines of a plan as they are released: by the law that is charged, on the grid, as near as is said,
and never twice."""

import dataclasses
import math
import random
import sqlite3
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpstudio.data.dataset import Dataset
from dpstudio.files.booked.drawing import Draw, as_planned, drawn
from dpstudio.files.booked.releasing import Desk, Source
from dpstudio.files.booked.tables import paragraph
from dpstudio.files.ledgers import chained
from dpstudio.files.ledgers.amounts import EPSILON, Cap, LedgerError, Terms
from dpstudio.files.ledgers.book import BOOKED, DRAWN, Book, make_ledger
from dpstudio.plans import confirmed
from dpstudio.plans.laws import noises
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.plan import Terms as PlanTerms
from dpstudio.plans.published import Cell, published
from dpstudio.plans.question import (
    EXPONENTIAL,
    GAUSSIAN,
    LAPLACE,
    NOISY_MAX,
    ByGroup,
    Count,
    Histogram,
    Mean,
    MeanByGroup,
    MostCommon,
    Quantile,
    Question,
    SumByGroup,
    Total,
    TwoWay,
)
from dpstudio.privacy.attacks.float_bits import reachable
from dpstudio.privacy.mechanisms.choosing import Exponential, NoisyMax
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.release import opendp_maps
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.parameters import ParamError

TOLD = PlanTerms(who="the steward", origin="the form", epsilon=Fraction(50))
CHANCE = ReleaseRandom(random.Random(7).randrange)
ROWS = [(float(i % 9), "abc"[i % 3], "uv"[i % 2]) for i in range(60)]
TABLE = Dataset(pd.DataFrame(ROWS, columns=["x", "c", "g"]), "people", "people.csv", "1" * 64)
X: dict[str, Any] = {"column": "x", "low": 0, "high": 8}
C: dict[str, Any] = {"column": "c", "groups": ("a", "b")}
BY: dict[str, Any] = {**C, "measured": "x", "low": 0, "high": 8}


def rho(n: int) -> Share:
    return Share(GAUSSIAN, Fraction(1, n))


def eps(n: int, noise: str = LAPLACE) -> Share:
    return Share(noise, Fraction(1, n))


QUESTIONS: tuple[tuple[Question, Share], ...] = (
    (Count(name="count", where="x > 4"), eps(2)),
    (Count(name="gaussian count", where="x > 4"), rho(50)),
    (ByGroup(name="groups", **C), rho(50)),
    (Histogram(name="histogram", column="x", edges=(0, 3, 6, 9)), eps(2)),
    (TwoWay(name="table", **C, other="g", other_groups=("u", "v")), eps(2)),
    (Total(name="sum", **X), rho(50)),
    (SumByGroup(name="sums", **BY), eps(2)),
    (Mean(name="mean", **X), eps(1)),
    (Mean(name="gaussian mean", **X), rho(4)),
    (Mean(name="mean of known size", **X, size=60, size_known=True), eps(5)),
    (MeanByGroup(name="means", **BY), rho(2)),
    (MostCommon(name="word", **C), eps(4, EXPONENTIAL)),
    (MostCommon(name="noisy word", **C), eps(4, NOISY_MAX)),
    (Quantile(name="median", column="x", grid=(1, 3, 5, 7)), eps(4, EXPONENTIAL)),
    (Quantile(name="far median", column="x", grid=(-3, 1)), eps(1, EXPONENTIAL)),
    (Quantile(name="noisy third", column="x", share="1/3", grid=(1, 3, 5, 7)), eps(4, NOISY_MAX)),
)
PLAN = Plan(TOLD, tuple(q for q, _ in QUESTIONS), tuple(s for _, s in QUESTIONS))
NAMED = pytest.mark.parametrize(
    ("question", "share"), QUESTIONS, ids=[q.name for q, _ in QUESTIONS]
)


def draw_of(question: Question, share: Share, plan: Plan = PLAN) -> Draw:
    return drawn(plan, question, share, as_planned(plan, TABLE, ""))


def truth(question: Question) -> list[float]:
    """The exact answer, by pandas; of a choice how far each candidate is behind the best."""
    frame = TABLE_FRAME
    if isinstance(question, Count):
        return [float((frame.x > 4).sum())]
    if isinstance(question, Histogram):
        return np.histogram(frame.x, question.edges)[0].astype(float).tolist()
    if isinstance(question, Mean | Total):
        return [float(frame.x.mean() if question.counted else frame.x.sum())]
    if isinstance(question, Quantile):
        below, up_to = (np.array([f(frame.x, v).sum() for v in question.grid]) for f in (_lt, _le))
        middle = float(question.share) * len(frame)
        off = np.maximum(0, np.maximum(below - middle, middle - up_to))
        return (off - off.min()).tolist()
    if isinstance(question, TwoWay):
        made = pd.crosstab(frame.c, frame.g).loc[list(question.groups), list(question.other_groups)]
        return made.to_numpy().ravel().astype(float).tolist()
    groups = frame.groupby("c").x
    made = {"sum_by_group": groups.sum, "mean_by_group": groups.mean}.get(
        question.key, groups.size
    )()
    found = made.loc[list(question.groups)].astype(float).tolist()
    return [max(found) - each for each in found] if question.key == "most_common" else found


_lt, _le, TABLE_FRAME = np.less, np.less_equal, pd.DataFrame(ROWS, columns=["x", "c", "g"])


def alike(observed: np.ndarray, expected: np.ndarray) -> float:
    """The p-value of chi-square; parts of fewer than five are one."""
    kept = expected >= 5
    pairs = [np.append(each[kept], each[~kept].sum()) for each in (observed, expected)]
    some = pairs[1] > 0
    held = [each[some] for each in pairs]
    return float(stats.chisquare(held[0], held[1] * held[0].sum() / held[1].sum()).pvalue)


@NAMED
def test_draws_have_the_law_that_is_charged(question: Question, share: Share) -> None:
    """Exact numbers of the table taken away, noise is of the law."""
    assert run_draws(question, share, 400) > 1e-4


def run_draws(question: Question, share: Share, times: int) -> float:
    """The least p-value of so many draws against the law that the ledger is charged for: scales are
    written here anew. `tests/soak.py --only laws` asks 200,000."""
    draw = draw_of(question, share)
    made = [draw.make(CHANCE) for _ in range(times)]
    if not question.additive:
        won = np.bincount([m[0]["drawn"][0] for m in made], minlength=question.cells)
        kind = Exponential if share.noise == EXPONENTIAL else NoisyMax
        scores = Scores(-np.array(truth(question)), 1.0, False)
        return alike(won, kind(epsilon=float(share.cost)).pmf(scores) * times)
    found, exact = [], truth(question)
    for place, law in enumerate(noises(question, TOLD.unit, share.noise, share.cost)):
        centre = exact
        if question.counted:  # about the middle, and the rows
            rows = [20.0] * 2 if question.cells > 1 else [60.0]
            centre = rows if place else [n * (m - 4) for n, m in zip(rows, exact, strict=True)]
        noise = np.array(
            [
                [
                    float(Fraction(m[place]["step"]) * k) - c
                    for k, c in zip(m[place]["drawn"], centre, strict=True)
                ]
                for m in made
            ]
        ).ravel()
        size = scale_by_hand(question, share, place)
        scipy_law: Any = stats.norm(0, size) if share.noise == GAUSSIAN else stats.laplace(0, size)
        if law.step == 1:
            scipy_law = stats.dlaplace(1 / size)
        grid = np.floor(np.array([-2, -1, -0.5, 0, 0.5, 1, 2]) * size) + 0.5
        parts = np.diff(np.concatenate([[0], scipy_law.cdf(grid), [1]]))
        held = np.bincount(np.searchsorted(grid, noise), minlength=len(parts))
        found.append(alike(held, parts * len(noise)))
        drawn_ = [k for m in made for k in m[place]["drawn"]]
        assert all(type(k) is int for k in drawn_)
        # The exact profile of Gaussian noise is charged on a grid of 2^−29 of σ.
        assert share.noise != GAUSSIAN or float(law.step) <= size * 2**-29
    return min(found)


@pytest.mark.parametrize("at", [0, 1, 7, 999_999])
def test_the_attack_on_doubles_proves_nothing_of_what_is_drawn(at: int) -> None:
    """Of noise in doubles it proves a quarter of the answers to be of one neighbour alone; whole
    steps of a grid are within reach of both."""
    law = noises(Count(name="a"), TOLD.unit, LAPLACE, Fraction(1))[0]
    drawn_ = [at + int(law.step * CHANCE.discrete_laplace(law.in_steps)) for _ in range(2_000)]
    for exact in (at, at + 1):
        assert reachable(np.array(drawn_, dtype=float), float(exact)).all()
    doubles = at + np.random.default_rng(1).laplace(0, 1, 2_000)
    assert at > 0 or not reachable(doubles, 1.0).all()


def run_laws(times: int) -> int:
    """How many kinds of question are drawn by another law than theirs: of so many draws each."""
    found = {question.name: run_draws(question, share, times) for question, share in QUESTIONS}
    for name, p in found.items():
        print(f"{name}: p = {p:.3g}", flush=True)
    return sum(p < 1e-6 for p in found.values())


def scale_by_hand(question: Question, share: Share, place: int) -> float:
    """Of one row that is replaced: a cell loses 1 and another gains 1; a sum moves by 8, two by 8
    each; a mean's sum about 4 by 8, or by 4 with a count of 1; by group two of each."""
    cost, several = float(share.cost), question.cells > 1
    l1 = {"sum": 8, "sum_by_group": 16}.get(question.key, 2 if several else 1)
    square = {"sum": 64, "sum_by_group": 128}.get(question.key, 2 if several else 1)
    if question.key == "mean":
        public = question.size_known  # type: ignore[attr-defined]
        l1, square = ((8, 64), (2, 4 / 3))[place] if not public else (8, 64)
    if question.key == "mean_by_group":
        l1, square = ((16, 64), (4, 4))[place]
    return math.sqrt(square / (2 * cost)) if share.noise == GAUSSIAN else l1 / cost


CONFIDENCE = Fraction(4, 5)
LESS = dataclasses.replace(PLAN, terms=TOLD.with_(confidence=CONFIDENCE))


@NAMED
def test_published_intervals_hold_as_often_as_is_said(question: Question, share: Share) -> None:
    """All numbers of a question at once; of each total by itself; rounded or not. Every number lies
    on its grid, and totals are the sums of the cells beside them."""
    missed, tight, times = run_intervals(question, share, 120)
    assert missed <= times * 0.2 + 4 * math.sqrt(times * 0.16)
    # Nor are they wide for nothing: counts of rows are whole, choices and means at their worst.
    assert missed >= tight


def run_intervals(question: Question, share: Share, times: int) -> tuple[int, float, int]:
    """How many of so many releases miss the exact answer in any number; the totals likewise."""
    draw, exact, missed = draw_of(question, share, LESS), truth(question), 0
    totals = dict[tuple[str, ...], int]()
    for number in range(times):
        base = None if number % 2 else Fraction(1, 4) if question.key == "sum" else None
        cells = published(LESS, question, share, draw.make(CHANCE), base)
        shown = [c for c in cells if c.method != "sum of published cells"]
        off = (_off(question, c, e) for c, e in zip(shown, exact, strict=question.additive))
        missed += any(each > Fraction(c.half) for each, c in zip(off, shown, strict=True))
        for cell in cells[len(shown) :]:
            assert Fraction(cell.value) == sum(Fraction(c.value) for c in _under(cell, shown))
            own = sum(e for c, e in zip(shown, exact, strict=True) if c in _under(cell, shown))
            totals[cell.labels] = totals.get(cell.labels, 0) + (
                abs(Fraction(cell.value) - Fraction(own)) > Fraction(cell.half)
            )
        whole = [c for c in cells if question.key in ("count", "by_group", "histogram", "two_way")]
        assert all(Fraction(c.value).denominator == 1 for c in whole)
    most = times * 0.2 + 4 * math.sqrt(times * 0.16)
    assert all(each <= most for each in totals.values()), totals
    loose = question.counted or not question.additive or share.noise == LAPLACE
    return missed, 0 if loose else times * 0.2 - 4 * math.sqrt(times * 0.16), times


def _off(question: Question, cell: Cell, exact: float) -> Fraction:
    if question.additive:
        return abs(Fraction(cell.value) - Fraction(exact))
    known = (
        question.groups if isinstance(question, MostCommon) else [f"{v:g}" for v in question.grid]
    )  # type: ignore[attr-defined]
    return Fraction(truth(question)[list(known).index(cell.value)])


def _under(total: Cell, cells: list[Cell]) -> list[Cell]:
    """The cells that a total is the sum of, by their labels."""
    return [
        cell
        for cell in cells
        if len(total.labels) != len(cell.labels)
        or all(t in ("total", c) for t, c in zip(total.labels, cell.labels, strict=True))
    ]


# Rows who come, go or are replaced by any other: who fails the condition, lacks the value or word,
# lies beyond the bounds, or is alone in a group.
PEOPLE: list[tuple[Any, ...]] = [
    (float("nan"), "a", "u"),
    (1e300, None, "u"),
    (-1e300, "zzz", None),
    (0.1, "a", "v"),
    (7.9, "b", "u"),
    (5.0, "b", "v"),
]


@pytest.mark.parametrize("adjacency", ["replace", "add_remove"])
@NAMED
def test_no_neighbour_moves_an_answer_by_more_than_is_charged(
    question: Question, share: Share, adjacency: str
) -> None:
    """Every table of three against every neighbour, in fractions: of geometric noise Σ|Δ|/b is at
    most ε, of Gaussian noise Σ Δ²/2σ² at most ρ, and of a choice no chance grows by more than e^ε,
    all of them together. One pair comes to most of that."""
    plan = dataclasses.replace(PLAN, terms=TOLD.with_(adjacency=adjacency))
    law, held = noises(question, plan.terms.unit, share.noise, share.cost), {}
    here, others = [(3.0, "a", "u"), (5.0, "b", "v")], [*PEOPLE]

    def numbers(rows: list[tuple[Any, ...]]) -> Any:
        data = Dataset(pd.DataFrame(rows, columns=["x", "c", "g"]), "t", "t.csv", "1" * 64)
        draw = drawn(plan, question, share, as_planned(plan, data, ""))
        return [draw._exact[0]] if not question.additive else draw._exact

    for place, person in enumerate(others):
        held[place] = numbers([*here, person])
    held[None] = numbers(here)
    pairs = [(a, b) for a in held for b in held if a is not b]
    if adjacency == "add_remove":
        pairs = [(a, b) for a, b in pairs if None in (a, b)]
    else:
        pairs = [(a, b) for a, b in pairs if None not in (a, b)]
    if question.additive:
        paid = [
            sum(
                _loss(noise, a - b)
                for noise, ours, theirs in zip(law, held[one], held[two], strict=True)
                for a, b in zip(ours, theirs, strict=True)
            )
            for one, two in pairs
        ]
        assert max(paid) <= share.cost
        assert max(paid) > share.cost * Fraction(2, 5)
        return
    span = Fraction(1) if adjacency == "replace" or question.key == "most_common" else None
    by = float(share.cost) / float(question.reach(plan.terms.unit).l1)
    monotone = adjacency != "replace" and question.key == "most_common"
    assert span is None or question.reach(plan.terms.unit).l1 == span
    for one, two in pairs:
        kind = Exponential if share.noise == EXPONENTIAL else NoisyMax
        ours, theirs = (
            np.log(
                kind(epsilon=by).pmf(
                    Scores(-np.array([float(x) for x in held[t][0]]), 1.0, monotone)
                )
            )
            for t in (one, two)
        )
        gaps = ours - theirs
        assert gaps.max() <= float(share.cost) + 1e-9
        assert share.noise != EXPONENTIAL or np.ptp(gaps) <= float(share.cost) + 1e-9


def _loss(noise: Any, by: Fraction) -> Fraction:
    return by**2 / (2 * noise.in_steps) if noise.gaussian else abs(by) / noise.in_steps


def test_a_sum_is_about_the_middle_where_no_double_is_the_middle() -> None:
    """Next to bounds far from 0 a double misses it by much of their span."""
    far = 10**14
    question = Mean(name="far", column="x", low=far, high=Fraction(far) + Fraction(1, 3))
    plan = Plan(TOLD, (question,), (eps(1),))
    data = Dataset(pd.DataFrame({"x": [far + 0.25] * 4}), "t", "t.csv", "1" * 64)
    draw = drawn(plan, question, plan.split[0], as_planned(plan, data, ""))
    step = noises(question, TOLD.unit, LAPLACE, Fraction(1))[0].step
    assert abs(draw._exact[0][0] * step - Fraction(1, 3)) <= 4 * step


def ledger(folder: Path) -> Book:
    cap = Cap(EPSILON, Fraction(99), Fraction(1, 100))
    return make_ledger(folder / "l", "people", Terms(adjacency="replace"), cap)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, also where it is installed: that confirms no noisy max."""
    monkeypatch.setattr(opendp_maps, "there", lambda: False)


@pytest.mark.usefixtures("bare")
def test_a_plan_is_paid_once_and_answers_again(tmp_path: Path) -> None:
    desk, source = Desk(ledger(tmp_path)), Source(TABLE)
    first = desk.release(PLAN, source, ["count"])
    assert first.state.spent.amount == PLAN.charge.epsilon
    whole = desk.release(PLAN, source)
    assert whole.state.spent == first.state.spent
    assert whole.lines[0].answer == first.lines[0].answer
    assert [line.fresh for line in whole.lines] == [False] + [True] * (len(QUESTIONS) - 1)
    assert all(cell.method for line in whole.lines for cell in line.cells(PLAN))


def test_what_cannot_be_released_is_refused_by_name(tmp_path: Path) -> None:
    book = ledger(tmp_path)
    many = dataclasses.replace(PLAN, terms=TOLD.with_(rows=3))
    often = dataclasses.replace(PLAN, questions=(Count(name="n", times=2), *PLAN.questions[1:]))
    # else a word among numbers that are told to be words would be refused, and printed
    told = dataclasses.replace(PLAN, terms=TOLD.with_(types="x: category"))
    refused = ((many, "name the column"), (often, "draws each line once"), (told, "another type"))
    for plan, words in refused:
        with pytest.raises(LedgerError, match=words):
            Desk(book).release(plan, Source(TABLE))
    with pytest.raises(ParamError, match="no column “X”"):
        Desk(book).release(
            dataclasses.replace(PLAN, terms=TOLD.with_(types="X: number")), Source(TABLE)
        )
    assert len(book.state().entries) == 1


@pytest.mark.usefixtures("bare")
def test_of_a_full_disk_nothing_is_shown_and_nothing_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, connect = ledger(tmp_path), chained._connect

    def full(path: Path) -> sqlite3.Connection:
        base = connect(path)
        base.execute(f"PRAGMA max_page_count = {base.execute('PRAGMA page_count').fetchone()[0]}")
        return base

    with monkeypatch.context() as within:
        within.setattr(chained, "_connect", full)
        with pytest.raises(LedgerError, match="Nothing was shown and nothing spent"):
            Desk(book).release(PLAN, Source(TABLE))
    assert (book.state().spent.amount, len(book.state().entries)) == (0, 1)


_CHILD = """
import sys
from fractions import Fraction
from pathlib import Path
import pandas as pd
from dpstudio.data.dataset import Dataset
from dpstudio.files.ledgers.book import Book
from dpstudio.files.booked.releasing import Desk, Source
from dpstudio.files.booked.tables import paragraph
from dpstudio.plans.plan import Plan, Share, Terms
from dpstudio.plans.question import LAPLACE, Count

source = Source(Dataset(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), "t", "t.csv", "1" * 64))
terms = Terms(who="w", origin="o", epsilon=Fraction(1, 10), delta=Fraction(0))
desk = Desk(Book(Path(sys.argv[1])))
for made in range(10**6):  # plans of which each costs something else
    each = 10**6 + 1000 * int(sys.argv[2]) + made
    asked = Count(name="a"), Count(name="b", where=f"x > {made}")
    plan = Plan(terms, asked, tuple(Share(LAPLACE, Fraction(1, n)) for n in (each, 10**6)))
    for name in "ab":
        (line,) = desk.release(plan, source, [name]).lines
        print(line.head, line.answer[0]["drawn"][0], flush=True)
"""


def run_release_kills(folder: Path, times: int, seed: int | None) -> int:
    """Kill a program that releases so often; how many numbers were shown that are not kept, or not
    paid."""
    rng, shown, faults = random.Random(seed), 0, 0
    (folder / "released").mkdir()
    book = ledger(folder / "released")
    for number in range(times):
        if number and number % 25 == 0:  # sums of many odd fractions become too long
            (folder / f"released {number}").mkdir()
            book = ledger(folder / f"released {number}")
        words = [sys.executable, "-c", _CHILD, str(book.path), str(number)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        first = process.stdout.readline()  # however long the machine takes for it
        time.sleep(rng.uniform(0, 0.4))
        process.kill()
        told = [line.split(" ") for line in (first + process.communicate()[0]).split("\n")[:-1]]
        state = book.state()
        drawn_ = {entry.head: entry.body for entry in state.of(DRAWN)}
        paid = {entry.n for entry in state.of(BOOKED)}
        shown += len(told)
        faults += sum(
            head not in drawn_
            or drawn_[head]["answer"][0]["drawn"][0] != int(value)
            or drawn_[head]["booked"] not in paid
            for head, value in told
        )
    print(f"{times} kills, {shown} numbers shown, {faults} of them not paid")
    return faults + (shown == 0)


@pytest.mark.skipif(sys.platform == "win32", reason="kills with -9")
def test_killed_at_any_moment_no_number_was_shown_without_its_spend(tmp_path: Path) -> None:
    assert run_release_kills(tmp_path, 1, None) == 0


EVERY = [
    (dataclasses.replace(PLAN, terms=TOLD.with_(adjacency=adjacency, rows=rows)), pairs)
    for adjacency in ("replace", "add_remove")
    for rows in (1, 3, 10**6)
    for pairs in [[(q, s) for q, s in QUESTIONS if s.noise != NOISY_MAX]]
]


def test_another_programs_proofs_confirm_every_line() -> None:
    """Of OpenDP, by its own maps: at most what is paid, and not far below it, so that the distances
    are those that one person moves a line by. Odd costs, so that its doubles round."""
    pytest.importorskip("opendp")
    rng = random.Random(5)
    for plan, pairs in EVERY:
        odd = [
            (q, Share(s.noise, Fraction(rng.randrange(1, 10**6), 10 ** rng.randint(5, 8))))
            for q, s in pairs * 2
        ]
        assert confirmed.unconfirmed(plan, odd) is None
        for question, share in odd:
            less = Share(share.noise, share.cost * (1 - Fraction(1, 10**9)))
            moves = list(confirmed._measured(plan, question, share))
            paid = less.cost if question.additive else less.cost**2 / 8
            lost = [sum(opendp_maps.mapped(move)) for move in moves]
            assert max(lost) > paid


def test_what_another_program_does_not_confirm_does_not_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer stands for the library; what was drawn before is given again all the same."""
    monkeypatch.setattr(opendp_maps, "there", lambda: False)
    desk, source = Desk(ledger(tmp_path)), Source(TABLE)
    drawn_before = desk.release(PLAN, source, ["noisy word"])
    monkeypatch.setattr(opendp_maps, "there", lambda: True)
    monkeypatch.setattr(opendp_maps, "named", lambda: "OpenDP 0")
    before = len(desk.book.state().entries)
    for name, answer, words in (
        ("noisy third", [], "has no proof for the noisy max"),
        ("count", [0.5 + 2**-53], "loses 0.5.*, and it pays 0.5"),
        ("count", RuntimeError('Rust stack:\n  at 0x1\n  Failed("no")'), r"did not say \(“Failed"),
        ("count", [math.inf], "did not say"),
    ):
        with monkeypatch.context() as within:
            within.setattr(opendp_maps, "losses", lambda asked, answer=answer: told(answer))
            with pytest.raises(LedgerError, match=words):
                desk.release(PLAN, source, ["groups", name] if name != "count" else [name])
    assert len(desk.book.state().entries) == before
    again = desk.release(PLAN, source, ["noisy word"])
    assert again.lines[0].answer == drawn_before.lines[0].answer
    monkeypatch.setattr(opendp_maps, "losses", lambda asked: [0.5])
    desk.release(PLAN, source, ["count"])
    assert desk.book.state().entries[-1].body["confirmed"] == "OpenDP 0"


def test_a_folder_of_its_name_is_not_the_other_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a release would be refused where one happens to work beside such."""
    (tmp_path / "opendp").mkdir()
    before = opendp_maps.there()
    monkeypatch.syspath_prepend(tmp_path)
    assert opendp_maps.there() == before


def told(answer: Any) -> Any:
    if isinstance(answer, Exception):
        raise answer
    return answer


def test_a_release_is_fitted_without_its_withdrawn_lines(tmp_path: Path) -> None:
    """Beside sums: what is published then is not what was drawn, and says so; another release of the
    same lines is not fitted, and a line that was withdrawn has no say."""
    asked = (ByGroup(name="by c", **C), Count(name="all"), Mean(name="mean", **X))
    plan = Plan(TOLD, asked, (rho(2), rho(2), rho(9)))
    desk, source = Desk(ledger(tmp_path)), Source(TABLE)
    made = desk.release(plan, source)
    cells, whole, mean = (line.cells(plan) for line in made.fitted.lines)
    assert sum(Fraction(c.value) for c in cells[:-1]) == Fraction(whole[0].value)
    assert cells[-1].value == whole[0].value
    assert Fraction(cells[-1].half) < Fraction(made.lines[0].cells(plan)[-1].half)
    assert mean == made.lines[2].cells(plan)
    text = paragraph(made.fitted, made.fitted.lines[0], None)
    assert ("least squares" in text, "sums of the published" in text) == (True, False)
    desk.book.withdraw(int(made.lines[1].head.partition(":")[0]), "wrong")
    again = desk.release(plan, source).fitted
    assert again.lines[0].cells(plan) == made.lines[0].cells(plan)
