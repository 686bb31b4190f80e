"""All labs of attackers: nobody is right more often than the exact bound allows, exact answers give
all away, and what depends on nothing but chance says so."""

import math
from typing import Any

import numpy as np
import pytest
from roundings import at_odds
from running import LEAST, found, little
from test_numbers import heard_of

from dpstudio.charts.figure import Figure, Ribbon
from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.attackers.attack_lab import AttackLab
from dpstudio.labs.attacks.attackers.attacker import Attacker
from dpstudio.labs.context import Effort
from dpstudio.labs.naming import every_lab, successor
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.gaussian import TextbookGaussian
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import render
from dpstudio.values.parameters import domains

FULL = Effort(points=0.2, draws=0.5)
SMALL = {"people": 40, "questions": 40, "models": 32, "passes": 2}
LABS = {
    attacker: kind
    for kind in every_lab()
    if issubclass(kind, AttackLab)
    for attacker in domains(kind)["attacker"].family()
}
NOISY = [kind for kind in LABS if kind.noisy]


def attacked(attacker: Attacker, **given: Any) -> AttackLab:
    """The lab of an attacker, with those of the parameters that it has."""
    kind = LABS[type(attacker)]
    held = {name: value for name, value in given.items() if name in domains(kind)}
    return kind(attacker=attacker, **held)


@pytest.mark.parametrize("attacker", NOISY, ids=lambda kind: kind.key)
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda kind: kind.key)
def test_no_attack_exceeds_the_bound_beyond_its_interval(attacker, mechanism, adult: Dataset):
    lab = attacked(attacker(), mechanism=mechanism(), confidence=0.999).suited(adult)
    chart = little(lab, adult, FULL).figure("success")
    best, band = chart.layer("best"), chart.layer("interval")
    assert (band.low <= best.y + 1e-9).all()
    assert best.y.max() > 70
    if mechanism.pure:
        assert (best.y <= chart.layer("promised").y + 1e-9).all()


@pytest.mark.parametrize("attacker", NOISY, ids=lambda kind: kind.key)
def test_a_broken_promise_is_told_to_who_is_attacked(attacker, adult: Dataset):
    """What ε and δ allow is a bound for nobody then."""
    for mechanism, broken in ((TextbookGaussian(epsilon=20, delta=0.1), True), (Laplace(), False)):
        lab = attacked(attacker(), mechanism=mechanism).suited(adult)
        said = [render(p.say) for p in lab.page().problems(lab, adult) if p.grave]
        assert any("as if the promise held" in text for text in said) == (broken and lab.picked)


@pytest.mark.parametrize("attacker", [kind for kind in LABS if kind.measures])
def test_no_interval_is_without_width(attacker, adult: Dataset) -> None:
    """However many draws agree: nobody found among few, nearly no noise, or nothing but noise."""
    few = {**SMALL, "questions": 400, "numbers": 2, "ridge": 100.0}
    small = {name: value for name, value in few.items() if name in domains(attacker)}
    for epsilon in (0.01, 50.0):
        lab = attacked(attacker(**small), mechanism=Laplace(epsilon=epsilon), seed=3)
        shown = little(lab.suited(adult), adult, LEAST)
        for band in (b for each in shown.figures for b in each.layers if isinstance(b, Ribbon)):
            assert (np.asarray(band.low) < band.high).all(), (epsilon, band.key)
        said = [f.note for f in shown.facts if "to {high}" in getattr(f.note, "text", "")]
        assert all(note.values["low"] != note.values["high"] for note in said)


def test_every_attack_stands_first_and_says_what_it_gains(adult: Dataset):
    """And every number that it says comes from its model."""
    for kind in LABS:
        small = {name: value for name, value in SMALL.items() if name in domains(kind)}
        shown, missing = heard_of(attacked(kind(**small)).suited(adult), adult)
        assert missing == []
        assert list(at_odds(shown)) == []
        first: Figure = shown.figures[0]
        assert first.key == "success" or not kind.noisy
        assert shown.headline[0] == "gain", kind.key


@pytest.mark.parametrize("kind", ["tracker", "shadows", "reconstruction"])
def test_what_was_drawn_is_said_with_how_far_off_it_may_be(kind: str, adult: Dataset):
    """At a tiny ε a few draws beat the coin, and nobody does: the interval says so."""
    at = "mechanism.epsilon=0.01 confidence=0.999"
    lucky, where = [], successor("attack", {"attacker": kind}).lab
    for seed in range(1, 5):
        words = f"{where} attacker={kind} {at} seed={seed}"
        shown = found(words, adult, Effort(0.1, 0.5))
        told, most = (shown.sentence(key).say for key in ("gain", "nobody"))
        told = told.values
        right = told.get("right") or told.get("noisy") or told["share"]
        best = most.values["best"].value
        assert right.value - told["within"].value <= best
        lucky.append(round(right.value, 1) > math.ceil(10 * best - 1e-9) / 10)
        assert ("luck" in render(most)) == lucky[-1]
    assert any(lucky)
