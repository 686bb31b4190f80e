"""The composition lab's entries as the accountants read them, its bounds by name, and where one
falls below adding up."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.budget.composition.releases import Entry, Parts, lines
from dpstudio.privacy.accounting import ACCOUNTANTS, Accountant, GroupPrivacy, Ledger, Spend

CROSSINGS_TO = 10_000
KINDS: dict[str, type[Accountant]] = {kind.key: kind for kind in ACCOUNTANTS}


@dataclass(frozen=True)
class Valued:
    """A bound with its total ε here: `loose` is the factor over the tightest of those that bound
    one person's loss."""

    bound: Accountant
    epsilon: float
    loose: float
    counts: bool


def below_adding(bound: Accountant, spend: Spend, delta: float) -> int | None:
    """The smallest k up to 10,000 from which a bound is strictly below kε: bracketed on a grid,
    then every k between."""

    def below(k: Array) -> np.ndarray:
        return np.asarray(bound.curve(spend, k, delta) < k * spend.epsilon * (1 - 1e-12))

    k = np.unique(np.round(np.geomspace(1, CROSSINGS_TO, 100)))
    found = below(k)
    if not found.any():
        return None
    at = int(np.argmax(found))
    if at == 0:
        return 1
    between = np.arange(k[at - 1] + 1, k[at] + 1)
    return int(between[np.argmax(below(between))])


def bound_of(key: str, people: int) -> Accountant:
    return GroupPrivacy(people=people) if key == "group_privacy" else KINDS[key]()


def ledger_of(entries: tuple[Entry, ...], adjacency: str) -> Ledger:
    """The entries as the accountants read them; parts of one pair of brackets are a group."""
    spends = []
    for place, entry in enumerate(entries):
        repeats, group = (entry.times, str(place + 1)) if isinstance(entry, Parts) else (1, "")
        spends += [
            Spend.of(line.mechanism, count=line.times * repeats, group=group)
            for line in lines(entry)
        ]
    return Ledger(tuple(spends), adjacency)


def own_delta(ledger: Ledger) -> float:
    return math.fsum(s.count * s.delta for s in ledger.spends)


def size_of(entry: Entry) -> int:
    """How many answers an entry stands for."""
    return sum(line.times for line in lines(entry)) * (
        entry.times if isinstance(entry, Parts) else 1
    )
