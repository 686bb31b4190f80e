"""What Anonymity knows of one state: the classes, who can be found before and after, and what is
lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity.boxes import boxed
from dpstudio.labs.whole_tables.anonymity.choices.algorithms import Mondrian
from dpstudio.labs.whole_tables.anonymity.choices.promises import Closeness, Diversity, Promise
from dpstudio.labs.whole_tables.anonymity.heights import Walked, lattice_of, walk
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.presence_population import kept_by
from dpstudio.labs.whole_tables.anonymity.weighed import rows_of, settled
from dpstudio.labs.whole_tables.rows.measured import farthest_of
from dpstudio.labs.whole_tables.rows.model import (
    Check,
    SensitiveModel,
    at_ease,
    n,
    overall,
    sensitive,
)
from dpstudio.labs.whole_tables.rows.table import SensitiveRows
from dpstudio.privacy.anonymity.classes import Classes, Codes, Risk, risk
from dpstudio.privacy.anonymity.loss import (
    average_class,
    certainty_penalty,
    discernibility,
    homogeneous,
)
from dpstudio.privacy.anonymity.models import Rule, distinct
from dpstudio.values.messages import say

_ROUGH = 3  # levels of halving that a first picture waits for
_SLOW = 200_000  # cells from which on there is one


@dataclass(frozen=True, eq=False, kw_only=True)
class AnonymityModel(SensitiveModel):
    """One state of the lab. `classes` are those that are published, rough ones while they are not
    `done`; `walked` is what the search among heights found. Curves may be asked for where it is
    `whole`."""

    lab: Anonymity
    classes: Classes
    walked: Walked | None = None
    whole: bool = False


def rule_of(promise: Promise, rows: SensitiveRows) -> Rule:
    """What every class must be."""
    return promise.rule(overall(rows), rows.root)


def keeps(promise: Promise, rows: SensitiveRows) -> bool:
    """Whether the whole table as one class keeps the rule: else none can be made."""
    counts = np.bincount(rows.sensitive.quasi.codes, minlength=rows.values)[None, :]
    return bool(rule_of(promise, rows).kept(counts).all())


def can_keep(promise: Promise, rows: SensitiveRows) -> bool:
    """Whether the table as one class keeps the rule, or some could: k rows, of all values alike."""
    counts = len(rows.kept) * (np.arange(rows.values) < rows.sensitive.values)[None, :]
    alike = len(rows.kept) >= promise.k and bool(rule_of(promise, rows).kept(counts).all())
    return alike or keeps(promise, rows)


def _asked(lab: Anonymity, promise: Promise, second: Dataset | None) -> tuple[object, ...]:
    return "anonymity classes", lab.table, kept_by(promise, second), lab.algorithm


@dataclass(frozen=True, eq=False)
class Published:
    """Classes, and what they lose, from 0 to 1."""

    classes: Classes
    loss: float

    @property
    def nbytes(self) -> int:
        """What remembering it costs."""
        return self.classes.nbytes


def made(
    lab: Anonymity,
    data: Dataset,
    promise: Promise,
    check: Check = at_ease,
    second: Dataset | None = None,
) -> Published:
    """What a lab publishes under some promise, remembered, `second` being the population. What is
    lost is the NCP of boxes; of hierarchies what their words leave open."""

    def make() -> Published:
        rows = rows_of(lab, data)
        if isinstance(lab.algorithm, Mondrian):
            *_, last = boxed(lab, data, promise, rule_of(promise, rows), check, second)
            return Published(last, certainty_penalty(rows.quasi, last))
        *_, walked = walk(lab, data, rows, promise, check, second)
        classes = lattice_of(lab, data, rows, promise, second).classes(walked.node)
        return Published(classes, walked.loss)

    return data.remember(_asked(lab, promise, second), make)


def stages(lab: Anonymity, context: Context) -> Iterator[AnonymityModel]:
    """Rough classes where they take long, then those that are published, then with curves."""
    data, second = context.data, context.second
    rows = rows_of(lab, data)
    start = AnonymityModel(
        lab=lab, data=data, rows=rows, classes=Classes(np.zeros(len(rows.kept), np.int64), 1),
        effort=context.effort, check=context.check, second=second, done=False,
    )  # fmt: skip
    model = start
    if isinstance(lab.algorithm, Mondrian):
        slow = len(rows.kept) * len(lab.quasi) > _SLOW
        rule = rule_of(lab.promise, rows)
        if slow and not data.known(_asked(lab, lab.promise, second)):
            levels = boxed(lab, data, lab.promise, rule, context.check, second)
            for level, classes in enumerate(levels):
                if level == _ROUGH:
                    yield replace(start, classes=classes)
                    break
        published = made(lab, data, lab.promise, context.check, second)
        model = replace(start, classes=published.classes, done=True)
    else:
        for walked in walk(lab, data, rows, lab.promise, context.check, second):
            lattice = lattice_of(lab, data, rows, lab.promise, second)
            found = lattice.classes(walked.node)
            held = settled(lab, data, rows, found.of >= 0)
            model = replace(start, rows=held, classes=found, walked=walked, done=walked.done)
            context.progress(walked.looked / walked.nodes, say("searching among heights"))
            if not walked.done:
                yield model
    yield model
    context.progress(0.4, say("working out curves"))
    yield replace(model, whole=True)


@once
def counts(model: AnonymityModel) -> Codes:
    """How often each sensitive value occurs in each class, (classes, values)."""
    return model.classes.counts(sensitive(model), model.rows.values)


@once
def told(model: AnonymityModel) -> Codes:
    """The same of what is a value, (classes, values): a missing one is none."""
    return counts(model)[:, : model.rows.sensitive.values]


def dropped(model: AnonymityModel) -> int:
    """How many columns have no role: nothing of them is published."""
    roles = len(model.rows.columns) + len(model.lab.identifiers) + 1
    return len(model.data.columns) - roles


def _different(codes: Codes) -> int:
    return int(np.count_nonzero(np.bincount(codes)))


@once
def naming(model: AnonymityModel) -> tuple[str, ...]:
    """The quasi-identifiers that have another value in every row, as identifiers have."""
    columns = model.rows.columns
    return tuple(each.name for each in columns if _different(each.quasi.codes) == n(model))


@once
def risk_after(model: AnonymityModel) -> Risk:
    """That somebody is found in what is published."""
    return risk(model.classes)


def many(model: AnonymityModel) -> int:
    """How many classes there are."""
    return model.classes.many


def smallest(model: AnonymityModel) -> int:
    """The rows of the smallest class."""
    return model.classes.k


@once
def lines(model: AnonymityModel) -> int:
    """How many lines a table has that gives each class and sensitive value its count."""
    return int(np.count_nonzero(counts(model)))


def suppressed(model: AnonymityModel) -> int:
    """How many rows are in no class."""
    return n(model) - model.classes.kept


def suppressed_share(model: AnonymityModel) -> float:
    """The share of rows that are in no class."""
    return suppressed(model) / n(model)


@once
def loss(model: AnonymityModel) -> float:
    """How much of the quasi-identifiers is lost, from 0 to 1: NCP of boxes; of hierarchies by the
    leaves below each word."""
    if model.walked is not None:
        return model.walked.loss
    return certainty_penalty(model.rows.quasi, model.classes)


def weighed(model: AnonymityModel) -> bool:
    """Whether the loss of one column counts more than that of another."""
    return any(each.weight != 1 for each in model.rows.quasi)


@once
def dm(model: AnonymityModel) -> float:
    """The discernibility of all rows."""
    return float(discernibility(model.classes))


@once
def c_avg(model: AnonymityModel) -> float:
    """The rows of a class over k."""
    return average_class(model.classes, model.lab.promise.k)


@once
def same(model: AnonymityModel) -> tuple[int, int]:
    """Classes whose rows share one sensitive value, and the rows that have it."""
    return homogeneous(told(model))


@once
def purity(model: AnonymityModel) -> Array:
    """What an attacker who finds the class believes of its most frequent value, (classes,)."""
    held = told(model)
    return array(held.max(1) / np.maximum(held.sum(1), 1))


@once
def surest(model: AnonymityModel) -> float:
    """The most that an attacker believes of anybody."""
    return float(purity(model).max(initial=0.0))


@once
def least_diverse(model: AnonymityModel) -> int:
    """The fewest sensitive values of a class."""
    return int(distinct(told(model)).min(initial=model.rows.sensitive.values))


def farthest(model: AnonymityModel, ground: str) -> float:
    """How far the farthest class is from all that are published by this distance."""
    return farthest_of(told(model), ground, model.rows.root)


def dial(promise: Promise) -> str:
    """The parameter that a promise has besides k, "" where it has none."""
    if isinstance(promise, Diversity):
        return "l"
    return "t" if isinstance(promise, Closeness) else ""
