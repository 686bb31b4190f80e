"""The rows with the weights of columns, and the hierarchy of what is sensitive."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.data.dataset import Dataset
from dpstudio.labs.whole_tables.anonymity.choices.trees import column_of
from dpstudio.labs.whole_tables.anonymity.hierarchies import root_of
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.rows.columns import Coded
from dpstudio.labs.whole_tables.rows.table import SensitiveRows, sensitive_rows
from dpstudio.privacy.anonymity.classes import Mask
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError, Real

_WEIGHT = Real("", low=0.001, high=1000.0)


def rows_of(lab: Anonymity, data: Dataset) -> SensitiveRows:
    """The rows of a lab, remembered. Raises ParamError at the field that does not serve."""

    def make() -> SensitiveRows:
        rows = sensitive_rows(lab, data)
        for line in lab.trees:
            if not data.has(column_of(line)):
                text = N_("This table has no column “{column}”. Take its hierarchy out.")
                raise ParamError("trees", say(text, column=column_of(line)))
        columns = _weighed(lab, data, rows.columns)
        return replace(
            rows, columns=columns, root=root_of(data.hierarchies, rows.sensitive, lab.trees)
        )

    return data.remember(("anonymity", lab.table), make)


def settled(lab: Anonymity, data: Dataset, rows: SensitiveRows, there: Mask) -> SensitiveRows:
    """The rows where only `there`, (n,), are published: which values are frequent follows from no
    other."""
    held = rows.among(there)
    if held is rows:
        return rows
    return replace(held, root=root_of(data.hierarchies, held.sensitive, lab.trees))


def _weighed(lab: Anonymity, data: Dataset, columns: tuple[Coded, ...]) -> tuple[Coded, ...]:
    """The columns with their weights, 1 on average. Raises ParamError at “weights”."""
    weights, given = dict.fromkeys(lab.quasi, 1.0), set[str]()
    for each in lab.weights:
        name, _, told = each.rpartition("=")
        try:
            weight = _WEIGHT.check(told)
        except ParamError:
            text = N_("“{each}” is no column and its weight from 0.001 to 1,000, such as age=2.")
            raise ParamError("weights", say(text, each=each)) from None
        if not data.has(name.strip()):
            text = N_("This table has no column “{column}”. Name others.")
            raise ParamError("weights", say(text, column=name.strip()))
        if name.strip() in given:
            text = N_("“{column}” has a weight twice. Keep one of them.")
            raise ParamError("weights", say(text, column=name.strip()))
        given.add(name.strip())
        if name.strip() in weights:
            weights[name.strip()] = weight
    mean = sum(weights.values()) / len(weights)
    return tuple(
        replace(column, quasi=replace(column.quasi, weight=weights[column.name] / mean))
        for column in columns
    )
