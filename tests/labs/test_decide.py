"""Decide: a hundred guesses by their formulas, and squares that no filter moves."""

import math
import re
from typing import Any

import pytest

from dpstudio.charts.figure import Words
from dpstudio.charts.readout import reading
from dpstudio.data.dataset import Dataset
from dpstudio.files.deployments import deployments
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.promise.guarantee.parameters import Guarantee
from dpstudio.labs.start.decide.model import decide_model, hundred, speaking, sure_at_most
from dpstudio.labs.start.decide.parameters import Decide
from dpstudio.privacy.deployments import EVENT, UNITS, placed
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import QUERIES
from dpstudio.privacy.queries.query import Query
from dpstudio.values.messages import render


def found(data: Dataset, **settings: Any) -> Findings:
    return Decide(**settings).last(Context(data, effort=LITTLE, deployments=deployments))


def squares(findings: Findings) -> dict[str, tuple[str, float, float]]:
    """Ink and place of every square by its name."""
    figure = findings.figure("deployments")
    return {
        render(told[0]): (layer.ink, float(x), float(y))
        for layer in figure.layers
        for told, x, y in zip(getattr(layer, "tells", ()), *_places(layer), strict=True)
    }


def _places(layer: Any) -> tuple[Any, Any]:
    return (layer.x, layer.y) if getattr(layer, "tells", ()) else ((), ())


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 1.0, 3.0, 50.0])
def test_a_guess_by_the_formulas_of_laplace_noise(adult: Dataset, epsilon: float) -> None:
    lab = Decide(mechanism=Laplace(epsilon))
    model = decide_model(lab, Context(adult, effort=LITTLE))
    tail = math.exp(-epsilon / 2) / 2
    chance, average, most, wrong = hundred(model)
    assert chance == 50
    assert chance + average + most + wrong == 100
    assert chance + average == min(round(100 * (1 - tail)), chance + average + most)
    bound = 100 / (1 + math.exp(-epsilon))
    assert chance + average + most == pytest.approx(math.ceil(bound - 1e-9))
    assert 100 * sure_at_most(model) == pytest.approx(bound)
    assert speaking(model) == pytest.approx((100 * (1 - tail), 100 * tail), rel=1e-6)


def test_filters_take_squares_away_and_move_none(adult: Dataset) -> None:
    whole = squares(found(adult))
    assert whole.keys() == {each.name for each in placed(deployments())}
    one = squares(found(adult, units=(EVENT,), models=("Local",)))
    assert len(one) == 3
    assert one == {name: whole[name] for name in one}
    assert not squares(found(adult, units=()))


@pytest.mark.parametrize("epsilon", [0.005, 0.1, 1.0, 50.0])
def test_the_least_and_the_largest_of_a_lane_are_named_off_the_dial(
    adult: Dataset, epsilon: float
) -> None:
    findings = found(adult, mechanism=Laplace(epsilon))
    words = [each for each in findings.figure("deployments").layers if isinstance(each, Words)]
    named = {render(each.texts[0]) for each in words}
    for unit in UNITS:
        lane = sorted(
            (each for each in placed(deployments()) if each.protects == unit),
            key=lambda each: (each.promised or 0.0, each.slug),
        )
        assert {lane[0].curators[0], lane[-1].curators[0]} <= named
    for each in words:
        # A name beside its square begins or ends there, and has room as far as the dial.
        if each.key.endswith("False"):
            reach = abs(math.log10(epsilon / float(each.x[0])))
            towards = (epsilon > each.x[0]) == (each.anchor == "start")
            decades = 4 if epsilon >= 0.01 else 5
            assert not towards or each.room / 100 * decades <= reach + 0.01


@pytest.mark.parametrize("epsilon", [0.1, 3.0])
def test_the_same_squares_lie_over_explore_and_guarantee(adult: Dataset, epsilon: float) -> None:
    """Where an ε is chosen on another page, all that have a number stand as on Decide, the doubtful
    pale, and the dial is that ε."""
    context = Context(adult, effort=LITTLE, deployments=deployments)
    asked = squares(found(adult, mechanism=Laplace(epsilon)))
    for lab in (Explore(mechanism=Laplace(epsilon)), Guarantee(mechanism=Laplace(epsilon))):
        findings = lab.last(context)
        assert squares(findings) == asked
        (dial,) = (each for each in findings.figure("deployments").layers if each.key == "dial")
        assert dial.at == epsilon


def test_a_doubtful_one_is_never_drawn_as_the_others(adult: Dataset) -> None:
    drawn = squares(found(adult))
    for each in placed(deployments()):
        assert (drawn[each.name][0] == "muted") == bool(each.doubtful), each.name
    (ids,) = (t for t in found(adult).tables if t.key == "deployments")
    doubts = dict(ids.columns)["doubts"]
    assert sum(bool(cell.text) for cell in doubts) == sum(bool(d.doubts) for d in deployments())


def test_no_two_squares_hide_each_other_and_each_is_read(adult: Dataset) -> None:
    findings = found(adult)
    figure, places = findings.figure("deployments"), squares(findings)
    assert len({place[1:] for place in places.values()}) == len(places)
    for name, (_, x, y) in places.items():
        assert render(reading(figure, x, y)[0]) == name
    at = {unit: y for y, unit in figure.y.ticks}
    for each in placed(deployments()):
        assert abs(places[each.name][2] - at[UNITS[each.protects]]) < 0.5


@pytest.mark.parametrize("epsilon", [0.1, 2.0, 50.0])
def test_columns_count_what_is_left_of_the_dial(adult: Dataset, epsilon: float) -> None:
    findings = found(adult, mechanism=Laplace(epsilon))
    lanes, drawn = findings.figure("deployments").lanes, squares(findings)
    assert lanes is not None
    below, count = (tuple(int(render(cell)) for cell in one.cells) for one in lanes.columns)
    assert sum(count) == 31
    assert sum(below) == sum(place[1] <= epsilon for place in drawn.values())
    assert findings.fact("others").value == sum(below)


def test_without_a_register_nothing_is_said_of_it(adult: Dataset) -> None:
    findings = Decide().last(Context(adult, effort=LITTLE))
    assert [figure.key for figure in findings.figures] == ["guess", "published"]
    assert not findings.tables
    said = {sentence.key for sentence in findings.sentences}
    assert not said & {"units", "apart", "approved", "doubtful"}


@pytest.mark.parametrize("kind", QUERIES, ids=lambda kind: kind.key)
def test_words_are_plain_whatever_is_asked(adult: Dataset, kind: type[Query]) -> None:
    """No norm, and no sensitivity by a formula, on the page for who never heard of ε."""
    lab = Decide().with_(query=kind()).suited(adult)
    told = " ".join(render(one.say) for one in lab.last(Context(adult, effort=LITTLE)).sentences)
    assert "guess about you" in told
    assert not re.search(r"L1|L2|Δ|σ|[²√·/]\s*\(", told), told


def test_no_sentence_compares_with_what_others_do(adult: Dataset) -> None:
    """A large ε that others chose must not become the measure of what is enough."""
    for epsilon in (0.1, 50.0):
        said = " ".join(
            render(each.say) for each in found(adult, mechanism=Laplace(epsilon)).sentences
        ).lower()
        for words in ("like the others", "like others", "usual", "typical", "common", "average ε"):
            assert words not in said
