"""Anonymity: people hidden in classes that look alike, and what that costs."""

from collections.abc import Hashable

from dpstudio.labs.whole_tables.anonymity import ABOUT
from dpstudio.labs.whole_tables.anonymity.choices.promises import K_MOST, PROMISES, Promise, Size
from dpstudio.labs.whole_tables.anonymity.choices.trees import Trees
from dpstudio.labs.whole_tables.anonymity.ways import WAYS
from dpstudio.labs.whole_tables.anonymity.ways.boxes import Mondrian
from dpstudio.labs.whole_tables.anonymity.ways.way import Way
from dpstudio.labs.whole_tables.rows.measured import HIERARCHICAL
from dpstudio.labs.whole_tables.rows.parameters import SensitiveLab, known
from dpstudio.values.fields import choice, integer, real
from dpstudio.values.lists import Words
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param

SAME, SIDE, ANOTHER = "same", "side", "another"
TOLD, COST, BRIDGE = "told", "cost", "bridge"


class Anonymity(SensitiveLab, about=ABOUT):
    """A table is published in classes of people who look alike; nothing of it is differentially
    private."""

    identifiers: tuple[str, ...] = param(
        (),
        Words(
            N_("Identifiers"),
            N_("Columns that name a person, separated by |: they are not published."),
            empty=N_("none named"),
            purpose="identifier",
        ),
    )
    promise: Promise = param(Size(), OneOf(N_("Every class has"), family=lambda: PROMISES))
    algorithm: Way = param(Mondrian(), OneOf(N_("Made by"), family=lambda: WAYS))
    known: tuple[str, ...] = known()
    again: int = integer(
        5,
        N_("Published again with k"),
        N_("A second release of the same table, which an attacker lays upon the first."),
        low=2,
        high=K_MOST,
        log=True,
    )
    again_quasi: tuple[str, ...] = param(
        (),
        Words(
            N_("By other columns"),
            N_("The quasi-identifiers of the second release, separated by |."),
            empty=N_("the same"),
        ),
    )
    again_by: str = choice(
        SIDE,
        N_("Made then"),
        N_("In the same way; boxes cut on another side of the median; or by the other way."),
        options={
            SAME: N_("the same way"),
            SIDE: N_("on another side"),
            ANOTHER: N_("the other way"),
        },
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
    )
    weights: tuple[str, ...] = param(
        (),
        Words(
            N_("Weights"),
            N_("How much the loss of a column counts: age=2 | sex=0.5; 1 for the others."),
            empty=N_("all alike"),
        ),
    )
    drawn: float = real(
        0.1,
        N_("Sample β"),
        N_("The chance that a row is taken, on the bridge from k to ε."),
        low=0.001,
        high=0.99,
        percent=True,
        own=True,
    )
    failure: float = real(
        1e-6, N_("δ of the bridge"), N_("What ε may fail by."), low=1e-15, high=0.1, log=True
    )
    look: str = choice(
        TOLD,
        N_("Look at"),
        N_("Which charts stand below those of the classes."),
        options={
            TOLD: N_("what classes still tell"),
            COST: N_("what they cost"),
            BRIDGE: N_("from k to ε"),
        },
        look=True,
    )

    @property
    def method(self) -> Way:
        """How classes are made: what k turns and the first chart shows."""
        return self.algorithm

    @property
    def treed(self) -> bool:
        """Whether hierarchies are used: to generalise, or as the distance of t-closeness."""
        hierarchical = getattr(self.promise, "ground", "") == HIERARCHICAL
        return not self.algorithm.boxes or hierarchical

    @property
    def table(self) -> Hashable:
        """As `RowsLab` says."""
        return super().table, self.trees, self.weights
