"""What Anonymity knows of one state: the classes, who can be found before and after, and what is
lost."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.labs.whole_tables.anonymity.ways.way import Partition, Walked, Way
from dpstudio.labs.whole_tables.anonymity.weighed import settled, task_of
from dpstudio.labs.whole_tables.rows.measured import farthest_of
from dpstudio.labs.whole_tables.rows.model import SensitiveModel, n, sensitive
from dpstudio.privacy.anonymity.classes import Classes, Codes, Risk, risk
from dpstudio.privacy.anonymity.loss import homogeneous
from dpstudio.privacy.anonymity.models import distinct, divergence
from dpstudio.values.messages import say


@dataclass(frozen=True, eq=False, kw_only=True)
class AnonymityModel(SensitiveModel):
    """One state of the lab. What is `made` is rough while it is not `done`. Curves may be asked for
    where it is `whole`."""

    lab: Anonymity
    made: Partition
    whole: bool = False

    @property
    def classes(self) -> Classes:
        """The classes that are published."""
        return self.made.classes

    @property
    def walked(self) -> Walked | None:
        """What the search among heights found, where there is one."""
        return self.made.walked


def task(model: AnonymityModel, **other: Any) -> Task:
    """What is to be published; with `other` parameters it may raise ParamError."""
    lab = model.lab.with_(**other) if other else model.lab
    return task_of(lab, model.data, model.second, model.check)


def published_as(model: AnonymityModel, **other: Any) -> tuple[Task, Partition] | None:
    """What is published with other parameters, and from what; None where nothing can be. Raises
    ParamError as `task` does."""
    asked = task(model, **other)
    way: Way = other.get("algorithm", model.lab.algorithm)
    can = not way.too_many(asked) and asked.keeps and way.hides(asked)
    return (asked, way.made(asked)) if can else None


def stages(lab: Anonymity, context: Context) -> Iterator[AnonymityModel]:
    """Rough classes where they take long, then those that are published, then with curves."""
    asked = task_of(lab, context.data, context.second, context.check)
    for made in lab.algorithm.remembered(asked):
        if made.walked is not None:
            done = made.walked.looked / made.walked.nodes
            context.progress(done, say("searching among heights"))
        rows = settled(lab, context.data, asked.rows, made.classes.of >= 0)
        model = AnonymityModel(
            lab=lab, data=context.data, rows=rows, made=made, effort=context.effort,
            check=context.check, second=context.second, done=made.done,
        )  # fmt: skip
        yield model
    context.progress(0.4, say("working out curves"))
    yield replace(model, whole=True)


def shown(model: AnonymityModel, place: int, rows: Codes | None = None) -> list[str]:
    """What is published of the quasi-identifier at a place, for each row, or for some."""
    rows = np.arange(n(model)) if rows is None else rows
    return model.lab.algorithm.shown(task(model), model.made, place, rows)


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


@once
def lines(model: AnonymityModel) -> int:
    """How many lines a table has that gives each class and sensitive value its count."""
    return int(np.count_nonzero(counts(model)))


def suppressed(model: AnonymityModel) -> int:
    """How many rows are in no class."""
    return n(model) - model.classes.kept


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


@once
def diverges(model: AnonymityModel) -> float:
    """The largest Kullback–Leibler divergence of a class from all that are published."""
    held = told(model)
    held = held[held.sum(1) > 0]
    if not len(held):
        return 0.0
    whole = held.sum(0) / held.sum()
    return float(divergence(held / held.sum(1, keepdims=True), whole).max())


def farthest(model: AnonymityModel, ground: str) -> float:
    """How far the farthest class is from all that are published by this distance."""
    return farthest_of(told(model), ground, model.rows.root)
