"""Masking: a column is changed, and the table handed on with it."""

from dpstudio.labs.whole_tables.masking import ABOUT
from dpstudio.labs.whole_tables.masking.choices.operations import OPERATIONS, Operation, Pram
from dpstudio.labs.whole_tables.rows.parameters import SensitiveLab
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param


class Masking(SensitiveLab, about=ABOUT):
    """Something is done to a column; all others stay as they are."""

    operation: Operation = param(Pram(), OneOf(N_("Masked by"), family=lambda: OPERATIONS))

    @property
    def method(self) -> Operation:
        """What is done."""
        return self.operation
