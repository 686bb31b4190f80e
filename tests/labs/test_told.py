"""What stands at the right of the names of curves, against the curves themselves."""

import re

import numpy as np
import pytest
from running import little

from dpstudio.charts.figure import Figure, Handle, Line
from dpstudio.charts.label_names import names_of
from dpstudio.charts.scaling import to_unit
from dpstudio.data.dataset import Dataset
from dpstudio.labs.carry_over import carried
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.page import Lab
from dpstudio.labs.simulated_answer import STAR, with_answer
from dpstudio.labs.worded import with_words
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import render

NEAR = 0.02  # of the height of the chart: numbers are rounded, and curves have few points


def told(figure: Figure) -> dict[str, float]:
    """By curve, the number that is told of it."""
    numbers = {}
    for layer in figure.layers:
        if isinstance(layer, Line) and layer.told:
            (number,) = re.findall(r"[\d.,]+", render(layer.told))
            numbers[layer.key] = float(number.replace(",", ""))
    return numbers


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("clipping", {"bias", "noise", "sampling", "total"}),
        ("owners looks=trusting", {"central", "gamma", "gaussian", "shuffled", "proved", "local"}),
        ("owners looks=trusting looks.people=200 looks.epsilon=0.5",
         {"central", "gamma", "gaussian", "shuffled", "local"}),
        ("learn", {"naive_bayes", "least_squares"}),
        ("differencing", {"promised", "best", "attack"}),
        ("membership", {"promised", "best", "attack"}),
        ("reconstruction", {"promised", "best", "attack"}),
        ("audit", {"bound"}),
        ("dimension", set()),
    ],
)  # fmt: skip
def test_numbers_beside_names_are_those_of_the_curves_where_the_chart_looks(
    words: str, keys: set[str], adult: Dataset
) -> None:
    key, *set_ = words.split()
    lab: Lab = with_words(lab_kind(key)(), set_).suited(adult)
    hero = little(lab, adult).figures[0]
    numbers = told(hero)
    assert keys <= set(numbers)
    assert render(hero.told)
    # A first, quick picture of an audit has no handle: it looks at the end of its curve.
    ends = [layer.x[-1] for layer in hero.layers if isinstance(layer, Line) and layer.told]
    here = next((layer.x for layer in hero.layers if isinstance(layer, Handle)), ends[0])
    for name, number in numbers.items():
        line = hero.layer(name)
        x, y = to_unit(hero.x, line.x), to_unit(hero.y, line.y)
        if number == 0 and hero.y.log:
            continue  # it has no place on a logarithmic axis
        seen, there = np.isfinite(y), float(to_unit(hero.y, [number])[0])
        x, y, at = x[seen], y[seen], float(to_unit(hero.x, [here])[0])
        after = min(int(np.searchsorted(x, at)), len(x) - 1)
        beside = y[max(after - 1, 0) : after + 1 + (x[after] == at)]
        assert beside.min() - NEAR <= there <= beside.max() + NEAR, (name, number)
    values = {name.key: name.value for name in names_of(hero, 300.0, 17.0, render)[0]}
    assert any(values.values())


def test_what_pages_open_on(adult: Dataset) -> None:
    """As drawn: Decide at ε = 1 whatever was tried elsewhere, its pictures above the lanes; Many
    owners on who sends what; the answer of Explore with a star at its foot, in sight alone."""
    tried = lab_kind("explore")().with_(mechanism=Laplace(epsilon=0.001))
    decide = carried(lab_kind("decide")(), [tried])
    assert (decide.mechanism.epsilon, decide.query) == (1.0, tried.query)
    found = little(lab_kind("owners")(), adult)
    assert found.figures[0].key == "flow"
    numbers = {fact.key: fact.value for fact in found.facts[:3]}
    assert numbers == {"count": 27, "bytes": 27 * 512, "parties": 2}
    found = little(tried.suited(adult), adult)
    for place in range(len(found.replays)):
        chart = with_answer(found, "answer", place).figure("published")
        answer, star = float(found.replays[place][0]), chart.layer(STAR)
        seen = chart.x.range[0] <= answer <= chart.x.range[1]
        assert (list(star.x), list(star.y)) == (([answer], [0.0]) if seen else ([], []))
