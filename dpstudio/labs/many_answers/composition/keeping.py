"""What a budget leaves to the unlocked releases of a list: the factor on their ε with which the
whole meets it, solved exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpstudio.labs.release_list import Entry, lines, refitted
from dpstudio.labs.series_ledger import ledger_of
from dpstudio.privacy.accounting import Accountant, Numeric, Sequential
from dpstudio.privacy.accounting.inverse import HAIR, largest_within
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.additive import EPSILON

LEAST = 1e-4  # of its ε: less than that is nothing


class _Broken(Exception):
    """A mechanism that does not keep its promise at such an ε."""


@dataclass(frozen=True)
class Kept:
    """By one bound: `factor` on the ε of every unlocked release (0: none is left), and what the
    locked ones cost alone."""

    bound: Accountant
    factor: float
    locked: float


def cap(entries: tuple[Entry, ...]) -> float:
    """The factor at which the largest ε of an unlocked answer reaches the most that the studio
    offers; 1 where all are locked."""
    free = [
        line.mechanism.epsilon for entry in entries if not entry.locked for line in lines(entry)
    ]
    return EPSILON.high / max(free) if free else 1.0


def kept(
    entries: tuple[Entry, ...],
    adjacency: str,
    rows: int,
    delta: float,
    budget: float,
    bound: Accountant,
) -> Kept:
    """The factor by one bound, for persons with at most so many rows. The total δ stays that of the
    list: a release keeps its δ when its ε changes.

    No release grows beyond where it keeps its promise (the textbook Gaussian does up to some ε),
    nor stays there, unless it is locked.
    """

    def cost(asked: tuple[Entry, ...], by: Accountant) -> float:
        ledger = ledger_of(asked, adjacency, rows)
        if isinstance(by, Numeric) and by.refuse_delta(ledger, delta) is not None:
            return math.inf
        try:
            return by.epsilon(ledger, delta)
        except ValueError:  # what the bound refuses; to ask it first would take as long again
            return math.inf

    def total(factor: float) -> float:
        def grown(mechanism: Additive) -> Additive:
            made = mechanism.at(mechanism.epsilon * factor, mechanism.total_delta)
            if not made.guarantee(UNIT).kept:
                raise _Broken
            return made

        try:
            return cost(tuple(refitted(entry, grown) for entry in entries), bound)
        except _Broken:
            return math.inf

    held = tuple(entry for entry in entries if entry.locked)
    # Without brackets among them the parallel bound has nothing to say of the locked ones but their
    # sum.
    apart = bound.key == "parallel" and not ledger_of(held, adjacency, rows).groups
    alone = cost(held, Sequential() if apart else bound) if held else 0.0
    return Kept(
        bound,
        0.0 if alone > budget * HAIR else largest_within(total, budget, 1.0, LEAST, cap(entries)),
        alone,
    )
