"""Noise that no row is needed for: its scale about 0 and about the mean, and what the scales that
are printed really keep."""

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.local_curves import ladder
from dpstudio.labs.memo import once
from dpstudio.labs.models.components.model import ComponentsModel, delta, epsilon, scales
from dpstudio.privacy.learning import components, printed, ways
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma, textbook_factor
from dpstudio.privacy.queries.query import ADD_REMOVE

_POINTS = 33


@once
def noise_curves(model: ComponentsModel) -> tuple[Array, Array, Array]:
    """(ε, scale of the noise of the chosen way about 0, about the mean), shapes (points,)."""
    x = ladder(model.effort.of_points(_POINTS))
    return x, scales(model, x, False), scales(model, x, True)


@once
def broken(model: ComponentsModel) -> tuple[Array, Array, Array]:
    """(claimed ε, what Δ₂ = 1 really keeps about the mean, what |X|∞ keeps in the power method) for
    one row that comes or goes."""
    points, d, often, p = model.effort.of_points(_POINTS), delta(model), steps(model), model.p
    x, far = ladder(points), components.moved(True, ADD_REMOVE).l2

    def found() -> Array:
        kept = printed.centred_epsilon(x, d, far), printed.power_epsilon(x, d, often, p)
        return array(np.stack(kept))

    centred, power = model.data.remember(("components printed", points, d, often, p), found)
    return x, centred, power


def steps(model: ComponentsModel) -> int:
    """Steps of the power method: those that are set, or as it starts."""
    made = model.lab.mechanism
    return made.steps if isinstance(made, ways.NoisyPower) else ways.NoisyPower().steps


def centred_claim(model: ComponentsModel) -> float:
    """What the printed noise about the mean really keeps at the chosen ε."""
    far = components.moved(True, ADD_REMOVE).l2
    return float(printed.centred_epsilon(np.array(epsilon(model)), delta(model), far))


def power_claim(model: ComponentsModel) -> float:
    """What the printed noise of the power method keeps at best at the chosen ε."""
    at = np.array(epsilon(model))
    return float(printed.power_epsilon(at, delta(model), steps(model), model.p))


def wishart_claim(model: ComponentsModel) -> float:
    """The share of outputs of Wishart noise that prove that a row is there."""
    return printed.wishart_delta(epsilon(model))


def saved(model: ComponentsModel) -> float:
    """How many times larger the classical σ is than the exact one at the same (ε, δ)."""
    return (
        textbook_factor(delta(model))
        / epsilon(model)
        / analytic_sigma(epsilon(model), delta(model))
    )
