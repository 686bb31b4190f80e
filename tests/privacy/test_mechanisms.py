"""Every mechanism of the catalogue keeps its contract; the numbers of the literature come out."""

import json
import math

import numpy as np
import pytest
from contracts import (
    CHECKS,
    MOVED,
    check_delta,
    check_draws,
    check_interval,
    check_inverse,
    check_joint_privacy,
    check_moments,
    check_promise,
    check_tight,
    check_vectors,
    even,
    own_delta,
    sizes,
)
from scipy import optimize, special

from dpstudio.privacy.mechanisms import MECHANISMS, Additive, additive, gaussian, geometric
from dpstudio.privacy.mechanisms.laplace import Laplace, LaplaceLaw
from dpstudio.privacy.mechanisms.law import Largest, Law
from dpstudio.values.parameters import ParamError, Real, domains, from_json, to_json

every = pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)


@every
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract(kind: type[Additive], check) -> None:
    """From ε = 0.01 to 50 and for every sensitivity."""
    for epsilon in (0.01, 0.1, 1.0, 10.0, 50.0):
        for size in sizes(kind):
            check(kind(epsilon=epsilon), even(size))


@every
@pytest.mark.parametrize(
    "check",
    [check_moments, check_inverse, check_interval, check_draws, check_vectors],
    ids=lambda c: c.__name__,
)
def test_contract_of_a_vector(kind: type[Additive], check) -> None:
    """Three numbers that one person moves at once."""
    for epsilon in (0.1, 1.0, 10.0):
        check(kind(epsilon=epsilon), MOVED)


@every
def test_privacy_of_a_vector(kind: type[Additive]) -> None:
    check_joint_privacy(kind(epsilon=0.8, **({} if kind.pure else {"delta": 0.02})), MOVED)


@every
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_wrong_scale_of_a_vector_is_caught(
    kind: type[Additive], factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Noise vectors of half or twice the size do not follow the law."""
    right = kind.noise
    monkeypatch.setattr(
        kind,
        "noise",
        lambda self, rng, s, answers, dims: right(self, rng, s, answers, dims) * factor,
    )
    with pytest.raises(AssertionError):
        check_vectors(kind(epsilon=0.5), MOVED)


@every
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_wrong_scale_is_caught(
    kind: type[Additive], factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half or twice the noise fails the contract: it breaks the promise or wastes noise."""
    right = kind.law
    monkeypatch.setattr(kind, "law", lambda self, s: right(self, even(s.l1 * factor)))
    assert any(
        fails(check, kind(epsilon=0.5)) for check in (check_delta, check_promise, check_tight)
    )


def fails(check, mechanism: Additive) -> bool:
    try:
        check(mechanism, even(2))
    except AssertionError:
        return True
    return False


@every
def test_refuses_bad_values_by_name(kind: type[Additive]) -> None:
    bad = list(kind.invalid_examples())
    assert {name for name, _ in bad} == set(domains(kind))
    for name, value in bad:
        with pytest.raises(ParamError) as caught:
            kind(**{name: value})
        assert caught.value.field == name, value


@every
def test_json_round_trip(kind: type[Additive]) -> None:
    values = {
        name: domain.at(0.37) if isinstance(domain, Real) else list(domain.words)[-1]
        for name, domain in domains(kind).items()
    }
    for mechanism in (kind(), kind(**values)):
        assert from_json(MECHANISMS, json.loads(json.dumps(to_json(mechanism)))) == mechanism


@every
def test_extremes_are_finite(kind: type[Additive]) -> None:
    """The ends of the sliders, and the shares of a budget below them; warnings are errors."""
    for epsilon in (additive.EPSILON.low, additive.EPSILON.high):
        for delta in (additive.DELTA.low, additive.DELTA.high):
            values = {} if kind.pure else {"delta": delta}
            for mechanism in (
                kind(epsilon=epsilon, **values),
                kind(epsilon=epsilon, **values).share(0.05),
            ):
                for size in (1, 100_000):
                    law = mechanism.law(even(size))
                    ends = law.quantile(np.array([1e-12, 0.5, 1 - 1e-12]))
                    draws = law.sample(np.random.default_rng(0), 100)
                    curve = [mechanism.delta_at(e, even(size)) for e in (0.0, 1e-3, epsilon, 50.0)]
                    numbers = [
                        law.mean_abs,
                        law.variance,
                        law.half_width(0.999),
                        *ends,
                        *draws,
                        *law.density(ends),
                        *law.cdf(ends),
                        *curve,
                    ]
                    assert np.all(np.isfinite(numbers))
                    assert all(0 <= d <= 1 for d in curve)


@every
def test_a_share_of_the_budget(kind: type[Additive]) -> None:
    """Half of the smallest budget is a budget too, and the whole share changes nothing."""
    mechanism = kind(epsilon=0.001)
    half = mechanism.share(0.5)
    assert (half.epsilon, half.total_delta) == (0.0005, mechanism.total_delta / 2)
    assert mechanism.share(1) is mechanism
    assert type(half) is kind


@pytest.mark.vectors("gauss_sigma")
def test_gaussian_vectors(vector: dict) -> None:
    given, tolerance = vector["inputs"], vector["tol"]
    if vector["fn"] == "analytic_sigma":
        found = (
            gaussian.AnalyticGaussian(epsilon=given["eps"], delta=given["delta"])
            .law(even(given["sens"]))
            .sigma
        )
    elif vector["fn"] == "classical_sigma":
        found = (
            gaussian.TextbookGaussian(epsilon=given["eps"], delta=given["delta"])
            .law(even(given["sens"]))
            .sigma
        )
    else:
        found = (
            gaussian.TextbookGaussian(epsilon=given["eps"], delta=given["target_delta"])
            .guarantee(even(1))
            .true_delta
        )
    assert found == pytest.approx(vector["expected"], abs=tolerance)


@pytest.mark.vectors("geometric")
def test_geometric_vectors(vector: dict) -> None:
    law = geometric.Geometric(epsilon=vector["inputs"]["eps"]).law(even(1))
    found = {"var": law.variance, "mean_abs": law.mean_abs, "p0": float(law.density(0))}[
        vector["fn"]
    ]
    assert found == pytest.approx(vector["expected"], abs=vector["tol"])


@pytest.mark.vectors("laplace_hockeystick")
def test_laplace_vectors(vector: dict) -> None:
    given = vector["inputs"]
    assert LaplaceLaw(given["b"]).delta(given["eps"], given["sensitivity"]) == pytest.approx(
        vector["expected"], abs=vector["tol"]
    )


@pytest.mark.vectors("accuracy", without="discrete_gaussian_scale_to_accuracy")
def test_accuracy_vectors(vector: dict) -> None:
    scale, alpha = vector["inputs"]["scale"], vector["inputs"]["alpha"]
    laws: dict[str, Law] = {
        "laplacian_scale_to_accuracy": LaplaceLaw(scale),
        "gaussian_scale_to_accuracy": gaussian.GaussianLaw(scale),
        "discrete_laplacian_scale_to_accuracy": geometric.DiscreteLaplaceLaw(1 / scale),
    }
    found, expected = laws[vector["fn"]].half_width(1 - alpha), vector["expected"]
    if vector["fn"].startswith("discrete"):
        # The vector solves P(|X| ≥ a) = α on the continuous formula; the least integer with P(|X| >
        # w) ≤ α is ⌈a − 1⌉.
        expected = max(0, math.ceil(expected - 1))
    assert found == pytest.approx(expected, abs=vector["tol"])


def test_facts_of_the_literature() -> None:
    """Balle & Wang's σ, the textbook's σ, and the moments of the geometric law."""
    assert gaussian.AnalyticGaussian(epsilon=1, delta=1e-5).law(even(1)).sigma == pytest.approx(
        3.7306316, abs=5e-8
    )
    assert gaussian.TextbookGaussian(epsilon=1, delta=1e-5).law(even(1)).sigma == pytest.approx(
        4.8448, abs=5e-5
    )
    for epsilon, variance, mean_abs, zero in (
        (1, 1.8413, 0.8509, 0.4621),
        (0.1, 199.83, None, None),
        (0.5, 7.8354, None, None),
    ):
        law = geometric.Geometric(epsilon=epsilon).law(even(1))
        assert law.variance == pytest.approx(variance, rel=3e-5)
        if mean_abs:
            assert law.mean_abs == pytest.approx(mean_abs, abs=5e-5)
            assert float(law.density(0)) == pytest.approx(zero, abs=5e-5)
    assert Laplace(epsilon=0.5).law(even(1)).delta(0, 1) == pytest.approx(1 - math.exp(-0.25))


def test_textbook_gaussian_is_flagged() -> None:
    """Proven below ε = 1, unproven from 1 on, false at ε = 10."""
    below, at_one, far = (
        gaussian.TextbookGaussian(epsilon=e).guarantee(even(1)) for e in (0.999, 1.0, 10.0)
    )
    assert (below.proven, below.violated) == (True, False)
    assert (at_one.proven, at_one.violated) == (False, False)
    assert (far.proven, far.violated) == (False, True)
    assert at_one.true_delta == pytest.approx(4.11e-8, rel=2e-3)
    assert "is false here" in far.note.text
    assert "unproven" in at_one.note.text


@pytest.mark.parametrize(
    ("delta", "threshold"), [(1e-3, 7.463), (1e-4, 7.991), (1e-5, 8.420), (1e-6, 8.782)]
)
def test_where_the_textbook_gaussian_breaks(delta: float, threshold: float) -> None:
    """The ε above which its exact δ exceeds δ, by an own root of Φ(a) − e^ε Φ(b)."""

    def excess(epsilon: float) -> float:
        ratio = epsilon / math.sqrt(2 * math.log(1.25 / delta))
        a, b = ratio / 2 - epsilon / ratio, -ratio / 2 - epsilon / ratio
        return special.ndtr(a) - math.exp(epsilon) * special.ndtr(b) - delta

    at = optimize.brentq(excess, 1, 15)
    assert at == pytest.approx(threshold, abs=6e-4)
    for epsilon, violated in ((at - 1e-3, False), (at + 1e-3, True)):
        assert (
            gaussian.TextbookGaussian(epsilon=epsilon, delta=delta).guarantee(even(1)).violated
            is violated
        )


def test_analytic_gaussian_against_arithmetic_with_fifty_digits() -> None:
    """ln δ of Theorem 8 where floats would cancel or underflow."""
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(60):
        for epsilon in (0.001, 0.5, 8, 50):
            for delta in (1e-12, 1e-5, 0.5):
                ratio = 1 / mpmath.mpf(gaussian.analytic_sigma(epsilon, delta))
                a, b = ratio / 2 - epsilon / ratio, -ratio / 2 - epsilon / ratio
                exact = mpmath.ncdf(a) - mpmath.exp(epsilon) * mpmath.ncdf(b)
                assert abs(exact / delta - 1) < 1e-9
        for epsilon, ratio in ((1, 0.05), (50, 1), (0.1, 30), (700, 40)):
            a, b = (
                mpmath.mpf(ratio) / 2 - mpmath.mpf(epsilon) / ratio,
                -mpmath.mpf(ratio) / 2 - mpmath.mpf(epsilon) / ratio,
            )
            exact = mpmath.log(mpmath.ncdf(a) - mpmath.exp(epsilon) * mpmath.ncdf(b))
            assert gaussian.gaussian_log_delta(epsilon, ratio) == pytest.approx(
                float(exact), rel=1e-9, abs=1e-14
            )


@every
@pytest.mark.parametrize("count", [1, 7, 100])
def test_largest_error_of_many(kind: type[Additive], count: int) -> None:
    """Against the maximum of seeded draws: cdf, interval, mean and second moment."""
    law = kind(epsilon=0.4).law(even(1))
    largest = Largest(law, count)
    draws = (
        np.abs(law.sample(np.random.default_rng(3), 20_000 * count)).reshape(-1, count).max(axis=1)
    )
    at = np.unique(np.quantile(draws, [0.05, 0.3, 0.5, 0.8, 0.95, 0.99]))
    seen = np.mean(draws[:, None] <= at, axis=0)
    assert np.max(np.abs(largest.cdf(at) - seen)) < 5 * 0.5 / math.sqrt(len(draws))
    assert largest.mean_abs == pytest.approx(
        draws.mean(), abs=6 * draws.std() / math.sqrt(len(draws))
    )
    assert largest.variance == pytest.approx(
        np.mean(draws**2), abs=6 * np.std(draws**2) / math.sqrt(len(draws))
    )
    for confidence in (0.5, 0.95, 0.999):
        w = largest.half_width(confidence)
        assert float(largest.cdf(w)) >= confidence - 1e-9
        assert float(largest.cdf(w - 1 if law.discrete else w * (1 - 1e-6))) < confidence
    top = 45 * law.mean_abs
    ends = (
        np.arange(-0.5, 400)
        if law.discrete
        else np.union1d(np.linspace(0, top, 40_001), largest.kinks(0, top))
    )
    mass = float(np.sum(largest.density((ends[1:] + ends[:-1]) / 2) * np.diff(ends)))
    assert mass + sum(m for _, m in law.atoms) == pytest.approx(1, abs=1e-5)


def test_own_integration_is_right() -> None:
    """The ruler itself: Laplace's 1 − e^((ε − ε₀)/2) of peers.md 7.5."""
    assert own_delta(LaplaceLaw(1.0), 0.5, 1.0) == pytest.approx(0.2211992169, abs=1e-10)
    assert own_delta(LaplaceLaw(1.0), 0.0, 1.0) == pytest.approx(0.3934693403, abs=1e-10)
