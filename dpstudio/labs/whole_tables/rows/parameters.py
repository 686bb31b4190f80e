"""Parameters of the labs whose rows stand for people: by which columns these are found, and what
nobody should learn of them."""

from collections.abc import Hashable
from typing import Any

from dpstudio.data.conditions import Condition, Where
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.page import Lab
from dpstudio.values.lists import WordLines
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Column, param

START = "income"  # what a lab starts with
_EXACT = N_("All of this page is exact: nothing of it is differentially private.")


def sensitive() -> Any:
    """What nobody should learn of a person."""
    text = N_("What nobody should learn of a person.")
    return param(START, Column(N_("Sensitive"), text, purpose="sensitive"), in_caption=True)


def known() -> Any:
    """The columns that might be known of a person."""
    names = (
        "age", "sex", "race", "marital-status", "education", "occupation", "workclass",
        "native-country",
    )  # fmt: skip
    text = N_("Columns, separated by |, by which people are unique: at most 8.")
    return param(names, WordLines(N_("Might be known"), text, purpose="quasi"))


def seed() -> Any:
    """What is drawn for looking."""
    return shared.seed(N_("The same seed draws the same, wherever chance decides on this page."))


def show_truth() -> Any:
    """Whether the page shows anything: all of it is exact."""
    return shared.show_truth(_EXACT, N_("Show what is exact"))


class RowsLab(Lab):
    """Base of the labs that find people by quasi-identifiers."""

    quasi: tuple[str, ...] = param(
        ("age", "education-num"),
        WordLines(
            N_("Quasi-identifiers"),
            N_("What an attacker may know of a person, separated by |; the first two are drawn."),
            purpose="quasi",
        ),
        in_caption=True,
    )
    among: Where = param(
        Where(),
        Condition(
            N_("Rows published"),
            N_("All rows are the population then, as a register: who is found among them?"),
        ),
        in_caption=True,
    )
    seed: int = seed()
    show_truth: bool = show_truth()

    @property
    def whole(self) -> bool:
        """Whether all rows are published, so that none stand for a population."""
        return not self.among

    @property
    def table(self) -> Hashable:
        """What decides the rows and codes that all else is made of."""
        return self.quasi, self.among


class SensitiveLab(RowsLab):
    """Base of those that ask what is learnt of people besides."""

    sensitive: str = sensitive()

    @property
    def table(self) -> Hashable:
        """As `RowsLab` says."""
        return self.quasi, self.sensitive, self.among
