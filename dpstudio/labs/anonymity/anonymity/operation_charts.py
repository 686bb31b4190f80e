"""Anonymity's charts and tables of a column before and after."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Axis, Columns, Figure, Layer, Line
from dpstudio.labs.anonymity.anonymity.choices.operations import Anatomy, HideRule, Perturb
from dpstudio.labs.anonymity.anonymity.columns import words_of
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel
from dpstudio.labs.anonymity.anonymity.operated import (
    first_groups,
    first_people,
    operated,
    possible,
    spread,
)
from dpstudio.labs.anonymity.anonymity.perturbed_charts import perturbed_charts
from dpstudio.labs.anonymity.anonymity.rule_charts import rule_charts, rule_tables
from dpstudio.labs.findings import Table
from dpstudio.labs.percents import percent_ticks, shares_end
from dpstudio.values.messages import Num, plain, say


def operation_charts(model: AnonymityModel) -> Iterator[Figure]:
    """The column before and after, where anything is done."""
    if not possible(model):
        return
    if isinstance(model.lab.operation, HideRule | Perturb):
        yield from (
            rule_charts(model)
            if isinstance(model.lab.operation, HideRule)
            else perturbed_charts(model)
        )
        return
    made, (x, before, after) = operated(model), spread(model)
    high = shares_end(float(max(before.max(), after.max())))
    if made.words:
        layers: tuple[Layer, ...] = (
            Columns("before", "truth", say("before"), x - 0.2, before, 0.38),
            Columns("after", "first", say("after"), x + 0.2, after, 0.38),
        )
        across = Axis(plain(made.name), range=(-0.6, len(x) - 0.4), ticks=_ticks(made.words))
    else:
        layers = (
            Line("before", "truth", say("before"), x, before),
            Line("after", "first", say("after"), x, after),
        )
        across = Axis(plain(made.name), range=(float(x[0]), float(x[-1])))
    yield Figure(
        "operated",
        say("Before and after"),
        across,
        Axis(say("share of rows"), range=(0.0, high), ticks=percent_ticks(0.0, high)),
        layers,
        exact=True,
        simulated=True,
        source=model.lab.operation.source,
    )


def _ticks(words: tuple[str, ...]) -> tuple[tuple[float, str], ...]:
    return tuple(zip(np.arange(len(words)).astype(float).tolist(), words, strict=True))


def operation_tables(model: AnonymityModel) -> Iterator[Table]:
    """The two tables of anatomy, their first lines, or association rules."""
    if isinstance(model.lab.operation, HideRule) and possible(model):
        yield from rule_tables(model)
    if not (isinstance(model.lab.operation, Anatomy) and possible(model)):
        return
    people, names = first_people(model), [words_of(column) for column in model.rows.columns]
    columns = [
        (column.name, tuple(names[i][row[i]] for row in people))
        for i, column in enumerate(model.rows.columns)
    ]
    group = ("group", tuple(Num(row[-1]) for row in people))
    title = say("Anatomy: who is in which group, first lines")
    heads = (*(plain(name) for name, _ in columns), say("group"))
    yield Table("anatomy_people", title, (*columns, group), shown=True, heads=heads, exact=True)
    lines, words = first_groups(model), model.rows.sensitive.words
    parts = (
        ("group", tuple(Num(g) for g, _, _ in lines)),
        (model.lab.sensitive, tuple(words[v] for _, v, _ in lines)),
        ("count", tuple(Num(c) for _, _, c in lines)),
    )
    heads = (say("group"), plain(model.lab.sensitive), say("count"))
    title = say("Anatomy: what a group has, first lines")
    yield Table("anatomy_values", title, parts, shown=True, heads=heads, exact=True)
