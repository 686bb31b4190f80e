"""Reconstruction: bits from noisy counts as the facts say, and the census block."""

import pytest
from running import facts, found

from dpstudio.data.dataset import Dataset
from dpstudio.labs.carry_over import carried
from dpstudio.labs.context import Effort
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.messages import render


@pytest.mark.parametrize(
    ("share", "known"), [(0.25, 0.963), (0.5, 0.813), (1.0, 0.675), (2.0, 0.576)]
)
def test_reconstruction_against_noise_is_as_the_facts_say(share: float, known: float, adult):
    chart = found("reconstruction", adult, Effort(points=0.1)).figure("noise")
    line = chart.layer("recovered")
    assert line.y[list(line.x).index(share)] == pytest.approx(100 * known, abs=1.5)


def test_it_begins_with_its_own_noise_whatever_was_open_before(adult: Dataset):
    """At the ε of one answer, which the window brought along, it opened on a coin."""
    lab, before = (
        lab_of_words(["reconstruction"]),
        lab_of_words(["explore", "mechanism.epsilon=0.1"]),
    )
    assert carried(lab, [before]).mechanism == lab.mechanism
    assert carried(before, [lab]).mechanism == before.mechanism
    told = facts("reconstruction", adult, Effort(points=0.1))
    assert told["best"] > 0.7


def test_the_census_block_is_known_after_its_last_step(adult: Dataset):
    known = [
        facts(f"reconstruction attacker=census attacker.step={i}", adult)["left"]
        for i in range(1, 6)
    ]
    assert known[-1] == 1
    assert known == sorted(known, reverse=True)


def test_every_bit_is_said_to_be_found_only_where_it_is(adult: Dataset):
    few = found("reconstruction attacker.people=100 attacker.questions=20", adult)
    assert "every bit" not in render(few.sentence("exact").say)
    assert "every bit" in render(found("reconstruction", adult).sentence("exact").say)
