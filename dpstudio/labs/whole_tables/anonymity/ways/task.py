"""A table that is to be published in classes, and what every class must keep."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.labs.whole_tables.anonymity.choices.promises import Presence, Promise
from dpstudio.labs.whole_tables.rows.model import Check, at_ease
from dpstudio.labs.whole_tables.rows.parameters import SensitiveLab
from dpstudio.labs.whole_tables.rows.register import Register, register_of
from dpstudio.labs.whole_tables.rows.table import SensitiveRows
from dpstudio.privacy.anonymity.column_hierarchies import hierarchy_of
from dpstudio.privacy.anonymity.columns import Coded
from dpstudio.privacy.anonymity.hierarchy import Hierarchy
from dpstudio.privacy.anonymity.models import Rule


@dataclass(frozen=True, eq=False)
class Task:
    """The `rows` of a lab that are published under a `promise`, where hierarchies are written as
    `trees`. The table `second`, or else all of `data`, is the population. `check` raises Stopped
    where nobody waits any more."""

    lab: SensitiveLab
    data: Dataset
    rows: SensitiveRows
    promise: Promise
    trees: tuple[str, ...]
    second: Dataset | None = None
    check: Check = at_ease

    @property
    def key(self) -> Hashable:
        """What decides whether classes keep the promise, so that it is remembered under it."""
        people = self.second if isinstance(self.promise, Presence) else None
        return self.lab.table, self.promise, None if people is None else people._rows_of

    @property
    def rule(self) -> Rule:
        """What every class must be."""
        return self.promise.rule(self.rows.overall, self.rows.root)

    @property
    def keeps(self) -> bool:
        """Whether the whole table as one class keeps the rule: else no boxes can be made."""
        codes = self.rows.sensitive.quasi.codes
        counts = np.bincount(codes, minlength=self.rows.values)[None, :]
        return bool(self.rule.kept(counts).all())

    @property
    def can_keep(self) -> bool:
        """Whether it does, or some part of it could: k rows, of all values alike."""
        rows = self.rows
        counts = len(rows.kept) * (np.arange(rows.values) < rows.sensitive.values)[None, :]
        alike = len(rows.kept) >= self.promise.k and bool(self.rule.kept(counts).all())
        return alike or self.keeps

    @cached_property
    def register(self) -> Register:
        """Everybody of the population. Raises ParamError where it lacks a column."""
        return register_of(self.lab, self.rows, self.data, self.second)

    def hierarchy(self, column: Coded) -> Hierarchy:
        """The hierarchy of a column. Raises HierarchyError for one that is none."""
        return hierarchy_of(self.data.hierarchies, column, self.trees)
