"""A column before and after something was done to it, and what is left of its tie to another."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.masking.choices import operations
from dpstudio.labs.whole_tables.masking.model import MaskingModel
from dpstudio.labs.whole_tables.masking.perturbed import as_handed
from dpstudio.labs.whole_tables.rows.model import sensitive
from dpstudio.privacy.anonymity import sanitise
from dpstudio.privacy.anonymity.classes import Classes, Codes
from dpstudio.privacy.anonymity.models import KAnonymity
from dpstudio.privacy.anonymity.mondrian import mondrian
from dpstudio.privacy.sampling import Chance
from dpstudio.privacy.synthetic.clusters import ordered_clusters
from dpstudio.privacy.synthetic.marginals import cramers_v

STREAM, _BINS, _PARTS, _LINES, BLANK = 73, 40, 16, 12, "*"


@dataclass(frozen=True, eq=False)
class Operated:
    """A column of numbers or of codes, (n,), before and after; `words` of codes, () of numbers."""

    name: str
    before: Array
    after: Array
    words: tuple[str, ...]


def _chance(model: MaskingModel, *more: int) -> np.random.Generator:
    return np.random.default_rng((model.lab.seed, STREAM, *more))


@once
def operated(model: MaskingModel) -> Operated:
    """What is done."""
    operation, first, rng = model.lab.operation, model.rows.columns[0], _chance(model)
    x = first.quasi.places
    if isinstance(operation, operations.TopCode):
        ends = np.quantile(x, [operation.share, 1 - operation.share])
        done = sanitise.top_coded(x, float(ends[0]), float(ends[1]))
        return Operated(first.name, array(x), array(done), ())
    if isinstance(operation, operations.MicroAggregate):
        done = sanitise.micro_aggregated(x[:, None], ordered_clusters(x[:, None], operation.rows))
        return Operated(first.name, array(x), array(done[:, 0]), ())
    if isinstance(operation, operations.Resample):
        return masked(model)[0]
    if isinstance(operation, operations.Perturb):
        return Operated(first.name, array(x), as_handed(model), ())
    if isinstance(operation, operations.Suppress):
        return _suppressed(model, operation)
    codes, column = sensitive(model), model.rows.sensitive
    return Operated(model.lab.sensitive, array(codes), array(_coded(model, rng)), column.words)


@once
def masked(model: MaskingModel) -> tuple[Operated, ...]:
    """Every column to which something is done: one, but those that are drawn anew."""
    if isinstance(model.lab.operation, operations.Resample):
        return drawn_anew(model, _chance(model))
    return (operated(model),)


def drawn_anew(model: MaskingModel, chance: Chance) -> tuple[Operated, ...]:
    """The first quasi-identifiers, each drawn anew by itself: whole numbers stay whole."""
    operation, out = model.lab.operation, []
    assert isinstance(operation, operations.Resample)
    for column in model.rows.columns[: operation.columns]:
        words = column.quasi.at is None
        before = array(column.quasi.codes if words else column.quasi.places)
        after = sanitise.resampled(before, chance, fitted=operation.fitted and not words)
        after = np.round(after) if column.whole else after
        told = column.words if words else ()
        out.append(Operated(column.name, before, array(after), told))
    return tuple(out)


def _suppressed(model: MaskingModel, operation: operations.Suppress) -> Operated:
    """The first quasi-identifier with cells blanked: NaN among numbers, a word of its own."""
    first = model.rows.columns[0]
    codes, x = first.quasi.codes, first.quasi.places
    blank = sanitise.rare(codes, operation.rows) | operation.column
    if first.quasi.at is not None:
        return Operated(first.name, array(x), array(np.where(blank, np.nan, x)), ())
    after = np.where(blank, len(first.words), codes)
    return Operated(first.name, array(codes), array(after), (*first.words, BLANK))


@once
def blanked(model: MaskingModel) -> tuple[float, int]:
    """The share of cells that are blanked, and how many rows have the rarest value that is left, 0
    where none is."""
    made = operated(model)
    gone = made.before != made.after
    _, held = np.unique(made.after[~gone], return_counts=True)
    return float(gone.mean()), int(held.min()) if len(held) else 0


def _coded(model: MaskingModel, rng: np.random.Generator) -> Codes:
    """The sensitive codes after; of anatomy one value of the group of each row, by lot."""
    operation, codes = model.lab.operation, sensitive(model)
    if isinstance(operation, operations.Swap):
        return swapped(model, operation, rng)
    if isinstance(operation, operations.Permute):
        return sanitise.permuted(codes, near(model), rng)
    if isinstance(operation, operations.Pram):
        matrix = pram_matrix(model, operation)
        return randomised(model, lambda there, _: sanitise.pram(there, matrix, rng))
    made = anatomy(model)
    steps = np.cumsum(made.counts, axis=1)
    there = (made.group >= 0) & (codes < made.counts.shape[1])
    out = codes.copy()
    # Not by the numbers that ordered the rows: these decided who is in which group.
    drawn = np.floor(_chance(model, 1).random(len(codes)) * steps[made.group, -1])
    out[there] = (drawn[there, None] >= steps[made.group[there]]).sum(1)
    return out


def swapped(model: MaskingModel, operation: operations.Swap, rng: Chance) -> Codes:
    """The sensitive codes, (n,), after rows next to each other exchange theirs."""
    places = model.rows.columns[0].quasi.places
    return sanitise.swapped(sensitive(model), places, operation.share, rng)


@once
def near(model: MaskingModel) -> Classes:
    """The groups in which values are shuffled: boxes of quasi-identifiers that are halved as long
    as both halves have enough rows."""
    operation, rows = model.lab.operation, model.rows
    assert isinstance(operation, operations.Permute)
    *_, last = mondrian(
        rows.quasi, sensitive(model), rows.values, KAnonymity(operation.rows), check=model.check
    )
    return last


def randomised(model: MaskingModel, drawn: Callable[[Codes, int], Codes]) -> Codes:
    """The sensitive codes, (n,), after they are drawn anew among the values that these rows have:
    `drawn` is given them in codes of their own, and how many there are."""
    values, codes = np.unique(sensitive(model), return_inverse=True)
    return np.asarray(values[drawn(codes.astype(np.int64), len(values))])


def pram_matrix(model: MaskingModel, operation: operations.Pram) -> Array:
    """PRAM’s matrix over the values of the rows."""
    return sanitise.kept_or_any(len(np.unique(sensitive(model))), operation.keep)


@once
def anatomy(model: MaskingModel) -> sanitise.Anatomy:
    """The groups of anatomy."""
    operation = model.lab.operation
    assert isinstance(operation, operations.Anatomy)
    values = model.rows.sensitive.values
    return sanitise.anatomised(sensitive(model), values, operation.l, _chance(model))


@once
def belief(model: MaskingModel) -> float:
    """The most that an attacker believes of anybody in a group of anatomy."""
    return anatomy(model).belief


def pram_epsilon(model: MaskingModel) -> float:
    """The local ε of PRAM’s matrix."""
    operation = model.lab.operation
    assert isinstance(operation, operations.Pram)
    return sanitise.pram_epsilon(pram_matrix(model, operation))


@once
def changed(model: MaskingModel) -> float:
    """The share of rows whose value is another."""
    made = operated(model)
    return float(np.mean(made.before != made.after))


def spread(made: Operated) -> tuple[Array, Array, Array]:
    """The shares of each value, or of bins of a number, before and after: edges of the bins or
    numbers of the words, and shares of shape (bins,)."""
    if made.words:
        at = np.arange(len(made.words), dtype=np.float64)
        edges = np.arange(len(made.words) + 1) - 0.5
    else:
        edges = _bins(made.before, made.after[~np.isnan(made.after)])
        at = (edges[1:] + edges[:-1]) / 2
    before, after = (
        np.histogram(each[~np.isnan(each)], edges)[0] / len(each)
        for each in (made.before, made.after)
    )
    return array(at), array(before), array(after)


def _bins(before: Array, after: Array) -> Array:
    """Edges of bins over both, each of as many whole numbers where those before are whole."""
    x = np.concatenate([before, after])
    low, high = np.floor(x.min()), max(x.max(), x.min() + 1)
    if np.any(before % 1):
        return np.linspace(low, high, _BINS + 1)
    step = np.ceil((high - low + 1) / _BINS)
    return np.asarray(np.arange(low, high + step + 0.5, step) - 0.5)


def _other(model: MaskingModel) -> Codes:
    """The column that the tie is to: the sensitive one of numbers, the first quasi-identifier of
    codes, in bins."""
    if operated(model).name != model.lab.sensitive:
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
def tie(model: MaskingModel) -> tuple[float, float]:
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
def telling(model: MaskingModel) -> int:
    """The sensitive value whose share differs most along the first quasi-identifier, the rarer one
    of two alike."""
    of, codes = _parts(model)[0], sensitive(model)
    held = np.zeros((int(of.max()) + 1, model.rows.sensitive.values))
    there = codes < model.rows.sensitive.values
    np.add.at(held, (of[there], codes[there]), 1)
    sizes, all_ = held.sum(1), held.sum(0)
    apart = held / np.maximum(sizes, 1)[:, None] - all_ / max(all_.sum(), 1)
    return int(np.lexsort((all_, -np.round(sizes @ apart**2, 9)))[0])


def _parts(model: MaskingModel) -> tuple[Codes, Codes]:
    """The part of the first quasi-identifier that each row is in, before and after, (n,): a word,
    or one of some intervals with about as many rows each; −1 where it is blank."""
    first, made = model.rows.columns[0], operated(model)
    moved = made.name == first.name
    if first.quasi.at is None:
        after = made.after.astype(np.int64) if moved else first.quasi.codes
        return first.quasi.codes, np.where(after == len(first.words), -1, after)
    x = first.quasi.places
    edges = np.unique(np.quantile(x, np.linspace(0, 1, _PARTS + 1)))[1:-1]
    y = made.after if moved else x
    here, there = (np.searchsorted(edges, each, side="right") for each in (x, y))
    return here.astype(np.int64), np.where(np.isnan(y), -1, there)


@once
def tie_curve(model: MaskingModel) -> tuple[Array, Array, Array]:
    """Where the parts of the first quasi-identifier lie, and the share of the most `telling` value
    in each, before and after, NaN where nobody is; (parts,)."""
    made, codes, value = operated(model), sensitive(model), telling(model)
    after = made.after if made.name == model.lab.sensitive else codes
    parts = _parts(model)
    many = max(int(each.max()) for each in parts) + 1
    shares = []
    for of, secret in zip(parts, (codes, after), strict=True):
        sizes, held = (
            np.bincount(of[which], minlength=many)
            for which in (of >= 0, (of >= 0) & (secret == value))
        )
        with np.errstate(invalid="ignore"):
            shares.append(array(np.where(sizes > 0, held / sizes, np.nan)))
    first = model.rows.columns[0].quasi
    sizes = np.maximum(np.bincount(parts[0], minlength=many), 1)
    middle = np.bincount(parts[0], weights=first.places, minlength=many) / sizes
    return array(middle), shares[0], shares[1]


@once
def first_groups(model: MaskingModel) -> list[tuple[int, int, int]]:
    """The first groups of anatomy: group, sensitive code, count."""
    held = anatomy(model).counts
    lines = [(g, int(v), int(held[g, v])) for g in range(min(len(held), _LINES))
             for v in np.flatnonzero(held[g])]  # fmt: skip
    return lines[:_LINES]


@once
def first_people(model: MaskingModel) -> list[tuple[int, ...]]:
    """The first rows of the other table: the codes of the quasi-identifiers, and the group."""
    rows = np.flatnonzero(anatomy(model).group >= 0)[:_LINES]
    columns = [each.codes[rows].tolist() for each in model.rows.quasi]
    return list(zip(*columns, anatomy(model).group[rows].tolist(), strict=True))
