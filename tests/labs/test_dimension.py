"""Dimension: its crossings against the facts and own roots, its laws against the catalogue's,
integration and simulation."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special

from dpstudio.charts.figure import Handle, Line, Rule
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.one_answer.dimension import model as dimension
from dpstudio.labs.one_answer.dimension import parameters
from dpstudio.labs.one_answer.dimension.noise import unit_error
from dpstudio.privacy.mechanisms import additive, gaussian, l2norm, laplace
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.values.messages import render

DATA = Dataset(pd.DataFrame({"x": [1.0]}), "one row")


def run(**fields) -> Findings:
    found = parameters.Dimension(**fields).last(Context(DATA))
    return found


def state(**fields) -> dimension.DimensionModel:
    return dimension.dimension_model(parameters.Dimension(**fields), Context(DATA))


def own_sigma(epsilon: float, delta: float) -> float:
    """The exact Gaussian by an own root of Φ(a) − e^ε Φ(b) = δ."""

    def excess(sigma: float) -> float:
        return (
            special.ndtr(0.5 / sigma - epsilon * sigma)
            - math.exp(epsilon) * special.ndtr(-0.5 / sigma - epsilon * sigma)
            - delta
        )

    return optimize.brentq(excess, 1e-2, 1e4)


@pytest.mark.parametrize(
    ("delta", "textbook", "exact"), [(1e-4, 9.43, 5.07), (1e-5, 11.74, 6.96), (1e-6, 14.04, 8.92)]
)
def test_where_laplace_is_overtaken(delta: float, textbook: float, exact: float) -> None:
    """√2 k/ε = σ √k at k = σ²ε²/2: the numbers of the facts, and a whole curve of them."""
    found = run(delta=delta)
    rules = {layer.key: layer for layer in found.figure("error").layers}
    for other, expected, sigma in (
        ("textbook", textbook, math.sqrt(2 * math.log(1.25 / delta))),
        ("gaussian", exact, own_sigma(1, delta)),
    ):
        dot = rules[f"meet_laplace_{other}_0"]
        assert dot.x[0] == pytest.approx(expected, abs=5.1e-3)
        assert dot.x[0] == pytest.approx(sigma**2 / 2, rel=1e-8)
        # The dot is where both err alike: √2 k/ε for Laplace noise.
        assert dot.y[0] == pytest.approx(math.sqrt(2) * dot.x[0], rel=1e-8)
    # Against L2-norm noise, of variance k(k + 1)/ε², the same Gaussian needs σ² − 1 coordinates.
    assert rules["meet_gaussian_l2norm_0"].x[0] == pytest.approx(
        own_sigma(1, delta) ** 2 - 1, rel=1e-8
    )
    moving, still = (
        found.figure("crossing").layer(f"laplace_{other}") for other in ("gaussian", "textbook")
    )
    for epsilon, k in list(zip(moving.x, moving.y, strict=True))[30::9]:
        assert k == pytest.approx((own_sigma(epsilon, delta) * epsilon) ** 2 / 2, rel=3e-4)
    assert np.nanmax(still.y) == pytest.approx(np.nanmin(still.y), rel=1e-9)
    assert np.nanmax(moving.y) > 3 * np.nanmin(moving.y)


def test_errors_of_unit_noise_are_those_of_the_laws() -> None:
    """At whole k every measure is that of the catalogue's law; the curves between are the same
    formulas."""
    for k, confidence in itertools.product((1, 2, 3, 10, 200, 10_000), (0.5, 0.95, 0.999)):
        laws: dict[str, Law] = {
            "laplace": laplace.LaplaceLaw(1.0),
            "normal": gaussian.GaussianLaw(1.0),
            "ball": l2norm.L2Norm(epsilon=1).law(additive.Sensitivity(1, 1, 1, dims=k)),
        }
        for shape, law in laws.items():
            exact = {
                "deviation": math.sqrt(law.variance),
                "mean_abs": law.mean_abs,
                "largest": law.all_half_width(confidence, k),
            }
            for measure, expected in exact.items():
                assert float(
                    unit_error(shape, measure, np.array([float(k)]), confidence)[0]
                ) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("key", ["laplace", "gaussian", "l2norm"])
def test_measures_against_draws(key: str) -> None:
    """The length of the whole error and its largest coordinate, by simulation of whole vectors; k =
    7, 40,000 of them."""
    k, n = 7, 40_000
    model = state(k=k)
    noise = dimension.mechanism(model, key).noise(
        np.random.default_rng(5), dimension.sensitivity(model, k), n, k
    )
    length, worst = np.linalg.norm(noise, axis=1), np.abs(noise).max(axis=1)
    assert dimension.error(model, key, k, "length") == pytest.approx(
        length.mean(), abs=5 * length.std() / math.sqrt(n)
    )
    assert np.mean(worst <= dimension.error(model, key, k, "largest")) == pytest.approx(
        0.95, abs=5 * math.sqrt(0.95 * 0.05 / n)
    )
    assert dimension.error(model, key, k, "deviation") == pytest.approx(noise.std(), rel=0.03)


def test_length_of_laplace_noise_exactly() -> None:
    """k = 1: 1. k = 2: an integral over the circle. Many: √2k, less the half of what varies."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    angle = (nodes + 1) * math.pi / 4
    # ∫ r² e^−r(cos φ + sin φ) dr = 2/(cos φ + sin φ)³
    circle = 2 * (weights @ (np.cos(angle) + np.sin(angle)) ** -3) * math.pi / 4
    many = math.sqrt(20_000) * (1 - 0.625 / 10_000)  # √μ·(1 − σ²/8μ²), μ = 2k, σ² = 20k
    for k, mean, off in ((1.0, 1.0, 1e-9), (2.0, float(circle), 1e-9), (1e4, many, 1e-7)):
        found = float(unit_error("laplace", "length", np.array([k]), 0.5)[0])
        assert found == pytest.approx(mean, rel=off)


@pytest.mark.parametrize("measure", parameters.MEASURES)
@pytest.mark.parametrize("growth", parameters.GROWTHS)
def test_meetings_and_the_change_of_winner(growth: str, measure: str) -> None:
    """At a meeting errors are equal, on its sides they are ordered otherwise; the change named is
    the first one there is."""
    model = state(growth=growth, measure=measure, epsilon=0.7)
    for (one, other), ks in dimension.meetings(model).items():
        for at in ks:
            low, here, high = (
                dimension.error(model, one, k) / dimension.error(model, other, k)
                for k in (at * 0.999, at, at * 1.001)
            )
            assert here == pytest.approx(1, rel=1e-10)
            assert (low - 1) * (high - 1) < 0
    k = np.arange(1, 201)
    table = np.array([dimension.errors(model, key, k) for key in model.lab.drawn])
    for start in (1, 2, 5, 10, 50):
        model = state(growth=growth, measure=measure, epsilon=0.7, k=start)
        now = model.lab.drawn.index(dimension.best(model, start))
        beaten = np.flatnonzero(table[now, start:] > table[:, start:].min(axis=0) * (1 + 1e-9))
        changed = dimension.change(model)
        if len(beaten):
            assert changed is not None
            whole, winner, _ = changed
            assert (whole, winner) == (
                start + 1 + beaten[0],
                model.lab.drawn[int(np.argmin(table[:, whole - 1]))],
            )
        else:
            assert changed is None or changed[0] > 200


def test_pictures_of_two_coordinates() -> None:
    """One person's move ends on both balls."""
    for growth in parameters.GROWTHS:
        figure = run(growth=growth).figure("balls")
        assert figure.square
        move = figure.layer("move")
        x, y = move.x[1], move.y[1]
        assert abs(x) + abs(y) == pytest.approx(figure.layer("ball_l1").x[0])
        assert math.hypot(x, y) == pytest.approx(figure.layer("ball_l2").x[0])


def test_who_wins_and_what_is_said() -> None:
    """ε = 1, k = 10: L2-norm noise, √110, until the Gaussian takes over at 13; a broken promise
    wins nothing."""
    found = run()
    assert found.headline == ("winner", "change", "measured")
    told = "With k = 10 L2 norm noise errs least, by 10.5; Gaussian errs by 11.8."
    assert render(found.sentence("winner").say) == told
    assert render(found.sentence("change").say) == "From k = 13 on it is Gaussian (equal at 12.92)."
    assert "at k = 6.96: from k = 7 on Gaussian" in render(
        found.sentence("meeting_laplace_gaussian").say
    )
    assert found.fact("laplace").value == pytest.approx(math.sqrt(200))
    assert found.fact("l2norm").value == pytest.approx(math.sqrt(110))
    assert found.fact("meeting").value == pytest.approx(3.7306316**2 / 2, rel=1e-7)
    assert render(run(drawn="laplace,gaussian", k=6).sentence("winner").say).startswith(
        "With k = 6 Laplace noise errs least"
    )
    # At ε = 20 the textbook's noise is less than is allowed: least of all, and no winner.
    broken = run(epsilon=20, k=1000)
    assert broken.fact("textbook").value < broken.fact("gaussian").value
    assert broken.sentence("promise_textbook").tone == "bad"
    assert render(broken.sentence("winner").say).startswith("With k = 1,000 Gaussian")
    assert run(epsilon=20, drawn="textbook").sentence("winner").tone == "bad"
    same = run(k=1, drawn="laplace,l2norm")
    assert "err alike" in render(same.sentence("winner").say)
    assert render(same.sentence("promise").say) == "All that are drawn promise ε = 1 with δ = 0."
    assert "with δ = 10⁻⁵ only" in render(found.sentence("promise").say)


def test_little_effort_draws_less_and_says_the_same() -> None:
    little = parameters.Dimension().last(Context(DATA, effort=LITTLE))
    full = run()
    for part in ("facts", "sentences", "tables", "problems"):
        assert getattr(little, part) == getattr(full, part), part
    for key, layer in (("error", "laplace"), ("crossing", "laplace_gaussian")):
        few, many = (len(found.figure(key).layer(layer).x) for found in (little, full))
        assert few < many / 2, key


def test_table_holds_the_laws() -> None:
    """Every column against the law of the catalogue."""
    k = 10
    columns = dict(run(k=k).tables[0].columns)
    laws = [
        laplace.Laplace(epsilon=1).law(additive.Sensitivity(10, math.sqrt(10), 1)),
        gaussian.GaussianLaw(own_sigma(1, 1e-5) * math.sqrt(10)),
    ]
    for i, law in enumerate(laws):
        assert columns["deviation"][i].value == pytest.approx(math.sqrt(law.variance), rel=1e-9)
        assert columns["mean_abs"][i].value == pytest.approx(law.mean_abs, rel=1e-9)
        assert columns["largest"][i].value == pytest.approx(law.half_width(0.95**0.1), rel=1e-9)
    assert columns["scale"][3].value == pytest.approx(math.sqrt(10))
    assert columns["largest"][3].value == pytest.approx(
        l2norm.NormLaw(10, math.sqrt(10)).all_half_width(0.95, 10)
    )
    assert [render(cell) for cell in columns["guarantee"]] == [
        "(1, 0)",
        "(1, 10⁻⁵)",
        "(1, 10⁻⁵): unproven",
        "(1, 0)",
    ]


@pytest.mark.parametrize("measure", parameters.MEASURES)
def test_every_combination_runs(measure: str) -> None:
    """Finite axes, sentences without holes, JSON without NaN, at the ends of every slider."""
    states = [
        {"growth": growth, "k": k, "epsilon": epsilon, "delta": delta, "confidence": confidence}
        for growth in parameters.GROWTHS
        for k, epsilon, delta, confidence in (
            (1, 0.001, 1e-12, 0.5),
            (parameters.K_MOST, 50.0, 0.5, 0.999),
            (3, 9.0, 1e-5, 0.95),
        )
    ]
    states += [
        {"drawn": drawn, "k": 2}
        for drawn in ("laplace", "textbook", "gaussian,textbook", "laplace,l2norm")
    ]
    for fields in states:
        found = parameters.Dimension(measure=measure, **fields).last(Context(DATA, effort=LITTLE))
        assert [f.key for f in found.figures] == ["error", "balls", "crossing"]
        for figure in found.figures:
            assert all(math.isfinite(end) for axis in (figure.x, figure.y) for end in axis.range)
            assert all(axis.range[0] < axis.range[1] for axis in (figure.x, figure.y))
            assert len({layer.key for layer in figure.layers}) == len(figure.layers)
        assert (
            found.figure("error").layer("here").sets,
            found.figure("crossing").layer("here").sets,
        ) == ("k", "epsilon")
        json.dumps(findings_json(found), allow_nan=False)
        assert "{" not in "".join(render(s.say) for s in found.sentences)
        assert all(
            render(s.say).endswith(".") and ".." not in render(s.say) for s in found.sentences
        )


def test_of_what_is_the_same_for_one_number_none_errs_less_there() -> None:
    """L2-norm noise on one number is Laplace noise, of which it was said to err less."""
    found = run(drawn=("laplace", "l2norm"), k=1)
    assert found.fact("laplace").value == pytest.approx(found.fact("l2norm").value, rel=1e-12)
    assert "are the same at k = 1" in render(found.sentence("meeting_laplace_l2norm").say)


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 3.0, 40.0])
def test_one_flag_and_no_empty_decade(epsilon: float) -> None:
    """Only what the hand moves has a flag; the curves take the height but for a factor of 1.5 at
    both ends (up to ten, of whole decades)."""
    figure = run(epsilon=epsilon).figure("error")
    flags = [
        layer.key for layer in figure.layers if isinstance(layer, Rule | Handle) and layer.label
    ]
    assert flags == ["here"]
    curves = [layer.y for layer in figure.layers if isinstance(layer, Line)]
    low, high = figure.y.range
    assert low == pytest.approx(min(map(np.nanmin, curves)) / 1.5)
    assert high == pytest.approx(max(map(np.nanmax, curves)) * 1.5)
