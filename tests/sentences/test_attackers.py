"""What is said of attackers, against attacks: finite channels whose (ε, δ) is worked out by hand,
the noise of the catalogue cut into cells, and guesses at simulated answers."""

from __future__ import annotations

import math
import random
import re

import numpy as np
import pandas as pd
import pytest
from random_states import random_state
from running import LEAST, lab_of, little
from scipy.special import ndtr

from dpstudio.data.codebook import Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.many_answers.averaging.model import (
    averaging_model,
    deviation,
    promised,
    right_simulated,
)
from dpstudio.labs.many_answers.averaging.parameters import Averaging
from dpstudio.labs.one_answer.explore.costs import right_of_100 as explored
from dpstudio.labs.one_answer.explore.model import explore_model
from dpstudio.labs.promise.guarantee.attack import named, named_before, naming_route
from dpstudio.labs.promise.guarantee.model import guarantee_model
from dpstudio.labs.promise.guarantee.parameters import Guarantee
from dpstudio.privacy.accounting import ADD_REMOVE, REPLACE
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.neighbours import attacker
from dpstudio.privacy.neighbours.joint import joint
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.values.messages import render

ONE = Dataset(pd.DataFrame({"x": [1.0]}), "one row")


def apart(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    """δ(ε) of two finite laws, in the direction that tells more."""
    e = math.exp(epsilon)
    return float(max(np.maximum(0, p - e * q).sum(), np.maximum(0, q - e * p).sum()))


def channels(rng: np.random.Generator, rows: int) -> np.ndarray:
    """Laws of one answer of a few, one a row, near to each other or not."""
    return rng.dirichlet(np.full(6, 10 ** rng.uniform(-0.7, 1.5)), rows)


def test_bounds_on_a_guess_by_every_guess() -> None:
    """No guess at random finite channels is right more often than (ε, δ) between them allow, with
    δ > 0 too; for two neighbours the bound is reached."""
    rng = np.random.default_rng(12)
    for _ in range(300):
        n, epsilon = int(rng.integers(2, 7)), float(rng.uniform(0, 2))
        worlds = channels(rng, n + 1)
        best = float(worlds[1:].max(axis=0).sum()) / n
        absent = max(apart(p, worlds[0], epsilon) for p in worlds[1:])
        between = max(apart(p, q, epsilon) for p in worlds[1:] for q in worlds[1:] if p is not q)
        assert best <= float(attacker.naming_bound_absent(epsilon, absent, n)) + 1e-12
        assert best <= float(attacker.naming_bound(epsilon, between, n)) + 1e-12
        # Kairouz, Oh & Viswanath's four answers: no mechanism of this (ε, δ) tells more.
        delta = float(rng.choice([0.0, 1e-3, 0.3]))
        kept = (1 - delta) / (1 + math.exp(epsilon))
        law = np.array([delta, kept * math.exp(epsilon), kept, 0.0])
        found = float(np.maximum(law, law[::-1]).sum()) / 2
        assert attacker.share_right(epsilon, delta) == pytest.approx(found)
        assert attacker.right_of_100(epsilon, delta) == math.ceil(100 * found - 1e-9)
    assert float(attacker.naming_bound_absent(800.0, 0.0, 10)) == 1.0


def test_beliefs_have_no_holes() -> None:
    """Bayes at every prior, 0 and 1 and an answer that is impossible under either included."""
    priors = np.array([0.0, 1e-12, 0.3, 1.0])
    for loss in (-math.inf, -800.0, -1.0, 0.0, 1.0, 800.0, math.inf):
        found = attacker.posterior(priors, loss)
        assert np.all(np.isfinite(found))
        assert (found[0], found[3]) == (0.0, 1.0)
        if abs(loss) <= 1:
            odds = 0.3 / 0.7 * math.exp(loss)
            assert found[2] == pytest.approx(odds / (1 + odds))


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_one_of_many_by_guessing(kind: type[Additive], adult: Dataset) -> None:
    """Whose part of a histogram grew by one: the largest simulated count, under both adjacencies;
    it is never right more often than is said."""
    rng = random.Random(kind.key)
    for adjacency in (ADD_REMOVE, REPLACE):
        epsilon, delta = 10 ** rng.uniform(-0.5, 0.6), 10 ** rng.uniform(-5, -2)
        made = kind().at(min(epsilon, 0.9) if kind.key == "textbook" else epsilon, delta)
        lab = Guarantee(query=Histogram(), mechanism=made, adjacency=adjacency, people=5)
        model = guarantee_model(lab, Context(adult))
        found, (counts,) = named(model), model.asked.measurements
        dims = len(counts.values)
        noise = made.noise(np.random.default_rng(3), counts.sensitivity, 20_000, dims)[:, :5]
        noise[:, 0] += 1
        # Ties are broken fairly.
        noise = noise + 1e-9 * np.random.default_rng(4).random(noise.shape)
        right = float(np.mean(noise.argmax(axis=1) == 0))
        assert right <= found.exact + 0.015, (made, adjacency)
        assert found.exact <= found.allowed * (1 + 1e-9) or model.promise.violated
        if adjacency == ADD_REMOVE:
            around = math.exp(model.epsilon) / 5 + model.delta
            assert found.allowed <= around * (1 + 1e-9)


def test_whose_bound_it_is(adult: Dataset) -> None:
    """The state of the referee: 74.2 %, not 99.2 %, through the world without the person; and each
    sentence says whether it speaks of beliefs."""

    def said(**fields: object) -> tuple[str, str]:
        lab = Guarantee(**fields)
        text = render(little(lab, adult).sentence("people").say)
        return naming_route(guarantee_model(lab, Context(adult))), text

    n, epsilon = 225, math.log(225 * 0.742)
    route, text = said(query=Histogram(), mechanism=Laplace(epsilon=epsilon), people=n)
    assert (route, "74.2 %" in text, "no belief" in text) == ("absent", True, True)
    route, text = said(query=Count(), mechanism=Laplace(epsilon=1.0), people=5)
    assert (route, "Lee & Clifton" in text) == ("pure", True)
    assert named_before(guarantee_model(Guarantee(people=5), Context(adult))) == 0.2
    normal = AnalyticGaussian(epsilon=1.0, delta=1e-5)
    route, text = said(query=Count(), mechanism=normal, people=1000, adjacency=REPLACE)
    assert (route, "our own" in text) == ("own", True)
    route, text = said(query=Count(), mechanism=TextbookGaussian(epsilon=30.0), people=1000)
    assert (route, "broken" in text) == ("law", True)


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_the_most_that_answers_allow(kind: type[Additive]) -> None:
    """Averaging: never below the distance of the laws themselves, which Gaussian noise reaches,
    nor below the averaging attack beyond its error; and never "nothing" while a bound says
    something."""
    rng = random.Random(kind.key)
    for _ in range(3):
        epsilon, delta = 10 ** rng.uniform(-1.3, 0.2), 10 ** rng.uniform(-8, -3)
        made = kind().at(min(epsilon, 0.9), delta)
        k, fine = rng.randint(1, 12), rng.random() < 0.7
        model = averaging_model(Averaging(mechanism=made, answers=k), ONE, fine, LITTLE)
        law = made.law(UNIT if kind.key != "l2norm" else Sensitivity(1.0, 1.0, 1.0))
        share = (1 + joint([(law, (1.0,))] * k).advantage) / 2
        most = promised(model)
        assert share <= most * (1 + 1e-3), (made, k)
        assert (
            most <= attacker.share_right(k * made.epsilon, min(1.0, k * made.total_delta)) + 1e-12
        )
        right, error = right_simulated(model)
        assert right <= most  # nothing that is simulated says more than what is proved beside it
        assert right <= share + 3 * error
        if kind.key in ("gaussian", "textbook"):
            assert most == pytest.approx(float(ndtr(math.sqrt(k) / 2 / law.sigma)), rel=1e-6)


def test_the_referees_share() -> None:
    """60 Gaussian answers leave 84.17 %, which the bounds do not call nothing."""

    def said(**fields: object) -> tuple[str, str]:
        found = little(Averaging(**fields), ONE)
        return tuple(render(found.sentence(key).say) for key in ("attack", "allowed"))

    _, allowed = said(mechanism=AnalyticGaussian(epsilon=1.1, delta=1e-6), answers=60)
    assert "84.17 %" in allowed
    assert "on average" in allowed
    # Fewer digits than those of the bound do not lift a share above it.
    attack, allowed = said(mechanism=TextbookGaussian(epsilon=2, delta=1e-5), answers=50)
    (share,) = re.findall(r"([\d.]+) % ±", attack)
    (most,) = re.findall(r"([\d.]+) % on average", allowed)
    assert float(share) <= float(most)


def test_a_broken_promise_bounds_no_attacker(adult: Dataset) -> None:
    """Explore takes the δ that a textbook Gaussian really has at its ε."""
    lab, _ = lab_of(["explore", "mechanism=textbook", "mechanism.epsilon=30", "query=count"])
    model = explore_model(lab, Context(adult))
    (law,) = {law.sigma for law in model.answer.release.laws}
    assert explored(model) >= math.floor(100 * float(ndtr(1 / 2 / law)))


def test_shares_of_a_hundred_are_averages(adult: Dataset) -> None:
    """Each sentence of a lab with right guesses says that it is one on average; random states of
    every lab that has one."""
    for name in ("explore", "selection", "local_counts"):
        kind = type(lab_of([name])[0])
        for lab in (kind(), random_state(kind, 1, adult)):
            found = little(lab, adult)
            told = [s for s in found.sentences if s.key == "odds"]
            assert told or lab != kind()
            assert all("on average" in render(s.say) for s in told)


@pytest.mark.parametrize("mechanism", [Laplace(epsilon=0.5), AnalyticGaussian(epsilon=0.5)])
def test_averaging_errs_by_the_noise_on_all_rows_of_a_person(mechanism: Additive) -> None:
    """Of counts by persons with up to four rows: the deviation is that of means of draws of the
    very noise, and who is right knows no more than about one row each."""
    frame = pd.DataFrame({"x": [1.0, 2.0], "who": ["a", "b"]}).astype({"who": "str"})
    data, lab = Dataset(frame, "t"), Averaging(mechanism=mechanism, answers=25)
    four = data.described(Codebook(person="who", most=4))
    one, many = (averaging_model(lab, d, effort=LITTLE) for d in (data, four))
    draws = mechanism.law(Sensitivity(4.0, 4.0, 4.0)).sample(np.random.default_rng(3), 500_000)
    assert deviation(many) == pytest.approx(draws.reshape(-1, 25).mean(axis=1).std(), rel=0.03)
    assert deviation(many) == pytest.approx(4 * deviation(one), rel=1e-9)
    assert right_simulated(many)[0] == pytest.approx(right_simulated(one)[0], abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_said_to_be_right_less_often_than_by_guessing(seed: int, adult: Dataset) -> None:
    """Nor more often than the bounds let anyone be."""
    model = averaging_model(random_state(Averaging, seed, adult).suited(adult), adult)
    right, wide = right_simulated(model)
    assert 0.5 - wide <= right <= promised(model)


SPOKEN = {
    ADD_REMOVE: ("whose presence is an even guess", "who comes or goes"),
    REPLACE: ("with one of two values", "who is replaced"),
}


@pytest.mark.parametrize("adjacency", SPOKEN)
@pytest.mark.parametrize(
    "key", ["explore", "selection", "learn", "clusters", "components", "synthesis", "compress"]
)
def test_who_is_spoken_of_is_the_neighbour_that_is_set(key: str, adjacency: str, adult: Dataset):
    """Odds and promises name one who comes or goes, or one who is replaced, and never the other."""
    lab, _ = lab_of([key, f"adjacency={adjacency}"])
    hidden = lab.with_(show_truth=key == "compress")  # which alone says nothing without its rows
    found = little(hidden.suited(adult), adult, LEAST)
    # Private rows are for one who is replaced in either case.
    said = [render(s.say) for s in found.sentences if s.key != "private_rows"]
    own = SPOKEN[adjacency]
    other = SPOKEN[REPLACE if adjacency == ADD_REMOVE else ADD_REMOVE]
    assert any(words in one for one in said for words in own)
    assert not [one for one in said for words in other if words in one]


@pytest.mark.parametrize(
    "words", ["learn learner=least_squares learner.delta=0.2", "synthesis way=tree way.delta=0.2"]
)
def test_delta_counts_in_the_odds_of_what_is_learnt(words: str, adult: Dataset) -> None:
    """(e^ε + δ)/(1 + e^ε) of 100, rounded up."""
    lab, _ = lab_of([*words.split(" "), "epsilon=0.5"])
    found = little(lab.with_(show_truth=False).suited(adult), adult, LEAST)
    most = 100 * (math.exp(0.5) + 0.2) / (1 + math.exp(0.5))
    assert found.sentence("odds").say.values["right"].value == math.ceil(most)
