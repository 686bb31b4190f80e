"""The attacker who solves a published table of seven people, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dpstudio.charts.figure import Array, array
from dpstudio.labs.attacks.attackers.attacker import AttackedQuestion, Attacker, Replays
from dpstudio.labs.context import Context
from dpstudio.privacy.attacks.block import BLOCK, OLDEST, Left, Line, Person, solved
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, say

STEPS = 5
# Who lives in the block, in the order in which the attack finds them.
PLACES = (
    (("F", "B"), N_("black woman 1")),
    (("F", "B"), N_("black woman 2")),
    (("F", "B"), N_("black woman 3")),
    (("F", "W"), N_("white woman")),
    (("M", "B"), N_("black man")),
    (("M", "W"), N_("white man 1")),
    (("M", "W"), N_("white man 2")),
)


class Census(Attacker):
    """Seven people from seven lines."""

    key = "census"
    label = N_("Census block")
    what = say(
        "Seven published lines on seven people, each with a count, a median and a mean age; groups "
        "below 3 are suppressed. Each step uses further lines."
    )
    source = "Garfinkel, Abowd & Martindale 2018"
    noisy = False
    draws = False
    measures = False

    step: int = integer(
        STEPS, N_("Step shown"), N_("How far the attack has come."), low=1, high=STEPS, look=True
    )

    def stages(
        self, asked: AttackedQuestion, looked: Replays, context: Context
    ) -> Iterator[CensusModel]:
        yield CensusModel(self, steps())


@lru_cache(maxsize=1)
def steps() -> tuple[Left, ...]:
    """The whole attack; it belongs to no table."""
    return tuple(solved())


@dataclass(frozen=True, eq=False)
class CensusModel:
    """One state of the attack: all its steps."""

    attacker: Census
    steps: tuple[Left, ...]


def left(model: CensusModel) -> Left:
    """What is possible at the step that is looked at."""
    return model.steps[model.attacker.step - 1]


def possible(model: CensusModel) -> tuple[int, ...]:
    """How many tables of people are possible after each step."""
    return tuple(len(step.possible) for step in model.steps)


def possible_now(model: CensusModel) -> int:
    """How many are after the step that is looked at."""
    return len(left(model).possible)


def finished(model: CensusModel) -> bool:
    """Whether everything is known."""
    return model.attacker.step == len(model.steps)


def lines_used(model: CensusModel) -> int:
    """Of how many lines that makes use."""
    return len(left(model).lines)


def ages(model: CensusModel) -> tuple[Array, ...]:
    """The ages that each of the `PLACES` may have, ascending; none where nothing is known yet."""
    found: list[set[int]] = [set() for _ in PLACES]
    for people in left(model).possible:
        for place, person in enumerate(placed(people)):
            if person is not None:
                found[place].add(person[0])
    return tuple(array(sorted(each)) for each in found)


def placed(people: tuple[Person, ...]) -> tuple[Person | None, ...]:
    """People at their places, the younger first; None where somebody is not known yet."""
    rest = sorted(people)
    made: list[Person | None] = []
    for (sex, race), _ in PLACES:
        one = next((p for p in rest if p[1] == sex and p[2] == race), None)
        made.append(one)
        if one is not None:
            rest.remove(one)
    return tuple(made)


def table() -> tuple[Line, ...]:
    """The published table."""
    return BLOCK


def oldest() -> int:
    """The largest age that anybody may have."""
    return OLDEST
