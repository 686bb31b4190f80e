"""Classes as boxes that are halved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.labs.whole_tables.anonymity.choices.algorithms import Mondrian
from dpstudio.labs.whole_tables.anonymity.choices.promises import Promise
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.presence_population import boxed_crowd
from dpstudio.labs.whole_tables.anonymity.weighed import rows_of
from dpstudio.privacy.anonymity.classes import Classes, Kinds, kinds_of
from dpstudio.privacy.anonymity.models import Rule
from dpstudio.privacy.anonymity.mondrian import RELAXED, joined, mondrian


def boxed(
    lab: Anonymity,
    data: Dataset,
    promise: Promise,
    rule: Rule,
    check: Callable[[], None],
    second: Dataset | None,
) -> Iterator[Classes]:
    """The classes of Mondrian, level by level, under the rule of a promise. Rows that are alike are
    counted once where they are cut alike, and nobody else is counted."""
    rows = rows_of(lab, data)
    assert isinstance(lab.algorithm, Mondrian)
    crowd, way = boxed_crowd(lab, data, second, promise, rows), lab.algorithm.way
    secret = rows.sensitive.quasi.codes
    if crowd is not None or way == RELAXED:
        for made in mondrian(rows.quasi, secret, rows.values, rule, way, check, crowd):
            yield joined(rows.quasi, made) if way == RELAXED else made
        return

    def make() -> Kinds:
        return kinds_of(np.stack([*(each.codes for each in rows.quasi), secret], axis=1))

    kinds = data.remember(("anonymity kinds", lab.table), make)
    quasi = [replace(each, codes=kinds.codes[:, i]) for i, each in enumerate(rows.quasi)]
    for made in mondrian(quasi, kinds.codes[:, -1], rows.values, rule, way, check, rows=kinds.rows):
        yield Classes(made.of[kinds.of], made.many)
