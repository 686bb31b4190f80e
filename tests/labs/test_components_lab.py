"""Components: what it says of noise against other routes, many owners on a machine, and what is
left when exact answers are hidden."""

from __future__ import annotations

import math
import random
from itertools import count

import numpy as np
import pandas as pd
import pytest
from running import FEW_POINTS, LEAST, little, opened

from dpstudio.charts.figure import Line, Ribbon
from dpstudio.data.codebook import About, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import LITTLE, Context, Machine
from dpstudio.labs.findings import Findings
from dpstudio.labs.models.components import model as components
from dpstudio.labs.models.components.draws import by_rows, captured_at, curve, rows_needed
from dpstudio.labs.models.components.noise import noise_curves, saved
from dpstudio.labs.models.components.parameters import Components, ManyOwners
from dpstudio.privacy.learning.components import captured, leading
from dpstudio.privacy.learning.ways import WAYS, GaussianMatrix, NoisyPower, Way
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma
from dpstudio.values.messages import Num, render
from dpstudio.values.parameters import ParamError

RNG = np.random.default_rng(6)
BOUNDED = About(low=-1.0, high=1.0, attested=True)
FRAME = pd.DataFrame(
    {name: np.clip(RNG.normal(0, spread, 400), -1, 1) for name, spread in
     (("a", 0.6), ("b", 0.3), ("c", 0.1))}
)  # fmt: skip
FRAME["kind"] = np.where(FRAME["a"] + 0.3 * RNG.normal(size=400) > 0, "high", "low")
FRAME.loc[:4, "b"] = np.nan
DATA = Dataset(FRAME, "small").described(Codebook(tuple((c, BOUNDED) for c in "abc")))
LAB = Components(features=("a", "b", "c"), predicts="kind", adjacency="replace", k=1)
TICKS = count()
MACHINE = Machine(random.Random(2).randrange, lambda: float(next(TICKS)))


def said(found: Findings, key: str) -> str:
    return render(found.sentence(key).say)


def test_rows_are_scaled_and_those_that_lack_a_value_are_counted() -> None:
    model = components.components_model(LAB, Context(DATA))
    assert components.n(model) == 395
    x = FRAME[["a", "b", "c"]].dropna().to_numpy() / np.sqrt(3)
    assert components.rows(model).x == pytest.approx(x)
    assert components.scatter(model) == pytest.approx(395 * np.cov(x.T, bias=True))
    assert "5 with a value missing are left out" in said(little(LAB, DATA), "left_out")


def test_more_rows_are_as_good_as_less_noise() -> None:
    """The curve by rows, against draws from second moments of so many times more rows."""
    model = components.components_model(LAB, Context(DATA, effort=FEW_POINTS))
    counts, shares = by_rows(model)
    made = GaussianMatrix()
    for place in (2, len(counts) // 2):
        more = components.scatter(model) * counts[place] / components.n(model)
        drawn = made.subspaces(more, 1, components.move(model), 40, (1, 61))
        assert np.quantile(captured(more, drawn), 0.5) == pytest.approx(shares[place], abs=1e-6)
    needed = rows_needed(model)
    for many, enough in ((needed.before, False), (needed.at, True)):
        more = components.scatter(model) * many / components.n(model)
        drawn = made.subspaces(more, 1, components.move(model), 40, (1, 61))
        assert (np.quantile(captured(more, drawn), 0.5) >= 0.95) == enough


def test_one_seed_draws_one_noise_at_every_epsilon() -> None:
    model = components.components_model(LAB, Context(DATA, effort=LITTLE))
    for kind in WAYS:
        epsilons, shares = curve(model, kind.key)
        again = captured_at(model, kind.key, float(epsilons[3]))
        assert np.quantile(again, (0.05, 0.5, 0.95)) == pytest.approx(shares[:, 3])
        assert (np.diff(shares, axis=0) >= 0).all()
        assert shares.shape[1] == len(epsilons)


def test_many_owners_on_a_machine() -> None:
    """All stages: times, both protocols, the identity in whole numbers, and scores by classes."""
    many = LAB.with_(holder=ManyOwners(owners=5, colluding=1))
    stages = list(many.run(Context(DATA, effort=LITTLE, machine=MACHINE)))
    found = stages[-1]
    assert len(stages) == 5
    assert "differs from S + G′ by 0," in said(found, "identity")
    assert {"flow", "owned", "f1", "cost"} <= {f.key for f in found.figures}
    one, other = found.fact("owned").value
    assert 0 < other < one <= 1
    # A clock that ticks once for each look says how many operations are done.
    assert found.fact("cost").value == 2 * 9 + (4 * 9 + 3 * 6 + 3) + 3 * 6 + 9
    f1 = found.figure("f1")
    assert (f1.layer("exact").y > 0.6).all()
    assert (f1.layer("pooled").y <= f1.layer("pooled_band").high + 1e-12).all()
    assert "a toy" in said(found, "key")
    assert "told" not in {s.key for s in found.sentences}
    added = little(many.with_(adjacency="add_remove"), DATA)
    assert "number of rows" in said(added, "told")


def test_two_rows_are_too_few_to_sort() -> None:
    few = Dataset(FRAME.iloc[5:7], "few").described(DATA.codebook)
    found = little(LAB.with_(holder=ManyOwners(), features=("a", "c")), few, LEAST)
    assert "owned" not in {f.key for f in found.figures}  # one size alone is no curve
    assert "f1" not in {f.key for f in found.figures}


def test_a_proxy_cannot_multiply_what_it_cannot_read() -> None:
    lab = LAB.with_(holder=ManyOwners(), mechanism=NoisyPower())
    found = little(lab, DATA)
    assert not found.figures
    assert "cannot read" in render(found.problems[0].say)
    assert set(found.refused["mechanism"]) == {"noisy_power", "exponential_subspace"}
    with pytest.raises(ParamError, match="At least two of 5"):
        ManyOwners(owners=5, colluding=4)


def test_hidden_it_says_what_no_row_has_a_part_in() -> None:
    """The same of two tables that differ in every row."""
    other = Dataset(FRAME.sample(300, random_state=1) * 1, "other").described(DATA.codebook)
    for holder in (LAB.holder, ManyOwners(owners=4, colluding=2)):
        lab = LAB.with_(holder=holder, show_truth=False)
        one, two = (little(lab, data) for data in (DATA, other))
        assert [f.key for f in one.figures] == [f.key for f in two.figures]
        assert {"noise", "printed"} <= {f.key for f in one.figures}
        assert [render(s.say) for s in one.sentences] == [render(s.say) for s in two.sentences]
        assert one.tables == () or all(not table.exact for table in one.tables)


def test_the_digits_are_there_with_their_bounds() -> None:
    data = opened("digits")
    lab = Components(k=5).suited(data)
    model = components.components_model(lab, Context(data))
    assert (model.p, components.n(model), lab.predicts) == (64, 1797, "digit")
    assert components.rows(model).unattested == ()
    share = captured(components.scatter(model), leading(components.scatter(model), 5))
    assert share == pytest.approx(1.0)
    # scikit-learn's PCA of the same 8 x 8 digits: 54.5 % by five components.
    values = np.linalg.eigvalsh(components.scatter(model))[::-1]
    assert values[:5].sum() / values.sum() == pytest.approx(0.545, abs=0.001)


def test_numbers_that_are_words_are_refused() -> None:
    """A digit is a class: its codebook lists its words, though it is written as a number."""
    data = opened("digits")
    found = little(Components(features=("pixel_2_3", "digit")), data)
    assert "“digit” holds words" in render(found.problems[0].say)
    # Nor do classes whose words nobody attests make bounds of pixels less public.
    assert not little(Components(features=(), predicts="pixel_2_3"), data, LEAST).problems
    assert (
        "digit" not in components.components_model(Components(features=()), Context(data)).columns
    )


@pytest.mark.parametrize("kind", WAYS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("adjacency", ["add_remove", "replace"])
def test_centring_is_told_in_the_norm_of_the_noise(kind: type[Way], adjacency: str) -> None:
    """The factor is that of the scales, whatever norm these follow."""
    lab = LAB.with_(mechanism=kind(), adjacency=adjacency, centred=False)
    zero = little(lab, DATA, LEAST).fact("noise").value
    found = little(lab.with_(centred=True), DATA, LEAST)
    factor = found.fact("noise").value / zero
    assert f"centring takes {Num(factor, 3)} times" in said(found, "centred")
    told = found.sentence("centred").say.values
    assert told["mean"].value / told["zero"].value == pytest.approx(factor)
    _, about_0, about_mean = noise_curves(
        components.components_model(lab, Context(DATA, effort=LEAST))
    )
    assert about_mean / about_0 == pytest.approx(factor)
    assert found.sentence("budget").say.values["delta"].value == getattr(kind(), "delta", 0.0)


def test_noise_as_printed_beside_the_exact_one() -> None:
    """The classical σ by its formula; and what is bad is what costs more than is claimed."""
    for epsilon in (0.5, 8.0):
        lab = LAB.with_(mechanism=GaussianMatrix(epsilon=epsilon, delta=1e-6))
        classical = math.sqrt(2 * math.log(1.25e6)) / epsilon
        times = classical / analytic_sigma(epsilon, 1e-6)
        assert saved(components.components_model(lab, Context(DATA))) == pytest.approx(times)
        found = little(lab, DATA, LEAST)
        for key in ("printed_centred", "printed_power"):
            sentence = found.sentence(key)
            real = sentence.say.values["real"].value
            assert (sentence.tone == "bad") == (real > epsilon)


def test_what_is_enough_everywhere_is_not_said_to_begin() -> None:
    """With one column every draw keeps all; and no more rows are spoken of than are looked at."""
    lab = LAB.with_(features=("a",), mechanism=GaussianMatrix(epsilon=50.0))
    found = little(lab, DATA, LEAST)
    assert render(found.fact("enough").text) == "any ε drawn"
    assert render(found.fact("rows").text) == "1 row or fewer"
    assert said(found, "captured").startswith("As many components as columns, 1, lose nothing")
    few = Dataset(FRAME[["a", "b", "c"]].iloc[5:9], "few").described(DATA.codebook)
    lab = lab.with_(features=("a", "b", "c"), enough=0.999, centred=True)
    found = little(lab, few, LEAST)
    assert render(found.fact("rows").text) == "more than 4 rows"


@pytest.mark.parametrize("kind", WAYS, ids=lambda kind: kind.key)
def test_it_can_be_stopped_between_any_two_draws(kind: type[Way]) -> None:
    """It looks before every ε of every curve, and ends at the first look that says so."""
    lab = LAB.with_(mechanism=kind(), drawn=(kind.key,))

    def looks(stop: float) -> tuple[list[Findings], int]:
        asked, data = count(), Dataset(FRAME, "fresh").described(DATA.codebook)
        context = Context(data, effort=LEAST, cancelled=lambda: next(asked) >= stop)
        return list(lab.run(context)), next(asked)

    (*_, found), looked = looks(float("inf"))
    assert looked >= len(found.figure("captured").layer(kind.key).x)
    for stop in (0, looked // 3, looked - 2):
        assert looks(stop)[1] == stop + 1


def test_a_column_without_a_value_is_no_class() -> None:
    """Nothing is sorted by it; the components are what they are."""
    frame = pd.DataFrame(
        {"x": [0.0, 1.0, 2.0, 1.0], "y": [2.0, 1.0, 0.0, 2.0], "empty": [None] * 4}
    )
    data = Dataset(frame, "empty")
    assert components.classes_of(Components(features=("x", "y"), predicts="empty"), data) is None


def test_curves_part_over_the_whole_height() -> None:
    """What is drawn takes most of the axis, wherever it begins: it began at a whole tenth, and a
    tenth below."""
    for k in (1, 2):
        figure = little(LAB.with_(k=k), DATA).figure("captured")
        low, high = figure.y.range
        drawn = [layer.low for layer in figure.layers if isinstance(layer, Ribbon)]
        drawn += [layer.y for layer in figure.layers if isinstance(layer, Line)]
        least = min(float(np.nanmin(values)) for values in drawn)
        assert low <= min(least, figure.layer("chance").at) <= low + 0.3 * (high - low)
        assert 1 < high < 1 + 0.04 * (high - low)
