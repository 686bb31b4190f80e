"""What the formula that texts print for composition says of these releases, and up to where it is
proved, and true."""

import numpy as np

from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.many_answers.composition.model import CompositionModel, tightest
from dpstudio.labs.memo import once
from dpstudio.labs.series_model import total_epsilon, total_here, why_not
from dpstudio.privacy.accounting import (
    Ledger,
    Optimal,
    Shortcut,
    Spend,
    Zones,
    pays_from,
    shortcut_zones,
)

CODED_DELTA = 1e-4  # of the article's plot, as its code has it


@once
def zones(model: CompositionModel) -> Zones | None:
    """Up to which k the printed shortcut is proved, and true; None where it is not chosen, or says
    nothing about these releases or at this δ′."""
    chosen = "shortcut" in model.lab.bounds
    if not chosen or why_not(model, Shortcut()) is not None or model.ledger.groups:
        return None
    if model.lab.delta_prime == 0:
        return None
    # What does not refuse is pure and of one ε, also in a list.
    return _zones(model.ledger.spends[0].epsilon, model.lab.delta_prime)


@once
def with_delta(model: CompositionModel) -> tuple[float, float, Zones] | None:
    """What is printed of equal answers of (ε, δ): the ε′ and the δ of k answers together, and where
    it is proved, which is where it is with δ = 0: but for δ, such an answer is one of ε alone. None
    where that is not asked."""
    spends, delta = model.ledger.spends, model.lab.delta_prime
    if not model.equal or model.ledger.groups or model.ledger.rows > 1 or not 0 < delta < 1:
        return None
    first, total = spends[0], model.answers * spends[0].delta + delta
    if first.pure or first.epsilon == 0 or not first.kept or total >= 1:
        return None
    bare, k = Spend(first.epsilon), np.array([float(model.answers)])
    return float(Shortcut().curve(bare, k, delta)[0]), total, _zones(first.epsilon, delta)


def crossing(model: CompositionModel) -> tuple[int, int]:
    """From how many answers on the formula is below adding up: at this δ′, and at that of the
    article's code, which says “about 70”."""
    return pays_from(model.lab.delta_prime), pays_from(CODED_DELTA)


def _zones(epsilon: float, delta: float) -> Zones:
    key = ("composition zones", epsilon, delta)
    return OF_NO_TABLE.remember(key, lambda: shortcut_zones(epsilon, delta))


def zone(model: CompositionModel) -> str:
    """Where the printed shortcut stands at this k: "proved", "true" or "false"; "" where there are
    no zones."""
    found = zones(model)
    if found is None:
        return ""
    if model.answers <= found.proved:
        return "proved"
    return "true" if model.answers <= found.true else "false"


def stand(model: CompositionModel) -> str:
    """The zone, but "noise" where the formula is false of releases with this ε, and these cost less
    by a bound that knows their noise."""
    own = zone(model) == "false" and tightest(model).epsilon <= claimed(model)
    return "noise" if own else zone(model)


def claimed(model: CompositionModel) -> float:
    """The total ε that the shortcut prints for these answers."""
    return total_here(model, Shortcut())


def optimum(model: CompositionModel) -> float:
    """The total ε that answers can really cost when only their ε is known."""
    bare = tuple(Spend(spend.epsilon, count=spend.count) for spend in model.ledger.spends)
    return total_epsilon(model, Optimal(), Ledger(bare, model.lab.adjacency), model.delta)
