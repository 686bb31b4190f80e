"""The costs of least error in one pool: errors that fall as A/cost^p, costs that add up, and of
parts over disjoint rows the dearest alone."""

from __future__ import annotations

import math
from collections.abc import Sequence


def spread(
    sizes: Sequence[float], power: int, lots: Sequence[int | None], touched: int
) -> list[float]:
    """Costs in proportion to those that have the least Σ A/cost^p at what they add up to. At a
    price of 1 each alone has p·A/cost^(p+1) = 1. Of a lot the `touched` dearest are paid: what is
    not among them rises to them for nothing, up to a level at which all that are at it together are
    worth what is paid for them."""
    alone = [(power * size) ** (1 / (power + 1)) for size in sizes]
    found = list(alone)
    for lot in dict.fromkeys(n for n in lots if n is not None):
        held = [i for i, n in enumerate(lots) if n == lot]
        if len(held) > touched:
            level = _level([(sizes[i], alone[i]) for i in held], power, touched)
            for i in held:
                found[i] = max(alone[i], level)
    return found


def _level(held: Sequence[tuple[float, float]], power: int, touched: int) -> float:
    def worth(level: float) -> float:
        below = math.fsum(power * size / level ** (power + 1) for size, at in held if at <= level)
        return below - (touched - sum(at > level for _, at in held))

    low, high = math.log(min(at for _, at in held)), math.log(len(held) * max(at for _, at in held))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if worth(math.exp(middle)) > 0 else (low, middle)
    return math.exp(low)
