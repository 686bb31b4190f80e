"""Intervals: what is said or drawn of a published answer lies in what can be published, and holds as
often as it says.

The ends are checked against answers drawn and worked on here (noise from the law, then clamps and
ratios by hand), never against the functions that make the interval.
"""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from random_states import random_state
from running import little

from dpstudio.charts.figure import Columns, Dots
from dpstudio.data.dataset import Dataset
from dpstudio.labs.answer_charts import published_chart
from dpstudio.labs.answer_model import AnswerModel, answer_model, answers, interval
from dpstudio.labs.answer_words import framed
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.nobody.local_counts.parameters import LocalCounts
from dpstudio.labs.nobody.local_counts.people import population
from dpstudio.labs.nobody.local_means.parameters import LocalMeans
from dpstudio.labs.one_answer.compare.model import comparison
from dpstudio.labs.one_answer.compare.parameters import Compare
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.page import Lab
from dpstudio.privacy.accounting.concentrated import gaussian_ratio
from dpstudio.privacy.local import NUMBERS, POST, PROTOCOLS
from dpstudio.privacy.local.histogram import Thresholded
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, GaussianLaw
from dpstudio.privacy.queries import ADJACENCIES, QUERIES, histogram, total
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.release.release import Release
from dpstudio.privacy.release.spends import spends
from dpstudio.values.parameters import put

STATES, READINGS = 12, 250
BY_HAND: dict[str, tuple[str, ...]] = {
    "count": ("query.where=age > 70 and sex = Female",),
    "sum": ("query=sum", "query.column=capital-gain", "query.low=-40", "query.high=60"),
    "mean": ("query=mean", "query.low=13", "query.high=57", "query.where=age > 75"),
    "variance": ("query=variance", "query.low=0", "query.high=100", "query.where=age > 85"),
    "deviation": ("query=deviation", "query.where=age > 85"),
    "means": ("query=grouped", "query.low=13", "query.high=57"),
    "sums": ("query=grouped", "query.statistic=sum", "query.low=-30", "query.high=100"),
    "histogram": ("query=histogram", "query.column=race"),
    "table": ("query=counts", "query.conditions=age > 80 | age > 85"),
    "matrix": ("query=covariance", "query.where=age > 80"),
}


@cache
def few(people: int = 300) -> Dataset:
    """Few people: noise is then as large as the answers."""
    rng = np.random.default_rng(17)
    races, work = ["Black", "White", "Other"], ["Sales", "Craft", "Armed", "Farming"]
    rows = {
        "age": rng.integers(17, 91, 300),
        "sex": rng.choice(["Female", "Male"], 300),
        "race": rng.choice(races, 300, p=[0.1, 0.88, 0.02]),
        "occupation": rng.choice(work, 300, p=[0.6, 0.35, 0.01, 0.04]),
        "hours-per-week": rng.integers(1, 99, 300),
        "education-num": rng.integers(1, 17, 300),
        "marital-status": rng.choice(["Single", "Married"], 300),
        "education": rng.choice(["BA", "MA"], 300),
        "income": rng.choice(["<=50K", ">50K"], 300),
        "capital-gain": rng.integers(-40, 61, 300),
    }
    return Dataset(pd.DataFrame(rows).head(people), "few")


def possible(lab: Any, data: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """The least and the most that each coordinate can be published as, by the question's words."""
    query, count = lab.query, len(lab.query.ask(data, lab.adjacency).truth)
    low, high = np.full(count, -np.inf), np.full(count, np.inf)
    public = getattr(query, "n_public", False)
    kind = getattr(query, "statistic", query.key)
    if kind == "mean" and not public:
        low[:], high[:] = query.bounds(data)
    if kind in ("variance", "deviation") and not public:
        a, b = query.bounds(data)
        low[:], high[:] = 0, (b - a) / 2 if kind == "deviation" else (b - a) ** 2 / 4
    if kind == "covariance" and query.repair:
        p = len(query.columns)
        low[[i * p - i * (i - 1) // 2 for i in range(p)]] = 0
    if lab.post_processing in ("clamp", "both"):
        low, high = np.maximum(low, 0), np.maximum(high, 0)
    return low, high


def check_ends(model: AnswerModel) -> None:
    """The interval, the whiskers and the dots of an answer lie in what can be published; about a
    hidden exact answer also where only that can be, as a sum below 0 can whose answer is clamped.
    """
    lab: Any = model.lab
    low, high = possible(lab, model.data)
    sums = "sum" in (lab.query.key, getattr(lab.query, "statistic", ""))
    below = sums and lab.query.bounds(model.data)[0] < 0
    told = np.full(len(low), -np.inf) if below else low
    if not model.asked.linear:
        told = np.minimum(low, possible(put(lab, "post_processing", "none"), model.data)[0])
    hair = 1e-9 * max(1.0, *(abs(end) for end in (*low, *high) if math.isfinite(end)), 1.0)
    first, last = interval(model)
    least = (low if lab.show_truth else told)[model.part]
    assert least - hair <= first <= last <= high[model.part] + hair
    figure = published_chart(model)
    for layer in figure.layers:
        if isinstance(layer, Columns) and layer.low is not None and layer.high is not None:
            assert (layer.low >= told - hair).all()
            assert (layer.high <= high + hair).all()
            assert (layer.low <= layer.heights).all()
            assert (layer.high >= layer.heights).all()
        if isinstance(layer, Dots):
            assert (layer.x >= (low if lab.show_truth else told)[0] - hair).all()
            assert (layer.x <= high[0] + hair).all()
    spans = answers(model).spans
    assert (spans[:, 0] >= told - hair).all()
    assert (spans[:, 1] <= high + hair).all()


def state(*words: str) -> Explore:
    """Explore with what a command line says."""
    lab = Explore()
    for word in words:
        name, _, value = word.partition("=")
        lab = put(lab, name, value)
    return lab


@pytest.mark.parametrize("words", BY_HAND.values(), ids=BY_HAND)
def test_intervals_lie_in_what_can_be_published(words: tuple[str, ...]) -> None:
    for more in (
        ("post_processing=clamp",),
        ("post_processing=both", "mechanism=gaussian", "adjacency=replace"),
        ("largest=yes", "mechanism.epsilon=0.02"),
        ("post_processing=clamp", "show_truth=no", "seed=3"),
    ):
        lab = state("mechanism.epsilon=0.05", *words, *more)
        check_ends(answer_model(lab, lab.mechanism, Context(few(), effort=LITTLE)))


@pytest.mark.parametrize("kind", [Explore, Compare], ids=lambda kind: kind.key)
def test_intervals_of_random_states(kind: type[Lab]) -> None:
    context, tried = Context(few(), effort=LITTLE), 0
    for seed in range(STATES):
        lab: Any = random_state(kind, seed, few()).suited(few())
        if any(problem.stops for problem in lab.problems(few())):
            continue
        tried += 1
        check_ends(
            comparison(lab, context).focus
            if isinstance(lab, Compare)
            else answer_model(lab, lab.mechanism, context)
        )
    assert tried >= STATES // 2


def test_a_chart_that_plays_keeps_its_whiskers_within() -> None:
    """A whisker of one answer was made of that of another, and lost what was cut from it."""
    lab = state("mechanism.epsilon=0.02", *BY_HAND["means"])
    found = little(lab, few())
    for index in range(8):
        layer = framed(lab, found, index).figure("published").layer("answer")
        assert (layer.low >= 13).all()
        assert (layer.high <= 57).all()
        assert (layer.heights == found.replays[index]).all()


def published(model: AnswerModel, rng: np.random.Generator, answers: int) -> np.ndarray:
    """Answers drawn and worked on here, shape (answers, coordinates)."""
    asked, lab = model.asked, model.lab
    noisy, laws = [], iter(model.release.laws)
    for m in asked.measurements:
        law = next(laws)
        noise = law.sample(rng, answers * len(m.values)).reshape(answers, -1)
        noisy.append(m.values + noise)
    out = noisy[0]
    if asked.ratio:
        mean = asked.step * noisy[0] / np.maximum(noisy[1], 1) + asked.offset
        out = np.minimum(np.maximum(mean, asked.ratio[0]), asked.ratio[1])
    elif asked.formula is not None:
        out = asked.formula(noisy)
    if lab.post_processing in ("round", "both") and model.release.whole:
        out = np.floor(out + 0.5)
    return np.maximum(out, 0) if lab.post_processing in ("clamp", "both") else out


@pytest.mark.parametrize("words", BY_HAND.values(), ids=BY_HAND)
def test_intervals_hold_as_often_as_they_say(words: tuple[str, ...]) -> None:
    """Of 4,000 answers a share of the confidence lies in the interval, to four deviations of that
    and to the 2 % of a law that is itself simulated from few draws."""
    data, rng = few(), np.random.default_rng(12)
    for more in (
        (),
        ("post_processing=clamp", "mechanism.epsilon=0.02"),
        ("post_processing=both", "mechanism=gaussian", "adjacency=replace", "confidence=0.8"),
    ):
        lab = state("mechanism.epsilon=0.1", *words, *more)
        model = answer_model(lab, lab.mechanism, Context(data, effort=LITTLE))
        low, high = interval(model)
        drawn = published(model, rng, 4000)[:, model.part]
        wide = 1e-9 * (high - low)
        share = np.mean((drawn >= low - wide) & (drawn <= high + wide))
        slack = 4 * math.sqrt(0.25 / 4000) * 0.8 + (0.0 if model.how != "simulation" else 0.02)
        assert share >= lab.confidence - slack, (more, share)


@pytest.mark.parametrize(
    ("key", "after"), [("count", "both"), ("sum", "clamp"), ("histogram", "clamp")]
)
def test_a_reader_of_one_clamped_answer_is_told_an_interval_that_holds(
    key: str, after: str
) -> None:
    """The interval about what was read holds the exact answer as often as it says, where that is
    near the clamp too: it was too short there (92.5 % of counts for 95 %)."""
    lab = state(*BY_HAND[key], f"post_processing={after}", "show_truth=no", "part=0")
    context = Context(few(), effort=LITTLE)
    asked = lab.query.ask(few(), lab.adjacency)
    moved = asked.measurements[0].sensitivity.l1
    spread = math.sqrt(lab.mechanism.law(asked.measurements[0].sensitivity).variance)
    for truth in (0.0, round(2.2 * spread), -3 * spread if key == "sum" else 9 * moved):
        exact, held = placed(asked, truth), 0
        release, rng = Release(exact, lab.mechanism, after), np.random.default_rng(4)
        for _ in range(READINGS):
            model = answer_model(lab, lab.mechanism, context, release.as_read(rng))
            low, high = interval(model)
            held += low - 1e-9 <= truth <= high + 1e-9
        least = 0.95 - 4 * math.sqrt(0.05 * 0.95 / READINGS)
        assert held / READINGS >= least, (truth, held / READINGS)


def placed(asked: Any, truth: float) -> Any:
    """The question with another exact answer in every coordinate."""
    values = np.full(len(asked.truth), float(truth))
    part = replace(asked.measurements[0], values=values)
    return replace(asked, truth=values, measurements=(part,))


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("kind", QUERIES, ids=lambda kind: kind.key)
def test_every_question_says_what_its_answers_count(kind: Any, adjacency: str) -> None:
    """A covariance stood on an axis named "rows"."""
    data = few()
    asked = kind().ask(data, adjacency)
    assert asked.unit.text
    assert not asked.vector or asked.across.text
    rows = all(m.name in ("count", "counts") for m in asked.measurements)
    assert ("rows" in asked.unit.text) == rows
    found = little(Explore(query=kind(), adjacency=adjacency), data)
    published = found.figure("published")
    if asked.table is None:
        assert (published.y if asked.vector else published.x).label == asked.unit
    low, high = asked.limits
    assert len(low) == len(high) == len(asked.truth)
    assert (low <= asked.truth + 1e-9).all()
    assert (asked.truth <= high + 1e-9).all()


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("kind", QUERIES, ids=lambda kind: kind.key)
def test_accountants_read_no_more_noise_than_there_is(kind: Any, adjacency: str) -> None:
    """The cost of many answers is that of the noise that is drawn: μ² by the accountants is at
    least what one person really moves the measurements, in deviations of their noise."""
    asked = kind().ask(few(), adjacency)
    release = Release(asked, AnalyticGaussian(epsilon=1.7, delta=1e-5))
    told = sum((gaussian_ratio(spend) or 0.0) ** 2 * spend.count for spend in spends(release))
    sigmas = [law.sigma for law in release.laws if isinstance(law, GaussianLaw)]
    assert len(sigmas) == len(asked.measurements)
    for move in asked.moves:
        moved = sum(
            sum(size**2 for size in move.sizes(place)) / sigma**2
            for place, sigma in enumerate(sigmas)
        )
        assert moved <= told * (1 + 1e-9)


# Where nobody is trusted


def check_whiskers(bars: Columns, least: float, most: float) -> None:
    """Each holds its bar, and reaches beyond what the exact number can be only as far as that."""
    assert bars.low is not None
    assert bars.high is not None
    assert (bars.low <= bars.heights).all()
    assert (bars.high >= bars.heights).all()
    assert (bars.low >= np.minimum(bars.heights, least)).all()
    assert (bars.high <= np.maximum(bars.heights, most)).all()


@pytest.mark.parametrize("post", POST, ids=lambda kind: kind.key)
@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda kind: kind.key)
def test_whiskers_of_local_counts_lie_in_what_counts_can_be(protocol: Any, post: Any) -> None:
    """They hold the exact count as often as they say, in every frame that is played."""
    for epsilon, shown in ((1.5, True), (0.3, False)):
        made, n = protocol().at(epsilon) or protocol(), 300.0
        column = "race" if made.refuses(3) is None else "sex"
        lab = LocalCounts(
            query=histogram.Histogram(column=column), protocol=made, post=post.key, show_truth=shown
        )
        found = little(lab, few())
        exact, labels = population(lab.query, few()).counts, population(lab.query, few()).labels
        held, frames = np.zeros(len(exact)), min(60, len(found.replays))
        for index in range(frames):
            figure = lab.frame(found, index).figure("published")
            # A lane for each value, the largest on top; what misses the truth stands apart.
            ends = [figure.layer(key).x.reshape(-1, 9)[:, 3:5] for key in ("whiskers", "missed")]
            squares = [figure.layer(key) for key in ("answer", "missing")]
            rows = np.concatenate([each.y for each in squares])
            names = dict(figure.y.ticks)
            order = [labels.index(names[row]) for row in rows]
            places = np.concatenate([each.x for each in squares])
            low, high = np.concatenate(ends).T
            bars = Columns("answer", "text", "", rows, places, low=low, high=high)
            check_whiskers(bars, 0.0, n)
            inside = (bars.low <= exact[order]) & (exact[order] <= bars.high)
            assert not shown or inside.tolist() == [True] * len(squares[0].x) + [False] * len(
                squares[1].x
            )
            held[order] += inside
        if frames == 60 and protocol is not Thresholded:
            assert (held / frames >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / frames)).all(), held


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda kind: kind.key)
def test_estimates_lie_between_the_ends_of_what_reports_add_up_to(protocol: Any) -> None:
    """`limits` against every report there is, and the band of many surveys within them."""
    made = protocol()
    least, most = made.limits(2)
    try:
        made.channel(2)
        each = made.listed(2)
    except NotImplementedError:
        assert (least, most) in ((-math.inf, math.inf), (0.0, 1.0))
    else:
        assert (each.min(), each.max()) == (least, most)
    lab = put(LocalCounts(query=Count(), protocol=made), "confidence", "0.999")
    found = little(lab, few(2))
    band = found.figure("surveys").layer("interval")
    if math.isfinite(most):
        ends = sorted(made.estimate(np.array([[2 * least] * 2, [2 * most] * 2]), 2)[:, 1])
        assert ends[0] - 1e-9 <= band.low <= band.high <= ends[1] + 1e-9


@pytest.mark.parametrize("protocol", NUMBERS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("hidden", [False, True], ids=["shown", "hidden"])
def test_intervals_of_local_means_lie_in_what_can_be_published(protocol: Any, hidden: bool) -> None:
    """The band of many surveys lies in what reports can average to; what one survey tells of the
    exact mean lies within the bounds."""
    rng = np.random.default_rng(3)
    for epsilon, more in ((0.05, ()), (3.0, ("hours-per-week", "education-num"))):
        made = protocol(epsilon=epsilon)
        lab = LocalMeans(
            query=total.Mean(column="age", low=17, high=90),
            protocol=made,
            more=more,
            confidence=0.999,
            show_truth=not hidden,
        )
        for rows in (2, 300):
            found = little(lab, few(rows))
            band = found.figure("published").layer("interval")
            d = 1 + len(more)
            t = np.ones((4000, d)) if d > 1 else np.ones(4000)
            sent = float(np.abs(made.reports(rng, t)).max())
            assert made.most(d) >= sent * (1 - 1e-12)
            reach = 1.0 if hidden else made.most(d)
            low, high = 53.5 - 36.5 * reach, 53.5 + 36.5 * reach
            assert low - 1e-9 <= band.low < band.high <= high + 1e-9
            for bars in (f.layer("answer") for f in found.figures if f.key == "columns"):
                check_whiskers(bars, -1.0, 1.0)
