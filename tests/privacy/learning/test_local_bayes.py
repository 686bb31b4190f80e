"""Naive Bayes from local reports: laws by simulation, promises by going through all reports."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from dpstudio.privacy.learning import bins, local_printed, reduction
from dpstudio.privacy.learning.local_bayes import (
    Survey,
    class_sums,
    counts_of,
    estimated,
    learnt,
    people_of,
    spent,
)
from dpstudio.privacy.learning.naive_bayes import Shape, model_of, statistics
from dpstudio.privacy.local import duchi, histogram, piecewise, reals, unary
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.protocol import Protocol

PROTOCOLS = (Direct, unary.Symmetric, unary.Optimised, histogram.Summation, histogram.Thresholded)
TEXTS = {"car": (6, 4, 25), "mushroom": (21, 2, 43), "chess": (36, 2, 73), "connect4": (42, 3, 127)}


def chance(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_each_row_of_counts_is_a_population_of_its_own(kind: type[Protocol]) -> None:
    """Estimates have the mean and the exact variance of the protocol, row by row."""
    protocol, rows = kind(epsilon=1.5), np.array([[50, 0, 900], [300, 20, 10]])
    found = estimated(protocol, chance(1), np.repeat(rows, 4_000, axis=0)).reshape(2, 4_000, 3)
    for counts, draws in zip(rows, found, strict=True):
        variance = protocol.variance(counts)
        assert np.all(np.abs(draws.mean(axis=0) - counts) < 4 * np.sqrt(variance / 4_000))
        assert np.allclose(draws.var(axis=0), variance, rtol=0.12)


def test_a_spread_is_raised_to_one_standard_error() -> None:
    """Of numbers that are all alike: with Laplace noise on the place of each class that error is of
    one number, 2/ε wide, and not of as many as there are classes."""
    n, seeds, epsilon = 3_000, 200, 2.0
    y = np.repeat([0.0, 1.0, 2.0], n // 3)
    asked = people_of(np.zeros((n, 1)), y, Shape((0,), 3))
    counts = counts_of(asked, 1, None)
    model = learnt(
        asked, counts, Survey(epsilon, each=True), Direct(), reals.Reals(), chance(2), seeds
    )
    one = 8 / (epsilon / len(asked.questions)) ** 2
    least = np.minimum(np.sqrt(n * one) / np.maximum(model.priors * n, 1) / 2, 1)
    assert np.all(model.variances[..., 0] >= least * (1 - 1e-9))
    assert np.isclose(model.variances[..., 0], least).mean() > 0.2


def people(n: int = 4_000) -> tuple[Any, Any, Shape]:
    """Two words and a number that go with three classes."""
    rng = chance(3)
    y = rng.choice(3, size=n, p=(0.5, 0.3, 0.2))
    x = np.column_stack(
        [
            (y + (rng.random(n) < 0.3)) % 3,
            rng.integers(2, size=n),
            np.clip(0.5 * (y - 1) + rng.normal(0, 0.2, n), -1, 1).round(2),
        ]
    )
    return x.astype(np.float64), y.astype(np.float64), Shape((3, 2, 0), 3)


def test_everybody_is_asked_one_question_or_all() -> None:
    x, y, shape = people()
    asked = people_of(x, y, shape)
    whole = counts_of(asked, 1, None)[0]
    first = whole[: asked.starts[1]].reshape(3, 3)
    assert np.array_equal(first, statistics(x, y, shape).cells[:, :3])
    one = counts_of(asked, 50, chance(1))
    assert np.all(one.sum(axis=1) == len(x))
    assert np.all(one <= whole)
    each = np.add.reduceat(one, asked.starts[:-1], axis=1).mean(axis=0)
    assert np.allclose(each, len(x) / 4, rtol=0.03)


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_with_much_epsilon_the_model_is_the_exact_one(kind: type[Protocol]) -> None:
    x, y, shape = people()
    asked, survey = people_of(x, y, shape), Survey(200.0, each=True, floor=0.0)
    counts = counts_of(asked, 3, None)
    found = learnt(asked, counts, survey, kind(), piecewise.Piecewise(), chance(1), 3)
    exact = model_of(statistics(x, y, shape), shape)
    for name in ("priors", "means", "variances", "chances"):
        assert np.allclose(getattr(found, name), getattr(exact, name), atol=0.03), name


def test_numbers_with_a_hidden_class_have_the_deviation_they_should() -> None:
    """sd of the mean of a class of share P: √((8/ε² + P·E b²)/n)/P; and no bias."""
    n, share, runs = 20_000, 0.3, 4_000
    held = np.array([[[0, 4_000, 2_000], [14_000, 0, 0]]])
    levels = np.array([-0.2, 0.3, 0.6])
    found = class_sums(reals.Reals(epsilon=1.0), chance(1), levels, np.repeat(held, runs, axis=0))
    means = found[:, 0] / (share * n)
    expected = math.sqrt(8 / n) / share  # of a fixed population: who is asked adds nothing
    assert abs(means.mean() - 0.4) < 4 * expected / math.sqrt(runs)
    assert math.isclose(means.std(), expected, rel_tol=0.06)


def test_two_rows_are_two_apart_at_the_place_of_the_class() -> None:
    """The L1 distance that Laplace noise of scale 2/ε on every place needs, over a grid."""
    grid = np.linspace(-1, 1, 21)
    vectors = [b * np.eye(3)[j] for b in grid for j in range(3)]
    assert math.isclose(max(np.abs(a - b).sum() for a in vectors for b in vectors), 2.0)


@pytest.mark.parametrize("kind", [Direct, unary.Symmetric, unary.Optimised, histogram.Thresholded])
def test_what_a_person_sends_costs_what_is_said(kind: type[Protocol]) -> None:
    """Over all rows of two classes and two words, and all reports: one question by lot, or both."""
    rows, shape = list(itertools.product(range(2), range(2), range(2))), Shape((2, 2), 2)
    x = np.array([row[:2] for row in rows], dtype=np.float64)
    asked = people_of(x, np.array([row[2] for row in rows], dtype=np.float64), shape)
    for each in (False, True):
        told = kind(epsilon=1.2).at(0.6 if each else 1.2)
        assert told is not None
        law = told.channel(4)
        logs = [[law[:, symbol] for symbol in person] for person in asked.symbols]
        worst = [
            [float(np.max(a - b)) for a, b in zip(one, other, strict=True)]
            for one in logs
            for other in logs
        ]
        cost = max(sum(parts) if each else max(parts) for parts in worst)
        claim = spent(asked, Survey(1.2, each=each), kind(), piecewise.Piecewise())
        assert math.isclose(cost, claim, rel_tol=1e-9)
        assert claim <= 1.2 * (1 + 1e-12)


@pytest.mark.parametrize("kind", [Direct, unary.Symmetric, unary.Optimised])
@pytest.mark.parametrize("words", [2, 3, 5])
def test_as_printed_costs_many_times_what_is_said(kind: type[Protocol], words: int) -> None:
    """The largest likelihood ratio over all reports of one feature and the class; other classes
    send a random word."""
    protocol, shape = kind(epsilon=0.7), Shape((words,), 2)
    law, of_class = protocol.channel(words), protocol.channel(2)
    random = np.log(np.exp(law).mean(axis=1))
    rows = [(v, j) for v in range(words) for j in range(2)]

    def logs(v: int, j: int) -> list[Any]:
        return [of_class[:, j], *(law[:, v] if k == j else random for k in range(2))]

    worst = max(
        sum(float(np.max(a - b)) for a, b in zip(logs(*one), logs(*other), strict=True))
        for one in rows
        for other in rows
    )
    assert math.isclose(worst, local_printed.printed_epsilon(protocol, shape), rel_tol=1e-9)
    assert 2 * 0.7 * (1 - 1e-9) <= worst <= 3 * 0.7 * (1 + 1e-9)


@pytest.mark.parametrize("table", TEXTS)
def test_as_printed_by_adding_up(table: str) -> None:
    features, classes, many = TEXTS[table]
    shape = Shape((3,) * features, classes)
    assert local_printed.printed_reports(shape) == many
    assert math.isclose(local_printed.printed_epsilon(Direct(epsilon=1.0), shape), features + 1)
    assert local_printed.printed_epsilon(unary.Symmetric(epsilon=1.0), shape) < many


def test_as_printed_learns_the_exact_model_with_much_epsilon() -> None:
    x, y, shape = people()
    found = local_printed.as_printed(
        x[:, :2].astype(np.int64), y.astype(np.int64), Shape((3, 2), 3), Direct(30.0), chance(1), 40
    )
    exact = model_of(statistics(x, y, shape), shape)
    assert np.allclose(found.chances.mean(axis=0), exact.chances, atol=0.02)


def test_bins_of_the_texts() -> None:
    values = np.array([0, 4, 12, 16, 16, 18, 24, 26, 28.0])
    once, counts = np.unique(values, return_counts=True)
    assert bins.binned(values, bins.equal_frequency(once, counts.astype(float), 3)).tolist() == [
        *(0, 0, 0),
        *(1, 1, 1),
        *(2, 2, 2),
    ]
    assert bins.binned(values, bins.equal_width(0, 28, 3)).tolist() == [0, 0, 1, 1, 1, 1, 2, 2, 2]


def test_paid_edges_split_people_evenly() -> None:
    x = np.clip(chance(1).normal(-0.3, 0.3, 40_000), -1, 1)
    cell = np.histogram(x, bins.GRID, (-1, 1))[0].max() / len(x)  # no edge lies within one
    for edges in bins.paid_edges(x, unary.Symmetric(epsilon=4.0), 4, chance(2), 3):
        assert np.allclose(np.bincount(bins.binned(x, edges)) / len(x), 0.25, atol=cell)


def test_directions_are_those_of_scikit_learn_and_can_be_paid_for() -> None:
    rng = chance(1)
    y = rng.integers(3, size=60_000)
    u = (
        rng.normal(0, (0.3, 0.2, 0.1), (len(y), 3))
        + np.array([[0, 0, 0], [0, 0.3, 0], [0, 0.1, 0.05]])[y]
    )
    u = np.clip(u, -1, 1)
    exact = reduction.moments(u, y, 3)
    first = PCA(1).fit(u).components_[0]
    assert abs(reduction.principal(exact, 1)[:, 0] @ first) > 0.9999
    found = reduction.discriminant(exact, 1)[:, 0]
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(u, y).scalings_[:, 0]
    assert abs(found @ theirs) / np.linalg.norm(found) / np.linalg.norm(theirs) > 0.99
    paid = reduction.paid_moments(u, y, 3, duchi.Duchi(epsilon=3.0), rng)
    for name in ("shares", "sums", "squares"):
        assert np.allclose(getattr(paid, name), getattr(exact, name), atol=0.12), name
    assert abs(reduction.principal(paid, 1)[:, 0] @ first) > 0.8


def test_rows_are_projected_within_public_bounds() -> None:
    sizes, rng = (3, 0, 2), chance(1)
    every = np.array(list(itertools.product(range(3), (-1.0, 1.0), range(2))), dtype=np.float64)
    directions = rng.normal(size=(6, 2))
    z, flat = (
        reduction.projected(reduction.sparse(every, sizes), sizes, directions),
        reduction.plain(every, sizes) @ directions,
    )
    assert np.allclose(z.min(axis=0), -1)
    assert np.allclose(z.max(axis=0), 1)
    for j in range(2):
        assert math.isclose(np.corrcoef(z[:, j], flat[:, j])[0, 1], 1.0)
