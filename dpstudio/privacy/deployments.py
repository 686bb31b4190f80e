"""Deployments of differential privacy as a register has them: whom each protects over what time,
what it promises, who holds the rows, and which of that is doubtful."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpstudio.privacy.accounting.concentrated import ZCDPTight
from dpstudio.values.messages import N_

# Whom a promise is about, and over what time. An ε of a day is no ε of a person: nothing here
# compares two of them across these.
PERSON, PART, EVENT, OTHER = "person", "part", "event", "other"
UNITS = {
    PERSON: N_("a person, all data"),
    PART: N_("a person, for a time"),
    EVENT: N_("one event or record"),
    OTHER: N_("something else"),
}
# Who holds the rows, by the names of the register.
MODELS = {
    "Central": N_("one trusted curator"),
    "Local": N_("nobody is trusted"),
    "Varies": N_("it varies"),
}
AT_DELTA = 1e-6  # the δ at which an ε is made of a ρ
# Fields without which nobody knows where a deployment belongs.
_PLACING = ("privacy_unit", "epsilon", "delta", "rho", "variant_name")


@dataclass(frozen=True)
class Doubt:
    """A field that cannot be taken as it is: `why` is "todo" (the register is not sure itself),
    "missing", "formula" (no number), or "denied" by `words` of the same record."""

    field: str
    why: str
    words: str = ""


@dataclass(frozen=True)
class Deployment:
    """One of them, in the words of the register but for `who` is protected and over what `period`,
    which are read off its unit. ε, δ and ρ are None where it does not say them."""

    slug: str
    name: str
    curators: tuple[str, ...]
    year: int
    product: str
    region: str
    status: str
    variant: str
    unit: str
    who: str
    period: str
    model: str
    releases: str
    epsilon: float | None
    delta: float | None
    rho: float | None
    source: str
    doubts: tuple[Doubt, ...]

    @property
    def protects(self) -> str:
        """Whom it is about, as one of UNITS."""
        if self.who == PERSON and self.period not in ("", "all"):
            return PART
        return self.who

    @property
    def draft(self) -> bool:
        """Whether the register has it as a draft."""
        return self.status == "Draft"

    @property
    def approved(self) -> bool:
        """Whether the board of the register has approved it."""
        return self.status.startswith("Approved")

    @property
    def converted(self) -> bool:
        """Whether its ε is made of its ρ."""
        return self.epsilon is None and self.rho is not None

    @cached_property
    def promised(self) -> float | None:
        """Its ε: as it says it, or what its ρ gives at AT_DELTA; None where it says no number."""
        if self.epsilon is not None or self.rho is None:
            return self.epsilon
        return float(ZCDPTight().of_rho(np.array(self.rho), np.array(AT_DELTA)))

    @property
    def doubtful(self) -> tuple[Doubt, ...]:
        """The doubts about what it promises, and to whom."""
        return tuple(doubt for doubt in self.doubts if doubt.field in _PLACING)


def numbered(them: Iterable[Deployment]) -> tuple[Deployment, ...]:
    """Those that say a number."""
    return tuple(each for each in them if each.promised is not None)


def placed(them: Iterable[Deployment]) -> tuple[Deployment, ...]:
    """Those that may stand on an axis of ε: with a number, and no drafts."""
    return tuple(each for each in numbered(them) if not each.draft)


def chosen(
    them: Iterable[Deployment], units: Iterable[str], models: Iterable[str]
) -> tuple[Deployment, ...]:
    """Those that protect one of these units, where the rows are held in one of these ways."""
    units, models = set(units), set(models)
    return tuple(each for each in them if each.protects in units and each.model in models)
