"""The attacker who knows a few ratings of somebody and looks for them in a table without names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dpstudio.charts.figure import Array, array
from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.labs.attacks.attackers.attacker import AttackedQuestion, Attacker, Replays
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.privacy.attacks.guessing import Guesses, measured
from dpstudio.privacy.attacks.linked import eccentricity, scoreboard
from dpstudio.privacy.attacks.ratings import joined, known_of, linked, near, rated
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_, say

KNOWN = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16)
PEOPLE, FILMS, TRIED, FEW = 1000, 400, 200, 20


class Linkage(Attacker):
    """A person in a table without names, by a few ratings."""

    key = "linkage"
    label = N_("Ratings")
    what = say(
        "1,000 invented people rated some of 400 films; names are gone. Who knows a few ratings of "
        "somebody, each off by one star at most, scores every row, rare films most."
    )
    source = "Narayanan & Shmatikov 2008; Sweeney 2002"
    noisy = False

    known: int = integer(6, N_("Ratings known"), N_("Of one person."), low=1, high=KNOWN[-1])
    sure: float = real(
        1.5,
        N_("Sure above"),
        N_("How far the best row must be above the second, in standard deviations."),
        low=0.0,
        high=10.0,
    )

    def stages(
        self, asked: AttackedQuestion, looked: Replays, context: Context
    ) -> Iterator[LinkageModel]:
        yield LinkageModel(self, looked)


@dataclass(frozen=True, eq=False)
class LinkageModel:
    """One state of the attack; its people are invented."""

    attacker: Linkage
    looked: Replays


@once
def table(model: LinkageModel) -> Array:
    """The ratings without names, (people, films)."""
    return array(rated(model.looked.generator(70), PEOPLE, FILMS))


def tried(model: LinkageModel) -> int:
    """How many people are looked for."""
    return model.looked.effort.of_draws(TRIED, FEW)


def _known(model: LinkageModel, person: int, many: int) -> Array:
    return known_of(model.looked.generator(1000 + person), table(model)[person], many)


def _found(model: LinkageModel, many: int) -> tuple[int, int, int]:
    """Of those who are looked for, how many are found rightly by the scoreboard, how many wrongly,
    and how many by a join on exactly what is known."""
    right = wrong = exact = 0
    for person in range(tried(model)):
        known = _known(model, person, many)
        guess = linked(table(model), known, model.attacker.sure)
        right += guess == person
        wrong += guess is not None and guess != person
        exact += joined(table(model), known) == person
    return right, wrong, exact


@dataclass(frozen=True, eq=False)
class LinkedShares:
    """Shares of people found against how much is known; `wrong` is None where nobody knows who is
    right."""

    right: Guesses
    wrong: Guesses | None
    joined: Guesses


@once
def found(model: LinkageModel) -> LinkedShares:
    """By the scoreboard, rightly and wrongly, and by a join; remembered."""
    looked, sure = model.looked, model.attacker.sure

    def made() -> LinkedShares:
        counts = array([_found(model, many) for many in KNOWN]).T
        each = [measured(row, tried(model), looked.confidence) for row in counts]
        return LinkedShares(*each)

    key = ("linkage", sure, looked.seed, tried(model), looked.confidence)
    return OF_NO_TABLE.remember(key, made)


@once
def here(model: LinkageModel) -> tuple[float, float, float]:
    """The shares found with as many ratings as are known: rightly, wrongly, and by a join."""
    right, wrong, exact = _found(model, model.attacker.known)
    many = tried(model)
    return right / many, wrong / many, exact / many


@once
def scores(model: LinkageModel) -> Array:
    """How well each row fits what is known of the first person, the best first."""
    given = scoreboard(_known(model, 0, model.attacker.known), table(model), near())
    return array(sorted(given.tolist(), reverse=True))


def clear(model: LinkageModel) -> float:
    """How far the best of them is above the second, in standard deviations."""
    return eccentricity(scores(model))
