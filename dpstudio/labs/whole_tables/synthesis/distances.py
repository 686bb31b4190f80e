"""How far the table that was made lies from the true one: ranges of a column, pairs, all pairs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.synthesis.model import SynthesisModel, distances, other_of, place_of
from dpstudio.labs.whole_tables.synthesis.ways.noisy_cells import NoisyCells, phantoms
from dpstudio.labs.whole_tables.synthesis.ways.way import Task
from dpstudio.privacy.anonymity.models import divergence
from dpstudio.privacy.mechanisms.gaussian import special
from dpstudio.privacy.synthetic import marginals


@dataclass(frozen=True, eq=False)
class Histograms:
    """Of the column looked at: `edges` (cells + 1,), and counts of each cell."""

    edges: Array
    true: Array | None
    noisy: Array | None
    made: Array


@once
def histograms(model: SynthesisModel) -> Histograms:
    """The counts of the column that is looked at."""
    place = place_of(model)
    axis = model.axes[place]
    edges = (
        list(axis.edges) if axis.edges else [i - 0.5 for i in range(axis.size - axis.missing + 1)]
    )
    if axis.missing:
        edges.append(edges[-1] + (edges[-1] - edges[-2]))
    sizes = model.known.sizes
    made = marginals.counted(model.made.codes, sizes, (place,))
    true = None if model.task is None else true_counts(model.task, sizes, place)
    return Histograms(array(edges), true, model.made.noisy[place], made)


@dataclass(frozen=True)
class Range:
    """Cells `first` to `last` (without it) of the column looked at, from `low` to `high`; how many
    people are there, by the true table, by noisy counts, and by the table that was made. The noisy
    one has the standard deviation `deviation`, NaN where it is not known."""

    first: int
    last: int
    low: float
    high: float
    true: float | None
    noisy: float | None
    made: float
    deviation: float


def ends(model: SynthesisModel) -> tuple[int, int]:
    """The cells of the range asked: its ends at the nearest edges, at least one cell; where no end
    is named, at a third and two thirds of them."""
    edges, lab = histograms(model).edges, model.lab
    many = len(edges) - 1
    first, last = sorted(
        many * part // 3 if end is None else int(np.argmin(np.abs(edges - end)))
        for part, end in ((1, lab.low), (2, lab.high))
    )
    first = min(first, len(edges) - 2)
    return first, max(last, first + 1)


@once
def asked_range(model: SynthesisModel) -> Range:
    """What the range asked holds."""
    first, last = ends(model)
    found = histograms(model)
    true, noisy, made = (
        None if each is None else float(each[first:last].sum())
        for each in (found.true, found.noisy, found.made)
    )
    assert made is not None
    one = model.lab.way.deviations(model.known, drawn=model.drawn)[place_of(model)]
    if getattr(model.lab.way, "printed", "") in ("one", "occurring"):
        one = math.nan  # one noise for all, or none where nobody is
    deviation = one * math.sqrt(last - first)
    low, high = float(found.edges[first]), float(found.edges[last])
    return Range(first, last, low, high, true, noisy, made, deviation)


@dataclass(frozen=True, eq=False)
class Pair:
    """The shares of the cells of two columns, in percent of all rows: rows are the cells of the
    column looked at."""

    first: int
    second: int
    true: Array | None
    made: Array


@once
def pair(model: SynthesisModel) -> Pair | None:
    """The pair that is looked at; None where one column is made."""
    a, b = place_of(model), other_of(model)
    if b is None:
        return None
    sizes = model.known.sizes
    made = marginals.counted(model.made.codes, sizes, (a, b))
    true = None if model.task is None else true_counts(model.task, sizes, a, b)
    return Pair(a, b, None if true is None else _shares(true), _shares(made))


def _shares(table: Array) -> Array:
    """Counts in percent of their sum."""
    return array(100 * table / max(table.sum(), 1.0))


@dataclass(frozen=True)
class PairFigures:
    """Of the pair looked at: total variation between true and made, Cramér's V of both over the
    values that occur in truth, what is
    lost by taking the columns apart, and their mutual information in nat."""

    variation: float
    true_v: float
    made_v: float
    apart: float
    information: float


@once
def pair_figures(model: SynthesisModel) -> PairFigures | None:
    """The numbers of the pair looked at, where the true one is there."""
    found = pair(model)
    if found is None or found.true is None or found.true.sum() <= 0:
        return None
    return PairFigures(
        marginals.total_variation(found.true, found.made),
        marginals.cramers_v(found.true),
        marginals.cramers_v(found.made, found.true),
        marginals.from_independent(found.true),
        marginals.mutual_information(found.true),
    )


@dataclass(frozen=True, eq=False)
class AllPairs:
    """For each pair of columns, shape (columns, columns): Cramér's V of the true table and of the
    one made, and the total variation between the two; the diagonal holds that of each column
    alone. `correlated` is 1 − |r − r′|/2, NaN of columns that are not both of numbers. `worst` is
    the pair that lies furthest, and `mean` the mean over pairs."""

    true_v: Array
    made_v: Array
    variation: Array
    correlated: Array
    worst: tuple[int, int]
    furthest: float
    mean: float


def true_counts(task: Task, sizes: Sequence[int], *columns: int) -> Array:
    """The true counts of some columns; remembered."""
    return task.counted(task.codes, sizes, columns)


@once
def all_pairs(model: SynthesisModel) -> AllPairs | None:
    """All pairs; None where there is one column alone, or the true table is hidden."""
    task, sizes = model.task, model.known.sizes
    d = len(sizes)
    if task is None or d < 2 or not len(task.codes):
        return None
    true_v, made_v, variation = np.ones((d, d)), np.ones((d, d)), np.zeros((d, d))
    correlated = np.full((d, d), np.nan)
    for a in range(d):
        one = [marginals.counted(codes, sizes, (a,)) for codes in (task.codes, model.made.codes)]
        variation[a, a] = marginals.total_variation(*one)
    for a, b in combinations(range(d), 2):
        true = true_counts(task, sizes, a, b)
        made = marginals.counted(model.made.codes, sizes, (a, b))
        for table, value in (
            (true_v, marginals.cramers_v(true)),
            (made_v, marginals.cramers_v(made, true)),
            (variation, marginals.total_variation(true, made)),
            (correlated, _correlated(model, (a, b), (true, made))),
        ):
            table[a, b] = table[b, a] = value
    above = variation[np.triu_indices(d, 1)]
    place = int(np.argmax(above))
    worst = list(combinations(range(d), 2))[place]
    tables = array(true_v), array(made_v), array(variation), array(correlated)
    return AllPairs(*tables, worst, float(above[place]), float(above.mean()))


Line = tuple[float | None, float, float | None, float | None, float | None]


@once
def column_scores(model: SynthesisModel) -> tuple[Line, ...]:
    """For each column: Kolmogorov–Smirnov, of the values of numbers alone; total variation; 1 less
    the mean total variation of its pairs; the mean difference of their Cramér's V. () without the
    true table."""
    task, pairs, sizes = model.task, all_pairs(model), model.known.sizes
    if task is None or not len(task.codes):
        return ()
    out = []
    for place, axis in enumerate(model.axes):
        one, two = (
            marginals.counted(codes, sizes, (place,)) for codes in (task.codes, model.made.codes)
        )
        far, ks, _ = distances(one, two, axis.values)
        kept = apart = alike = None
        if pairs is not None:
            others = np.arange(len(sizes)) != place
            kept = 1 - float(pairs.variation[place][others].mean())
            apart = float(np.abs(pairs.true_v - pairs.made_v)[place][others].mean())
            known = pairs.correlated[place][~np.isnan(pairs.correlated[place])]
            alike = float(known.mean()) if len(known) else None
        ordered = ks if axis.edges and not math.isnan(ks) else None
        out.append((ordered, far, kept, apart, alike))
    return tuple(out)


def _correlated(
    model: SynthesisModel, places: tuple[int, int], tables: tuple[Array, Array]
) -> float:
    """1 − |r − r′|/2 of two columns of numbers whose values are there, as the field scores it; NaN
    of others, or where nobody has both."""
    edges = [model.axes[place].edges for place in places]
    there = tuple(slice(max(len(each) - 1, 0)) for each in edges)
    true, made = (table[there] for table in tables)
    if not all(edges) or true.sum() <= 0 or made.sum() <= 0:
        return math.nan
    return 1 - abs(marginals.correlation(true) - marginals.correlation(made)) / 2


@once
def column_distances(model: SynthesisModel) -> tuple[float, float, float] | None:
    """Total variation, Kolmogorov–Smirnov and Wasserstein of the column looked at."""
    found, values = histograms(model), model.axes[place_of(model)].values
    return None if found.true is None else distances(found.true, found.made, values)


@once
def diverges(model: SynthesisModel) -> float | None:
    """The Kullback–Leibler divergence of the column's true shares from those of the table that was
    made; None where nothing is compared."""
    found = histograms(model)
    if found.true is None or found.true.sum() <= 0 or found.made.sum() <= 0:
        return None
    return float(divergence(found.true / found.true.sum(), found.made / found.made.sum()))


@once
def sampling_floor(model: SynthesisModel) -> float | None:
    """The mean total variation of as many rows as were made, drawn one by one from the true
    shares: ½ Σ E|X/n − p| of binomial X, by De Moivre's formula."""
    true, n = histograms(model).true, len(model.made.codes)
    if true is None or true.sum() <= 0:
        return None
    return float(np.sum(_mean_deviation(true / true.sum(), n)) / 2 / n)


def _mean_deviation(p: Array, n: int) -> Array:
    """E|X − np| of binomial X: 2ν(1 − p) P(X = ν), ν = ⌊np⌋ + 1 (De Moivre 1730)."""
    inner = (p > 0) & (p < 1)
    q = np.where(inner, p, 0.5)
    v = np.floor(n * q) + 1
    gammaln = special().gammaln
    choose = gammaln(n + 1) - gammaln(v + 1) - gammaln(n - v + 1)
    log = choose + v * np.log(q) + (n - v) * np.log1p(-q)
    return np.asarray(np.where(inner, 2 * v * (1 - q) * np.exp(log), 0.0))


@once
def phantom_people(model: SynthesisModel) -> float | None:
    """How many people clamping adds on average to the column looked at; None where it is hidden, or
    nothing is clamped cell by cell."""
    way, task = model.lab.way, model.task
    if task is None or not isinstance(way, NoisyCells) or way.printed:
        return None
    return phantoms(
        way, model.known, marginals.counted(task.codes, model.known.sizes, clamped(model))
    )


def clamped(model: SynthesisModel) -> tuple[int, ...]:
    """The columns of the table that is clamped."""
    together = model.lab.way.key == "one_table"
    return tuple(range(len(model.axes))) if together else (place_of(model),)


@once
def singles(model: SynthesisModel) -> int | None:
    """How many cells of all tables that are counted hold one row alone: which a table of the cells
    that occur gives away."""
    if model.task is None:
        return None
    codes, sizes, alone = model.task.codes, model.known.sizes, model.lab.way.key == "independent"
    tables = [(place,) for place in range(len(sizes))] if alone else [clamped(model)]
    return sum(int(np.count_nonzero(marginals.counted(codes, sizes, each) == 1)) for each in tables)
