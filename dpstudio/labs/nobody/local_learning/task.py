"""Who is asked in Local learning, and what: the rows to learn from and to test with, and what
people make of their row before they report it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.column_roles import describing
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Feature, Rows, Sample, sample_of, split
from dpstudio.data.memory import Sized
from dpstudio.labs.nobody.local_learning.parameters import (
    CELL_PROTOCOLS,
    NUMBER_PROTOCOLS,
    LocalLearning,
)
from dpstudio.privacy.learning import naive_bayes
from dpstudio.privacy.learning.bins import binned, equal_width, paid_edges, public_edges
from dpstudio.privacy.learning.local_bayes import People, people_of
from dpstudio.privacy.learning.reduction import (
    discriminant,
    moments,
    paid_moments,
    plain,
    principal,
    projected,
    sparse,
)
from dpstudio.privacy.local import NumberProtocol, Protocol
from dpstudio.values.domains import ParamError
from dpstudio.values.lists import parted, parts
from dpstudio.values.messages import N_, Num, say

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_FEATURES, MOST_WORDS, MOST_EDGES = 64, 50, 49
MOST_PEOPLE = 80_000  # drawn by lot where a table has more, so that surveys are quick


@dataclass(frozen=True, eq=False)
class Task:
    """The numbers of the rows of those who are asked, of those who come `first`, being public or
    paying for what the others are asked, and of those who test; and their classes. `unused` rows
    are not in the sample, since there are so many."""

    sample: Sample
    unused: int
    shape: naive_bayes.Shape
    asked: Rows
    first: Rows
    test: Rows
    y: Array
    first_y: Array
    test_y: Array

    @property
    def nbytes(self) -> int:
        """What remembering them costs."""
        return self.sample.nbytes + 16 * len(self.sample.y)

    def rows(self, which: Rows) -> Array:
        """Numbers in [−1, 1] and codes of words, (n, p)."""
        number = np.array([not feature.words for feature in self.sample.features])
        low = np.array([feature.low for feature in self.sample.features])
        high = np.array([feature.high for feature in self.sample.features])
        middle, half = np.where(number, (low + high) / 2, 0), np.where(number, (high - low) / 2, 1)
        return np.asarray((self.sample.x[which] - middle) / half)


@dataclass(frozen=True, eq=False)
class Held:
    """The rows of a task, made once for many surveys: of those who are asked, of those who come
    first and of those who test; `plain` where they are projected, the first both sparse and not."""

    asked: Array | csr_array
    first: Array | csr_array
    test: Array | csr_array
    plain: Array


def held_of(lab: LocalLearning, task: Task) -> Held:
    """The rows of a task."""
    asked, first, test = map(task.rows, (task.asked, task.first, task.test))
    if lab.reduction == "none":
        return Held(asked, first, test, first[:, :0])
    sizes = task.shape.sizes
    flat = plain(first, sizes)
    return Held(sparse(asked, sizes), sparse(first, sizes), sparse(test, sizes), flat)


@dataclass(frozen=True, eq=False)
class PeopleAndTests(Sized):
    """What is learnt from and tested with: people with their questions, rows to test with as
    weights multiply them, and the score of the model without noise."""

    people: People
    rows: Array
    exact: naive_bayes.Model


def features_of(lab: LocalLearning, data: Dataset) -> tuple[str, ...]:
    """The columns that people are asked about: those named, else all others that can be."""
    if lab.features:
        return lab.features
    others = (c for c in data.columns if c.name != lab.predicts and c.type != "other")
    fitting = [
        c.name
        for c in others
        if data.missing(c.name) < data.rows
        and (c.ordered or not data.more_than(c.name, MOST_WORDS))
    ]
    return tuple(describing(data, fitting)[:MOST_FEATURES])


def sampled(lab: LocalLearning, data: Dataset) -> Sample:
    """All rows that have every value. Raises ParamError at “features” or “label”."""
    return sample_of(data, features_of(lab, data), lab.predicts, classes=True)


def task_of(lab: LocalLearning, data: Dataset) -> Task:
    """The rows of the lab, remembered. Raises ParamError at “features” or “label”."""
    apart = lab.share if lab.apart else 0.0

    def made() -> Task:
        sample = sampled(lab, data)
        label = sample.label
        assert label is not None
        unused = max(0, len(sample.x) - MOST_PEOPLE)
        if unused:
            used = split(len(sample.x), MOST_PEOPLE / len(sample.x), lab.seed)[1]
            sample = replace(sample, x=sample.x[used], y=sample.y[used])
        learnt, test = split(len(sample.x), lab.test, lab.seed)
        later, first = split(len(learnt), apart, lab.seed)
        asked, first = learnt[later], learnt[first]
        sizes = tuple(len(feature.words) for feature in sample.features)
        shape = naive_bayes.Shape(sizes, len(label.words))
        y = sample.y
        return Task(sample, unused, shape, asked, first, test, y[asked], y[first], y[test])

    key = ("local task", features_of(lab, data), lab.predicts, lab.test, lab.seed, apart)
    return data.remember(key, made)


@dataclass(frozen=True, eq=False)
class ReportedRows:
    """What people say of their rows and what tests them, after directions and edges are found."""

    asked: Array
    test: Array
    shape: naive_bayes.Shape

    def people(self, y: Array) -> People:
        """Those who are asked, of classes y."""
        return people_of(self.asked, y, self.shape)

    def rows(self) -> Array:
        """The rows to test with, as weights multiply them."""
        return naive_bayes.design(self.test, self.shape)


def told_of(
    lab: LocalLearning,
    task: Task,
    held: Held,
    protocol: Protocol,
    number: NumberProtocol,
    rng: np.random.Generator,
) -> ReportedRows:
    """What is asked; `protocol`, `number` and `rng` have a part only where somebody pays. Who pays
    does so once: for directions, or for the edges of one number."""
    x, first, test, shape = held.asked, held.first, held.test, task.shape
    turns = _turns(lab, len(task.first))
    if lab.reduction != "none":
        u, y = held.plain[turns[0]], task.first_y[turns[0]]
        found = _directions(lab, u, y, shape.classes, number, rng)
        parts = (x, first[turns[1]] if lab.numbers == "frequency" else first[:0], test)
        x, first, test = (projected(part, shape.sizes, found) for part in parts)
        shape = naive_bayes.Shape((0,) * found.shape[1], shape.classes)
    if lab.numbers != "gauss":
        columns = task.sample.features if lab.numbers == "typed" else ()
        edges = _edges(lab, first, shape, columns, protocol, rng)
        x, test = (_in_bins(part, shape, edges) for part in (x, test))
        sizes = list(shape.sizes)
        for i, found in zip(shape.numbers, edges, strict=True):
            sizes[i] = len(found) + 1
        shape = naive_bayes.Shape(tuple(sizes), shape.classes)
    return ReportedRows(x, test, shape)


def _turns(lab: LocalLearning, n: int) -> tuple[Rows, Rows]:
    """Who of the n that come first tells of directions, and who of edges: all where they are
    public, and each but one of the two where they pay."""
    order = np.arange(n)
    both = lab.paid and lab.reduction != "none" and lab.numbers == "frequency"
    return (order[::2], order[1::2]) if both else (order, order)


def _directions(
    lab: LocalLearning, u: Array, y: Array, c: int, number: NumberProtocol, rng: np.random.Generator
) -> Array:
    """The directions that people project on, shape (p, components), from the rows u and classes
    y of those who come first."""
    labels = y.astype(np.int64)
    m = paid_moments(u, labels, c, number, rng) if lab.paid else moments(u, labels, c)
    kept = min(lab.components, u.shape[1])
    return principal(m, kept) if lab.reduction == "pca" else discriminant(m, kept)


def typed_edges(lab: LocalLearning, columns: Sequence[Feature]) -> dict[str, Array]:
    """The inner edges that are typed, by column, in [−1, 1]. Raises ParamError at “edges” for what
    is no column of numbers, and for edges that do not grow within its bounds."""
    found, known = {}, {column.name: column for column in columns if not column.words}
    for line in lab.edges:
        name, numbers = parted(line)
        column = known.get(name)
        if column is None:
            text = N_(
                "“{line}” names no number that is asked about. Write such as age: 28, 37, 48."
            )
            raise ParamError("edges", say(text, line=line))
        try:
            at = np.array([float(number) for number in parts(numbers)])
        except ValueError:
            at = np.array([np.nan])
        inside = (column.low < at) & (at < column.high)
        if not (inside.all() and (np.diff(at) > 0).all() and 0 < len(at) <= MOST_EDGES):
            text = N_(
                "The edges of {column} are at most {most} {most:number that grows|numbers that "
                "grow}, in its bounds."
            )
            raise ParamError("edges", say(text, column=column.name, most=Num(MOST_EDGES)))
        # As rows are scaled: else one at an edge would miss its bin by a last bit.
        found[column.name] = (at - (column.low + column.high) / 2) / (
            (column.high - column.low) / 2
        )
    return found


def bin_ends(lab: LocalLearning, columns: Sequence[Feature], at: int, bins: int) -> Array:
    """The ends of the bins of one column, (bins + 1,): typed, or of equal width."""
    one = columns[at]
    ends = np.linspace(one.low, one.high, bins + 1)
    typed = typed_edges(lab, columns) if lab.numbers == "typed" else {}
    if one.name in typed:
        ends[1:-1] = (one.low + one.high) / 2 + (one.high - one.low) / 2 * typed[one.name]
    return ends


def _edges(
    lab: LocalLearning,
    x: Array,
    shape: naive_bayes.Shape,
    columns: Sequence[Feature],
    protocol: Protocol,
    rng: np.random.Generator,
) -> list[Array]:
    """The inner edges of the bins of each number; who pays tells of one of them, each in turn."""
    numbers, bins = shape.numbers, lab.bins
    if lab.numbers == "typed":
        typed = typed_edges(lab, columns)
        return [typed.get(columns[i].name, equal_width(-1, 1, bins)) for i in numbers]
    if lab.numbers == "width":
        return [equal_width(-1, 1, bins) for _ in numbers]
    if not lab.paid:
        return [public_edges(x[:, i], bins) for i in numbers]
    parts = (x[turn :: len(numbers), i] for turn, i in enumerate(numbers))
    return [paid_edges(part, protocol, bins, rng, 1)[0] for part in parts]


def _in_bins(x: Array, shape: naive_bayes.Shape, edges: list[Array]) -> Array:
    """The rows with bins in place of numbers."""
    out = x.copy()
    for i, found in zip(shape.numbers, edges, strict=True):
        out[:, i] = binned(x[:, i], found)
    return out


def public_asked(lab: LocalLearning, data: Dataset) -> PeopleAndTests:
    """What is asked where nobody pays for it, remembered; where some do, what they would say
    without noise decides, for looking at the questions."""
    same = (
        lab.numbers,
        lab.bins,
        lab.edges,
        lab.reduction,
        lab.components,
        lab.source_of,
        lab.share,
    )
    named = features_of(lab, data), lab.predicts, lab.test, lab.seed, lab.apart

    def made() -> PeopleAndTests:
        calm = lab.with_(source_of="public")
        sure = CELL_PROTOCOLS[0](epsilon=50.0)
        rng = np.random.Generator(np.random.SFC64([lab.seed, 5]))
        task = task_of(lab, data)
        told = told_of(calm, task, held_of(lab, task), sure, NUMBER_PROTOCOLS[lab.number], rng)
        exact = naive_bayes.model_of(
            naive_bayes.statistics(told.asked, task.y, told.shape), told.shape
        )
        return PeopleAndTests(told.people(task.y), told.rows(), exact)

    return data.remember(("local asked", *same, *named), made)


def noiseless_score(task: Task, asked: PeopleAndTests) -> float:
    """The share that the model without noise tells right."""
    return float(naive_bayes.accuracies(asked.exact, asked.rows, task.test_y))
