"""What an attacker is: one way to learn from answers what they should not tell. An attacker is a
folder of a lab's `attackers` and one name in its catalogue: a model, which gives numbers alone, and
charts and words, which draw and say them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.local_curves import ladder
from dpstudio.privacy.attacks.guessing import Guesses
from dpstudio.privacy.mechanisms.additive import Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.neighbours.attacker import share_right
from dpstudio.privacy.queries import ADD_REMOVE, Query
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.values.messages import Message
from dpstudio.values.parameters import Parameters
from dpstudio.values.problem import Problem

POINTS, FEW = 25, 5


@dataclass(frozen=True)
class Replays:
    """How closely an attack is looked at: so many `trials` from a seed, the confidence of an
    interval, and whether exact answers may be seen."""

    effort: Effort
    trials: int = 4_000
    confidence: float = 0.95
    seed: int = 1
    show_truth: bool = True

    def generator(self, stream: int) -> np.random.Generator:
        """Chance for looking at, a stream for each use."""
        return np.random.Generator(np.random.SFC64([self.seed, 18, stream]))

    def draws(self) -> int:
        """How many trials are made at each ε."""
        return self.effort.of_draws(self.trials, 200)


@dataclass(frozen=True)
class AttackedQuestion:
    """What is attacked: a question through the mechanism in force, and which tables are
    neighbours."""

    query: Query = Count()
    mechanism: Additive = Laplace(epsilon=1.0)
    adjacency: str = ADD_REMOVE


@dataclass(frozen=True, eq=False)
class Success:
    """The share of right guesses between two things that are as likely, against ε: what ε and δ
    `promise` at most, what no attacker can beat given the very laws that were seen (`best`, None
    where that is not known), what this attacker has by the exact law (None where it is not known),
    and what was `measured`, None where it is not drawn; shape (ε,) each."""

    epsilons: Array
    promised: Array
    best: Array | None
    exact: Array | None
    measured: Guesses | None


class Attacker(Parameters):
    """Base of every attacker. `source` names who described it; `asks` says that it attacks the
    question of the lab, `noisy` that noise and ε are in its way, `draws` that there is chance in
    it, `measures` that shares are measured with an interval, `tries` as often as one says; one that
    is `exact` has nothing to show where exact answers are hidden."""

    what: ClassVar[Message]
    source = ""
    asks: ClassVar[bool] = False
    noisy: ClassVar[bool] = True
    exact: ClassVar[bool] = False
    draws: ClassVar[bool] = True
    measures: ClassVar[bool] = True
    tries: ClassVar[bool] = False

    @property
    def spends(self) -> bool:
        """Whether ε is in it."""
        return self.noisy

    @property
    def own_noise(self) -> bool:
        """Whether its noise is of its own, and not that of the mechanism."""
        return False

    def problems(
        self, asked: AttackedQuestion, question: MeasuredQuestion | None
    ) -> Iterator[Problem]:
        """What stops this attacker; `question` is there where the attacker `asks` one."""
        yield from ()

    def halts(self, data: Dataset) -> Iterator[Problem]:
        """What stops this attacker on a table."""
        yield from ()

    def beside_it(self, data: Dataset, second: Dataset) -> Message | bool:
        """Whether this attacker reads the table beside the first, or why it cannot."""
        return False

    def stages(self, asked: AttackedQuestion, looked: Replays, context: Context) -> Iterator[Any]:
        """Models of the attack, the first quickly; each is a frozen value of its own."""
        raise NotImplementedError

    @classmethod
    def beside(cls, what: str) -> Any:
        """What draws ("charts") or says ("words") this attack: the file beside its own, imported
        when it is asked for."""
        return import_module(f"{cls.__module__.rpartition('.')[0]}.{what}")

    def suited(self, data: Dataset) -> Attacker:
        """This attacker, or the nearest one that can attack this table."""
        return self


def budgets(effort: Effort) -> Array:
    """The values of ε at which an attack is tried."""
    return ladder(effort.of_points(POINTS, FEW))


def promised(mechanism: Additive, epsilons: Array) -> Array:
    """The most right guesses that ε, and δ of the mechanism, allow; shape of `epsilons`."""
    return array([share_right(e, mechanism.total_delta) for e in epsilons.tolist()])


def right_at_best(mechanism: Additive, advantage: float) -> float:
    """How often the best attacker is right: by the advantage of the law, which is rounded up where
    many losses add up, and no more often than a pure promise allows."""
    found = (1 + advantage) / 2
    return min(found, share_right(mechanism.epsilon, 0.0)) if mechanism.pure else found


def of_100(share: float) -> float:
    """Of 100 guesses."""
    return 100 * share


def give_or_take(told: Guesses) -> float:
    """How far one measured share may be off on either side by its interval, of 100 guesses."""
    return 100 * float(np.max(np.maximum(told.high - told.share, told.share - told.low)))
