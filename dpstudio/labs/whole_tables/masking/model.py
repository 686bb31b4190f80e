"""What Masking knows of one state: the rows, and what is done to a column of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpstudio.labs.context import Context
from dpstudio.labs.whole_tables.masking.choices.operations import (
    Anatomy,
    MicroAggregate,
    Permute,
    Perturb,
)
from dpstudio.labs.whole_tables.masking.parameters import Masking
from dpstudio.labs.whole_tables.rows.model import SensitiveModel, overall
from dpstudio.labs.whole_tables.rows.table import SensitiveRows, sensitive_rows
from dpstudio.values.messages import N_, Message, Num, say


@dataclass(frozen=True, eq=False, kw_only=True)
class MaskingModel(SensitiveModel):
    """One state of the lab."""

    lab: Masking


def stages(lab: Masking, context: Context) -> Iterator[MaskingModel]:
    """The one model there is."""
    yield MaskingModel(
        lab=lab,
        data=context.data,
        rows=sensitive_rows(lab, context.data),
        effort=context.effort,
        below=context.machine.below if context.machine else None,
    )


def impossible(lab: Masking, rows: SensitiveRows) -> Message | None:
    """Why it cannot be done, None where it can: numbers need a first quasi-identifier of numbers,
    anatomy a table of which no value is more than 1/l."""
    operation, first = lab.operation, rows.columns[0]
    if operation.numbers and first.quasi.at is None:
        return say("This is done to numbers: name a column of numbers first.")
    if isinstance(operation, MicroAggregate | Permute) and operation.rows > len(rows.kept):
        return say("There {n:is|are} only {n} {n:row|rows}. Ask for fewer.", n=Num(len(rows.kept)))
    if isinstance(operation, Perturb) and operation.times and first.quasi.places.min() <= 0:
        return say("Only numbers above 0 are multiplied: name a column of such numbers first.")
    if isinstance(operation, Anatomy) and max(overall(rows)) * operation.l > 1:
        text = N_(
            "No groups of {l} different {l:value|values} exist: one “{column}” has {share} of all "
            "rows, more than 1/{l}."
        )
        share = Num(max(overall(rows)), 3, percent=True)
        return say(text, l=Num(operation.l), column=lab.sensitive, share=share)
    return None
