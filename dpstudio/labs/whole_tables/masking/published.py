"""What leaves: the table with a column masked, drawn by chance of the system where it is chance."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dpstudio.charts.figure import array
from dpstudio.labs.memo import once
from dpstudio.labs.outcome import MadeTable
from dpstudio.labs.whole_tables.masking import operated as masking_operated
from dpstudio.labs.whole_tables.masking.choices import operations
from dpstudio.labs.whole_tables.masking.model import MaskingModel
from dpstudio.labs.whole_tables.masking.parameters import Masking
from dpstudio.labs.whole_tables.rows.leaving import MEASURED, in_order, script_of, warning
from dpstudio.labs.whole_tables.rows.measured import in_groups, in_rows, measured
from dpstudio.labs.whole_tables.rows.model import n, risk_before, sensitive, valueless
from dpstudio.labs.whole_tables.rows.table import SensitiveRows
from dpstudio.privacy.anonymity import sanitise
from dpstudio.privacy.anonymity.classes import Classes, Risk, classes_of, risk
from dpstudio.privacy.anonymity.columns import MISSING, Coded, as_published, words_of
from dpstudio.privacy.anonymity.mondrian import Quasi
from dpstudio.privacy.sampling import SystemChance
from dpstudio.values.csv_text import csv_text
from dpstudio.values.messages import Message, say
from dpstudio.values.parameters import to_json

# Of two tables drawn of the same rows who holds both knows more than of either: cells in which they
# agree were likely never changed.
_DRAWN = (
    "by chance of the system, another table each time: each that leaves is a further look at the "
    "same rows, and what they tell adds up"
)


def stays(lab: Masking) -> Message | None:
    """Why what is done does not leave, None where it does."""
    if isinstance(lab.operation, operations.Perturb):
        return say("This stays here: people add their noise before there is a table.")
    return None


def by_chance(operation: operations.Operation) -> bool:
    """Whether what leaves is drawn."""
    return isinstance(
        operation,
        operations.Swap
        | operations.Permute
        | operations.Pram
        | operations.Resample
        | operations.Anatomy,
    )


def ready(model: MaskingModel) -> bool:
    """Whether a table leaves: one of which a row has a sensitive value, since none leaves of rows
    that all lack it; and there is chance of the system where it is drawn."""
    drawn = by_chance(model.lab.operation)
    there = stays(model.lab) is None and valueless(model) < n(model)
    return there and (model.below is not None or not drawn)


def chance(model: MaskingModel) -> SystemChance:
    """Draws that nothing tells: for what promises nothing by the law of its chance."""
    assert model.below is not None
    return SystemChance(model.below)


@once
def released(model: MaskingModel) -> SensitiveRows:
    """The rows that leave, of anatomy as they are. The same at each call."""
    rows = model.rows
    if isinstance(model.lab.operation, operations.Anatomy):
        return rows
    made = _drawn(model)
    if _moved(model):
        changed = map(partial(_changed, model.lab.operation), rows.columns, made)
        return replace(rows, columns=(*changed, *staying(model)))
    codes = made[0].after.astype(np.int64)
    quasi = replace(rows.sensitive.quasi, codes=codes)
    return replace(rows, sensitive=replace(rows.sensitive, quasi=quasi))


@once
def groups(model: MaskingModel) -> sanitise.Anatomy:
    """The groups of anatomy that leave."""
    operation = model.lab.operation
    assert isinstance(operation, operations.Anatomy)
    values = model.rows.sensitive.values
    return sanitise.anatomised(sensitive(model), values, operation.l, chance(model))


@once
def staying(model: MaskingModel) -> tuple[Coded, ...]:
    """The quasi-identifiers that leave as they are."""
    return model.rows.columns[_moved(model) :]


@once
def risk_left(model: MaskingModel) -> Risk:
    """That somebody is found by these alone."""
    if not _moved(model):
        return risk_before(model)
    codes = [each.quasi.codes for each in staying(model)]
    none = np.zeros((len(model.rows.kept), 0), dtype=np.int64)
    return risk(classes_of(np.stack(codes, axis=1) if codes else none))


def _moved(model: MaskingModel) -> int:
    """How many quasi-identifiers are masked, the first ones."""
    return sum(each.name != model.lab.sensitive for each in masking_operated.masked(model))


def _drawn(model: MaskingModel) -> tuple[masking_operated.Operated, ...]:
    """The columns after what is done to them, by chance of the system."""
    operation, seen = model.lab.operation, masking_operated.operated(model)
    if isinstance(operation, operations.Pram):
        assert model.below is not None
        keep, below = operation.keep, model.below
        after = masking_operated.randomised(
            model, lambda c, n: sanitise.pram_exactly(c, n, keep, below)
        )
    elif isinstance(operation, operations.Swap):
        after = masking_operated.swapped(model, operation, chance(model))
    elif isinstance(operation, operations.Permute):
        after = sanitise.permuted(sensitive(model), masking_operated.near(model), chance(model))
    elif isinstance(operation, operations.Resample):
        return masking_operated.drawn_anew(model, chance(model))
    else:
        return (seen,)
    return (replace(seen, after=array(after)),)


def _changed(operation: operations.Operation, was: Coded, made: masking_operated.Operated) -> Coded:
    """A quasi-identifier after what is done to it."""
    after = made.after
    if isinstance(operation, operations.Suppress):
        words = words_of(was)
        blank = np.isnan(after) if was.quasi.at is not None else after == len(words)
        codes = np.where(blank, len(words), was.quasi.codes)
        return Coded(was.name, Quasi(codes), (*words, masking_operated.BLANK), was.whole)
    if was.quasi.at is None:
        return replace(was, quasi=Quasi(after.astype(np.int64)))
    at, codes = np.unique(after, return_inverse=True)
    at = np.array([float(f"{value:.12g}") for value in at.tolist()])  # of what is worked out
    return Coded(was.name, Quasi(codes.astype(np.int64), at), (), was.whole, was.date)


@once
def published_table(model: MaskingModel) -> MadeTable:
    """The rows that leave, in the order of their words, so that it tells nothing; of anatomy with
    their group, in whose order they stand."""
    rows = released(model)
    if isinstance(model.lab.operation, operations.Anatomy):
        group = groups(model).group
        there = np.flatnonzero(group >= 0)
        columns = [(_group_name(model.lab), group[there].tolist())]
        columns += [(each.name, _words(each, there)) for each in rows.columns]
        name, *others = in_order(columns).columns
        return MadeTable("published", "", (*others, name), exact=True)
    there = np.arange(len(rows.kept))
    return in_order([(each.name, _words(each, there)) for each in (*rows.columns, rows.sensitive)])


def _words(column: Coded, rows: np.ndarray) -> list[Any]:
    words = words_of(column)
    return [words[code] for code in column.quasi.codes[rows]]


def _group_name(lab: Masking) -> str:
    name = "group"
    while name in (*lab.quasi, lab.sensitive):
        name += "_"
    return name


def _groups(model: MaskingModel) -> list[tuple[int, str, int]]:
    """The other table of anatomy: of each group how often it has which value."""
    made, words = groups(model), model.rows.sensitive.words
    held = Classes(made.group, len(made.counts)).counts(sensitive(model), len(words))
    return [(int(g), words[v], int(held[g, v])) for g, v in zip(*np.nonzero(held), strict=True)]


def beside(model: MaskingModel) -> dict[str, str]:
    """What lies beside the table, by the end of the name of a file: the other table of anatomy."""
    if not isinstance(model.lab.operation, operations.Anatomy):
        return {}
    head = (_group_name(model.lab), model.lab.sensitive, "count")
    return {"groups.csv": csv_text([head, *_groups(model)])}


def report(model: MaskingModel) -> dict[str, Any]:
    """What was done, and what the table that leaves keeps and risks, as JSON can hold it."""
    lab, table = model.lab, published_table(model)
    if isinstance(lab.operation, operations.Anatomy):
        lines = _groups(model)
        values = as_published(model.rows.sensitive, {word for _, word, _ in lines})
        held = in_groups(table, lab.quasi, values, lines)
    else:
        values = as_published(model.rows.sensitive, set(dict(table.columns)[lab.sensitive]))
        held = in_rows(table, lab.quasi, values)
    drawn = _DRAWN if by_chance(lab.operation) else None
    return {
        "warning": warning(model.data),
        "measured": MEASURED,
        "quasi_identifiers": list(lab.quasi),
        "sensitive": lab.sensitive,
        "operation": {**to_json(lab.operation), "drawn": drawn},
        "published_where": str(lab.among),
        "missing": MISSING,
        **measured(held),
        "source": getattr(lab.operation, "source", None),
    }


def script(model: MaskingModel) -> str:
    """A Python program that makes the same table, or draws another one."""
    drawn = by_chance(model.lab.operation)
    return script_of(model, None if drawn else published_table(model), second=False)
