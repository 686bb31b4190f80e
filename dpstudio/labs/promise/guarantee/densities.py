"""The two laws of the number that is drawn: their densities, the ratio of these, and what δ pays
for between them."""

import math

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.labs.law_curves import law_curve
from dpstudio.labs.memo import once
from dpstudio.labs.promise.guarantee.model import GuaranteeModel, drawn_law, drawn_value, seen

_CELLS = 4000  # the most that the red area of a discrete law is made of


def centres(model: GuaranteeModel) -> tuple[float, float]:
    """The exact number with the person in, and without."""
    return drawn_value(model), drawn_value(model) - seen(model).shift


@once
def span(model: GuaranteeModel) -> tuple[float, float]:
    """(middle, half the width) of the answers that are drawn."""
    noise, shift = drawn_law(model), seen(model).shift
    wide = max(noise.half_width(0.99), 3.0 if noise.discrete else 1e-12)
    return drawn_value(model) - shift / 2, nice_above(1.05 * (wide + abs(shift) / 2))


def density(model: GuaranteeModel, centre: float) -> tuple[Array, Array]:
    """(x, density or pmf) of the noise about `centre` over the span."""
    middle, half = span(model)
    x, y = law_curve(drawn_law(model), middle - half - centre, middle + half - centre)
    return x + centre, y


def ratio_allowed(model: GuaranteeModel) -> float:
    """e^ε, as large as it can be drawn."""
    return math.exp(min(700.0, model.epsilon))


def excess(model: GuaranteeModel) -> tuple[Array, Array]:
    """(edges, heights): what the law with the person has above e^ε times the law without; an area
    as large as the δ that it needs, atoms apart."""
    noise, centre, shift = drawn_law(model), drawn_value(model), seen(model).shift
    middle, half = span(model)
    if noise.discrete:
        first, count = math.ceil(middle - half - centre), math.ceil(2 * half + 1)
        # One cell an atom; of more than can be told apart, the middle one stands for its cell.
        ends = np.round(np.linspace(first, first + count, min(count, _CELLS) + 1))
        k, edges = (ends[1:] + ends[:-1] - 1) // 2 + centre, ends - 0.5 + centre
    else:
        edges = np.linspace(middle - half, middle + half, model.effort.of_points(400) + 1)
        k = (edges[1:] + edges[:-1]) / 2
    inside, outside = noise.density(k - centre), noise.density(k - centre + shift)
    gap = np.maximum(0.0, inside - ratio_allowed(model) * outside)
    return edges, np.where(gap > 1e-9 * inside, gap, 0.0)


def log_ratio(model: GuaranteeModel, most: float) -> tuple[Array, Array]:
    """(answers over the span, ln of the density with the person over that without), at most so far
    from 0; of an answer that neither gives it is unknown."""
    noise, centre, shift = drawn_law(model), drawn_value(model), seen(model).shift
    x, inside = density(model, centre)
    drawn = x - centre
    if noise.discrete and np.any(drawn != np.rint(drawn)):  # steps, over half a unit to both sides
        drawn = np.repeat(np.rint((drawn[::2] + drawn[1::2]) / 2), 2)
    outside = noise.density(drawn + shift)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(inside) - np.log(outside)
    return x, array(np.clip(ratio, -most, most))
