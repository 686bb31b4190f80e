"""Which bounds hold for noise that is chosen on the way, as each declares it.

One that orders all lists alike, whatever follows, depends on a single sum, and a budget for a sum
set beforehand is kept whatever was chosen; of bounds that may order two lists one way and, with the
same answers after both, the other way nothing is proved ("natural filters", arXiv 2602.15815)."""

import itertools

import numpy as np
import pytest

from dpstudio.privacy.accounting import ACCOUNTANTS, KOV33, ZCDP, Accountant, Advanced, Spend
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian
from dpstudio.privacy.mechanisms.laplace import Laplace

DELTA = 1e-5
PROVED = [kind() for kind in ACCOUNTANTS if kind.proven and not kind.approximate]
GAUSSIAN = [Spend.of(AnalyticGaussian(epsilon=e, delta=1e-9)) for e in (0.05, 0.2, 0.3, 0.8)]
PURE = [Spend.of(Laplace(epsilon=e)) for e in (0.05, 0.2, 0.7, 1.0)]
FORMS = [Spend(e) for e in (0.05, 0.1, 1.0, 3.0)]  # of which only ε is known


def total(bound: Accountant, world: tuple[Spend, ...]) -> float:
    return bound.world_epsilon(world, DELTA)


def turns(bound: Accountant, kinds: list[Spend]) -> bool:
    """Whether the same answers after two lists turn the order of their totals."""
    rng = np.random.default_rng(5)
    often = 60 if kinds is FORMS else 9
    few = [
        (kinds[at].times(int(n)),)
        for at in range(4)
        for n in (1, *np.exp(rng.uniform(0.7, np.log(often) * 1.8, often)))
    ]
    more = (kinds[1].times(300),)
    before = [total(bound, world) for world in few]
    after = [total(bound, (*world, *more)) for world in few]
    pairs = itertools.permutations(range(len(few)), 2)
    return any(
        before[i] < before[j] * (1 - 1e-6) and after[i] > after[j] * (1 + 1e-9) for i, j in pairs
    )


@pytest.mark.parametrize("bound", PROVED, ids=lambda bound: bound.key)
def test_a_bound_on_the_way_depends_on_one_sum(bound: Accountant) -> None:
    fits = [
        kinds
        for kinds in (GAUSSIAN, PURE, FORMS)
        if not any(bound.unfit(spend) for spend in kinds) and bound.key != "shortcut"
    ]
    if bound.adaptive and not isinstance(bound, Advanced):
        assert fits
        assert not any(turns(bound, kinds) for kinds in fits)
    elif not isinstance(bound, (Advanced, KOV33)):  # of equal answers alone
        assert any(turns(bound, kinds) for kinds in fits)


def test_drv_never_stops_later_than_a_filter() -> None:
    """√(2 ln(1/δ′) Σε²) + Σε²/2 is zCDP's form of pure answers (Whitehouse et al. 2023, Theorem
    1), a sum that `turns` looked at."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        spends = [Spend(float(e)) for e in 10 ** rng.uniform(-3, 1, 4)]
        world = tuple(
            spend.times(int(n)) for spend, n in zip(spends, rng.integers(1, 200, 4), strict=True)
        )
        assert total(Advanced(), world) >= total(ZCDP(), world) * (1 - 1e-12)


def test_nothing_that_is_not_proved_holds_on_the_way() -> None:
    for kind in ACCOUNTANTS:
        assert not (kind.adaptive and (kind.approximate or not kind.proven)), kind.key
