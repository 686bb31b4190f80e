"""How much noise a measurement gets at many sensitivities at once."""

import math
from collections.abc import Callable

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.additive import Sensitivity


def one_number(by: float) -> Sensitivity:
    """The sensitivity of a single number."""
    return Sensitivity(by, by, by)


def noise_spread(
    mechanism: Additive, reach: Array, sensitivity: Callable[[float], Sensitivity] = one_number
) -> Array:
    """Variance of the noise of a number that moves by each `reach`, shape of that; 0 where nothing
    can move. `sensitivity` says what it is a number of.

    Most laws only stretch with the sensitivity. Where variance/Δ² is the same to 1e-6 at both ends
    of a stretch it is so between; elsewhere (integer noise at small Δ) each Δ has its own law.
    """
    sizes, back = np.unique(reach, return_inverse=True)
    ratios = np.zeros(len(sizes))

    def ratio(i: int) -> float:
        size = float(sizes[i])
        return mechanism.law(sensitivity(size)).variance / size / size  # its square may vanish

    def fill(first: int, last: int) -> None:
        if last - first < 2:
            return
        if math.isclose(ratios[first], ratios[last], rel_tol=1e-6):
            ratios[first + 1 : last] = ratios[first]
            return
        middle = (first + last) // 2
        ratios[middle] = ratio(middle)
        fill(first, middle)
        fill(middle, last)

    start = int(np.searchsorted(sizes, 0.0, "right"))
    if start < len(sizes):
        for end in {start, len(sizes) - 1}:
            ratios[end] = ratio(end)
        fill(start, len(sizes) - 1)
    return np.asarray((ratios * sizes**2)[back].reshape(reach.shape))
