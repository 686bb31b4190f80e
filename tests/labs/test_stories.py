"""Stories: each number against hand figures, numeric convolution, brute force over the table, or
the exact law."""

import itertools
import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundings import at_odds
from running import little

from dpstudio.charts.figure import Handle
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.start.stories.parameters import Stories
from dpstudio.labs.start.stories.stories import STORIES, Story, group, parallel, sequential
from dpstudio.labs.start.stories.stories.differencing import Differencing, Newspaper
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw, analytic_sigma
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import hockey_stick
from dpstudio.privacy.release.two_laplace import TwoLaplace
from dpstudio.values.messages import render
from dpstudio.values.parameters import domains, put


def told(story: Story, data: Dataset, **changes: object) -> Findings:
    found = Stories(story=story).with_(**changes).last(Context(data))
    return found


@pytest.mark.parametrize(
    ("a", "b"), [(1.0, 2.5), (3.0, 3.0), (2.0, 2.0 * (1 + 3e-5)), (0.01, 40.0)]
)
def test_two_laplace(a: float, b: float) -> None:
    """Density by numeric convolution, cdf and moments by integration, draws by the cdf."""
    law = TwoLaplace(a, b)
    narrow, wide = sorted((a, b))
    t = np.linspace(-40 * narrow, 40 * narrow, 80_001)
    t = (t[1:] + t[:-1]) / 2
    weights = LaplaceLaw(narrow).density(t) * (t[1] - t[0])
    x = np.array([0.0, 0.3, -1.0, 4.0, -20.0]) * wide / 2
    assert law.density(x) == pytest.approx(
        [float(weights @ LaplaceLaw(wide).density(at - t)) for at in x], rel=1e-4
    )
    assert law.cdf(x) == pytest.approx(
        [float(weights @ LaplaceLaw(wide).cdf(at - t)) for at in x], rel=1e-5
    )
    assert law.mean_abs == pytest.approx(
        float(weights @ (np.abs(t) + wide * np.exp(-np.abs(t) / wide))), rel=1e-5
    )  # E|t + Lap(b)|
    u = np.array([1e-9, 0.01, 0.4, 0.5, 0.8, 1 - 1e-9])
    assert law.cdf(law.quantile(u)) == pytest.approx(u, rel=1e-7)
    drawn = law.sample(np.random.default_rng(1), 100_000)
    assert np.var(drawn) == pytest.approx(law.variance, rel=0.05)
    assert np.mean(drawn < x[3]) == pytest.approx(float(law.cdf(x[3])), abs=0.01)


def test_the_newspaper(adult: Dataset) -> None:
    """100 at $55,000, then 101 at $56,000: $156,000; with noise for $200,000 the attacker errs by
    twice that at ε = 1 each."""
    found = told(Newspaper(), adult)
    assert found.fact("value").value == 156_000
    assert "the newcomer’s salary: $156,000." in render(found.sentence("exact").say)
    # Money has its unit, and all digits that a subtraction needs.
    assert render(found.fact("value").text) == "$156,000"
    assert "±$400,000" in render(found.sentence("noisy").say)
    large = told(Newspaper(people=1_000_000, before=100_000_000.0, after=100_000_050.0), adult)
    assert "the newcomer’s salary: $150,000,050." in render(large.sentence("exact").say)
    assert "$100,000,050." in render(large.sentence("totals").say)
    assert found.fact("attacker").value == pytest.approx(400_000)
    assert found.fact("reader").value == pytest.approx(2000 * math.sqrt(2))
    uneven = told(Newspaper(epsilon_1=0.5, epsilon_2=2.0, top=10_000.0), adult)
    assert uneven.fact("attacker").value == pytest.approx(10_000 * math.sqrt(2 / 0.25 + 2 / 4))
    assert "clipped" in [s.key for s in uneven.sentences]


@pytest.mark.parametrize(
    ("answers", "guess", "says"),
    [
        ((103, 55_500, 99, 55_600), -212_100, "nobody here earns"),  # 5,504,400 − 5,716,500
        ((100.1, 55_000.10, 101.2, 55_999.90), 155_979.90, "off by $20.1"),
        ((200, 65_000, 51, 50_000), -10_450_000, "nobody here earns"),
        ((None, None, None, 55_990), 154_990, "off by $1,010"),
    ],
)
def test_answers_with_noise_that_is_typed(
    answers: tuple[float | None, ...], guess: float, says: str, adult: Dataset
) -> None:
    """As much noise as is right, too little and too much: what the book answers, subtracted by
    hand."""
    names = ("answered_people", "answered_before", "answered_more", "answered_after")
    found = told(Newspaper(**dict(zip(names, answers, strict=True))), adult)
    assert found.fact("answered").value == pytest.approx(guess, abs=1e-6)
    assert says in render(found.sentence("answered").say)
    assert "answered" not in [sentence.key for sentence in told(Newspaper(), adult).sentences]


def test_differencing_on_a_table() -> None:
    """Totals by hand, missing values and clipping among them; exact figures are marked; hidden,
    nothing tells of the table."""
    frame = pd.DataFrame({"pay": [10.0, math.nan, 30.0, 500.0, -5.0]})
    data = Dataset(frame, "small", "small")
    story = Differencing(column="pay", low=0.0, high=100.0)
    for row, value in enumerate([10.0, 0.0, 30.0, 100.0, 0.0], 1):
        found = told(story.with_(row=row), data)
        exact = dict(found.tables[0].columns)["exact"]
        assert [cell.value for cell in exact] == [140 - value, 140, value]
        assert found.fact("reader").value == pytest.approx(100 * math.sqrt(2) / (4 - (row != 2)))
        assert all(figure.exact for figure in found.figures)
        assert found.tables[0].exact
        # A missing value is not held, nor is one that is clipped: that is what the row adds.
        assert render(found.sentence("exact").say).endswith(f"tell what row {row} adds: {value:g}.")
    other = Dataset(frame * 3, "other", "other")
    one, two = (json.dumps(findings_json(told(story, d, show_truth=False))) for d in (data, other))
    assert one == two
    assert [p.field for p in told(story.with_(row=6), data).problems] == ["story.row"]
    words = told(story, Dataset(pd.DataFrame({"vote": ["yes", "no"]}), "words"))
    assert ["no column of numbers" in render(p.say) for p in words.problems] == [True]


def test_sequential_costs_and_errors(adult: Dataset) -> None:
    """The printed figures: 14.14, 7.07, 4.714; average 7.906; weighted by 0.2 and 0.8 6.325; 0.3
    for two, 0.6 for all."""
    found = told(sequential.Sequential(), adult)
    sds = {
        key: round(found.fact(key).value, 3) for key in ("f1", "f2", "f3", "average", "weighted")
    }
    assert sds == {"f1": 14.142, "f2": 7.071, "f3": 4.714, "average": 7.906, "weighted": 6.325}
    values = found.sentence("cost").say.values
    assert (values["cost"].value, values["all"].value) == pytest.approx((0.3, 0.6))
    assert [round(w, 12) for w in sequential.weights(0.1, 0.2)] == [0.2, 0.8]
    assert "err by ±7.906 and ±4.714" in render(found.sentence("unequal").say)
    rng, n = np.random.default_rng(5), 200_000
    drawn = (LaplaceLaw(10.0).sample(rng, n) + LaplaceLaw(5.0).sample(rng, n)) / 2
    law = sequential.Sequential().answers()["average"].law
    assert np.mean(np.abs(drawn) <= law.half_width(0.95)) == pytest.approx(0.95, abs=0.003)


@given(st.floats(0.01, 5), st.floats(0.01, 5), st.floats(0.01, 5))
def test_two_answers_never_beat_one_for_their_price(a: float, b: float, c: float) -> None:
    answers = sequential.Sequential(epsilon_1=a, epsilon_2=b, epsilon_3=c).answers()
    laws = {key: answer.law for key, answer in answers.items()}
    one = math.sqrt(2) / (a + b)
    assert (
        one
        < math.sqrt(laws["weighted"].variance)
        <= math.sqrt(laws["average"].variance) * (1 + 1e-12)
    )
    assert laws["weighted"].variance <= min(laws["f1"].variance, laws["f2"].variance) * (1 + 1e-12)


@pytest.mark.parametrize(("top", "said"), [(54_999.0, True), (55_000.0, False), (200_000.0, False)])
def test_an_average_beyond_the_bounds_is_not_said_to_err_by_its_noise(
    top: float, said: bool, adult: Dataset
) -> None:
    """100 people of $55,000 are clipped to $54,999: their average is $1 too low before any noise."""
    found = told(Newspaper(top=top, epsilon_1=50.0, epsilon_2=50.0), adult)
    assert ("crowded" in {each.key for each in found.sentences}) == said
    assert (render(found.fact("reader").note) == "by noise alone") == said
    beyond = top < 156_000  # the newcomer, if nobody else
    name = render(found.figure("guess").layer("range").label)
    assert name == ("values are clipped to here" if beyond else "all values lie here")


def test_what_errs_more_is_not_told_by_the_same_digits(adult: Dataset) -> None:
    """±0.02828 was said to be still more than ±0.02828."""
    found = told(sequential.Sequential(epsilon_1=50.0, epsilon_2=0.001), adult)
    said = re.findall(r"±([\d.]+)", render(found.sentence("weighted").say))
    assert float(said[0]) > float(said[1])
    assert float(said[0]) == pytest.approx(math.sqrt(2 / (50**2 + 0.001**2)), rel=1e-5)


@given(st.floats(0.01, 5), st.floats(0.01, 5), st.floats(0.01, 5))
def test_parallel_by_every_neighbour(a: float, b: float, c: float) -> None:
    """The largest loss over all moves of one person between three groups and the outside."""
    budgets = {"A": a, "B": b, "C": c, "": 0.0}
    totals = parallel.Parallel(epsilon_1=a, epsilon_2=b, epsilon_3=c).totals()
    assert totals["add_remove"] == max(budgets.values())
    moves = [budgets[i] + budgets[j] for i, j in itertools.permutations("ABC", 2)]
    assert totals["replace"] == pytest.approx(max(moves))
    assert totals["replace"] <= 2 * totals["add_remove"]


@pytest.mark.parametrize("kind", STORIES, ids=lambda kind: kind.key)
def test_a_tale_writes_a_number_in_one_way(kind: type[Story], adult: Dataset) -> None:
    """The same half-width was 408 in the sentence and 407.2 in the table."""
    assert not list(at_odds(told(kind(), adult)))


def test_a_family() -> None:
    """Exact Gaussian δ at mε by integration; it never exceeds the steps, and they never the common
    form."""
    for epsilon, delta, m in itertools.product((0.1, 0.5, 2.0), (1e-4, 1e-6), (2, 3, 4, 9)):
        story = group.Group(epsilon=epsilon, delta=delta, people=m)
        exact = story.gaussian_delta(m)
        law = GaussianLaw(analytic_sigma(epsilon, delta))
        assert exact == pytest.approx(hockey_stick(law, m * epsilon, float(m)), rel=1e-3, abs=1e-9)
        steps = story.stepped_delta(m)
        assert steps == pytest.approx(
            min(1.0, sum(delta * math.exp(i * epsilon) for i in range(m)))
        )
        assert exact <= steps * (1 + 1e-9)
        assert steps <= story.coarse_delta(m) * (1 + 1e-9)


def test_a_belief_is_bounded_where_nothing_is_told_for_certain(adult: Dataset) -> None:
    """Who tells all with probability δ keeps (ε, δ), and makes sure beyond any odds: what is said
    of the belief names δ = 0."""
    found = told(group.Group(epsilon=0.5, delta=0.3, people=2), adult)
    assert found.fact("belief").value == pytest.approx(math.e / (1 + math.e))
    for words in (found.fact("belief").note, found.sentence("belief").say):
        assert "δ is 0" in render(words)


@pytest.mark.parametrize("kind", STORIES, ids=lambda kind: kind.key)
def test_every_tale_at_both_ends(kind: type[Story], adult: Dataset) -> None:
    """Ends of every number: findings without NaN, sentences that end once, handles on their
    charts."""
    for name, domain in domains(kind).items():
        if name == "row":
            continue
        for end in ("low", "high"):
            value = getattr(domain, end, None)
            if isinstance(value, int | float) and math.isfinite(value):
                found = told(put(kind(), name, value), adult)
                json.dumps(findings_json(found), allow_nan=False)
                for figure in found.figures:
                    for layer in figure.layers:
                        if isinstance(layer, Handle):
                            assert figure.y.range[0] <= layer.y <= figure.y.range[1], figure.key
                for sentence in found.sentences:
                    shown = render(sentence.say)
                    assert shown.endswith(".")
                    assert not shown.endswith("..")


@pytest.mark.parametrize("kind", STORIES, ids=lambda kind: kind.key)
def test_little_effort_says_the_same(kind: type[Story], adult: Dataset) -> None:
    """Fewer points and draws change no number that is told."""
    little = Stories(story=kind()).last(Context(adult, effort=LITTLE))
    full = told(kind(), adult)
    for part in ("facts", "sentences", "tables"):
        assert getattr(little, part) == getattr(full, part)
    points = [
        sum(
            len(getattr(layer, "x", []))
            for f in found.figures
            for layer in f.layers
            if not isinstance(layer, Handle)
        )
        for found in (little, full)
    ]
    assert points[0] < points[1]


def test_a_debt_is_written_in_one_way(adult: Dataset) -> None:
    """The sign stood before the currency, and in two sentences behind it."""
    amounts = {"answered_before": -12.0, "answered_after": -500.0}
    newcomer = Newspaper(after=40_000.0, **amounts)
    found = little(Stories(story=newcomer), adult)
    for said in (*(s.say for s in found.sentences), *(f.text for f in found.facts)):
        assert "$−" not in render(said)
    assert "−$1,460,000" in render(found.sentence("exact").say)
    assert "−$12" in render(found.sentence("answered").say)
