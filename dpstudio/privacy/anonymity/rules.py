"""Association rules, and how they are hidden: support or confidence is lowered by deleting items,
at the price of rules that are lost or made up (Verykios, Elmagarmid, Bertino, Saygin & Dasseni
2004)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Items = tuple[int, ...]
Baskets = NDArray[np.bool_]
MOST_ITEMS = 16


@dataclass(frozen=True)
class AssociationRule:
    """If all of `given`, then all of `then`: the share of the baskets that hold both, the share of
    those with `given` that hold `then` as well, and how much more that is than without it."""

    given: Items
    then: Items
    support: float
    confidence: float
    lift: float


def supports(baskets: Baskets, most: int = 3) -> dict[Items, int]:
    """How many baskets, (n, items), hold each set of at most `most` items. ValueError above
    MOST_ITEMS items."""
    if baskets.shape[1] > MOST_ITEMS:
        raise ValueError(f"more than {MOST_ITEMS} items")
    out: dict[Items, int] = {(): len(baskets)}
    for size in range(1, most + 1):
        for items in combinations(range(baskets.shape[1]), size):
            out[items] = int(np.count_nonzero(baskets[:, items].all(1)))
    return out


def mined(
    baskets: Baskets, support: float, confidence: float, most: int = 3
) -> list[AssociationRule]:
    """The rules with at least this support and confidence, of at most `most` items, the surest
    first (Agrawal & Srikant 1994)."""
    held, n, out = supports(baskets, most), len(baskets), list[AssociationRule]()
    for items, many in held.items():
        if len(items) < 2 or many < support * n:
            continue
        for size in range(1, len(items)):
            for given in combinations(items, size):
                then = tuple(item for item in items if item not in given)
                sure = many / held[given] if held[given] else 0.0
                if sure >= confidence:
                    lift = sure * n / held[then]
                    out.append(AssociationRule(given, then, many / n, sure, lift))
    return sorted(out, key=lambda rule: (-rule.confidence, -rule.support, rule.given, rule.then))


def deletions(both: int, given: int, n: int, support: float, confidence: float) -> int:
    """How many baskets must lose an item of the right side so that a rule in `both` of the `given`
    is no longer found: the fewer of ⌊both − confidence·given⌋ + 1 and ⌊both − support·n⌋ + 1, none
    where it is not found already."""
    by_confidence = int(np.floor(both - confidence * given + 1e-9)) + 1
    by_support = int(np.floor(both - support * n + 1e-9)) + 1
    return max(0, min(by_confidence, by_support))


def hidden(
    baskets: Baskets,
    rule: AssociationRule,
    support: float,
    confidence: float,
    rng: np.random.Generator,
) -> Baskets:
    """Baskets in which the rule is not found: an item of its right side is deleted from as many of
    those that hold the rule as it takes, the shortest first, chance among equals."""
    holding = np.flatnonzero(baskets[:, rule.given + rule.then].all(1))
    given = int(np.count_nonzero(baskets[:, rule.given].all(1)))
    many = deletions(len(holding), given, len(baskets), support, confidence)
    order = np.lexsort((rng.random(len(holding)), baskets[holding].sum(1)))
    item = min(rule.then, key=lambda each: int(baskets[:, each].sum()))
    out = baskets.copy()
    out[holding[order[:many]], item] = False
    return out


@dataclass(frozen=True)
class SideEffects:
    """What hiding did: rules that should be gone and are not, rules that were lost with them, rules
    that were not there before; and the share of all items that was deleted."""

    failed: tuple[AssociationRule, ...]
    lost: tuple[AssociationRule, ...]
    ghosts: tuple[AssociationRule, ...]
    dissimilarity: float


def side_effects(
    before: Baskets,
    after: Baskets,
    secret: list[AssociationRule],
    support: float,
    confidence: float,
) -> SideEffects:
    """Compare the rules of two sets of baskets at the same thresholds."""

    def named(rules: list[AssociationRule]) -> dict[tuple[Items, Items], AssociationRule]:
        return {(rule.given, rule.then): rule for rule in rules}

    old, new, hide = (
        named(mined(before, support, confidence)),
        named(mined(after, support, confidence)),
        named(secret),
    )
    held = max(int(np.count_nonzero(before)), 1)
    return SideEffects(
        tuple(new[name] for name in hide if name in new),
        tuple(rule for name, rule in old.items() if name not in new and name not in hide),
        tuple(rule for name, rule in new.items() if name not in old),
        int(np.count_nonzero(before != after)) / held,
    )
