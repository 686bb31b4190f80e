"""Every bound against the vectors of the literature, against each other, and at the ends of what
floats can say."""

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.privacy.accounting import (
    ACCOUNTANTS,
    ADD_REMOVE,
    KOV33,
    KOV35,
    REPLACE,
    ZCDP,
    Advanced,
    AdvancedTanh,
    GaussianDP,
    GaussianLimit,
    GroupPrivacy,
    Ledger,
    Numeric,
    Optimal,
    Parallel,
    Renyi,
    Sequential,
    Shortcut,
    Spend,
    ZCDPTight,
    shortcut_zones,
)
from dpstudio.privacy.accounting.accountant import K_MOST, Accountant
from dpstudio.privacy.accounting.concentrated import converted
from dpstudio.privacy.accounting.gdp import gdp_epsilon, log_deltas
from dpstudio.privacy.accounting.optimal import outcomes_log_delta
from dpstudio.privacy.accounting.renyi import laplace_rdp, response_rdp
from dpstudio.privacy.mechanisms import Sensitivity
from dpstudio.privacy.mechanisms.catastrophe import Catastrophe
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, gaussian_log_delta
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import render

CLOSED = [
    Sequential(),
    Advanced(),
    AdvancedTanh(),
    KOV35(),
    KOV33(),
    Optimal(),
    ZCDP(),
    ZCDPTight(),
    Renyi(),
]


def bounded_range_kl(epsilon: float) -> float:
    """The largest mean loss of an ε-bounded-range release such as the exponential mechanism (Dong,
    Durfee & Rogers 2020)."""
    ratio = epsilon / math.expm1(epsilon)
    return ratio - 1 - math.log(ratio)


def best(bounds, ledger, delta):
    """The tightest of the bounds that apply and hold for one person, and its total ε; ValueError
    where none applies."""
    costs = [
        (b, b.epsilon(ledger, delta))
        for b in bounds
        if b.envelope and b.refuse(ledger) is None and not b.supposes(ledger)
    ]
    if not costs:
        raise ValueError("no bound applies to these releases")
    return min(costs, key=lambda c: c[1])


def crossing(
    a: Accountant, b: Accountant, spend: Spend, delta: float, most: int = K_MOST
) -> int | None:
    """The smallest k ≤ `most` at which bound `a` is strictly below bound `b` for k equal releases;
    None if there is none."""
    k = np.arange(1, most + 1, dtype=np.float64)
    better = a.curve(spend, k, delta) < b.curve(spend, k, delta) * (1 - 1e-12)
    return int(k[np.argmax(better)]) if better.any() else None


def laplace(epsilon: float, count: int = 1) -> Spend:
    return Spend.of(Laplace().at(epsilon, 0.0), count=count)


def gaussian(sigma: float, count: int = 1) -> Spend:
    """Gaussian noise of that σ at sensitivity 1, by the δ that it has at ε = 1."""
    return Spend.of(
        AnalyticGaussian().at(1.0, math.exp(gaussian_log_delta(1.0, 1 / sigma))), count=count
    )


def at(bound, spend: Spend, k: float, delta: float) -> float:
    return float(bound.curve(spend, np.array([float(k)]), delta)[0])


# Vectors.


@pytest.mark.vectors("gauss_k")
def test_gaussian_vectors(vector: dict) -> None:
    bound = {"exact_gdp": GaussianDP(), "zcdp_bs16": ZCDP(), "zcdp_cks20": ZCDPTight()}[
        vector["fn"]
    ]
    given_ = vector["inputs"]
    spend = gaussian(given_["sigma"], given_["k"])
    # σ itself comes from (ε, δ) by a root that keeps ten digits.
    assert bound.epsilon(Ledger((spend,)), given_["delta"]) == pytest.approx(
        vector["expected"], abs=vector["tol"], rel=1e-9
    )
    assert at(bound, spend, given_["k"], given_["delta"]) == pytest.approx(
        vector["expected"], abs=vector["tol"], rel=1e-9
    )


@pytest.mark.vectors("kov33", "kov33_inverse")
def test_theorem_33_vectors(vector: dict) -> None:
    given_, expected = vector["inputs"], vector["expected"]
    if vector["group"] == "kov33":
        found = at(
            KOV33(), Spend(given_["eps"], given_["delta"]), given_["k"], given_["total_delta"]
        )
        assert found == pytest.approx(math.inf if expected is None else expected, abs=vector["tol"])
    else:
        found = KOV33().per_release(
            given_["k"], given_["total_eps"], given_["total_delta"], Spend(1.0, given_["delta"])
        )
        assert found == pytest.approx(expected or 0.0, abs=vector["tol"])


@pytest.mark.vectors(
    "rdp_closed", "expmech_rdp", "rdp_to_eps", "gauss_rdp", "diffprivlib_acct", "opendp_doc"
)
def test_conversion_vectors(vector: dict) -> None:
    given_ = vector["inputs"]
    found = {
        "laplace_rdp": lambda: float(laplace_rdp(1 / given_["b"], np.array(given_["alpha"] - 1.0))),
        "rr_rdp": lambda: float(
            response_rdp(math.log(given_["p"] / (1 - given_["p"])), np.array(given_["alpha"] - 1.0))
        ),
        "rdp": lambda: bounded_range_kl(given_["eps"]),
        "zcdp_eps": lambda: ZCDPTight().epsilon(
            Ledger((gaussian(given_["sigma"]),)), given_["delta"]
        ),
        "eps": {
            "rdp_to_eps": lambda: float(
                np.min(1.1 + converted(np.arange(1.0, 32.0), given_["delta"]))
            ),
            "gauss_rdp": lambda: Renyi().epsilon(
                Ledger((gaussian(given_["sigma"]),)), given_["delta"]
            ),
            "diffprivlib_acct": lambda: at(
                KOV35(), Spend(given_["eps"]), given_["k"], given_["slack"]
            ),
        }.get(vector["group"]),
    }[vector["fn"]]
    assert found() == pytest.approx(vector["expected"], abs=vector["tol"])


def test_table_of_facts() -> None:
    """central-local-learning 5.1: basic, shortcut, DRV, KOV, zCDP, exact, to the printed digits."""
    rows = [
        (0.1, 1e-5, 100, [10, 9.597, 5.850, 5.298, 5.299, 4.307]),
        (0.1, 1e-5, 500, [50, 21.46, 15.99, 13.23, 13.23, 11.41]),
        (0.01, 1e-5, 500, [5, 2.146, 1.123, 1.026, 1.098, 0.818]),
        (1.0, 1e-5, 500, [500, 214.597, 966.4, 338.36, 357.30, 311.77]),
    ]
    for epsilon, delta, k, printed in rows:
        for bound, value in zip(
            (Sequential(), Shortcut(), Advanced(), KOV35(), ZCDP(), Optimal()), printed, strict=True
        ):
            digits = len(str(value).split(".")[1]) if "." in str(value) else 0
            assert round(at(bound, Spend(epsilon), k, delta), digits) == value, (
                bound.key,
                epsilon,
                k,
            )
    # At the printed ε of 500 answers the optimum still pays δ = 0.78.
    assert Optimal().delta(Ledger((Spend(1.0, count=500),)), 214.6) == pytest.approx(
        0.78, abs=0.005
    )


def test_crossings() -> None:
    """Where each bound begins to beat adding up, and the zones of the printed shortcut, all
    computed."""
    one, tenth = Spend(1.0), Spend(0.1)
    assert crossing(Advanced(), Sequential(), one, 1e-5) is None
    assert [crossing(AdvancedTanh(), Sequential(), one, d) for d in (1e-5, 1e-4)] == [80, 64]
    assert [crossing(ZCDP(), Sequential(), one, d) for d in (1e-5, 1e-4)] == [93, 74]
    assert [crossing(Advanced(), Sequential(), tenth, d) for d in (1e-6, 1e-5, 1e-4)] == [
        35,
        29,
        24,
    ]
    assert [crossing(ZCDP(), Sequential(), tenth, d) for d in (1e-5, 1e-4)] == [26, 21]
    assert [crossing(KOV35(), Sequential(), tenth, d) for d in (1e-5, 1e-4)] == [24, 19]
    k = np.arange(1.0, 200)
    for delta, first in ((1e-5, 96), (1e-4, 79)):
        below = KOV35().branch(one, k, delta) < k
        assert k[np.argmax(below)] == first
    for epsilon, delta, proved, false_from, helps in [
        (1.0, 1e-5, 159, 176, 93),
        (1.0, 1e-4, 129, 144, 74),
        (0.5, 1e-5, 456, 525, 93),
        (0.5, 1e-4, 371, 436, 74),
        (0.3, 1e-5, 1165, 1356, 93),
        (0.3, 1e-4, 949, 1134, 74),
    ]:
        zones = shortcut_zones(epsilon, delta)
        assert (zones.proved, zones.true + 1, zones.helps_from) == (proved, false_from, helps)


# Order and extremes.

EPSILONS = st.builds(lambda x: 10.0**x, st.floats(-6, math.log10(50)))
COUNTS = st.one_of(st.integers(1, 50), st.integers(51, 1_000_000))
DELTAS = st.builds(lambda x: 10.0**x, st.one_of(st.floats(-12, -1), st.floats(-300, -12)))


@given(EPSILONS, COUNTS, DELTAS)
def test_order_of_all_bounds(epsilon: float, k: int, delta: float) -> None:
    """What theory promises of pairs of bounds; nothing overflows and nothing is NaN."""
    pure, own = Spend(epsilon), laplace(epsilon)
    value = {b.key: at(b, pure, k, delta) for b in CLOSED}
    assert all(math.isfinite(v) and v >= 0 for v in value.values())
    hair = 1 + 1e-8
    assert (
        value["optimal"] <= min(value["kov35"], value["renyi"], value["zcdp_tight"]) * hair + 1e-12
    )
    assert value["optimal"] <= value["kov33"] * hair <= k * epsilon * hair * hair
    assert value["kov35"] <= min(value["sequential"], value["tanh"]) * hair
    assert value["tanh"] <= value["drv"] * hair
    assert value["renyi"] <= value["zcdp_tight"] * hair
    assert value["zcdp_tight"] <= value["zcdp"] * hair
    assert at(Renyi(), own, k, delta) <= value["renyi"] * hair
    noise = Spend.of(AnalyticGaussian().at(epsilon, 1e-6))
    exact, tight = at(GaussianDP(), noise, k, delta), at(ZCDPTight(), noise, k, delta)
    assert 0 <= exact <= tight * hair
    assert at(Renyi(), noise, k, delta) == pytest.approx(tight, rel=1e-6, abs=1e-12)
    assert math.isfinite(at(GaussianLimit(), own, k, delta))


@given(EPSILONS, st.integers(1, 2000), st.floats(1e-12, 0.1), st.floats(0, 0.9))
def test_approximate_releases(epsilon: float, k: int, delta: float, part: float) -> None:
    """With a δ of their own: what is left of the target buys the slack, and nothing is promised
    where nothing is left."""
    spend = Spend(epsilon, part * delta / k)
    value = {
        b.key: at(b, spend, k, delta)
        for b in (Sequential(), Advanced(), AdvancedTanh(), KOV35(), KOV33(), Optimal())
    }
    assert all(math.isfinite(v) for v in value.values())
    assert value["optimal"] <= min(value["kov35"], value["kov33"]) * (1 + 1e-8)
    for bound in (Sequential(), Advanced(), AdvancedTanh(), KOV35(), Optimal()):
        assert at(bound, Spend(epsilon, 2 * delta / k), k, delta / 2) == math.inf
        total = bound.epsilon(Ledger((spend.times(k),)), delta)
        assert total == pytest.approx(value[bound.key], rel=1e-9)
        assert bound.epsilon(
            Ledger((Spend(epsilon, part * delta / k, count=k), Spend(0.0))), delta
        ) == pytest.approx(total, rel=1e-9)


@given(EPSILONS, st.integers(1, 500), st.floats(1e-12, 0.1))
def test_delta_is_the_inverse(epsilon: float, k: int, delta: float) -> None:
    """δ(ε(δ)) is δ, or less where ε cannot be less; ε(δ(ε)) is no more than ε."""
    ledger = Ledger((Spend(epsilon, count=k),))
    for bound in (Advanced(), KOV35(), Optimal(), ZCDP(), ZCDPTight()):
        total = bound.epsilon(ledger, delta)
        back = bound.delta(ledger, total)
        assert back <= delta * (1 + 1e-6)
        if 0 < total < k * epsilon * (1 - 1e-9):
            assert back == pytest.approx(delta, rel=1e-3)


@pytest.mark.parametrize(
    ("total", "epsilon"), [(1e6, 1_002_000.0), (1e6, 999_995.0), (1e12, 1e12 + 9e6), (0.3, 2.0)]
)
def test_the_inverse_of_a_large_total(total: float, epsilon: float) -> None:
    """The least over orders e^0.001 apart, in 40 digits: no less is said, and hardly more."""
    with localcontext(prec=40):
        rho, target = Decimal(total), Decimal(epsilon)

        def log_delta(n: int) -> Decimal:
            u = (Decimal(n) / 1000).exp()
            return u * ((1 + u) * rho - target) - u.ln() - (1 + u) * (1 + 1 / u).ln()

        low, high = -40_000, 10_000  # the logarithm falls, then rises
        while low < high:
            middle = (low + high) // 2
            low, high = (
                (low, middle) if log_delta(middle) < log_delta(middle + 1) else (middle + 1, high)
            )
        exact = float(log_delta(low).exp())
    world = (Spend(math.sqrt(2 * total)),)
    assert ZCDPTight().world_delta(world, epsilon) == pytest.approx(exact, rel=1e-4)


def test_the_divergence_of_laplace_noise_in_many_digits() -> None:
    """Every digit at ratios and orders of any size, against 80 digits."""
    with localcontext(prec=80, Emax=10**12, Emin=-(10**12)):
        for ratio, u in itertools.product((1e-12, 1e-8, 1e-4, 0.3, 9.0), (1e-6, 0.4, 7.0, 1e4)):
            r, v = Decimal(ratio), Decimal(u)
            inside = ((1 + v) * (v * r).exp() + v * (-(1 + v) * r).exp()) / (2 * v + 1)
            exact = float(inside.ln() / v)
            assert float(laplace_rdp(ratio, np.array(u))) == pytest.approx(exact, rel=1e-14, abs=0)


@given(
    st.lists(
        st.tuples(st.sampled_from([0.1, 0.2, 0.25, 0.7, 1.3, 2.0]), st.integers(1, 2)),
        min_size=1,
        max_size=7,
    ),
    st.floats(-8, -1),
)
def test_unequal_optimum_by_enumeration(
    releases: list[tuple[float, int]], log_delta: float
) -> None:
    """Against the plain sum over all signs of all releases."""
    delta = 10**log_delta
    losses = [e for e, n in releases for _ in range(n)][:9]
    found = Optimal().epsilon(Ledger(tuple(Spend(e) for e in losses)), delta)

    def plain(epsilon: float) -> float:
        out = 0.0
        for signs in itertools.product((1, -1), repeat=len(losses)):
            loss = sum(s * e for s, e in zip(signs, losses, strict=True))
            p = math.prod(1 / (1 + math.exp(-s * e)) for s, e in zip(signs, losses, strict=True))
            out += p * max(0.0, -math.expm1(min(0.0, epsilon - loss)))
        return out

    assert plain(found + 1e-9) <= delta * (1 + 1e-9)
    assert found == 0 or plain(found - 1e-7) > delta
    assert Optimal().epsilon(Ledger((Spend(0.3), Spend(0.3), Spend(0.3))), delta) == pytest.approx(
        at(Optimal(), Spend(0.3), 3, delta)
    )


def test_unequal_optimum_of_facts() -> None:
    for releases, epsilon, delta in [
        (((0.1, 1), (0.2, 1), (0.3, 1)), 0.3, 0.05725353367793),
        (((1.0, 1), (0.5, 1)), 1.0, 0.1790498892168),
    ]:
        assert math.exp(outcomes_log_delta(releases, epsilon)) == pytest.approx(delta, rel=1e-12)
        assert Optimal().epsilon(
            Ledger(tuple(Spend(e) for e, _ in releases)), delta
        ) == pytest.approx(epsilon, abs=1e-9)


@pytest.mark.vectors("puredp_pld")
def test_trade_off_vector(vector: dict) -> None:
    """The power of a test at level 0.1 is the least of e^ε·0.1 + δ(ε) over ε, of both signs."""
    releases = tuple((float(e), 1) for e, _ in vector["inputs"]["terms"])
    grid = np.linspace(-3, 3, 6001)
    power = min(math.exp(e) * 0.1 + math.exp(outcomes_log_delta(releases, e)) for e in grid)
    assert power == pytest.approx(vector["expected"], abs=vector["tol"])


# Inverses.


@pytest.mark.parametrize("bound", CLOSED, ids=lambda b: b.key)
def test_inverses(bound) -> None:
    """The ε per release uses the whole budget, and a hair more breaks it; the number of releases is
    the last that fits."""
    for k, budget, delta in ((1, 1.0, 1e-6), (40, 3.0, 1e-5), (1000, 8.0, 1e-9)):
        each = bound.per_release(k, budget, delta)
        assert at(bound, Spend(each), k, delta) <= budget * (1 + 1e-12)
        if bound.key != "kov33":
            assert at(bound, Spend(each * (1 + 1e-9)), k, delta) > budget * (1 - 1e-12)
    for epsilon in (0.05, 0.7):
        k = bound.affordable(Spend(epsilon), 5.0, 1e-6)
        assert k == 0 or at(bound, Spend(epsilon), k, 1e-6) <= 5.0
        assert at(bound, Spend(epsilon), k + 1, 1e-6) > 5.0
    assert bound.affordable(Spend(7.0), 5.0, 1e-6) == 0
    assert bound.affordable(Spend(1e-9), 5.0, 1e-6) == bound.most
    assert bound.per_release(10, 0.0, 1e-6) == 0


@pytest.mark.parametrize("kind", ACCOUNTANTS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("mechanism", [Laplace(epsilon=0.3), AnalyticGaussian(epsilon=0.3)])
def test_many_k_at_totals_of_their_own_are_as_one_by_one(kind, mechanism) -> None:
    """A curve over k whose δ grows with k, 0 among them, and what a budget buys along it."""
    bound, spend = kind(), Spend.of(mechanism)
    if bound.refuse(Ledger((spend,))) is not None:
        return
    k = np.array([1.0, 2.0, 3.0, 17.0, 60.0, 333.0])
    deltas = np.append(0.0, k[1:] * spend.delta + 1e-6)
    alone = [at(bound, spend, n, d) for n, d in zip(k, deltas, strict=True)]
    rel = 1e-6 if bound.numeric else 1e-10
    assert bound.curve(spend, k, deltas).tolist() == pytest.approx(alone, rel=rel)
    last = bound.affordable(spend, 3.0, 1e-6)
    assert last == 0 or at(bound, spend, last, last * spend.delta + 1e-6) <= 3.0 * (1 + 1e-9)
    assert at(bound, spend, last + 1, (last + 1) * spend.delta + 1e-6) > 3.0
    if kind is not KOV33:  # which jumps
        assert bound.affordable(spend, 3.0, 1e-6, between=(max(last - 5, 0), last + 9)) == last


@pytest.mark.vectors("gauss_calibrate_k")
def test_gaussian_calibration_vectors(vector: dict) -> None:
    given_ = vector["inputs"]
    like = Spend.of(AnalyticGaussian(), Sensitivity(1.0, given_["sensitivity"], 1.0))
    each = GaussianDP().per_release(given_["k"], given_["eps"], given_["delta"], like)
    assert like.at(each).mechanism.law(like.sensitivity).sigma == pytest.approx(
        vector["expected"], abs=vector["tol"]
    )


# Groups, people, refusals.


def test_groups_and_people() -> None:
    parts = tuple(Spend(e, group="parts") for e in (0.5, 0.3, 0.2))
    ledger, moved = Ledger((*parts, Spend(0.1))), Ledger((*parts, Spend(0.1)), REPLACE)
    assert Sequential().epsilon(ledger, 0.0) == pytest.approx(1.1)
    assert Parallel().epsilon(ledger, 0.0) == pytest.approx(0.6)
    assert Parallel().epsilon(moved, 0.0) == pytest.approx(0.9)
    assert at(Parallel(), Spend(0.5), 30, 0.0) == 0.5
    assert Parallel().curve(Spend(0.5), np.array([1.0, 30.0]), 0.0, REPLACE) == pytest.approx(
        [0.5, 1.0]
    )
    assert Optimal().epsilon(ledger, 1e-6) == pytest.approx(
        Optimal().epsilon(Ledger((Spend(0.5), Spend(0.1))), 1e-6)
    )
    assert Parallel().refuse(Ledger((Spend(0.5),))) is not None
    # Who has two rows may be in two parts, and replaced in all three.
    for rows, adjacency, most in ((2, ADD_REMOVE, 0.9), (2, REPLACE, 1.1)):
        several = Ledger((*parts, Spend(0.1)), adjacency, rows)
        assert Parallel().epsilon(several, 0.0) == pytest.approx(most)
    # Two groups, and parts that differ in kind, of which neither covers the other.
    mixed = Ledger(
        (laplace(1.0), Spend(0.9, group="a"), Spend(0.2, count=9, group="a"), Spend(0.4, group="b"))
    )
    assert len(mixed.worlds()) == 2
    assert Parallel().epsilon(mixed, 0.0) == pytest.approx(1.0 + 1.8 + 0.4)
    many = Ledger(
        tuple(
            Spend(0.1 + i / 1000, count=1000 - i, group=str(g)) for i in range(17) for g in range(2)
        )
    )
    assert Sequential().refuse(many) is None
    assert "many" in render(Parallel().refuse(many))
    # One step after the other, below 3e·10⁻⁶ of the common form.
    steps = 1e-6 * (1 + math.exp(0.5) + math.e)
    assert GroupPrivacy(people=3).epsilon(
        Ledger((Spend(0.5, 1e-6),)), steps * (1 + 1e-9)
    ) == pytest.approx(1.5)
    assert GroupPrivacy(people=3).delta(Ledger((Spend(0.5, 1e-6),)), 1.5) == pytest.approx(steps)
    assert GroupPrivacy(people=3).epsilon(Ledger((Spend(0.5, 1e-6),)), 3e-6) == math.inf
    assert GroupPrivacy(people=1000).delta(Ledger((Spend(50.0, 1e-300),)), 1e6) == 1.0


def test_who_refuses_what_and_the_best() -> None:
    """By name: which bounds apply to which releases, and the tightest of them."""
    refused = {
        "pure": (Ledger((Spend(0.5),)), {"parallel", "gdp"}),
        "laplace": (Ledger((laplace(0.5, 3),)), {"parallel", "gdp"}),
        "gaussian": (Ledger((gaussian(2.0),)), {"parallel", "shortcut"}),
        "leaky": (
            Ledger((Spend.of(Catastrophe()),)),
            {"parallel", "zcdp", "zcdp_tight", "renyi", "gdp", "gdp_clt", "shortcut"},
        ),
        "unequal": (Ledger((Spend(0.5), Spend(0.4))), {"parallel", "gdp", "kov33", "shortcut"}),
    }
    for name, (ledger, keys) in refused.items():
        why = {kind.key: kind().refuse(ledger) for kind in ACCOUNTANTS}
        assert {key for key, say in why.items() if say} == keys, name
        assert all(render(say).endswith(".") for say in why.values() if say)
        for kind in ACCOUNTANTS:
            if why[kind.key] is None:
                assert kind().epsilon(ledger, 1e-3) > 0
            else:
                with pytest.raises(ValueError):
                    kind().epsilon(ledger, 1e-3)
    bound, value = best([kind() for kind in ACCOUNTANTS], Ledger((laplace(0.1, 100),)), 1e-6)
    assert bound == Numeric()
    assert value == pytest.approx(4.692667, abs=2e-3)
    assert {k.key for k in ACCOUNTANTS if not k.envelope} == {
        "group_privacy",
        "gdp_clt",
        "shortcut",
    }
    assert [k.key for k in ACCOUNTANTS if k.approximate] == ["gdp_clt"]
    with pytest.raises(ValueError):
        Spend(math.nan)
    assert all(
        kind().epsilon(Ledger(()), 1e-6) == 0 for kind in ACCOUNTANTS if kind is not Parallel
    )


def test_gaussian_limit() -> None:
    """μ of Laplace from quadrature of its loss; near the truth for many small losses, and not a
    bound."""
    x = np.linspace(-0.3, 0.3, 200_001)
    mass = np.append(np.exp((x - 0.3) / 2) / 4 * (x[1] - x[0]), [])
    mass[0], mass[-1] = mass[0] / 2 + math.exp(-0.3) / 2, mass[-1] / 2 + 0.5
    mean = float(mass @ x)
    spread = math.sqrt(float(mass @ (x - mean) ** 2))
    assert GaussianLimit().mu((laplace(0.3, 400),)) == pytest.approx(
        2 * 20 * mean / spread, rel=1e-7
    )
    assert at(GaussianLimit(), laplace(0.1), 500, 1e-6) == pytest.approx(12.270, rel=0.01)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mu", [1e-200, 1e10, 1e20, 1e100])
def test_gaussian_dp_at_the_ends_of_floats(mu: float) -> None:
    """Where ε + ln Φ(b) is all rounding there was a logarithm of 0, and δ = 0 for what is nearly 1.
    For μ ≥ 1e10, ε is μ²/2 to every digit; ε below it by 20 μ leaves δ ≥ Φ(20) − e^−15."""
    epsilon = gdp_epsilon(np.array([mu]), 1e-12)[0]
    assert epsilon == (pytest.approx(mu * mu / 2, rel=1e-8) if mu > 1 else 0)
    if mu == 1e10:
        log_delta = log_deltas(np.array([mu * mu / 2 - 20 * mu]), np.array([mu]))[0]
        assert -3.1e-7 < log_delta <= 0  # e^−15, as it is bounded


@pytest.mark.parametrize(("each", "count", "total"), [(0.1, 60, 1.3), (0.5, 9, 1.0), (1.0, 3, 0.9)])
def test_the_delta_of_a_printed_place_by_search(each: float, count: int, total: float) -> None:
    """Between the places of the grid, on one, and below the lowest; by the root that any bound has."""
    for delta in (0.0, 1e-6):
        world = (Spend(each, delta, count=count),)
        with np.errstate(divide="ignore"):  # δ = 1 is tried too
            searched = Accountant.world_delta(KOV33(), world, total)
        assert KOV33().world_delta(world, total) == pytest.approx(searched, rel=1e-9)
    assert (searched == 1) == (total < each)
