"""Hidden rules: the association rules of a table, and one that is hidden."""

from dpstudio.labs.page import Lab
from dpstudio.labs.whole_tables.rows import parameters as rows
from dpstudio.labs.whole_tables.rules import ABOUT
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_


class Rules(Lab, about=ABOUT):
    """An association rule is hidden by deleting items, with rules lost and made up."""

    known: tuple[str, ...] = rows.known()
    sensitive: str = rows.sensitive()
    support: float = real(
        0.1,
        N_("Support at least"),
        N_("The share of rows that hold all of a rule; rarer ones are not found."),
        low=0.01,
        high=1,
        percent=True,
        own=True,
        in_caption=True,
        leads=True,
    )
    sure: float = real(
        0.8,
        N_("Confidence at least"),
        N_("Of the rows with its left side the share that has its right side too."),
        low=0.05,
        high=1,
        percent=True,
        own=True,
        in_caption=True,
    )
    rank: int = integer(
        1,
        N_("Rule to hide"),
        N_("1 is the rule of highest confidence; the table lists them."),
        low=1,
        high=500,
    )
    seed: int = rows.seed()
    show_truth: bool = rows.show_truth()
