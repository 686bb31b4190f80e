"""A series of answers as the accountants read it: what it costs by adding up, its beginnings, and
which of its answers can be averaged."""

import math
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.release_list import Entry, Line, Parts, lines
from dpstudio.privacy.accounting import Ledger, Spend
from dpstudio.privacy.mechanisms import Sensitivity

INSIDE = 10  # so many beginnings of a list, about, that end within a long release


def counted(rows: int) -> Sensitivity:
    """How far a person with at most so many rows moves a count: what every answer here is."""
    return Sensitivity(float(rows), float(rows), float(rows))


def ledger_of(entries: tuple[Entry, ...], adjacency: str, rows: int) -> Ledger:
    """The entries as the accountants read them, of persons with at most so many rows; parts of one
    pair of brackets are a group."""
    spends = []
    for place, entry in enumerate(entries):
        repeats, group = (entry.times, str(place + 1)) if isinstance(entry, Parts) else (1, "")
        spends += [
            Spend.of(line.mechanism, counted(rows), line.times * repeats, group, line.chance)
            for line in lines(entry)
        ]
    return Ledger(tuple(spends), adjacency, rows)


def own_delta(ledger: Ledger) -> float:
    """Σδᵢ: the δ of the releases, all added up."""
    return math.fsum(s.count * s.delta for s in ledger.spends)


def size_of(entry: Entry) -> int:
    """How many answers an entry stands for."""
    repeats = entry.times if isinstance(entry, Parts) else 1
    return repeats * sum(line.times for line in lines(entry))


def first_answers(entries: tuple[Entry, ...], k: int) -> tuple[Entry, ...]:
    """The first k answers of the list; a group of parts is taken whole."""
    taken: list[Entry] = []
    for entry in entries:
        if k <= 0:
            break
        taken.append(
            entry if isinstance(entry, Parts) else replace(entry, times=min(k, entry.times))
        )
        k -= size_of(entry)
    return tuple(taken)


def beginnings(entries: tuple[Entry, ...]) -> Array:
    """Numbers of answers with which a beginning of the list ends: after each entry, and some within
    long ones; none within brackets. Increasing, shape (n,)."""
    ends = np.cumsum([0, *(size_of(entry) for entry in entries)])
    inside = np.unique(np.round(np.geomspace(1, ends[-1], INSIDE)))
    for entry, start, end in zip(entries, ends[:-1], ends[1:], strict=True):
        if isinstance(entry, Parts):
            inside = inside[(inside <= start) | (inside >= end)]
    return np.unique(np.concatenate([ends[1:], inside])).astype(np.float64)


def averaged(entries: tuple[Entry, ...]) -> tuple[Line, ...]:
    """The answers that an attacker can average: of disjoint parts those about one person, at
    their largest ε."""
    out = []
    for entry in entries:
        line = max(lines(entry), key=lambda one: one.times * one.epsilon)
        repeats = entry.times if isinstance(entry, Parts) else 1
        out.append(replace(line, times=line.times * repeats, locked=False))
    return tuple(out)
