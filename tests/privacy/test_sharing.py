"""How several measurements share one budget: one Gaussian on all of them keeps (ε, δ) exactly, by
brute force over neighbours and by numeric integration, and with less noise than its halves."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, optimize, special

from dpstudio.data.codebook import Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussian
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES, REPLACE, Query, grouped, variance
from dpstudio.privacy.queries.total import Mean
from dpstudio.privacy.release.release import Release

VALUES = np.append(np.linspace(-1, 3, 21), np.nan)  # NaN: a row that adds nothing
WIDE = {"column": "x", "low": -1.0, "high": 3.0}
ASKED: list[Query] = [
    Mean(**WIDE, split=0.3, centred=False),
    Mean(**WIDE, split=0.95),
    variance.Variance(**WIDE),
    variance.Deviation(**WIDE, split=0.9),
    grouped.Grouped(**WIDE, by="c", groups=("a", "b"), split=0.6),
]
GAUSSIAN = (AnalyticGaussian, TextbookGaussian, DiscreteGaussian)


def table(x: list[float], words: list[str] | None = None, most: int = 1) -> Dataset:
    frame = pd.DataFrame({"x": x, "c": words or ["a"] * len(x), "who": range(len(x))})
    data = Dataset(frame.astype({"x": "float64", "c": "str", "who": "str"}), "t")
    return data if most == 1 else data.described(Codebook(person="who", most=most))


def gaussian_delta(epsilon: float, mu: float) -> float:
    """∫ max(0, φ(z − μ) − e^ε φ(z)) dz by quadrature from where the integrand begins."""
    first = mu / 2 + epsilon / mu
    return integrate.quad(
        lambda z: (
            (math.exp(-((z - mu) ** 2) / 2) - math.exp(epsilon - z * z / 2))
            / math.sqrt(2 * math.pi)
        ),
        first,
        max(first, mu) + 14,
        epsabs=0,
        epsrel=1e-11,
        limit=200,
    )[0]


def changes(query: Query, adjacency: str) -> list[np.ndarray]:
    """For each measurement every change that one person can make, shape (changes, coordinates), the
    same person in the same row of each, from what each value adds alone."""

    def values(x: list[float], words: list[str]) -> list[np.ndarray]:
        # Beside a row that is always there, as a table without any value is refused.
        asked = query.ask(table([0.0, *x], ["a", *words]), adjacency)
        return [m.values for m in asked.measurements]

    bare = values([], [])
    words = ("a", "b", "z") if isinstance(query, grouped.Grouped) else ("a",)
    added = [
        [here - there for here, there in zip(values([x], [word]), bare, strict=True)]
        for x, word in itertools.product(VALUES, words)
    ]
    each = [np.array(column) for column in zip(*added, strict=True)]
    if adjacency == ADD_REMOVE:
        return each
    return [(a[:, None] - a[None]).reshape(-1, a.shape[1]) for a in each]


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("query", ASKED, ids=lambda q: f"{q.key}-{q.split:g}")
def test_the_worst_person_spends_the_whole_delta(query: Query, adjacency: str) -> None:
    """No change of a value, in steps of a twentieth of the bounds, and nobody who comes or goes, has more than μ, and
    one has it; at μ the hockey stick is δ."""
    found = changes(query, adjacency)
    for epsilon, delta in ((0.05, 1e-9), (1.0, 1e-5), (8.0, 1e-3)):
        made = Release(
            query.ask(table([0.0, 1.0]), adjacency), AnalyticGaussian(epsilon=epsilon, delta=delta)
        )
        squares = [
            ((gaps / law.sigma) ** 2).sum(axis=1)
            for gaps, law in zip(found, made.laws, strict=True)
        ]
        worst = math.sqrt(np.sum(squares, axis=0).max())
        assert gaussian_delta(epsilon, worst) == pytest.approx(delta, rel=1e-6)
        assert made.shared.mu_squared == pytest.approx(worst**2, rel=1e-9)
        assert (made.guarantee.epsilon, made.guarantee.delta) == (epsilon, delta)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("split", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("kind", GAUSSIAN, ids=lambda kind: kind.key)
def test_less_noise_than_by_halves(kind: type, split: float, adjacency: str) -> None:
    """Each number against the same one with its part of (ε, δ); integer noise, whose joint bound is
    a little more than needed, never more on all."""
    frame = Dataset(pd.DataFrame({"x": [0, 1, 7]}), "n")
    asked = Mean(column="x", low=0, high=7, split=split).ask(frame, adjacency)
    for epsilon, delta in itertools.product((0.001, 0.3, 1.0, 9.0, 50.0), (1e-12, 1e-5, 0.5)):
        made = Release(asked, kind().at(epsilon, delta))
        parts = [
            law.variance / kind().at(m.part * epsilon, m.part * delta).law(m.sensitivity).variance
            for m, law in zip(asked.measurements, made.laws, strict=True)
        ]
        assert min(parts) <= 1
        assert max(parts) < 1 or kind is DiscreteGaussian
        if (delta, split, kind) == (1e-5, 0.5, AnalyticGaussian) and epsilon <= 1:
            assert max(parts) < 0.56


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-5), (3.0, 1e-3), (9.0, 0.3)])
def test_integer_noise_on_two_numbers_keeps_delta(
    adjacency: str, epsilon: float, delta: float
) -> None:
    """The hockey stick of both integers together, summed term by term, for every pair of values."""
    data = Dataset(pd.DataFrame({"x": [0, 1, 2]}), "n")
    made = Release(
        Mean(column="x", low=-1, high=2, centred=False).ask(data, adjacency),
        DiscreteGaussian(epsilon=epsilon, delta=delta),
    )
    pmfs = []
    for law in made.laws:
        reach = math.ceil(9 * law.sigma) + 4
        k = np.arange(-reach, reach + 1.0)
        pmf = np.exp(-k * k / (2 * law.sigma**2))
        pmfs.append(pmf / pmf.sum())
    added = [(0, 0), *((x, 1) for x in (-1, 0, 1, 2))]
    moves = (
        added
        if adjacency == ADD_REMOVE
        else [(a[0] - b[0], a[1] - b[1]) for a in added for b in added]
    )
    found = []
    for total, count in set(moves):
        here = np.outer(*pmfs)
        there = np.outer(np.roll(pmfs[0], total), np.roll(pmfs[1], count))
        found.append(float(np.maximum(here - math.exp(epsilon) * there, 0).sum()))
    assert max(found) <= delta * (1 + 1e-9)
    assert max(found) > delta / 10  # ρ does not tell δ exactly


def test_sigmas_of_a_mean_by_hand() -> None:
    """μ of (1, 1e-5) by bisection of Φ(μ/2 − 1/μ) − e Φ(−μ/2 − 1/μ) is 0.2687; a person of 50 at
    most about the middle moves (50, 1) against √2/μ of each."""
    mu = optimize.brentq(
        lambda m: special.ndtr(m / 2 - 1 / m) - math.e * special.ndtr(-m / 2 - 1 / m) - 1e-5, 0.1, 1
    )
    assert mu == pytest.approx(0.2681, abs=1e-3)
    data = Dataset(pd.DataFrame({"x": [10.0, 90.0, 40.0]}), "n")
    query = Mean(column="x", low=0, high=100)
    total, count = Release(query.ask(data, ADD_REMOVE), AnalyticGaussian()).laws
    assert total.sigma == pytest.approx(50 * math.sqrt(2) / mu, rel=1e-9)
    assert count.sigma == pytest.approx(math.sqrt(2) / mu, rel=1e-9)
    # Replace one: (100, 0) and (50, 1); the second is the larger, as 0.5·¼ + 0.5 > 0.5.
    total, count = Release(query.ask(data, REPLACE), AnalyticGaussian()).laws
    assert (50 / total.sigma) ** 2 + count.sigma**-2 == pytest.approx(mu**2, rel=1e-9)
    assert 100 / total.sigma == pytest.approx(1 / count.sigma, rel=1e-9)


def test_several_rows_of_a_person_are_that_many_times_as_far() -> None:
    """All at once: three like rows move sum and count by three times as much, so σ is threefold."""
    for query, adjacency in itertools.product(ASKED, ADJACENCIES):
        one, three = (
            Release(query.ask(table([0.0, 1.0], most=m), adjacency), AnalyticGaussian()).laws
            for m in (1, 3)
        )
        for narrow, wide in zip(one, three, strict=True):
            assert wide.sigma == pytest.approx(3 * narrow.sigma, rel=1e-12)


def test_other_noise_has_its_part_of_epsilon() -> None:
    made = Release(
        Mean(**WIDE, split=0.3, centred=False).ask(table([0.0]), ADD_REMOVE), Laplace(epsilon=2.0)
    )
    assert not made.shared.as_one
    assert [law.mean_abs for law in made.laws] == pytest.approx([3 / 0.6, 1 / 1.4])
    assert made.guarantee.epsilon == pytest.approx(2.0)
