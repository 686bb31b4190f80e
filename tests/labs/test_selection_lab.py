"""The selection lab: its numbers and figures, what it hides, that it works on every combination and
touches the table once."""

import json
import math
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from running import little
from scipy import stats

from dpstudio.charts.figure import Line
from dpstudio.data.dataset import Dataset
from dpstudio.data.held_columns import HeldColumns
from dpstudio.files.write import export, jsonout, svg
from dpstudio.files.write.palette import palette
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.one_answer.selection import model as selection
from dpstudio.labs.one_answer.selection.curves import loss_curve
from dpstudio.labs.one_answer.selection.parameters import Budgets, Selection
from dpstudio.labs.worded import lab_of_words
from dpstudio.privacy.mechanisms.choosing import SELECTIONS, Exponential, NoisyMax, PermuteFlip
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.mechanisms.selection import Selection as Mechanism
from dpstudio.privacy.queries import ADJACENCIES
from dpstudio.privacy.queries.mode import MostCommon
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, from_json, put, to_json

MEXICO = ("query=quantile", "query.column=age", 'query.where=native-country = "Mexico"')
TYPED = ("query=typed", "at=0,0.1,0.5,1")
KEYS = ["published", "error", "tradeoff", "winners"]


def lab(*settings: str) -> Selection:
    """By settings, from the most common occupation on."""
    made = Selection(query=MostCommon())
    for setting in settings:
        name, _, value = setting.partition("=")
        made = put(made, name, value)
    return made


def state(made: Selection, data: Dataset) -> selection.SelectionModel:
    return selection.selection_model(made, Context(data))


def run(made: Selection, data: Dataset) -> Findings:
    found = made.last(Context(data))
    return found


def test_default_findings(adult: Dataset) -> None:
    """Three occupations within 74 of each other among 4,140: visible chances, and permute-and-flip
    loses least."""
    found = run(lab(), adult)
    weights = np.exp(0.03 * (np.sort(found.truth)[::-1] - 4140))
    assert found.fact("chance").value == pytest.approx(1 / weights.sum(), rel=1e-12)
    assert found.fact("typical").value == pytest.approx(
        (weights / weights.sum()) @ (4140 - np.sort(found.truth)[::-1]), rel=1e-12
    )
    assert found.fact("truth").value == "Prof-specialty"
    assert found.fact("interval").value == 74
    assert render(found.fact("cost").text) == "ε = 0.03"
    told = found.sentence("compare").say.values
    losses = [
        m(epsilon=0.03).expected_loss(Scores(found.truth, 1.0, True))
        for m in (PermuteFlip, NoisyMax, Exponential)
    ]
    assert [n.value for n in (told["a"].values["n"], told["b"], told["c"])] == pytest.approx(
        losses, rel=1e-12
    )
    assert render(found.sentence("compare").say).startswith(
        "Permute-and-flip loses least: 9.41 rows on average"
    )
    needed = found.sentence("needed").say.values["epsilon"].value
    for epsilon, enough in ((needed, True), (needed * 0.999, False)):
        assert (1 / np.exp(epsilon * (found.truth - 4140)).sum() >= 0.95 - 1e-9) == enough
    assert found.headline == ("named", "needed", "compare")


def test_it_opens_on_a_contest(adult: Dataset) -> None:
    """The marital status of the oldest: the drawn numbers, in the columns of every mechanism; on a
    table without these columns another question is asked."""
    found = run(Selection().suited(adult), adult)
    lanes, names = found.figure("published").lanes, found.figure("published").y.ticks
    assert Selection().suited(adult) == Selection()
    assert [name for _, name in names] == [
        "Married-civ-spouse",
        "Widowed",
        "Never-married",
        "Divorced",
        "Married-spouse-absent",
        "Separated",
        "Married-AF-spouse",
    ]
    assert lanes is not None
    assert [[render(cell) for cell in column.cells] for column in lanes.columns] == [
        ["119", "80", "27", "9", "4", "2", "0"],
        ["66.7 %", "20.7 %", "4.2 %", "2.5 %", "2.1 %", "2.0 %", "1.9 %"],
        ["68.0 %", "20.9 %", "3.7 %", "2.1 %", "1.8 %", "1.7 %", "1.6 %"],
        ["77.3 %", "14.6 %", "2.7 %", "1.6 %", "1.4 %", "1.3 %", "1.2 %"],
    ]
    assert found.fact("typical").value == pytest.approx(21.7, abs=0.05)
    assert not any("not private" in render(problem.say) for problem in found.problems)
    words = Dataset(pd.DataFrame({"c": ["a", "b", "a"], "age": [80, 20, 30]}), "words")
    asked = Selection().suited(words).query
    assert (asked.column, asked.categories) == ("c", ())


def test_another_column_forgets_the_candidates_of_the_first(adult: Dataset) -> None:
    """By settings, as the window does: else none of them would be found."""
    found = run(put(Selection(), "query.column", "race"), adult)
    assert sorted(found.labels) == sorted(word for word, _ in adult.distinct("race", 99))
    assert not put(Selection(), "query.column", "race").query.attested
    assert put(Selection(), "query.column", "marital-status") == Selection()


def test_none_of_several_best_ones_is_told_as_the_best() -> None:
    """Half of these values are at most any of 10 to 20: winners are near one of those, not near 10."""
    data = Dataset(pd.DataFrame({"pay": [0, 10, 20, 30] * 20}), "even")
    made = lab("query=quantile", "query.column=pay", "mechanism.epsilon=0.03")
    made = put(made, "query.attested", True)
    found = run(made, data)
    weights = {at: 1.0 if 10 <= at <= 20 else math.exp(-0.6) for at in range(31)}
    near = [weight for at, weight in weights.items() if abs(at - 10) <= 9]
    assert sum(near) < 0.7 * sum(weights.values())  # so it is false of 10
    told = {key: render(found.sentence(key).say) for key in ("answer", "interval")}
    assert told["interval"] == "95 % of winners are within ±9 of the nearest exact quantile."
    assert told["answer"].startswith("10 and others are equally good; a simulated winner is ")
    assert "and 10 more" in render(found.fact("truth").note)
    assert "nearest" in render(found.fact("interval").note)
    data = Dataset(pd.DataFrame({"pay": ["a", "b"] * 20}), "even")
    found = run(put(lab("query.column=pay"), "query.attested", True), data)
    assert render(found.fact("answer").note) == "one of the best"


def test_figures_hold_the_exact_probabilities(adult: Dataset) -> None:
    """Bars, marks, columns, curves and the table agree with the mechanisms."""
    found = run(lab("mechanism=permute_flip", "mechanism.epsilon=0.02", "adjacency=replace"), adult)
    scores = Scores(found.truth, 1.0, False)
    published = found.figure("published")
    exact, order = PermuteFlip(epsilon=0.02).pmf(scores), np.argsort(-found.truth, kind="stable")
    # The ten best have a row each, the highest above, and all others one together.
    rows = [*exact[order[:10]], exact[order[10:]].sum()]
    bars = [published.layer(f"bar/{lane}").x[-1] for lane in range(11)]
    assert bars[::-1] == pytest.approx(rows, rel=1e-12)
    assert published.lanes is not None
    counts, *columns = published.lanes.columns
    told = [cell.values["p"].value for cell in columns[2].cells]
    assert told == pytest.approx(rows, rel=1e-12)
    assert [one.strong for one in columns] == [False, False, True]
    assert [render(cell) for cell in counts.cells[:2]] == ["4,140", "4,099"]
    for column, kind in zip(columns, SELECTIONS, strict=True):
        pmf = kind(epsilon=0.02).pmf(scores)
        rows = [*pmf[order[:10]], pmf[order[10:]].sum()]
        if kind is not PermuteFlip:
            assert published.layer(kind.key).x[::-1] == pytest.approx(rows, rel=1e-12)
        for cell, chance in zip(column.cells, rows, strict=True):
            if chance > 0.001:
                assert cell.values["p"].value == pytest.approx(chance)
            else:  # never 0
                assert "10" in render(cell)
    names = [name for _, name in published.y.ticks]
    assert [str(name) for name in names[:10]] == [found.labels[i] for i in order[:10]]
    assert names[10] == f"{len(exact) - 10} others"
    for kind in SELECTIONS:
        curve = found.figure("tradeoff").layer(kind.key)
        assert isinstance(curve, Line)
        for at in (0, 15, 25):
            assert curve.y[at] == pytest.approx(
                kind().at(float(curve.x[at])).expected_loss(scores), rel=1e-9
            )
        assert np.all(np.diff(curve.y) < 0)
        assert curve.y[-1] > 0
        share = found.figure("error").layer(kind.key)
        assert share.y[-1] == pytest.approx(1, abs=1e-9)
        assert share.y[0] == pytest.approx(kind(epsilon=0.02).pmf(scores)[found.part], rel=1e-9)
    here = found.figure("tradeoff").layer("here")
    assert (here.x, here.sets) == (0.02, "mechanism.epsilon")
    assert here.y == pytest.approx(PermuteFlip(epsilon=0.02).expected_loss(scores), rel=1e-12)
    shown = next(t for t in found.tables if t.shown)
    assert render(shown.title).startswith("Permute-and-flip")
    assert [render(h) for h in shown.heads] == [
        "occupation",
        "rows",
        "ε = 0.01",
        "ε = 0.03",
        "ε = 0.1",
        "ε = 1",
    ]
    column = dict(shown.columns)["epsilon_0.03"]
    assert [c.value for c in column[:3]] == pytest.approx(
        np.sort(PermuteFlip(epsilon=0.03).pmf(scores))[::-1][:3], rel=1e-12
    )
    assert "0" not in [str(c) for _, cells in shown.columns[2:] for c in cells]


def test_typed_scores_print_the_table_of_the_facts(adult: Dataset) -> None:
    """Cancer 50, HIV 20, HPV 30 at ε = 0, 0.1, 0.5, 1; nothing there is exact, so nothing is
    hidden."""
    found = run(lab(*TYPED, "show_truth=no"), adult)
    shown = next(t for t in found.tables if t.shown)
    rows = [
        [render(c) if hasattr(c, "text") else str(c) for c in row]
        for row in zip(*(c for _, c in shown.columns), strict=True)
    ]
    assert rows == [
        ["Cancer", "50", "0.333", "0.629", "0.993", "1 − 4.58·10⁻⁵"],
        ["HPV", "30", "0.333", "0.231", "0.00669", "4.54·10⁻⁵"],
        ["HIV", "20", "0.333", "0.140", "0.000549", "3.06·10⁻⁷"],
    ]
    assert [f.key for f in found.figures] == KEYS
    assert not any(f.exact for f in found.figures)
    assert not shown.exact


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("mechanism", ["exponential", "noisy_max", "permute_flip"])
@pytest.mark.parametrize(
    "question",
    [(), ("query.column=education-num",), MEXICO, TYPED],
    ids=["words", "numbers", "median", "typed"],
)
def test_every_combination_runs(
    adult: Dataset, question: tuple[str, ...], mechanism: str, adjacency: str
) -> None:
    """Finite figures inside their axes that can be drawn, sentences without holes, JSON without
    NaN; the same state, the same JSON."""
    made = lab(*question, f"mechanism={mechanism}", f"adjacency={adjacency}", "trials=1000")
    for setting in (
        "seed=1",
        "mechanism.epsilon=50",
        "mechanism.epsilon=0.001",
        "monotone=no",
        "show_truth=no",
    ):
        state = put(made, *setting.split("="))
        found = little(state, adult)
        hidden = setting == "show_truth=no" and question != TYPED
        assert [f.key for f in found.figures] == [
            k for k in KEYS if not (hidden and k == "winners")
        ]
        for figure in found.figures:
            assert all(math.isfinite(end) for axis in (figure.x, figure.y) for end in axis.range)
            assert all(axis.range[0] < axis.range[1] for axis in (figure.x, figure.y))
            assert figure.exact == (not hidden and question != TYPED)
            assert len({layer.key for layer in figure.layers}) == len(figure.layers)
            assert "nan" not in svg.figure_svg(figure, palette(False))
            assert {layer.ink for layer in figure.layers} <= set(palette(True))
        text = json.dumps(jsonout.findings_json(found), allow_nan=False)
        assert "{" not in "".join(render(s.say) for s in found.sentences)
        if setting == "seed=1":
            assert text == json.dumps(jsonout.findings_json(little(state, adult)), allow_nan=False)
        assert from_json([Selection], to_json(state)) == state


def test_frames_show_one_winner_after_another(adult: Dataset) -> None:
    """The mark, the dots so far, strip and sentence follow; doing it twice changes nothing."""
    for settings in ((), MEXICO):
        made = lab(*settings, "mechanism.epsilon=0.01")
        found = run(made, adult)
        labels = found.labels
        for index in (0, 7, len(found.replays) + 3):
            shown = made.frame(made.frame(found, 5), index)
            i = index % len(found.replays)
            winner = int(found.replays[i, 0])
            published = shown.figure("published")
            if published.lanes is not None:
                assert published.lanes.star is not None
                lanes = {str(name): at for at, name in published.y.ticks}
                assert published.lanes.star.y[0] == lanes.get(labels[winner], 0.0)
            else:
                chances, mark = published.layer("chances"), published.layer("answer")
                place, (low, high) = chances.x[winner], published.x.range
                assert mark.at == pytest.approx(min(max(place, low), high))
            place = selection.places(selection.selection_model(made, Context(adult)))[winner]
            assert len(shown.figure("winners").layer("answer").x) == i + 1
            assert shown.figure("winners").layer("answer").x[-1] == pytest.approx(place, abs=0.5)
            assert shown.fact("answer").value == labels[winner]
            assert labels[winner] in render(shown.sentence("answer").say)
            assert shown.figures[1:3] == found.figures[1:3]


def test_replays_are_runs_of_the_algorithm(adult: Dataset) -> None:
    """240 winners whose shares are near the exact ones; another seed draws others."""
    one, two = (run(lab(f"seed={s}"), adult) for s in (1, 2))
    assert one.replays.shape == (240, 1)
    assert not np.array_equal(one.replays, two.replays)
    share = np.mean(one.replays[:, 0] == one.part)
    assert abs(share - one.fact("chance").value) < 4 * math.sqrt(0.25 / 240)


def test_little_effort_draws_less_and_finds_the_same(adult: Dataset) -> None:
    """Fewer winners to step through and points of curves; exact numbers are no others."""
    whole, (*_, little) = run(lab(), adult), lab().run(Context(adult, effort=LITTLE))
    assert little.replays.shape == (12, 1)
    fine, coarse = (f.figure("tradeoff").layer("exponential").x for f in (whole, little))
    assert len(coarse) <= 12 < len(fine)
    for key in ("truth", "chance", "typical", "interval", "cost"):
        assert little.fact(key).value == whole.fact(key).value


def test_where_epsilon_over_delta_is_used(adult: Dataset) -> None:
    """For counts under add/remove at the chosen ε, elsewhere at half of it."""
    half = run(lab("monotone=no", "mechanism.epsilon=0.06"), adult)
    assert half.fact("chance").value == pytest.approx(
        run(lab(), adult).fact("chance").value, rel=1e-12
    )
    assert run(lab("adjacency=replace", "mechanism.epsilon=0.06"), adult).fact(
        "chance"
    ).value == pytest.approx(half.fact("chance").value)
    assert "left unused" in render(half.sentence("monotone").say)


# The gap that is said, against probabilities by brute force.


def softmax_chances(z: np.ndarray) -> np.ndarray:
    """Of the exponential mechanism, for scores in units of the noise."""
    weights = np.exp(z - z.max())
    return weights / weights.sum()


def laplace_max_chances(z: np.ndarray) -> np.ndarray:
    """That z_i plus Laplace noise of scale 1 is the largest, by quadrature between the scores."""

    # Between two scores the integrand is a sum of at most 2⁵ exponentials e^(cx), |c| ≤ 6, which 40
    # nodes on panels of length 2 integrate to the last bits.
    reach = np.arange(z.min() - 40, z.max() + 42, 2.0)
    ends = np.unique(np.concatenate([reach, z]))
    nodes, weights = np.polynomial.legendre.leggauss(40)
    half = np.diff(ends)[:, None] / 2
    x = (ends[:-1, None] + half * (1 + nodes)).ravel()
    below = stats.laplace.cdf(x - z[:, None])
    each = [stats.laplace.pdf(x - z[i]) * np.delete(below, i, 0).prod(0) for i in range(len(z))]
    return np.array(each) @ (half * weights).ravel()


def flipped_chances(z: np.ndarray) -> np.ndarray:
    """Of permute-and-flip, over all orders of the candidates."""
    keep, found = np.exp(z - z.max()), np.zeros(len(z))
    orders = list(permutations(range(len(z))))
    for order in orders:
        reached = 1.0
        for i in order:
            found[i] += reached * keep[i] / len(orders)
            reached *= 1 - keep[i]
    return found


BY_HAND = {
    "exponential": softmax_chances,
    "noisy_max": laplace_max_chances,
    "permute_flip": flipped_chances,
}


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("question", ["most_common", "typed"])
def test_the_gap_that_is_said_is_that_of_brute_force(question: str, adjacency: str) -> None:
    """Random scores, ε and noise: the three losses, and by how much the least is below the last."""
    rng, said = np.random.default_rng(7), 0
    for turn in range(12):
        count = int(rng.integers(2, 6))
        scores = rng.integers(1, 30, count)
        scores[0] = 30 + turn  # not all are as good
        mechanism = list(BY_HAND)[turn % 3]
        epsilon = round(float(rng.uniform(0.02, 0.4)), 4)
        settings = [
            f"mechanism={mechanism}",
            f"mechanism.epsilon={epsilon}",
            f"adjacency={adjacency}",
        ]
        noise = "gumbel" if mechanism == "noisy_max" and turn % 2 else "laplace"
        if mechanism == "noisy_max":
            settings.append(f"mechanism.noise={noise}")
        words = "".join(n * int(s) for n, s in zip("abcde", scores, strict=False))
        table = small(words, [0.0] * len(words))
        delta, monotone = 1.0, adjacency == "add_remove"
        if question == "most_common":
            settings += ["query=most_common", "query.column=c"]
        else:
            delta, monotone = round(float(rng.uniform(0.5, 3)), 3), bool(rng.integers(2))
            typed = ", ".join(f"{n} {s}" for n, s in zip("abcde", scores, strict=False))
            settings += ["query=typed", f"query.scores={typed}", f"query.sensitivity={delta}"]
            settings.append(f"query.monotone={'yes' if monotone else 'no'}")
        told = little(lab(*settings), table).sentence("compare").say.values
        z = epsilon * scores / delta / (1 if monotone else 2)
        by_hand = BY_HAND | ({"noisy_max": softmax_chances} if noise == "gumbel" else {})
        losses = sorted(float(by_hand[key](z) @ (scores.max() - scores)) for key in by_hand)
        if "share" not in told:
            assert losses[-1] <= losses[0] * 1.0051 or losses[-1] < 0.01
            continue
        said += 1
        assert [n.value for n in (told["a"].values["n"], told["b"], told["c"])] == pytest.approx(
            losses, rel=1e-7
        )
        assert told["share"].value == pytest.approx(1 - losses[0] / losses[-1], rel=1e-6)
    assert said >= 8


# What it hides.


def small(words: str, values: list[float]) -> Dataset:
    return Dataset(pd.DataFrame({"c": list(words), "x": values}), "small", "small", "0" * 64)


@pytest.mark.parametrize(
    "question",
    [
        ("query.column=c", "query.categories=a|b|c", "query.attested=yes"),
        ("query=quantile", "query.column=x", "query.grid=0,1,2,5,9", "query.attested=yes"),
    ],
    ids=["words", "numbers"],
)
@pytest.mark.parametrize("mechanism", [m.key for m in SELECTIONS])
def test_hidden_findings_depend_on_the_winner_alone(
    question: tuple[str, ...], mechanism: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables with nothing in common but the winner that is drawn give the same findings to the
    last bit."""
    made = lab(*question, f"mechanism={mechanism}").with_(show_truth=False)
    monkeypatch.setattr(
        SELECTIONS[[m.key for m in SELECTIONS].index(mechanism)],
        "simulate",
        lambda self, rng, scores, size: np.array([2]),
    )
    one, other = (
        jsonout.findings_json(run(made, data))
        for data in (small("aaab", [1.0, 2, 3, 9]), small("bbbbbcz", [5.0, 5, 6, 7, 0, 1, 20]))
    )
    assert one["figures"]
    assert one == other
    assert one["truth"] is None
    assert "seed" not in export.provenance(made, small("a", [1.0]))["lab"]


def test_hidden_winner_is_drawn_from_the_scores(adult: Dataset) -> None:
    """Over seeds it follows the exact probabilities, with other noise for another budget."""
    seeds = [lab("show_truth=no", f"seed={seed}") for seed in range(400)]
    winners = [selection.unseen_winner(state(made, adult))[0, 0] for made in seeds]
    model = state(lab(), adult)
    share = np.mean(np.array(winners) == model.asked.best)
    assert abs(share - selection.chances(model)["exponential"][model.asked.best]) < 4 * math.sqrt(
        0.25 / 400
    )


# Tables and speed of the slider.


def test_it_fits_itself_to_a_table(adult: Dataset) -> None:
    """A column that is there, a condition that can be asked, else another question, else typed
    scores; refused choices say why."""
    words = Dataset(pd.DataFrame({"c": ["a", "b", "a"]}), "words")
    assert lab().suited(adult) == lab()
    assert lab("query.where=age > 3").suited(words).query.column == "c"
    assert not lab("query.where=age > 3").suited(words).query.where
    assert lab(*MEXICO).suited(words).query.key == "most_common"
    assert list(lab().refused(words)["query"]) == ["quantile"]
    assert not lab().refused(adult)["query"]
    empty = Dataset(pd.DataFrame({"c": []}), "empty")
    assert lab().suited(empty).query.key == "typed"
    assert [p.field for p in run(lab(), empty).problems] == ["data"]
    assert run(lab(*TYPED), empty).figures
    assert [p.field for p in run(lab("query.column=gone"), adult).problems] == ["query.column"]


def test_a_slider_step_touches_nothing_twice(
    adult: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another ε reads no row and works out no curve again."""
    fresh = Dataset(adult._table, "fresh")
    run(lab(*MEXICO), fresh)
    calls: list[float] = []
    monkeypatch.setattr(HeldColumns, "numbers", lambda *rest: pytest.fail("the table was touched"))
    monkeypatch.setattr(
        Mechanism, "expected_loss", lambda self, scores: calls.append(self.epsilon) or 0.0
    )
    (found,) = lab(*MEXICO, "mechanism.epsilon=0.7").run(fresh)
    assert len(found.figures) == 4
    assert not calls


def test_late_curves_come_a_moment_later(adult: Dataset) -> None:
    """Many candidates: the first picture has no curve of noisy max yet; a cancelled run leaves off
    and is taken up again."""
    fresh = Dataset(adult._table, "fresh")
    made = lab("query.column=age")
    held = loss_curve(state(made, fresh), NoisyMax(epsilon=0.03))
    first = list(made.run(fresh, lambda: bool(np.isfinite(held.losses).sum() >= 10)))
    assert len(first) == 1
    with pytest.raises(KeyError):
        first[0].figure("tradeoff").layer("noisy_max")
    assert np.isfinite(held.losses).sum() == 10
    assert run(made, fresh).figure("tradeoff").layer("noisy_max").y[0] == held.losses[0]
    assert len(list(made.run(fresh))) == 1


def test_budgets() -> None:
    domain = Budgets("ε")
    assert domain.parse("0, 0.5; 2") == (0.0, 0.5, 2.0)
    assert domain.parse("1") == (1.0,)
    for value in domain.invalid_examples():
        with pytest.raises(ParamError):
            domain.check(value)


def test_one_candidate_hidden() -> None:
    """Nothing else can win, and nothing is lost."""
    data = Dataset(pd.DataFrame({"a": ["x", "x"]}), "one")
    found = lab("query.column=a", "show_truth=no").last(Context(data))
    assert found.figures


def test_no_condition_of_another_table_is_kept(adult: Dataset) -> None:
    """Of a table that has its column too, where nobody set it; one that somebody set stays."""
    visits = Dataset(pd.DataFrame({"age": [20, 80, 90, 30], "ward": list("aabb")}), "visits")
    for words in (["selection"], ["explore", "query=grouped"]):
        assert not lab_of_words(words).suited(visits).query.where
    asked = lab_of_words(["selection", "query.where=age > 25"])
    assert str(asked.suited(visits).query.where) == "age > 25"
    assert str(lab_of_words(["selection"]).suited(adult).query.where) == "age > 75"
