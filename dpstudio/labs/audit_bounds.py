"""What labs show of audits: a lower bound on ε, in digits that keep to it, and how it grows."""

from collections.abc import Sequence

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.attacks.audit import Trial, lower_epsilon
from dpstudio.values.messages import Num, safely

SOURCE = "Clopper & Pearson 1934; Jagielski, Ullman & Oprea 2020"


def found_bound(bound: float, claim: float) -> Num:
    """A lower bound on ε, with as many digits as show that it lies above the claim where it
    does."""
    digits = (
        next((d for d in range(3, 8) if safely(bound, d, "down") > claim), 3)
        if bound > claim
        else 3
    )
    return Num(bound, digits, "down")


def bounds_by_draws(steps: Sequence[Trial], confidence: float, delta: float) -> tuple[Array, Array]:
    """(draws on each side, lower bound on ε) of whole audits."""
    hits, others, tests = np.array([(s.hits, s.others, s.tests) for s in steps]).T
    bounds = lower_epsilon(hits, others, tests, confidence, delta)
    return array([step.draws for step in steps]), array(bounds)
