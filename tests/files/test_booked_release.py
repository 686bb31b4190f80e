"""Lines of a plan as they are released: by the law that is charged, on the grid, and never twice."""

import dataclasses
import math
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpstudio.data.dataset import Dataset
from dpstudio.files.booked.amounts import EPSILON, Cap, LedgerError, Terms
from dpstudio.files.booked.book import make_ledger
from dpstudio.files.booked.drawing import as_planned, drawn
from dpstudio.files.booked.releasing import Desk, Source
from dpstudio.plans.laws import noises
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.plan import Terms as PlanTerms
from dpstudio.plans.question import (
    EXPONENTIAL,
    GAUSSIAN,
    LAPLACE,
    ByGroup,
    Count,
    Mean,
    MostCommon,
    Total,
)
from dpstudio.privacy.mechanisms.choosing import Exponential
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.sampling import ReleaseRandom

TOLD = PlanTerms(who="the steward", origin="the form", epsilon=Fraction(3))
CHANCE = ReleaseRandom(random.Random(7).randrange)
ROWS = [(float(i % 9), "abc"[i % 3]) for i in range(60)]
TABLE = Dataset(pd.DataFrame(ROWS, columns=["x", "c"]), "people", "people.csv", "1" * 64)
QUESTIONS = (
    (Count(name="n"), Share(LAPLACE, Fraction(1, 2))),
    (ByGroup(name="g", column="c", groups=("a", "b")), Share(GAUSSIAN, Fraction(1, 50))),
    (Total(name="s", column="x", low=0, high=8), Share(GAUSSIAN, Fraction(1, 50))),
    (Mean(name="m", column="x", low=0, high=8), Share(LAPLACE, Fraction(1, 5))),
    (MostCommon(name="w", column="c", groups=("a", "b")), Share(EXPONENTIAL, Fraction(1, 4))),
)
PLAN = Plan(TOLD, tuple(q for q, _ in QUESTIONS), tuple(s for _, s in QUESTIONS))


@pytest.mark.parametrize(("question", "share"), QUESTIONS, ids=lambda e: getattr(e, "name", ""))
def test_draws_have_the_law_that_is_charged(question: object, share: Share) -> None:
    """Exact numbers of the table taken away, noise is of the law: chi-square on eight parts."""
    draw = drawn(PLAN, question, share, as_planned(PLAN, TABLE, ""))
    made = [draw.make(CHANCE) for _ in range(1500)]
    if not question.additive:
        won = np.bincount([m[0]["drawn"][0] for m in made], minlength=2)
        chances = Exponential(epsilon=0.25).pmf(Scores(np.array([20.0, 20.0]), 1.0, False))
        assert stats.chisquare(won, chances * len(made)).pvalue > 1e-4
        return
    for place, law in enumerate(noises(question, TOLD.unit, share.noise, share.cost)):
        exact = float(draw._exact[place][0] * law.step)
        found = np.array([float(m[place]["drawn"][0] * law.step) - exact for m in made])
        size = float(law.size)
        scipy_law = stats.norm(0, math.sqrt(size)) if law.gaussian else stats.laplace(0, size)
        if law.step == 1:  # whole numbers: between two of them
            scipy_law = stats.dlaplace(1 / size)
        grid = np.linspace(-3, 3, 7) * found.std() + 0.5
        parts = np.diff(np.concatenate([[0], scipy_law.cdf(grid), [1]]))
        held = np.bincount(np.searchsorted(grid, found), minlength=len(parts))
        kept = parts * len(made) >= 5
        both = (np.append(h[kept], h[~kept].sum()) for h in (held, parts * len(made)))
        observed, expected = (b if b[-1] > 0 else b[:-1] for b in both)
        assert stats.chisquare(observed, expected * observed.sum() / expected.sum()).pvalue > 1e-4
        assert all(isinstance(k, int) for m in made[:9] for k in m[place]["drawn"])
        assert not law.gaussian or law.step**2 * 2**58 <= law.size


def test_a_plan_is_paid_once_and_answers_again(tmp_path: Path) -> None:
    cap = Cap(EPSILON, Fraction(9), Fraction(1, 100))
    book = make_ledger(tmp_path / "l", "people", Terms(adjacency="replace"), cap)
    desk, source = Desk(book), Source(TABLE)
    first = desk.release(PLAN, source, ["n"])
    assert first.state.spent.amount == PLAN.charge.epsilon
    whole = desk.release(PLAN, source)
    assert whole.state.spent == first.state.spent
    assert whole.lines[0].answer == first.lines[0].answer
    assert [line.fresh for line in whole.lines] == [False, True, True, True, True]
    for line in whole.lines:
        for cell in line.cells(PLAN):
            assert cell.method
    cells = whole.lines[1].cells(PLAN)
    assert int(cells[2].value) == int(cells[0].value) + int(cells[1].value)


def test_what_cannot_be_released_is_refused_by_name(tmp_path: Path) -> None:
    cap = Cap(EPSILON, Fraction(9), Fraction(1, 100))
    book = make_ledger(tmp_path / "l", "people", Terms(adjacency="replace"), cap)
    many = dataclasses.replace(PLAN, terms=TOLD.with_(rows=3))
    often = dataclasses.replace(PLAN, questions=(Count(name="n", times=2), *PLAN.questions[1:]))
    for plan, words in ((many, "name the column"), (often, "draws each line once")):
        with pytest.raises(LedgerError, match=words):
            Desk(book).release(plan, Source(TABLE))
    assert len(book.state().entries) == 1
