"""Clipping: its decomposition against simulation, its bounds and sensitivities against brute force,
and what it hides."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from running import FEW_POINTS, little

from dpstudio.charts.figure import Handle, Rule
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.one_answer.clipping import model as clipping
from dpstudio.labs.one_answer.clipping.best import best_bound, errors_at_best
from dpstudio.labs.one_answer.clipping.choice import doubling, doubling_ends, equal_ends
from dpstudio.labs.one_answer.clipping.errors import Question, error_parts
from dpstudio.labs.one_answer.clipping.law import (
    asked_at,
    errors_here,
    law_at,
    law_here,
    law_parts,
    off,
)
from dpstudio.labs.one_answer.clipping.parameters import (
    CHOICES,
    GRIDS,
    MOVING,
    STATISTICS,
    Clipping,
)
from dpstudio.labs.one_answer.clipping.private import candidates, private_choice
from dpstudio.labs.question import CLIPPED
from dpstudio.privacy.mechanisms import MECHANISMS, Sensitivity
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES
from dpstudio.privacy.queries.grouped import Grouped
from dpstudio.privacy.queries.query import REPLACE
from dpstudio.privacy.queries.total import Mean, Sum, sum_sensitivity
from dpstudio.privacy.release.bound_choice import (
    exponential_chances,
    rank_sensitivity,
    search_chances,
)
from dpstudio.privacy.release.clipped_column import Ordered
from dpstudio.privacy.release.clipped_column import ordered as of_distinct
from dpstudio.privacy.release.noise_spread import noise_spread
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, domains, put


def lab(*settings: str) -> Clipping:
    made = Clipping()
    for setting in settings:
        name, _, value = setting.partition("=")
        made = put(made, name, value)
    return made


def state(made: Clipping, data: Dataset, level: str = clipping.FIRST) -> clipping.ClippingModel:
    return replace(clipping.clipping_model(made, Context(data)), level=level)


def run(made: Clipping, data: Dataset) -> Findings:
    """What it finds with all of its draws, on curves of few points."""
    return little(made, data, FEW_POINTS)


def on_screen(made: Clipping, data: Dataset) -> Findings:
    found = made.last(Context(data))
    return found


def table(values: Any, **more: Any) -> Dataset:
    return Dataset(pd.DataFrame({"x": values, **more}), "t", "t", "0" * 64)


def ordered(values: Any, powers: int) -> Ordered:
    return of_distinct(*np.unique(values, return_counts=True), powers)


RNG = np.random.default_rng(5)
SKEWED = np.round(np.exp(RNG.normal(2, 1.2, 60)), 1)


# The ordered column.


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1e9), (3.0, 20.0), (-5.0, 0.05), (7.4, 7.5), (500.0, 600.0)]
)
def test_ordered_column_answers_as_the_table(low: float, high: float) -> None:
    """Sums, shares and moments of the clipped column are those of the clipped values themselves, to
    rounding."""
    values = [*SKEWED, *SKEWED[:20], math.nan]
    data = table(values, g=["a", "b", "c"] * 27)
    made = lab("column=x", 'where=g != "b"', "statistic=variance")
    column = state(made, data).rows
    clips, plain = column.clip([low], [high]), data.clipped("x", low, high, made.where)
    kept = np.array(values)[np.array(["a", "b", "c"] * 27) != "b"]
    kept = kept[~np.isnan(kept)]
    c = np.clip(kept, low, high)
    assert (clips.rows, clips.below[0], clips.above[0]) == (plain.used, plain.below, plain.above)
    assert clips.total[0] == pytest.approx(plain.total, rel=1e-12)
    assert clips.variance[0] == pytest.approx(c.var(), rel=1e-9, abs=1e-12)
    assert clips.fourth[0] == pytest.approx(np.mean((c - c.mean()) ** 4), rel=1e-7, abs=1e-12)
    assert clips.lift[0] - clips.cut[0] == pytest.approx(c.sum() - kept.sum(), rel=1e-12, abs=1e-9)


def test_ordered_column_of_extreme_numbers() -> None:
    """Values near 10¹⁵ beside small ones: the small window keeps its digits."""
    values = np.concatenate([RNG.normal(0, 1, 5000), [1e15, -1e15, 9e14]])
    clips = ordered(values, 4).clip([-2.0], [2.0])
    c = np.clip(values, -2, 2)
    assert clips.mean[0] == pytest.approx(c.mean(), abs=1e-9)
    with np.errstate(all="raise"):
        assert np.isfinite(clips.fourth[0])


# The decomposition.


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_decomposition_by_simulation(statistic: str, adjacency: str) -> None:
    """Tables drawn from the rows, clipped, noised: the error about the unclipped statistic has the
    bias and the variance that are claimed. Tolerance: 5 standard errors, and 3 % for what the first
    order and 1/n leave out."""
    n, draws = len(SKEWED), 20_000
    low, high, epsilon = 1.0, 25.0, 40.0
    question = Question(statistic, adjacency, n)
    parts = error_parts(question, ordered(SKEWED, 4), Laplace(epsilon=epsilon), low, high, True)
    exact = {"sum": np.sum, "mean": np.mean, "variance": np.var}[statistic]
    rng = np.random.default_rng(11)
    c = np.clip(rng.choice(SKEWED, (draws, n)), low, high)
    # Written out anew: the release as a practitioner would code it.
    half = (high - low) / 2
    if statistic == "sum":
        published = c.sum(axis=1) + rng.laplace(0, 25 / epsilon, draws)
    elif statistic == "mean":
        published = (c.sum(axis=1) + rng.laplace(0, 25 * 2 / epsilon, draws)) / (
            n + rng.laplace(0, 2 / epsilon, draws)
        )
    else:
        d, m = c - 13.0, n + rng.laplace(0, 3 / epsilon, draws)
        first = d.sum(axis=1) + rng.laplace(
            0, (half if adjacency == ADD_REMOVE else 2 * half) * 3 / epsilon, draws
        )
        published = (np.sum(d**2, axis=1) + rng.laplace(0, half**2 * 3 / epsilon, draws)) / m - (
            first / m
        ) ** 2
    errors = published - exact(SKEWED)
    spread = errors.std() / math.sqrt(draws)
    # The sample variance itself falls short by 1/n of the variance.
    short = float(np.clip(SKEWED, low, high).var()) / n if statistic == "variance" else 0.0
    assert errors.mean() == pytest.approx(
        float(parts.bias) - short, abs=5 * spread + 0.01 * abs(float(parts.bias))
    )
    assert errors.var() == pytest.approx(float(parts.noise**2 + parts.sampling**2), rel=0.05)
    assert np.mean((errors + short) ** 2) == pytest.approx(float(parts.total) ** 2, rel=0.05)
    assert parts.total**2 == pytest.approx(
        parts.bias**2 + parts.noise**2 + parts.sampling**2, rel=1e-12
    )


def test_sampling_error_of_a_sum_under_a_condition() -> None:
    """Other tables have other rows that meet the condition, too."""
    groups = np.array(["a", "b", "b"] * 20)
    data = table(SKEWED, g=groups)
    model = state(lab("column=x", "statistic=sum", 'where=g = "a"', "low=0", "high=30"), data)
    rng = np.random.default_rng(3)
    pick = rng.integers(0, 60, (40_000, 60))
    sums = np.where(groups == "a", np.clip(SKEWED, 0, 30), 0)[pick].sum(axis=1)
    assert float(errors_here(model).sampling[0]) == pytest.approx(sums.std(), rel=0.02)


@pytest.mark.parametrize("statistic", ["mean", "variance"])
def test_public_n_is_one_exact_measurement(statistic: str) -> None:
    question = Question(statistic, REPLACE, 60, n_public=True)
    parts = error_parts(question, ordered(SKEWED, 4), Laplace(epsilon=2.0), 0.0, 25.0, False)
    delta = 25 / 60 if statistic == "mean" else 59 / 3600 * 625
    assert float(parts.noise) == pytest.approx(math.sqrt(2) * delta / 2, rel=1e-12)
    assert float(parts.sampling) == 0


@pytest.mark.parametrize("mechanism", [m.key for m in MECHANISMS])
@pytest.mark.parametrize("centred", ["yes", "no"])
def test_mean_is_that_of_the_exact_ratio(adult: Dataset, centred: str, mechanism: str) -> None:
    """Where the count is large the first order is the law of the ratio to the 10⁻³ of its tabulated
    variance."""
    made = lab(
        f"mechanism={mechanism}",
        f"centred={centred}",
        "column=age",
        "low=20",
        "high=60",
        "sampling=no",
    )
    model = state(made, adult)
    exact, first = float(law_here(model).total[0]), float(errors_here(model).total[0])
    assert exact == pytest.approx(first, rel=1e-3)
    clipped = adult.clipped("age", 20, 60, made.where)
    asked = asked_at(model, 20, 60)
    middle = 40 if centred == "yes" else 0
    assert asked.measurements[0].values[0] == clipped.total - middle * clipped.used
    assert (
        asked.measurements[0].sensitivity.l1
        == sum_sensitivity(20 - middle, 60 - middle, ADD_REMOVE).l1
    )
    assert asked.truth[0] == pytest.approx(clipped.total / clipped.used, rel=1e-12)


@pytest.mark.parametrize("statistic", ["mean", "variance"])
def test_exact_errors_by_simulation_where_the_count_is_noisy(statistic: str) -> None:
    """A few rows and a small ε: the dots still hold, clamping and the drift of the ratio
    included."""
    data = table(SKEWED[:12])
    made = lab(
        "column=x",
        f"statistic={statistic}",
        "low=0",
        "high=20",
        "mechanism.epsilon=1.5",
        "sampling=no",
        "trials=50000",
    )
    model = state(made, data)
    rng, size = np.random.default_rng(2), 400_000
    c = np.clip(SKEWED[:12], 0, 20)
    k = 2 if statistic == "mean" else 3
    n = np.maximum(12 + rng.laplace(0, k / 1.5, size), 1)
    if statistic == "mean":
        published = np.clip((c.sum() + rng.laplace(0, 20 * k / 1.5, size)) / n, 0, 20)
    else:
        d = c - 10
        second = (np.sum(d**2) + rng.laplace(0, 100 * k / 1.5, size)) / n
        published = np.clip(
            second - ((d.sum() + rng.laplace(0, 10 * k / 1.5, size)) / n) ** 2, 0, 100
        )
    unclipped = SKEWED[:12].mean() if statistic == "mean" else SKEWED[:12].var()
    assert float(law_here(model).total[0]) == pytest.approx(
        math.sqrt(np.mean((published - unclipped) ** 2)), rel=0.01
    )
    if statistic == "mean":
        assert Release(asked_at(model, 0, 20), made.mechanism).law.mean == pytest.approx(
            published.mean() - c.mean(), abs=0.05
        )
    assert off(model)
    assert run(made, data).fact("total").value == float(law_here(model).total[0])
    assert run(put(made, "mechanism.epsilon", 50), data).sentence("order").tone == "plain"


# Where first order fails.


SMALL = np.random.default_rng(1).integers(20, 81, 25).astype(float)


def released(statistic: str, high: float, epsilon: float, rng: Any, size: int = 400_000) -> Any:
    """Answers about SMALL clipped to [20, high], coded anew, add or remove one."""
    c = np.clip(SMALL, 20, high)
    if statistic == "mean":
        n = np.maximum(25 + rng.laplace(0, 2 / epsilon, size), 1)
        return np.clip((c.sum() + rng.laplace(0, 2 * high / epsilon, size)) / n, 20, high)
    half = (high - 20) / 2
    d, n = c - 20 - half, np.maximum(25 + rng.laplace(0, 3 / epsilon, size), 1)
    first = (d.sum() + rng.laplace(0, 3 * half / epsilon, size)) / n
    return np.clip(
        (np.sum(d**2) + rng.laplace(0, 3 * half**2 / epsilon, size)) / n - first**2, 0, half**2
    )


@pytest.mark.parametrize("statistic", ["mean", "variance"])
def test_small_table_is_told_by_the_law(statistic: str) -> None:
    """Strip, best bound, table and choice are those of simulated releases where n·ε is 2.5, and no
    dot is better than the best."""
    made, data = (
        lab(
            "column=x", f"statistic={statistic}", "low=20", "high=80", "sampling=no", "grid_low=30"
        ),
        table(SMALL),
    )
    context = Context(data, effort=FEW_POINTS)
    stages = [found.fact("total").value for found in made.run(context)]
    found, rng = run(made, data), np.random.default_rng(4)
    truth = SMALL.mean() if statistic == "mean" else SMALL.var()

    def error(high: float, epsilon: float = 0.1) -> float:
        return math.sqrt(np.mean((released(statistic, high, epsilon, rng) - truth) ** 2))

    first = float(errors_here(state(made, data)).total[0])
    assert first > 3 * stages[-1]
    assert (stages[0] == first) == (statistic == "variance")
    assert found.fact("total").value == pytest.approx(error(80), rel=0.01)
    dots, best = found.figure("error").layer("exact"), found.fact("best").value
    least = error(best)
    assert least <= dots.y.min() * 1.005
    assert [dots.y[i] for i in (0, 7, -1)] == pytest.approx(
        [error(dots.x[i]) for i in (0, 7, -1)], rel=0.01
    )
    line = found.figure("error").layer("total")
    assert set(dots.x) <= set(line.x)
    (grid, chances, errors) = (
        np.array(c) for _, c in next(t for t in found.tables if t.key == "candidates").columns
    )
    assert errors == pytest.approx([error(b, 0.08) for b in grid], rel=0.01)
    assert found.fact("private").note.values["error"].value == pytest.approx(
        math.sqrt(chances @ errors**2), rel=1e-9
    )
    shown = next(t for t in found.tables if t.key == "errors")
    totals = dict(shown.columns)["total"]
    assert [t.value for t in totals[:2]] == pytest.approx(
        [found.fact("total").value, least], rel=0.01
    )
    assert found.sentence("error").say.values["off"].values["error"].value == totals[0].value
    assert found.sentence("order").tone == "warn"


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_both_errors_are_said_unless_no_bound_is_better(adjacency: str) -> None:
    """That here and that at the best bound, the least of all on the axis."""
    data = table(SKEWED)
    seen = set[bool]()
    for high in (4, 9, 20, 40, 60, 90, 400):
        made = lab("column=x", "low=0", f"high={high}", f"adjacency={adjacency}")
        found = little(made, data)
        said = found.sentence("error").say
        here, line = found.fact("total").value, found.figure("error").layer("total")
        assert said.values["off"].values["error"].value == here
        better = float(np.min(line.y)) * 1.01 < here
        assert better == ("least" in said.values)
        if better:
            assert said.values["least"].value == pytest.approx(float(np.min(line.y)), rel=0.02)
            assert said.values["least"].value < here
        seen.add(better)
    assert True in seen


@pytest.mark.parametrize("epsilon", [0.001, 0.03])
@pytest.mark.parametrize("statistic", ["mean", "variance"])
def test_no_error_is_beyond_what_clamping_lets_through(statistic: str, epsilon: float) -> None:
    """At no ε, in no picture on the way, is the expected error after the choice wider than the
    widest bounds."""
    made = lab(
        "column=x",
        f"statistic={statistic}",
        f"mechanism.epsilon={epsilon}",
        "choose_epsilon=0.9",
        "trials=2000",
    )
    for found in made.run(Context(table(SMALL), effort=FEW_POINTS)):
        (grid, _, errors) = (
            np.array(c) for _, c in next(t for t in found.tables if t.key == "candidates").columns
        )
        width = grid - 20 if statistic == "mean" else np.maximum((grid - 20) ** 2 / 4, SMALL.var())
        assert np.all(errors <= np.maximum(width, SMALL.mean() - 20) * (1 + 1e-9))
        assert found.fact("private").note.values["error"].value <= max(
            width.max(), SMALL.mean() - 20
        )


@pytest.mark.parametrize("moving", MOVING)
def test_best_bound_of_the_law_by_brute_force(moving: str) -> None:
    """No bound of 300 is better by more than 0.2 %, the error of the quadrature's moments."""
    model = state(lab("column=x", f"moving={moving}"), table(SMALL), clipping.LAW)
    x = np.linspace(clipping.sweep(model)[0], clipping.sweep(model)[-1], 300)
    assert float(errors_at_best(model).total[0]) <= law_at(model, x).total.min() * 1.002
    assert errors_at_best(model).total[0] <= errors_here(model).total[0]


def test_many_candidates_are_interpolated() -> None:
    """The law at 25 of 301 candidates gives the mean square after the choice as all of them do."""
    made = lab("column=x", "grid=equal", "grid_low=20", "grid_high=140", "points=301")
    model = state(made, table(SMALL), clipping.LAW)
    rest = made.mechanism.at(0.08, made.mechanism.total_delta)
    high = candidates(model)
    each = law_parts(model, np.full_like(high, model.bounds.low), high, rest)
    assert private_choice(model).error == pytest.approx(
        math.sqrt(private_choice(model).chances @ each.total**2), rel=2e-3
    )


def test_cancelling_in_the_middle() -> None:
    """A run stops between two bounds and remembers no half of a curve; the next one does the
    whole."""
    data, made = table(SMALL), lab("column=x", "statistic=variance", "trials=1000")
    found: list[Findings] = []
    for one in made.run(data, lambda: bool(found)):
        found.append(one)
    assert len(found) == 1
    assert len(list(made.run(data))) == 3


# Sensitivities.


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("bounds", [(0, 3), (1, 3), (-2, 1), (-3, -1)])
@pytest.mark.parametrize(
    ("statistic", "centred"), [("sum", False), ("mean", False), ("mean", True), ("variance", False)]
)
def test_sensitivities_by_brute_force(
    statistic: str, centred: bool, bounds: tuple[int, int], adjacency: str
) -> None:
    """No neighbours of small tables (rows may fail the condition: None) differ by more, and some
    differ by as much."""
    low, high = bounds
    question = Question(statistic, adjacency, 3, centred=centred)
    middle = float(question.middle(low, high))
    cells = [None, low, (low + high) / 2, high]

    def measured(rows: tuple[float | None, ...]) -> list[float]:
        c = [r - middle for r in rows if r is not None]
        return {
            "sum": [sum(c)],
            "mean": [sum(c), len(c)],
            "variance": [sum(c), sum(v * v for v in c), len(c)],
        }[statistic]

    worst = np.zeros(len(measured((low,))))
    for rows in itertools.product(cells, repeat=2):
        others = [(*rows, v) for v in cells]
        near = (
            [(rows, o) for o in others]
            if adjacency == ADD_REMOVE
            else itertools.combinations(others, 2)
        )
        for one, two in near:
            worst = np.maximum(worst, np.abs(np.subtract(measured(one), measured(two))))
    assert [float(reach) for _, reach, _ in question.reaches(low, high)] == pytest.approx(
        list(worst)
    )


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_variance_sensitivity_by_brute_force(n: int) -> None:
    """(n − 1)/n² · (U − L)², reached."""
    cells = np.linspace(-1, 2, 4)
    worst = max(
        abs(np.var([*rest, a]) - np.var([*rest, b]))
        for rest in itertools.product(cells, repeat=n - 1)
        for a in cells
        for b in cells
    )
    ((_, reach, share),) = Question("variance", REPLACE, n, n_public=True).reaches(-1, 2)
    assert (float(reach), share) == (pytest.approx(worst), 1.0)


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda m: m.key)
def test_noise_by_sensitivity_is_that_of_each_law(kind: Any) -> None:
    reach = np.array([0.0, 1, 1, 2, 3, 7, 20, 21, 400, 5000, 100_000])
    got = noise_spread(kind(epsilon=0.7).share(0.5), reach)
    each = [
        kind(epsilon=0.7).share(0.5).law(Sensitivity(r, r, r)).variance if r else 0.0 for r in reach
    ]
    assert got == pytest.approx(np.array(each), rel=2e-6)


# The best bound.


@pytest.mark.parametrize("moving", MOVING)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_best_bound_by_brute_force(adult: Dataset, statistic: str, moving: str) -> None:
    """No bound of 20,000 on the axis is better by more than 10⁻⁵ of its error."""
    for column in ("capital-loss", "age"):
        model = state(
            lab(
                f"statistic={statistic}",
                f"moving={moving}",
                f"column={column}",
                "mechanism.epsilon=0.02",
            ),
            adult,
        )
        x = clipping.steps(model, *clipping.axis_range(model), 20_000)
        assert float(errors_at_best(model).total[0]) <= clipping.first_order(
            model, x
        ).total.min() * (1 + 1e-5)
        assert errors_at_best(model).total[0] <= errors_here(model).total[0]


def test_integer_noise_keeps_to_integer_bounds(adult: Dataset) -> None:
    made = lab("mechanism=geometric", "statistic=variance", "low=0", "high=2001")
    model = state(made, adult)
    assert np.all(clipping.ladder(model) == np.round(clipping.ladder(model)))
    assert best_bound(model) == round(best_bound(model))
    assert all(m.values[0] == round(m.values[0]) for m in asked_at(model, 0, 2001).measurements)
    for stopped in (
        lab("mechanism=geometric", "high=2000.5"),
        lab("mechanism=geometric", "n_public=yes", "adjacency=replace"),
    ):
        (problem,) = run(stopped, adult).problems
        assert problem.field == "mechanism"
        assert set(stopped.refused(adult)["mechanism"]) == {m.key for m in MECHANISMS if m.integers}


def test_no_choice_leads_to_a_part_of_the_least_error() -> None:
    """The choice is of the upper bound, the axis that of a lower one below a fixed upper."""
    data, chosen = table(SKEWED), ("column=x", "choose=exponential", "low=0", "sampling=no")
    for more, ends in (
        (("high=0.5", "moving=lower", "mechanism.epsilon=50"), "less than any bound on this axis"),
        (("high=50",), "times the least error"),
    ):
        made = lab(*chosen, *more)
        model = state(made, data)
        choice = private_choice(model)
        assert choice is not None
        better = choice.error < errors_at_best(model).total[0]
        assert better == ends.startswith("less")
        said = render(run(made, data).sentence("chosen").say)
        assert (ends + (";" if ";" in said else ".")) in said


def test_default_findings(adult: Dataset) -> None:
    """The mean loss: bounds at the largest value cost 1.41 times the least error; figures stand
    where the facts say."""
    found = on_screen(lab(), adult)
    assert [f.key for f in found.figures] == ["error", "clipped", "choice", "best"]
    assert found.headline[:2] == ("error", "warning")
    assert found.sentence("warning").tone == "warn"
    assert "not private" in render(found.sentence("warning").say)
    assert found.truth[0] == pytest.approx(87.30383, abs=1e-5)
    assert found.fact("total").value == pytest.approx(4.427, abs=1e-3)
    assert 2300 < found.fact("best").value < 2500
    error = found.figure("error")
    assert error.layer("here").sets == "high"
    assert list(error.layer("best").x) == [found.fact("best").value]
    # One flag, that of the hand, and no line beside the curves: a mark says where the best bound is.
    assert not [layer.key for layer in error.layers if isinstance(layer, Rule)]
    assert "2,4" in render(error.layer("best").label)
    total, noise, bias, sampling = (
        error.layer(k).y for k in ("total", "noise", "bias", "sampling")
    )
    assert total**2 == pytest.approx(np.nan_to_num(bias) ** 2 + noise**2 + sampling**2)
    dots = error.layer("exact")
    assert dots.y == pytest.approx(np.interp(dots.x, error.layer("total").x, total), rel=2e-3)
    assert found.figure("choice").layer("chances").heights.sum() == pytest.approx(100)
    assert found.figure("best").layer("here").y == found.fact("best").value
    ends = found.figure("best").layer("best").y
    assert ends[0] < ends[-1]
    assert all(f.exact for f in found.figures)
    assert all(t.exact for t in found.tables)
    # A hand-out has the notes of its charts, not what stands on the page.
    for settings, what in (
        ((), ("The bounds", "The grid")),
        (("low=0", "high=3000"), ("The grid",)),
        (("low=0", "high=3000", "choose=none"), ()),
        (("high=3000", "choose=none"), ("The bounds",)),
    ):
        for figure in run(lab(*settings), adult).figures:
            notes = tuple(map(render, figure.notes))
            assert notes == tuple(
                f"{it} {'come' if it[-1] == 's' else 'comes'} from the data: this choice is not "
                "private."
                for it in what
            )


def test_little_effort_draws_coarser_and_finds_the_same(adult: Dataset) -> None:
    """Fewer points and draws; what the facts say of a mean is no other."""
    whole, (*_, little) = on_screen(lab(), adult), lab().run(Context(adult, effort=LITTLE))
    assert [f.value for f in little.facts] == [f.value for f in whole.facts]
    for figure, key in (("error", "total"), ("best", "best")):
        assert len(little.figure(figure).layer(key).x) < len(whole.figure(figure).layer(key).x)
    drawn = lab("statistic=variance", "trials=1000000")
    assert state(drawn, adult).trials == 1_000_000
    assert clipping.clipping_model(drawn, Context(adult, effort=LITTLE)).trials == 100_000


# The private choice.


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("q", [0.3, 0.9])
@pytest.mark.parametrize("chances", [exponential_chances, search_chances])
def test_private_choice_keeps_its_epsilon(chances: Any, q: float, adjacency: str) -> None:
    """The exact chances of no two neighbours of small tables differ by more than e^ε; rows may fail
    the condition (None)."""
    grid, epsilon, delta = np.array([1.0, 2, 4, 8, 16]), 1.3, rank_sensitivity(q, adjacency)
    cells = [None, 0.5, 3.0, 7.0, 99.0]

    def law(rows: tuple[float | None, ...]) -> np.ndarray:
        x = np.array([r for r in rows if r is not None])
        return np.log(
            chances((x[:, None] <= grid).sum(axis=0).astype(float), q * len(x), epsilon, delta)
        )

    worst = 0.0
    for rows in itertools.combinations_with_replacement(cells, 3):
        others = [law((*rows, v)) for v in cells]
        near = (
            [(law(rows), o) for o in others]
            if adjacency == ADD_REMOVE
            else itertools.combinations(others, 2)
        )
        worst = max(worst, *(float(np.abs(a - b).max()) for a, b in near))
    assert 0.2 * epsilon < worst <= epsilon * (1 + 1e-12)


def test_search_chances_by_simulation() -> None:
    """The algorithm run step by step with fresh noise takes each candidate as often as its exact
    chance says."""
    ranks, target, epsilon, size = np.array([2.0, 9, 14, 15, 30, 31, 31]), 14.5, 1.0, 40_000
    rng = np.random.default_rng(8)
    low, high = np.zeros(size, dtype=int), np.full(size, 6)
    for _ in range(3):
        middle = (low + high) // 2
        down = ranks[middle] - target + rng.laplace(0, 3 * 0.9 / epsilon, size) >= 0
        open_ = low < high
        high, low = np.where(open_ & down, middle, high), np.where(open_ & ~down, middle + 1, low)
    exact = search_chances(ranks, target, epsilon, 0.9)
    assert np.all(low == high)
    assert exact.sum() == pytest.approx(1, abs=1e-12)
    assert np.bincount(low, minlength=7) / size == pytest.approx(
        exact, abs=5 * 0.5 / math.sqrt(size)
    )


@pytest.mark.parametrize("statistic", STATISTICS)
def test_error_after_the_choice(adult: Dataset, statistic: str) -> None:
    """It is the mean square over candidates of the error with the rest of ε."""
    model = state(lab(f"statistic={statistic}"), adult)
    chosen = private_choice(model)
    assert chosen is not None
    assert chosen.grid.tolist() == [128, 256, 512, 1024, 2048, 4096, 8192]
    assert chosen.epsilon == pytest.approx(0.02)
    squares = 0.0
    for chance, bound in zip(chosen.chances, chosen.grid, strict=True):
        other = state(
            lab(f"statistic={statistic}", "mechanism.epsilon=0.08", f"high={bound}"), adult
        )
        squares += chance * float(errors_here(other).total[0]) ** 2
    assert chosen.error == pytest.approx(math.sqrt(squares), rel=1e-9)
    assert doubling(1, 8).tolist() == [1, 2, 4, 8]


@pytest.mark.parametrize(
    ("low", "high", "typical", "ends"),
    [
        (4, 72, 18, (8, 128)),
        (0, 4356, 1887, (128, 8192)),
        (0, 1e12, 50_000, (2.0**15, 2.0**40)),
        (0, 0.9, 0.2, (1 / 64, 1)),
        (1, 3, 2, (2, 4)),
        (0, 1e15, 1e-9, (2.0**10, 2.0**50)),
        (-3, 64, 5, (1, 64)),
    ],
)
def test_doubling_grid_suits_a_column(
    low: float, high: float, typical: float, ends: tuple[float, float]
) -> None:
    assert doubling_ends(low, high, typical) == ends


@pytest.mark.parametrize("points", [2, 33, 1000])
@pytest.mark.parametrize(
    "ends", [(1, 3), (-1, 0), (1990, 2010), (-1e15, 1e15), (0.001, 0.002), (5, 1e12)]
)
def test_equal_grid_holds_the_column(ends: tuple[float, float], points: int) -> None:
    low, high = ends
    start, end, count = equal_ends(low, high, points)
    step = (end - start) / (count - 1)
    assert start <= low + 1e-9 * step
    assert high <= end + 1e-9 * step
    assert count <= points
    assert round(step / 10 ** math.floor(math.log10(step * 1.0001)), 6) in (1, 2, 5)


@pytest.mark.parametrize(
    "values",
    [
        [4, 6, 48, 72] * 50,
        [1, 2, 3] * 50,
        list(range(1990, 2011)) * 9,
        [-5.0, -4.0, -1.0] * 9,
        [3e4, 5e4, 9e4, 1e12] * 20,
        [0.1, 0.7] * 9,
    ],
    ids=str,
)
def test_grid_follows_the_column(values: list[float]) -> None:
    """Left empty, the grid has candidates that clip and one that clips nothing, and says that it
    comes from the data."""
    data = table(values)
    made = lab().suited(data)
    model = state(made, data)
    assert candidates(model)[0] < max(values) <= candidates(model)[-1] + 1e-9
    assert made.suited(data) == made
    found = run(made, data)
    assert found.fact("private").label.text == "Chosen with noise"
    told = [render(p.say) for p in found.problems if p.field == "grid_low"]
    assert told == ["The grid comes from the data: this choice is not private."]
    assert "missed" not in found.headline


def test_public_grid_says_so_and_when_it_misses() -> None:
    """Typed and attested it is private; beside the column a sentence says so; a new column forgets
    it."""
    data = table([4.0, 6, 48, 72] * 50)
    for ends, word in (
        (("grid_low=256", "grid_high=16384"), "above"),
        (("grid_low=1", "grid_high=2"), "below"),
        (("grid_low=8",), ""),
    ):
        found = run(lab("column=x", "low=0", *ends, *(("attested=yes",) if word else ())), data)
        assert (found.fact("private").label.text == "Chosen privately") == bool(word)
        assert any(p.field == "grid_low" for p in found.problems) != bool(word)
        assert ("missed" in found.headline) == bool(word)
        assert not word or word in render(found.sentence("missed").say)
    moved = lab("grid_low=256", "grid_high=16384", "attested=yes").suited(data)
    assert (moved.grid_low, moved.grid_high, moved.attested) == (None, None, False)


# What it hides, refuses and costs.


@pytest.mark.parametrize("statistic", STATISTICS)
def test_hidden_noise_is_named(adult: Dataset, statistic: str) -> None:
    """Without the exact answer the noise is that of each measurement, and says of which."""
    found = run(lab(f"statistic={statistic}", "show_truth=no", "low=0", "high=1000"), adult)
    labels = [render(f.label) for f in found.facts]
    parts = {"sum": ["sum"], "mean": ["sum", "count"], "variance": ["sum", "squares", "count"]}[
        statistic
    ]
    assert labels == [f"Noise of the {part}" for part in parts]
    reach, shares = {"sum": 1000, "mean": 1000, "variance": 500}[statistic], len(parts)
    assert found.fact("noise").value == pytest.approx(math.sqrt(2) * reach * shares / 0.1)
    assert found.facts[-1].value == pytest.approx(
        math.sqrt(2) * (1 if shares > 1 else 1000) * shares / 0.1
    )
    prefixed = [
        render(s.say).split(":")[0] for s in found.sentences if s.key.startswith("sensitivity")
    ]
    assert len(prefixed) == shares
    assert shares == 1 or prefixed == [p.capitalize() for p in parts]


def test_upright_titles_are_short(adult: Dataset) -> None:
    for more in ((), ("show_truth=no", "statistic=variance"), ("moving=both",)):
        for figure in run(lab(*more), adult).figures:
            assert len(render(figure.y.label)) <= 18


def test_ordered_column_of_the_table(adult: Dataset) -> None:
    held = table([3.0, math.nan, 1.0, 3.0], g=["a", "a", "b", "a"]).ordered(
        "x", lab('where=g = "a"').where
    )
    assert (held.values.tolist(), held.counts.tolist()) == ([3.0], [2])
    assert adult.ordered("age", lab().where).counts.sum() == adult.rows


@pytest.mark.parametrize("statistic", STATISTICS)
def test_hidden_findings_do_not_depend_on_the_table(statistic: str) -> None:
    """Two tables with nothing in common give the same findings to the last bit."""
    for more in (
        (),
        ("moving=lower",),
        ("moving=both",),
        ("low=1", "high=30", "mechanism=gaussian"),
    ):
        made = lab("show_truth=no", "column=x", f"statistic={statistic}", *more)
        one, other = (
            json.dumps(findings_json(run(made, d)))
            for d in (table(SKEWED), table([-3.5, 1e6, 0.0]))
        )
        assert one == other
        assert '"exact": true' not in one
        assert json.loads(one)["figures"]


@pytest.mark.parametrize("mechanism", [m.key for m in MECHANISMS])
@pytest.mark.parametrize("statistic", STATISTICS)
def test_every_combination_runs(statistic: str, mechanism: str) -> None:
    """Finite axes, handles inside them, no holes in sentences, no NaN in JSON."""
    data = table(np.round(SKEWED))
    data = Dataset(data._frame.astype("int64"), "t")
    turns = (
        (
            "moving=both",
            "choose=noisy",
            "grid=equal",
            "grid_low=0",
            "grid_high=300",
            "adjacency=replace",
        ),
        ("moving=lower", "choose=none", "mechanism.epsilon=50", "sampling=no"),
        ("mechanism.epsilon=0.001", "centred=yes", "grid_low=1"),
    )
    # Each statistic meets each turn, and so does nearly each mechanism: all of them together take a
    # minute.
    turn = [*STATISTICS].index(statistic) + [m.key for m in MECHANISMS].index(mechanism)
    for more in (turns[turn % len(turns)],):
        found = little(
            lab(
                "column=x", f"statistic={statistic}", f"mechanism={mechanism}", "trials=1000", *more
            ),
            data,
        )
        assert len(found.figures) == (3 if "choose=none" in more else 4), [
            render(p.say) for p in found.problems
        ]
        json.dumps(findings_json(found), allow_nan=False)
        for figure in found.figures:
            for axis in (figure.x, figure.y):
                assert all(math.isfinite(end) for end in axis.range)
                assert axis.range[0] < axis.range[1]
                assert not axis.log or axis.range[0] > 0
            for handle in (layer for layer in figure.layers if isinstance(layer, Handle)):
                assert figure.x.range[0] <= handle.x <= figure.x.range[1]
                assert figure.y.range[0] <= handle.y <= figure.y.range[1] * (1 + 1e-9)
                assert put(lab(), handle.sets, handle.x) is not None
        for sentence in found.sentences:
            text = render(sentence.say)
            assert text.endswith(".")
            assert "{" not in text
            assert "nan" not in text


@pytest.mark.parametrize(
    "values",
    [
        [1.0],
        [0.5] * 7,
        [1e15, -1e15],
        [1e6 + 0.5] * 3,
        [1e-12, 2e-12],
        [0.0, 0.0],
        [3, 3, 3],
        [-5.0, -4.0, -1.0],
    ],
    ids=str,
)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_odd_columns_run(values: list[float], statistic: str) -> None:
    moving = [*MOVING][(len(values) + [*STATISTICS].index(statistic)) % len(MOVING)]
    found = little(
        lab("column=x", f"statistic={statistic}", f"moving={moving}", "trials=1000"), table(values)
    )
    json.dumps(findings_json(found), allow_nan=False)
    assert found.figures or any(p.stops for p in found.problems)


@pytest.mark.parametrize(
    ("values", "settings", "field"),
    [
        (["a", "b"], (), "column"),
        (["a", "b"], ("column=gone",), "column"),
        ([math.nan, math.nan], (), "column"),
        ([math.inf, 1.0], (), "column"),
        ([], (), "data"),
        ([1.0, 2.0], ("where=x > 7",), "where"),
        ([1.0, 2.0], ("where=z > 7",), "where"),
        ([1.0, 2.0], ("n_public=yes",), "n_public"),
        ([1.0, math.nan], ("n_public=yes", "adjacency=replace"), "n_public"),
        ([1.0, 2.0], ("n_public=yes", "adjacency=replace", "where=x > 0"), "n_public"),
        ([1.0, 2.0], ("mechanism=geometric",), "mechanism"),
        ([5.0, 9.0], ("moving=both", "high=2"), "high"),
    ],
)
def test_bad_tables_are_sentences(values: list[Any], settings: tuple[str, ...], field: str) -> None:
    found = little(lab("column=x", *settings), table(values))
    assert not found.figures
    (problem,) = found.problems
    assert (problem.field, problem.stops) == (field, True)
    assert render(problem.say).endswith(".")


@pytest.mark.parametrize(("name", "value"), list(Clipping.invalid_examples()), ids=str)
def test_bad_values_are_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(ParamError) as caught:
        Clipping(**{name: value})
    assert caught.value.field == name


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        (("low=5", "high=5"), "high"),
        (("grid_low=2", "grid_high=1"), "grid_high"),
        (("grid_high=-1",), "grid_high"),
        (("grid_low=0",), "grid_low"),
        (("moving=both", "centre=3", "high=3"), "high"),
    ],
)
def test_bad_pairs_are_refused(settings: tuple[str, ...], field: str) -> None:
    with pytest.raises(ParamError) as caught:
        lab(*settings)
    assert caught.value.field == field


def test_sliders_do_not_touch_the_table(adult: Dataset, touched: list[str]) -> None:
    data = Dataset(adult._table, "fresh")
    made = lab("where=age > 30", "statistic=sum")
    run(made, data)
    assert touched
    touched.clear()
    for setting in (
        "mechanism.epsilon=0.3",
        "high=1000",
        "low=-5",
        "moving=both",
        "centre=10",
        "q=0.5",
        "grid_high=1e4",
        "choose=noisy",
        "seed=4",
        "statistic=mean",
        "adjacency=replace",
        "sampling=no",
        "mechanism=gaussian",
    ):
        run(put(made, *setting.split("=")), data)
    assert touched == []


def test_suited_finds_a_column_and_a_law() -> None:
    made = lab("low=1", "high=5", "mechanism=geometric", 'where=sex = "Male"').suited(
        table([0.5, 1.5])
    )
    assert (made.column, made.low, made.high, made.mechanism.key, bool(made.where)) == (
        "x",
        None,
        None,
        "laplace",
        False,
    )
    assert run(made.with_(grid_low=0.25, grid_high=4.0), table([0.5, 1.5])).figures
    (problem,) = run(lab().suited(table(["a", "b"])), table(["a", "b"])).problems
    assert "no column of numbers" in render(problem.say)


def test_cancelling_stops(adult: Dataset) -> None:
    assert list(lab().run(adult, lambda: True)) == []


def test_fields_are_labelled() -> None:
    for name, domain in domains(Clipping).items():
        assert domain.label, name
        assert name == "mechanism" or domain.help.endswith("."), name
    assert set(CHOICES) == {"none", "exponential", "noisy"}
    assert set(GRIDS) == {"doubling", "equal"}


def test_how_far_a_person_moves_the_sum_counts_all_rows_and_rounds_up() -> None:
    """A bound of 12.3456 said "up to 12.35" for "near", and one row's worth where up to 3 count."""
    data = table(SKEWED, who=[str(i // 4) for i in range(60)])
    made = lab("column=x", "statistic=sum", "moving=lower", "low=1", "high=12.3412", "choose=none")
    for most, said in ((1, "12.35"), (3, "37.03")):
        by_person = data.described(replace(data.codebook, person="who", most=most))
        found = little(made, by_person if most > 1 else data)
        assert f"by up to {said}." in render(found.sentence("lower").say)


def test_another_lab_takes_over_its_question_but_attests_nothing() -> None:
    """What is known from outside there is the grid, not the bounds."""
    mine = Clipping(statistic="sum", column="age", low=0.0, high=70.0, attested=True, n_public=True)
    taken = lab_kind("explore")().taking(mine)
    assert taken is not None
    assert taken.query == Sum(column="age", low=0.0, high=70.0)
    both = lab_kind("explore")().taking(mine.with_(moving="both", centre=30.0))
    assert both is not None
    assert (both.query.low, both.query.high) == (-10.0, 70.0)
    assert lab_kind("explore")().taking(lab_kind("printed")()) is None


def test_bounds_go_from_explore_to_clipping_and_back_by_group() -> None:
    """The column, the rows and the budget go along; what is asked by group stays by group; and the
    button stands where there is something to take alone."""
    assert tuple(STATISTICS) == CLIPPED
    shops = Grouped(statistic="sum", column="hours-per-week", by="sex", high=80.0, attested=True)
    for query, statistic in ((shops, "sum"), (Mean(column="age", n_public=True), "mean")):
        asking = lab_kind("explore")(query=query, mechanism=Laplace(epsilon=0.7))
        taken = Clipping(column="x", grid_low=1.0, attested=True, moving="both").taking(asking)
        assert asking.clipped
        assert taken is not None
        assert (taken.statistic, taken.column, taken.high) == (statistic, query.column, query.high)
        assert (taken.mechanism, taken.n_public) == (asking.mechanism, statistic == "mean")
        assert (taken.grid_low, taken.attested, taken.moving) == (None, False, "upper")
        back = asking.taking(taken.with_(low=0.0, high=60.0))
        assert back is not None
        assert back.query == query.with_(low=0.0, high=60.0, attested=False)
    other = lab_kind("explore")(query=shops.with_(statistic="count"))
    assert not other.clipped
    assert Clipping().taking(other) is None
