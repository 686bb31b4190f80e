"""Explore: its numbers and figures, what it hides, what it refuses, and that sliders do not touch
the table."""

import itertools
import json
import math
import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
import pytest
from crossed import CROSS, check_sound, explored, meetings
from running import lab_of, little
from scipy.optimize import linprog

from dpstudio.charts.inks import OUTSIDE
from dpstudio.charts.stacked import stacked
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.export import metadata, provenance
from dpstudio.files.write.jsonout import findings_json
from dpstudio.files.write.marks import Plot
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import figure_svg
from dpstudio.labs.answer_model import AnswerModel, error, error_at, part_law
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.one_answer.explore import page as explore_page
from dpstudio.labs.one_answer.explore.costs import right_of_100
from dpstudio.labs.one_answer.explore.model import epsilon_needed, explore_model, target
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.shared_parameters import MEASURES
from dpstudio.privacy.accounting import (
    EXPLORED,
    GaussianDP,
    Ledger,
    Numeric,
    Optimal,
    Renyi,
    Sequential,
    Spend,
)
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma
from dpstudio.privacy.queries import QUERIES
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, put


def lab(*settings: str) -> Explore:
    """The default state with settings made one after another. Its condition, age > 50, survives
    another question."""
    made = Explore()
    for setting in settings:
        name, _, value = setting.partition("=")
        made = put(made, name, value)
    return made


def run(made: Explore, data: Dataset) -> Findings:
    """What it finds with little effort."""
    return little(made, data)


def on_screen(made: Explore, data: Dataset) -> Findings:
    found = made.last(Context(data))
    return found


def answer(made: Explore, data: Dataset) -> AnswerModel:
    return explore_model(made, Context(data)).answer


def numbers(value: Any) -> Iterator[float]:
    """Every number anywhere in JSON."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        yield float(value)
    elif isinstance(value, dict):
        for part in value.values():
            yield from numbers(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from numbers(part)


# What it finds.


@pytest.mark.parametrize("key", ["explore", "compare"])
def test_under_a_hand_few_answers_stand_for_a_law_without_a_formula(key: str, adult: Dataset):
    for query, formula in (("count", True), ("variance", False)):
        lab, _ = lab_of([key, f"query={query}"])
        ahead, found = islice(lab.suited(adult).run(Context(adult, hero_first=True)), 2)
        (hero,) = ahead.figures
        assert (hero.key in ahead.coarse) != formula
        (whole,) = (figure for figure in found.figures if figure.key == hero.key)
        # A simulated law of 12,000 answers beside that of 60,000.
        assert hero.x.range == pytest.approx(whole.x.range, rel=1e-9 if formula else 0.1)


def test_what_lies_a_little_below_0_is_seen(adult: Dataset) -> None:
    """Whiskers of a group of a few were cut at 0 where they reach under a part of the largest."""
    made = lab("query=grouped", "query.where=", "query.statistic=count", "mechanism.epsilon=0.02")
    figure = run(made, adult).figures[0]
    low = figure.layer("answer").low.min()
    assert figure.y.range[0] <= low < 0


def test_a_typed_word_that_no_row_has_is_said(adult: Dataset) -> None:
    """As by a slip; not where the exact answer is hidden, of which that tells."""
    asked = "query=grouped", "query.statistic=count", "query.by=sex", "query.where=age > 50"
    for words, shown in (("Male | zzz | Femal", "“zzz”, “Femal”"), ("Male | Female", "")):
        made = lab(*asked, f"query.groups={words}")
        told = [p for p in run(made, adult).problems if p.field == "query.groups"]
        said = f"No row of “sex” has {shown}: of that only noise is published."
        assert [render(p.say) for p in told] == ([said] if shown else [])
        mean = run(put(made, "query.statistic", "mean"), adult).problems
        assert any("a mean of none is no number" in render(p.say) for p in mean) == bool(shown)
        quiet = run(made.with_(show_truth=False), adult).problems
        assert not any(p.field == "query.groups" for p in quiet)
    made = lab("query=grouped", "query.by=sex", "query.where=age > 200")
    told = [render(p.say) for p in run(made, adult).problems if p.field == "query.groups"]
    assert told[0].startswith("No row that counts has “Female”, “Male”: a mean of none")


def test_a_mean_of_no_row_has_no_exact_answer(adult: Dataset) -> None:
    """It was told to be 17, the lowest age, beside a warning; and ±29.5 to be 173 % of it."""
    made = lab("query=grouped", "query.column=age", "query.by=sex", "query.where=age > 200")
    found = run(made, adult)
    (truth,) = (fact for fact in found.facts if fact.key == "truth")
    assert (render(truth.text), render(truth.note)) == ("none", "of no row; 17 stands for it")
    said = {each.key: render(each.say) for each in found.sentences}
    assert said["answer"].startswith("No row counts for “Female”, so that no exact answer is there")
    assert "exact" not in said["interval"]
    assert "%" not in "".join(
        render(f.note) for f in found.facts if f.key in ("typical", "interval")
    )


def test_default_findings(adult: Dataset) -> None:
    """6,460 over 50; ±30; ε 0.0464 for 1 %; 100 such answers cost 4.221."""
    found = on_screen(lab(), adult)
    assert found.truth.tolist() == [6460]
    assert found.fact("truth").value == 6460
    assert render(found.fact("truth").text) == "6,460"
    assert render(found.fact("typical").text) == "±10"
    assert found.fact("interval").value == pytest.approx(
        (6460 - 10 * math.log(20), 6460 + 10 * math.log(20))
    )
    assert render(found.fact("cost").text) == "ε = 4.221"
    assert found.fact("cost").value == pytest.approx(4.2204, abs=2e-4)
    # Laplace: ln(20)/ε ≤ 64.6 from ε = 0.046373565 on, shown rounded up.
    needed = found.sentence("needed")
    assert "0.0464" in render(needed.say)
    assert needed.tone == "good"
    assert needed.say.values["epsilon"].value == pytest.approx(math.log(20) / 64.6, rel=1e-8)
    crossing = found.sentence("crossover").say
    assert (crossing.values["drv"], crossing.values["tanh"]) == (29, 26)
    assert "at most 52.50" in render(found.sentence("odds").say)
    assert not found.problems


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("epsilon", [0.5, 20.0])
def test_what_stands_first_says_where_the_promise_is_broken(
    mechanism: type[Any], epsilon: float, adult: Dataset
) -> None:
    """A room that sees ε and ± alone was told nothing of it."""
    made = lab(f"mechanism={mechanism.key}", f"mechanism.epsilon={epsilon}")
    found, promise = run(made, adult), answer(made, adult).release.guarantee
    first = found.sentence(found.headline[0])
    said = "The promise is broken." in render(first.say)
    assert said == (first.tone == "bad") == promise.violated
    assert said == (mechanism.key == "textbook" and epsilon == 20)


@pytest.mark.parametrize("other", ["gaussian", "discrete_gaussian"])
def test_axes_of_the_first_picture_hold_when_another_law_comes(
    adult: Dataset, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    """One that waits for a library, or that cannot answer a mean and never comes."""
    monkeypatch.setattr(explore_page, "waits_for_library", lambda *_: True)
    for query in ("count", "mean"):
        lab, _ = lab_of(["explore", f"query={query}", f"compare_with={other}"])
        early, found = islice(lab.suited(adult).run(Context(adult, effort=LITTLE)), 2)
        assert len(early.figures[0].layers) < len(found.figures[0].layers) or query == "mean"
        for before, after in zip(early.figures, found.figures, strict=True):
            assert (before.x.range, before.y.range) == (after.x.range, after.y.range)


def test_error_figure(adult: Dataset) -> None:
    """The histogram lies under the exact density and the curve is that density."""
    figure = on_screen(lab("trials=1000000"), adult).figure("error")
    law, draws = figure.layer("law"), figure.layer("draws")
    assert law.y == pytest.approx(0.05 * np.exp(-0.1 * np.abs(law.x)), rel=1e-12)
    share = draws.heights * np.diff(draws.edges)
    exact = np.diff(
        [0.5 * math.exp(0.1 * e) if e < 0 else 1 - 0.5 * math.exp(-0.1 * e) for e in draws.edges]
    )
    assert np.max(np.abs(share - exact) / np.sqrt(exact / 1e6)) < 5
    band = figure.layer("interval")
    assert (band.low, band.high) == pytest.approx((-10 * math.log(20), 10 * math.log(20)))
    geometric = on_screen(
        lab("mechanism=geometric", "mechanism.epsilon=0.5", "compare_with=none"), adult
    ).figure("error")
    curve, bars = geometric.layer("law"), geometric.layer("draws")
    assert curve.y == pytest.approx(
        math.tanh(0.25) * np.exp(-0.5 * np.abs(np.round(curve.x, 0))), abs=0.13
    )
    inside = [
        math.tanh(0.25) * math.exp(-0.5 * abs(k)) for k in (bars.edges[1:] + bars.edges[:-1]) / 2
    ]
    assert bars.heights == pytest.approx(np.array(inside), abs=5 * 0.5 / math.sqrt(1e5))


@pytest.mark.parametrize("mechanism", [m.key for m in MECHANISMS])
@pytest.mark.parametrize("epsilon", [0.02, 0.1, 5.0])
@pytest.mark.parametrize("size", [(784, 320), (1660, 560), (430, 170), (120, 300)])
def test_dots_stand_at_quantiles_in_square_cells(
    adult: Dataset, mechanism: str, epsilon: float, size: tuple[float, float]
) -> None:
    """Dot i is in the cell that holds the quantile (i − ½)/n, or, of a law of whole numbers, one of
    its step; cells are as wide as high, columns have no gaps, and all together they have the area
    under the law (24 x 15 px before, whatever the window)."""
    made = lab(f"mechanism={mechanism}", "dots=40", f"mechanism.epsilon={epsilon}")
    figure = run(made, adult).figure("published")
    dots, law = figure.layer("dots"), part_law(answer(made, adult))
    quantiles = 6460 + law.quantile((np.arange(40) + 0.5) / 40)
    assert np.abs(dots.x - quantiles).max() <= (0.5 + 1e-9 if law.discrete else 1e-9)
    width, height = size
    plot = Plot(0.0, 0.0, width, height)
    across, down = partial(plot.x, figure), partial(plot.y, figure)
    at, side = stacked(dots, across, down)
    middle, floor = across(np.array([6460.0]))[0], down(np.zeros(1))[0]
    assert np.abs(at[:, 0] - across(dots.x)).max() <= side / 2 + 1e-6
    cells = (at - [middle, floor]) / side - 0.5  # upwards −1 and less
    assert np.abs(cells - np.rint(cells)).max() < 1e-6
    for column in np.unique(np.rint(cells[:, 0])):
        levels = -np.rint(cells[np.rint(cells[:, 0]) == column, 1])
        assert sorted(levels) == [*range(1, len(levels) + 1)]
    assert at[:, 1].min() >= side / 2 - 1e-6 or side == 2.0
    x, y = figure.layer("law_0").x, figure.layer("law_0").y
    units = (across(np.array([6461.0]))[0] - middle) * (floor - down(np.ones(1))[0])
    under = np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2) * units
    if side > 2.0 and at[:, 1].min() > side:  # no column was too high
        assert 40 * side**2 >= 0.97 * under


def test_paper_has_the_dots_of_the_screen(adult: Dataset) -> None:
    figure = run(lab("mechanism.epsilon=0.1"), adult).figure("published")
    drawn = figure_svg(figure, palette(False))
    ink = palette(False)["laplace"]
    found = re.findall(rf'<circle cx="([^"]*)" cy="([^"]*)" r="([^"]*)" fill="{ink}"', drawn)
    at = np.array(found, dtype=np.float64)
    assert len(at) == 50
    across, up = (np.diff(np.unique(at[:, k].round(1))).min() for k in (0, 1))
    assert across == pytest.approx(up, abs=0.11)
    assert 2 * at[0, 2] == pytest.approx(0.92 * up, abs=0.11)


def test_brackets_end_in_caps_or_point_beyond_the_axis(adult: Dataset) -> None:
    """±60.3 of an axis of ±60 had neither, and is seen now; the ends go with the bracket that a
    person hides."""
    figure = run(lab("mechanism.epsilon=0.1", "dots=20"), adult).figure("published")
    low, high = figure.x.range
    assert low < figure.layer("within_1").x[0] < figure.layer("within_1").x[1] < high
    other = "compare_with=textbook"
    figure = run(lab("mechanism.epsilon=0.1", "dots=20", other), adult).figure("published")
    capped, pointed = (figure.layer(f"within_{k}/ends") for k in (0, 1))
    first, second = (figure.layer(f"within_{k}") for k in (0, 1))
    assert np.unique(capped.x[~np.isnan(capped.x)]).tolist() == first.x.tolist()
    assert second.x[0] < low < high < second.x[1]
    assert (np.nanmin(pointed.x), np.nanmax(pointed.x)) == (low, high)
    assert len(np.unique(pointed.x[~np.isnan(pointed.x)])) == 4
    keys = [layer.key for layer in figure.without(frozenset(["within_1"])).layers]
    assert [key for key in keys if key.startswith("within")] == ["within_0", "within_0/ends"]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("mechanism", [m.key for m in MECHANISMS])
def test_tradeoff_figure(adult: Dataset, mechanism: str, measure: str) -> None:
    """The error curve is the exact error of the law at each ε, and the handle stands on it."""
    made = lab(f"mechanism={mechanism}", f"measure={measure}", "compare_with=none")
    figure = run(made, adult).figure("tradeoff")
    line, handle = figure.layer("trade"), figure.layer("here")
    model = answer(made, adult)
    sensitivity = model.asked.measurements[0].sensitivity
    for x, y in zip(line.x[::2], line.y[::2], strict=True):
        law = made.mechanism.at(float(x), made.mechanism.total_delta).law(sensitivity)
        exact = {
            "half_width": law.half_width(0.95),
            "mean_abs": law.mean_abs,
            "rmse": math.sqrt(law.variance),
        }[measure]
        assert y == pytest.approx(exact, rel=1e-12)
    assert handle.sets == "mechanism.epsilon"
    assert handle.x == made.mechanism.epsilon
    assert handle.y == pytest.approx(error(model))
    low, high = figure.y.range
    assert 0 < low <= handle.y <= high


@pytest.mark.parametrize("epsilon", [0.001, 0.013, 0.1, 0.5, 1.0, 1.7, 5.0, 50.0])
@pytest.mark.parametrize("delta_prime", [1e-12, 1e-5, 0.1])
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_cost_figure(adult: Dataset, epsilon: float, delta_prime: float, mechanism: str) -> None:
    """Each layer is its accountant's total, and no bound is drawn solid where plain addition is
    below it."""
    made = lab(
        f"mechanism={mechanism}",
        f"mechanism.epsilon={epsilon}",
        f"delta_prime={delta_prime}",
        "answers=700",
    )
    found = run(made, adult)
    figure, delta = found.figure("cost"), made.mechanism.total_delta
    costs = []
    for kind in EXPLORED:
        accountant = kind(delta_prime=delta_prime)
        if accountant.undrawn(epsilon, delta):
            continue
        costs.append(float(accountant.total(700.0, epsilon, delta)))
        for key in (kind.key, kind.key + "_worse"):
            for line in (layer for layer in figure.layers if layer.key == key):
                drawn = np.isfinite(line.y)
                assert line.y[drawn] == pytest.approx(
                    accountant.total(line.x, epsilon, delta)[drawn], rel=1e-12
                )
                if line.dash != OUTSIDE:
                    assert np.all(
                        line.y[drawn] <= Sequential().total(line.x, epsilon)[drawn] * (1 + 1e-12)
                    )
    # Bounds that know the noise, or that an answer has a δ of its own, at the same total δ.
    ledger, total = Ledger((Spend.of(made.mechanism, count=700),)), 700 * delta + delta_prime
    known = [Optimal(), GaussianDP()] if delta else [Renyi(), Numeric()]
    for bound in known:
        costs.append(bound.epsilon(ledger, total) if total < 1 else math.inf)
        drawn = [n for n in figure.layers if n.key.removesuffix("_worse") == bound.key]
        heights = [y for n in drawn for x, y in zip(n.x, n.y, strict=True) if x == 700]
        if math.isfinite(costs[-1]):
            assert np.nanmin(heights) == pytest.approx(costs[-1], rel=1e-9)
    # The tightest, or plain addition where the difference could not be seen.
    quoted = costs[0] if costs[0] <= 1.0005 * min(costs) else min(costs)
    assert found.fact("cost").value == pytest.approx(quoted, rel=2e-10)
    assert figure.layer("here").y == pytest.approx(quoted, rel=2e-10)
    assert figure.y.range[1] >= min(costs)


@pytest.mark.parametrize("query", CROSS["query"])
def test_every_two_choices_meet(adult: Dataset, query: str) -> None:
    """Every question with every mechanism, and each with both adjacencies, the ends of ε, and all
    that changes the looks: finite figures, sentences without holes, JSON without NaN."""
    for state in meetings(adult):
        if state["query"] == query:
            try:
                check_sound(run(explored(state), adult))
            except Exception as error:
                error.add_note(str(state))
                raise


@pytest.mark.parametrize("mechanism", [m.key for m in MECHANISMS])
@pytest.mark.parametrize(
    "setting", ["query=count", "query=mean", "query=histogram", "query=histogram largest=yes"]
)
def test_needed_epsilon_is_the_least(adult: Dataset, mechanism: str, setting: str) -> None:
    """At it the target is met, a little below it is not."""
    made = lab(*setting.split(), f"mechanism={mechanism}", "target=0.3")
    model = explore_model(made, Context(adult))
    needed, aim = epsilon_needed(model).at, target(model)
    # A ratio of integers has a law with steps, which a root is found among.
    hair = 1e-5 if setting == "query=mean" else 1e-8
    assert error_at(model.answer, made.mechanism, needed, "half_width") <= aim * (1 + hair)
    assert error_at(model.answer, made.mechanism, needed * (1 - 1e-4), "half_width") > aim
    shown = run(made, adult).sentence("needed").say.values["epsilon"]
    assert float(str(shown)) >= needed * (1 - 1e-12)
    met = put(put(made, "mechanism.epsilon", str(min(50.0, needed * 1.01))), "dots", "10")
    assert "— met" in render(run(met, adult).sentence("needed").say)


def test_frames_show_one_answer_after_another(adult: Dataset) -> None:
    """Another frame changes the simulated answer in chart, strip and sentence, and nothing else."""
    made = lab()
    found = run(made, adult)
    for index in (0, 3, len(found.replays) + 3):
        shown = made.frame(found, index)
        value = float(found.replays[index % len(found.replays)][0])
        assert shown.fact("answer").value == value
        answer = shown.figure("published").layer("answer")
        low, high = shown.figure("published").x.range
        assert answer.at == pytest.approx(min(max(value, low), high))
        assert render(shown.fact("answer").text) in render(shown.sentence("answer").say)
        assert shown.figures[1:] == found.figures[1:]
        assert shown.fact("truth") == found.fact("truth")


def test_same_seed_same_findings(adult: Dataset) -> None:
    """The state alone decides; the seed decides the draws."""
    again = Dataset(adult._table, adult.name, adult.origin, adult.digest)
    one, two, other = (
        json.dumps(findings_json(run(lab(*s), d)))
        for s, d in (((), adult), ((), again), (("seed=2",), adult))
    )
    assert one == two
    assert one != other
    heights = [
        run(lab(f"seed={s}", "trials=5000"), adult).figure("error").layer("draws").heights
        for s in (1, 2)
    ]
    assert not np.array_equal(*heights)


# The odds of an attacker.


def most_of_any(epsilon: float, delta: float) -> float:
    """The largest chance of a right guess at even odds that (ε, δ) leaves a test of any mechanism,
    by a linear programme over a and b: how often it says "in" with the person in and without."""
    e = math.exp(epsilon)
    # a ≤ e^ε b + δ and 1 − a ≤ e^ε (1 − b) + δ, and the same with a and b exchanged.
    rows = [[1.0, -e], [-e, 1.0], [-1.0, e], [e, -1.0]]
    ends = [delta, delta, e - 1 + delta, e - 1 + delta]
    found = linprog([-0.5, 0.5], A_ub=rows, b_ub=ends, bounds=[(0, 1), (0, 1)])
    return 0.5 - float(found.fun)


def most_of_extreme(epsilon: float, delta: float) -> float:
    """The same by brute force over all 16 ways to guess from the outputs (sure out, out, in, sure
    in) of the randomised response that is just (ε, δ), which is checked over all events too."""
    truly = (1 - delta) / (1 + math.exp(-epsilon))
    out = np.array([delta, truly, 1 - delta - truly, 0.0])
    events = np.array(list(itertools.product((0.0, 1.0), repeat=4)))
    gaps = events @ out - math.exp(epsilon) * (events @ out[::-1])
    assert np.max(gaps) == pytest.approx(delta, rel=1e-9)
    return float(np.max(events @ out[::-1] + (1 - events) @ out) / 2)


@pytest.mark.parametrize("adjacency", ["add_remove", "replace"])
@pytest.mark.parametrize("mechanism", ["gaussian", "catastrophe"])
def test_odds_are_the_most_that_epsilon_and_delta_allow(
    adult: Dataset, mechanism: str, adjacency: str
) -> None:
    """`right` is (e^ε + δ)/(1 + e^ε) of 100, rounded up: what a mechanism that is just (ε, δ)
    reaches, and none exceeds."""
    rng = np.random.Generator(np.random.SFC64([24, len(mechanism), len(adjacency)]))
    drawn = np.exp(rng.uniform(-6, 1.5, 60)), rng.uniform(0, 0.5, 60)
    told, bare = [], []
    for epsilon, delta in zip(*drawn, strict=True):
        right = 100 * most_of_extreme(epsilon, delta)
        assert 100 * most_of_any(epsilon, delta) == pytest.approx(right, abs=1e-4)
        made = lab(
            f"mechanism={mechanism}",
            f"adjacency={adjacency}",
            f"mechanism.epsilon={float(epsilon)!r}",
            f"mechanism.delta={float(delta)!r}",
        )
        found = right_of_100(explore_model(made, Context(adult)))
        assert found == pytest.approx(right), (epsilon, delta)
        told.append(found)
        bare.append(100 / (1 + math.exp(-epsilon)))
    # Without its δ another number would stand there, nearly always.
    assert np.mean(np.array(told) > bare) > 0.8
    said = run(made, adult).sentence("odds").say
    assert said.values["right"].value == told[-1]


# What it hides.


def small(values: list[float], words: str) -> Dataset:
    return Dataset(pd.DataFrame({"x": values, "c": list(words)}), "small", "small", "0" * 64)


# Two tables of equally many rows with nothing else in common, and questions whose parts are known
# from outside.
ONE, OTHER = (
    small([1.0, 2, 3, 4, 9, 9, 8, 2], "aaabbbcc"),
    small([5.0, 5, 6, 7, 0, 1, 20, -3], "bbbbcaaz"),
)
HIDDEN = {
    "count": ("query.where=x > 3",),
    "sum": (
        "query=sum",
        "query.where=",
        "query.column=x",
        "query.low=0",
        "query.high=10",
        "query.attested=yes",
    ),
    "mean": (
        "query=mean",
        "query.where=",
        "query.column=x",
        "query.low=0",
        "query.high=10",
        "query.attested=yes",
    ),
    "numbers": (
        "query=histogram",
        "query.where=",
        "query.column=x",
        "query.edges=0,3,6,9",
        "query.attested=yes",
    ),
    "words": (
        "query=histogram",
        "query.where=",
        "query.column=c",
        "query.categories=a|b|c",
        "query.attested=yes",
        "largest=yes",
    ),
}


@pytest.mark.parametrize("mechanism", [m.key for m in MECHANISMS])
@pytest.mark.parametrize("question", HIDDEN)
def test_hidden_findings_depend_on_the_simulated_answer_alone(
    question: str, mechanism: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables whose noisy measurements happen to be the same give the same findings to the last
    bit.

    So whatever the findings show, they show no more of the table than those measurements do.
    """
    if mechanism in lab(*HIDDEN[question]).refused(ONE)["mechanism"]:
        pytest.skip("a column of fractions is refused")
    parts = 3 if question in ("numbers", "words") else 1
    noisy = [np.full((1, parts), 27.25), np.full((1, 1), 7.5)]
    monkeypatch.setattr(
        Release,
        "measure",
        lambda self, rng, answers: [noisy[i] for i in range(len(self.asked.measurements))],
    )
    made = lab(*HIDDEN[question], f"mechanism={mechanism}").with_(show_truth=False)
    one, other = (findings_json(run(made, data)) for data in (ONE, OTHER))
    assert one["figures"]
    for section in one:
        same = one[section] == other[section]
        assert same, f"the {section} differ"


@pytest.mark.parametrize("query", [q.key for q in QUERIES])
def test_hidden_truth_is_nowhere(adult: Dataset, query: str) -> None:
    """No number of the JSON is the exact answer or the middle of an axis about it, no text shows
    it, no seed is kept."""
    question = lab(f"query={query}", "query.where=hours-per-week > 20", "seed=987654321")
    made = question.with_(show_truth=False)
    found = run(made, adult)
    truth = run(question, adult).truth
    whole = {**provenance(made, adult), **findings_json(found)}
    assert found.truth is None
    assert len(found.replays) == 1
    held = np.array(list(numbers({k: v for k, v in whole.items() if k != "table"})))
    for figure in found.figures:
        held = np.append(held, sum(figure.x.range) / 2)
        held = np.append(held, sum(figure.y.range) / 2)
    for exact in truth:
        if exact > 250:  # smaller ones are also ages, tick marks and rungs
            assert not np.any(np.abs(held - exact) < 1e-6)
            assert f'"{exact:,.0f}"' not in json.dumps(whole)
            assert f"{exact:,.0f} " not in json.dumps(whole["sentences"]) + json.dumps(
                whole["facts"]
            )
    assert "seed" not in whole["lab"]
    assert str(made.seed) not in json.dumps(whole)
    assert all(
        "seed" not in json.loads(metadata(f, made, adult)["Parameters"]) for f in found.figures
    )
    assert not any(figure.exact for figure in found.figures)
    assert not any(fact.key == "truth" for fact in found.facts)


def test_charts_that_hold_the_truth_say_so(adult: Dataset) -> None:
    found = run(lab(), adult)
    assert [f.key for f in found.figures if f.exact] == ["published", "tradeoff"]
    assert [f.key for f in found.figures if f.simulated] == ["published", "error"]
    assert not run(lab("target_unit=absolute"), adult).figure("tradeoff").exact


# What it refuses.


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        (["mechanism.epsilon=0"], "mechanism.epsilon"),
        (["mechanism.epsilon=-1"], "mechanism.epsilon"),
        (["mechanism.epsilon=nan"], "mechanism.epsilon"),
        (["mechanism.epsilon=abc"], "mechanism.epsilon"),
        (["mechanism=gaussian", "mechanism.delta=0"], "mechanism.delta"),
        (["query=sum", "query.low=5", "query.high=5"], "query.high"),
        (["query=mean", "query.high=5", "query.low=6"], "query.high"),
        (["query.where=age >"], "query.where"),
        (["confidence=1"], "confidence"),
        (["answers=10001"], "answers"),
        (["answers=2.5"], "answers"),
    ],
)
def test_bad_values_are_sentences(settings: list[str], field: str) -> None:
    with pytest.raises(ParamError) as caught:
        lab(*settings)
    assert caught.value.field == field
    assert one_sentence(render(caught.value.sentence))


def one_sentence(text: str) -> bool:
    return (
        text.endswith(".")
        and len(text) > 15
        and "\n" not in text
        and "{" not in text
        and "Error" not in text
    )


TABLES = {
    "text": pd.DataFrame({"x": ["a", "b"]}),
    "missing": pd.DataFrame({"x": [math.nan, math.nan]}),
    "empty": pd.DataFrame({"x": pd.Series([], dtype="float64")}),
    "other": pd.DataFrame({"y": [1, 2]}),
    "dates": pd.DataFrame({"x": pd.to_datetime(["2020-01-01", "2020-01-02"])}),
    "no columns": pd.DataFrame(index=[0, 1]),
}


@pytest.mark.parametrize(
    ("table", "settings", "field"),
    [
        ("text", ["query=mean", "query.where=", "query.column=x"], "query.column"),
        (
            "text",
            ["query=sum", "query.where=", "query.column=x", "query.low=0", "query.high=1"],
            "query.column",
        ),
        ("text", ["query.where=x > 5"], "query.where"),
        ("missing", ["query=mean", "query.where=", "query.column=x"], "query.column"),
        ("missing", ["query=histogram", "query.where=", "query.column=x"], "query.column"),
        ("empty", ["query.where="], "data"),
        ("empty", ["query=mean", "query.where=", "query.column=x"], "data"),
        ("other", ["query.where=x > 5"], "query.where"),
        ("other", ["query=mean", "query.where=", "query.column=x"], "query.column"),
        ("other", ["query=histogram", "query.where=", "query.column=x"], "query.column"),
        ("other", ["query=mean", "query.column=y", "query.where=y > 7"], "query.where"),
        ("other", ["query=histogram", "query.column=y", "query.where=x > 7"], "query.where"),
        ("dates", ["query=mean", "query.where=", "query.column=x"], "query.column"),
        ("no columns", ["query=mean", "query.where=", "query.column=x"], "query.column"),
    ],
)
def test_bad_tables_are_sentences(table: str, settings: list[str], field: str) -> None:
    """The lab stops with exactly one sentence at the field that is to change, and no figures."""
    found = run(lab(*settings), Dataset(TABLES[table], "t"))
    assert not found.figures
    (problem,) = [p for p in found.problems if p.stops]
    assert problem.field == field
    assert one_sentence(render(problem.say))


def test_integer_noise_is_refused_for_fractions() -> None:
    """With the reason, as a choice that is greyed and as a problem when it is chosen anyway."""
    data = Dataset(pd.DataFrame({"x": [0.5, 1.5]}), "t")
    made = lab("query=sum", "query.where=", "query.column=x", "query.low=0", "query.high=2")
    assert set(made.refused(data)["mechanism"]) == {m.key for m in MECHANISMS if m.integers}
    (problem,) = run(put(made, "mechanism", "geometric"), data).problems
    assert problem.field == "mechanism"
    assert one_sentence(render(problem.say))
    assert not lab().with_(query=lab("query.where=x > 1").query).refused(data)["mechanism"]


@pytest.mark.parametrize(
    "values",
    [
        [1.0],
        [0.5] * 7,
        [1e15, -1e15],
        [1e6 + 0.5] * 3,
        [1e-12, 2e-12],
        [math.inf, 1.0, -math.inf],
        [0.0, 0.0],
        [3, 3, 3],
    ],
    ids=str,
)
@pytest.mark.parametrize("query", ["sum", "mean", "histogram"])
def test_odd_columns_run(values: list[float], query: str) -> None:
    """One row, a constant, huge, tiny and infinite values: a picture or a sentence, never a crash
    or an empty axis."""
    found = run(
        lab(f"query={query}", "query.where=", "query.column=x", "trials=1000"),
        Dataset(pd.DataFrame({"x": values}), "t"),
    )
    json.dumps(findings_json(found), allow_nan=False)
    assert found.figures or any(p.stops for p in found.problems)
    for figure in found.figures:
        assert figure.x.range[0] < figure.x.range[1]
    if query == "histogram" and found.figures:
        assert float(found.truth.sum()) == np.isfinite(values).sum()
        assert len(set(next(t for t in found.tables if t.key == "parts").columns[0][1])) == len(
            found.truth
        )


# What it costs.


@pytest.mark.parametrize("query", [q.key for q in QUERIES])
def test_sliders_do_not_touch_the_table(adult: Dataset, query: str, touched: list[str]) -> None:
    """After the first picture no step of ε, δ′, k, confidence, target or noise reads a column
    again."""
    data = Dataset(adult._table, "fresh")
    made = lab(f"query={query}", "query.where=age > 30")
    run(made, data)
    assert touched
    touched.clear()
    moved = made  # all at once: whichever of them read a column would be heard
    for setting in (
        "mechanism.epsilon=7",
        "delta_prime=1e-7",
        "answers=5",
        "confidence=0.8",
        "target=3",
        "seed=4",
        "dots=20",
    ):
        moved = put(moved, *setting.split("="))
    run(moved, data)
    run(put(made, "mechanism.epsilon", "0.2"), data)
    for kind in MECHANISMS if query == "count" else MECHANISMS[2:4]:
        run(put(made, "mechanism", kind.key), data)
    assert touched == []


def test_cancelling_stops_at_the_next_chart(adult: Dataset) -> None:
    assert list(lab().run(adult, lambda: True)) == []


def test_a_law_that_tells_the_answer_is_marked(adult: Dataset) -> None:
    """The error law of a mean depends on sum and count, so its charts hold the exact answer; that
    of a count does not."""
    mean, count = (
        run(lab("query=mean", "target_unit=absolute"), adult),
        run(lab("target_unit=absolute"), adult),
    )
    assert mean.figure("error").exact
    assert mean.figure("tradeoff").exact
    assert not count.figure("error").exact
    assert not count.figure("tradeoff").exact


@pytest.mark.parametrize("epsilon", ["0.001", "0.01", "1"])
def test_one_answer_costs_its_own_epsilon(adult: Dataset, epsilon: str) -> None:
    """No bound makes one pure answer cheaper at the price of a δ."""
    found = run(lab(f"mechanism.epsilon={epsilon}", "answers=1", "delta_prime=0.1"), adult)
    assert found.fact("cost").value == float(epsilon)
    assert found.sentence("cost").say.values["delta"].value == 0


def test_one_part_moves_by_one(adult: Dataset) -> None:
    """A histogram of one part is a count, also under replace-one."""
    asked = answer(lab("query=histogram", "query.edges=0,200", "adjacency=replace"), adult).asked
    assert asked.measurements[0].sensitivity.l1 == 1


def test_moves_of_a_split_mean_are_attainable(adult: Dataset) -> None:
    """Centred under replace-one, a change of U − L keeps the count: the two largest moves do not
    meet."""
    words = (
        "query=mean",
        "query.low=0",
        "query.high=100",
        "query.centred=yes",
        "adjacency=replace",
    )
    moves = answer(lab(*words), adult).asked.moves
    assert [[sum(move.sizes(place)) for place in (0, 1)] for move in moves] == [[100, 0], [50, 1]]
    total, count = answer(
        lab(*words, "mechanism=gaussian", "mechanism.epsilon=1"), adult
    ).release.laws
    mu = 1 / analytic_sigma(1.0, 1e-5)
    across, come = 100 / total.sigma, math.hypot(50 / total.sigma, 1 / count.sigma)
    assert (across, come) == (pytest.approx(math.sqrt(0.8) * mu), pytest.approx(mu))


@pytest.mark.parametrize("query", [q.key for q in QUERIES])
def test_what_is_published_is_marked_exact_where_it_is(adult: Dataset, query: str) -> None:
    """The chart holds the exact answer, or a scale and notes that follow from it; so does the table
    of the parts."""
    for show in (True, False):
        found = run(lab(f"query={query}", f"show_truth={'yes' if show else 'no'}"), adult)
        assert found.figure("published").exact is show
        assert all(table.exact is show for table in found.tables if table.key == "parts")


def test_leaks_of_an_answer_made_of_several_numbers(adult: Dataset) -> None:
    """A mean leaks a number when its sum or its count does, and is the plain truth only when both
    do."""
    for query, delta in (("count", 0.2), ("mean", 1 - 0.9**2)):
        found = run(
            lab(f"query={query}", "mechanism=catastrophe", "mechanism.delta=0.2", "answers=10"),
            adult,
        )
        said = found.sentence("leak").say
        assert said.values["chance"].value == pytest.approx(1 - (1 - delta) ** 10)
        assert ("plain truth" in said.text) == (query == "count")
        (note,) = [p.say for p in found.problems if p.field == "mechanism"]
        assert note.values["many"].value == pytest.approx(1 / delta)


def test_almost_no_noise_on_a_mean_of_flags() -> None:
    """Integer noise at ε = 50 is nearly always 0: the picture stays finite."""
    data = Dataset(pd.DataFrame({"flag": np.arange(3300) % 5 == 0}).astype("int64"), "flags")
    made = lab(
        "query=mean",
        "query.where=",
        "query.column=flag",
        "query.low=0",
        "query.high=1",
        "mechanism=geometric",
        "mechanism.epsilon=50",
    )
    found = run(made, data)
    assert np.all(np.isfinite(found.figure("error").layer("law").y))
    assert found.fact("typical").value < 1e-9


def test_a_delta_of_one_in_all_promises_nothing(adult: Dataset) -> None:
    """Whatever the ε: nothing is said of a bound that would be below another one."""
    made = lab("mechanism=gaussian", "mechanism.epsilon=1", "mechanism.delta=0.1", "answers=20")
    said = run(made, adult).sentence("cost")
    assert "promises nothing" in render(said.say)
    assert "adding up" not in render(said.say)
    assert said.tone == "bad"


def test_many_gaussian_answers_cost_what_gaussian_dp_says(adult: Dataset) -> None:
    """100 answers at (1.7, 1e-5): 22.0 at a total δ of 1e-3, and not the 170 of adding up."""
    made = lab("mechanism=gaussian", "mechanism.epsilon=1.7", "mechanism.delta=1e-5", "answers=100")
    found = run(made, adult)
    assert found.fact("cost").value == pytest.approx(22.0, abs=0.05)
    said = render(found.sentence("cost").say)
    assert "Gaussian DP" in said
    assert "adding up gives ε = 170" in said
    sigma = made.mechanism.law(UNIT).sigma
    mu, delta = 10 / sigma, 100e-5 + made.delta_prime

    def profile(epsilon: float) -> float:  # Balle & Wang 2018, Theorem 8, for one shift of μ
        cut = epsilon / mu - mu / 2
        return NormalDist().cdf(-cut) - math.exp(epsilon) * NormalDist().cdf(-cut - mu)

    assert profile(found.fact("cost").value) <= delta * (1 + 1e-6)
    assert profile(found.fact("cost").value - 1e-3) > delta


@pytest.mark.parametrize("key", ["laplace", "geometric", "staircase", "l2norm", "catastrophe"])
def test_the_cost_of_many_answers_is_above_what_their_losses_add_up_to(
    adult: Dataset, key: str
) -> None:
    """Not below the certified lower end of what the losses of these very answers add up to, not
    above the upper end by more than can be seen, and no later stage says more than an earlier one.
    """
    for more in ("query=count", "query=histogram"):
        made = lab(more, f"mechanism={key}", "mechanism.epsilon=0.5", "answers=30")
        made = made.with_(adjacency="replace") if more == "query=histogram" else made
        found = run(made, adult)
        stages = list(made.run(Context(adult, effort=LITTLE)))
        quotes = [stage.fact("cost").value for stage in stages]
        assert quotes == sorted(quotes, reverse=True)
        assert found.fact("cost").value == pytest.approx(quotes[-1])
        asked = made.query.ask(adult, made.adjacency)
        spend = Spend.of(made.mechanism, asked.measurements[0].sensitivity, count=30)
        low, high = Numeric().bracket(Ledger((spend,)), 30 * made.mechanism.total_delta + 1e-5)
        assert low * (1 - 1e-9) <= found.fact("cost").value <= high * (1 + 1e-3)


@pytest.mark.parametrize(
    "words",
    [
        ("query=histogram", "query.column=race", "query.where="),
        ("query=histogram", "query.column=race", "query.where=", "mechanism=geometric"),
        ("query=grouped", "query.where=", "query.statistic=count", "largest=yes"),
        ("query=grouped", "query.where=", "target=10", "mechanism=gaussian"),
    ],
    ids=["counts", "integers", "all at once", "means"],
)
def test_a_target_of_every_part_is_that_of_the_hardest(
    adult: Dataset, words: tuple[str, ...]
) -> None:
    """Asked of the largest part alone, "within ± 5 % needs ε = …" is false of all others. Answers
    drawn at the ε that is named: every part is within its own share as often as is said, and at a
    lower ε the hardest is not."""
    made = lab("target=5", *words, "target_unit=each")
    found = run(made, adult)
    said, asked = found.sentence("needed").say, made.query.ask(adult, made.adjacency)
    epsilon, hardest = said.values["epsilon"].value, render(said.values["part"])
    drawn = {layer.key: layer for layer in found.figure("tradeoff").layers}
    reached = epsilon <= drawn["trade"].x[-1]
    assert drawn["each"].at == epsilon if reached else "each" not in drawn
    assert "target" not in drawn, "no height on the curve of one part stands for them all"
    alone = run(lab("target=5", *words), adult).sentence("needed").say
    assert ("all parts" in alone.text) == ("largest=yes" in words), alone.text
    assert alone.values["epsilon"].value < epsilon
    named = dict(next(each for each in found.tables if each.key == "needed").columns)
    if not made.largest and len(named["part"]) <= 12:  # by name, also where one is looked at
        listed = render(run(lab("target=5", *words), adult).sentence("needed_each").say)
        assert all(part in listed for part in named["part"])
    needs = {
        part: each.value for part, each in zip(named["part"], named["epsilon_needed"], strict=True)
    }
    assert set(needs) == set(asked.labels)
    if not made.largest:
        assert max(needs, key=needs.__getitem__) == hardest
        assert max(needs.values()) == pytest.approx(epsilon)

    def shares(at: float) -> np.ndarray:
        mechanism = made.mechanism.at(at, made.mechanism.total_delta)
        noisy = Release(asked, mechanism).simulate(np.random.default_rng(3), 20_000)
        within = np.abs(noisy - asked.truth) <= made.target / 100 * np.abs(asked.truth) + 1e-9
        return np.array([np.mean(within.all(axis=1))]) if made.largest else within.mean(axis=0)

    slack = 0.02 if made.largest else 0.008
    assert (shares(epsilon) >= 0.95 - slack).all()
    below = shares(0.85 * epsilon)
    assert below.min() < 0.95 - 0.004
    if not made.largest:
        assert asked.labels[int(np.argmin(below))] == hardest


def test_a_simulated_error_has_no_more_digits_than_are_sure() -> None:
    """Of few rows the error of a covariance has a heavy tail: what is shown lies within three units
    of its last digit of what ten times as many draws say."""
    rng = np.random.default_rng(1)
    columns = {"a": rng.normal(40, 13, 500), "b": rng.normal(40, 12, 500)}
    data = Dataset(pd.DataFrame(columns).round(), "t")
    made = lab("query=covariance", "mechanism.epsilon=0.1", "query.where=").suited(data)
    asked = made.query.ask(data, made.adjacency)
    many = Release(asked, made.mechanism, draws=600_000).law_at(int(np.argmax(asked.truth)))
    for found in (run(made, data), on_screen(made, data)):
        text = render(found.fact("typical").text).removeprefix("±").replace(",", "")
        digits = re.sub(r"\D", "", text).strip("0")
        unit = float(text) / int(digits)
        assert len(digits) < 3, text
        assert abs(float(text) - many.mean_abs) <= 3 * unit


def test_rows_that_differ_are_not_said_to_be_alike(adult: Dataset) -> None:
    """The rows of Adult differ: those of 200 years, of whom there are none, differ in nothing that
    is asked."""
    found = little(lab("query.where=age > 200"), adult)
    said = render(found.sentence("sampling").say)
    assert said.endswith("cannot be told where no two rows differ in what is asked.")
