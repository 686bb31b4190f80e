"""Selection: exact probabilities against enumeration, quadrature and simulation; privacy by brute
force; the questions' scores."""

import itertools
import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from test_queries import NUMBERS, WORDS, neighbours, small

from dpstudio.data.dataset import Dataset
from dpstudio.files.tables import open_table
from dpstudio.privacy.mechanisms.choosing import (
    GUMBEL,
    NOISES,
    SELECTIONS,
    Exponential,
    NoisyMax,
    PermuteFlip,
    laplace_chances,
)
from dpstudio.privacy.mechanisms.selection import (
    Scores,
    Selection,
    least_within,
    worst_loss,
    worst_tail,
)
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES, CHOICES, REPLACE, candidates, quantile
from dpstudio.privacy.queries.mode import MostCommon, MostMet
from dpstudio.privacy.queries.typed_scores import ScoreList, Typed
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, domains, from_json, put, to_json

EVERY: list[Selection] = [Exponential(), NoisyMax(), NoisyMax(noise=GUMBEL), PermuteFlip()]
every = pytest.mark.parametrize(
    "mechanism", EVERY, ids=lambda m: f"{m.key}-{getattr(m, 'noise', '')}"
)


# What is printed elsewhere.


def test_printed_tables() -> None:
    """Facts 5.3 (scores 50, 20, 30) and 6 (votes; marital status with utility count/1000), and
    permute-and-flip's vector."""
    scores = Scores(np.array([50.0, 20, 30]))
    printed = {
        0.0: ("0.3333", "0.3333", "0.3333"),
        0.1: ("0.6285", "0.1402", "0.2312"),
        0.5: ("0.99276", "0.000549", "0.006689"),
        1.0: ("0.9999543", "3.06e-07", "4.54e-05"),
    }
    for (epsilon, row), mechanism in itertools.product(
        printed.items(), (Exponential(), NoisyMax(noise=GUMBEL))
    ):
        for p, text in zip(mechanism.at(epsilon).pmf(scores), row, strict=True):
            assert (f"{p:.2e}" if "e" in text else f"{p:.{len(text) - 2}f}") == text
    votes = Exponential().pmf(Scores(np.array([49.0, 25, 6, 2])))
    assert f"{votes[0]:.9f}" == "0.999993855"
    assert f"{votes[1]:.2e}" == "6.14e-06"
    counts = np.array([22379.0, 16117, 6633, 1530, 1518, 628, 37])
    found = Exponential().pmf(Scores(counts / 1000))
    assert [f"{p:.5f}" for p in found[:2]] == ["0.95772", "0.04183"]
    assert f"{found[2]:.6f}" == "0.000365"
    # With its true sensitivity of 1/1000 the winner is certain but for e^−3131, which only
    # logarithms hold.
    assert Exponential().log_pmf(Scores(counts / 1000, 0.001))[1] == pytest.approx(-3131, rel=1e-12)
    flip = PermuteFlip().pmf(Scores(np.array([0.0, 1, 2])))
    assert flip == pytest.approx([0.1467513606, 0.2660769698, 0.5871716696], abs=5e-11)


@pytest.mark.vectors("select")
def test_reference_vectors(vector: dict) -> None:
    given_ = vector["inputs"]
    found = Exponential(epsilon=given_["eps"]).pmf(
        Scores(np.array(given_["scores"]), given_["sens"])
    )[given_["index"]]
    assert abs(found - vector["expected"]) <= vector["tol"]


# Exact probabilities by other routes.


def by_permutations(p: np.ndarray) -> np.ndarray:
    """Permute-and-flip by going through all orders."""
    found = np.zeros(len(p))
    for order in itertools.permutations(range(len(p))):
        left = 1.0
        for i in order:
            found[i] += left * p[i]
            left *= 1 - p[i]
    return found / math.factorial(len(p))


def by_quadrature(z: np.ndarray) -> np.ndarray:
    """Noisy max with Laplace noise by adaptive quadrature between the kinks."""

    def cdf(u: float) -> float:
        return math.exp(u) / 2 if u < 0 else 1 - math.exp(-u) / 2

    def chance(i: int) -> float:
        def f(x: float) -> float:
            return (
                math.exp(-abs(x - z[i]))
                / 2
                * math.prod(cdf(x - z[j]) for j in range(len(z)) if j != i)
            )

        ends = sorted({*z, z.min() - 40, z.max() + 40, z.max() + 5})
        return sum(
            integrate.quad(f, a, b, epsabs=0, epsrel=1e-11, limit=200)[0]
            for a, b in itertools.pairwise(ends)
        )

    return np.array([chance(i) for i in range(len(z))])


SCORES = [
    [0.0],
    [0, 0],
    [0, -0.3],
    [0, -1, -1, -2.5],
    [0, 0, -7, -7.5],
    [-3, 0, -0.001, -12, 0],
    [0, -20, -20.2, -35],
]


@pytest.mark.parametrize("z", SCORES, ids=str)
def test_exact_probabilities(z: list[float]) -> None:
    scores = Scores(np.array(z))
    assert PermuteFlip(epsilon=2).pmf(scores) == pytest.approx(
        by_permutations(np.exp(np.array(z))), rel=1e-12
    )
    assert NoisyMax(epsilon=2).pmf(scores) == pytest.approx(by_quadrature(np.array(z)), rel=1e-9)
    weights = np.exp(np.array(z))
    assert Exponential(epsilon=2).pmf(scores) == pytest.approx(weights / weights.sum(), rel=1e-12)


@pytest.mark.parametrize("gap", [0.0, 1e-6, 0.4, 3, 40, 900, 12_345.6, 5e5, 1.1e6])
def test_two_candidates_in_closed_form(gap: float) -> None:
    """P(the worse wins) is (2 + g)e^−g/4 for Laplace noise, e^−g/2 for permute-and-flip, 1/(1 +
    e^g) for the exponential."""
    scores = Scores(np.array([7.0 - gap, 7.0]))
    assert NoisyMax(epsilon=2).log_pmf(scores)[0] == pytest.approx(
        math.log((2 + gap) / 4) - gap, rel=1e-11
    )
    assert PermuteFlip(epsilon=2).log_pmf(scores)[0] == pytest.approx(-gap - math.log(2), rel=1e-11)
    assert Exponential(epsilon=2).log_pmf(scores)[0] == pytest.approx(
        -gap - math.log1p(math.exp(-gap)), rel=1e-11
    )


@every
def test_extremes(mechanism: Selection) -> None:
    """Thousands apart at ε = 50, a thousand candidates, ties: finite logarithms that sum to 1,
    equal for equal scores."""
    rng = np.random.default_rng(5)
    spread = np.round(rng.random(200) * 22_379)
    for values, epsilon in (
        (spread, 50.0),
        (spread, 0.001),
        (np.array([22379.0, 16117, 6633, 1530, 1518, 628, 37]), 50.0),
        (rng.random(1000), 1.0),
        (np.repeat([0.0, 1, 3], 100), 5.0),
        (np.zeros(1000), 0.5),
    ):
        scores = Scores(values)
        logs = mechanism.with_(epsilon=epsilon).log_pmf(scores)
        assert np.all(np.isfinite(logs))
        assert np.exp(logs).sum() == pytest.approx(1, abs=1e-11)
        ranked = logs[np.argsort(values, kind="stable")]
        # A better score never wins less often, up to rounding.
        assert np.all(np.diff(ranked) > -1e-9)
        for value in np.unique(values)[:20]:
            assert np.ptp(logs[values == value]) == 0
    assert mechanism.at(0).pmf(Scores(spread)) == pytest.approx(1 / 200, rel=1e-11)


def test_far_losers_fall_as_their_tail() -> None:
    """Beyond the lowest panel ln P falls by exactly the gap, where all of them are beaten by the
    same two."""
    z = np.array([0.0, -3, -60, -160, -5000])
    logs = laplace_chances(z)
    assert np.diff(logs[2:]) == pytest.approx(np.diff(z[2:]), rel=1e-12)
    assert np.exp(logs[2]) == pytest.approx(by_quadrature(z[:3])[2], rel=1e-9)


# The algorithms as they are written.


@every
@pytest.mark.parametrize("monotone", [False, True])
def test_simulation_follows_the_probabilities(mechanism: Selection, monotone: bool) -> None:
    scores = Scores(np.array([3.0, 0, 2.5, -1, 2.5, 1]), 2.0, monotone)
    chances, n = mechanism.with_(epsilon=1.7).pmf(scores), 30_000
    for draw in (mechanism.with_(epsilon=1.7).simulate, mechanism.with_(epsilon=1.7).sample):
        winners = draw(np.random.default_rng(11), scores, n)
        assert winners.shape == (n,)
        assert np.array_equal(winners, draw(np.random.default_rng(11), scores, n))
        seen = np.bincount(winners, minlength=6)
        assert stats.chisquare(seen, chances * n).pvalue > 1e-4


def test_gumbel_is_the_exponential_mechanism() -> None:
    scores = Scores(np.array([3.0, 1, 2, 900]), 3.0, True)
    assert np.array_equal(NoisyMax(noise=GUMBEL).log_pmf(scores), Exponential().log_pmf(scores))


# Privacy.


def around(values: np.ndarray, moves: tuple[float, ...]) -> list[np.ndarray]:
    return [values + np.array(move) for move in itertools.product(moves, repeat=len(values))]


@every
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_promise_over_all_neighbours(mechanism: Selection, epsilon: float) -> None:
    """Max |ln P/P′| over all moves of ±Δ with ε/2Δ, and over moves of one direction with ε/Δ, is at
    most ε, and comes near it; with ε/Δ where scores may move against each other it is about twice
    as much."""
    private = mechanism.with_(epsilon=epsilon)
    assert (private.guarantee().epsilon, private.guarantee().delta) == (epsilon, 0.0)
    delta = 1.5
    starts = [
        np.zeros(3),
        np.array([0.0, -2, 1]),
        np.array([0.0, 0.4, 40, 41.3]),
        np.array([0.0, 400 / epsilon, 400 / epsilon + 9]),
    ]
    found: dict[tuple[bool, bool], float] = {}
    for monotone, moves in itertools.product((False, True), ((-delta, 0.0, delta), (0.0, delta))):
        every_ = [
            private.loss_between(Scores(values, delta, monotone), Scores(other, delta, monotone))
            for values in starts
            for other in around(values, moves)
        ]
        found[monotone, len(moves) == 3] = max(every_)
    assert found[False, True] <= epsilon * (1 + 1e-9)
    assert found[True, False] <= epsilon * (1 + 1e-9)
    # Laplace noise comes near ε only as the gap grows: at 400 noise scales to about 1/400.
    near = 0.985 if getattr(private, "noise", GUMBEL) != GUMBEL else 1 - 1e-9
    assert found[False, True] >= epsilon * near
    assert found[True, False] >= epsilon * near
    assert found[True, True] > 1.9 * epsilon


@pytest.mark.parametrize("kind", SELECTIONS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_wrong_scale_is_caught(
    kind: type[Selection], factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half or twice the noise breaks the promise over neighbours, or wastes some of it."""
    right = kind.log_chances
    monkeypatch.setattr(kind, "log_chances", lambda self, z: right(self, z * factor))
    with pytest.raises(AssertionError):
        test_promise_over_all_neighbours(kind(), 1.0)


@every
def test_hockey_stick(mechanism: Selection) -> None:
    """δ(ε) is Σ (P − e^ε P′)₊: the total variation at 0, nothing from the mechanism's ε on."""
    one, two = Scores(np.array([3.0, 1, 2, -4])), Scores(np.array([2.0, 2, 3, -3]))
    p, q = mechanism.pmf(one), mechanism.pmf(two)
    for epsilon in (0.0, 0.2, 0.7):
        assert mechanism.delta_at(epsilon, one, two) == pytest.approx(
            np.maximum(p - math.exp(epsilon) * q, 0).sum(), rel=1e-12, abs=1e-15
        )
    assert mechanism.delta_at(0, one, two) == pytest.approx(np.abs(p - q).sum() / 2)
    assert mechanism.delta_at(1.0, one, two) == pytest.approx(0, abs=1e-14)
    far = Scores(np.array([1e5, 0.0])), Scores(np.array([0.0, 1e5]))
    assert mechanism.delta_at(0.5, *far) == 1


# Utility.

vectors = st.lists(st.floats(0, 60), min_size=1, max_size=9)


@given(vectors, st.floats(0.01, 5))
def test_permute_and_flip_never_loses_more(values: list[float], epsilon: float) -> None:
    """Than the exponential mechanism, and at best half as much (McKenna & Sheldon 2020)."""
    scores = Scores(np.array(values))
    flip, exponential = (
        PermuteFlip(epsilon=epsilon).expected_loss(scores),
        Exponential(epsilon=epsilon).expected_loss(scores),
    )
    assert exponential * 0.5 * (1 - 1e-9) - 1e-300 <= flip <= exponential * (1 + 1e-9) + 1e-300


@given(vectors, st.sampled_from(EVERY), st.sampled_from([0.5, 0.9, 0.99]))
def test_promised_loss_is_never_exceeded(
    values: list[float], mechanism: Selection, confidence: float
) -> None:
    """Whatever the scores: P(loss ≤ w) ≥ confidence; and no smaller w would do, by the scores that
    are worst."""
    scores = Scores(np.array(values))
    within = worst_loss(mechanism, scores, confidence)
    assert least_within(scores.loss, mechanism.pmf(scores), confidence) <= within * (1 + 1e-9)
    assert mechanism.pmf(scores)[scores.loss > within * (1 + 1e-9)].sum() <= (1 - confidence) * (
        1 + 1e-9
    )
    if within:
        worst = Scores(np.array([within * (1 - 1e-6)] + [0.0] * (len(values) - 1)))
        assert least_within(worst.loss, mechanism.pmf(worst), confidence) > 0
        assert math.exp(worst_tail(mechanism, len(values), within / 2)) == pytest.approx(
            1 - confidence, rel=1e-9
        )


@every
def test_quantile_of_the_loss_by_hand(mechanism: Selection) -> None:
    scores = Scores(np.array([5.0, 4, 4, 1]))
    p = mechanism.pmf(scores)
    for confidence, w in (
        (p[0] - 1e-9, 0),
        (p[0] + 1e-9, 1),
        (1 - p[3] - 1e-9, 1),
        (1 - p[3] + 1e-9, 4),
    ):
        assert least_within(scores.loss, p, float(confidence)) == w
    assert mechanism.expected_loss(scores) == pytest.approx(p[1] + p[2] + 4 * p[3])


def test_bad_scores() -> None:
    for values, delta in (
        ([], 1.0),
        ([math.nan], 1.0),
        ([[1.0]], 1.0),
        ([1.0], 0.0),
        ([1.0], math.inf),
    ):
        with pytest.raises(ValueError):
            Scores(np.array(values), delta)


# Questions.


@pytest.mark.parametrize("kind", CHOICES, ids=lambda kind: kind.key)
def test_settled_candidates_are_the_same_on_another_table(kind: type[candidates.Choosing]) -> None:
    """So what rows that are left out change is told of the same candidates."""
    here, other = (
        Dataset(pd.DataFrame({"x": x, "c": list(c)}), c)
        for x, c in (([0, 1.5, 9], "aab"), ([3, 70], "bz"))
    )
    for column in ("x", "c") if issubclass(kind, candidates.ColumnChoosing) else ("",):
        query: Any = kind(**({"column": column} if column else {}))  # type: ignore[arg-type]
        if any(problem.stops for problem in query.problems(here, ADD_REMOVE)):
            continue
        asked = query.settled(here)
        labels = query.ask(here, ADD_REMOVE).labels
        assert asked.ask(here, ADD_REMOVE).labels == asked.ask(other, ADD_REMOVE).labels == labels


ASKED: list[candidates.Choosing] = [
    MostCommon(column="c", categories=("a", "b")),
    MostCommon(column="c", categories=("a", "unheard", "z"), where="x > 0"),
    MostCommon(column="x", categories=("2", "0.5", "77")),
    MostMet(conditions="x > 0 | x > 1 | c = a", where="x > 0"),
    *(quantile.Quantile(column="x", grid=(-1, 0.5, 1, 2, 5), q=q) for q in (0.5, 0.25, 0.9)),
    quantile.Quantile(column="x", low=-2, high=9, points=12, where='c = "a"'),
]


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("query", ASKED, ids=lambda q: f"{q.key}-{getattr(q, 'q', '')}-{q.where}")
def test_sensitivity_is_the_supremum(query: candidates.Choosing, adjacency: str) -> None:
    """Over all neighbours of small tables: the largest move of a score is Δ; scores move against
    each other unless monotone."""
    scores = {rows: query.ask(data, adjacency).scores for rows, data in small().items()}
    (declared,) = {(s.sensitivity, s.monotone) for s in scores.values()}
    moves = np.array([scores[a].values - scores[b].values for a, b in neighbours(adjacency)])
    assert np.abs(moves).max() == pytest.approx(declared[0], rel=1e-12)
    against = np.any((moves.min(axis=1) < -1e-12) & (moves.max(axis=1) > 1e-12))
    assert declared[1] == (not against)
    assert declared[1] == (isinstance(query, MostCommon | MostMet) and adjacency == ADD_REMOVE)
    if not declared[1]:
        assert np.ptp(moves, axis=1).max() <= 2 * declared[0] * (1 + 1e-12)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("q", [0.1, 0.25, 0.5, 0.8])
def test_quantile_scores_need_the_factor_two(q: float, adjacency: str) -> None:
    """In a larger table one person moves a difference of two scores by 2Δ, so ε/Δ would not do."""
    rows = [float(i) for i in range(100)]
    query = quantile.Quantile(column="x", grid=(1, 5, 95, 98), q=q)
    others = (
        ([-9.0, *rows], [*rows, 200.0])
        if adjacency == ADD_REMOVE
        else ([200.0, *rows[1:]], [*rows[:-1], -9.0])
    )
    before, *after = (
        query.ask(table(values, ["a"] * len(values)), adjacency).scores
        for values in (rows, *others)
    )
    moved = max(np.ptp(scores.values - before.values) for scores in after)
    assert moved == pytest.approx(2 * before.sensitivity, rel=1e-12)


def table(values: list[float], words: list[str | None]) -> Dataset:
    return Dataset(
        pd.DataFrame({"x": values, "c": words}).astype({"x": "float64", "c": "str"}), "small"
    )


@given(
    st.lists(
        st.tuples(st.sampled_from((*NUMBERS, math.inf)), st.sampled_from(WORDS)),
        min_size=1,
        max_size=12,
    ),
    st.floats(0.01, 0.99),
    st.booleans(),
)
def test_quantile_scores_are_rank_errors(rows: list, q: float, chosen: bool) -> None:
    """Against counting: 0 exactly at the q-quantiles; missing, infinite and unchosen rows count
    nowhere."""
    data = table([x for x, _ in rows] + [2.0], [w for _, w in rows] + ["a"])
    query = quantile.Quantile(
        column="x", grid=(-3, -1, 0, 0.5, 2, 8.9999, 9), q=q, where='c = "a"' if chosen else ""
    )
    kept = np.array(
        [x for x, w in [*rows, (2.0, "a")] if math.isfinite(x) and (w == "a" or not chosen)]
    )
    found = query.ask(data, REPLACE)
    for g, score in zip(query.grid, found.scores.values, strict=True):
        below, up_to, rank = np.sum(kept < g), np.sum(kept <= g), q * len(kept)
        assert -score == pytest.approx(max(below - rank, rank - up_to, 0), abs=1e-12)
    assert found.errors[found.best] == 0
    assert found.errors.max() <= 12


def test_answers_on_adult(adult: Dataset) -> None:
    """The counts and medians of the file; missing values are noted; a grid that is not given is
    round and covers the data."""
    found = MostCommon().ask(adult, ADD_REMOVE)
    assert dict(zip(found.labels, found.scores.values, strict=True))["Exec-managerial"] == 4066
    assert (found.labels[found.best], found.scores.values[found.best]) == ("Prof-specialty", 4140)
    assert found.labels == tuple(sorted(found.labels))
    assert [render(note) for note in found.notes][1].startswith("1,843 rows")
    assert MostCommon(column="age").ask(adult, ADD_REMOVE).values[19] == 36
    all_ = MostCommon(column="marital-status").ask(open_table("adult_all"), ADD_REMOVE)
    assert sorted(all_.scores.values)[-2:] == [16117, 22379]
    frame = adult._frame
    for column, q in (("age", 0.5), ("age", 0.9), ("hours-per-week", 0.25), ("capital-gain", 0.95)):
        query = quantile.Quantile(column=column, q=q, points=1001)
        asked = query.ask(adult, ADD_REMOVE)
        near = np.abs(asked.values - frame[column].quantile(q)).min()
        assert (
            abs(asked.values[asked.best] - frame[column].quantile(q))
            <= near + np.diff(asked.values)[0]
        )
        assert asked.values[0] <= frame[column].min() <= frame[column].max() <= asked.values[-1]
        assert len(asked.values) <= 1001


def test_the_table_is_read_once(adult: Dataset, touched: list[str]) -> None:
    """Another q or another adjacency on the same grid does not touch it again."""
    fresh = Dataset(adult._frame, "fresh")
    for q, adjacency in itertools.product((0.1, 0.5, 0.9), ADJACENCIES):
        quantile.Quantile(q=q).ask(fresh, adjacency)
    assert touched.count("histogram") == 1


@pytest.mark.parametrize(
    ("query", "field"),
    [
        (MostCommon(column="gone"), "query.column"),
        (MostCommon(column="fnlwgt"), "query.categories"),
        (MostCommon(column="age", categories=("young",)), "query.categories"),
        (MostCommon(where="gone > 3"), "query.where"),
        (MostMet(conditions="age > 3 | gone = 1"), "query.conditions"),
        (quantile.Quantile(column="occupation"), "query.column"),
        (quantile.Quantile(column="gone"), "query.column"),
        (quantile.Quantile(where="age > 200"), "query.where"),
        (quantile.Quantile(low=1, high=1 + 1e-13, points=1001), "query.points"),
    ],
    ids=str,
)
def test_what_a_table_cannot_answer(adult: Dataset, query: candidates.Choosing, field: str) -> None:
    """One sentence at the field that is to change; nothing is raised."""
    (problem,) = query.problems(adult, ADD_REMOVE)
    assert (problem.field, problem.stops) == (field, True)
    assert render(problem.say).endswith(".")


def test_typed_scores() -> None:
    domain = ScoreList("Scores")
    assert domain.parse("Cancer 50, HIV 20\nHPV: 3e1; Group 1 −2.5") == (
        ("Cancer", 50),
        ("HIV", 20),
        ("HPV", 30),
        ("Group 1", -2.5),
    )
    value = tuple((f"name {i}", i / 8) for i in range(1000))
    assert domain.parse(domain.show(value)) == value
    asked = put(put(Typed(), "scores", "a 1, b 3"), "sensitivity", "2").ask(
        table([1.0], ["a"]), REPLACE
    )
    assert (asked.labels, asked.best, asked.scores.sensitivity, asked.scores.monotone) == (
        ("a", "b"),
        1,
        2.0,
        False,
    )


@pytest.mark.parametrize("kind", [*SELECTIONS, *CHOICES], ids=lambda kind: kind.key)
def test_kinds_keep_their_domains(kind: type) -> None:
    """JSON and text round trips, and every bad value refused by name; as for the other
    catalogues."""
    made = kind()
    assert from_json([kind], json.loads(json.dumps(to_json(made), allow_nan=False))) == made
    for name, domain in domains(kind).items():
        assert domain.parse(domain.show(getattr(made, name))) == getattr(made, name)
        assert domain.label
    for name, value in kind.invalid_examples():
        with pytest.raises(ParamError) as caught:
            kind(**{name: value})
        assert caught.value.field == name


def test_catalogue() -> None:
    assert [kind.key for kind in SELECTIONS] == ["exponential", "noisy_max", "permute_flip"]
    assert set(NOISES) == {"laplace", "gumbel"}
    assert {type(query) for query in ASKED} | {Typed} == set(CHOICES)
