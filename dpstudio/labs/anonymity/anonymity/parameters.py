"""Anonymity: people hidden in classes that look alike, and what that costs."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from dpstudio.data.conditions import Condition, Where
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.anonymity.anonymity import ABOUT
from dpstudio.labs.anonymity.anonymity.choices.algorithms import (
    ALGORITHMS,
    Algorithm,
    FullDomain,
    Mondrian,
)
from dpstudio.labs.anonymity.anonymity.choices.operations import OPERATIONS, Nothing, Operation
from dpstudio.labs.anonymity.anonymity.choices.promises import (
    HIERARCHICAL,
    K_MOST,
    PROMISES,
    Promise,
    Size,
)
from dpstudio.labs.anonymity.anonymity.choices.trees import Trees
from dpstudio.labs.page import Lab
from dpstudio.values.lists import WordLines, Words
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Choice, Column, Integer, OneOf, Real, param

SAME, SIDE, ANOTHER = "same", "side", "another"


@dataclass(frozen=True)
class Anonymity(Lab, about=ABOUT):
    """A table is published in classes of people who look alike; nothing of it is differentially
    private."""

    quasi: tuple[str, ...] = param(
        ("age", "education-num"),
        WordLines(
            N_("Quasi-identifiers"),
            N_("What an attacker may know of a person, separated by |; the first two are drawn."),
            purpose="quasi",
        ),
        in_caption=True,
    )
    identifiers: tuple[str, ...] = param(
        (),
        Words(
            N_("Identifiers"),
            N_("Columns that name a person, separated by |: they are not published."),
            empty=N_("none named"),
            purpose="identifier",
        ),
        own=True,
    )
    sensitive: str = param(
        "income",
        Column(N_("Sensitive"), N_("What nobody should learn of a person."), purpose="sensitive"),
        in_caption=True,
    )
    promise: Promise = param(Size(), OneOf(N_("Every class has"), family=lambda: PROMISES))
    algorithm: Algorithm = param(Mondrian(), OneOf(N_("Made by"), family=lambda: ALGORITHMS))
    known: tuple[str, ...] = param(
        (
            "age",
            "sex",
            "race",
            "marital-status",
            "education",
            "occupation",
            "workclass",
            "native-country",
        ),
        WordLines(
            N_("Might be known"),
            N_("Columns, separated by |, by which people are unique: at most 8."),
            purpose="quasi",
        ),
        own=True,
    )
    again: int = param(
        5,
        Integer(
            N_("Published again with k"),
            N_("A second release of the same table, which an attacker lays upon the first."),
            low=2,
            high=K_MOST,
            log=True,
        ),
        own=True,
    )
    again_quasi: tuple[str, ...] = param(
        (),
        Words(
            N_("By other columns"),
            N_("The quasi-identifiers of the second release, separated by |."),
            empty=N_("the same"),
        ),
        own=True,
    )
    again_by: str = param(
        SIDE,
        Choice(
            N_("Made then"),
            N_("In the same way; boxes cut on another side of the median; or by the other way."),
            options={
                SAME: N_("the same way"),
                SIDE: N_("on another side"),
                ANOTHER: N_("the other way"),
            },
        ),
        own=True,
    )
    trees: tuple[str, ...] = param(
        (),
        Trees(
            N_("Own hierarchies"),
            N_(
                "age = 5, 10, 20 (widths, “from 17” after them); zip = prefixes 5; born = dates; "
                "sex = words; or a line a value: job = nurse; health; *"
            ),
            empty=N_("those of the table"),
        ),
        active_when=("treed", True),
        own=True,
    )
    weights: tuple[str, ...] = param(
        (),
        Words(
            N_("Weights"),
            N_("How much the loss of a column counts: age=2 | sex=0.5; 1 for the others."),
            empty=N_("all alike"),
        ),
        own=True,
    )
    among: Where = param(
        Where(),
        Condition(
            N_("Rows published"),
            N_("All rows are the population then, as a register: who is found among them?"),
        ),
        own=True,
        in_caption=True,
    )
    sampled: float = param(
        0.01,
        Real(
            N_("Share of the population"),
            N_("What part of a population these rows are, drawn by lot; for the estimate alone."),
            low=1e-6,
            high=1,
            log=True,
            percent=True,
        ),
        active_when=("whole", True),
        own=True,
    )
    drawn: float = param(
        0.1,
        Real(
            N_("Sample β"),
            N_("The chance that a row is taken, on the bridge from k to ε."),
            low=0.001,
            high=0.99,
            percent=True,
        ),
        own=True,
    )
    failure: float = param(
        1e-6,
        Real(N_("δ of the bridge"), N_("What ε may fail by."), low=1e-15, high=0.1, log=True),
        own=True,
    )
    operation: Operation = param(
        Nothing(), OneOf(N_("Done to a column"), family=lambda: OPERATIONS, apart=True)
    )
    seed: int = shared.seed(N_("The same seed asks the same questions."))
    show_truth: bool = shared.show_truth(
        N_("All of this page is exact: nothing of it is differentially private."),
        N_("Show what is exact"),
    )

    @property
    def method(self) -> Algorithm:
        """How classes are made: what k turns and the first chart shows, with or without an
        operation."""
        return self.algorithm

    @property
    def whole(self) -> bool:
        """Whether all rows are published, so that none stand for a population."""
        return not self.among

    @property
    def treed(self) -> bool:
        """Whether hierarchies are used: to generalise, or as the distance of t-closeness."""
        hierarchical = getattr(self.promise, "ground", "") == HIERARCHICAL
        return isinstance(self.algorithm, FullDomain) or hierarchical

    @property
    def table(self) -> Hashable:
        """What decides the rows and codes that all else is made of."""
        return self.quasi, self.sensitive, self.among, self.trees, self.weights
