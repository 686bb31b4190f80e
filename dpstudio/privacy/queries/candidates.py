"""What a question is whose answer is one of several candidates: their exact scores, and how far one
person moves these."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.queries.query import WHERE, condition_problems
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import Column, Parameters, domains, param
from dpstudio.values.problem import Problem

_ANSWER = say("answer")


@dataclass(frozen=True, eq=False)
class Candidates:
    """What may be chosen and how well each would do.

    `labels` names the candidates and `values` are their numbers, ascending, where they have any.
    `unit` is what a score counts, `counted` the message of {n} of them, `what` what is chosen
    among. `why` says why the sensitivity is what it is. `openness` says which choices come from the
    data; `notes` also says what holds exact counts. `typed` scores come from no table, so there is
    nothing exact to hide. Where `metric`, what counts about a choice is how far its number is from
    the best one, not only how far its score falls short; `named` is what the best one is then
    called after "exact".
    """

    labels: tuple[str, ...]
    values: Array | None
    scores: Scores
    unit: Message
    counted: str
    what: Message
    why: Message
    notes: tuple[Message, ...] = ()
    openness: tuple[Message, ...] = ()
    typed: bool = False
    metric: bool = False
    named: Message = _ANSWER

    def units(self, n: Num) -> Message:
        """A score, or by how much one falls short, with its unit."""
        return say(self.counted, n=n)

    @property
    def best(self) -> int:
        """The candidate with the highest score, the first of several."""
        return int(np.argmax(self.scores.values))

    @property
    def errors(self) -> Array:
        """What is wrong with each: how far its number is from the nearest best one where `metric`,
        else how far its score falls short. Shape (n,), ≥ 0."""
        if self.values is None or not self.metric:
            return self.scores.loss
        best = self.values[self.scores.loss == 0]
        return np.asarray(np.min(np.abs(self.values[:, None] - best), axis=1))


class Choosing(Parameters):
    """Base of every question that is answered by a selection mechanism."""

    def ask(self, data: Dataset, adjacency: str) -> Candidates:
        """The candidates with their exact scores and how far one person moves these; raises
        ParamError when the table cannot answer.

        Each row of a person moves each score by up to Δ, and the right way where scores are
        monotone.
        """
        asked, most = self.measure_rows(data, adjacency), data.contributions
        if asked.typed or most == 1:
            return asked
        scores = replace(asked.scores, sensitivity=most * asked.scores.sensitivity)
        text = N_(
            "With one row each: {why} With up to {m} {m:row|rows} each it is {m} times as much: Δ "
            "= {delta}."
        )
        return replace(
            asked,
            scores=scores,
            why=say(text, why=asked.why, m=most, delta=Num(scores.sensitivity, 4, "up")),
        )

    def measure_rows(self, data: Dataset, adjacency: str) -> Candidates:
        """The same where each row is a person: `ask` makes of it what up to m rows of a person
        do."""
        raise NotImplementedError

    def settled(self, data: Dataset) -> Self:
        """The same with the candidates that it would take from the data written down, so that
        another table is asked the same."""
        raise NotImplementedError

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        """Why this table cannot answer, at the field that is to change."""
        yield from ()


class ColumnChoosing(Choosing):
    """A question about one `column` over the rows that meet a condition."""

    where: Where = param(Where(), WHERE)

    @classmethod
    def of_numbers(cls) -> bool:
        """Whether its column must be one of numbers."""
        domain = domains(cls)["column"]
        return isinstance(domain, Column) and domain.numeric

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        yield from condition_problems(self.where, data)
