"""One count by whom its people trust: its error against their number, and what they send."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.owners.model import OwnersModel
from dpstudio.labs.nobody.owners.parameters import Trusting
from dpstudio.privacy.owners import shuffled, trust
from dpstudio.values.passing import Passing

PEOPLE = (10, 1_000_000)
KEY = 2048
# The ways in order, from who trusts most; `proved` is the shuffler’s theorem for any protocol.
WAYS = ("central", "gamma", "laplace", "gaussian", "shuffled", "proved", "local")


@dataclass(frozen=True, eq=False)
class Curves:
    """The standard deviation of a count of n people, shape of `people`, by way; NaN where a theorem
    does not hold. `budgets`: ε₀ of a shuffled report, by coins and by the theorem."""

    people: Array
    errors: dict[str, Array]
    budgets: dict[str, Array]


def asked_of(model: OwnersModel) -> Trusting:
    """What is counted. KeyError where shares are looked at."""
    if model.trusting is None:
        raise KeyError("nothing is counted")
    return model.trusting


def error(way: str, asked: Trusting, n: int) -> float:
    """The standard deviation of a count of n people this way at the chosen (ε, δ)."""
    if way == "central":
        return trust.central(asked.epsilon)
    if way == "local":
        return trust.local(asked.epsilon, n)
    if way in ("shuffled", "proved"):
        return _shuffled(asked, budget(way, asked, n), n)
    return trust.in_parts(way, asked.epsilon, n, trust.colluders(asked.colluding, n))


def budget(way: str, asked: Trusting, n: int) -> float:
    """ε₀ of each shuffled report: by Warner’s coins, or `proved` for any protocol; NaN where the
    theorem does not hold."""
    solve = shuffled.clones_budget if way == "proved" else shuffled.coins_budget
    return solve(asked.epsilon, asked.delta, n)


@once
def curves(model: OwnersModel) -> Curves:
    """All ways against the number of people."""
    asked = asked_of(model)
    points = model.effort.of_points(25, 6)
    people = np.unique(np.geomspace(*PEOPLE, points).round().astype(int))
    counts = [int(n) for n in people]

    def solved() -> dict[str, Array]:
        proved = [budget("proved", asked, n) for n in counts]
        coins = shuffled.coins_budgets(asked.epsilon, asked.delta, counts)
        return {"shuffled": array(coins), "proved": array(proved)}

    # Neither depends on who colludes, nor on how many people are looked at.
    question = "owners budgets", asked.epsilon, asked.delta, points
    budgets = OF_NO_TABLE.remember(question, solved)
    errors = {
        way: array([error(way, asked, n) for n in counts]) for way in WAYS if way not in budgets
    }
    for way, found in budgets.items():
        errors[way] = array([_shuffled(asked, e, n) for e, n in zip(found, counts, strict=True)])
    return Curves(array(people), errors, budgets)


def _shuffled(asked: Trusting, epsilon0: float, n: int) -> float:
    """The error of reports of ε₀; NaN where no more than ε is proved of them."""
    return trust.local(epsilon0, n) if epsilon0 >= asked.epsilon else math.nan


@once
def at_hand(model: OwnersModel) -> dict[str, float]:
    """The error of each way for the chosen number of people."""
    asked = asked_of(model)
    return {way: error(way, asked, asked.people) for way in WAYS}


def times(model: OwnersModel) -> float:
    """How many times as large the error is where nobody is trusted as where one holder is."""
    errors = at_hand(model)
    return errors["local"] / errors["central"]


@once
def epsilon0(model: OwnersModel) -> tuple[float, float]:
    """ε₀ of a shuffled report by coins, and by the theorem (NaN where it does not hold)."""
    asked = asked_of(model)
    return budget("shuffled", asked, asked.people), budget("proved", asked, asked.people)


@once
def proved_from(model: OwnersModel) -> int:
    """From how many people on the theorem holds for any ε₀ > 0: more than 16·ln(4/δ)."""
    return math.floor(16 * math.log(4 / asked_of(model).delta)) + 1


def ends_at(model: OwnersModel) -> float:
    """The largest ε₀ for which the theorem is proved for the chosen number of people."""
    asked = asked_of(model)
    return shuffled.clones_most(asked.delta, asked.people)


def colluders(model: OwnersModel) -> int:
    """How many of the people collude."""
    asked = asked_of(model)
    return trust.colluders(asked.colluding, asked.people)


def enough(model: OwnersModel, way: str) -> Passing:
    """From how many people on, of up to a million, the error is at most the wanted share of them.
    The error over n falls in n."""
    asked = asked_of(model)

    def good(n: int) -> bool:
        return error(way, asked, n) <= asked.below * n

    least = 1 + bisect_left(range(1, PEOPLE[1] + 1), True, key=good)
    return Passing(least - 1 or None, least if least <= PEOPLE[1] else None)


def sends(model: OwnersModel, way: str) -> tuple[int, int]:
    """(messages, bits of them all) for the chosen number of people; keys of 2,048 bits."""
    n = asked_of(model).people
    return trust.messages(way, n), trust.bits(way, n, KEY)
