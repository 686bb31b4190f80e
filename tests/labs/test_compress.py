"""Compress: what it says of projections against other routes, and what is left when exact answers
are hidden."""

import numpy as np
import pandas as pd
import pytest
from running import LEAST, little
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import RepeatedKFold, cross_val_score
from sklearn.svm import SVC

from dpstudio.data.codebook import About, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.data.pixels import picture_shape
from dpstudio.files.assets import asset
from dpstudio.gui.parts.declared import plays
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.whole_tables.compress import beside, lost, promise_words, words
from dpstudio.labs.whole_tables.compress import model as compress
from dpstudio.labs.whole_tables.compress.parameters import QUICK, Compress, Faces, TableRows
from dpstudio.privacy.compression.projections import (
    PRIVACY,
    PROJECTIONS,
    Dca,
    Pca,
    RandomProjection,
)
from dpstudio.privacy.learning.ways import GaussianMatrix, LaplaceMatrix
from dpstudio.values.messages import Message, render

RNG = np.random.default_rng(8)
N = 600
FRAME = pd.DataFrame(
    RNG.uniform(-0.5, 0.5, (N, 5)) * [1.0, 0.9, 0.8, 0.7, 0.6], columns=list("abcde")
)
FRAME["use"] = np.where(FRAME["a"] > 0, "yes", "no")
FRAME["secret"] = np.where(FRAME["b"] > 0.2, "one", "two")
FRAME["who"] = np.arange(N) // 3
BOUNDED = About(low=-1.0, high=1.0, attested=True)
DATA = Dataset(FRAME, "small").described(Codebook(tuple((c, BOUNDED) for c in "abcde")))
LAB = Compress(points=TableRows(features=tuple("abcde"), utility="use", privacy="secret"), k=2)


def model(lab: Compress = LAB, data: Dataset = DATA) -> compress.CompressModel:
    return compress.compress_model(lab, Context(data, effort=LITTLE), 2)


@pytest.mark.parametrize("score", ["rows", "classes"])
def test_all_directions_tell_what_whole_rows_tell(score: str) -> None:
    """Whatever the way, and however the attacker turns rows back."""
    m = model(LAB.with_(score=score))
    for key in ("pca", "dca", "random"):
        for attacker in ("linear", "inverse", "decoder"):
            found = compress.trade(m, compress.way_of(m, key), attacker)
            assert found.ks[-1] == compress.space(m).rank == 5
            assert found.middle[:, -1] == pytest.approx(compress.unprojected(m), abs=0.005)


def test_one_answer_for_all_is_right_of_the_commonest_or_of_one_class() -> None:
    """By counting the rows that are tested."""
    m = model()
    tested = FRAME["secret"].to_numpy()[compress.splits(m).test]
    assert compress.commonest(m)[PRIVACY] == np.median(np.mean(tested == "two", axis=1))
    assert compress.commonest(model(LAB.with_(score="classes"))) == (0.5, 0.5)


def test_dca_hides_what_pca_tells() -> None:
    """The label that is independent of what is to be told: no attacker does better than one answer
    for all by much, and PCA gives it away."""
    m = model(LAB.with_(k=1, score="classes"))
    assert max(beside.by_strength(m).values()) < 0.62
    assert compress.trade(m, Pca(), "linear").middle[PRIVACY, -1] > 0.9
    assert not beside.beaten(model(LAB.with_(k=1)))
    said = render(little(LAB.with_(k=1), DATA).sentence("strongest").say)
    # Nearest neighbours may tell more of whole rows than the one rule that is tried on them.
    assert "the linear rule on whole rows" in said
    assert said.startswith("Of 6 attackers none does better")


def test_the_guess_for_an_even_label_is_a_coin_at_least() -> None:
    """Of labels that are even in the table one answer is right of the more frequent class of those
    tested, not of those learnt from: at any seed, of both labels and either score."""
    frame = FRAME.assign(use=np.arange(N) % 2, secret=RNG.permutation(np.arange(N) % 3))
    frame = frame.astype({"use": str, "secret": str})
    data = Dataset(frame, "even").described(DATA.codebook)
    for seed in range(6):
        m = model(LAB.with_(seed=seed), data)
        for at, classes in ((0, 2), (1, 3)):
            tested = frame[("use", "secret")[at]].to_numpy()[compress.splits(m).test]
            best = [np.unique(each, return_counts=True)[1].max() for each in tested]
            assert compress.commonest(m)[at] == np.median(best) / tested.shape[1] >= 1 / classes
        alike = compress.commonest(model(LAB.with_(seed=seed, score="classes"), data))
        assert alike == pytest.approx((1 / 2, 1 / 3))


def test_attackers_who_learn_from_rows_find_what_no_line_tells() -> None:
    """A label inside and outside of a ring: no rule that is linear tells it, and an SVM does, by
    what scikit-learn makes of the same splits; who is said to be strongest does as well. Where
    classes count alike a seldom one is not given up."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.uniform(-0.5, 0.5, (1200, 2)), columns=["a", "b"])
    frame["use"] = np.where(frame["a"] > 0, "yes", "no")
    inside = frame["a"] ** 2 + frame["b"] ** 2 < 0.05
    frame["secret"] = np.where(inside, "in", "out")
    data = Dataset(frame, "ring").described(DATA.codebook)
    points = TableRows(features=("a", "b"), utility="use", privacy="secret")
    for score in ("rows", "classes"):
        m = model(LAB.with_(points=points, way=Pca(), k=2, score=score), data)
        found = beside.by_strength(m)
        assert max(found[name] for name in QUICK) < compress.commonest(m)[PRIVACY] + 0.05
        test = compress.splits(m).test[0]
        rest = np.setdiff1d(np.arange(len(frame)), test)
        x, y = frame[["a", "b"]].to_numpy(), inside.to_numpy()
        kind = {"rows": None, "classes": "balanced"}[score]
        svm = SVC(class_weight=kind).fit(x[rest], y[rest]).predict(x[test])
        shares = [np.mean((svm == y[test])[y[test] == each]) for each in (True, False)]
        reached = np.mean(svm == y[test]) if score == "rows" else np.mean(shares)
        assert found["neighbours"] > reached - 0.08 > compress.commonest(m)[PRIVACY]
        assert beside.beaten(m)
        assert beside.better(m)["neighbours"] == 1.0
        crowd, full = compress.commonest(m)[PRIVACY], compress.unprojected(m)[PRIVACY]
        share = min(1.0, (max(found.values()) - crowd) / (full - crowd)) if full > crowd else 0.0
        assert beside.above(m)[1] == pytest.approx(share)


def test_it_says_in_how_many_splits_and_of_how_many_rows_is_learnt() -> None:
    for asked, tried in ((20, 20), (30, 20)):
        m = compress.compress_model(LAB.with_(splits=asked), Context(DATA), 2)
        assert m.splits == asked
        assert len(beside.each_split(m, "neighbours")) == tried
        (told,) = [s.say.values for s in words.sentences(m) if s.key == "learnt"]
        assert {name: told[name].value for name in ("tried", "splits")} == {
            "tried": tried,
            "splits": asked,
        }
        known = [beside._known(m, place, np.random.default_rng(1)) for place in range(3)]
        assert {len(rows) for rows in known} == {told["known"].value}
        assert told["asked"].value <= compress.splits(m).test.shape[1]


def test_rows_of_a_person_are_on_one_side() -> None:
    """Those to learn from are all but every row of who is tested."""
    data = DATA.described(DATA.codebook.with_person("who", 3))
    made = compress.splits(model(data=data))
    who = FRAME["who"].to_numpy()
    for place, test in enumerate(made.test):
        people = np.unique(who[test])
        assert made.sums.n[place] <= N - 3 * len(people) + 3
        assert made.sums.n[place] >= N - 3 * len(people) - 3
    m = compress.compress_model(LAB, Context(data), 2)
    for place, test in enumerate(compress.splits(m).test):
        known = beside._known(m, place, np.random.default_rng(place))
        assert {*who[known]}.isdisjoint(who[test])


def test_a_promise_without_noise_is_pca_and_one_with_much_tells_nothing() -> None:
    plenty = GaussianMatrix(epsilon=50.0, delta=0.1)
    many = Dataset(pd.concat([FRAME] * 40, ignore_index=True), "many").described(DATA.codebook)
    m = model(LAB.with_(mechanism=plenty), many)
    pca = compress.trade(m, Pca(), "linear")
    assert beside.private_directions(m).middle == pytest.approx(pca.middle, abs=0.03)
    little_left = model(LAB.with_(mechanism=GaussianMatrix(epsilon=0.01), score="classes"))
    assert beside.private_rows(little_left).middle == pytest.approx(0.5, abs=0.08)


def test_another_promise_takes_no_curve_away() -> None:
    """What a hand on ε leaves as it was stands in the first picture, beside what keeps the new
    promise in few splits."""
    held = Context(Dataset(FRAME, "fresh").described(DATA.codebook))
    *_, before = LAB.run(held)
    first, *_, last = LAB.with_(mechanism=GaussianMatrix(epsilon=2.0)).run(held)
    drawn = [[layer.key for layer in f.figure("trade").layers] for f in (before, first, last)]
    assert drawn[0] == drawn[1] == drawn[2]
    assert {"private_rows", "trade"} <= first.coarse


def test_what_is_lost_falls_and_as_printed_it_rises() -> None:
    m = model()
    assert not lost.lost_by_decoder(m, Pca())[compress.space(m).rank :].any()  # 0 %, not 10⁻¹⁴ %
    assert (np.diff(lost.lost_by_inverse(m, LAB.way)) <= 1e-12).all()
    _, (right, order, _) = lost.printed_errors(m)
    assert right == pytest.approx(
        lost.lost_by_inverse(m, Pca())[np.array(lost.printed_errors(m)[0])]
    )
    assert order[-1] > 1.8 > 1.0 > right[0]
    said = {s.key: render(s.say) for s in little(LAB, DATA).sentences}
    assert "must fall to 0." in said["printed_order"]
    assert "printed_mean" not in said  # the mean lies along the directions of the rows


def test_one_label_is_told_and_attacked_and_rows_are_rebuilt() -> None:
    """A table of numbers and one label, as of pictures and who is on them: what a linear attacker
    tells is what is told, and PCA loses what scikit-learn's leaves over."""
    rows = Dataset(FRAME.drop(columns=["secret", "who"]), "X and y")
    lab = Compress().suited(rows)
    assert lab.points.utility == lab.points.privacy == "use"
    assert not list(lab.problems(rows))
    m = model(lab.with_(way=Pca(), k=2, attacker="linear"), rows)
    utility, privacy = compress.told_here(m)
    assert utility == privacy
    left = 1 - PCA(2).fit(compress.held(m).x).explained_variance_ratio_.sum()
    assert lost.lost_here(m) == pytest.approx((left, left))
    names = [label.name for label in compress.held(m).labels]
    assert len({render(name) if isinstance(name, Message) else name for name in names}) == 2
    assert any(each.key == "one_label" for each in words.sentences(m))
    assert all(each.key != "one_label" for each in words.sentences(model()))
    # Who chose both to be one keeps them so on another table that has it.
    assert lab.suited(DATA).points.one_label


@pytest.mark.parametrize(("k", "told"), [(1, 0.77), (6, 0.76)])
def test_pima_is_told_as_table_9_3_and_figure_9_8_have_it(k: int, told: float) -> None:
    """Without any split of ours: scikit-learn's discriminant by all columns, and by six principal
    components, in twenty folds; the companion holds both numbers of the lab."""
    table = pd.read_csv(asset("tables/pima.csv.xz"))
    x, y = table.drop(columns="diabetes").to_numpy(float), table["diabetes"] == "yes"
    x = (x - x.min(0)) / np.ptp(x, axis=0)
    x = PCA(k).fit_transform(x) if k > 1 else x
    folds = RepeatedKFold(n_splits=4, n_repeats=5, random_state=0)
    found = cross_val_score(LinearDiscriminantAnalysis(), x, y, cv=folds)
    assert np.mean(found) == pytest.approx(told, abs=0.015)


def test_rows_that_are_all_alike_are_refused() -> None:
    """0.7 of [−1, 1] is its own mean but for rounding."""
    frame = FRAME.assign(a=0.7, b=0.1)
    data = Dataset(frame, "flat").described(DATA.codebook)
    lab = LAB.with_(points=TableRows(features=("a", "b"), utility="use", privacy="secret"))
    assert render(little(lab, data, LEAST).problems[0].say).startswith("All rows are alike")


def test_of_few_rows_it_says_whether_values_are_missing() -> None:
    """“Name fewer columns” was said of a table of twelve rows that lacked nothing."""
    gaps = FRAME.copy()
    gaps.loc[12:, "a"] = np.nan
    for frame, advice in ((FRAME[:12], "Open another"), (gaps, "Name fewer columns")):
        data = Dataset(frame, "few").described(DATA.codebook)
        (problem,) = little(LAB, data, LEAST).problems
        assert render(problem.say).startswith("The table has 12" if frame is not gaps else "12")
        assert advice in render(problem.say)


def test_hidden_rows_leave_only_what_no_row_has_a_part_in() -> None:
    found = little(LAB.with_(show_truth=False), DATA, LEAST)
    assert [figure.key for figure in found.figures] == ["law"]
    # Synthetic faces are nobody's.
    shown = little(Compress(points=Faces(people=4, each=12), show_truth=False), DATA, LEAST)
    assert {"trade", "strip"} <= {figure.key for figure in shown.figures}


def test_what_is_drawn_by_lot_says_so() -> None:
    """Of rows of the table PCA is no simulation, random directions and synthetic faces are; pictures
    and scores that nobody can hide are not asked about."""
    flags = {}
    for name, lab in (
        ("pca", LAB.with_(way=Pca(), drawn=("pca", "dca"))),
        ("random", LAB.with_(way=RandomProjection())),
        ("faces", LAB.with_(points=Faces(), way=Pca(), drawn=("pca", "dca"))),
    ):
        found, printed = little(lab, DATA), little(lab.with_(view="printed"), DATA)
        flags[name] = [found.figure(key).simulated for key in ("scree", "lost")]
        flags[name].append(printed.figure("sign").simulated)
        asked = [plays(lab, at) for at in ("picture", "show_truth")]
        assert asked == ([True, False] if name == "faces" else [False, True])
    assert flags == {"pca": [False] * 3, "random": [True, True, False], "faces": [True] * 3}


def test_pixels_are_known_by_their_names() -> None:
    page = [f"p_{y}_{x}" for y in range(2, 5) for x in range(4)]
    assert picture_shape(page) == (3, 4)
    assert picture_shape(page[::-1]) is None
    assert picture_shape(("a", "b", "c", "d")) is None


@pytest.mark.parametrize("sign", [1, -1])
def test_the_sign_of_the_second_ridge_orders_what_tells_nothing(sign: int) -> None:
    """By the variances of the directions themselves; and what the best decoder misses is less."""
    m = model(LAB.with_(way=Dca(rho_prime=sign * 0.1)))
    w, spread = lost.ranked(m, m.lab.way)[1], compress.space(m).sums.spread
    rest = np.diff(
        np.diag(w.T @ spread @ w)[compress.signals(m) :]
        / np.sum(w**2, axis=0)[compress.signals(m) :]
    )
    assert lost.order(m) == sign
    assert (sign * rest > 0).all()
    rho, prime = lost.ridges(m)
    assert prime == pytest.approx(sign * 0.1 * rho)
    assert lost.law(sign * 0.1)[[0, -1]] == pytest.approx([1 + sign * 0.1, 1], abs=2e-4)
    inverse, decoder = lost.lost_here(m)
    assert (inverse, decoder) == (
        lost.lost_by_inverse(m, m.lab.way)[2],
        lost.lost_by_decoder(m, m.lab.way)[2],
    )
    assert decoder < inverse


def test_the_delta_of_the_promise_beside_it() -> None:
    for way, delta in ((GaussianMatrix(delta=1e-7), 1e-7), (LaplaceMatrix(), 0.0)):
        told = promise_words.budget(model(LAB.with_(mechanism=way))).say.values
        assert (told["epsilon"].value, told["delta"].value) == (way.epsilon, delta)


def test_every_way_has_a_lane_with_the_numbers_of_the_table() -> None:
    """Whole rows first and private ones last; the chosen way is never left out, and its bar lies
    between its two numbers."""
    keys = tuple(kind.key for kind in PROJECTIONS)
    for way in PROJECTIONS:
        found = little(LAB.with_(way=way(), drawn=keys[:2]), DATA, LEAST)
        trade, held = found.figure("trade"), dict(found.tables[0].columns)
        lanes = trade.lanes
        assert lanes is not None
        assert trade.y.ticks[lanes.chosen][1] == way.short
        ways = slice(1, 1 + len(held["way"]))
        cells = [[render(cell) for cell in column.cells[ways]] for column in lanes.columns]
        assert cells == [[str(x) for x in held[name]] for name in ("k", "utility", "privacy")]
        assert len(trade.y.ticks) == len(held["way"]) + 2
        at = trade.y.ticks[lanes.chosen][0]
        utility, privacy = (trade.layer(f"{name}_dots") for name in ("utility", "privacy"))
        ends = [float(dots.x[list(dots.y).index(at)]) for dots in (privacy, utility)]
        bars = [layer.x.tolist() for layer in trade.layers if layer.key == f"between/{at:.0f}"]
        assert bars == ([ends] if ends[0] < ends[1] else [])
