"""What a release costs and what a ledger lets through: fractions, added up exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpstudio.files.session import SessionError
from dpstudio.plans.exact import fraction_of, in_short, read_off, rounded_up, written
from dpstudio.privacy.accounting import ADD_REMOVE, REPLACE
from dpstudio.privacy.accounting.concentrated import ZCDPTight
from dpstudio.values.messages import N_, Message, Num, say

EPSILON, RHO = "epsilon", "rho"
PERSON, PERSON_MONTH = N_("person"), N_("person-month")
MEASURES, UNITS, ADJACENCIES = (EPSILON, RHO), (PERSON, PERSON_MONTH), (ADD_REMOVE, REPLACE)
_HUGE = Fraction(10**300)  # what is shown of a sum is worked out by doubles
LONGEST = 10**1000  # a denominator: sums of many odd fractions grow


class LedgerError(SessionError):
    """What a ledger cannot do; `sentence` says why, and what to do."""


def amount(text: str) -> Fraction:
    """A number as it is typed, 0.1 or 1e-6 or 487/20000, to the last digit. Raises LedgerError."""
    try:
        return fraction_of(text)
    except (ValueError, ZeroDivisionError):
        wrong = N_("“{given}” is no amount: write it as 0.5, 1e-6 or 487/20000.")
        raise LedgerError(say(wrong, given=text)) from None


def at_least(value: float) -> Fraction:
    """The decimal that a double is read as, where that is no less: noise is drawn by the double.
    Raises OverflowError and ValueError for what is no finite number."""
    return max(Fraction(value), fraction_of(value))


@dataclass(frozen=True)
class Terms:
    """Whom the cap is about, fixed when a ledger is made: what one unit is, for how many months the
    cap was made where that is a month of a person, and which tables are neighbours."""

    unit: str = PERSON
    periods: int = 1
    adjacency: str = ADD_REMOVE

    def __post_init__(self) -> None:
        if self.unit not in UNITS or self.adjacency not in ADJACENCIES:
            raise LedgerError(say(_UNKNOWN, units=" | ".join(UNITS), ways=" | ".join(ADJACENCIES)))
        if type(self.periods) is not int or self.periods < 1:
            raise LedgerError(say("Say for how many months the cap is made: 1 or more."))
        if self.unit == PERSON and self.periods != 1:
            raise LedgerError(say("Months are counted where the unit is a person-month alone."))


_UNKNOWN = N_("The unit is one of {units}, and neighbours are told by one of {ways}.")


@dataclass(frozen=True)
class Cost:
    """What is promised of a release: (ε, δ), or ρ, or both where both are true of it."""

    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)
    rho: Fraction | None = None

    def __post_init__(self) -> None:
        known = [each for each in (self.epsilon, self.delta, self.rho) if each is not None]
        exact = all(isinstance(each, Fraction) for each in known)
        if not exact or min(known) < 0 or self.epsilon is None is self.rho or self.delta >= 1:
            raise LedgerError(say("A release costs fractions of 0 or more, with δ below 1."))

    def to_json(self) -> dict[str, str]:
        """Each that is known, as p/q."""
        held = {EPSILON: self.epsilon, "delta": self.delta, RHO: self.rho}
        return {name: str(each) for name, each in held.items() if each is not None}


@dataclass(frozen=True)
class Spent:
    """A sum: of ε and δ, or of ρ."""

    amount: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.amount + other.amount, self.delta + other.delta)


NOTHING = Spent()


@dataclass(frozen=True)
class Cap:
    """A filter. What it lets through stays below it also where each cost was chosen after the
    answers before: Σε ≤ ε and Σδ ≤ δ (Rogers, Roth, Ullman & Vadhan 2016), or Σρ ≤ ρ (Feldman &
    Zrnic 2021), which is an ε at the δ of the cap. One of ρ with room for the δ of others (`apart`)
    also has Σδ ≤ `apart`, which comes on top of that δ: an (ε, δ) release is δ-approximately
    ε²/2-zCDP (Bun & Steinke 2016, section 8), of which ρ and δ add up, also where each was chosen
    on the way (Whitehouse, Ramdas, Rogers & Wu 2023)."""

    measure: str
    amount: Fraction
    delta: Fraction = Fraction(0)
    apart: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        exact = all(isinstance(e, Fraction) for e in (self.amount, self.delta, self.apart))
        if self.measure not in MEASURES or not exact or self.amount <= 0:
            raise LedgerError(say("A cap is a fraction above 0, of ε or of ρ."))
        if any(e and not 1 / _HUGE <= e <= _HUGE for e in (self.amount, self.delta, self.apart)):
            raise LedgerError(say("A cap and its δ are amounts between 1e-300 and 1e300."))
        if not 0 <= self.delta < 1 or (self.measure == RHO and self.delta == 0):
            raise LedgerError(say("The δ of a cap is below 1; beside ρ it must be above 0."))
        if not 0 <= self.apart < 1 - self.delta or (self.measure != RHO and self.apart):
            raise LedgerError(say("Room for other δ is beside ρ alone, below 1 with its own δ."))

    def price(self, cost: Cost) -> Spent:
        """A cost in what this cap counts. Raises LedgerError for one that it cannot book."""
        if self.measure == EPSILON:
            if cost.epsilon is None:
                raise LedgerError(say(_NO_EPSILON, rho=cost.rho))
            return Spent(cost.epsilon, cost.delta)
        if cost.rho is not None:
            return Spent(cost.rho)  # which is true beside an (ε, δ) that follows from it
        if cost.epsilon is None or (cost.delta and not self.apart):
            raise LedgerError(say(_NO_RHO, epsilon=cost.epsilon, delta=cost.delta))
        return Spent(cost.epsilon**2 / 2, cost.delta)  # without δ: their Proposition 1.4

    def lets(self, spent: Spent) -> bool:
        """Whether so much in all stays below the cap."""
        return self.none or (spent.amount <= self.amount and spent.delta <= self._room)

    @property
    def none(self) -> bool:
        """Whether there is no cap: what is booked is added up, and nothing is refused."""
        return self == UNCAPPED

    @property
    def promise(self) -> tuple[Fraction, Fraction]:
        """The (ε, δ) that all of it is together; of ρ by Canonne, Kamath & Steinke 2020, rounded
        up."""
        if self.measure == EPSILON:
            return self.amount, self.delta
        found = ZCDPTight().of_rho(np.array(float(self.amount)), np.array(float(self.delta)))
        return rounded_up(max(0.0, float(found)), 5), self.delta + self.apart

    @property
    def _room(self) -> Fraction:
        """What Σδ may come to; the δ of a cap of ρ is spent on none."""
        return self.apart if self.measure == RHO else self.delta

    def raises(self, other: Cap) -> bool:
        """Whether this one lets through all that the other does, and more."""
        more = self.amount >= other.amount and self.delta >= other.delta
        more = more and self.apart >= other.apart and not other.none
        return self.measure == other.measure and more and self != other

    def left(self, spent: Spent) -> Spent:
        """What may still be spent."""
        return Spent(self.amount - spent.amount, self._room - spent.delta)

    def to_json(self) -> dict[str, str] | None:
        """What it counts, and how much, as p/q; None where it lets all through."""
        if self.none:
            return None
        held = {"measure": self.measure, "amount": str(self.amount), "delta": str(self.delta)}
        return held | ({"apart": str(self.apart)} if self.apart else {})


_NO_EPSILON = N_(
    "This ledger counts ε and δ, and of this release only ρ = {rho} is known. Say an ε and a δ "
    "that follow from it."
)
_NO_RHO = N_(
    "This ledger counts ρ and has no room for the δ of others, and of this release only ε = "
    "{epsilon} with δ = {delta} is known. Raise its cap by such room (apart=1e-6), or book it in a "
    "ledger of ε and δ."
)


# In ε and δ, and above all that can be asked: of it nothing is worked out.
UNCAPPED = Cap(EPSILON, _HUGE)


def cap_from(held: dict[str, Any] | None) -> Cap:
    """The cap that `to_json` wrote."""
    if held is None:
        return UNCAPPED
    most, delta, apart = (Fraction(held.get(n, 0)) for n in ("amount", "delta", "apart"))
    return Cap(held["measure"], most, delta, apart)


def told(spent: Spent, measure: str, way: str = "up") -> Message:
    """An amount in words, where it is long rounded `up`, or `down` where that is what is left: all
    of its digits stand in the ledger and in JSON."""
    values: dict[str, Num | str] = {"e": in_short(spent.amount, way)}
    text = N_("ε = {e}") if measure == EPSILON else N_("ρ = {e}")
    if spent.delta:
        values["d"] = in_short(spent.delta, way)
        text = N_("ε = {e} with δ = {d}") if measure == EPSILON else N_("ρ = {e} with δ = {d}")
    return Message(text, values)


def added(each: Iterable[Spent]) -> Spent:
    """The sum, exactly."""
    return sum(each, NOTHING)


def promised(cap: Cap) -> Message:
    """A cap in words; of ρ also the ε that it is at its δ."""
    if cap.none:
        return say("none")
    if cap.measure == EPSILON:
        if not cap.delta:
            return say("ε = {e}", e=read_off(cap.amount))
        return say("ε = {e} with δ = {d}", e=read_off(cap.amount), d=read_off(cap.delta))
    text = N_("ρ = {rho}, which is ε = {epsilon} with δ = {delta}")
    epsilon, delta = cap.promise
    if cap.apart:
        text = N_(
            "ρ = {rho} with δ = {apart} for what has a δ of its own, which is ε = {epsilon} with δ "
            "= {delta} in all"
        )
    values = {"rho": read_off(cap.amount), "apart": read_off(cap.apart)}
    return Message(text, {**values, "epsilon": written(epsilon), "delta": read_off(delta)})
