"""Parts over disjoint rows: which they are, and what a person pays who has rows in several."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from dpstudio.data.conditions import Where, parse
from dpstudio.plans.charge import Part, Unit, summed
from dpstudio.plans.disjoint import disjoint, lots
from dpstudio.plans.plan import Plan, Terms
from dpstudio.plans.question import ByGroup, Count, Question, Total
from dpstudio.privacy.accounting import ADD_REMOVE, REPLACE

TOLD = Terms(who="the steward", origin="the form", delta=0)


@pytest.mark.parametrize(
    ("a", "b", "types", "proved"),
    [
        ("age > 50", "age <= 50", {}, True),
        ("age > 50", "age < 60", {}, False),
        ('sex = "Male"', 'sex = "Female"', {}, True),
        ('sex = "Male"', 'sex != "Male"', {}, True),
        ('sex = "Male"', "age > 50", {}, False),
        ('sex = "Male" and age > 50', 'sex = "Female" or age < 20', {}, True),
        ("age is missing", "age > 50", {}, True),
        # Of whole numbers alone: nobody is 50.5.
        ("age > 50", "age < 51", {}, False),
        ("age > 50", "age < 51", {"age": "integer"}, True),
        # A month lies in its year, if these are dates; as words they differ.
        ("born = 2020-03", "born = 2020", {}, False),
        ("born = 2020-03", "born = 2020", {"born": "category"}, True),
        ("born < 2020", "born >= 2020", {}, True),
        ("age > 50", "age = 50", {"age": "category"}, False),  # which has no order
        ("", "age > 50", {}, False),
        ("not_a < 3 and not_a > 5", "age > 50", {}, True),
    ],
)
def test_what_is_disjoint_is_proved(a: str, b: str, types: dict[str, str], proved: bool) -> None:
    assert disjoint(parse(a), parse(b), types) is proved
    assert disjoint(parse(b), parse(a), types) is proved


def test_lots_hold_conditions_of_which_no_two_are_met_at_once() -> None:
    texts = ["age > 50", "", 'sex = "a"', "age <= 50", 'sex = "b"', "age > 40"]
    assert lots([parse(text) for text in texts], {}) == (0, None, 1, 0, 1, None)


WHERES = ["x < 1", "x >= 1 and x < 2", "x >= 2", "", "y < 1", "y >= 1"]


def _plan(adjacency: str, rows: int) -> Plan:
    def named(place: int) -> dict[str, object]:
        return {"name": f"q{place}", "where": parse(WHERES[place])}

    questions: tuple[Question, ...] = (
        Count(**named(0)),
        Total(low=-1, high=3, **named(1)),
        ByGroup(groups=("a", "b"), **named(2)),
        Total(low=2, high=3, **named(3)),
        Count(**named(4)),
        Count(**named(5)),
    )
    return Plan(TOLD.with_(adjacency=adjacency, rows=rows), questions)


PLACES = (0, 1, 2, 2, 3, 4, 5)  # the question of each number of `_answers`


def _answers(rows: tuple[tuple[int, int, str, int], ...]) -> list[int]:
    """What the questions of `_plan` have in the sum over these rows (x, y, group, value)."""
    return [
        sum(x == 0 for x, _, _, _ in rows),
        sum(min(max(v, -1), 3) for x, _, _, v in rows if x == 1),
        *(sum(x == 2 and g == name for x, _, g, _ in rows) for name in "ab"),
        sum(min(max(v, 2), 3) for *_, v in rows),
        sum(y == 0 for _, y, _, _ in rows),
        sum(y == 1 for _, y, _, _ in rows),
    ]


def _most(sizes: np.ndarray, weights: list[Fraction]) -> Fraction:
    """The largest weighted sum over the last axis, in whole numbers."""
    whole = math.lcm(*(w.denominator for w in weights))
    return Fraction(int((sizes @ np.array([int(w * whole) for w in weights])).max()), whole)


@pytest.mark.parametrize("adjacency", [ADD_REMOVE, REPLACE])
@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("seed", range(2))
def test_no_person_pays_more_than_is_charged(adjacency: str, rows: int, seed: int) -> None:
    """Every table of a person's rows against every other: Σ ε|Δ|/Δ₁ and Σ ρΔ²/Δ₂² never pass what
    is charged, and with one row each they reach it."""
    plan = _plan(adjacency, rows)
    costs = [Fraction(1 + (7 * seed + 3 * i) % 5, 10) for i in range(6)]
    pure = plan.parts(["laplace"] * 6, costs)
    gaussian = plan.parts(["gaussian"] * 6, costs)
    assert [p.lot for p in pure] == [0, 0, 0, None, 1, 1]
    kinds = list(itertools.product((0, 1, 2), (0, 1), "ab", (-1, 2, 3)))
    if rows == 2:  # groups of no matter left out, and a third of the values
        kinds = [k for k in kinds if (k[2] == "a" or k[0] == 2) and k[3] != 2]
    come = adjacency == ADD_REMOVE
    sizes = range(1 if come else 0, rows + 1)
    held = (one for n in sizes for one in itertools.combinations_with_replacement(kinds, n))
    after = np.array([_answers(one) for one in held])
    before = np.array([_answers(())]) if come else after
    apart = np.abs(after[:, None, :] - before[None, :, :])
    reach = [plan.errors[place].reach for place in PLACES]
    paid = [costs[place] for place in PLACES]
    most = [
        _most(apart, [c / r.l1 for c, r in zip(paid, reach, strict=True)]),
        _most(apart**2, [c / r.l2_squared for c, r in zip(paid, reach, strict=True)]),
    ]
    unit = plan.terms.unit
    charged = [summed(pure, unit, lambda p: p.epsilon), summed(gaussian, unit, lambda p: p.rho)]
    assert most[0] <= charged[0]
    assert most[1] <= charged[1]
    if rows == 1 and adjacency == ADD_REMOVE:
        assert most == charged


@pytest.mark.parametrize("touched", [1, 2, 3, 4])
def test_of_a_lot_the_dearest_are_paid(touched: int) -> None:
    """Against every set of parts that a person may touch, in rationals."""
    costs = [Fraction(n, 7) for n in (3, 9, 1, 9, 4)]
    parts = [Part("pure", c, times=1 + i % 2, lot=0) for i, c in enumerate(costs)]
    parts.append(Part("pure", Fraction(1, 3)))
    unit = Unit(ADD_REMOVE, touched) if touched % 2 else Unit(REPLACE, touched // 2)
    sets = itertools.combinations(parts[:-1], touched)
    worst = max(sum(p.epsilon for p in one) for one in sets) + Fraction(1, 3)
    assert summed(parts, unit, lambda p: p.epsilon) == worst
    assert Where() == parse("")
