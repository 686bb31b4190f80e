"""Counts, sums or means for each group of a column at once: public groups, and parallel
composition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from dpstudio.charts.figure import array
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.queries.histogram import parts_sensitivity
from dpstudio.privacy.queries.query import (
    ADD_REMOVE,
    ATTESTED,
    Clipping,
    MeasuredQuestion,
    Measurement,
    Move,
    sensitivity_of,
    told_words,
)
from dpstudio.privacy.queries.total import added, replaced, whole_values
from dpstudio.values.messages import N_, Num, Say, plain, say
from dpstudio.values.params import Choice, Column, Real, Words, param
from dpstudio.values.problem import Problem

_GROUPS = 200
STATISTICS = {"count": N_("count"), "sum": N_("sum"), "mean": N_("mean")}


def group_moves(low: float, high: float, groups: int, adjacency: str) -> tuple[Move, ...]:
    """Moves of (sums, counts) by group: one group under add/remove; a replaced person may leave one
    and enter another."""
    come = added(low, high)
    if adjacency == ADD_REMOVE:
        return (come,)
    if groups == 1:
        return replaced(low, high)
    far = come.shifts[0][0][1]
    text = N_("a person with the value {value} moves from one group to another")
    leave = Move(say(text, value=Num(far, 6)), (((0, -far), (1, far)), ((0, -1.0), (1, 1.0))))
    return leave, replaced(low, high)[0]


@dataclass(frozen=True)
class Grouped(Clipping):
    """One statistic for each group. Each person is in one group, so all groups together cost no
    more than one (add/remove)."""

    key: ClassVar[str] = "grouped"
    label: ClassVar[str] = N_("By group")
    asks: ClassVar[str] = N_("For each group")

    statistic: str = param(
        "mean", Choice(N_("Statistic"), N_("What is published for each group."), options=STATISTICS)
    )
    column: str = param(
        "hours-per-week", Column(N_("Column"), N_("A column of numbers."), numeric=True)
    )
    by: str = param(
        "occupation",
        Column(N_("Grouped by"), N_("A column of words."), words=True),
        caption=N_("by"),
    )
    groups: tuple[str, ...] = param(
        (),
        Words(
            N_("Groups"), N_("The groups that are published; empty: those that are in the data.")
        ),
        of=("by",),
    )
    attested: bool = param(False, ATTESTED, of=("column", "by"))
    split: float = param(
        0.5,
        Real(
            N_("Share for the sums"),
            N_("The rest of ε (and δ) goes to the counts."),
            low=0.05,
            high=0.95,
        ),
    )

    def names(self, data: Dataset) -> tuple[str, ...]:
        # In the order of the alphabet: the order of the counts would itself be an exact answer.
        return self._told_groups(data)[0] or tuple(
            sorted(word for word, _ in data.distinct(self.by, _GROUPS))
        )

    def _told_groups(self, data: Dataset) -> tuple[tuple[str, ...], bool]:
        return told_words(self.groups, self.attested, data.about(self.by))

    def public(self, data: Dataset) -> bool:
        return self._told_groups(data)[1] and (self.statistic == "count" or super().public(data))

    def open_note(self, data: Dataset) -> tuple[Say, ...]:
        return (
            ()
            if self.public(data)
            else (say("Groups or bounds come from the data: this choice is not private."),)
        )

    def measure_rows(self, data: Dataset, adjacency: str) -> MeasuredQuestion:
        names = self.names(data)
        notes = self.open_note(data)
        if self.statistic == "count":
            truth = array(data.tally(self.by, names, self.where))
            moves, sensitivity = parts_sensitivity(len(names), adjacency)
            part = Measurement(
                N_("counts"),
                truth,
                replace(sensitivity, why=self._why(sensitivity.why, len(names), adjacency)),
                whole=True,
            )
            return MeasuredQuestion(
                truth,
                names,
                say("rows"),
                (part,),
                notes=notes,
                openness=notes,
                moves=moves,
                across=plain(self.by),
            )
        low, high = self.bounds(data)
        counts, totals = data.grouped(self.by, names, self.column, low, high, self.where)
        moves = group_moves(low, high, len(names), adjacency)
        sums = sensitivity_of(moves, 0, len(names), Say(""))
        text = N_("One person changes the sums by at most {l1} in all and {linf} in one group.")
        why = self._why(
            say(text, l1=Num(sums.l1, 4, "up"), linf=Num(sums.linf, 4, "up")), len(names), adjacency
        )
        whole = whole_values(self, data, low, high)
        total = Measurement(
            N_("sums"),
            array(totals),
            replace(sums, why=why),
            whole,
            self.split if self.statistic == "mean" else 1.0,
        )
        if self.statistic == "sum":
            first = tuple(replace(move, shifts=move.shifts[:1]) for move in moves)
            unit = say("sum of {column}", column=plain(self.column))
            return MeasuredQuestion(
                array(totals),
                names,
                unit,
                (total,),
                notes=notes,
                openness=notes,
                moves=first,
                across=plain(self.by),
            )
        _, entered = parts_sensitivity(len(names), adjacency)
        count = Measurement(N_("counts"), array(counts), entered, True, 1 - self.split)
        means = array(
            [
                max(low, min(high, t / max(1, n)))
                for t, n in zip(totals.tolist(), counts.tolist(), strict=True)
            ]
        )
        unit = say("mean of {column}", column=plain(self.column))
        across = plain(self.by)
        return MeasuredQuestion(
            means,
            names,
            unit,
            (total, count),
            (low, high),
            notes=notes,
            openness=notes,
            moves=moves,
            across=across,
        )

    def _why(self, first: Say, groups: int, adjacency: str) -> Say:
        parallel = (
            N_(
                "Each person is in one group, so all {k} groups cost no more than one (parallel "
                "composition)."
            )
            if adjacency == ADD_REMOVE
            else N_(
                "A replaced person is in at most 2 of the {k} groups, so together they cost no "
                "more than two."
            )
        )
        return say("{first} {parallel}", first=first, parallel=say(parallel, k=groups))

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        problem = group_problem("query.by", self.by, self._told_groups(data)[0], data)
        if problem:
            yield problem
            return
        if self.statistic == "count":
            yield from super(Clipping, self).problems(data, adjacency)
        else:
            yield from super().problems(data, adjacency)


def group_problem(
    field: str, column: str, listed: tuple[str, ...], data: Dataset
) -> Problem | None:
    """Why a column cannot group the rows."""
    if not data.has(column):
        return Problem(
            field, say("This table has no column “{column}”. Choose another.", column=column)
        )
    if data.info(column).type != "category":
        return Problem(
            field,
            say("“{column}” holds no words to group by. Choose a column of words.", column=column),
        )
    if not listed and len(data.distinct(column, _GROUPS + 1)) > _GROUPS:
        text = N_("“{column}” has more than {limit} different words. List the groups to publish.")
        return Problem(
            "query.groups" if field == "query.by" else field,
            say(text, column=column, limit=_GROUPS),
        )
    if not listed and not data.distinct(column, 1):
        return Problem(
            field,
            say("Every value of “{column}” is missing. Choose another column.", column=column),
        )
    return None
