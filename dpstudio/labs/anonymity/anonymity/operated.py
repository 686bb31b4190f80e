"""A column before and after something was done to it, and what is left of its tie to another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.anonymity.anonymity import association_rules
from dpstudio.labs.anonymity.anonymity.choices.operations import (
    Anatomy,
    HideRule,
    MicroAggregate,
    Nothing,
    Permute,
    Perturb,
    Pram,
    Resample,
    Suppress,
    Swap,
    TopCode,
)
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel, n, overall, sensitive
from dpstudio.labs.anonymity.anonymity.perturbed import as_handed, can_multiply
from dpstudio.labs.memo import once
from dpstudio.privacy.anonymity import sanitise
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.privacy.sampling import Chance
from dpstudio.privacy.synthetic.clusters import ordered_clusters
from dpstudio.privacy.synthetic.marginals import cramers_v

_STREAM, _BINS, _LINES, BLANK = 73, 40, 12, "*"


@dataclass(frozen=True, eq=False)
class Operated:
    """A column of numbers or of codes, (n,), before and after; `words` of codes, () of numbers."""

    name: str
    before: Array
    after: Array
    words: tuple[str, ...]


def possible(model: AnonymityModel) -> bool:
    """Whether anything is done: numbers need a first quasi-identifier of numbers, anatomy a table
    of which no value is more than 1/l."""
    operation, first = model.lab.operation, model.rows.columns[0]
    if isinstance(operation, Nothing):
        return False
    if isinstance(operation, Anatomy):
        return max(overall(model.rows)) * operation.l <= 1
    if isinstance(operation, MicroAggregate) and operation.rows > n(model):
        return False
    if isinstance(operation, HideRule):
        return bool(association_rules.before(model))
    if isinstance(operation, Perturb) and operation.times and not can_multiply(model):
        return False
    return not operation.numbers or first.quasi.at is not None


def _chance(model: AnonymityModel) -> np.random.Generator:
    return np.random.default_rng((model.lab.seed, _STREAM))


@once
def operated(model: AnonymityModel) -> Operated:
    """What is done; only where it is `possible`."""
    operation, first, rng = model.lab.operation, model.rows.columns[0], _chance(model)
    x = first.quasi.places
    if isinstance(operation, TopCode):
        ends = np.quantile(x, [operation.share, 1 - operation.share])
        done = sanitise.top_coded(x, float(ends[0]), float(ends[1]))
        return Operated(first.name, array(x), array(done), ())
    if isinstance(operation, MicroAggregate):
        done = sanitise.micro_aggregated(x[:, None], ordered_clusters(x[:, None], operation.rows))
        return Operated(first.name, array(x), array(done[:, 0]), ())
    if isinstance(operation, Resample):
        done = sanitise.resampled(x, rng, fitted=operation.fitted)
        return Operated(first.name, array(x), array(done), ())
    if isinstance(operation, Perturb):
        return Operated(first.name, array(x), as_handed(model), ())
    if isinstance(operation, Suppress):
        return _suppressed(model, operation)
    codes, column = sensitive(model), model.rows.sensitive
    return Operated(model.lab.sensitive, array(codes), array(_coded(model, rng)), column.words)


def _suppressed(model: AnonymityModel, operation: Suppress) -> Operated:
    """The first quasi-identifier with cells blanked: NaN among numbers, a word of its own."""
    first = model.rows.columns[0]
    codes, x = first.quasi.codes, first.quasi.places
    blank = sanitise.rare(codes, operation.rows) | operation.column
    if first.quasi.at is not None:
        return Operated(first.name, array(x), array(np.where(blank, np.nan, x)), ())
    after = np.where(blank, len(first.words), codes)
    return Operated(first.name, array(codes), array(after), (*first.words, BLANK))


@once
def blanked(model: AnonymityModel) -> tuple[float, int]:
    """The share of cells that are blanked, and how many rows have the rarest value that is left, 0
    where none is."""
    made = operated(model)
    gone = made.before != made.after
    _, held = np.unique(made.after[~gone], return_counts=True)
    return float(gone.mean()), int(held.min()) if len(held) else 0


def _coded(model: AnonymityModel, rng: np.random.Generator) -> Codes:
    """The sensitive codes after; of anatomy one value of the group of each row, by lot."""
    operation, codes = model.lab.operation, sensitive(model)
    if isinstance(operation, Swap):
        return swapped(model, operation, rng)
    if isinstance(operation, Permute):
        return sanitise.permuted(codes, model.classes, rng)
    if isinstance(operation, Pram):
        matrix = pram_matrix(model, operation)
        return randomised(model, lambda there, _: sanitise.pram(there, matrix, rng))
    made = anatomy(model)
    steps = np.cumsum(made.counts, axis=1)
    there = (made.group >= 0) & (codes < made.counts.shape[1])
    out = codes.copy()
    drawn = np.floor(rng.random(len(codes)) * steps[made.group, -1])
    out[there] = (drawn[there, None] >= steps[made.group[there]]).sum(1)
    return out


def swapped(model: AnonymityModel, operation: Swap, rng: Chance) -> Codes:
    """The sensitive codes, (n,), after rows that are published exchange theirs: who is left out
    gives nobody a value."""
    rows, out = np.flatnonzero(model.classes.of >= 0), sensitive(model).copy()
    near = model.rows.columns[0].quasi.places[rows]
    out[rows] = sanitise.swapped(out[rows], near, operation.share, rng)
    return out


def randomised(model: AnonymityModel, drawn: Callable[[Codes, int], Codes]) -> Codes:
    """The sensitive codes, (n,), after those of published rows are drawn anew among the values that
    these rows have: `drawn` is given them in codes of their own, and how many there are."""
    rows, out = np.flatnonzero(model.classes.of >= 0), sensitive(model).copy()
    values, codes = np.unique(out[rows], return_inverse=True)
    out[rows] = values[drawn(codes.astype(np.int64), len(values))]
    return out


def pram_matrix(model: AnonymityModel, operation: Pram) -> Array:
    """PRAM’s matrix over the values of published rows."""
    there = sensitive(model)[model.classes.of >= 0]
    return sanitise.kept_or_any(len(np.unique(there)), operation.keep)


@once
def anatomy(model: AnonymityModel) -> sanitise.Anatomy:
    """The groups of anatomy."""
    operation = model.lab.operation
    assert isinstance(operation, Anatomy)
    values = model.rows.sensitive.values
    return sanitise.anatomised(sensitive(model), values, operation.l, _chance(model))


@once
def belief(model: AnonymityModel) -> float:
    """The most that an attacker believes of anybody in a group of anatomy."""
    return anatomy(model).belief


def pram_epsilon(model: AnonymityModel) -> float:
    """The local ε of PRAM’s matrix."""
    operation = model.lab.operation
    assert isinstance(operation, Pram)
    return sanitise.pram_epsilon(pram_matrix(model, operation))


@once
def changed(model: AnonymityModel) -> float:
    """The share of rows whose value is another."""
    made = operated(model)
    return float(np.mean(made.before != made.after))


@once
def spread(model: AnonymityModel) -> tuple[Array, Array, Array]:
    """The shares of each value, or of bins of a number, before and after: edges of the bins or
    numbers of the words, and shares of shape (bins,)."""
    made = operated(model)
    if made.words:
        at = np.arange(len(made.words), dtype=np.float64)
        edges = np.arange(len(made.words) + 1) - 0.5
    else:
        whole = np.concatenate([made.before, made.after[~np.isnan(made.after)]])
        edges = np.linspace(whole.min(), max(whole.max(), whole.min() + 1), _BINS + 1)
        at = (edges[1:] + edges[:-1]) / 2
    before, after = (
        np.histogram(each[~np.isnan(each)], edges)[0] / len(each)
        for each in (made.before, made.after)
    )
    return array(at), array(before), array(after)


def _other(model: AnonymityModel) -> Codes:
    """The column that the tie is to: the sensitive one of numbers, the first quasi-identifier of
    codes, in bins."""
    if not operated(model).words or isinstance(model.lab.operation, Suppress):
        return sensitive(model)
    x = model.rows.columns[0].quasi.places
    return _binned(x, _edges(x))


def _edges(x: Array) -> Array:
    """What parts the numbers of a column: the middles between few values, or even steps."""
    values = np.unique(x)
    if len(values) <= _BINS:
        return np.asarray((values[1:] + values[:-1]) / 2)
    return np.linspace(x.min(), x.max(), _BINS + 1)[1:-1]


def _binned(x: Array, edges: Array) -> Codes:
    """Numbers in the bins between edges, those that are missing in one of their own."""
    codes = np.searchsorted(edges, x, side="right")
    return np.where(np.isnan(x), len(edges) + 1, codes).astype(np.int64)


@once
def tie(model: AnonymityModel) -> tuple[float, float]:
    """Cramér’s V between the column and the other, before and after, numbers in the same bins:
    with more of them it would be higher by chance alone."""
    made, other = operated(model), _other(model)
    out = []
    for each in (made.before, made.after):
        codes = each.astype(np.int64) if made.words else _binned(each, _edges(made.before))
        shape = int(codes.max()) + 1, int(other.max()) + 1
        pair = np.bincount(codes * shape[1] + other, minlength=shape[0] * shape[1])
        out.append(cramers_v(pair.reshape(shape).astype(np.float64)))
    return out[0], out[1]


@once
def first_groups(model: AnonymityModel) -> list[tuple[int, int, int]]:
    """The first groups of anatomy: group, sensitive code, count."""
    held = anatomy(model).counts
    lines = [(g, int(v), int(held[g, v])) for g in range(min(len(held), _LINES))
             for v in np.flatnonzero(held[g])]  # fmt: skip
    return lines[:_LINES]


@once
def first_people(model: AnonymityModel) -> list[tuple[int, ...]]:
    """The first rows of the other table: the codes of the quasi-identifiers, and the group."""
    rows = np.flatnonzero(anatomy(model).group >= 0)[:_LINES]
    columns = [each.codes[rows].tolist() for each in model.rows.quasi]
    return list(zip(*columns, anatomy(model).group[rows].tolist(), strict=True))
