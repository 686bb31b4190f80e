"""What the composition lab's numeric bound proves of these releases, whether it is still to come,
and which bounds end before so many answers."""

import math
from dataclasses import dataclass

from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.many_answers.composition.model import CompositionModel, bound_of, bounds
from dpstudio.labs.memo import once
from dpstudio.labs.series_model import why_not
from dpstudio.privacy.accounting import Accountant, Ledger, Numeric


@dataclass(frozen=True)
class Certified:
    """Between which values the total ε lies, and how finely the losses were cut (0: not at all).
    Only where every loss is `attained` the lower value says something of these very releases."""

    low: float
    high: float
    step: float
    attained: bool


def certified(model: CompositionModel) -> Certified | None:
    """What the numeric bound proves; None where it is not there, or finds no end."""
    if not any(a.numeric for a in bounds(model)):
        return None
    ledger, delta, numeric = model.ledger, model.delta, Numeric()
    # Nobody with several rows moves each of several parts by all of them.
    shared = bool(ledger.groups) and model.data.contributions > 1

    def found() -> Certified | None:
        low, high = numeric.bracket(ledger, delta)
        if not math.isfinite(high):
            return None
        attained = numeric.attained(ledger) and not shared
        return Certified(low, high, numeric.step(ledger, delta), attained)

    return OF_NO_TABLE.remember(("composition certified", ledger, delta, shared), found)


@once
def ended(model: CompositionModel) -> tuple[Accountant, ...]:
    """The chosen bounds that would apply to fewer such answers, but are not worked out for so
    many."""
    if not model.equal:
        return ()
    made = (bound_of(model, key) for key in model.lab.bounds)
    one = Ledger((model.spend,), model.lab.adjacency)
    return tuple(a for a in made if model.answers > a.most and a.refuse(one) is None)


def awaited(model: CompositionModel) -> bool:
    """Whether a chosen bound that takes a while is still to come."""
    waits = (bound_of(model, key) for key in model.lab.bounds)
    return not model.fine and any(a.slow(model.ledger) and why_not(model, a) is None for a in waits)
