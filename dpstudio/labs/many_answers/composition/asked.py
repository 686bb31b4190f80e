"""What is asked of the composition lab's releases by typed number: their δ at an ε, their Rényi
divergence at an order, and the μ of Gaussian noise."""

import math
from collections.abc import Sequence

import numpy as np

from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.many_answers.composition.budget import holding
from dpstudio.labs.many_answers.composition.model import CompositionModel
from dpstudio.labs.memo import once
from dpstudio.labs.series_model import touched_by_one
from dpstudio.privacy.accounting import Accountant, GaussianDP, Ledger, Renyi, Sequential
from dpstudio.privacy.accounting.renyi import divergence

# From there on the ε of a numeric bound at δ is far above that at which it has this δ.
_NEAR_ONE = 0.9
# The bounds whose δ(ε) is a closed form, or nearly.
QUICK = ("optimal", "gdp", "zcdp_tight", "zcdp", "parallel", "sequential")


@once
def delta_asked(model: CompositionModel) -> tuple[Accountant, float]:
    """The bound with the least total δ at the ε that is asked for, and that δ; of bounds that are
    equal but for roundings the first."""
    epsilon, ledger = model.lab.at_epsilon, model.ledger
    key = ("composition delta", holding(model), ledger, epsilon)
    return OF_NO_TABLE.remember(key, lambda: _least_delta(holding(model), ledger, epsilon))


def _least_delta(
    told: Sequence[Accountant], ledger: Ledger, epsilon: float
) -> tuple[Accountant, float]:
    """The first bound whose δ(ε) is the least, but for roundings, and that δ. Only what is told at
    once, or costs no more ε at the least δ so far, is inverted: that is slow."""

    def delta(bound: Accountant) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):  # at a δ near the smallest float
            return bound.delta(ledger, epsilon)

    def as_small(bound: Accountant) -> bool:
        at = least * (1 + 1e-9)
        with np.errstate(divide="ignore", invalid="ignore"):
            return at >= _NEAR_ONE or bound.epsilon(ledger, at) <= epsilon * (1 + 1e-9)

    found, least = dict[Accountant, float](), 1.0
    at_once = [a for a in told if a.key in QUICK and not a.slow(ledger)]
    for bound in (*at_once, *(a for a in told if a not in at_once)):
        if bound in at_once or as_small(bound):
            found[bound] = delta(bound)
            least = min(least, found[bound])
    # A δ of 1 says nothing, however near it is to that of another bound.
    most = 1.0 if least == 1 else min(least * (1 + 1e-9), math.nextafter(1.0, 0.0))
    return next(((a, found[a]) for a in told if found.get(a, 2.0) <= most), (Sequential(), 1.0))


def no_delta(model: CompositionModel) -> bool:
    """Whether the δ at the ε that is asked for is 0 itself, and not only too small for a number: of
    parts those count that one person may touch."""
    return model.own_delta == 0 and touched_by_one(model) <= model.lab.at_epsilon


@once
def divergence_asked(model: CompositionModel) -> float | None:
    """The Rényi divergence of all releases at the order that is asked for, or a bound on it: the
    largest over what one person may touch. None where none is known."""
    if Renyi().refuse(model.ledger) is not None:
        return None
    return max(divergence(world, model.lab.order) for world in model.ledger.worlds())


@once
def mu(model: CompositionModel) -> float | None:
    """The μ of all releases in Gaussian differential privacy; None where not all are Gaussian."""
    if GaussianDP().refuse(model.ledger) is not None:
        return None
    return max(GaussianDP().mu(world) for world in model.ledger.worlds())
