"""The rules of a console: what it lets through, what it answers from, and what it makes of an
answer."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.statements import AVERAGE, COUNT, LARGEST
from dpstudio.labs.attacks.attackers.attacker import AttackedQuestion
from dpstudio.privacy.attacks.console import Anything, Overlap, Policy, RankAudit, SetSize
from dpstudio.privacy.attacks.database import AggregateQuestion as Question
from dpstudio.privacy.attacks.database import Said
from dpstudio.privacy.mechanisms.additive import Additive, Sensitivity
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.queries.total import sum_sensitivity
from dpstudio.values.messages import N_

POLICIES = {
    "none": N_("none"),
    "size": N_("set size"),
    "overlap": N_("overlap"),
    "audit": N_("audit by rank"),
    "rounding": N_("rounding"),
    "recoding": N_("ranges"),
    "suppression": N_("suppression"),
    "output": N_("output noise"),
    "data": N_("data noise"),
}
# Of each rule a name that has room below its bars.
SHORT = (
    N_("none"),
    N_("size"),
    N_("overlap"),
    N_("audit"),
    N_("rounding"),
    N_("ranges"),
    N_("suppress"),
    N_("output"),
    N_("data"),
)
Ends = tuple[float, float]


class Ruled(Protocol):
    """An attacker at a console with a rule."""

    @property
    def policy(self) -> str:
        """Its key."""

    @property
    def least(self) -> int:
        """The fewest that a set has."""

    @property
    def shared(self) -> int:
        """The most that two sets share."""

    @property
    def base(self) -> float:
        """What is rounded to."""


def rule(ruled: Ruled) -> Policy:
    """What is answered at all."""
    rules: dict[str, Policy] = {
        "size": SetSize(ruled.least),
        "overlap": Overlap(ruled.least, ruled.shared),
        "audit": RankAudit(),
    }
    return rules.get(ruled.policy, Anything())


def held_by(
    ruled: Ruled, values: Array, ends: Ends, mechanism: Additive, rng: np.random.Generator
) -> Array:
    """The numbers as the console holds them: in ranges, with those that fewer than k rows have
    replaced by one that nobody has, or with noise on each."""
    if ruled.policy == "recoding":
        return np.asarray(np.floor(values / ruled.base) * ruled.base + ruled.base / 2)
    if ruled.policy == "suppression":
        _, of, many = np.unique(values, return_inverse=True, return_counts=True)
        return np.where(many[of] < ruled.least, unseen(values), values)
    if ruled.policy == "data":
        law = LaplaceLaw((ends[1] - ends[0]) / mechanism.epsilon)
        return np.asarray(values + law.sample(rng, len(values)))
    return values


def unseen(values: Array) -> float:
    """A whole number that nobody has: the one below all."""
    return float(np.ceil(values.min()) - 1)


def answering(
    ruled: Ruled,
    questions: Sequence[Question],
    ends: Ends,
    asked: AttackedQuestion,
    rng: np.random.Generator,
) -> Said:
    """What leaves of each answer: rounded, or with the noise in force, for which all questions
    share ε in equal parts; of a maximum then nothing, for one row may move it by the whole
    range."""
    if ruled.policy == "rounding":
        return lambda place, answer: float(np.round(answer / ruled.base) * ruled.base)
    if ruled.policy != "output":
        return lambda place, answer: answer
    mechanism = asked.mechanism.share(1 / len(questions))
    one = Sensitivity(1.0, 1.0, 1.0)
    total = sum_sensitivity(*ends, asked.adjacency)

    def noisy(place: int, answer: float) -> float | None:
        what, many = questions[place].what, int(np.count_nonzero(questions[place].who))
        if what == LARGEST:
            return None
        if what == COUNT:
            return answer + float(mechanism.law(one).sample(rng, 1)[0])
        if what == AVERAGE:  # a noisy sum and a noisy count, half of its part each
            half = mechanism.share(0.5)
            rows = max(1.0, many + float(half.law(one).sample(rng, 1)[0]))
            summed = answer * many + float(half.law(total).sample(rng, 1)[0])
            return min(ends[1], max(ends[0], summed / rows))
        return answer + float(mechanism.law(total).sample(rng, 1)[0])

    return noisy
