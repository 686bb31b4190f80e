"""The rows with the weights of columns and the hierarchy of what is sensitive, and what is asked of
them."""

from dataclasses import replace

from dpstudio.data.dataset import Dataset
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.labs.whole_tables.rows.model import Check, at_ease
from dpstudio.labs.whole_tables.rows.table import SensitiveRows, sensitive_rows
from dpstudio.privacy.anonymity.classes import Mask
from dpstudio.privacy.anonymity.column_hierarchies import Published, hierarchy_of
from dpstudio.privacy.anonymity.columns import Coded, words_of
from dpstudio.privacy.anonymity.hierarchy import HierarchyError
from dpstudio.privacy.anonymity.models import Branch, branch
from dpstudio.privacy.anonymity.written import column_of, typed
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


def task_of(
    lab: Anonymity, data: Dataset, second: Dataset | None = None, check: Check = at_ease
) -> Task:
    """What a lab is to publish. Raises ParamError as `rows_of` does."""
    return Task(lab, data, rows_of(lab, data), lab.promise, lab.trees, second, check)


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


def root_of(public: Published, column: Coded, trees: tuple[str, ...]) -> Branch | None:
    """The top of the hierarchy of the values of a column, None where it has none. Raises ParamError
    at “trees” for one that is written and is none."""
    try:
        hierarchy, words = hierarchy_of(public, column, trees), words_of(column)[: column.values]
        levels = [hierarchy.codes(words, height).tolist() for height in range(hierarchy.height + 1)]
        return branch(levels) if words and hierarchy.height else None
    except HierarchyError as error:
        if typed(trees, column.name):
            raise ParamError("trees", error.sentence) from None
        return None
