"""Selection: which candidate a private choice names, how often, and what that costs."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dpstudio.data.conditions import parse
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.one_answer.selection import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.choosing import SELECTIONS, Exponential
from dpstudio.privacy.mechanisms.selection import Selection as Mechanism
from dpstudio.privacy.queries import CHOICES
from dpstudio.privacy.queries.candidates import Choosing
from dpstudio.privacy.queries.mode import MostCommon
from dpstudio.values.fields import flag
from dpstudio.values.lists import parts
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import Edges, OneOf, ParamError, Real, param


@dataclass(frozen=True)
class Budgets(Edges):
    """A few increasing ε, from 0 (all candidates alike) to the most that a slider holds."""

    def check(self, value: Any) -> tuple[float, ...]:
        if isinstance(value, str):
            value = parts(value)
        wanted = say("Write 1 to 12 increasing values of ε, such as 0.01, 0.1, 1.")
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= 12:
            raise ParamError("", wanted)
        inner = Real("", low=0.0, high=EPSILON.high)
        numbers = tuple(inner.check(part) for part in value)
        if any(b <= a for a, b in pairwise(numbers)):
            raise ParamError("", wanted)
        return numbers

    def describe(self) -> Message:
        return say(
            "1 to 12 increasing numbers from 0 to {high}, separated by commas",
            high=f"{EPSILON.high:g}",
        )

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "", [], "2, 1", "a, b", [1, 1], [-1, 1], [1, 2 * EPSILON.high])


# What the census asks for, so that the choice is private.
_STATES = (
    "Married-civ-spouse",
    "Never-married",
    "Divorced",
    "Separated",
    "Widowed",
    "Married-spouse-absent",
    "Married-AF-spouse",
)


class Selection(Lab, about=ABOUT):
    """One choice among candidates by a noisy score: exact probabilities, simulated winners, the
    loss, and the trade.

    All of it follows from the exact scores. Where the exact answer is hidden only one simulated
    winner is shown, and what holds whatever the scores are; typed scores come from no table, so
    there is nothing to hide.
    """

    query: Choosing = param(
        MostCommon(
            where=parse("age > 75"), column="marital-status", categories=_STATES, attested=True
        ),
        OneOf(N_("Question"), family=lambda: CHOICES),
    )
    mechanism: Mechanism = param(
        Exponential(epsilon=0.03), OneOf(N_("Mechanism"), family=lambda: SELECTIONS)
    )
    adjacency: str = shared.adjacency()
    monotone: bool = flag(
        True,
        N_("Use ε/Δ where proved"),
        N_(
            "Half the noise is enough where one person moves all scores in the same direction, "
            "as counts."
        ),
    )
    at: tuple[float, ...] = param(
        (0.01, 0.03, 0.1, 1.0),
        Budgets(N_("ε in the table"), N_("The table has a column for each of these.")),
    )
    confidence: float = shared.confidence(N_("The share of winners that a bound keeps."))
    trials: int = shared.trials(
        10_000, N_("How many simulated winners the whiskers stand for."), low=1_000, high=1_000_000
    )
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth()
