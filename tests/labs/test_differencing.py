"""Differencing: what two totals tell, trackers, and what a console lets through."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from running import LEAST, facts, found, lab_of, little, opened
from scipy.special import ndtr

from dpstudio.data.dataset import Dataset
from dpstudio.data.statements import SUM, Statement
from dpstudio.labs.attacks.attackers.attacker import promised
from dpstudio.labs.attacks.differencing.attackers.console.model import Console
from dpstudio.labs.attacks.differencing.attackers.tracker import model as tracker
from dpstudio.labs.attacks.differencing.parameters import DifferencingLab
from dpstudio.labs.context import Context, Effort
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian
from dpstudio.privacy.mechanisms.geometric import Geometric
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import render

FULL = Effort(points=0.2, draws=0.5)


def test_a_row_follows_from_two_exact_totals(adult: Dataset):
    said = (
        found("differencing query=sum query.column=age attacker.row_of=3", adult)
        .sentence("exact")
        .say
    )
    whole, rest, part = (said.values[name].value for name in ("whole", "rest", "part"))
    assert part == adult._frame["age"].iloc[2] == whole - rest
    hidden = (
        found("differencing query=sum query.column=age show_truth=no", adult).sentence("exact").say
    )
    assert not hidden.values


@pytest.mark.parametrize(
    ("policy", "denied", "off"),
    [
        ("none", 0, 0.0),
        ("size", 2, 0.0),
        ("audit", 3, None),
        ("overlap", 6, None),
        ("rounding", 0, 4 / 98),  # 84 of a range of 1 to 99: to tens, in [80, 90), not rare, and
        ("recoding", 0, 1 / 98),
        ("suppression", 0, 0.0),
        ("output", 1, None),  # no noise hides a maximum
        ("data", 0, None),
    ],
)
def test_a_tracker_gets_around_a_set_size_on_the_users_table_and_not_around_an_audit(
    policy: str, denied: int, off: float | None, adult: Dataset
):
    known = facts(f"differencing attacker=console attacker.policy={policy}", adult)
    assert known["best"] == denied
    assert known["off"] == pytest.approx(off) if off is not None else known["off"] > 0.1
    assert (known["off"] == 0) == (known["promised"] > 0)


def test_the_console_asks_something_of_other_tables():
    for name in ("yrbss", "diabetes"):
        data = opened(name)
        lab = DifferencingLab(attacker=Console()).suited(data)
        shown = little(lab, data)
        assert not shown.problems, name
        assert shown.fact("promised").value >= 0


def test_what_is_said_of_a_rule_holds_where_it_is_looked_at(adult: Dataset):
    """The referee's states: a least set size of half the people, and a siege that was luckier than
    most."""
    words = "differencing attacker=tracker attacker.policy=size attacker.least="
    for least, around in ((7, True), (8, False)):
        said = render(found(f"{words}{least}", adult).sentence("exact").say)
        assert ("go around it" in said) == around
    words = "differencing attacker=console attacker.policy=size attacker.least="
    for least, around in ((16_280, True), (16_281, False)):
        said = render(found(f"{words}{least}", adult).sentence("exact").say)
        assert ("go around it" in said) == around
    shown = found(
        "differencing attacker=tracker attacker.policy=overlap attacker.least=5", adult, FULL
    )
    told = shown.sentence("exact").say.values
    apart = abs(told["estimate"].value - told["salary"].value) / 100_000
    assert shown.fact("off").value == pytest.approx(apart)


def test_nobody_is_near_a_number_that_is_not_there():
    """A bar of 0 % off would say that the attacker knows it."""
    table = pd.DataFrame({"x": [np.nan, 1.0, 2.0, 3.0], "word": list("abab")})
    asks = (Statement(SUM),)
    lab = DifferencingLab(attacker=Console(column="x", row_of=1, asks_for=asks))
    for row, there in ((1, False), (2, True)):
        lab = lab.with_(attacker=replace(lab.attacker, row_of=row))
        shown = little(lab, Dataset(table, "t")).figure("rules")
        assert any(layer.key == "attacker" for layer in shown.layers) == there
        assert shown.y.range[0] < 0  # what picks a rule is seen whole


@pytest.mark.parametrize(("numbers", "rare"), [((1.0, 1, 2), True), ((1.0, 1, 2, 2), False)])
def test_what_is_said_of_rare_numbers_where_there_are_none(numbers: tuple[float, ...], rare: bool):
    ruled = Console(column="x", row_of=1, asks_for=(Statement(SUM),), policy="suppression", least=2)
    table = Dataset(pd.DataFrame({"x": numbers, "word": "a"}), "t")
    shown = little(DifferencingLab(attacker=ruled), table)
    assert ("are replaced by" in render(shown.sentence("exact").say)) == rare
    assert (shown.fact("cost").value > 0) == rare


@pytest.mark.parametrize("epsilon", [1.0, 50.0])
def test_half_of_the_differences_of_integers_are_a_whole_number_off(epsilon: float, adult: Dataset):
    """At ε = 50 they were 10⁻²⁷ off."""
    off = facts(f"differencing mechanism=geometric mechanism.epsilon={epsilon}", adult)["off"]
    law, rng = Geometric(epsilon=epsilon / 2).law(Sensitivity(1, 1, 1)), np.random.default_rng(1)
    apart = np.abs(law.sample(rng, 20_000) - law.sample(rng, 20_000))
    assert np.mean(apart <= off) >= 0.49
    assert off == 0 or np.mean(apart < off) <= 0.51


def test_a_tracker_meets_the_noise_of_all_it_may_ask(adult: Dataset):
    """Three of four counts hold the person: Φ(√3/2σ) for Gaussian noise; and a console pays for all
    65 sums by their bounds, or for a salary by its range."""
    normal = AnalyticGaussian(epsilon=1.0, delta=1e-5)
    sigma = normal.law(Sensitivity(4.0, 2.0, 1.0)).sigma
    assert tracker.best_right(normal) == pytest.approx(ndtr(math.sqrt(3) / 2 / sigma))
    lab = lab_of(["differencing", "attacker=tracker", "mechanism.epsilon=2"])[0]
    model = next(lab.attacker.stages(lab.asked(), lab.looked(LEAST), Context(adult)))
    mine, everyone = tracker.salary(model), tracker.salaries(model)
    assert tracker.guess(model) == pytest.approx(abs(everyone.mean() - mine) / 1_000)
    allowed = [1 / (1 + math.exp(-1.5)), (math.exp(0.1) + 0.01) / (1 + math.exp(0.1))]
    for made, most in zip((Laplace(epsilon=1.5), normal.at(0.1, 0.01)), allowed, strict=True):
        assert promised(made, np.array([made.epsilon])) == pytest.approx([most])
    rng = np.random.default_rng(5)
    told = tracker._answering(model, "output", rng)
    answers = [told(0.0, np.ones(16, dtype=bool)) for _ in range(4_000)]
    assert np.mean(np.abs(answers)) == pytest.approx(120_000 * 65 / 2, rel=0.06)
    held = [tracker._held(model, "data", rng) - everyone for _ in range(500)]
    assert np.mean(np.abs(held)) == pytest.approx(100_000 / 2, rel=0.06)
