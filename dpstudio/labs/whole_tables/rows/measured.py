"""What a published table keeps and risks, worked out from it alone: who publishes it knows more
rows, and a number that depends on them would tell of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpstudio.labs.outcome import MadeTable
from dpstudio.privacy.anonymity.classes import Classes, Codes, classes_of, risk
from dpstudio.privacy.anonymity.columns import Coded
from dpstudio.privacy.anonymity.loss import average_class, discernibility, homogeneous
from dpstudio.privacy.anonymity.models import EQUAL, ORDERED, Branch, TCloseness, distinct

HIERARCHICAL = "hierarchical"  # a distance between sensitive values, besides those of privacy
_PARTS = 1_000_000  # in which a distance is told


@dataclass(frozen=True, eq=False)
class Held:
    """The rows of a published table by their quasi-identifiers, and how often each sensitive value
    occurs in each class, or in each of `groups` of anatomy, (classes, values)."""

    classes: Classes
    told: Codes
    groups: bool


def in_rows(table: MadeTable, quasi: Sequence[str], values: Coded) -> Held:
    """Of a table that shows the sensitive value of each row, whose `values` are those of its words;
    one that is missing is none."""
    classes, words = _classes(table, quasi), dict(table.columns)[values.name]
    code = {word: place for place, word in enumerate(values.words)}
    secret = np.array([code[word] for word in words], dtype=np.int64)
    held = classes.counts(secret, len(values.words))
    return Held(classes, held[:, : values.values], False)


def in_groups(
    table: MadeTable, quasi: Sequence[str], values: Coded, counts: Sequence[tuple[int, str, int]]
) -> Held:
    """Of a table that shows a group of each row, where another one says how often each group has
    which value."""
    many = max((group for group, *_ in counts), default=-1) + 1
    held = np.zeros((many, len(values.words)), np.int64)
    for group, word, rows in counts:
        held[group, values.words.index(word)] = rows
    return Held(_classes(table, quasi), held[:, : values.values], True)


def _classes(table: MadeTable, quasi: Sequence[str]) -> Classes:
    columns = dict(table.columns)
    shown = [np.array(columns[name], dtype=object) for name in quasi]
    codes = [np.unique(each, return_inverse=True)[1] for each in shown]
    return classes_of(np.stack(codes, axis=1).astype(np.int64))


def farthest_of(held: Codes, ground: str, root: Branch | None) -> float:
    """How far the farthest class is from all that are published by a distance, by the counts of the
    classes, (classes, values); `root` is the top of the hierarchy of the values."""
    whole = held.sum(0) / max(held.sum(), 1)
    rule = TCloseness(1.0, tuple(whole.tolist()), ground, root if ground == HIERARCHICAL else None)
    return float(rule.distances(held).max(initial=0.0))


def measured(held: Held, root: Branch | None = None, k: int = 0) -> dict[str, Any]:
    """What such a table keeps, risks and loses, where `root` is the top of the hierarchy of the
    sensitive values and `k` what was asked, 0 where nothing was. Distances are rounded up; of
    anatomy no row is hidden among others, and nothing of a quasi-identifier is lost."""
    classes, told = held.classes, held.told
    after, most = risk(classes), told.max(1, initial=0) / np.maximum(told.sum(1), 1)
    return {
        "rows": classes.kept,
        "groups" if held.groups else "classes": len(told),
        "k": 0 if held.groups else classes.k,
        "l": int(distinct(told).min(initial=told.shape[1])),
        "t": {
            ground: _up(farthest_of(told, ground, root))
            for ground in (EQUAL, ORDERED, HIERARCHICAL)
        },
        "risk": {"highest": after.highest, "mean": after.prosecutor, "unique": after.unique},
        "surest_guess": float(most.max(initial=0.0)),
        "homogeneous": dict(zip(("classes", "rows"), homogeneous(told), strict=True)),
        "loss": None
        if held.groups or not k
        else {"discernibility": discernibility(classes), "c_avg": average_class(classes, k)},
    }


def _up(distance: float) -> float:
    # What keeps t but for rounding, by which rules err as well, is told as t.
    return math.ceil(distance * _PARTS - 1e-6) / _PARTS
