"""Curves of laws and of errors, as layers: what several labs draw alike."""

import numpy as np

from dpstudio.charts.figure import Array, Layer, Rule, array
from dpstudio.labs.context import SCREEN, Effort
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.law import Largest, Law
from dpstudio.values.messages import N_, Num, say

Curve = tuple[tuple[float, float], ...]
CURVE = 361
KINKS = 120


def law_curve(
    law: Law | Largest, low: float, high: float, effort: Effort = SCREEN
) -> tuple[Array, Array]:
    """(x, density or pmf) over [low, high], with every jump upright and few atoms as steps."""
    points = 2 * (effort.of_points(CURVE) // 2) + 1
    if not law.discrete:
        x = np.linspace(low, high, points)
        kinks = law.kinks(low, high)
        if 1 < len(kinks) <= KINKS:
            # A jump is drawn upright: a point on either side of it.
            hair = 1e-9 * (high - low)
            x = np.sort(np.concatenate([x, kinks - hair, kinks + hair]))
        # The peak of the Laplace density is a point: keep it on the grid (points are odd).
        return array(x), array(law.density(x))
    count = int(high - low) + 1
    k = (
        np.arange(np.ceil(low), np.floor(high) + 1)
        if count <= points
        else np.unique(np.round(np.linspace(low, high, points)))
    )
    if len(k) > 60:
        return array(k), array(law.density(k))
    # Few atoms: draw the pmf as steps over k ± ½, as the bars are.
    x = np.repeat(np.append(k - 0.5, k[-1] + 0.5), 2)[1:-1]
    return array(x), array(np.repeat(law.density(k), 2))


def atoms_drawn(law: Law | Largest, low: float, high: float) -> list[Layer]:
    """Single values that come with a probability of their own, which no density can show."""
    if not isinstance(law, Law):
        return []
    text = N_("{share} exactly here")
    return [
        Rule(f"atom{i}", "limit", say(text, share=Num(mass, 3, percent=True)), place, dash="dot")
        for i, (place, mass) in enumerate(law.atoms)
        if low <= place <= high and mass > 1e-13
    ]


def only(values: Array, mask: np.ndarray) -> Array:
    """The curve where `mask` holds, with one point of overlap so that solid and dotted parts meet;
    gaps are NaN."""
    keep = mask.copy()
    keep[1:] |= mask[:-1] & ~mask[1:]
    return array(np.where(keep, values, np.nan))


def sketched(kind: type[Additive]) -> Curve:
    """The shape of a mechanism's noise for a drawing of a few px: x and y from 0 to 1."""
    law = kind.sketch()
    x = np.linspace(-4, 4, 81)
    y = np.nan_to_num(law.density(np.round(x) if law.discrete else x))
    top = float(y.max()) or 1.0
    return tuple(zip(((x + 4) / 8).tolist(), (y / top).tolist(), strict=True))
