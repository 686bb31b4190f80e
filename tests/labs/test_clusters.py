"""Clusters: noisy steps that add up to ε, scores against scikit-learn, the player, refusals."""

import itertools

import numpy as np
import pandas as pd
import pytest
from running import FEW, LEAST, first_rows, lab_of, little

from dpstudio.charts.figure import Line
from dpstudio.data.codebook import EMPTY
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import LITTLE, Context, Effort
from dpstudio.labs.models.clusters.model import (
    ClustersModel,
    cloud,
    cost,
    count_cost,
    ends,
    exact,
    found,
    holds,
    lost,
    one,
    score_of,
    scores,
    split_of,
    steps_of,
    sum_cost,
)
from dpstudio.labs.models.clusters.parameters import Clusters, FourGaussians, TableRows
from dpstudio.labs.models.clusters.plane import _moved
from dpstudio.privacy.learning import lloyd
from dpstudio.values.messages import Num, render


def state(data: Dataset, **values: object) -> ClustersModel:
    return ClustersModel(Clusters(**values), data, Effort(points=0.3))  # type: ignore[arg-type]


def test_all_steps_together_cost_what_is_promised_unless_as_printed(adult: Dataset):
    """On one step and ten, replace one, and of persons with three rows each."""
    frame = first_rows(90)._frame.assign(who=lambda f: np.arange(len(f)) // 3)
    three = Dataset(frame, "three each").described(EMPTY.with_person("who", 3))
    rows = TableRows(features=("age", "hours-per-week"))
    for split in ("su", "even", "printed"):
        for steps in (1, 10):
            made = state(adult, split=split, steps=steps, epsilon=0.7)
            assert cost(made) == pytest.approx(1.4 if split == "printed" else 0.7)
            assert holds(made) == (split != "printed")
            grave = [p for p in little(made.lab, adult, LEAST).problems if p.grave]
            assert bool(grave) == (split == "printed")
    base = split_of(state(adult, points=rows)).total
    assert split_of(state(adult, points=rows, adjacency="replace")).total == pytest.approx(2 * base)
    assert split_of(state(three, points=rows)).total == pytest.approx(3 * base)


def test_counts_and_sums_of_all_steps_add_up_to_epsilon(adult: Dataset):
    """Under replace one, in two columns; each is what moves over its scale."""
    rows = TableRows(features=("age", "hours-per-week"))
    made = state(adult, points=rows, adjacency="replace", steps=3, epsilon=0.9, split="su")
    assert 3 * (count_cost(made) + sum_cost(made)) == pytest.approx(0.9)
    assert count_cost(made) * split_of(made).count == pytest.approx(2)


def test_what_is_said_of_runs_is_theirs(adult: Dataset):
    """Ends, first centres and centres that stay, from the draws themselves."""
    lab = Clusters(points=FourGaussians(size=500), epsilon=0.05, confidence=0.5)
    model, last = ClustersModel(lab, adult, Effort(points=0.1)), little(lab, adult)
    low, high = np.quantile(scores(model, "ari"), [0.25, 0.75])
    assert ends(model) == pytest.approx((low, high))
    said, none = (last.sentence(key).say.values for key in ("score", "untaught"))
    ours = ClustersModel(lab, adult, LITTLE)
    first = np.median(score_of(ours, "ari", found(ours).centres[:, 0]))
    assert none["none"].value == pytest.approx(first) != pytest.approx(said["whole"].value)
    assert 0.1 < lost(model) < 0.6  # noise of a step is far more than the people of a cluster
    assert lost(state(adult, points=FourGaussians(size=500), epsilon=50.0)) < 0.05


def test_what_is_better_with_noise_says_why(adult: Dataset):
    """Wherever the median is the better one and most runs are, run by run from the same start."""
    told = set()
    for k, score in itertools.product((4, 8), ("ari", "silhouette", "inertia")):
        points = FourGaussians(size=2_000)
        lab = Clusters(k=k, epsilon=0.5, score=score, start="lot", steps=8, points=points)
        shown, made = little(lab, adult), ClustersModel(lab, adult, FEW)
        sign = -1 if score == "inertia" else 1
        noisy, whole = (
            np.array([sign * score_of(made, score, run[None, -1])[0] for run in way.centres])
            for way in (found(made), exact(made))
        )
        won = noisy > whole
        expected = np.median(noisy) > np.median(whole) and won.sum() > (noisy < whole).sum()
        said = {s.key: render(s.say) for s in shown.sentences}
        assert ("better" in said) == expected == ("better" in shown.headline)
        if expected:
            ends_of = [m(made).centres[:, -1] for m in (found, exact)]
            inertia = [lloyd.inertia(cloud(made).x, centres) for centres in ends_of]
            few = np.mean((inertia[0] < inertia[1])[won]) < 0.5
            assert f"From {Num(np.mean(won), 3, percent=True)} of the first" in said["better"]
            assert ("asks for something else" in said["better"]) == few
        told.add(said.get("better", "")[-20:])
    assert len(told) == 3


def test_steps_are_those_that_the_noise_of_a_person_pays_for(adult: Dataset):
    """Who moves counts twice has the noise, and so the steps, of half of ε."""
    lab = Clusters(stepping="su", about=3000, epsilon=1.2)
    table = lab.with_(points=TableRows(features=("age", "hours-per-week")), epsilon=2.4)
    twice = steps_of(ClustersModel(table.with_(adjacency="replace"), adult, LEAST))
    assert 2 < twice == steps_of(ClustersModel(lab, adult, LEAST)) < 7


def test_little_tables_have_scores_or_say_why():
    """One row; points that are all the same; and clusters nearer to first centres than to those
    without noise are no help, on whichever side of both they lie."""
    rows = TableRows(features=("a", "c"), classes="b")
    for many, score in ((1, "ari"), (9, "silhouette")):
        data = Dataset(pd.DataFrame({"a": [1] * many, "b": ["x"] * many, "c": [2.5] * many}), "t")
        last = little(Clusters(points=rows, score=score, k=20, steps=1), data, LEAST)
        said = render(last.sentence("score").say)
        assert ("there is no silhouette" in said) == (score == "silhouette")
        assert "for the one step" in render(last.sentence("theorem").say)
    lab = Clusters(points=FourGaussians(size=50), k=20, epsilon=0.001)
    last = little(lab, data, Effort(points=0.1))
    score, whole = (next(f.value for f in last.facts if f.key == k) for k in ("score", "noiseless"))
    assert score > whole
    assert last.sentence("untaught").tone == "warn"


def test_four_made_clusters_are_found_as_the_facts_say(adult: Dataset):
    """5,000 points by lot: a median of .94 at ε = .1 (20 seeds there), .89 on average without
    noise, since centres that start by lot may get stuck."""
    lab = Clusters(points=FourGaussians(size=5_000), epsilon=0.1, split="even")
    last = lab.last(Context(adult, effort=Effort(points=0.1)))
    facts = {fact.key: fact.value for fact in last.facts}
    assert 0.6 < facts["score"] <= 1
    whole = exact(ClustersModel(lab, adult, Effort())).centres[:, -1]
    assert whole.shape == (40, 4, 2)
    assert facts["noiseless"] == pytest.approx(0.9, abs=0.11)


def test_the_player_shows_one_step_alone(adult: Dataset):
    """Where each centre stood, where its points alone would have put it, found here one by one, and
    where the noise did; the lanes beside it in numbers; no trail of other steps."""
    lab = Clusters(steps=3, epsilon=0.05)
    last = little(lab, adult)
    model = ClustersModel(lab, adult, Effort())
    run, x = found(one(model)), cloud(model).x
    assert len(last.replays) == 3
    for step in range(3):
        framed = lab.frame(last, (step - 1) % 3)  # it opens in the middle
        plane = framed.figure("plane")
        before, after = run.centres[0, step : step + 2]
        near = ((x[:, None] - before) ** 2).sum(axis=2).argmin(axis=1)
        alone = np.array(
            [x[near == j].mean(axis=0) if (near == j).any() else before[j] for j in range(4)]
        )
        for key, places in (("before", before), ("alone", alone)):
            drawn = plane.layer(key)
            np.testing.assert_allclose(np.stack([drawn.x, drawn.y], 1), places, atol=1e-9)
        arrows = [layer for layer in plane.layers if isinstance(layer, Line) and layer.arrow]
        ends = [[[line.x[k], line.y[k]] for line in arrows] for k in (0, 1)]
        np.testing.assert_allclose(ends, [before, after])
        far = [np.median(np.hypot(*(a - b).T)) for a, b in ((after, alone), (alone, before))]
        said = framed.sentence("moved").say.values
        assert [said[key].value for key in ("noise", "points")] == pytest.approx(far)
        assert said["n"].value == step + 1
        # Of points with more columns than the two drawn it would else be less than the noise does.
        assert "drawn centres" in render(framed.sentence("moved").say)
        for j in range(4):
            told = [plane.layer(f"{ink}_told_{j}").texts[0] for ink in ("truth", "answer")]
            far = [np.hypot(*(alone - before)[j]), np.hypot(*(after - alone)[j])]
            assert [word.values["far"].value for word in told] == pytest.approx(far)
            bars = [np.ptp(plane.layer(f"{ink}_{j}").x) for ink in ("truth", "answer")]
            assert bars[0] * far[1] == pytest.approx(bars[1] * far[0])
        # Round also where a centre lies at an edge: beyond the frame a ring is not drawn.
        ring = plane.layer("rings")
        centres = np.repeat(alone, len(ring.x) // 4, axis=0)
        radii = np.repeat(run.radii()[0, step], len(ring.x) // 4)
        seen = np.isfinite(ring.x)
        away = np.hypot(ring.x - centres[:, 0], ring.y - centres[:, 1])
        np.testing.assert_allclose(away[seen], radii[seen])
        assert max(np.abs(ring.x[seen]).max(), np.abs(ring.y[seen]).max()) <= 1
        assert plane.x.range[0] < -1 < 1 < plane.x.range[1]


def test_of_many_centres_those_that_noise_moves_most_have_a_lane(adult: Dataset):
    plane = little(Clusters(k=20, epsilon=0.05), adult).figure("plane")
    noise = [plane.layer(f"answer_told_{k}").texts[0].values["far"].value for k in range(7)]
    assert noise == sorted(noise, reverse=True)
    assert "13 more" in render(plane.layer("more").texts[0])


def test_a_step_that_moves_nothing_is_drawn() -> None:
    """Its bars have no length, and nothing is divided by the longest of them."""
    bars = [layer for layer in _moved(np.zeros((1, 18)), 0) if layer.key in ("truth_0", "answer_1")]
    assert [np.ptp(bar.x) for bar in bars if isinstance(bar, Line)] == [0, 0]


def test_su_sets_the_steps_from_a_public_number(adult: Dataset):
    counted = [
        steps_of(state(adult, stepping="su", about=about, epsilon=1.0)) for about in (100, 10**7)
    ]
    assert counted == [2, 7]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("points=table points.features=sex", "holds words"),
        ("points=table points.features=none", "no column"),
    ],
)
def test_what_has_no_sense_is_refused_by_name(words: str, told: str, adult: Dataset):
    lab, _ = lab_of(["clusters", *words.split(" ")])
    stops = [problem for problem in lab.problems(adult) if problem.stops]
    assert told in render(stops[0].say)
    assert not [problem for problem in lab.suited(adult).problems(adult) if problem.stops]


def test_without_exact_scores_no_point_is_looked_at(adult: Dataset):
    hidden = little(Clusters(show_truth=False), adult)
    assert [figure.key for figure in hidden.figures] == ["split"]
    assert not any(figure.exact for figure in hidden.figures)
    made = cloud(ClustersModel(Clusters(), adult, Effort()))
    assert made.made
    assert np.abs(made.x).max() <= 1
