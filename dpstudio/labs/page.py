"""What a lab is: a page of the studio as a frozen value that turns a dataset into findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from dpstudio.data.dataset import Dataset
from dpstudio.labs.findings import Findings
from dpstudio.privacy.queries import ADJACENCIES
from dpstudio.values.messages import N_, Say
from dpstudio.values.params import Choice, Flag, Integer, Kind
from dpstudio.values.problem import Problem

# Parameters that several labs have: by their names, and what they are, a lab takes them over from
# those opened before.
NEIGHBOURS = Choice(
    N_("Neighbours"),
    N_(
        "Which tables must look alike: those that differ by one person more or less, or by one "
        "replaced."
    ),
    options=ADJACENCIES,
)
SEED = Integer(N_("Seed"), N_("The same seed draws the same noise."), low=0, high=2**62)
SHOW_TRUTH = Flag(
    N_("Show the exact answer"),
    N_("Hides it on this screen. What is saved then is drawn anew, with noise from the system."),
)

Cancelled = Callable[[], bool]


def never() -> bool:
    """The `cancelled` of a caller that does not cancel."""
    return False


@dataclass(frozen=True)
class Lab(Kind):
    """Base of every lab."""

    help: ClassVar[str] = ""
    # Whether its ε belongs to a demonstration, and is neither taken from the labs that were open
    # before nor given to others.
    own_budget: ClassVar[bool] = False

    def problems(self, data: Dataset) -> Iterator[Problem]:
        """Everything that stops or qualifies this state on this table, each at its field; pure and
        quick."""
        yield from ()

    def refused(self, data: Dataset) -> Mapping[str, Mapping[str, Say]]:
        """Choices that cannot work, by field and option, each with the reason."""
        return {}

    def suited(self, data: Dataset) -> Self:
        """This lab, or the nearest one that this table can answer: used when a table is opened or
        the question changes."""
        return self

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:
        """Yield findings, the first quickly, later ones more exact. Where problems stop the lab,
        one with only those."""
        raise NotImplementedError

    def taking(self, other: Lab) -> Self | None:
        """This lab with what it can take from the state of another, or None where there is nothing
        to take."""
        return None

    def frame(self, findings: Findings, index: int) -> Findings:
        """The findings with simulated answer number `index` (modulo how many there are) in its
        pictures and facts."""
        return findings
