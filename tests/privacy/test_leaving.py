"""What leaves the program is drawn exactly: every law, choice and report, against the laws that are
drawn to look at, and the promise with what rounding costs."""

from __future__ import annotations

import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from running import leaves

from dpstudio.charts.figure import array
from dpstudio.data.dataset import Dataset
from dpstudio.plans.exact import fraction_of
from dpstudio.privacy.learning import exact_models
from dpstudio.privacy.local import NUMBERS, PROTOCOLS, coins, hadamard, piecewise
from dpstudio.privacy.local.protocol import CAREFUL, Protocol
from dpstudio.privacy.mechanisms import MECHANISMS, Additive, Sensitivity, selection, staircase
from dpstudio.privacy.mechanisms.choosing import SELECTIONS, NoisyMax
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.query import Clipping
from dpstudio.privacy.queries.total import Mean, Sum
from dpstudio.privacy.queries.variance import Deviation
from dpstudio.privacy.release.release import Release
from dpstudio.privacy.sampling import (
    NotDrawnError,
    ReleaseRandom,
    Reporting,
    at_most,
    exponential_above,
)
from dpstudio.privacy.synthetic.chance import Exact


def chance(seed: int = 7) -> ReleaseRandom:
    """Chance that can be told again: any source of integers serves the same algorithms."""
    return ReleaseRandom(random.Random(seed).randrange)


ONE = Sensitivity(1.0, 1.0, 1.0)


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_noise_that_leaves_follows_its_law(kind: type[Additive]) -> None:
    """The largest gap between the shares of 3,000 exact draws and the cdf, which 1.95/√n misses
    once in a thousand times (Kolmogorov). One that says not how it is drawn stays, in a sentence."""
    law = kind().law(ONE)
    if not leaves(kind):
        with pytest.raises(NotDrawnError):
            law.leave(chance(), 1, Fraction(1), Fraction(1))
        return
    step = Fraction(1) if law.discrete else Fraction(1, 1 << 30)
    drawn = chance()
    noise = np.sort([float(law.leave(drawn, 1, step, Fraction(1))[0] * step) for _ in range(3000)])
    below = np.searchsorted(noise, noise, side="right") / len(noise)
    assert np.max(np.abs(below - law.cdf(noise))) < 1.95 / math.sqrt(len(noise))


@pytest.mark.parametrize("gamma", [0.0, 0.37, 1.0])
def test_a_stair_is_crossed_once_by_a_whole_move(gamma: float) -> None:
    """The staircase on a coarse grid: every shift within the width changes the exact pmf by e^ε at
    most, and the shares of draws are that pmf."""
    law, step = staircase.StaircaseLaw(1.0, 0.8, gamma), Fraction(1, 5)
    width, fall = 5, float(exponential_above(Fraction(0.8)))
    high = round(gamma * width)
    size = np.abs(np.arange(-60, 61))
    pmf = fall ** (size // width + (size % width >= high)).astype(float)
    for shift in range(1, width + 1):
        ratio = pmf[shift:] / pmf[:-shift]
        assert max(ratio.max(), 1 / ratio.min()) <= math.exp(0.8) * (1 + 1e-12)
    drawn = law.leave(chance(), 4000, step, Fraction(1))
    for place in (0, 1, 4, 7, -3):
        share = pmf[60 + place] / pmf.sum()
        seen = drawn.count(place) / len(drawn)
        assert abs(seen - share) < 5 * math.sqrt(share / len(drawn))


def test_odds_are_never_above_those_of_epsilon() -> None:
    for epsilon in (0.001, 1.0, 25.0, 50.0, 500.0):
        above = exponential_above(Fraction(epsilon))
        with localcontext() as context:
            context.prec = 120
            exact = Decimal(-epsilon).exp()
            given = Decimal(above.numerator) / Decimal(above.denominator)
            assert exact <= given <= exact * (1 + Decimal(2) ** -60)


class _Scales(ReleaseRandom):
    """Keeps the scales and the chances that it is asked for."""

    def discrete_laplace(self, scale: Fraction) -> int:
        seen.append(scale)
        return 0

    def chance(self, probability: Fraction) -> bool:
        chances.append(probability)
        return False


seen: list[Fraction] = []
chances: list[Fraction] = []


@pytest.mark.parametrize("epsilon", [0.001, 0.7, 50.0])
@pytest.mark.parametrize("high", [0.3, 1.0, 1e6])
def test_the_promise_pays_for_the_grid(epsilon: float, high: float) -> None:
    """In steps of the grid, a neighbour moves the rounded sum by Δ/γ + 1 at most: with the scale in
    force that costs ε at most; and the noise is a millionth wider, no more."""
    data = Dataset(pd.DataFrame({"x": [0.123456789, 0.987654321, 0.3]}), "t")
    asked = Sum(column="x", low=0.0, high=high, attested=True).ask(data, "add_remove")
    mechanism = next(kind for kind in MECHANISMS if kind.key == "laplace")(epsilon=epsilon)
    release = Release(asked, mechanism)
    seen.clear()
    (steps,) = release.leave(_Scales(random.Random(1).randrange))
    (step,) = release.grids
    delta = Fraction(asked.measurements[0].sensitivity.l1)
    assert (delta / step + 1) / seen[0] <= Fraction(epsilon)
    assert seen[0] * step <= delta / Fraction(epsilon) * (1 + Fraction(1, 10**6))
    assert abs(steps[0] * step - Fraction(float(asked.truth[0]))) <= step / 2
    known = release.left([steps])
    assert known.truth[0] == float(steps[0] * step)


@pytest.mark.parametrize("epsilon", [0.1, 0.2, 0.7, 1.1, 2.3, 0.3])
def test_what_is_drawn_costs_no_more_than_the_decimal_that_is_said(epsilon: float) -> None:
    """Of most of these the double lies a hair above what is read: by every exact sampler the loss,
    from the scale in force or the exact odds, is at most the decimal."""
    said, data = Fraction(str(epsilon)), Dataset(pd.DataFrame({"x": [0.1, 0.9, 0.3]}), "t")
    of = {kind.key: kind(epsilon=epsilon) for kind in MECHANISMS}
    x = {"column": "x", "low": 0.0, "high": 0.3, "attested": True}
    for query, key in (
        (Count(where="x > 0"), "geometric"),
        (Sum(**x), "laplace"),
        (Mean(**x), "laplace"),
    ):
        for adjacency in ("add_remove", "replace"):
            release = Release(query.ask(data, adjacency), of[key])
            seen.clear()
            release.leave(_Scales(random.Random(1).randrange))
            parts = zip(release.asked.measurements, release.grids, seen, strict=True)
            moves = ((Fraction(m.sensitivity.l1) / g, g, scale) for m, g, scale in parts)
            spent = sum((steps + (g != 1)) / scale for steps, g, scale in moves)
            assert 0.999 * said < spent <= said
            assert fraction_of(release.guarantee.epsilon) == said
    fall = exponential_above(at_most(epsilon))
    with localcontext() as context:
        context.prec = 60
        assert Decimal(fall.numerator) / fall.denominator >= (-Decimal(str(epsilon))).exp()
    scores = selection.Scores(np.array([0.0, 3.0]), 1.0, monotone=True)
    for kind in SELECTIONS:
        assert kind(epsilon=epsilon).exactly(scores)[0] <= 3 * said
    seen.clear()
    counted, each = exact_models.bayes_parts(epsilon, 3, 0.25)
    exact_models.moments(np.zeros((2, 1), np.int64), epsilon, 1, _Scales(int), replace=False)
    Exact(_Scales(int)).laplace(3 / epsilon, 1)
    assert counted + 3 * each <= said
    assert 3 * exact_models.MOST**2 / seen[0] <= said
    assert 3 / seen[-1] <= said
    one, other = exact_models.scales(2 / epsilon, 4 / epsilon, 1, 2, 1, epsilon)
    assert 1 / one + 2 / other <= said


def test_parts_that_were_rounded_cost_no_more_than_the_whole() -> None:
    """A third of an ε or of a δ is a double that may lie above it: three stairs with the odds that
    they are drawn by, and three leaks, add up to no more than the decimals that are booked."""
    data = Dataset(pd.DataFrame({"x": [0.1, 0.9]}), "t")
    asked = Deviation(column="x", low=0.0, high=1.0, attested=True).ask(data, "add_remove")
    of = {kind.key: kind for kind in MECHANISMS}
    for epsilon in (0.2, 1 / 3, 2 / 3, 43.563335173138633):
        chances.clear()
        release = Release(asked, of["staircase"](epsilon=epsilon))
        release.leave(_Scales(random.Random(1).randrange))
        with localcontext() as context:
            context.prec = 60
            falls = [Decimal(p.numerator) / p.denominator for p in chances[::2]]
            assert len(falls) == 3
            assert 0.999 * epsilon < -sum(fall.ln() for fall in falls) <= Decimal(str(epsilon))
        chances.clear()
        leaky = Release(asked, of["catastrophe"](epsilon=epsilon, delta=1e-5))
        leaky.leave(_Scales(random.Random(1).randrange))
        assert leaky.guarantee.delta == 1e-5
        assert 0.999e-5 < sum(chances) <= Fraction(1, 10**5)


@pytest.mark.parametrize("p", [0.001, 0.25, 0.5, 0.7, 0.9, 0.999])
def test_coins_claim_no_less_than_their_four_probabilities(p: float) -> None:
    """Of the p that is read, by decimals."""
    claimed = fraction_of(coins.BiasedCoins(p=p).claim)
    with localcontext() as context:
        context.prec, said = 60, Decimal(str(p))
        coin, other = (1 - said) * said, (1 - said) ** 2  # yes and no without the truth
        true = max((said + coin) / coin, (said + other) / other).ln()
        given = Decimal(claimed.numerator) / claimed.denominator
        assert true <= given <= true * (1 + Decimal(10) ** -13)


@pytest.mark.parametrize(
    ("query", "key", "value", "ends"),
    [
        # A sum beyond 2^53 is rounded to every second or fourth integer.
        (Sum(low=0, high=1e12 - 1), "geometric", 10**12 - 1, (0, 10**12 - 1)),
        # A difference of sums of 3·10^13, about a middle of 10^9, moves by 1.016 Δ.
        (Mean(low=1e9, high=1e9 + 0.3), "laplace", 1e9 + 0.1, (1e9, 1e9 + 0.3)),
    ],
    ids=lambda given: getattr(given, "key", None),
)
def test_the_promise_pays_for_rounded_sums(
    query: Clipping, key: str, value: float, ends: tuple[float, float]
) -> None:
    """The steps between what two neighbours leave, over the scale in force: the part of ε at
    most."""
    mechanism = next(kind for kind in MECHANISMS if kind.key == key)(epsilon=0.7)
    left = []
    for end in ends:
        data = Dataset(pd.DataFrame({"x": [end, *[value] * 30_000]}), "t")
        release = Release(query.with_(column="x", attested=True).ask(data, "replace"), mechanism)
        seen.clear()
        left.append(release.leave(_Scales(random.Random(1).randrange))[0][0])
    part = Fraction(release.shared.noises[0][0].epsilon)
    assert 0.99 * part < abs(left[0] - left[1]) / seen[0] <= part


@pytest.mark.parametrize("rows", [1, 2, 30_000])
def test_equal_values_have_no_deviation(rows: int) -> None:
    """To the last digit, also where the variance is the small difference of two numbers."""
    data = Dataset(pd.DataFrame({"x": [12.37] * rows}), "t")
    asked = Deviation(column="x", low=0, high=100, n_public=True).ask(data, "replace")
    assert asked.measurements[0].values[0] < 1e-12
    assert asked.truth[0] < 1e-12


@pytest.mark.parametrize("mechanism", [*(k() for k in SELECTIONS), NoisyMax(noise="gumbel")])
def test_winners_that_leave_follow_the_exact_chances(mechanism: selection.Selection) -> None:
    scores, drawn = selection.Scores(array([3.0, 2.0, 0.0, 2.5]), 1.0, monotone=True), chance()
    won = np.bincount([mechanism.leave(drawn, scores) for _ in range(4000)], minlength=4)
    expected = 4000 * mechanism.pmf(scores)
    assert np.sum((won - expected) ** 2 / expected) < 16.3  # 99.9 % of χ² with 3 degrees


@pytest.mark.parametrize("kind", PROTOCOLS, ids=lambda kind: kind.key)
def test_surveys_that_leave_follow_the_exact_moments(kind: type) -> None:
    """Totals of reports drawn one by one, against their mean and variance; what cannot be drawn
    exactly, or at an ε that doubles cannot hold, is refused with what to choose instead."""
    protocol = kind()
    counts = np.array([900, 40, 2000] if protocol.refuses(3) is None else [900, 2040])
    if kind.key in ("she", "subset"):
        with pytest.raises(NotDrawnError, match="Choose"):
            protocol.leave(chance(), counts)
        return
    n = counts.sum()
    found = protocol.estimate(protocol.leave(chance(), counts), n)
    assert np.all(np.abs(found - counts) < 4 * np.sqrt(protocol.variance(counts)))
    quieter = protocol.at(26.0)
    if quieter is not None and quieter.claim > 25:
        with pytest.raises(NotDrawnError, match="at most 25"):
            quieter.leave(chance(), counts)


EXACT = [kind for kind in PROTOCOLS if kind.key not in ("she", "subset")]
CHI = [
    0.0,
    10.9,
    13.9,
    16.3,
    18.5,
    20.6,
    22.5,
    24.4,
    26.2,
    27.9,
    29.6,
]  # 99.9 % of χ² with so many degrees


def added(protocol: Protocol, d: int, holds: int, value: int) -> list[float]:
    """The chances that who holds a value adds −1, 0 or 1 to the total of another (or of the same
    one): of Hadamard's response symbol by symbol, of the others from their mean."""
    if isinstance(protocol, hadamard.Hadamard):
        blocks = protocol.blocks(d)
        signs = blocks.signs(np.arange(blocks.symbols), d)
        sent = np.where(signs[:, holds] == 1, math.exp(protocol.epsilon), 1.0)
        return [float(sent[signs[:, value] == k].sum() / sent.sum()) for k in (-1, 0, 1)]
    mean = float(protocol.expected(np.eye(d)[holds])[value])
    return [0.0, 1 - mean, mean]


@pytest.mark.parametrize("kind", EXACT, ids=lambda kind: kind.key)
def test_totals_that_leave_follow_their_law(kind: type) -> None:
    """The total of each value over five reports is a sum of independent parts: the shares of 250
    surveys against its exact law by χ², rare places together; also of a value that nobody holds."""
    protocol, drawn = kind(), chance(3)
    counts = [3, 2, 0] if protocol.refuses(3) is None else [3, 2]
    left = np.array([protocol.leave(drawn, counts) for _ in range(250)])
    assert left.dtype.kind == "i"  # whole reports: that is the public grid
    for value in range(len(counts)):
        law = np.ones(1)
        for holds in np.repeat(range(len(counts)), counts):
            law = np.convolve(law, added(protocol, len(counts), holds, value))
        seen, expected = np.bincount(left[:, value] + 5, minlength=11), 250 * law
        rare = expected < 5
        pairs = [*zip(seen[~rare], expected[~rare], strict=True)]
        pairs.append((seen[rare].sum(), max(1.0, expected[rare].sum())))
        chi = sum((o - e) ** 2 / e for o, e in pairs)
        assert chi < CHI[len(pairs) - 1], (value, chi)


@pytest.mark.parametrize("dims", [1, 3])
@pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: kind.key)
def test_sums_that_leave_follow_the_exact_moments(kind: type, dims: int) -> None:
    protocol, t, many = kind(), np.array([-1.0, 0.2, 1.0]), np.array([500, 900, 800])
    if kind.key == "hybrid":
        with pytest.raises(NotDrawnError, match="Choose"):
            protocol.leave(chance(), t, many, dims)
        return
    total = protocol.leave(chance(), t, many, dims) * protocol.unit(dims)
    assert abs(total - t @ many) < 4 * math.sqrt(protocol.variance(t, dims) @ many)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 7.0, 25.0])
def test_places_of_a_piecewise_report_keep_epsilon(epsilon: float) -> None:
    """P(place | t) over P(place | t′) is 1 + told/near over blank/all, in exact arithmetic of the
    doubles that are in force."""
    protocol = piecewise.Piecewise().at(epsilon * CAREFUL)
    near = math.ceil(protocol.width / protocol.edge * piecewise.CELLS / 2)
    told = Fraction(protocol.told)
    odds = 1 + told / near / ((1 - told) / piecewise.CELLS)
    assert math.log(odds.numerator) - math.log(odds.denominator) <= epsilon


def test_a_probability_is_met_to_its_last_bit() -> None:
    """However small: digits are drawn until one differs, and equal digits are not below."""

    def below(words: list[int], p: float) -> bool:
        drawn = iter(words)
        source = ReleaseRandom(lambda bound: next(drawn) << 32)
        return bool((Reporting(source).random(1) < p)[0])

    tiny = 3 * 2.0**-66
    assert below([0, 0, 0], tiny)  # 2^−64 is in the third word: 0 < 3·2^30
    assert below([0, 0, 3 * 2**30 - 1], tiny)
    assert not below([0, 0, 3 * 2**30, 0, 1], tiny)
    assert not below([0, 1], tiny)
    assert not below([5], 0.0)
    assert below([5], 1.0)


def test_integers_are_alike_likely() -> None:
    drawn = Reporting(chance()).integers(3, 10, 7000)
    assert set(drawn) == set(range(3, 10))
    assert np.max(np.abs(np.bincount(drawn - 3) - 1000)) < 150
