"""Numbers that are fitted to each other: by numpy's least squares, and as near as is said by simulation."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpstudio.plans import methods
from dpstudio.plans.fitted import RARELY, Answer, Fit, fits
from dpstudio.plans.joint import Weighed
from dpstudio.plans.laws import noises
from dpstudio.plans.plan import Plan, Share, Terms
from dpstudio.plans.published import TOTAL, Cell, published
from dpstudio.plans.question import (
    GAUSSIAN,
    LAPLACE,
    ByGroup,
    Count,
    Histogram,
    Question,
    SumByGroup,
    Total,
    TwoWay,
)
from dpstudio.values.messages import Num, render

C, G = ("a", "b", "c"), ("u", "v")
TABLE = TwoWay(name="table", column="c", groups=C, other="g", other_groups=G)
# Words in another order are the same words.
BY_C = ByGroup(name="by c", column="c", groups=C[::-1])
BY_G = ByGroup(name="by g", column="g", groups=G)
ALL = Count(name="all")
X = {"low": -1, "high": 4}
SUMS = SumByGroup(name="sums", column="c", groups=C, measured="x", **X)
SUM = Total(name="sum", column="x", **X)
LINES: tuple[Question, ...] = (ALL, BY_C, TABLE, BY_G)
# By hand: which cells of the table, row by row, each line adds up.
ROWS = {
    "all": [range(6)],
    "by c": [(4, 5), (2, 3), (0, 1)],
    "by g": [(0, 2, 4), (1, 3, 5)],
    "table": [(i,) for i in range(6)],
}
TRUTH = np.array([40.0, 3, 7, 900, 0, 65])


def planned(questions: tuple[Question, ...], noise: dict[str, str]) -> Plan:
    split = tuple(Share(noise[q.name], Fraction(1, 7 + place)) for place, q in enumerate(questions))
    terms = Terms(who="w", origin="o", epsilon=Fraction(9), confidence=Fraction(4, 5))
    return Plan(terms, questions, split)


@pytest.mark.parametrize("noise", [LAPLACE, GAUSSIAN])
@pytest.mark.parametrize("base", [None, Fraction(1, 4), Fraction(250)])
def test_flags_and_totals_follow_from_what_is_published(noise: str, base: Fraction | None) -> None:
    """Every cell is there whatever was drawn, on the base; who has the printed line alone finds the
    same flag, and the totals are the sums of the printed numbers."""
    rng, plan = np.random.default_rng(51), planned((TABLE,), {"table": noise})
    for wide in (0, 3, 80, 4000):
        answer = [{"step": "1", "drawn": [int(n) for n in rng.integers(-wide, wide + 1, 6)]}]
        cells = published(plan, TABLE, plan.split[0], answer, base)
        inner = {e.labels: Fraction(e.value) for e in cells if TOTAL not in e.labels}
        assert list(inner) == list(itertools.product(C, G))
        for cell in cells:
            assert (cell.flag != "") == (2 * Fraction(cell.half) > abs(Fraction(cell.value)))
            adds = [n for at, n in inner.items() if _within(at, cell.labels)]
            assert Fraction(cell.value) == sum(adds) == (base or 1) * round(sum(adds) / (base or 1))


def _within(at: tuple[str, ...], labels: tuple[str, ...]) -> bool:
    return all(label in (TOTAL, one) for one, label in zip(at, labels, strict=True))


def drawn(rng: np.random.Generator, plan: Plan, exact: dict[str, np.ndarray]) -> list[Answer]:
    """With noise of numpy's own, at scales that are written here: a row that is replaced leaves a
    cell and enters another."""
    made = []
    for q, share in zip(plan.questions, plan.split, strict=True):
        (law,) = noises(q, plan.terms.unit, share.noise, share.cost)
        reach = 1 if isinstance(q, Count) else 5 if isinstance(q, Total) else 2
        square = 1 if isinstance(q, Count) else 25 if isinstance(q, Total) else 2
        if isinstance(q, SumByGroup):
            reach, square = 8, 32
        size = (
            math.sqrt(square / (2 * share.cost)) if share.noise == GAUSSIAN else reach / share.cost
        )
        shape = len(exact[q.name])
        if share.noise == GAUSSIAN:
            noise = rng.normal(0, size, shape)
        elif law.step == 1:
            p = -math.expm1(-1 / size)
            noise = rng.geometric(p, shape) - rng.geometric(p, shape)
        else:
            noise = rng.laplace(0, size, shape)
        steps = [round(Fraction(float(n)) / law.step) for n in exact[q.name] + noise]
        made.append(Answer(q, share, [{"step": str(law.step), "drawn": steps}]))
    return made


def counted() -> dict[str, np.ndarray]:
    return {name: np.array([TRUTH[list(r)].sum() for r in rows]) for name, rows in ROWS.items()}


@pytest.mark.parametrize("seed", range(3))
def test_the_fit_is_that_of_least_squares(seed: int) -> None:
    rng = np.random.default_rng(seed)
    noise = {q.name: str(rng.choice([GAUSSIAN, LAPLACE])) for q in LINES}
    plan = planned(LINES, noise)
    answers = drawn(rng, plan, counted())
    a, y, weights = [], [], []
    for each in answers:
        cost = float(each.share.cost)
        one = each.question.cells == 1
        variance = (1 if one else 2) / (2 * cost) if each.share.noise == GAUSSIAN else 0
        for row, k in zip(ROWS[each.question.name], each.drawn[0]["drawn"], strict=True):
            a.append(np.isin(np.arange(6), row).astype(float))
            y.append(float(Fraction(each.drawn[0]["step"]) * k))
            weights.append((variance or 2 * ((1 if one else 2) / cost) ** 2) ** -0.5)
    w = np.array(weights)
    best = np.linalg.lstsq(np.array(a) * w[:, None], np.array(y) * w, rcond=None)[0]
    found = fits(plan, answers)
    assert set(found) == set(ROWS)
    assert [float(n) for n in found["table"].numbers] == pytest.approx(best.tolist(), abs=1e-8)


def cells(
    found: dict[str, Fit], name: str, base: Fraction | None = None
) -> dict[tuple[str, ...], Cell]:
    return {cell.labels: cell for cell in found[name].cells(base)}


def test_all_tables_add_up_to_each_other_on_every_grid() -> None:
    plan = planned(LINES, dict.fromkeys(ROWS, GAUSSIAN))
    found = fits(plan, drawn(np.random.default_rng(1), plan, counted()))
    for base in (None, Fraction(5)):
        table, by_c, by_g = (cells(found, name, base) for name in ("table", "by c", "by g"))
        value = {labels: Fraction(cell.value) for labels, cell in table.items()}
        for c in C:
            assert value[c, "total"] == value[c, "u"] + value[c, "v"] == Fraction(by_c[(c,)].value)
        for g in G:
            assert value["total", g] == sum(value[c, g] for c in C) == Fraction(by_g[(g,)].value)
        (whole,) = cells(found, "all", base).values()
        assert value["total", "total"] == Fraction(whole.value) == Fraction(by_c[("total",)].value)
        assert all(base is None or (each / base).denominator == 1 for each in value.values())
        assert "least squares of “table”" in whole.method


@pytest.mark.parametrize("noises_", [(GAUSSIAN, GAUSSIAN), (LAPLACE, GAUSSIAN)])
def test_fitted_numbers_are_as_near_as_is_said(noises_: tuple[str, str]) -> None:
    """All cells of a line at once, each total by itself; of Gaussian noise alone no wider than so,
    and nearer than the sums of cells are."""
    rng, runs = np.random.default_rng(5), 150
    for lines, exact in (
        (LINES, counted()),
        ((SUM, SUMS), {"sum": np.array([40.0]), "sums": np.array([9.0, 30.5, 0.5])}),
    ):
        kinds = itertools.cycle(noises_)
        plan = planned(lines, {q.name: next(kinds) for q in lines})
        missed: dict[str, int] = {}
        for _ in range(runs):
            found = fits(plan, drawn(rng, plan, exact))
            assert set(found) == set(exact)
            for name, truth in exact.items():
                shown = found[name].cells(None)
                off = [
                    abs(Fraction(c.value) - Fraction(e)) > Fraction(c.half)
                    for c, e in zip(shown, truth, strict=False)
                ]
                missed[name] = missed.get(name, 0) + any(off)
                for cell in shown[len(truth) :]:
                    if set(cell.labels) == {"total"}:
                        far = abs(Fraction(cell.value) - Fraction(float(truth.sum())))
                        key = f"total of {name}"
                        missed[key] = missed.get(key, 0) + (far > Fraction(cell.half))
        noise = 4 * math.sqrt(runs * 0.16)
        assert max(missed.values()) <= runs * 0.2 + noise, missed
        if noises_ == (GAUSSIAN, GAUSSIAN):
            assert min(missed.values()) >= runs * 0.2 - noise - runs * 0.05, missed
    fit = fits(plan := planned(LINES, dict.fromkeys(ROWS, GAUSSIAN)), drawn(rng, plan, counted()))
    whole = cells(fit, "table")[("total", "total")]
    (law,) = noises(TABLE, plan.terms.unit, GAUSSIAN, plan.split[2].cost)
    assert float(whole.half) < 0.8 * Weighed((law,), (np.ones(6),)).half_width(0.8)


def test_a_contradiction_is_said_and_noise_is_none() -> None:
    """Rows without a typed word are in the count alone: once they are more than the noise, the two
    numbers that were drawn stand in the sentence; without them nothing does."""
    rng = np.random.default_rng(3)
    for kind in (GAUSSIAN, LAPLACE):
        plan, silent = planned((ALL, TABLE), dict.fromkeys(ROWS, kind)), counted()
        for rows, contradicts in ((0, False), (3_000, True)):
            exact = {**silent, "all": silent["all"] + rows}
            for _ in range(20):
                answers = drawn(rng, plan, exact)
                found = fits(plan, answers)["table"]
                assert (found.apart is not None) == contradicts
                (sentence,) = map(render, methods.contradicts(found)) if contradicts else ("",)
                if contradicts:
                    numbers = [
                        sum(e.drawn[0]["drawn"]) * Fraction(e.drawn[0]["step"]) for e in answers
                    ]
                    assert found.apart is not None
                    assert (found.apart.said, found.apart.added) == tuple(numbers)
                    assert 20 < found.apart.most < 1_000
                    assert f"“all” published {Num(float(numbers[0]), 9)} where" in sentence
    # As often as is said, by draws of numpy's.
    plan = planned((ALL, TABLE), dict.fromkeys(ROWS, GAUSSIAN))
    given = drawn(rng, plan, {**counted(), "all": counted()["all"] + 3_000})
    (pair,) = {e.apart for e in fits(plan, given).values()}
    assert pair is not None
    one, other = (float(share.cost) for share in plan.split)
    far = rng.normal(0, (1 / (2 * one) + 6 / other) ** 0.5, 400_000)
    assert np.mean(np.abs(far) > pair.most) == pytest.approx(1 / RARELY, rel=0.2)


def test_a_half_width_that_the_fit_makes_wider_is_told_with_what_it_was() -> None:
    """By Chernoff's bound alone that of a count went from ±30 to ±49 without a word, though the fit
    brings it nearer. By all laws it is nearer; of a count far finer than the rest it is not."""
    rng = np.random.default_rng(8)
    for fine, wider in (("1/10", False), ("9/10", True)):
        split = tuple(Share(LAPLACE, Fraction(cost)) for cost in (fine, "1/10", "1/10"))
        plan = Plan(Terms(who="w", origin="o"), (ALL, BY_C, TABLE), split)
        answers = [
            Answer(q, s, [{"step": "1", "drawn": [int(n) for n in rng.integers(0, 900, q.cells)]}])
            for q, s in zip(plan.questions, split, strict=True)
        ]
        found = fits(plan, answers)
        for each in answers:
            name, fit = each.question.name, found[each.question.name]
            alone = published(plan, each.question, each.share, each.drawn, None)
            told = [render(said) for said in methods.loosened(fit.cells(None), fit)]
            assert bool(told) == (wider and name == "all"), name
            if told:
                assert told[0] in map(render, methods.intervals(plan, fit.cells(None), None, fit))
                (cell,) = fit.cells(None)
                assert f"from ±{alone[0].half} to ±{cell.half}." in told[0]


def test_only_what_adds_up_is_fitted() -> None:
    """Other rows, other words, other bounds, a column twice, or one line alone: none."""
    for lines in (
        (TABLE, ByGroup(name="other rows", column="c", groups=C, where="g = u")),
        (TABLE, ByGroup(name="other words", column="c", groups=C[:2])),
        (SUMS, Total(name="other bounds", column="x", low=-1, high=5)),
        (SUMS, Count(name="of rows")),
        (TwoWay(name="twice", column="c", groups=C, other="c", other_groups=C), BY_C),
        (Histogram(name="bins", column="c", edges=(0, 1, 2)), BY_C),
        (TABLE,),
    ):
        plan = planned(lines, {q.name: GAUSSIAN for q in lines})
        exact = {q.name: np.zeros(q.cells) for q in lines}
        assert fits(plan, drawn(np.random.default_rng(0), plan, exact)) == {}


@pytest.mark.parametrize("seed", range(2))
def test_sums_of_several_noises_keep_their_width(seed: int) -> None:
    """Mixed noises with random weights, against their own draws: never too narrow, and where one is
    the widest by far, hardly wider than it alone."""
    rng = np.random.default_rng(seed)
    plan = planned((SUMS, TABLE, ALL), {"sums": LAPLACE, "table": GAUSSIAN, "all": LAPLACE})
    laws = tuple(
        noises(q, plan.terms.unit, s.noise, s.cost)[0]
        for q, s in zip(plan.questions, plan.split, strict=True)
    )
    by = tuple(rng.uniform(-1, 1, law.cells) for law in laws)
    sd = math.sqrt(float(laws[1].size))
    p = -math.expm1(-1 / float(laws[2].size))
    total = (
        rng.laplace(0, float(laws[0].size), (20_000, 3)) @ by[0]
        + rng.normal(0, sd, (20_000, 6)) @ by[1]
        + (rng.geometric(p, (20_000, 1)) - rng.geometric(p, (20_000, 1))) @ by[2]
    )
    for confidence in (0.5, 0.95, 0.999):
        wide = Weighed(laws, by).half_width(confidence)
        kept = float(np.quantile(np.abs(total), confidence))
        assert 0.98 * kept <= wide <= (1.15 if confidence > 0.99 else 1.04) * kept
    for count in (2, 7, 60):
        law = replace(laws[2], cells=count)
        total = (rng.geometric(p, (20_000, count)) - rng.geometric(p, (20_000, count))).sum(axis=1)
        for confidence in (0.5, 0.95, 0.999):
            wide = Weighed((law,), (np.ones(count),)).half_width(confidence)
            kept = float(np.quantile(np.abs(total), confidence))
            assert 0.97 * kept <= wide <= 1.05 * kept + 2 * count
    alone = tuple(
        np.array([1.0, *[1e-9] * (len(b) - 1)]) * k
        for b, k in zip(by, (1, 1e-9, 1e-9), strict=True)
    )
    lap = float(laws[0].size) * math.log(20)
    assert lap <= Weighed(laws, alone).half_width(0.95) <= 1.02 * lap
