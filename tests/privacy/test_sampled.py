"""Releases of a sample: the closed form, Rényi divergences and the numeric bound against mpmath,
dp-accounting and a plain convolution; refusals; groups and persons; what a training promises."""

import json
import math
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from dpstudio.privacy.accounting import (
    ACCOUNTANTS,
    REPLACE,
    Ledger,
    Numeric,
    Renyi,
    Sequential,
    Spend,
    group_promise,
)
from dpstudio.privacy.accounting.amplified import amplified, sampled_loss, sampled_rdp, unamplified
from dpstudio.privacy.accounting.inverse import largest_within
from dpstudio.privacy.accounting.numeric import delta_of, values_of
from dpstudio.privacy.accounting.sampled_losses import Sampled
from dpstudio.privacy.learning.training_promise import chance_for, noise_for, promise_of, steps_for
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.mechanisms.loss import Loss, laplace, response

POINTS = json.loads((Path(__file__).parents[1] / "reference" / "sampled.json").read_text())
GAUSSIAN = AnalyticGaussian(epsilon=1.0, delta=1e-6)


def base(noise: str, width: float) -> Loss:
    return Loss(ratio=1 / width) if noise == "gaussian" else laplace(1 / width)


def binomial_rdp(sigma: float, q: float, order: int) -> float:
    """Mironov, Talwar & Zhang 2019, section 3.3, term by term."""
    k = np.arange(order + 1)
    terms = (
        special.gammaln(order + 1)
        - special.gammaln(k + 1)
        - special.gammaln(order - k + 1)
        + (order - k) * math.log1p(-q)
        + k * math.log(q)
        + (k * k - k) / (2 * sigma**2)
    )
    return float(special.logsumexp(terms)) / (order - 1)


# The closed form


@pytest.mark.parametrize(("q", "epsilon"), [(0.01, 0.0170368632), (0.1, 0.1585650787)])
def test_the_closed_form(q: float, epsilon: float) -> None:
    assert amplified(1.0, 1e-5, q) == (pytest.approx(epsilon, abs=1e-10), q * 1e-5)


def test_the_closed_form_and_its_inverse_at_all_sizes() -> None:
    for epsilon in (0.0, 1e-9, 0.5, 29.999, 30.001, 50.0, 800.0):
        for q in (1e-6, 0.3, 1.0):
            found = amplified(epsilon, 0.1, q)[0]
            assert unamplified(found, q) == pytest.approx(epsilon, rel=1e-9, abs=1e-12)
            # As a loss it is the same function, from −ε on.
            assert found == pytest.approx(float(sampled_loss(np.array(epsilon), q)), rel=1e-12)
    assert float(sampled_loss(np.array(-800.0), 0.3)) == pytest.approx(math.log(0.7))


@pytest.mark.parametrize("q", [1e-4, 0.3])
def test_the_closed_form_is_that_of_randomised_response(q: float) -> None:
    """At its ε the δ of what dominates any (ε, δ) release is qδ, and a little below it is more."""
    epsilon, delta = amplified(1.0, 1e-3, q)
    losses = ((Sampled(response(1.0, 1e-3), q), 1),)
    assert delta_of(losses, epsilon, up=True) == pytest.approx(delta, rel=1e-9)
    assert delta_of(losses, epsilon * 0.99, up=False) > delta


# Rényi divergences


@pytest.mark.parametrize("point", POINTS["rdp"], ids=str)
def test_divergences_against_integrals_of_forty_digits(point: list) -> None:
    noise, width, q, order, value = point
    found = sampled_rdp(base(noise, width), q, np.array([order - 1]))
    assert found[0] == pytest.approx(value, rel=1e-8)


def test_divergences_of_whole_orders_against_their_sum() -> None:
    for sigma, q in ((0.5, 0.5), (1.0, 0.01), (5.0, 0.1)):
        orders = [2, 3, 17, 300]
        found = sampled_rdp(Loss(ratio=1 / sigma), q, np.array(orders) - 1.0)
        assert found == pytest.approx([binomial_rdp(sigma, q, a) for a in orders], rel=1e-9)


def test_divergences_at_orders_that_are_not_integrated_are_above() -> None:
    """Below 0.001 and above 1024 of α − 1, and where the noise is small."""
    for sigma, q in ((0.05, 0.01), (1.0, 0.01), (5.0, 0.1)):
        far = sampled_rdp(Loss(ratio=1 / sigma), q, np.array([3999.0, 1e9]))
        assert far[0] >= binomial_rdp(sigma, q, 4000) * (1 - 1e-9)
        assert far[0] <= 4000 / (2 * sigma**2)
        assert np.isfinite(far).all()
    low = sampled_rdp(Loss(ratio=1.0), 0.01, np.array([1e-6, 1e-3]))
    assert low[0] == low[1]


def test_sampling_nearly_everybody_changes_nothing() -> None:
    u = np.array([0.01, 1.0, 50.0])
    found = sampled_rdp(Loss(ratio=0.5), 1 - 1e-12, u)
    assert found == pytest.approx((1 + u) * 0.125, rel=1e-6)
    spend = Spend.of(GAUSSIAN, count=7, chance=1 - 1e-12)
    plain = Spend.of(GAUSSIAN, count=7)
    found, given = (Numeric().epsilon(Ledger((s,)), 1e-5) for s in (spend, plain))
    assert found == pytest.approx(given, rel=1e-3)


# The numeric bound


@pytest.mark.parametrize("point", POINTS["delta"], ids=str)
def test_one_release_in_both_directions(point: list) -> None:
    _, sigma, q, epsilon, leaves, joins = point
    loss = Sampled(Loss(ratio=1 / sigma), q)
    for one, value in ((loss, leaves), (loss.turned, joins)):
        low, high = (delta_of(((one, 1),), epsilon, up=up) for up in (False, True))
        assert low <= value * (1 + 1e-9) <= high * (1 + 2e-9)
        assert high <= value * 1.003
    assert leaves >= joins


@pytest.mark.parametrize("point", POINTS["epsilon"], ids=str)
def test_many_releases_against_dp_accounting(point: list) -> None:
    """Its value is above the truth, by up to what its own lattice adds."""
    noise, width, q, k, delta, value, step = point
    losses = ((Sampled(base(noise, width), q), k),)
    low, high = (float(values_of(losses, np.ones(1), delta, up=up)[0]) for up in (False, True))
    assert low <= high * (1 + 1e-12)
    assert low <= value * (1 + 1e-9)
    assert value - 2 * step - 1e-3 * value <= high <= value * (1 + 1e-3)
    assert high - low <= 0.02 * high


def plain_deltas(parts: list[tuple], epsilon: float, step: float = 1e-3) -> tuple[float, float]:
    """δ of the sum from below and above: losses straight from the two densities at the middles of a
    fine grid, down and up to a lattice, and one plain transform."""
    x = np.linspace(-60, 61, 121_001)[:-1] + 0.0005
    transforms, places = [1.0, 1.0], 1 << 17
    for law, q, joining, count in parts:
        here, there = law(x) * 1e-3, law(x - 1) * 1e-3
        mixed = (1 - q) * here + q * there
        p, other = (here, mixed) if joining else (mixed, here)
        kept = p > 1e-25
        loss = np.log(p[kept] / other[kept]) / step
        for i, rounded in enumerate((np.floor(loss), np.ceil(loss))):
            mass = np.bincount(rounded.astype(np.int64) % places, p[kept], places)
            transforms[i] = transforms[i] * np.fft.rfft(mass) ** count
    at = np.fft.fftfreq(places, 1 / places) * step
    gain = np.maximum(0.0, -np.expm1(np.minimum(0.0, epsilon - at)))
    low, high = (float(np.fft.irfft(t, places) @ gain) for t in transforms)
    return low, high


def test_a_list_of_different_releases_against_a_plain_convolution() -> None:
    """Of two samples and of everybody, all in one direction at a time."""
    sigma = GAUSSIAN.scale
    kinds = [
        (Spend.of(GAUSSIAN, chance=0.3, count=5), lambda x: np.exp(-((x / sigma) ** 2) / 2)),
        (Spend.of(Laplace(epsilon=0.7), chance=0.1, count=9), lambda x: np.exp(-0.7 * np.abs(x))),
        (Spend.of(Laplace(epsilon=0.4), count=2), lambda x: np.exp(-0.4 * np.abs(x))),
    ]
    sizes = (1 / (sigma * math.sqrt(2 * math.pi)), 0.35, 0.2)
    for epsilon in (0.1, 0.8):
        found = [
            plain_deltas(
                [
                    (lambda x, f=f, c=c: c * f(x), s.chance, joining, s.count)
                    for (s, f), c in zip(kinds, sizes, strict=True)
                ],
                epsilon,
            )
            for joining in (False, True)
        ]
        least, most = max(low for low, _ in found), max(high for _, high in found)
        low, high = Numeric().delta_bracket(Ledger(tuple(s for s, _ in kinds)), epsilon)
        assert low <= most
        assert high >= least
        assert high <= most * 1.01
        assert low >= least * 0.99


@pytest.mark.parametrize(
    ("mechanism", "q", "k"),
    [
        (AnalyticGaussian(epsilon=50.0, delta=1e-6), 0.01, 10_000),
        (AnalyticGaussian(epsilon=5.0, delta=1e-6), 1e-4, 100),
        (AnalyticGaussian(epsilon=0.001, delta=1e-6), 0.5, 10_000),
        (Laplace(epsilon=50.0), 0.5, 10_000),
        (Laplace(epsilon=50.0), 1e-4, 1),
        (Laplace(epsilon=0.001), 1e-4, 10_000),
    ],
    ids=str,
)
def test_at_the_ends(mechanism, q: float, k: int) -> None:
    """Every bound that applies says something between what is certified and adding up."""
    ledger = Ledger((Spend.of(mechanism, chance=q, count=k),))
    delta = k * q * mechanism.total_delta + 1e-5
    low, high = Numeric().bracket(ledger, delta)
    plain = Sequential().epsilon(ledger, delta)
    assert 0 <= low <= high <= plain * (1 + 1e-6)
    assert Renyi().epsilon(ledger, delta) >= low * (1 - 1e-9)
    if plain > 1e-6:
        whole = Ledger((Spend.of(mechanism, count=k),))
        assert high <= Numeric().epsilon(whole, k * mechanism.total_delta + 1e-5)


# What is refused, and groups


def test_what_is_said_of_samples_and_what_is_refused_by_name() -> None:
    sampled = Ledger((Spend.of(GAUSSIAN, count=100, chance=0.01),))
    pure = Ledger((Spend.of(Laplace(epsilon=1.0), count=100, chance=0.01),))
    replaced = Ledger(sampled.spends, REPLACE)
    said = {a.key for a in (kind() for kind in ACCOUNTANTS) if a.refuse(sampled) is None}
    assert said == {
        "sequential", "group_privacy", "drv", "tanh", "kov35", "kov33", "optimal", "renyi", "pld"
    }  # fmt: skip
    more = {a.key for a in (kind() for kind in ACCOUNTANTS) if a.refuse(pure) is None}
    assert more == said | {"zcdp", "zcdp_tight", "shortcut"}
    for kind in ACCOUNTANTS:
        why = kind().refuse(replaced)
        assert why is not None
        assert "replaced" in why.text or "disjoint" in why.text
    for ledger in (sampled, pure):  # each that is proved is above what is certified
        low = Numeric().bracket(ledger, 1.1e-5)[0]
        for kind in ACCOUNTANTS:
            if kind.proven and kind().refuse(ledger) is None:
                assert kind().epsilon(ledger, 1.1e-5) >= low, kind.key


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_every_mechanism_of_a_sample_has_a_numeric_bound_below_the_closed_form(kind) -> None:
    spend = Spend.of(kind(epsilon=0.8), chance=0.1, count=3)
    if not spend.kept:
        pytest.skip("its promise is not kept")
    ledger, delta = Ledger((spend,)), 3 * spend.delta + 1e-4
    low, high = Numeric().bracket(ledger, delta)
    assert low <= high <= Sequential().epsilon(ledger, delta)


def test_a_person_with_two_rows_is_no_person_with_twice_the_row() -> None:
    """Drawn row by row (σ = 1, q = 0.01) two rows cost δ(0) = .00764 and not the .00683 of a
    sensitivity of 2 drawn as a whole, which is what is claimed of whole persons here."""
    x = np.linspace(-12, 14, 200_001)
    law = np.exp(-(x**2) / 2)
    both = sum(
        chance * np.exp(-((x - rows) ** 2) / 2)
        for rows, chance in enumerate((0.99**2, 2 * 0.0099, 0.0001))
    )
    by_row = float(np.sum(np.maximum(both - law, 0))) * (x[1] - x[0]) / math.sqrt(2 * math.pi)
    whole = delta_of(((Sampled(Loss(ratio=2.0), 0.01), 1),), 0.0, up=True)
    assert by_row == pytest.approx(0.00764, abs=5e-6)
    assert whole == pytest.approx(0.00683, abs=5e-6)
    # Two people who are each drawn by themselves are promised no less than the truth.
    spend = Spend.of(AnalyticGaussian(epsilon=1.0, delta=0.12692), chance=0.01)
    promise = group_promise((Numeric(),), Ledger((spend,)), 2, 0.0)
    assert promise.delta >= by_row * 0.999


# Training


def test_a_training_and_its_target() -> None:
    """σ, chance and steps of a target meet it, and hardly less noise, more people or one more step
    does not."""
    noise = noise_for(0.01, 200, 1.0, 1e-5)
    assert noise == pytest.approx(0.9672, rel=1e-3)
    assert promise_of(noise, 0.01, 200, 1e-5).epsilon <= 1
    assert promise_of(noise * 0.999, 0.01, 200, 1e-5).epsilon > 1
    chance = chance_for(1.0, 200, 1.0, 1e-5)
    assert promise_of(1.0, chance, 200, 1e-5).epsilon <= 1
    assert promise_of(1.0, chance * 1.001, 200, 1e-5).epsilon > 1
    steps = steps_for(1.0, 0.01, 1.0, 1e-5)
    assert promise_of(1.0, 0.01, steps, 1e-5).epsilon <= 1
    assert promise_of(1.0, 0.01, steps + 1, 1e-5).epsilon > 1


def test_a_training_that_takes_everybody_is_gaussian_noise() -> None:
    found = promise_of(10.0, 1.0, 100, 1e-5)
    exact = Spend.of(AnalyticGaussian(epsilon=found.epsilon, delta=1e-5))
    assert exact.mechanism is not None
    assert exact.mechanism.scale == pytest.approx(1.0, rel=1e-3)
    assert found.lower <= found.epsilon <= found.renyi


@pytest.mark.parametrize("power", [0.7, 1.0, 2.3])
@pytest.mark.parametrize("known", [True, False])
def test_a_cost_is_asked_for_a_few_times_and_kept_to(power: float, known: bool) -> None:
    """Each time is 40 ms of the first picture of a training."""
    asked: list[float] = []

    def total(x: float) -> float:
        asked.append(x)
        return 3 * x**power

    slope = power if known else 1.0
    found = largest_within(total, 5.0, 0.2, 1e-6, 1e3, rtol=1e-5, slope=slope)
    assert total(found) <= 5 * (1 + 1e-12) < total(found * 1.001)
    assert len(asked) - 2 <= (4 if known else 5)


def test_a_cost_of_nothing_tells_no_slope() -> None:
    """A bound of 0 sent the search to the least noise there is, whose lattice takes seconds."""
    asked: list[float] = []

    def total(x: float) -> float:
        asked.append(x)
        return x - 1 if x > 1 else 0.0

    assert largest_within(total, 0.5, 0.3, 1e-6, 1e3, rtol=1e-4) == pytest.approx(1.5, rel=1e-3)
    assert max(asked) < 10


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_any_group_is_told_of_samples_of_any_noise(kind: type[Additive]) -> None:
    """Also where ten people are left nothing at all: then the δ is 1, and more people never have
    less of it."""
    rng = random.Random(kind.key)
    for chance in (0.02, 0.5, 0.9):
        made = kind().at(10 ** rng.uniform(-1, 1), 10 ** rng.uniform(-9, -0.5))
        ledger = Ledger((Spend.of(made, count=rng.choice((1, 3)), chance=chance),))
        for bound in (Sequential(), Numeric()):
            told = [group_promise((bound,), ledger, m, 3.0).delta for m in (1, 2, 5, 10)]
            assert all(0 <= a <= b * (1 + 1e-9) for a, b in pairwise([*told, 1.0])), made
    nothing = Ledger((Spend(3.0, 1.0), Spend(1.0, 0.1)))
    assert Numeric().delta(nothing, 3.0) == 1
    assert Numeric().epsilon(nothing, 0.9) == math.inf
