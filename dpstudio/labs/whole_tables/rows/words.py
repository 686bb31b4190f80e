"""Sentences that several labs of rows say."""

from collections.abc import Sequence

from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.rows.model import RowsModel, left_out, n, register
from dpstudio.labs.winners import listed
from dpstudio.values.messages import N_, Message, Num, plain, say


def share(value: float) -> Num:
    """A share in percent."""
    return Num(value, 3, percent=True)


def columns_told(names: Sequence[str]) -> Message:
    """Columns by their names, in quotes."""
    return listed([say("“{name}”", name=name) for name in names])


def rows_told(model: RowsModel) -> Sentence:
    """How many rows are used."""
    text = N_(
        "{n} {n:row is|rows are} used; a quasi-identifier’s missing word counts as one of its own."
    )
    if left_out(model):
        text = N_(
            "{n:# row is|# rows are} used; {left:# lacks a usable number and is|# lack a usable "
            "number and are} left out. A quasi-identifier’s missing word counts as one of its own."
        )
    return Sentence("rows", say(text, n=Num(n(model)), left=Num(left_out(model))))


def stands(model: RowsModel) -> Sentence:
    """What stands for the population."""
    if model.second is not None:
        text = N_(
            "“{name}”, beside this table, is the population: {people:# person|# people}, of whom "
            "{n} {n:is|are} published."
        )
        people = Num(len(register(model).people))
        named = {"name": plain(model.second.name), "people": people, "n": Num(n(model))}
        return Sentence("stands", Message(text, named))
    text = N_("A second table, opened beside this one from the table’s menu, is its population.")
    return Sentence("stands", say(text))
