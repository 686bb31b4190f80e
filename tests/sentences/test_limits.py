"""What is said at the ends: a δ near 1, an answer or none, a total that is still being worked out."""

import random

import pandas as pd
import pytest
from random_states import random_state
from running import FEW, little, opened

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.many_answers.composition import asked, asked_words, words
from dpstudio.labs.many_answers.composition.budget import affordable, applying, most_affordable
from dpstudio.labs.many_answers.composition.model import composition_model, tightest
from dpstudio.labs.many_answers.composition.parameters import Composition
from dpstudio.labs.nobody.local_counts.parameters import LocalCounts
from dpstudio.labs.nobody.local_means.parameters import LocalMeans
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.page import Lab
from dpstudio.labs.release_list import Line
from dpstudio.labs.series_model import NOTHING
from dpstudio.privacy.accounting import Numeric
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.total import Mean
from dpstudio.privacy.queries.variance import Deviation
from dpstudio.values.messages import render

ALONE = Dataset(pd.DataFrame({"x": [1.0, 2.0]}), "one row each")


def _line(rng: random.Random) -> Line:
    kind, epsilon = rng.choice(MECHANISMS), round(10 ** rng.uniform(-1, 1), 3)
    noise = kind(epsilon=epsilon) if kind.pure else kind(epsilon=epsilon, delta=1e-4)
    return Line(rng.choice((1, 2, 5, 20)), noise, chance=rng.choice((1.0, 1.0, 0.5)))


# Where a numeric ε at a δ near 1 is far above that of this δ.
NEAR_ONE = (
    "30 x textbook 1.79 1.176e-06 sampled 0.5 | 5 x staircase 6.919 | 2 x textbook 2.745 0.0003909"
)


@pytest.mark.parametrize("seed", range(8))
def test_a_delta_that_is_asked_is_the_least_of_all_bounds(seed: int) -> None:
    """Also near 1, where it is told that next to nothing is promised, and not “at most 1.0000”."""
    rng = random.Random(seed)
    listed = tuple(_line(rng) for _ in range(2)) if seed else NEAR_ONE
    epsilon = round(10 ** rng.uniform(-1, 1.5), 3) if seed else 19.117
    lab = Composition(given="list", releases=listed, at_epsilon=epsilon)
    model = composition_model(lab, ALONE, True)
    said, most = asked.delta_asked(model)[1], Numeric().delta(model.ledger, epsilon)
    assert said <= most * (1 + 1e-6)
    told = render(next(s.say for s in asked_words.asked_sentences(model) if s.key == "delta"))
    assert ("at most" in told) <= (said < NOTHING)
    assert ("is promised" in told) == (said >= NOTHING)
    assert "1.0000" not in told


def _few(lab: Lab, seed: int) -> Lab:
    kind = MECHANISMS[seed % len(MECHANISMS)]
    rng = random.Random(seed)
    noise = kind(epsilon=round(10 ** rng.uniform(-1, 0.7), 3))
    return lab.with_(mechanism=noise, answers=rng.choice((1, 2, 8, 60)))


@pytest.mark.parametrize("seed", range(9))
def test_a_total_that_may_still_fall_says_so(seed: int) -> None:
    """Of every picture that is not the last: where the last says a smaller total, “≤”; and that
    says “=”."""
    explored = _few(Explore(), seed)
    composed = random_state(Composition, seed, ALONE).with_(bounds=("sequential", "optimal", "pld"))
    for lab, data, key in (
        (explored, opened("adult"), "cost"),
        (_few(composed.with_(given="equal"), seed), ALONE, "total"),
    ):
        *early, last = list(lab.run(Context(data, effort=FEW)))
        if not last.facts:  # a problem stops it
            continue
        assert "≤" not in render(last.fact(key).text)
        for found in early:
            if found.facts and render(found.fact(key).text) != render(last.fact(key).text):
                assert "≤" in render(found.fact(key).text)
                assert found.fact(key).value >= last.fact(key).value


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_no_budget_is_told_to_buy_no_answer(kind: type[Additive]) -> None:
    """What a budget below one answer does not buy is said so, and nobody refuses after 0; nor later
    than at the last, where the budget covers all."""
    for epsilon, budget in ((20.0, 0.3), (0.2, 3.0), (0.9, 2.0)):
        model = composition_model(
            Composition(mechanism=kind(epsilon=epsilon), answers=4, budget=budget), ALONE
        )
        told = render(words._mitigations(model).say)
        afford, spent = most_affordable(model), tightest(model).epsilon
        assert ("refuse after" in told) == (0 < afford < 4)
        assert ("covers the 4 answers" in told) == (spent <= budget) == (afford >= 4)
        assert ("does not buy one" in told) == (most_affordable(model) == 0)


@pytest.mark.parametrize("answers", [4_000, 6_000, 10_000])
def test_many_answers_of_several_measurements_are_told(answers: int) -> None:
    """The numeric bound ends before as many of each; another is quoted, and its curve ends."""
    lab = Explore(query=Deviation(column="age", low=0, high=90, attested=True), answers=answers)
    found = little(lab.with_(mechanism=MECHANISMS[0](epsilon=0.1)), opened("adult"))
    assert 0 < found.fact("cost").value <= answers * 0.1


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_a_budget_above_what_delta_allows_buys_what_delta_allows(kind: type[Additive]) -> None:
    """So many answers that their δ stays below 1, and no more, by every bound."""
    noise = kind(epsilon=5.0) if kind.pure else kind(epsilon=5.0, delta=0.18)
    model = composition_model(Composition(mechanism=noise, answers=5, budget=1e4), ALONE, True)
    for bound in applying(model):
        k = affordable(model, bound)
        assert kind.pure or k * 0.18 + model.lab.delta_prime < 1, bound.key
        assert kind.pure or bound.key == "drv" or k == 5, bound.key


@pytest.mark.parametrize("budget", [0.3, 3.0, 20.0])
def test_one_answer_is_no_plural(budget: float) -> None:
    """It was said to be covered “as they are”."""
    lab = Composition(mechanism=MECHANISMS[0](epsilon=2.0), answers=1, budget=budget)
    told = render(words._mitigations(composition_model(lab, ALONE)).say)
    assert "they" not in told
    assert "each of" not in told
    assert ("covers this answer" in told) == (budget > 2)


def test_one_person_is_no_plural() -> None:
    """One was “all with a value”; and of two as many were needed, “1.06 times as many”."""
    lab = LocalMeans(query=Mean(column="x", low=0, high=9, attested=True))
    one, two = (little(lab, Dataset(ALONE._frame[:n], "rows")) for n in (1, 2))
    assert render(one.sentence("asked").say).startswith("Only one person is asked")
    assert "1 report" not in render(one.sentence("seldom").say)
    assert "times as many" not in render(two.sentence("central").say)
    assert "times less" in render(two.sentence("central").say)


@pytest.mark.parametrize("words_", [["a"] * 9, ["b"] * 9, ["a", "b"] * 5])
def test_what_no_report_can_move_is_not_said_to_go(words_: list[str]) -> None:
    """A belief went “from 0 % to 0 %”."""
    query = Histogram(column="c", categories=("a", "b"), attested=True)
    found = little(LocalCounts(query=query), Dataset(pd.DataFrame({"c": words_}), "rows"))
    told = render(found.sentence("report").say)
    assert ("stays at" in told) == (len(set(words_)) == 1)
    assert ("goes from" in told) == (len(set(words_)) == 2)
