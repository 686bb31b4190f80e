"""Protocols for numbers: unbiased, of the stated variance and exactly of the claimed ε, each by
another route."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from dpstudio.privacy.local import NUMBERS, NumberProtocol
from dpstudio.privacy.local.duchi import Duchi, spread
from dpstudio.privacy.local.hybrid import TURN, Hybrid
from dpstudio.privacy.local.number import Sampled
from dpstudio.privacy.local.piecewise import Piecewise, uniform_sums
from dpstudio.privacy.local.reals import EVERY, ONE, Reals

KINDS = [*(kind() for kind in NUMBERS), Reals(coordinates=ONE), Duchi(coordinates=ONE)]
each = pytest.mark.parametrize(
    "kind", KINDS, ids=lambda k: f"{k.key} {getattr(k, 'coordinates', '')}".strip()
)
HERE = np.array([-1.0, -0.35, 0.0, 0.6, 1.0])


def drawn(*seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(seed))


def moments(kind: NumberProtocol, t: float) -> tuple[float, float, float]:
    """Mass, mean and variance of one report, by integration of the density between its steps, and
    the atoms."""
    points = kind.steps(t)
    low, high = (-np.inf, np.inf) if isinstance(kind, Reals) else kind.reach()
    ends = [low, *(p for p in points if low < p < high), high]
    out = []
    for power in (0, 1, 2):
        total = sum(mass * (place - t) ** power for place, mass in kind.atoms(t))
        for a, b in itertools.pairwise(ends):
            total += integrate.quad(
                lambda x, n=power: (x - t) ** n * float(kind.density(x, t)),
                a,
                b,
                epsabs=0,
                epsrel=1e-10,
            )[0]
        out.append(total)
    return out[0], out[1] + t, out[2]


@pytest.mark.parametrize("kind", [kind() for kind in NUMBERS], ids=lambda k: k.key)
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 4.0])
def test_density_and_atoms_have_the_stated_moments(kind: NumberProtocol, epsilon: float) -> None:
    kind = kind.at(epsilon)
    for t in (-1.0, -0.35, 0.8):
        mass, mean, variance = moments(kind, t)
        assert mass == pytest.approx(1, rel=1e-9)
        assert mean == pytest.approx(t, abs=1e-8 * math.sqrt(variance))
        assert variance == pytest.approx(float(kind.variance(t)), rel=1e-8)


@each
@pytest.mark.parametrize(("epsilon", "d"), [(0.7, 1), (3.0, 1), (1.0, 4), (8.0, 5)])
def test_reports_and_totals_follow_the_law(kind: NumberProtocol, epsilon: float, d: int) -> None:
    """Mean within 4 standard errors and variance within 10 %: of single reports, and of sums that
    skip the people."""
    kind, rng, many = kind.at(epsilon), drawn(7, d), 12_000
    t = np.resize(HERE[[1, 3, 0, 2, 4]], d)
    sent = kind.reports(rng, np.full(many, t[0]) if d == 1 else np.tile(t, (many, 1))).reshape(
        many, d
    )
    expected = kind.variance(t, d)
    assert np.all(np.abs(sent.mean(axis=0) - t) < 4 * np.sqrt(expected / many))
    assert sent.var(axis=0) == pytest.approx(expected, rel=0.1)
    if isinstance(kind, Sampled) and not (isinstance(kind, Duchi) and kind.whole(d)):
        assert np.all(np.count_nonzero(sent, axis=1) == kind.kept(d))
    people, surveys = np.array([30, 0, 200, 20, 10]), 3000
    totals = kind.totals(rng, HERE, people, surveys, d)
    variance = float(people @ kind.variance(HERE, d))
    assert abs(totals.mean() - people @ HERE) < 4 * math.sqrt(variance / surveys)
    assert totals.var() == pytest.approx(variance, rel=0.1)


@each
@pytest.mark.parametrize("d", [1, 3])
def test_totals_of_a_population_a_survey(kind: NumberProtocol, d: int) -> None:
    """Each row of people is a survey of its own: those of another once went into Duchi's."""
    people = np.tile([[300, 0, 50, 0, 20], [0, 900, 0, 40, 0]], (2_000, 1))
    totals = kind.at(1.0).totals(drawn(8), HERE, people, len(people), d).reshape(-1, 2)
    for held, found in zip(people, totals.T, strict=False):
        variance = float(held @ kind.at(1.0).variance(HERE, d))
        assert abs(found.mean() - held @ HERE) < 4 * math.sqrt(variance / len(found))
        assert found.var() == pytest.approx(variance, rel=0.15)


@pytest.mark.parametrize("kind", [kind() for kind in NUMBERS], ids=lambda k: k.key)
@pytest.mark.parametrize("epsilon", [0.001, 0.4, 1.0, 6.0, 50.0])
def test_exact_epsilon_of_one_number(kind: NumberProtocol, epsilon: float) -> None:
    """The largest log ratio over a grid of t, t′ and outputs is the claim; k numbers at ε/k cost no
    more."""
    kind = kind.at(epsilon)
    t = np.linspace(-1, 1, 41)
    low, high = kind.reach()
    x = np.linspace(low, high, 801)
    logs = [np.log([kind.density(x[1:-1], v) for v in t])] if np.any(kind.density(x, 0.3)) else []
    if kind.atoms(0.0):
        logs.append(np.log([[mass for _, mass in kind.atoms(v)] for v in t]))
    worst = max(float(np.max(log.max(axis=0) - log.min(axis=0))) for log in logs)
    assert worst == pytest.approx(kind.spent(1), abs=1e-9, rel=1e-12)
    assert kind.spent(9) == kind.claim == epsilon
    assert kind.kept(9) * kind.part(9).epsilon == pytest.approx(epsilon, rel=1e-12)


def channel(epsilon: float, d: int) -> tuple[np.ndarray, np.ndarray]:
    """All corners of [−1, 1]^d and P(z | v): each side gets its share evenly, ties get the middle
    of both."""
    corners = np.array(list(itertools.product((-1, 1), repeat=d)))
    side = np.sign(corners @ corners.T)
    right = math.exp(epsilon) / (math.exp(epsilon) + 1)
    return corners, np.where(side > 0, right, np.where(side < 0, 1 - right, 0.5)) / 2 ** (d - 1)


@pytest.mark.parametrize("d", range(2, 9))
def test_duchi_of_many_coordinates_by_enumeration(d: int) -> None:
    """Even d too: P(z | v) sums to 1, costs exactly ε, and E[B z | t] = t; the published ties would
    cost ln(e^ε + 1)."""
    epsilon = 1.0
    corners, law = channel(epsilon, d)
    assert law.sum(axis=1) == pytest.approx(1)
    assert np.log(law.max(axis=0) / law.min(axis=0)) == pytest.approx(epsilon, abs=1e-12)
    t = np.linspace(-0.9, 1, d)
    weights = np.prod((1 + corners * t) / 2, axis=1)
    size = Duchi().at(epsilon).size(d)
    assert size * (weights @ law @ corners) == pytest.approx(t, abs=1e-12)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_duchi_sends_each_corner_as_often_as_it_should(d: int) -> None:
    t, many = np.linspace(-0.7, 0.9, d), 60_000
    corners, law = channel(1.5, d)
    expected = many * np.prod((1 + corners * t) / 2, axis=1) @ law
    kind = Duchi().at(1.5)
    sent = (kind.reports(drawn(3, d), np.tile(t, (many, 1))) > 0) @ (1 << np.arange(d)[::-1])
    assert stats.chisquare(np.bincount(sent, minlength=2**d), expected).pvalue > 1e-3


def test_sizes_of_duchi() -> None:
    """B at ε = 1, and C(d)² > d, so that one coordinate drawn at random always errs less."""
    assert [round(Duchi().at(1.0).size(d), 4) for d in (2, 3, 4, 5, 6, 10)] == [
        4.3279,
        4.3279,
        5.7705,
        5.7705,
        6.9247,
        8.7932,
    ]
    assert spread(1000) == pytest.approx(math.sqrt(math.pi * 1000 / 2), rel=1e-3)
    assert all(spread(d) ** 2 > d for d in range(2, 1001))
    for d in (2, 14, 1000):
        for epsilon in (0.001, 1.0, 50.0):
            assert Duchi(coordinates=ONE).at(epsilon).worst(d) < Duchi().at(epsilon).worst(d)


def crossing(one: NumberProtocol, other: NumberProtocol, low: float, high: float) -> float:
    return optimize.brentq(lambda e: math.log(one.at(e).worst() / other.at(e).worst()), low, high)


def test_crossings() -> None:
    assert crossing(Reals(), Duchi(), 1, 5) == pytest.approx(2.3242, abs=5e-5)
    assert crossing(Piecewise(), Duchi(), 0.5, 5) == pytest.approx(1.2898, abs=5e-5)
    cubes = sum(2 * np.cbrt(6353 + sign * 405 * math.sqrt(241)) for sign in (-1, 1))
    assert pytest.approx(math.log((cubes - 5) / 27), rel=1e-12) == TURN
    assert optimize.brentq(
        lambda e: float(Piecewise().at(e).variance(0.0) - Duchi().at(e).variance(0.0)), 0.1, 2
    ) == pytest.approx(TURN)
    for e in np.geomspace(0.001, 50, 60):
        laplace, duchi, piecewise, hybrid = (kind().at(float(e)).worst() for kind in NUMBERS)
        assert piecewise < laplace
        assert hybrid <= min(duchi, piecewise) * (1 + 1e-12)
        # Sending every coordinate through Laplace noise is the better way only from ε = √8d on.
        every, one = (Reals(coordinates=c).at(float(e)).worst(6) for c in (EVERY, ONE))
        assert (every < one) == (e > math.sqrt(48))


TABLE = [
    # ε, Laplace, Duchi at t = 0, piecewise at t = 0 and 1
    (0.5, "32", "16.67", "17.70", "21.22"),
    (1, "8", "4.683", "3.682", "5.224"),
    (2, "2", "1.724", "0.646", "1.228"),
    (3, "0.889", "1.221", "0.206", "0.493"),
    (5, "0.32", "1.027", "0.0405", "0.130"),
    (8, "0.125", "1.001", "0.0067", "0.0253"),
]
MANY = [
    # d, ε, t: Laplace every and one, Duchi every, piecewise, Duchi one
    (5, 1, 0, "200", "40", "33.3", "18.4", "23.4"),
    (10, 1, 0, "800", "80", "", "36.8", "46.8"),
    (14, 5, 0, "62.7", "4.48", "", "2.44", "14.4"),
]


def test_variances_of_the_facts() -> None:
    def matches(value: float, printed: str) -> bool:
        return not printed or f"{value:.{len(printed.partition('.')[2])}f}" == printed

    for epsilon, *printed in TABLE:
        laplace, duchi, piecewise = (kind().at(float(epsilon)) for kind in NUMBERS[:3])
        values = (
            laplace.variance(0.7),
            duchi.variance(0.0),
            piecewise.variance(0.0),
            piecewise.variance(1.0),
        )
        assert all(matches(float(v), p) for v, p in zip(values, printed, strict=True)), (
            epsilon,
            values,
        )
    for d, epsilon, t, *printed in MANY:
        kinds = (Reals(), Reals(coordinates=ONE), Duchi(), Piecewise(), Duchi(coordinates=ONE))
        values = [float(kind.at(float(epsilon)).variance(t, d)) for kind in kinds]
        assert all(matches(v, p) for v, p in zip(values, printed, strict=True)), (d, values)
    assert matches(float(Piecewise().at(1.0).variance(1.0, 5)), "30.1")
    assert matches(float(Piecewise().at(5.0).variance(1.0, 14)), "11.25")
    assert Piecewise().at(5.0).kept(14) == 2


@each
def test_extremes(kind: NumberProtocol) -> None:
    """Finite and positive from ε = 0.001 to 50 and d = 1 to 1,000; linear in t², so the worst is at
    an end."""
    for epsilon, d in itertools.product((0.001, 1.0, 50.0), (1, 2, 17, 1000)):
        made = kind.at(epsilon)
        variance = made.variance(np.linspace(-1, 1, 101), d)
        assert np.all(np.isfinite(variance))
        assert np.all(variance >= 0)
        assert made.worst(d) == pytest.approx(float(variance.max()), rel=1e-9)
        assert 0 < made.bits(d) <= 64 * d + 1e-9
    assert float(Hybrid().at(3.0).variance(0.0)) == pytest.approx(
        float(Hybrid().at(3.0).variance(1.0)), rel=1e-12
    )
    assert float(Piecewise().at(50.0).variance(1.0)) == pytest.approx(
        4 * math.exp(-25) / 3, rel=1e-9
    )
    assert np.all(kind.totals(drawn(1), [0.2], [0], 5, 3) == 0)


def test_sums_of_uniforms() -> None:
    sums = uniform_sums(drawn(5), np.full(4000, 3))
    assert stats.kstest(sums, stats.irwinhall(3).cdf).pvalue > 1e-3
