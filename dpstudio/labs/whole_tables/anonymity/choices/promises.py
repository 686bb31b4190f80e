"""What every class must be: k rows, and sensitive values that differ."""

from collections.abc import Sequence
from typing import ClassVar

from dpstudio.labs.whole_tables.rows.measured import HIERARCHICAL
from dpstudio.privacy.anonymity import models
from dpstudio.privacy.anonymity.presence import Bounds
from dpstudio.values.domains import Integer
from dpstudio.values.fields import choice, real
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Parameters, param

K_MOST = 1_000
L_MOST = 50
_K = Integer(
    N_("Rows in a class k"),
    N_("How many rows share their quasi-identifiers at least."),
    low=2,
    high=K_MOST,
    log=True,
)
DISTINCT, ENTROPY, RECURSIVE = "distinct", "entropy", "recursive"


class Promise(Parameters):
    """Base of what every class must be. `dial` is what it is turned by besides k, if anything."""

    dial: ClassVar[str] = ""

    k: int = param(3, _K, leads=True)

    def rule(self, overall: tuple[float, ...], root: models.Branch | None = None) -> models.Rule:
        """The rule of a class where the whole table has these shares of sensitive values, without
        what is missing; `root` is the top of their hierarchy. Who lacks a value counts to k alone.
        """
        more = (models.OfValues(each, len(overall)) for each in self.more(overall, root))
        return models.All((models.KAnonymity(self.k), *more))

    def more(
        self, overall: tuple[float, ...], root: models.Branch | None
    ) -> tuple[models.Rule, ...]:
        """What it asks besides k rows."""
        return ()


class Size(Promise):
    """At least k rows."""

    key = "k"
    label = N_("k-anonymity")
    source = "Samarati & Sweeney 1998"


class Diversity(Promise):
    """At least k rows, whose sensitive values differ."""

    key = "l"
    label = N_("l-diversity")
    dial = "l"
    source = "Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam 2007"

    sense: str = choice(
        DISTINCT,
        N_("Diverse means"),
        N_("So many values; an entropy of ln l; or none more frequent than c times the rest."),
        options={DISTINCT: N_("distinct"), ENTROPY: N_("entropy"), RECURSIVE: N_("recursive")},
    )
    l: float = real(
        2.0,
        N_("Values in a class l"),
        N_("How many sensitive values a class has, whole where they are counted."),
        low=1,
        high=L_MOST,
        log=True,
    )
    c: float = real(
        3.0,
        N_("Factor c"),
        N_("The most frequent value is rarer than c times those from the l-th on."),
        low=0.1,
        high=100,
        log=True,
        active_when=("sense", RECURSIVE),
    )

    @property
    def whole(self) -> int:
        """l where values are counted: rounded up, so that nothing less is promised."""
        return int(-(-self.l // 1))

    def more(
        self, overall: tuple[float, ...], root: models.Branch | None
    ) -> tuple[models.Rule, ...]:
        """As `Promise` says."""
        if self.sense == ENTROPY:
            return (models.EntropyDiversity(self.l),)
        if self.sense == RECURSIVE:
            return (models.RecursiveDiversity(self.c, self.whole),)
        return (models.DistinctDiversity(self.whole),)


class Closeness(Promise):
    """At least k rows, whose sensitive values are spread nearly as those of all that is
    published."""

    key = "t"
    label = N_("t-closeness")
    dial = "t"
    source = "Li, Li & Venkatasubramanian 2007"

    t: float = real(
        0.2,
        N_("Distance t"),
        N_("How far the spread of a class may be from that of all rows published."),
        low=0.01,
        high=1,
    )
    ground: str = choice(
        models.EQUAL,
        N_("Distance"),
        N_("How far two sensitive values are apart; as printed only the largest gap counts."),
        options={
            models.EQUAL: N_("all alike apart"),
            models.ORDERED: N_("by their order"),
            HIERARCHICAL: N_("by their hierarchy"),
            models.PRINTED: N_("as printed: largest gap"),
        },
    )

    def more(
        self, overall: tuple[float, ...], root: models.Branch | None
    ) -> tuple[models.Rule, ...]:
        """As `Promise` says."""
        if self.ground == HIERARCHICAL:
            return (models.TCloseness(self.t, overall, models.EQUAL, root),)
        return (models.TCloseness(self.t, overall, self.ground),)


class Presence(Promise):
    """At least k rows, and nobody can tell surely who of a population is in the table."""

    key = "presence"
    label = N_("δ-presence")
    source = "Nergiz, Atzori & Clifton 2007"

    least: float = real(
        0.0,
        N_("In the table at least"),
        N_("The least chance that somebody of the population is in the table (δ min)."),
        low=0,
        high=1,
        percent=True,
    )
    most: float = real(
        0.8,
        N_("In the table at most"),
        N_("The most that anybody may believe that somebody is in the table (δ max)."),
        low=0,
        high=1,
        percent=True,
    )

    @property
    def bounds(self) -> Bounds:
        """What everybody’s chance lies between."""
        return Bounds(self.least, self.most)


PROMISES: Sequence[type[Promise]] = (Size, Diversity, Closeness, Presence)
