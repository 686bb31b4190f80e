"""Guarantee: the pair of laws against integration, simulation and duality; the reference vectors;
rows against brute force."""

import itertools
import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpstudio.charts.figure import Area
from dpstudio.data.conditions import parse
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.persons import settled
from dpstudio.labs.promise.guarantee.attack import hits, named, swap_steps
from dpstudio.labs.promise.guarantee.charts import density_chart, odds_chart, ratio_chart
from dpstudio.labs.promise.guarantee.loss import fates
from dpstudio.labs.promise.guarantee.model import (
    GuaranteeModel,
    drawn_law,
    drawn_value,
    guarantee_model,
    people,
    seen,
    whole_pair,
)
from dpstudio.labs.promise.guarantee.parameters import Guarantee
from dpstudio.privacy.mechanisms import MECHANISMS, Additive, Sensitivity, geometric, l2norm
from dpstudio.privacy.mechanisms.catastrophe import Catastrophe, LeakyLaw
from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussian, DiscreteGaussianLaw
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, GaussianLaw, TextbookGaussian
from dpstudio.privacy.mechanisms.laplace import Laplace, LaplaceLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.mechanisms.staircase import Staircase
from dpstudio.privacy.neighbours.attacker import (
    advantage_bound,
    loss_needed,
    naming_bound,
    posterior,
    power_bound,
)
from dpstudio.privacy.neighbours.ball import ball
from dpstudio.privacy.neighbours.joint import joint
from dpstudio.privacy.neighbours.listed import listed
from dpstudio.privacy.neighbours.one_number import cells, pair_of
from dpstudio.privacy.neighbours.pair import Pair
from dpstudio.privacy.queries import QUERIES, Query
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.total import Mean, Sum
from dpstudio.privacy.queries.variance import Variance
from dpstudio.values.messages import render
from dpstudio.values.parameters import put

ALPHA = np.array([0.001, 0.05, 0.1, 0.3, 0.5, 0.8, 0.99])
TOL = 2e-4  # of a red area, cell by cell against a far finer grid
THREE = Sensitivity(3.0, math.sqrt(3), 1.0, l0=3, dims=3, moves=((1.0, 1.0, 1.0),))


def run(lab: Guarantee, data: Dataset) -> Findings:
    found = lab.last(Context(data))
    return found


def state(data: Dataset, **fields: Any) -> GuaranteeModel:
    return guarantee_model(Guarantee(**fields), Context(data))


def law_of(kind: type[Additive], epsilon: float, delta: float = 1e-3) -> Law:
    mechanism = kind().at(epsilon, delta)
    return mechanism.law(THREE if kind.key == "l2norm" else Sensitivity(1.0, 1.0, 1.0))


@pytest.mark.vectors("tradeoff")
def test_tradeoff_vectors(vector: dict[str, Any]) -> None:
    given_ = vector["inputs"]
    pair = (
        pair_of(LaplaceLaw(1 / given_["eps"]), 1.0)
        if vector["fn"] == "laplace_tpr"
        else pair_of(GaussianLaw(1.0), given_["mu"])
    )
    assert float(pair.power(given_["fpr"])) == pytest.approx(vector["expected"], abs=vector["tol"])


@pytest.mark.vectors("risk")
def test_risk_vectors(vector: dict[str, Any]) -> None:
    given_ = vector["inputs"]
    if vector["fn"] == "posterior_from_half":
        found = float(posterior(0.5, given_["eps"]))
    else:
        found = float(naming_bound(given_["eps"], 0.0, given_["n"]))
        assert found == pytest.approx(float(posterior(1 / given_["n"], given_["eps"])), rel=1e-12)
    assert found == pytest.approx(vector["expected"], abs=vector["tol"])


@pytest.mark.vectors("laplace_hockeystick")
def test_hockey_stick_vectors(vector: dict[str, Any]) -> None:
    given_ = vector["inputs"]
    pair = pair_of(LaplaceLaw(float(given_["b"])), float(given_["sensitivity"]))
    assert pair.delta(given_["eps"]) == pytest.approx(vector["expected"], abs=vector["tol"])


@pytest.mark.vectors("puredp_pld")
def test_pure_product_vector(vector: dict[str, Any]) -> None:
    """Two answers of randomised response seen together: the test of a list of losses."""
    ps = [math.exp(e) / (1 + math.exp(e)) for e, _ in vector["inputs"]["terms"]]
    inside = [math.prod(q) for q in itertools.product(*((p, 1 - p) for p in ps))]
    outside = [math.prod(q) for q in itertools.product(*((1 - p, p) for p in ps))]
    found = float(listed(np.array(inside), np.array(outside)).power(0.1))
    assert found == pytest.approx(vector["expected"], abs=vector["tol"])


def masses(law: Law, shift: float) -> tuple[np.ndarray, np.ndarray]:
    """Small cells of P and Q from the densities alone (atoms last), for a test that knows no
    formula."""
    reach = 45 * math.sqrt(law.variance) + shift + 45
    if law.discrete:
        x = np.arange(-math.ceil(reach), math.ceil(reach) + 1.0)
        return law.density(x - shift), law.density(x)
    kinks = law.kinks(-reach, reach)
    fine = 10 if isinstance(law, l2norm.NormLaw) else 1  # smooth, and slow
    lines = [
        np.linspace(-reach, reach, 200_000 // fine + 1),
        np.linspace(-3, 3 + shift, 40_000 // fine + 1),
    ]
    ends = np.unique(np.concatenate([*lines, kinks, kinks + shift]))
    x, wide = (ends[1:] + ends[:-1]) / 2, np.diff(ends)
    atom = [mass for _, mass in law.atoms]
    return (
        np.concatenate([law.density(x - shift) * wide, atom, np.zeros(len(atom))]),
        np.concatenate([law.density(x) * wide, np.zeros(len(atom)), atom]),
    )


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
@pytest.mark.parametrize(("epsilon", "part"), [(0.5, 1.0), (1.0, 0.6), (3.0, 0.35)])
def test_against_integration(kind: type[Additive], epsilon: float, part: float) -> None:
    """Power, δ and both distributions of the loss, from densities sorted by their ratio."""
    law, shift = law_of(kind, epsilon), 1.0 if kind.integers else part
    pair = pair_of(law, shift)
    p, q = masses(law, shift)
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.log(p) - np.log(q)
    kept = (p + q) > 0
    p, q, loss = p[kept], q[kept], loss[kept]
    order = np.argsort(-loss, kind="stable")
    false, true = np.cumsum(q[order]), np.cumsum(p[order])
    assert np.allclose(
        pair.power(ALPHA), np.interp(ALPHA, np.append(0, false), np.append(0, true)), atol=2e-4
    )
    for e in (0.0, 0.3 * epsilon, 0.9 * epsilon, 1.2 * epsilon):
        assert pair.delta(e) == pytest.approx(
            float(np.sum(np.maximum(p - math.exp(e) * q, 0))), abs=2e-6
        )
        for y in (e + 0.01, -e - 0.01):  # away from atoms of the loss
            for strictly in (False, True):
                assert pair.above(y, strictly=strictly) == pytest.approx(
                    (p[loss > y].sum(), q[loss > y].sum()), abs=1e-3
                )


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_the_likelihood_ratio_test_simulated(kind: type[Additive]) -> None:
    """Draws with and without the person, judged by the ratio of densities at a threshold: as often
    right as the law says."""
    epsilon, n, rng = 1.0, 10_000 if kind.key == "l2norm" else 60_000, np.random.default_rng(3)
    law = law_of(kind, epsilon, 0.02)
    pair, needed = pair_of(law, 1.0), loss_needed(0.4, 0.5)
    for inside, expected in ((True, pair.above(needed)[0]), (False, pair.above(needed)[1])):
        x = law.sample(rng, n) + (1.0 if inside else 0.0)
        with np.errstate(divide="ignore"):
            loss = np.log(law.density(x - 1)) - np.log(law.density(x))
        for place, _ in law.atoms:
            loss = np.where(x == place + 1, np.inf, np.where(x == place, -np.inf, loss))
        assert np.mean(loss >= needed - 1e-9) == pytest.approx(
            expected, abs=5 * math.sqrt(0.25 / n)
        )


@given(
    st.sampled_from([k for k in MECHANISMS if k.key != "textbook"]),
    st.floats(0.01, 12),
    st.floats(0.05, 1),
    st.floats(0, 1),
)
@settings(max_examples=120)
def test_no_test_leaves_the_region(
    kind: type[Additive], epsilon: float, part: float, alpha: float
) -> None:
    """Every test stays within (ε, δ); its power is the least of e^ε′·α + δ(ε′) over ε′ (duality:
    Dong, Roth & Su 2022, Prop. 2.12)."""
    pair = pair_of(law_of(kind, epsilon), 1.0 if kind.integers else part)
    power = float(pair.power(alpha))
    assert alpha - 1e-9 <= power <= float(power_bound(alpha, epsilon, 1e-3)) + 1e-9
    assert pair.advantage <= advantage_bound(epsilon, 1e-3) + 1e-9
    for e in (-epsilon, -0.3 * epsilon, 0.0, 0.5 * epsilon, epsilon):
        delta = pair.delta(e) if e >= 0 else 1 - math.exp(e) * (1 - pair.delta(-e))
        assert power <= math.exp(e) * alpha + delta + 1e-9
    # The loss at the edge of the test is the ε′ that touches.
    grid = np.linspace(-2 * epsilon - 3, 2 * epsilon + 3, 4001)
    lines = np.array(
        [
            math.exp(e) * alpha
            + (pair.delta(e) if e >= 0 else 1 - math.exp(e) * (1 - pair.delta(-e)))
            for e in grid[::40]
        ]
    )
    assert power <= lines.min() + 1e-9
    assert lines.min() - power < 0.06 * (1 + epsilon)


def test_a_narrow_shift_of_steps() -> None:
    """Shifts below one step of the staircase: the three losses from a formula against cells of the
    cdf."""
    for gamma, epsilon, shift in itertools.product(
        (0.0, 0.2, 0.5, 0.8, 1.0), (0.3, 1.0, 6.0), (0.05, 0.3, 0.7, 1.0)
    ):
        law = Staircase(epsilon=epsilon, loss="hand", gamma=gamma).law(Sensitivity(1.0, 1.0, 1.0))
        pair, other = pair_of(law, shift), cells(law, shift)
        assert np.allclose(pair.power(ALPHA), other.power(ALPHA), atol=1e-9), (
            gamma,
            epsilon,
            shift,
        )
        assert pair.advantage == pytest.approx(other.advantage, abs=1e-9)


def curves(pair: Pair) -> list[np.ndarray]:
    return [
        *pair.loss_curve(-3.0, 3.0),
        *pair.delta_curve(2.0),
        pair.power(ALPHA),
        np.array([pair.typical, pair.certain, pair.advantage]),
    ]


def test_the_curves_are_the_numbers() -> None:
    """Points of both curves of every law agree with the number asked for by itself."""
    for kind in MECHANISMS:
        pair = pair_of(law_of(kind, 1.0), 1.0)
        for epsilon, delta in zip(*pair.delta_curve(1.5), strict=True):
            assert pair.delta(float(epsilon)) == pytest.approx(float(delta), abs=1e-9), kind.key
        for loss, inside, outside in list(zip(*pair.loss_curve(-1.5, 1.5), strict=True))[::25]:
            if abs(loss) < 0.9:  # not within rounding of the largest loss
                assert 1 - np.array(pair.above(float(loss), strictly=True)) == pytest.approx(
                    [inside, outside], abs=1e-7
                ), kind.key


def test_extremes_stay_finite() -> None:
    for kind, epsilon, delta in itertools.product(MECHANISMS, (0.001, 50.0), (1e-12, 0.5)):
        for pair in (
            pair_of(law_of(kind, epsilon, delta), 1.0),
            pair_of(law_of(kind, epsilon, delta), 0.0),
        ):
            for values in curves(pair):
                assert np.isfinite(values).all(), (kind.key, epsilon, delta)
            assert 0 <= pair.advantage <= 1
            _, inside, outside = pair.loss_curve(-3.0, 3.0)
            assert np.all(np.diff(inside) >= -1e-9)
            assert np.all(
                outside >= inside - 1e-9
            )  # without the person answers speak less for “in”


def test_belief() -> None:
    """The posterior is Bayes with the densities; infinite losses tell all; a bound in e^ε rounds
    outward in the sentence."""
    law = LaplaceLaw(1.0)
    for x, prior in itertools.product((-2.0, 0.3, 0.9, 5.0), (0.01, 0.5, 0.9)):
        p, q = float(law.density(x - 1)), float(law.density(x))
        assert float(posterior(prior, math.log(p / q))) == pytest.approx(
            prior * p / (prior * p + (1 - prior) * q), rel=1e-12
        )
    assert float(posterior(0.2, math.inf)) == 1.0
    assert float(posterior(0.2, -math.inf)) == 0.0
    assert loss_needed(0.5, float(posterior(0.5, 0.7))) == pytest.approx(0.7)
    assert advantage_bound(1.0, 0.01) == pytest.approx(
        (math.e - 1 + 0.02) / (math.e + 1), rel=1e-14
    )
    grid = np.linspace(0, 1, 100_001)
    assert float(np.max(power_bound(grid, 1.0, 0.01) - grid)) == pytest.approx(
        advantage_bound(1.0, 0.01), abs=1e-5
    )


def test_the_words_count_right(adult: Dataset) -> None:
    """Laplace, ε = 1, even odds: 1 − ½e^−½ = 69.67 of 100 answers lie on the side of the truth."""
    found = run(Guarantee(), adult)
    values = found.sentence("odds").say.values
    assert values["x"].value == pytest.approx(100 - 50 * math.exp(-0.5))
    assert values["y"].value == pytest.approx(50 * math.exp(-0.5))
    assert "more than 73.2 % sure" in render(found.sentence("certainty").say)
    assert found.fact("advantage").value == pytest.approx(1 - math.exp(-0.5))
    assert found.fact("hits").value == pytest.approx(0.1 * math.e)
    # From 20 % to more than 40 %: the loss must exceed ln(8/3), which is just below ε.
    strict = run(Guarantee(prior=0.2, threshold=0.4), adult).sentence("odds").say.values
    at = (math.log(8 / 3) + 1) / 2
    assert (strict["x"].value, strict["y"].value) == pytest.approx(
        (100 - 50 * math.exp(at - 1), 50 * math.exp(-at))
    )
    assert run(Guarantee(threshold=0.8), adult).sentence("odds").say.values["x"].value == 0


def test_two_fates(adult: Dataset) -> None:
    """At one (ε, δ) the catastrophe mechanism tells all with probability δ, Gaussian noise nothing
    for certain; both need this δ."""
    model = state(adult, mechanism=AnalyticGaussian(epsilon=1.0, delta=1e-3))
    (gaussian, _, one), (catastrophe, _, two) = fates(model)
    assert (type(gaussian), type(catastrophe)) == (AnalyticGaussian, Catastrophe)
    assert one.delta(1.0) == pytest.approx(1e-3, rel=1e-9)
    assert two.delta(1.0) == pytest.approx(1e-3, rel=1e-9)
    assert (one.certain, two.certain) == (0.0, 1e-3)
    assert one.above(3.0)[0] < 1e-7 < two.above(3.0)[0]


SMALL = pd.DataFrame(
    {
        "age": [23, 61, 35, 52, 70],
        "hours": [40.0, math.nan, 20.0, 55.0, 38.5],
        "sex": ["F", "M", "F", None, "M"],
        "job": ["a", "b", "a", "c", "b"],
    }
)


def asked(kind: type[Query]) -> Query:
    query = kind()
    changes = {
        "column": "hours",
        "by": "job",
        "first": "sex",
        "second": "job",
        "columns": "age | hours",
        "conditions": 'age > 50 | sex = "F"',
    }
    for name, value in changes.items():
        if hasattr(query, name):
            query = put(query, name, value)
    return query


@pytest.mark.parametrize("kind", QUERIES, ids=lambda kind: kind.key)
def test_a_row_moves_what_taking_it_out_moves(kind: type[Query]) -> None:
    """The table of one row adds just what the answer loses when that row is dropped, for every
    question."""
    data = Dataset(SMALL, "small", "small")
    query = asked(kind)
    fixed = settled(query, data)
    full = query.ask(data, "add_remove").measurements
    for row in range(1, 6):
        rest = Dataset(SMALL.drop(index=row - 1).reset_index(drop=True), "rest", "rest")
        less = fixed.ask(rest, "add_remove").measurements
        one = fixed.ask(data.only(row - 1), "add_remove").measurements
        for a, b, c in zip(full, less, one, strict=True):
            assert np.allclose(a.values - b.values, c.values), row
        found = seen(state(data, query=query, neighbour="row", row=row))
        assert abs(found.shift) == pytest.approx(
            max(abs(c.values[found.part]) for c in [one[found.place]])
        )


BALANCE = pd.DataFrame({"balance": [-45, 30, -8, 50, 12, -50, 3, -27, 41, -16, 22, -33]})
BALANCES = Dataset(BALANCE, "balances")
ASKED: dict[str, Query] = {
    "count": Count(where=parse("balance > -30")),
    "sum": Sum(column="balance", where=parse("")),
    "histogram": Histogram(column="balance"),
}


def paid_for(model: GuaranteeModel, ends: np.ndarray) -> np.ndarray:
    """∫ max(0, p − e^ε q) up to each of `ends` and beyond the last one, atoms apart, by small cells
    of the densities about the answers of the table with and without the person."""
    law, drawn, lab = drawn_law(model), seen(model), model.lab
    query = settled(lab.query, BALANCES)
    others = Dataset(BALANCE.drop(index=lab.row - 1).reset_index(drop=True), "the others")
    inside, less = (
        float(query.ask(data, lab.adjacency).measurements[drawn.place].values[drawn.part])
        for data in (BALANCES, others)
    )
    outside = less if lab.neighbour == "row" else inside - drawn.shift
    reach = 12 * math.sqrt(law.variance) + 2 * abs(drawn.shift)
    if law.discrete:
        x = inside + np.arange(-math.ceil(reach), math.ceil(reach) + 1.0)
        wide = 1.0
    else:
        cuts = np.linspace(inside - reach, inside + reach, 200_001)
        x, wide = (cuts[1:] + cuts[:-1]) / 2, cuts[1] - cuts[0]
    gap = law.density(x - inside) - math.exp(model.epsilon) * law.density(x - outside)
    total = np.concatenate([[0.0], np.cumsum(np.maximum(0.0, gap) * wide)])
    found: np.ndarray = total[np.append(np.searchsorted(x, ends), len(x))]
    return found


@given(
    st.sampled_from([AnalyticGaussian, DiscreteGaussian, TextbookGaussian, Catastrophe]),
    st.sampled_from(sorted(ASKED)),
    st.sampled_from([("add_remove", "worst"), ("add_remove", "row"), ("replace", "worst")]),
    st.floats(0.1, 0.99),
    st.floats(0.02, 0.3),
    st.integers(1, BALANCES.rows),
)
@example(DiscreteGaussian, "sum", ("replace", "worst"), 0.1, 0.01, 1)  # over 4000 atoms
@settings(max_examples=80)
def test_red_is_what_delta_pays_for(
    kind: type[Additive], query: str, who: tuple[str, str], epsilon: float, delta: float, row: int
) -> None:
    """The red area is ∫ max(0, p − e^ε q) of the two laws drawn, up to every place of the chart;
    with the atoms and with what lies beside the chart, less than 1 %, it is the δ(ε) of their
    pair."""
    adjacency, neighbour = who
    lab = Guarantee(
        query=ASKED[query],
        mechanism=kind().at(epsilon, delta),
        adjacency=adjacency,
        neighbour=neighbour,
        row=row,
    )
    model = guarantee_model(lab, Context(BALANCES))
    figure = density_chart(model)
    red = next(layer for layer in figure.layers if layer.key == "pays")
    assert isinstance(red, Area)
    assert np.asarray(red.edges)[[0, -1]] == pytest.approx(figure.x.range, abs=1.5)
    edges, cells = np.asarray(red.edges), np.asarray(red.heights) * np.diff(red.edges)
    *upto, whole = paid_for(model, edges)
    exact = pair_of(drawn_law(model), seen(model).shift).delta(model.epsilon)
    leak = sum(mass for _, mass in drawn_law(model).atoms) if seen(model).shift else 0.0
    assert model.delta > 0
    assert whole + leak == pytest.approx(exact, abs=1e-6)
    drawn = np.concatenate([[0.0], np.cumsum(cells)])
    assert np.allclose(drawn, np.array(upto) - upto[0], rtol=0, atol=TOL)
    assert drawn[-1] == pytest.approx(whole, abs=0.01)


def test_a_row_is_exact_and_read_once(adult: Dataset, touched: list[str]) -> None:
    data = Dataset(adult._table, "fresh")
    lab = Guarantee(query=Sum(column="age"), neighbour="row", row=7)
    found = run(lab, data)
    assert all(figure.exact for figure in found.figures)
    age = adult._frame["age"].iloc[6]
    assert found.fact("moved").value == (age if age > 50 or not lab.query.where else 0)
    touched.clear()
    run(lab.with_(prior=0.3), data)
    run(lab.with_(mechanism=Laplace(epsilon=0.3)), data)
    assert not touched
    hidden = run(lab.with_(show_truth=False), data)
    assert hidden.fact("moved").value == 90
    assert not any(figure.exact for figure in hidden.figures)
    assert [p for p in hidden.problems if p.field == "neighbour"]


def test_little_effort_draws_less_and_says_the_same(adult: Dataset) -> None:
    lab = Guarantee(query=Mean(), adjacency="replace")
    little = lab.last(Context(adult, effort=LITTLE))
    full = run(lab, adult)
    for part in ("facts", "sentences", "tables", "problems"):
        assert getattr(little, part) == getattr(full, part), part
    for key, layer in (("test", "law"), ("loss", "with"), ("curve", "law"), ("fates", "gaussian")):
        few, many = (len(found.figure(key).layer(layer).x) for found in (little, full))
        assert few < many / 2, key


def test_the_first_picture_waits_for_no_library(
    adult: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpstudio.labs.first_picture.library_loaded", lambda: False)
    first, whole = Guarantee().run(adult)
    assert {f.key for f in whole.figures} - {f.key for f in first.figures} == {"fates"}
    assert {t.key for t in whole.tables} - {t.key for t in first.tables} == {"equal"}
    assert "fates" not in {s.key for s in first.sentences}
    assert first.facts == whole.facts
    assert len(list(Guarantee(mechanism=AnalyticGaussian()).run(adult))) == 1


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_the_ratio_of_densities_runs_between_rails(
    kind: type[Additive], epsilon: float, adult: Dataset
) -> None:
    """ln f(x)/f(x + 1) against the law itself; beyond the rails only where the loss goes beyond ε,
    and said so; the hundred answers stand first."""
    model = state(adult, mechanism=kind().at(epsilon, 1e-3))
    figure, law = ratio_chart(model), drawn_law(model)
    rails = [figure.layer(key).y[0] for key in ("most", "least")]
    assert rails == [model.epsilon, -model.epsilon]
    line, shift = figure.layer("ratio"), seen(model).shift
    noise = line.x - drawn_value(model)
    if law.discrete and (noise % 1).any():  # in steps, each from half a unit before to half behind
        noise = np.repeat(np.arange(noise[0] + 0.5, noise[-1]), 2)
    low, high = figure.y.range
    assert low < -model.epsilon
    assert model.epsilon < high
    with np.errstate(divide="ignore", invalid="ignore"):
        wanted = np.log(law.density(noise) / law.density(noise + shift))
    known = np.isfinite(wanted) & (np.abs(wanted) < high)
    assert known.sum() > 3
    np.testing.assert_allclose(line.y[known], wanted[known], rtol=1e-6, atol=1e-9)
    said = render(figure.subtitle)
    leaves = bool(np.nanmax(np.abs(line.y)) > model.epsilon * (1 + 1e-9))
    assert (said == "no answer leaves the rails") <= (not leaves)
    assert [f.key for f in run(model.lab, adult).figures][:2] == ["odds", "ratio"]


def test_a_line_runs_below_the_answers_that_are_full(adult: Dataset) -> None:
    """Its steps hold as many cells as there are full dots, which a drag leaves behind as a ghost."""
    for epsilon in (0.1, 1.0, 8.0, 40.0):
        figure = odds_chart(state(adult, mechanism=Laplace(epsilon=epsilon)))
        for key, left in (("with", 0.0), ("without", 11.6)):
            line, full = figure.layer(f"{key}_level"), figure.layer(key)
            (start, turn, _, end), (low, _, high, _) = line.x - left, line.y
            assert (start, end) == pytest.approx((0, 10))
            assert 10 * (10 - high) + turn * (high - low) == len(full.x)


def test_of_a_mean_it_is_said_which_number_is_drawn(adult: Dataset) -> None:
    found = run(Guarantee(query=Mean()), adult)
    drawn = render(found.figure("densities").x.label)
    # Centred at 53.5 = (17 + 90)/2, which noise in integers needs twice over.
    assert drawn == "sum less 53.5 a row, doubled"
    assert drawn in render(found.sentence("partial").say)


@pytest.mark.parametrize("query", [Mean(centred=False), Histogram()], ids=lambda query: query.key)
def test_an_answer_of_many_numbers_says_so(query: Query, adult: Dataset) -> None:
    found = run(Guarantee(query=query, adjacency="replace"), adult)
    assert "partial" in found.headline
    assert "of all of them together" in render(found.sentence("partial").say)
    # Half of the budget for each number; the whole loss is the whole ε, and the belief is bounded
    # by it.
    assert found.fact("loss").value == pytest.approx(1.0)
    assert found.fact("posterior").value == pytest.approx(1 / (1 + math.exp(-1)))
    # Two losses of at most ½: the total variation of two Laplace answers by four quadrants of exact
    # cells.
    ends = np.linspace(-60, 61, 1211)
    p, q = (
        np.diff(LaplaceLaw(2.0).cdf(ends - centre), prepend=0, append=1) for centre in (1.0, 0.0)
    )
    both = np.maximum(np.multiply.outer(p, p) - np.multiply.outer(q, q), 0).sum()
    assert found.fact("advantage").value == pytest.approx(both, abs=2e-4)
    json.dumps(findings_json(found), allow_nan=False)


def law_pairs() -> list[tuple[Law, tuple[float, ...]]]:
    step = Staircase(epsilon=0.7).law(THREE)
    return [
        (LaplaceLaw(1.3), (1.0, 0.4)),
        (geometric.DiscreteLaplaceLaw(0.4), (1.0, 3.0)),
        (DiscreteGaussianLaw(2.0), (1.0, 1.0)),
        (GaussianLaw(1.7), (1.0, 2.0)),
        (step, (0.6 * step.width, 1.7 * step.width)),
        (LeakyLaw(LaplaceLaw(1.3), 0.01), (1.0, 0.4)),
    ]


@pytest.mark.parametrize(("law", "shifts"), law_pairs(), ids=lambda value: type(value).__name__)
def test_a_whole_answer_by_brute_force(law: Law, shifts: tuple[float, float]) -> None:
    """Two numbers at once: δ, power and odds from all pairs of small cells, whatever the shortcut
    was."""
    pair = joint([(law, shifts)])
    smooth = law.noise if isinstance(law, LeakyLaw) else law
    reach = 25 * math.sqrt(smooth.variance)
    ends = (
        np.arange(-math.ceil(reach), math.ceil(reach) + 1) + 0.5
        if law.discrete
        else np.linspace(-reach, reach, 1401)
    )
    sides = []
    for centre in (1.0, 0.0):
        cuts = [
            np.unique(
                np.concatenate([ends, *(smooth.kinks(-reach, reach) + c * by for c in (0, 1))])
            )
            for by in shifts
        ]
        one, two = (
            np.diff(smooth.cdf(cut - centre * by), prepend=0.0, append=1.0)
            for cut, by in zip(cuts, shifts, strict=True)
        )
        sides.append(np.multiply.outer(one, two).ravel())
    p, q = sides
    leak = sum(mass for _, mass in law.atoms)
    for e in (0.0, 0.4, 1.1):
        brute = leak + (1 - leak) * float(np.maximum(p - math.exp(e) * q, 0).sum())
        assert brute - 1e-9 <= pair.delta(e) <= brute + 2e-4
    order = np.argsort(
        -np.log(np.maximum(p, 1e-300)) + np.log(np.maximum(q, 1e-300)), kind="stable"
    )
    true, false = (np.concatenate([[0.0], np.cumsum(side[order])]) for side in (p, q))
    alpha = np.array([0.01, 0.1, 0.4, 0.9])
    assert np.allclose(
        pair.power(alpha), leak + (1 - leak) * np.interp(alpha / (1 - leak), false, true), atol=3e-4
    )
    rng = np.random.default_rng(1)
    drawn = [[smooth.sample(rng, 200_000) + c * by for by in shifts] for c in (1.0, 0.0)]
    losses = [
        sum(
            np.log(smooth.density(x - by)) - np.log(smooth.density(x))
            for x, by in zip(xs, shifts, strict=True)
        )
        for xs in drawn
    ]
    for y in (0.013, -0.41):  # just off the atoms
        seen = [(1 - leak) * float(np.mean(loss > y)) for loss in losses]
        assert pair.above(y) == pytest.approx((leak + seen[0], seen[1]), abs=4e-3)


@pytest.mark.parametrize(("full", "dims"), [(1.0, 2), (5.0, 10), (0.01, 40)])
def test_a_ball_of_noise(full: float, dims: int) -> None:
    """L2-norm noise: δ by an integral of its own, the odds by simulation of whole vectors. One
    coordinate alone would say less."""
    pair = ball(full, dims)
    for part in (0.0, 0.3, 0.8):
        exact = l2norm.ball_delta(part * full, full, dims)
        assert exact * (1 - 1e-9) <= pair.delta(part * full) <= exact * 1.06
    assert pair.most == pytest.approx(full)
    rng = np.random.default_rng(3)
    radius, way = rng.gamma(dims, 1 / full, 100_000), rng.standard_normal((100_000, dims))
    cosine = way[:, 0] / np.linalg.norm(way, axis=1)
    loss = full * (np.sqrt(radius**2 + 2 * radius * cosine + 1) - radius)
    for y in (-0.5 * full, 0.0, 0.4 * full):
        assert np.array(pair.above(y)) == pytest.approx(
            [np.mean(loss > y), np.mean(loss < -y)], abs=0.008
        )
    assert pair.advantage > pair_of(l2norm.NormLaw(dims, 1 / full), 1.0).power(0.3) - 0.3


def test_nobody_is_safer_than_told(adult: Dataset) -> None:
    """Of several people whom no order ranks, each risk is the largest; and no number of an answer
    shows more than the answer."""
    spread = state(adult, query=Variance(), adjacency="replace")
    assert len(people(spread)) > 1
    assert whole_pair(spread).most == max(person.pair.most for person in people(spread))
    for kind in QUERIES:
        for mechanism in (Laplace(), AnalyticGaussian(), l2norm.L2Norm()):
            lab = Guarantee(query=kind(), mechanism=mechanism, adjacency="replace").suited(adult)
            model = guarantee_model(lab, Context(adult))
            alone = pair_of(drawn_law(model), seen(model).shift)
            assert hits(model) >= float(alone.power(0.1)) - 1e-6
            assert whole_pair(model).advantage <= advantage_bound(model.epsilon, model.delta) + 1e-6
            assert hits(model) <= float(power_bound(0.1, model.epsilon, model.delta)) + 1e-6


def test_one_of_many(adult: Dataset) -> None:
    """One person instead of another: in a histogram two numbers move, in a count one. The best
    guess, simulated, keeps below."""
    count = state(adult, people=5)
    direct = float(naming_bound(1.0, 0.0, 5))
    assert (swap_steps(count), named(count).allowed) == (1, pytest.approx(direct))
    parts = state(adult, query=Histogram(), people=5, mechanism=geometric.Geometric(epsilon=1.0))
    # Through the world without any of them it is one step each: e/5, below e²/(e² + 4).
    assert (swap_steps(parts), named(parts).allowed) == (2, pytest.approx(math.e / 5))
    rng = np.random.default_rng(8)
    law = geometric.DiscreteLaplaceLaw(1.0)
    answers = law.sample(rng, 400_000).reshape(-1, 5)
    answers[:, 0] += 1
    # Worlds i: one person in part i. The likeliest one, ties shared.
    likely = np.log(law.density(answers - 1)) - np.log(law.density(answers))
    best = likely.max(axis=1, keepdims=True) - 1e-9 <= likely
    right = float(np.mean(best[:, 0] / best.sum(axis=1)))
    assert direct < right <= named(parts).exact <= named(parts).allowed
    # With δ: the bound is that of the advantage for two people.
    assert float(naming_bound(1.0, 0.01, 2)) == pytest.approx((1 + advantage_bound(1.0, 0.01)) / 2)


def test_small_numbers_are_bounds(adult: Dataset) -> None:
    """No tail that has no end is told as nothing, and no chance as a power of ten of 100 answers; a
    δ that was chosen is named."""
    assert render(run(Guarantee(), adult).sentence("fates").say).startswith(
        "At ε = 1 and δ = 10⁻⁵ Gaussian noise exceeds ε"
    )
    found = run(Guarantee(mechanism=AnalyticGaussian(epsilon=8.0, delta=1e-12)), adult)
    noise = AnalyticGaussian(epsilon=8.0, delta=1e-12).scale
    assert 0 < math.erfc((16 * noise - 1 / (2 * noise)) / math.sqrt(2)) / 2 < 1e-40  # by Φ alone
    assert "and 2ε with less than 10⁻³⁰;" in render(found.sentence("fates").say)
    (fate,) = (each for each in found.tables if each.key == "equal")
    assert render(dict(fate.columns)["twice"][0]) == "less than 10⁻³⁰"
    assert "fewer than 0.01" in render(
        run(Guarantee(mechanism=Laplace(epsilon=50.0)), adult).sentence("odds").say
    )
    assert "all but certain" in render(
        run(Guarantee(mechanism=Laplace(epsilon=50.0)), adult).sentence("certainty").say
    )
    nothing = run(Guarantee(query=Count(where=parse("age > 200")), neighbour="row"), adult)
    assert nothing.headline == ("neighbour",)
    assert not [figure for figure in nothing.figures if figure.key == "fates"]


def test_a_row_beyond_the_table_is_refused(adult: Dataset) -> None:
    found = run(Guarantee(query=Count(), neighbour="row", row=10**6), adult)
    assert [p.field for p in found.problems if p.stops] == ["row"]
