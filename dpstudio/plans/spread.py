"""The costs of least error in one pool: errors that fall as A/cost^p, costs that add up, and of
parts over disjoint rows the dearest alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

_ROUNDS = 4  # of the price, which is nearly a power of the total


def spread(
    sizes: Sequence[float],
    powers: Sequence[float],
    lots: Sequence[int | None],
    before: Sequence[float],
    touched: int,
) -> list[float]:
    """Costs that have the least Σ A/cost^p at what those `before` come to. At one price for all
    each alone has p·A/cost^(p+1) = price. Of a lot the `touched` dearest are paid: what is not
    among them rises to them for nothing, up to a level at which all that are at it together are
    worth what is paid for them."""

    def paid(costs: Sequence[float]) -> float:
        held: dict[int, list[float]] = {}
        for cost, lot in zip(costs, lots, strict=True):
            if lot is not None:
                held.setdefault(lot, []).append(cost)
        alone = (cost for cost, lot in zip(costs, lots, strict=True) if lot is None)
        tops = (sum(sorted(each, reverse=True)[:touched]) for each in held.values())
        return math.fsum(alone) + math.fsum(tops)

    price, total = 1.0, paid(before)
    for _ in range(_ROUNDS):
        found = _at(price, sizes, powers, lots, touched)
        price *= (paid(found) / total) ** (1 + sum(powers) / len(powers))
    by = total / paid(found)
    return [cost * by for cost in found]


def _at(
    price: float,
    sizes: Sequence[float],
    powers: Sequence[float],
    lots: Sequence[int | None],
    touched: int,
) -> list[float]:
    found = [(p * a / price) ** (1 / (p + 1)) for a, p in zip(sizes, powers, strict=True)]
    for lot in dict.fromkeys(n for n in lots if n is not None):
        held = [i for i, n in enumerate(lots) if n == lot]
        if len(held) > touched:
            level = _level([(sizes[i], powers[i], found[i]) for i in held], touched, price)
            for i in held:
                found[i] = max(found[i], level)
    return found


def _level(held: Sequence[tuple[float, float, float]], touched: int, price: float) -> float:
    def worth(level: float) -> float:
        below = math.fsum(p * size / level ** (p + 1) for size, p, at in held if at <= level)
        return below / price - (touched - sum(at > level for _, _, at in held))

    ends = [at for _, _, at in held]
    low, high = math.log(min(ends)), math.log(len(held) * max(ends))
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if worth(math.exp(middle)) > 0 else (low, middle)
    return math.exp(low)
