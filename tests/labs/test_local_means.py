"""Local means: its errors against people simulated one by one, the central mean by its law, and
what is told when hidden."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpstudio.data.dataset import Dataset
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.nobody.local_means.errors import (
    central,
    enough,
    errors,
    mine,
    more_people,
    own_error,
)
from dpstudio.labs.nobody.local_means.model import MeansModel, means_model, truth
from dpstudio.labs.nobody.local_means.parameters import LocalMeans
from dpstudio.labs.nobody.local_means.people import Scale, people_of
from dpstudio.labs.nobody.local_means.surveys import deviation, surveys
from dpstudio.labs.nobody.local_means.words import _central
from dpstudio.privacy.local import NUMBERS, piecewise, reals
from dpstudio.privacy.local.duchi import Duchi
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries.total import Mean
from dpstudio.values.messages import render

X = np.array([0.0, 1, 2, 2, 3, 5, 8, 9, 10, 14, 20, np.nan])
DATA = Dataset(
    pd.DataFrame({"x": np.tile(X, 10), "y": np.tile([1.0, np.nan, 3.0], 40), "c": ["a", "b"] * 60}),
    "small",
)
QUERY = Mean(column="x", low=0.0, high=10.0)


def run(data: Dataset = DATA, **fields) -> Findings:
    found = LocalMeans(**{"query": QUERY, **fields}).last(Context(data))
    return found


def state(**fields) -> MeansModel:
    return means_model(LocalMeans(query=QUERY, **fields), Context(DATA))


@pytest.mark.parametrize(
    "kind", [*(kind() for kind in NUMBERS), Duchi(coordinates=reals.ONE)], ids=lambda k: f"{k.key}"
)
@pytest.mark.parametrize("d", [1, 3])
def test_surveys_have_the_exact_law(kind, d: int) -> None:
    """The estimate of 110 people with a value, clipped to 0 … 10: people simulated one by one agree
    with mean, deviation and draws."""
    model = state(protocol=kind, dims=d, trials=4000, case="column")
    t = np.clip(np.tile(X[:-1], 10), 0, 10) / 5 - 1
    assert model.n == 110
    assert truth(model) == pytest.approx(np.clip(X[:-1], 0, 10).mean(), rel=1e-12)
    many = np.tile(t, 1000)
    sent = kind.reports(
        np.random.Generator(np.random.SFC64(4)),
        many if d == 1 else np.repeat(many[:, None], d, axis=1),
    )
    means = 5 + 5 * sent.reshape(len(many), d)[:, 0].reshape(1000, 110).mean(axis=1)
    for estimates in (means, surveys(model)):
        assert abs(estimates.mean() - truth(model)) < 4 * deviation(model) / math.sqrt(
            len(estimates)
        )
        assert estimates.std() == pytest.approx(deviation(model), rel=0.08)
    assert stats.kstest((surveys(model) - truth(model)) / deviation(model), "norm").statistic < 0.06
    assert errors(model)[mine(model).key] == pytest.approx(
        stats.norm.ppf(0.975) * deviation(model), rel=1e-9
    )


def test_a_column_of_many_values_is_gathered() -> None:
    """The mean over the cells is exact and the mean square within 3·10⁻⁴, so a survey's variance
    is."""
    values = np.sort(np.random.Generator(np.random.SFC64(1)).gamma(2, 3, 5000))
    people = people_of(values, np.ones(5000, dtype=np.int64), Scale(0.0, 12.0))
    t = np.clip(values, 0, 12) / 6 - 1
    assert len(people.t) <= 64
    assert people.t @ people.many / 5000 == pytest.approx(t.mean(), abs=1e-12) == people.mean
    assert people.square == pytest.approx((t**2).mean(), rel=1e-12)
    assert people.t**2 @ people.many / 5000 == pytest.approx(people.square, abs=3e-4)
    assert people.clipped == np.count_nonzero(values > 12)


def test_the_central_mean_is_the_laplace_mechanism() -> None:
    """Its half-width by the mechanism's own law at Δ₁ = d(U − L)/n, and equal errors where the
    chart joins them."""
    for d in (1, 7):
        model = state(dims=d, confidence=0.9, protocol=piecewise.Piecewise(epsilon=0.5))
        delta = d * 10 / 110
        law = Laplace(epsilon=0.5).law(Sensitivity(delta, delta, delta))
        assert central(model, model.n) == pytest.approx(law.half_width(0.9), rel=1e-12)
        assert central(model, enough(model)) == pytest.approx(errors(model)["piecewise"], rel=1e-12)
    crowd = Dataset(pd.concat([DATA._frame] * 4, ignore_index=True), "four times as many")
    four = means_model(model.lab, Context(crowd))
    assert more_people(own_error(model), own_error(four)) == pytest.approx(4)


def test_crossings_and_winner(adult: Dataset) -> None:
    found = LocalMeans().last(Context(adult))
    at = {s.key: s.say for s in found.sentences}
    assert render(at["crossing_0"]) == "Laplace and Duchi err alike at ε = 2.3242."
    assert render(at["crossing_1"]) == "Duchi and Piecewise err alike at ε = 1.2898."
    assert at["winner"].values["least"].value == pytest.approx(
        min(f.value for f in found.facts if f.key in ("error", "best"))
    )
    # At ε = 1 the hybrid's variance is (1 − b)·(piecewise at 0) + b·(Duchi at 0), b = e^(−½); 36.5
    # years are one unit of t.
    b = math.exp(-0.5)
    variance = (1 - b) * b * (1 + 3 * b) / (3 * (1 - b) ** 2) + b / math.tanh(0.5) ** 2
    assert found.fact("best").value == pytest.approx(
        1.959964 * 36.5 * math.sqrt(variance / 32561), rel=1e-6
    )
    assert found.fact("central").value == pytest.approx(73 * math.log(20) / 32561, rel=1e-9)
    assert found.truth is not None
    assert float(found.truth[0]) == pytest.approx(1_256_257 / 32_561, rel=1e-12)


def test_people_who_lack_a_value_are_not_asked() -> None:
    found = run(more=("y",), ranges=((1.0, 3.0),), dims=1)
    assert found.sentence("asked").say.values["n"].value == np.count_nonzero(
        ~np.isnan(np.tile(X, 10)) & (np.arange(120) % 3 != 1)
    )
    assert found.figure("dims").layer("here").x == 2
    assert found.figure("columns").layer("truth").heights[1] == pytest.approx(0, abs=0.1)
    refused = [run(more=more).problems[0] for more in (("x",), ("c",), ("gone",))]
    assert [p.field for p in refused] == ["more"] * 3


def test_hidden_answers_move_nothing() -> None:
    """With bounds from outside, two tables of as many people differ in the one simulated survey
    alone."""
    other = Dataset(
        pd.DataFrame({"x": np.tile([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, np.nan], 10)}), "other"
    )
    query = QUERY.with_(attested=True)
    shown = [
        findings_json(run(data, query=query, show_truth=False, case="column"))
        for data in (DATA, other)
    ]
    for found in shown:
        found["figures"] = [f for f in found["figures"] if f["key"] != "published"]
        found["facts"] = [f for f in found["facts"] if f["key"] != "answer"]
        del found["replays"]
    assert shown[0] == shown[1]
    assert shown[0]["sentences"]


def test_the_table_counts_people_from_the_best() -> None:
    """Also a trusted collector's: as many as it takes to err as little as the best, not as the one
    in use."""
    model = state(protocol=Duchi(epsilon=3.0))
    least = min(errors(model).values())
    table = next(t for t in run(protocol=Duchi(epsilon=3.0)).tables if t.key == "protocols")
    people = dict(table.columns)["people"]
    assert people[-1].value * model.n == pytest.approx(central(model, 1) / least)
    assert min(p.value for p in people[:-1]) == 1


def test_a_leap_is_no_crossing(adult: Dataset) -> None:
    """From ε = 5 on piecewise sends two of the numbers and leaps past Duchi: there they do not err
    alike."""
    found = LocalMeans(dims=1000, protocol=Duchi(coordinates=reals.ONE)).last(Context(adult))
    said = [render(s.say) for s in found.sentences if s.key.startswith("crossing")]
    assert "Duchi, one of d and Piecewise change places at ε = 5." in said
    assert not any("alike at ε = 5." in text for text in said)


def test_words_for_the_case_at_hand() -> None:
    words = render(run(more=("y",), ranges=((1.0, 3.0),)).sentence("asked").say)
    assert "condition" not in words
    # Errors that differ in the fifth digit are no contest, and few wrong reports are not normal.
    found = run(protocol=piecewise.Piecewise(epsilon=20.0))
    assert "Piecewise and Hybrid err alike and least" in render(found.sentence("winner").say)
    assert "best" not in {f.key for f in found.facts}
    assert "0.005" in render(found.sentence("seldom").say)
    assert "seldom" not in {s.key for s in run().sentences}
    assert "by at most 0.0910" in render(run().sentence("neighbours").say)


def test_little_effort_draws_less_and_says_the_same() -> None:
    """All but the simulated survey: also where two err alike, which is looked for as closely."""
    for fields in ({}, {"dims": 7, "protocol": Duchi(coordinates=reals.ONE)}):
        little = LocalMeans(query=QUERY, **fields).last(Context(DATA, effort=LITTLE))
        full = run(**fields)
        assert len(little.replays) == LITTLE.replays
        assert little.sentences == full.sentences
        assert little.tables == full.tables
        assert [f for f in little.facts if f.key != "answer"] == [
            f for f in full.facts if f.key != "answer"
        ]
        for key in ("tradeoff", "contest", "dims", "variance"):
            few, many = (len(f.figure(key).layer("piecewise").x) for f in (little, full))
            assert few < many / 2, key


def test_a_table_of_words() -> None:
    (problem,) = run(Dataset(pd.DataFrame({"c": ["a", "b"]}), "words")).problems
    assert problem.field == "data"
    assert "no column of numbers" in render(problem.say)


def test_a_narrow_peak_is_drawn() -> None:
    """At ε = 50 the interval is 3·10⁻¹¹ wide: its peak is there, and leaves the chart so that
    Laplace noise can be seen."""
    figure = run(protocol=piecewise.Piecewise(epsilon=50.0)).figure("report")
    peak, other = (float(figure.layer(key).y.max()) for key in ("piecewise", "local_laplace"))
    assert peak > 1e9 * other
    assert other > 0.1 * figure.y.range[1]


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 4.0, 50.0])
def test_a_trusted_collector_s_people_agree_with_how_many_times_as_many_are_asked(epsilon) -> None:
    """Said together, n over the few that are enough is as many times as is said; where fewer than
    one would be, no number of people is named."""
    for kind in NUMBERS:
        model = state(protocol=kind(epsilon=epsilon), case="column")
        said = _central(model).say
        if "few" in said.values and "{few" in said.text:
            few, times = float(said.values["few"].value), float(said.values["times"].value)
            assert few - 1 < model.n / times <= few + 1e-6
            assert 1 < times <= model.n
        elif enough(model) < 1:
            assert own_error(model) > central(model, 1) > 0
            assert "less with one person" in render(said)
        else:
            assert own_error(model) <= central(model, model.n)
