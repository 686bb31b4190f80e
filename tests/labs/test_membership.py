"""Membership: the best test of one answer by its laws, and shadow models below their bound."""

import math

import numpy as np
import pytest
import scipy.stats
from running import facts, found, lab_of, little

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Effort
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma

FULL = Effort(points=0.2, draws=0.5)


def test_one_laplace_answer_gives_the_advantage_that_is_known(adult: Dataset):
    for epsilon in (0.1, 1.0, 5.0):
        known = facts(f"membership mechanism.epsilon={epsilon}", adult)
        assert known["best"] == pytest.approx(1 - math.exp(-epsilon / 2), rel=1e-9)
        assert known["best"] < known["promised"] == pytest.approx(math.tanh(epsilon / 2))


ALARMS = {  # of "in" where the answer is above half of what the person adds, by scipy
    "laplace": lambda e: scipy.stats.laplace(scale=1 / e).sf(0.5),
    "gaussian": lambda e: scipy.stats.norm(scale=analytic_sigma(e, 1e-5)).sf(0.5),
    "geometric": lambda e: scipy.stats.dlaplace(e).sf(0),
}


@pytest.mark.parametrize("name", ALARMS)
def test_false_alarms_of_membership_are_those_of_its_test(name: str, adult: Dataset):
    """The area beyond the threshold and the middle of the curve by the law; what was measured lies
    about the curve of the best test, and never on the other side of guessing."""
    for epsilon in (0.3, 1.5):
        words = f"membership mechanism={name} mechanism.epsilon={epsilon}"
        shown = found(words, adult, Effort(points=1.0, draws=0.5))
        wanted = float(ALARMS[name](epsilon))
        area = shown.figure("laws").layer("alarms")
        if name != "geometric":  # whole numbers are drawn as steps: half of one is cut off
            beyond = float(np.sum(area.heights * np.diff(area.edges)))
            assert beyond == pytest.approx(wanted, abs=0.03 * wanted + 0.015), epsilon
        roc = shown.figure("roc")
        best, seen = roc.layer("best"), roc.layer("measured")
        # Both mistakes of that test are alike; the curve has 200 points, and corners between them.
        missed = 1 - float(np.interp(wanted, best.x, best.y))
        assert missed == pytest.approx(wanted, abs=0.01)
        assert (seen.y >= seen.x - 0.02).all()
        assert np.abs(seen.y - np.interp(seen.x, best.x, best.y)).max() < 0.06


def test_shadow_models_find_members_until_noise_hides_them(adult: Dataset):
    lab, _ = lab_of(["membership", "attacker=shadows", "attacker.people=60"])
    chart = little(lab, adult, FULL).figure("success")
    assert chart.layer("exact").at > 70
    assert chart.layer("interval").low[0] < 51


def test_noise_in_every_step_keeps_shadow_models_below_its_bound(adult: Dataset):
    lab, _ = lab_of(
        ["membership", "attacker=shadows", "attacker.private=steps", "confidence=0.999"]
    )
    chart = little(lab, adult, FULL).figure("success")
    best, low = chart.layer("best").y, chart.layer("interval").low
    assert (low <= best).all()
    assert (best <= chart.layer("promised").y + 1e-9).all()
    assert low[0] < 51 < 60 < low[-1]
