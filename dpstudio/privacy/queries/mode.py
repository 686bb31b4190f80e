"""The most common value of a column, and the most common of several conditions."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.charts.figure import array
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.queries import query, several
from dpstudio.privacy.queries.candidates import Candidates, Choosing, ColumnChoosing
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import Column, ParamError, Real, param
from dpstudio.values.problem import Problem

_MOST = 200


class MostCommon(ColumnChoosing):
    """Which value of a column most rows have; scores are counts, Δ = 1.

    One person more moves one count by 1, and so all of them in the same direction; one person
    replaced may lower one count and raise another, so scores are monotone for add/remove only.
    """

    key = "most_common"
    label = N_("Most common")

    column: str = param(
        "occupation",
        Column(
            N_("Column"),
            N_("A column of words, or of numbers with few different values."),
            purpose="group",
        ),
    )
    categories: tuple[str, ...] = param(
        (),
        query.listed_words(
            N_("Candidates"), N_("What may be chosen; empty: the values that are in the data.")
        ),
        of=("column",),
    )
    attested: bool = param(False, query.ATTESTED, of=("column",))

    def _told(self, data: Dataset) -> tuple[tuple[str, ...], bool]:
        return query.told_words(self.categories, self.attested, data.about(self.column))

    def words(self, data: Dataset) -> tuple[str, ...]:
        """The candidates: those listed, else those of the data. Not in the order of their counts,
        which would be an exact answer."""
        if not data.info(self.column).numeric:
            return self._told(data)[0] or tuple(
                sorted(word for word, _ in data.distinct(self.column, _MOST))
            )
        found = self._told(data)[0] or tuple(word for word, _ in data.distinct(self.column, _MOST))
        try:
            numbers = sorted({Real("").check(word) for word in found})
        except ParamError as error:
            raise error.within("categories") from None
        whole = data.info(self.column).type == "integer"
        return tuple(
            str(int(number)) if whole and number == int(number) else str(number)
            for number in numbers
        )

    def measure_rows(self, data: Dataset, adjacency: str) -> Candidates:
        words = self.words(data)
        counts = data.tally(self.column, words, self.where)
        numeric = data.info(self.column).numeric
        openness = (
            ()
            if self._told(data)[1]
            else (say("The candidates come from the data: this choice is not private."),)
        )
        outside = data.count(self.where) - int(counts.sum())
        aside = (
            (
                say(
                    "{outside} {outside:row has|rows have} none of these values.",
                    outside=Num(outside),
                ),
            )
            if outside
            else ()
        )
        monotone = adjacency == query.ADD_REMOVE
        why = N_(
            "One person changes each count by at most 1, and all in the same direction: the scores "
            "are monotone."
        )
        replaced = N_(
            "One person replaced lowers one count by 1 and raises another by 1: Δ = 1, and the "
            "scores are not monotone."
        )
        return Candidates(
            tuple(str(Num(float(word), 12)) for word in words) if numeric else words,
            array([float(word) for word in words]) if numeric else None,
            Scores(array(counts), 1.0, monotone),
            say("rows"),
            N_("{n} {n:row|rows}"),
            plain(self.column),
            Message(why if monotone else replaced),
            openness + aside,
            openness,
        )

    def settled(self, data: Dataset) -> MostCommon:
        return self.with_(categories=self.words(data))

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        yield from super().problems(data, adjacency)
        if problem := query.no_column(self.column, data):
            yield problem
            return
        if data.info(self.column).type in ("date", "other"):
            yield Problem(
                "query.column",
                say(
                    "“{column}” holds neither numbers nor words. Choose another column.",
                    column=self.column,
                ),
            )
            return
        problem = query.missing_problem(self.column, data)
        if problem is None and not self._told(data)[0] and data.more_than(self.column, _MOST):
            text = N_(
                "“{column}” has more than {limit} different {limit:value|values}. List the "
                "candidates, or ask for a quantile."
            )
            problem = Problem("query.categories", say(text, column=self.column, limit=_MOST))
        if problem is None:
            try:
                self.words(data)
            except ParamError as error:
                problem = Problem(f"query.{error.field}", error.sentence)
        if problem:
            yield problem


class MostMet(Choosing):
    """Which of several conditions most rows meet, such as yes in one of several columns; scores are
    counts, Δ = 1.

    One person more may be counted by every condition, and by each at most once: all scores move by
    0 or 1 in the same direction. Published together the counts would need L1 = k; a choice needs
    the largest move of one score alone. One person replaced may lower some and raise others.
    """

    key = "most_met"
    label = N_("Of several")

    where: Where = param(Where(), query.WHERE)
    conditions: tuple[Where, ...] = param(several.ASKED, several.SEVERAL)

    def measure_rows(self, data: Dataset, adjacency: str) -> Candidates:
        monotone = adjacency == query.ADD_REMOVE
        why = N_(
            "One person moves {k:the one count|each of {k} counts} by at most 1, and all in the "
            "same direction, however many move: Δ = 1, and the scores are monotone."
        )
        replaced = N_(
            "One person replaced may lower some counts and raise others, each by at most 1: Δ = 1, "
            "and the scores are not monotone."
        )
        wheres = several.together(self.conditions, self.where)
        return Candidates(
            tuple(map(str, self.conditions)),
            None,
            Scores(array([data.count(where) for where in wheres]), 1.0, monotone),
            say("rows"),
            N_("{n} {n:row|rows}"),
            say("condition"),
            say(why if monotone else replaced, k=len(wheres)),
        )

    def settled(self, data: Dataset) -> MostMet:
        return self

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        yield from query.condition_problems(self.where, data)
        yield from several.several_problems(self.conditions, data)
