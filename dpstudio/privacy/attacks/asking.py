"""One person's number by sums over others: an attacker who asks a database with rules for the
person, then by a tracker, then for random sets, and solves what was answered."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.console import Mask, Overlap, Policy, told

Answering = Callable[[float, Mask], float]
_SURE = 1e-6  # how much the attacker trusts his first guess beside an answer


@dataclass(frozen=True, eq=False)
class Entry:
    """One line of the log: who was asked about, (people,), how (“alone”, “tracker” or “random”),
    the exact sum, and what was answered, None where it was denied."""

    who: Mask
    how: str
    exact: float
    answer: float | None


@dataclass(frozen=True, eq=False)
class Siege:
    """What the attacker asked, and what he then takes the person's number to be. `told`: it follows
    from the answers, were they exact."""

    log: tuple[Entry, ...]
    estimate: float
    told: bool

    @property
    def denied(self) -> int:
        """How many questions were not answered."""
        return sum(entry.answer is None for entry in self.log)


def besieged(
    values: Array,
    target: int,
    policy: Policy,
    answering: Answering,
    rng: np.random.Generator,
    tries: int,
) -> Siege:
    """Ask a database of `values`, (people,), for that of `target`: alone, by a general tracker, and
    then for up to `tries` random sets, until it follows. `answering` makes what is answered of the
    exact sum over who is asked about.

    The estimate is the one nearest to the mean of all, which is known, among those that fit the
    answers best.
    """
    people = len(values)
    alone = np.arange(people) == target
    tracker = rng.permutation(people) < people // 2
    tracker[target] = False
    plan = [(alone, "alone")]
    size = people // 4
    if isinstance(policy, Overlap):  # large sets would stand in the way of all others
        size = policy.k
    else:
        four = (alone | tracker, alone | ~tracker, tracker, ~tracker)
        plan += [(each, "tracker") for each in four]
    plan += [(rng.permutation(people) < size, "random") for _ in range(tries)]
    log: list[Entry] = []
    asked = np.zeros((0, people), dtype=np.bool_)
    answers: list[float] = []
    for who, how in plan:
        if len(asked) and (asked == who).all(axis=1).any():
            continue
        exact, answer = float(values[who].sum()), None
        if policy.answers(who, asked):
            answer = answering(exact, who)
            asked, answers = np.vstack((asked, who)), [*answers, answer]
        log.append(Entry(who, how, exact, answer))
        if answer is not None and target in told(asked):
            return Siege(tuple(log), _solved(asked, answers, values.mean(), target), True)
    return Siege(tuple(log), _solved(asked, answers, values.mean(), target), False)


def _solved(asked: Mask, answers: list[float], guess: float, target: int) -> float:
    people = asked.shape[1]
    sets = np.vstack((asked.astype(np.float64), _SURE * np.eye(people)))
    given = np.concatenate((answers, np.full(people, _SURE * guess)))
    return float(np.linalg.lstsq(sets, given, rcond=None)[0][target])
