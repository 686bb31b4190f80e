"""Lists with promises that are broken: every number that is called a total, at most, certified or
bought is at least what the laws of the noise cost, by one transform of their losses; what is not
says “if the promise held”."""

import math
import random
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from running import LEAST, little, opened

from dpstudio.charts.figure import Line as Drawn
from dpstudio.charts.inks import OUTSIDE
from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.attackers.attack_lab import AttackLab
from dpstudio.labs.findings import Findings
from dpstudio.labs.many_answers.averaging.charts import cost_chart
from dpstudio.labs.many_answers.averaging.model import AveragingModel, averaging_model, most_right
from dpstudio.labs.many_answers.averaging.parameters import Averaging
from dpstudio.labs.many_answers.composition import (
    asked,
    budget,
    budget_charts,
    certificate,
    charts,
    curves,
    groups,
    words,
)
from dpstudio.labs.many_answers.composition import model as composition
from dpstudio.labs.many_answers.composition.parameters import Composition
from dpstudio.labs.many_answers.composition.total_charts import total_chart
from dpstudio.labs.naming import every_lab
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.page import Lab
from dpstudio.labs.promise.guarantee.parameters import Guarantee
from dpstudio.labs.release_list import Line
from dpstudio.labs.series_model import supposed
from dpstudio.privacy.accounting import ACCOUNTANTS, ADD_REMOVE, REPLACE
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.law import hockey_stick
from dpstudio.values.messages import render, say
from dpstudio.values.parameters import domains, switch
from tests.sentences.test_certificates import least_epsilon, losses

ALONE = Dataset(pd.DataFrame({"x": [1.0, 2.0]}), "one row each")
HELD = "if the promise held"
TEXTBOOK = next(kind for kind in MECHANISMS if kind.key == "textbook")


def averaged(model: composition.CompositionModel) -> AveragingModel:
    """The same answers for who averages them."""
    return averaging_model(switch(Averaging, model.lab), ALONE, model.fine)


def _line(rng: random.Random, kind: type[Additive], most: float, times: int) -> Line:
    epsilon, delta = (
        round(rng.uniform(most / 4, most), 3),
        float(f"{10 ** rng.uniform(-4, -2):.3g}"),
    )
    noise = kind(epsilon=epsilon) if kind.pure else kind(epsilon=epsilon, delta=delta)
    return Line(times, noise)


def state(seed: int) -> Composition:
    """A list with a textbook Gaussian that is false, or so many equal ones, with every bound."""
    rng = random.Random(seed)
    false = TEXTBOOK(epsilon=round(rng.uniform(15, 25), 2), delta=round(rng.uniform(0.02, 0.1), 3))
    times = rng.choice((1, 2, 4))
    every = tuple(kind.key for kind in ACCOUNTANTS)
    lab = Composition(bounds=every, delta_prime=10 ** rng.uniform(-6, -2), view_k=10, people=3)
    lab = lab.with_(at_epsilon=round(10 ** rng.uniform(-0.5, 2), 2), budget=rng.choice((5.0, 60.0)))
    if seed % 3 == 0:
        return lab.with_(mechanism=false, answers=times)
    others = [
        _line(rng, rng.choice(MECHANISMS), 3.0, rng.choice((1, 3))) for _ in range(seed % 2 + 1)
    ]
    return lab.with_(given="list", releases=(Line(times, false), *others))


def parts(model: composition.CompositionModel) -> list[tuple[object, int]]:
    return [(losses(e.mechanism, 1, 1.0), e.times) for e in model.entries if isinstance(e, Line)]


@pytest.mark.parametrize("fine", [True, False])
@pytest.mark.parametrize("seed", range(9))
def test_no_number_is_proved_by_a_broken_promise(seed: int, *, fine: bool) -> None:
    model = composition.composition_model(state(seed), ALONE, fine)
    assert supposed(model)
    laws = parts(model)
    true = least_epsilon(laws, model.delta)
    hair = 3e-3 * true + 2e-3
    called = {v.bound.key for v in composition.valued(model) if v.counts}
    for v in composition.valued(model):
        if v.bound.proven and v.bound.envelope:
            assert v.counts != v.bound.supposes(model.ledger)
            assert not v.counts or v.epsilon >= true - hair, v.bound.key
    assert {"sequential", "kov35", "optimal"}.isdisjoint(called)
    best = composition.tightest(model)
    assert best.epsilon >= true - hair or not best.counts
    found = certificate.certified(model)
    assert found is None or found.low - hair <= true <= found.high + hair
    at, said = model.lab.at_epsilon, asked.delta_asked(model)[1]
    assert said >= 1 or least_epsilon(laws, said * (1 + 1e-3) + 1e-9) <= at * (1 + 3e-3) + 2e-3
    right = most_right(averaged(model))[1]
    assert right >= 1 or least_epsilon(laws, 2 * right - 1 + 1e-4) <= 5e-3
    k, least = curves.least_curve(model)
    assert np.isnan(least[-1]) or k[-1] != model.answers or least[-1] >= true - hair


@pytest.mark.parametrize("seed", range(6))
def test_what_supposes_a_broken_promise_says_so(seed: int) -> None:
    """In every chart and table, and in the strip; and pale."""
    model = composition.composition_model(state(seed), ALONE, True)
    supposing = {
        a.key for a in (v.bound for v in composition.valued(model)) if a.supposes(model.ledger)
    }
    lines = [layer for made in (total_chart, charts.privacy_chart) for layer in made(model).layers]
    lines += list(cost_chart(averaged(model)).layers)
    if model.equal:
        lines += budget_charts.afford_chart(model).layers
    for layer in lines:
        if isinstance(layer, Drawn) and layer.key.removesuffix("_worse") in supposing:
            assert layer.dash == OUTSIDE, layer.key
            assert HELD in render(layer.label) or not render(layer.label)
    table = dict(words.tables(model)[0].columns)
    for bound, valid in zip(table["bound"], table["valid"], strict=True):
        assert (HELD in render(bound)) == (render(valid) == HELD)
    told = little(model.lab, ALONE)
    assert HELD in render(told.fact("plain").note)
    said = render(told.sentence("tightest").say).lower()
    assert HELD in said or (model.answers == 1 and composition.tightest(model).counts)


@pytest.mark.parametrize("seed", range(0, 12, 3))
def test_a_budget_buys_nothing_by_a_broken_promise(seed: int) -> None:
    """By no bound more answers than their law allows; and of the ε that each may have, and the
    scale, the promise is kept."""
    lab = state(seed).with_(budget=200.0)
    model = composition.composition_model(lab, ALONE, True)
    loss = losses(lab.mechanism, 1, 1.0)
    bought = 0
    for bound in budget.holding(model):
        k = budget.affordable(model, bound)
        bought = max(bought, k)
        delta = k * model.spend.delta + lab.delta_prime
        assert k == 0 or least_epsilon([(loss, k)], delta) <= lab.budget * (1 + 3e-3), bound.key
    assert bought
    _, each = budget.best_each(model)
    made = lab.mechanism.at(each, model.spend.delta)
    assert hockey_stick(made.law(UNIT), each, 1.0) <= model.spend.delta * (1 + 1e-6)
    assert made.scale == budget.least_scale(model)


@pytest.mark.parametrize("answers", [1, 2, 5])
def test_explore_quotes_what_holds(answers: int) -> None:
    """Of a false textbook Gaussian what the law of its noise costs."""
    noise = TEXTBOOK(epsilon=20.0, delta=0.1)
    found = little(Explore(mechanism=noise, answers=answers, delta_prime=1e-5), opened("adult"))
    said = found.sentence("cost").say.values
    true = least_epsilon([(losses(noise, 1, 1.0), answers)], said["delta"].value)
    assert said["total"].value >= true * (1 - 3e-3)
    assert found.fact("cost").value == said["total"].value


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_nothing_is_promised_at_a_delta_of_one(kind: type[Additive]) -> None:
    """Explore quotes no ε by a bound whose δ reaches 1, and draws none."""
    noise = kind(epsilon=1.0) if kind.pure else kind(epsilon=1.0, delta=0.1)
    found = little(Explore(mechanism=noise, answers=100, delta_prime=0.05), opened("adult"))
    fact = found.fact("cost")
    assert math.isfinite(fact.value) == kind.pure
    assert ("no promise" in render(fact.text)) != kind.pure
    for layer in found.figure("cost").layers:
        if isinstance(layer, Drawn):
            x, y = np.array(layer.x), np.array(layer.y)
            assert kind.pure or not np.isfinite(y[x >= 10]).any(), layer.key


BY_PROMISE = re.compile(r"by ε and δ|by the promise|would allow|promise held")


def texts(found: Findings) -> Iterator[str]:
    """All that is said in words, in the strip and in charts."""
    said = [each.say for each in (*found.sentences, *found.problems)]
    for fact in found.facts:
        said += [say("{a} {b}", a=fact.text, b=fact.note)]
    for figure in found.figures:
        said += [figure.title, figure.subtitle, *(layer.label for layer in figure.layers)]
    return map(render, said)


@pytest.mark.parametrize("adjacency", [ADD_REMOVE, REPLACE])
@pytest.mark.parametrize("kind", [k for k in every_lab() if "mechanism" in domains(k)])
def test_nothing_goes_by_a_broken_promise_unsaid(kind: type[Lab], adjacency: str) -> None:
    """In every lab where it can be chosen; of one that is kept nobody supposes that it held."""
    if "textbook" not in {each.key for each in domains(kind)["mechanism"].family()}:
        return
    data, lab = opened("adult"), switch(kind, {"adjacency": adjacency})
    attackers: Any = domains(kind)["attacker"].family() if issubclass(kind, AttackLab) else [None]
    for attacker in attackers:
        lab = lab.with_(attacker=attacker()) if attacker else lab
        if not getattr(lab, "picked", True):  # its noise is its own
            continue
        for noise in (TEXTBOOK(epsilon=20.0, delta=0.1), TEXTBOOK(epsilon=0.5, delta=1e-5)):
            found = little(lab.with_(mechanism=noise).suited(data), data, LEAST)
            for text in texts(found):
                if BY_PROMISE.search(text):
                    assert ("promise held" in text) == (noise.epsilon == 20.0), (kind.key, text)


def test_small_charts_say_once_what_several_labels_suppose() -> None:
    """What one of two or more supposes is marked, and the mark is explained; one says it itself."""
    noise, marked = TEXTBOOK(epsilon=20.0, delta=0.1), 0
    labs = (Composition(mechanism=noise, answers=2), Explore(mechanism=noise, answers=2))
    for found in (little(lab, opened("adult")) for lab in labs):
        for figure in found.figures:
            labels = [render(layer.label) for layer in figure.layers]
            marks, whole = ([mark in text for text in labels] for mark in ("†", HELD))
            assert sum(whole) <= (not any(marks)), figure.key
            assert any(marks) == (f"† {HELD}" in render(figure.subtitle))
            marked += sum(marks) > 1
    assert marked >= 4


def test_a_group_is_told_of_at_the_epsilon_of_the_law() -> None:
    """And not at as many times what a broken promise claims, 60 here, which is on no curve."""
    noise = TEXTBOOK(epsilon=20.0, delta=0.1)
    model = composition.composition_model(
        Composition(mechanism=noise, answers=1, people=3), ALONE, True
    )
    assert groups.group_promise(model).epsilon == 3 * composition.tightest(model).epsilon > 3 * 50


@pytest.mark.parametrize("epsilon", [0.5, 5.0, 8.0, 20.0])
def test_what_epsilon_and_delta_allow_is_no_bound_of_a_false_law(epsilon: float) -> None:
    """Guarantee shows what the law of a false mechanism lets an attacker do beside what its promise
    would: where the one is above the other nothing calls that a bound."""
    noise = TEXTBOOK(epsilon=epsilon, delta=0.1)
    kept = noise.guarantee(UNIT).kept
    found = little(Guarantee(mechanism=noise), opened("adult"))
    law, bound = (found.figure("test").layer(key) for key in ("law", "bound"))
    below = np.interp(bound.x, law.x, law.y) < np.array(bound.y) - 1e-6
    assert kept or below.any() or epsilon == 20  # where both are near 0
    assert not (kept and below.any())
    told = [found.fact(key).note for key in ("advantage", "hits")]
    said = [found.sentence(key).say for key in ("test", "advantage")]
    said += [bound.label, found.figure("test").subtitle]
    for text in map(render, told + said):
        assert (HELD in text) == (not kept)
