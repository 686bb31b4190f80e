"""The differencing attack, told of an invented newspaper and of one row of the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.labs.texts.story.stories.story import Desk
from dpstudio.labs.texts.story.stories.subtraction import Subtraction, Told, spelled
from dpstudio.privacy.queries.query import HIGH, LOW, number_problem, range_problem
from dpstudio.privacy.queries.total import Sum
from dpstudio.values.messages import N_, Num, Say, plain, say
from dpstudio.values.params import Column, Integer, ParamError, Real, param
from dpstudio.values.problem import Problem

_MONEY = 1e9


@dataclass(frozen=True)
class Newspaper(Subtraction):
    """100 people earn $55,000 on average, then 101 earn $56,000: the newcomer earns $156,000."""

    key: ClassVar[str] = "newspaper"
    label: ClassVar[str] = N_("What the newcomer earns")

    people: int = param(
        100,
        Integer(
            N_("People before"),
            N_("How many the first average is of."),
            low=1,
            high=1_000_000,
            log=True,
        ),
    )
    before: float = param(
        55_000.0, Real(N_("Average before"), N_("In dollars a year."), low=0, high=_MONEY)
    )
    after: float = param(
        56_000.0, Real(N_("Average after"), N_("Once the newcomer is there."), low=0, high=_MONEY)
    )
    top: float = param(
        200_000.0,
        Real(
            N_("Highest salary"),
            N_("Salaries above count as this one."),
            low=1,
            high=_MONEY,
            log=True,
        ),
    )

    @property
    def unit(self) -> Say:
        return say("dollars a year")

    def amount(self, number: Num) -> Say:
        return say("${x}", x=spelled(number))

    def told(self, desk: Desk) -> Told:
        total = self.people * self.before
        return Told(total, (self.people + 1) * self.after - total, self.people, 0.0, self.top)

    def exactly(self, told: Told) -> Say:
        text = N_(
            "{n} people earn ${before} on average; one joins and {m} earn ${after}: the newcomer "
            "earns ${value}."
        )
        return say(
            text,
            n=Num(self.people),
            m=Num(self.people + 1),
            before=spelled(Num(self.before, 7)),
            after=spelled(Num(self.after, 7)),
            value=spelled(Num(told.value, 9)),
        )


@dataclass(frozen=True)
class Differencing(Subtraction):
    """The total of a column with and without one row: exact totals give the row away."""

    key: ClassVar[str] = "differencing"
    label: ClassVar[str] = N_("One row of your table")
    of_table: ClassVar[bool] = True
    who: ClassVar[str] = N_("The row, exactly")

    column: str = param(
        "hours-per-week", Column(N_("Column"), N_("A column of numbers."), numeric=True)
    )
    row: int = param(
        1,
        Integer(
            N_("Row"), N_("The row that comes last, counted from 1."), low=1, high=10**9, log=True
        ),
    )
    low: float | None = param(None, LOW)
    high: float | None = param(None, HIGH)

    def agree(self) -> None:
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ParamError(
                "high",
                say("The highest value must lie above the lowest ({low}).", low=f"{self.low:g}"),
            )

    def problems(self, data: Dataset) -> Iterator[Problem]:
        if data.rows == 0:
            yield Problem("data", say("The table has no rows. Open another table."))
            return
        if not any(c.numeric for c in data.columns):
            yield Problem(
                "story.column", say("This table has no column of numbers, which this story needs.")
            )
            return
        problem = number_problem(self.column, data)
        asked = Sum(column=self.column, low=self.low, high=self.high)
        if problem is None and not asked.told(data).whole:
            problem = range_problem(self.column, data)
        if problem:
            yield Problem(problem.field.replace("query.", "story."), problem.say)
        elif self.row > data.rows:
            yield Problem("story.row", say("The table has fewer rows. Choose one of them."))
        elif (self.low is None or self.high is None) and not asked.with_(attested=True).public(
            data
        ):
            yield Problem(
                "story.high",
                say("The bounds come from the data: this choice is not private."),
                stops=False,
            )

    def suited(self, data: Dataset) -> Differencing:
        fits = [c.name for c in data.columns if c.numeric and data.missing(c.name) < data.rows]
        row = min(self.row, max(1, data.rows))
        if (data.has(self.column) and data.info(self.column).numeric) or not fits:
            return self.with_(row=row)
        return self.with_(column=fits[0], low=None, high=None, row=row)

    @property
    def unit(self) -> Say:
        return plain(self.column)

    def bounds(self, data: Dataset) -> tuple[float, float]:
        return Sum(column=self.column, low=self.low, high=self.high).bounds(data)

    def told(self, desk: Desk) -> Told:
        low, high = self.bounds(desk.data)
        most = desk.data.contributions
        # What a person adds who has several rows, or none.
        least, largest = (min(0.0, most * low), max(0.0, most * high)) if most > 1 else (low, high)
        if not desk.show_truth:
            return Told(0.0, 0.0, 0, least, largest, known=False, most=most)

        def read() -> tuple[float, float, int, int]:
            every = desk.data.clipped(self.column, low, high, Where())
            one = desk.data.only(self.row - 1).clipped(self.column, low, high, Where())
            return every.total - one.total, one.total, every.used - one.used, one.used

        without, value, people, used = desk.data.remember(
            ("differencing", self.column, self.row, low, high), read
        )
        return Told(
            without, value, people, least, largest, most=most, joined=used if most > 1 else 1
        )

    def exactly(self, told: Told) -> Say:
        text = N_(
            "The total of {column} is {with_it} with row {row} and {without} without it: the row "
            "holds {value}."
        )
        if told.most > 1:
            text = N_(
                "The total of {column} is {with_it} with the person of row {row} and {without} "
                "without: that person’s rows add {value}."
            )
        both = told.without + told.value
        return say(
            text,
            column=plain(self.column),
            row=Num(self.row),
            with_it=spelled(Num(both, 12)),
            without=spelled(Num(told.without, 12)),
            value=spelled(Num(told.value, 9)),
        )
