"""Staircase, discrete Gaussian, L2 norm and catastrophe by routes of their own, where the
one-coordinate contract does not reach."""

import itertools
import math

import numpy as np
import pytest
from contracts import check_draws, check_interval, check_inverse, check_moments, even, own_delta
from scipy import integrate, optimize, special, stats

from dpstudio.privacy.mechanisms import (
    Catastrophe,
    DiscreteGaussian,
    L2Norm,
    Sensitivity,
    Staircase,
)
from dpstudio.privacy.mechanisms.catastrophe import LeakyLaw, leak_chance
from dpstudio.privacy.mechanisms.concentrated import concentrated_rho
from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussianLaw, discrete_log_delta
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.l2norm import NormLaw, ball_delta
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Largest, _summed, hockey_stick
from dpstudio.privacy.mechanisms.staircase import StaircaseLaw, best_gamma


def moved(*moves: float, dims: int = 0) -> Sensitivity:
    """The sensitivity where one person moves these coordinates by so much."""
    return Sensitivity(
        sum(moves),
        math.hypot(*moves),
        max(moves),
        l0=len(moves),
        dims=dims or len(moves),
        moves=(moves,),
    )


# Staircase


@pytest.mark.parametrize(
    ("epsilon", "mean_abs", "variance"),
    [
        (0.5, 1.9793, 7.917),
        (1, 0.9595, 1.9181),
        (2, 0.4255, 0.42273),
        (5, 0.08264, 0.02971),
        (10, 0.00674, 0.00085),
    ],
)
def test_staircase_of_least_error(epsilon: float, mean_abs: float, variance: float) -> None:
    """The facts' table A.2.3, their γ for least variance, and a search over γ that never looks at
    the closed forms for it."""
    one, two = (Staircase(epsilon=epsilon, loss=loss).law(even(1)) for loss in ("l1", "l2"))

    def printed(value: float, shown: float) -> bool:
        return abs(value - shown) <= 0.5000001 * 10.0 ** -len(str(shown).split(".")[1])

    assert printed(one.mean_abs, mean_abs)
    assert printed(two.variance, variance)
    b = math.exp(-epsilon)
    root = (b - 2 * b**2 + 2 * b**4 - b**5) ** (1 / 3)
    assert two.gamma == pytest.approx(-b / (1 - b) + root / (2 ** (1 / 3) * (1 - b) ** 2), rel=1e-9)
    assert two.variance == pytest.approx(
        ((b * (1 + b) / 2) ** (2 / 3) * 2 ** (2 / 3) * 2 ** (-2 / 3) + b) / (1 - b) ** 2, rel=1e-12
    )
    for law, error in ((one, "mean_abs"), (two, "variance")):
        found = optimize.minimize_scalar(
            lambda g, error=error: getattr(StaircaseLaw(1, epsilon, g), error),
            bounds=(0, 1),
            method="bounded",
            options={"xatol": 1e-9},
        )
        assert law.gamma == pytest.approx(found.x, abs=2e-6)
        assert getattr(law, error) <= found.fun * (1 + 1e-12)


@pytest.mark.parametrize(("epsilon", "gamma"), [(0.1, 0.0), (1, 0.07), (3, 1.0), (10, 0.6)])
def test_staircase_of_any_shape(epsilon: float, gamma: float) -> None:
    """The contract for γ by hand; and for every ε′ no shift by less than Δ shows more than the one
    by Δ, which is the δ stated."""
    mechanism = Staircase(epsilon=epsilon, loss="hand", gamma=gamma)
    for check in (check_moments, check_inverse, check_interval, check_draws):
        check(mechanism, even(3.7))
    law = mechanism.law(even(1))
    edges = law.kinks(-5, 5)
    begun, ending = (law.density(edges[:-1] + part * np.diff(edges)) for part in (0.01, 0.99))
    assert law.flat == bool((begun == ending).all())
    steps = np.arange(math.ceil(40 / epsilon))
    ends = np.unique(np.outer([-1, 1], np.concatenate([steps, steps + gamma])))
    for part in (0, 0.02, 0.5, 0.9, 0.999):
        shown = []
        for shift in (*np.linspace(0.02, 1, 50), gamma or 0.5, 1 - gamma or 0.5):
            cells = np.union1d(ends, ends + shift)
            middle = (cells[1:] + cells[:-1]) / 2
            gap = law.density(middle) - math.exp(part * epsilon) * law.density(middle - shift)
            shown.append(float(np.maximum(gap, 0) @ np.diff(cells)))
        stated = mechanism.delta_at(part * epsilon, even(1))
        assert max(shown) <= stated + 1e-12
        assert shown[49] == pytest.approx(stated, abs=1e-12)


def worst_loss(law: StaircaseLaw, shift: float) -> float:
    x = np.linspace(-4, 4, 4001) * law.width + 1e-7
    return float(np.max(np.log(law.density(x)) - np.log(law.density(x - shift))))


def test_staircase_of_a_vector() -> None:
    """ε for every move of three coordinates by up to Δ∞; a width of L1 with all of ε for each would
    give 2ε to half steps."""
    sensitivity = moved(2.0, 2.0, 1.0)
    law = Staircase(epsilon=1.2).law(sensitivity)
    losses = {shift: worst_loss(law, shift) for shift in (0.01, 0.5, 1.0, 1.7, 2.0)}
    assert max(sum(move) for move in itertools.product(losses.values(), repeat=3)) == pytest.approx(
        1.2, rel=1e-12
    )
    wrong = Staircase(epsilon=1.2).law(even(2))
    assert 2 * worst_loss(wrong, 1.0) == pytest.approx(2.4, rel=1e-12)


def test_staircase_delta_of_a_vector() -> None:
    """δ(ε/2) of two coordinates, from the three losses that each may have."""
    mechanism = Staircase(epsilon=2.0)
    law = mechanism.law(moved(1.0, 1.0))
    most = law.delta(0, 1) / -math.expm1(-1.0)
    losses = ((1.0, most), (0.0, 1 - most * (1 + math.exp(-1.0))), (-1.0, most * math.exp(-1.0)))
    for epsilon in (0.0, 0.5, 1.0, 1.5):
        joint = sum(
            p * q * max(0.0, -math.expm1(epsilon - a - b))
            for (a, p), (b, q) in itertools.product(losses, repeat=2)
        )
        assert mechanism.delta_at(epsilon, moved(1.0, 1.0)) >= joint - 1e-12


# Discrete Gaussian


def exact_delta(epsilon: float, sigma: float, shift: int):
    """δ(ε) by its sum with forty digits (mpmath)."""
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(40):
        epsilon, sigma = mpmath.mpf(epsilon), mpmath.mpf(sigma)
        ratio = mpmath.exp(epsilon)

        def weight(k: int):
            return mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * sigma**2))

        k = int(mpmath.floor(epsilon * sigma**2 / shift - mpmath.mpf(shift) / 2)) + 1
        total, last = mpmath.mpf(0), mpmath.inf
        while k <= 0 or last > total * mpmath.mpf(10) ** -20:
            last = weight(k) - ratio * weight(k + shift)
            total += last
            k += 1
        return total / mpmath.jtheta(3, 0, mpmath.exp(-1 / (2 * sigma**2)))


@pytest.mark.parametrize(
    ("epsilon", "delta", "shift"),
    [
        (0.5, 1e-12, 1),
        (0.1, 1e-3, 2),
        (1, 1e-5, 1),
        (1, 1e-5, 90),
        (0.001, 0.5, 1),
        (5, 1e-8, 3),
        (20, 1e-3, 90),
        (50, 0.5, 90),
        (50, 1e-12, 5),
    ],
)
def test_discrete_gaussian_against_arithmetic_with_forty_digits(
    epsilon: float, delta: float, shift: int
) -> None:
    """The σ found has the δ asked for, and a little less noise has more; at another ε the curve is
    right too."""
    mechanism = DiscreteGaussian(epsilon=epsilon, delta=delta)
    sigma = mechanism.law(even(shift)).sigma
    assert float(exact_delta(epsilon, sigma, shift)) == pytest.approx(delta, rel=1e-8)
    assert float(exact_delta(epsilon, sigma * 0.9999, shift)) > delta
    for other in (0.0, 0.6 * epsilon):
        assert mechanism.delta_at(other, even(shift)) == pytest.approx(
            float(exact_delta(other, sigma, shift)), rel=1e-8
        )


def test_discrete_gaussian_where_the_method_changes() -> None:
    """ln δ, tails, moments and intervals just below σ = 60, where all is summed, and just above,
    where nothing is."""
    for sigma, shift, epsilon in itertools.product(
        (59.9999, 60.0001), (1, 7, 300), (0.0, 0.05, 1.0)
    ):
        exact = exact_delta(epsilon, sigma, shift)
        assert math.exp(discrete_log_delta(epsilon, sigma, shift)) == pytest.approx(
            float(exact), rel=2e-9, abs=1e-300
        )
    k = np.arange(-3000.0, 3001)
    for sigma in (59.9999, 60.0001, 75.0):
        law = DiscreteGaussianLaw(sigma)
        pmf = np.exp(-k * k / (2 * sigma * sigma)) / np.sum(np.exp(-k * k / (2 * sigma * sigma)))
        assert np.allclose(
            law.cdf(k[2520:3001:20]), np.cumsum(pmf)[2520:3001:20], rtol=3e-10, atol=0
        )
        assert law.variance == pytest.approx(np.sum(k * k * pmf), rel=1e-12)
        assert law.mean_abs == pytest.approx(np.sum(np.abs(k) * pmf), rel=1e-12)
        for confidence in (0.5, 0.95, 1 - 1e-9):
            narrowest = int(np.argmax(2 * np.cumsum(pmf[3001:][::-1])[::-1] <= 1 - confidence))
            assert law.half_width(confidence) == narrowest


def test_discrete_gaussian_shows_more_of_a_larger_move() -> None:
    """δ grows with the shift at every ε, so that the largest moves are the worst; below σ = 1 too,
    where it jumps about in σ."""
    for sigma, epsilon in itertools.product(
        (0.1, 0.2, 0.5, 1.3, 20.0, 90.0), (0.0, 0.3, 5.0, 50.0)
    ):
        deltas = [discrete_log_delta(epsilon, sigma, shift) for shift in (1, 2, 3, 5)]
        assert all(a <= b + 1e-12 for a, b in itertools.pairwise(deltas)), (sigma, epsilon)


def vector_delta(epsilon: float, sigma: float, moves: tuple[float, ...]) -> float:
    """δ(ε) of independent discrete Gaussians by brute force: the law of Σ move·noise, which the
    loss depends on alone."""
    k = np.arange(-math.ceil(12 * sigma) - 8, math.ceil(12 * sigma) + 9)
    pmf = np.exp(-k * k / (2 * sigma * sigma)) / np.sum(np.exp(-k * k / (2 * sigma * sigma)))
    step, masses = math.gcd(*map(int, moves)), np.ones(1)
    for move in moves:
        spread = np.zeros((len(k) - 1) * (int(move) // step) + 1)
        spread[:: int(move) // step] = pmf
        masses = np.convolve(masses, spread)
    total = step * (np.arange(len(masses)) - len(masses) // 2)
    loss = (2 * total + sum(move**2 for move in moves)) / (2 * sigma * sigma)
    return float(np.sum(masses * np.maximum(-np.expm1(np.minimum(0, epsilon - loss)), 0)))


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(50.0, 1e-3), (12.0, 1e-12), (4.0, 1e-5), (1.0, 0.1)]
)
@pytest.mark.parametrize(
    "moves",
    [(1.0,) * 2, (1.0,) * 7, (1.0,) * 100, (3.0, 3.0)],
    ids=lambda m: f"{len(m)} by {m[0]:g}",
)
def test_discrete_gaussian_moves_in_step(
    epsilon: float, delta: float, moves: tuple[float, ...]
) -> None:
    """Several coordinates moved alike: the δ asked for is met, by brute force over every
    coordinate, on both sides of σ = 3."""
    mechanism = DiscreteGaussian(epsilon=epsilon, delta=delta)
    sigma = mechanism.law(moved(*moves)).sigma
    assert vector_delta(epsilon, sigma, moves) == pytest.approx(delta, rel=1e-7)
    assert mechanism.delta_at(epsilon / 2, moved(*moves)) == pytest.approx(
        vector_delta(epsilon / 2, sigma, moves), rel=1e-7
    )


def test_discrete_gaussian_moves_in_step_simulated() -> None:
    """δ(ε) = E (1 − e^(ε − loss))₊ over seeded noise vectors."""
    mechanism, sensitivity, rng = (
        DiscreteGaussian(epsilon=1.0, delta=0.02),
        moved(*[2.0] * 7, dims=9),
        np.random.default_rng(5),
    )
    sigma = mechanism.law(sensitivity).sigma
    noise = mechanism.noise(rng, sensitivity, 200_000, 9)[:, :7]
    loss = np.sum(4 * noise + 4, axis=1) / (2 * sigma**2)
    shown = np.maximum(-np.expm1(np.minimum(1.0 - loss, 0)), 0)
    assert shown.mean() == pytest.approx(0.02, abs=5 * shown.std() / math.sqrt(len(shown)))


@pytest.mark.parametrize("moves", [(5.0, 3.0), (2.0, 1.0), (7.0, 1.0), (3.0, 2.0, 1.0)], ids=str)
def test_discrete_gaussian_of_uneven_moves(moves: tuple[float, ...]) -> None:
    """Concentrated DP is a bound (brute force), and its ρ is the best that any order α gives."""
    for epsilon, delta in ((1.0, 0.1), (10.0, 1e-6), (30.0, 1e-3), (50.0, 0.5)):
        sigma = DiscreteGaussian(epsilon=epsilon, delta=delta).law(moved(*moves)).sigma
        assert vector_delta(epsilon, sigma, moves) <= delta
        rho = concentrated_rho(epsilon, delta)
        assert sigma == pytest.approx(math.hypot(*moves) / math.sqrt(2 * rho), rel=1e-12)

        def log_bound(t: float, rho: float = rho, epsilon: float = epsilon) -> float:
            a = math.exp(t)
            return a * ((a + 1) * rho - epsilon) - t + (a + 1) * math.log(a / (a + 1))

        assert optimize.minimize_scalar(
            log_bound, bounds=(-12, 12), method="bounded"
        ).fun == pytest.approx(math.log(delta), abs=1e-3)


def test_discrete_gaussian_delta_of_uneven_moves() -> None:
    """What is stated for uneven moves is at least what brute force finds."""
    for epsilon, delta, at in ((1.0, 1e-3, 1.0), (3.0, 0.5, 0.0), (50.0, 1e-6, 50.0)):
        mechanism = DiscreteGaussian(epsilon=epsilon, delta=delta)
        shown = vector_delta(at, mechanism.law(moved(7.0, 1.0)).sigma, (7.0, 1.0))
        assert mechanism.delta_at(at, moved(7.0, 1.0)) >= shown * (1 - 1e-9)


def test_discrete_gaussian_never_needs_more_noise_for_more_budget() -> None:
    for delta, moves, low, high in (
        (1e-9, (1.0, 1.0), 6.7876, 6.8087),
        (1e-12, (2.0,), 45.87, 46.03),
        (1e-12, (1.0, 1.0), 39.58, 39.72),
    ):
        sigmas = [
            DiscreteGaussian(epsilon=e, delta=delta).law(moved(*moves)).sigma
            for e in np.linspace(low, high, 12)
        ]
        assert all(b <= a * (1 + 1e-12) for a, b in itertools.pairwise(sigmas))


@pytest.mark.vectors("accuracy")
def test_discrete_gaussian_vectors(vector: dict) -> None:
    """OpenDP gives the least a with P(|X| ≥ a) ≤ α; the half width is the integer below."""
    if vector["fn"] == "discrete_gaussian_scale_to_accuracy":
        law = DiscreteGaussianLaw(vector["inputs"]["scale"])
        assert law.half_width(1 - vector["inputs"]["alpha"]) == vector["expected"] - 1


def test_discrete_gaussian_against_dp_accounting() -> None:
    loss = pytest.importorskip("dp_accounting.pld.privacy_loss_mechanism")
    for sigma, shift, epsilon in itertools.product(
        (0.5, 1, 3, 60, 61, 200), (1, 3), (0.01, 0.1, 1)
    ):
        theirs = loss.DiscreteGaussianPrivacyLoss(
            sigma=sigma, sensitivity=shift
        ).get_delta_for_epsilon(epsilon)
        assert DiscreteGaussianLaw(sigma).delta(epsilon, shift) == pytest.approx(
            theirs, rel=1e-8, abs=1e-25
        )


# L2 norm


def norm_tail(dims: int, x: float) -> float:
    """P(X > x) of one coordinate for Δ₂ = ε = 1: length Gamma(d) times a direction with square
    Beta(1/2, (d − 1)/2)."""
    far = max(dims, x) + 40 * math.sqrt(dims) + 120
    t, weights = np.polynomial.legendre.leggauss(120)
    edges = x + (far - x) * np.linspace(0, 1, 61) ** 2
    r = ((edges[1:] + edges[:-1])[:, None] + np.diff(edges)[:, None] * t) / 2
    beyond = special.betainc((dims - 1) / 2, 0.5, np.clip(1 - (x / r) ** 2, 0, 1))
    density = np.exp((dims - 1) * np.log(r) - r - math.lgamma(dims))
    return float(np.sum(density * beyond * weights * np.diff(edges)[:, None])) / 4


@pytest.mark.parametrize("dims", [2, 3, 10, 1000, 10_000])
def test_norm_law(dims: int) -> None:
    """Density c·x^(d/2)·K_(d/2)(x); tails and quantiles by polar coordinates; moments, from 0 to
    ten deviations."""
    mpmath = pytest.importorskip("mpmath")
    law, deviation = NormLaw(dims, 1.0), math.sqrt(dims + 1)
    for at in (1e-3, 0.5, 3.0, 10.0):
        x = at * deviation
        bessel = mpmath.log(mpmath.besselk(mpmath.mpf(dims) / 2, x)) + dims / 2 * math.log(x)
        constant = math.log(math.pi) / 2 + math.lgamma((dims + 1) / 2) + dims / 2 * math.log(2)
        assert float(law.density(x)) == pytest.approx(
            float(mpmath.exp(bessel - constant)), rel=2e-11
        )
        tail = norm_tail(dims, x)
        assert float(law.cdf(-x)) == pytest.approx(tail, rel=1e-9)
        assert float(law.quantile(np.array([tail]))[0]) == pytest.approx(-x, rel=1e-8, abs=1e-9)
        assert law.half_width(1 - 2 * tail) == pytest.approx(x, rel=1e-6 if at < 5 else 1)
    shape = math.lgamma(dims / 2) - math.lgamma((dims - 1) / 2) - math.log(math.pi) / 2
    cosine = integrate.quad(
        lambda a: math.exp(shape + (dims - 2) * math.log(math.cos(a))) * abs(math.sin(a)),
        0,
        math.pi / 2,
        points=[0.02],
    )
    assert law.mean_abs == pytest.approx(dims * 2 * cosine[0], rel=1e-9)
    assert law.variance == dims + 1


@pytest.mark.parametrize("dims", [2, 10])
def test_norm_law_keeps_the_contract(dims: int) -> None:
    for check in (check_moments, check_inverse, check_interval, check_draws):
        check(L2Norm(epsilon=0.1), Sensitivity(3, 1.7, 1, l0=dims, dims=dims))


@pytest.mark.parametrize("dims", [2, 3, 50])
def test_norm_noise_is_joint(dims: int) -> None:
    """Length Gamma(d), direction uniform, each coordinate of the stated law, and the largest of
    them all."""
    mechanism, sensitivity, n = L2Norm(epsilon=0.5), Sensitivity(5, 2, 1, l0=2, dims=dims), 20_000
    noise, law = (
        mechanism.noise(np.random.default_rng(2), sensitivity, n, dims),
        mechanism.law(sensitivity),
    )
    length = np.linalg.norm(noise, axis=1)
    assert stats.kstest(length / 4, stats.gamma(dims).cdf).pvalue > 1e-3
    way = noise / length[:, None]
    assert np.all(np.abs(way.mean(axis=0)) < 5 / math.sqrt(n * dims))
    assert np.allclose(way.T @ way / n, np.eye(dims) / dims, atol=8 / (dims * math.sqrt(n)))
    assert abs(np.corrcoef(length, way[:, 0] ** 2)[0, 1]) < 5 / math.sqrt(n)
    for place in (0, dims - 1):
        assert stats.kstest(noise[:, place], law.cdf).pvalue > 1e-3
    largest, shown = Largest(law, dims), np.abs(noise).max(axis=1)
    assert stats.kstest(shown, largest.cdf).pvalue > 1e-3
    for confidence in (0.5, 0.95):
        assert np.mean(shown <= largest.half_width(confidence)) == pytest.approx(
            confidence, abs=5 * 0.5 / math.sqrt(n)
        )
    assert largest.mean_abs == pytest.approx(shown.mean(), abs=5 * shown.std() / math.sqrt(n))
    x = np.linspace(0, 60 * law.mean_abs, 2_001)
    assert integrate.simpson(largest.density(x), x=x) == pytest.approx(1, abs=1e-5)


def other_ball_delta(epsilon: float, full: float, dims: int) -> float:
    """P(loss > ε) − e^ε Q(loss > ε), each in polar coordinates about its own centre: the share of a
    sphere is a beta integral."""
    kappa, half = epsilon / full, (dims - 1) / 2

    def mass(share, low: float) -> float:
        far = low + (dims + 40 * math.sqrt(dims) + 90) / full
        t, weights = np.polynomial.legendre.leggauss(60)
        # Panels narrow towards `low`, where the share of the sphere starts or ends like a root.
        edges = low + (far - low) * np.linspace(0, 1, 121) ** 4
        r = ((edges[1:] + edges[:-1])[:, None] + np.diff(edges)[:, None] * t) / 2
        density = np.exp((dims - 1) * np.log(r * full) - r * full - math.lgamma(dims)) * full
        inside = special.betainc(half, half, np.clip((share(r) + 1) / 2, 0, 1))
        return float(np.sum(inside * density * weights * np.diff(edges)[:, None])) / 2

    start = (1 - kappa) / 2
    first = special.gammainc(dims, start * full) + mass(
        lambda r: (1 - kappa**2) / (2 * r) - kappa, start
    )
    return first - math.exp(epsilon) * mass(
        lambda r: (kappa**2 - 1) / (2 * r) - kappa, (1 + kappa) / 2
    )


@pytest.mark.parametrize("dims", [2, 3, 10, 200])
def test_ball_delta(dims: int) -> None:
    """Against integrals about both centres, to the 1e-6 that its panels allow, and a simulation; 0
    from ε on."""
    for full in (0.05, 1.0, 5.0, 12.0):
        for part in (0.0, 0.3, 0.9):
            assert ball_delta(part * full, full, dims) == pytest.approx(
                other_ball_delta(part * full, full, dims), abs=1e-6
            )
        assert ball_delta(full, full, dims) == ball_delta(2 * full, full, dims) == 0
        shown = [ball_delta(0.3, shift * full, dims) for shift in (0.2, 0.5, 0.9, 1.0)]
        assert shown == sorted(shown)
    mechanism, sensitivity = L2Norm(epsilon=3.0), Sensitivity(2, 1.5, 1, l0=2, dims=dims)
    noise = mechanism.noise(np.random.default_rng(9), sensitivity, 100_000, dims)
    # The squared length after a move by 1.5 along the first two coordinates.
    square = np.einsum("ij,ij->i", noise, noise)
    shifted = square + math.sqrt(2) * 1.5 * noise[:, :2].sum(axis=1) + 1.5**2
    loss = (np.sqrt(shifted) - np.sqrt(square)) * 3.0 / 1.5
    assert np.max(np.abs(loss)) <= 3.0 + 1e-9
    for epsilon in (0.0, 1.0):
        shown = np.maximum(-np.expm1(np.minimum(epsilon - loss, 0)), 0)
        assert shown.mean() == pytest.approx(
            mechanism.delta_at(epsilon, sensitivity),
            abs=5 * shown.std() / math.sqrt(len(shown)) + 1e-5,
        )


def test_ball_delta_to_ten_digits() -> None:
    for full, part in ((1.0, 0.3), (5.0, 0.3), (12.0, 0.9)):
        for dims in (2, 3):
            assert ball_delta(part * full, full, dims) == pytest.approx(
                other_ball_delta(part * full, full, dims), abs=1e-10
            )


# Catastrophe


@pytest.mark.parametrize("leak", [1e-12, 0.001, 0.5])
def test_leaky_law(leak: float) -> None:
    """cdf, quantile, interval and hockey stick with an atom, each by its definition."""
    law, noise = LeakyLaw(LaplaceLaw(2.0), leak), LaplaceLaw(2.0)
    x = np.array([-7.0, -1.0, -1e-12, 0.0, 1e-12, 3.0])
    assert np.allclose(law.cdf(x), (1 - leak) * noise.cdf(x) + leak * (x >= 0), rtol=1e-12, atol=0)
    jump = float(law.cdf(0.0) - law.cdf(-1e-300))
    assert jump == pytest.approx(leak, rel=1e-3 if leak < 1e-9 else 1e-12)
    inside_atom = [0.5 - 0.49 * leak, 0.5, 0.5 + 0.49 * leak]
    assert np.all(np.abs(law.quantile(inside_atom)) < 1e-9)
    for u in (1e-9, 0.2, 0.77, 1 - 1e-9):
        if abs(u - 0.5) > leak / 2:
            assert float(law.cdf(law.quantile(np.array([u])))[0]) == pytest.approx(u, rel=1e-9)
    assert law.half_width(0.3) == pytest.approx(
        0.0 if leak > 0.3 else -2 * math.log(0.7 / (1 - leak)), abs=1e-12
    )
    for epsilon, shift in ((0.0, 1.0), (0.2, 1.0), (0.5, 1.0), (2.0, 1.0), (0.1, 5.0)):
        assert law.delta(epsilon, shift) == pytest.approx(own_delta(law, epsilon, shift), abs=1e-11)
        assert law.delta(epsilon, shift) == pytest.approx(
            hockey_stick(law, epsilon, shift), abs=1e-8
        )
    assert law.delta(0.5, 1.0) == leak
    assert law.delta(0.1, 0.0) == 0


def test_a_leak_takes_the_whole_vector() -> None:
    mechanism, sensitivity = Catastrophe(epsilon=1.0, delta=0.3), moved(1.0, 1.0, dims=6)
    noise = mechanism.noise(np.random.default_rng(4), sensitivity, 40_000, 6)
    leaked = np.all(noise == 0, axis=1)
    assert np.array_equal(leaked, np.any(noise == 0, axis=1))
    assert stats.binomtest(int(leaked.sum()), len(leaked), 0.3).pvalue > 1e-3
    assert stats.kstest(noise[~leaked, 3], LaplaceLaw(2.0).cdf).pvalue > 1e-3
    largest, shown = Largest(mechanism.law(sensitivity), 6), np.abs(noise).max(axis=1)
    for confidence in (0.2, 0.5, 0.95):
        w = largest.half_width(confidence)
        assert (w == 0) is (confidence <= 0.3)
        assert np.mean(shown <= w) == pytest.approx(max(confidence, 0.3), abs=0.0125)
    assert largest.mean_abs == pytest.approx(shown.mean(), abs=5 * shown.std() / 200)
    assert largest.variance == pytest.approx(np.mean(shown**2), abs=5 * np.std(shown**2) / 200)


def test_leak_chance() -> None:
    """1 − (1 − δ)^k: the seed's .095 for k = 100, and the ends of the sliders, where 1 − δ would
    lose δ."""
    assert round(leak_chance(0.001, 100), 3) == 0.095
    for delta, answers in ((0.001, 100), (0.5, 7), (0.3, 1)):
        assert leak_chance(delta, answers) == pytest.approx(1 - (1 - delta) ** answers, rel=1e-12)
    assert leak_chance(1e-12, 10_000) == pytest.approx(1e-8 * (1 - 0.5e-8), rel=1e-12)
    assert (leak_chance(0.5, 10_000), leak_chance(1.0, 1), leak_chance(0.3, 0)) == (1.0, 1.0, 0.0)


# All of them


@pytest.mark.parametrize(
    "kind", [Staircase, DiscreteGaussian, L2Norm, Catastrophe], ids=lambda kind: kind.key
)
def test_vectors_at_the_extremes(kind) -> None:
    """Finite without a warning up to Δ = 1e9 and 10,000 coordinates; the largest error of all lies
    where simulation puts it."""
    for epsilon, size, moves, dims in (
        (0.001, 1e9, 1, 1),
        (50, 1e9, 2, 2),
        (0.001, 1, 100, 10_000),
        (50, 1e5, 10_000, 10_000),
    ):
        for delta in (None,) if kind.pure else (1e-12, 0.5):
            mechanism = kind(epsilon=epsilon, **({} if delta is None else {"delta": delta}))
            sensitivity = moved(*[float(size)] * moves, dims=dims)
            law = mechanism.law(sensitivity)
            ends = law.quantile(np.array([1e-12, 0.01, 0.5, 0.99, 1 - 1e-12]))
            curve = [
                mechanism.delta_at(at, sensitivity) for at in (0.0, epsilon / 2, epsilon, 50.0)
            ]
            numbers = [
                law.mean_abs,
                law.variance,
                law.half_width(1 - 1e-9),
                *ends,
                *law.density(ends),
                *law.cdf(ends),
                *curve,
            ]
            assert np.all(np.isfinite(numbers))
            assert all(0 <= b <= a <= 1 + 1e-12 for a, b in itertools.pairwise(curve))
            shown = np.abs(mechanism.noise(np.random.default_rng(1), sensitivity, 60, dims)).max(
                axis=1
            )
            largest = Largest(law, dims)
            low, high = (largest.half_width(c) for c in (0.0005, 0.9995))
            assert np.all(np.isfinite(shown))
            assert low * (1 - 1e-9) <= np.median(shown) <= high
            assert np.mean(shown <= largest.half_width(0.7)) == pytest.approx(
                max(0.7, getattr(law, "leak", 0)), abs=0.3
            )


@pytest.mark.parametrize("count", [1, 100])
def test_largest_error_with_an_atom(count: int) -> None:
    """Mean and second moment by the trapezium rule."""
    largest, noise = Largest(LeakyLaw(LaplaceLaw(1e6), 0.2), count), LaplaceLaw(1e6)
    x = np.linspace(0, 6e7, 600_001)
    beyond = 0.8 * (1 - (2 * noise.cdf(x) - 1) ** count)
    assert largest.mean_abs == pytest.approx(integrate.trapezoid(beyond, x), rel=1e-6)
    assert largest.variance == pytest.approx(integrate.trapezoid(2 * x * beyond, x), rel=1e-6)


@pytest.mark.parametrize("epsilon", [3.0, 10.0, 50.0])
def test_largest_error_of_steps(epsilon: float) -> None:
    """Of one coordinate it is the law itself."""
    law = StaircaseLaw(1.0, epsilon, best_gamma(epsilon, "l1"))
    assert Largest(law, 1).mean_abs == pytest.approx(law.mean_abs, rel=1e-5)
    assert Largest(law, 1).variance == pytest.approx(law.variance, rel=1e-5)


@pytest.mark.parametrize(
    "law", [DiscreteLaplaceLaw(1e-8), DiscreteGaussianLaw(1e7)], ids=["geometric", "gaussian"]
)
def test_largest_error_of_a_wide_discrete_law(
    law: DiscreteLaplaceLaw | DiscreteGaussianLaw,
) -> None:
    """Of one coordinate it is the law itself."""
    assert Largest(law, 1).mean_abs == pytest.approx(law.mean_abs, rel=1e-6)
    assert Largest(law, 1).variance == pytest.approx(law.variance, rel=1e-6)


@pytest.mark.parametrize("count", [1, 1000])
def test_a_wide_integer_law_is_summed_over_some_of_its_integers(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As over all of them, of which there are a million, at each ε of a curve and for each
    mechanism: a comparison took a minute. A jump among them is found."""
    law, asked = DiscreteGaussianLaw(2e5), list[int]()
    largest, honest = Largest(law, count), Largest.cdf
    k = np.arange(0.0, math.ceil(largest.half_width(1 - 1e-9)) + 1)
    beyond = 1 - largest.cdf(k)
    monkeypatch.setattr(
        Largest, "cdf", lambda self, x: (asked.append(np.size(x)), honest(self, x))[1]
    )
    assert largest.mean_abs == pytest.approx(beyond.sum(), rel=1e-7)
    assert largest.variance == pytest.approx(((2 * k + 1) * beyond).sum(), rel=1e-7)
    assert sum(asked) < 100_000 < len(k)

    def falls(k: np.ndarray) -> np.ndarray:
        return np.where(k < 123_456, 1.0, 0.3) * np.exp(-k / 3e5)

    assert _summed(falls, 3_000_000) == pytest.approx(falls(np.arange(3e6)).sum(), rel=1e-5)
