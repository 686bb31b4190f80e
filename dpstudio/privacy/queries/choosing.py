"""Questions whose answer is one of several candidates: the most common value, a quantile, the best
of typed scores."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.queries.query import (
    ADD_REMOVE,
    ATTESTED,
    WHERE,
    WIDEST,
    Told,
    condition_problems,
    missing_problem,
    number_problem,
    range_problem,
    told,
    told_words,
)
from dpstudio.values.domains import Domain
from dpstudio.values.messages import N_, Num, Say, plain, say
from dpstudio.values.params import (
    Column,
    Edges,
    Flag,
    Integer,
    Kind,
    Maybe,
    ParamError,
    Real,
    Words,
    param,
)
from dpstudio.values.problem import Problem

_MOST = 200


@dataclass(frozen=True, eq=False)
class Candidates:
    """What may be chosen and how well each would do.

    `labels` names the candidates and `values` are their numbers, ascending, where they have any.
    `unit` is what a score counts, `what` what is chosen among. `why` says why the sensitivity is
    what it is. `openness` says which choices come from the data; `notes` also says what holds exact
    counts. `typed` scores come from no table, so there is nothing exact to hide. Where `metric`,
    what counts about a choice is how far its number is from the best one, not only how far its
    score falls short.
    """

    labels: tuple[str, ...]
    values: Array | None
    scores: Scores
    unit: Say
    what: Say
    why: Say
    notes: tuple[Say, ...] = ()
    openness: tuple[Say, ...] = ()
    typed: bool = False
    metric: bool = False

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


@dataclass(frozen=True)
class Choosing(Kind):
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
            "With one row each: {why} With up to {m} rows each it is {m} times as much: Δ = "
            "{delta}."
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

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        """Why this table cannot answer, at the field that is to change."""
        yield from ()


@dataclass(frozen=True)
class ColumnChoosing(Choosing):
    """A question about one column over the rows that meet a condition."""

    where: Where = param(Where(), WHERE)

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        yield from condition_problems(self.where, data)


@dataclass(frozen=True)
class MostCommon(ColumnChoosing):
    """Which value of a column most rows have; scores are counts, Δ = 1.

    One person more moves one count by 1, and so all of them in the same direction; one person
    replaced may lower one count and raise another, so scores are monotone for add/remove only.
    """

    key: ClassVar[str] = "most_common"
    label: ClassVar[str] = N_("Most common")

    column: str = param(
        "occupation",
        Column(N_("Column"), N_("A column of words, or of numbers with few different values.")),
    )
    categories: tuple[str, ...] = param(
        (),
        Words(N_("Candidates"), N_("What may be chosen; empty: the values that are in the data.")),
        of=("column",),
    )
    attested: bool = param(False, ATTESTED, of=("column",))

    def _told(self, data: Dataset) -> tuple[tuple[str, ...], bool]:
        return told_words(self.categories, self.attested, data.about(self.column))

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
            (say("{outside} rows have none of these values.", outside=Num(outside)),)
            if outside
            else ()
        )
        monotone = adjacency == ADD_REMOVE
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
            plain(self.column),
            Say(why if monotone else replaced),
            openness + aside,
            openness,
        )

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        yield from super().problems(data, adjacency)
        if not data.has(self.column):
            yield Problem(
                "query.column",
                say("This table has no column “{column}”. Choose another.", column=self.column),
            )
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
        problem = missing_problem(self.column, data)
        if problem is None and not self._told(data)[0] and data.more_than(self.column, _MOST):
            text = N_(
                "“{column}” has more than {limit} different values. List the candidates, or ask "
                "for a quantile."
            )
            problem = Problem("query.categories", say(text, column=self.column, limit=_MOST))
        if problem is None:
            try:
                self.words(data)
            except ParamError as error:
                problem = Problem(f"query.{error.field}", error.sentence)
        if problem:
            yield problem


@dataclass(frozen=True)
class Quantile(ColumnChoosing):
    """The value below which a share q of the values lies, chosen from a public grid.

    The score of a grid value g is −dist(q·n, [#{x < g}, #{x ≤ g}]): by how many people g misses
    rank q·n; 0 exactly where g is a q-quantile, also where many share a value. n counts the rows
    that meet the condition and have a finite value. One person more below g moves #−qn by 1 − q,
    one above moves it by −q, one who is not counted by 0; a person replaced moves it by at most 1
    (from one side to the other), and a distance to an interval moves no more than its ends. So Δ =
    max(q, 1 − q) for add/remove and 1 for replace. Scores on both sides of the quantile move
    against each other: they are not monotone.
    """

    key: ClassVar[str] = "quantile"
    label: ClassVar[str] = N_("Quantile")

    column: str = param("age", Column(N_("Column"), N_("A column of numbers."), numeric=True))
    q: float = param(
        0.5,
        Real(
            N_("Share below"),
            N_("0.5 is the median, 0.25 the lower quartile."),
            low=0.001,
            high=0.999,
        ),
    )
    low: float | None = param(
        None,
        Maybe(
            N_("From"),
            N_("The lowest value of the grid."),
            inner=Real("", low=-WIDEST, high=WIDEST),
        ),
        of=("column",),
    )
    high: float | None = param(
        None,
        Maybe(
            N_("To"), N_("The highest value of the grid."), inner=Real("", low=-WIDEST, high=WIDEST)
        ),
        of=("column",),
    )
    points: int = param(
        80,
        Integer(
            N_("Grid values"),
            N_("How many values, evenly spaced, may be chosen."),
            low=2,
            high=1001,
        ),
    )
    grid: tuple[float, ...] = param(
        (), Edges(N_("Grid"), N_("Typed values take the place of from, to and how many."))
    )
    attested: bool = param(False, ATTESTED, of=("column",))

    def agree(self) -> None:
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ParamError(
                "high",
                say("The highest value must lie above the lowest ({low}).", low=f"{self.low:g}"),
            )

    def _told(self, data: Dataset) -> Told:
        return told(self.low, self.high, self.attested, data.about(self.column))

    def values(self, data: Dataset) -> Array:
        """The grid, ascending, shape (n,)."""
        if self.grid:
            return np.array(self.grid)
        given = self._told(data)
        low, high = given.low, given.high
        if low is None or high is None:
            extent = data.extent(self.column)
            if extent is None:
                raise ParamError(
                    "column",
                    say(
                        "“{column}” holds no finite number. Choose another column.",
                        column=self.column,
                    ),
                )
            if low is None and high is None:
                # Round numbers, at most as many as asked for; whole where the values are.
                step = nice_above((extent.high - extent.low or 1.0) / max(1, self.points - 2))
                step = float(max(1, np.ceil(step))) if extent.whole else step
                first, last = np.floor(extent.low / step), np.ceil(extent.high / step)
                return np.array(
                    [float(f"{k * step:.12g}") for k in np.arange(first, max(last, first + 1) + 1)]
                )
            low = low if low is not None else min(extent.low, (high or 0.0) - 1)
            high = high if high is not None else max(extent.high, low + 1)
        high = (
            high if high > low else low + 1
        )  # one end from here and one from the codebook need not fit together
        return np.array([float(f"{value:.15g}") for value in np.linspace(low, high, self.points)])

    def _edges(self, grid: Array) -> tuple[float, ...]:
        """Edges between which lie: what is below the grid, each grid value itself, and what is
        between two of them."""
        ends = np.stack([grid, np.nextafter(grid, np.inf)], axis=1).ravel()
        if np.any(np.diff(ends) <= 0):
            raise ParamError(
                "points",
                say("The grid is too fine for its values to be told apart. Ask for fewer."),
            )
        return (-sys.float_info.max, *map(float, ends), sys.float_info.max)

    def measure_rows(self, data: Dataset, adjacency: str) -> Candidates:
        grid = self.values(data)
        parts = np.cumsum(data.histogram(self.column, self._edges(grid), self.where))
        target = self.q * float(parts[-1])
        below, up_to = parts[0:-1:2], parts[1::2]
        miss = np.maximum(np.maximum(below - target, target - up_to), 0.0)
        public = self.attested if self.grid else self._told(data).public
        openness = (
            () if public else (say("The grid comes from the data: this choice is not private."),)
        )
        delta = max(self.q, 1 - self.q) if adjacency == ADD_REMOVE else 1.0
        text = N_(
            "One person changes the rank error of each value by at most {delta}, the larger of q "
            "and 1 − q."
        )
        replaced = N_("One person replaced changes the rank error of each value by at most 1.")
        return Candidates(
            tuple(str(Num(value, 12)) for value in grid),
            array(grid),
            Scores(array(0.0 - miss), delta, False),
            say("ranks"),
            plain(self.column),
            say(text if adjacency == ADD_REMOVE else replaced, delta=Num(delta, 4, "up")),
            openness,
            openness,
            metric=True,
        )

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        found = list(super().problems(data, adjacency))
        problem = number_problem(self.column, data)
        if problem is None and not self.grid and not self._told(data).whole:
            problem = range_problem(self.column, data)
        if problem is None:
            try:
                edges = self._edges(self.values(data))
                if not found and not data.histogram(self.column, edges, self.where).any():
                    text = N_(
                        "No row meets the condition and has a value, so there is no quantile. "
                        "Widen the condition."
                    )
                    problem = Problem("query.where", Say(text))
            except ParamError as error:
                problem = Problem(f"query.{error.field}", error.sentence)
        yield from found
        if problem:
            yield problem


_SCORE = re.compile(
    r"(?P<name>.*?\S)(?:\s*[:=]\s*|\s+)(?P<number>[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
)


@dataclass(frozen=True)
class ScoreList(Domain):
    """Names with a number each; as text `Cancer 50, HIV 20, HPV 30`, or one to a line."""

    most: ClassVar[int] = 1000

    def check(self, value: Any) -> tuple[tuple[str, float], ...]:
        if isinstance(value, str):
            value = [
                self._pair(part.strip()) for part in re.split(r"[,;\n]", value) if part.strip()
            ]
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= self.most:
            raise ParamError(
                "",
                say(
                    "Write 1 to {most} names with their scores, such as Cancer 50, HIV 20.",
                    most=f"{self.most:,}",
                ),
            )
        number, pairs = Real("", low=-1e12, high=1e12), []
        for pair in value:
            if (
                not isinstance(pair, list | tuple)
                or len(pair) != 2
                or not isinstance(pair[0], str)
                or not pair[0].strip(" :=")
            ):
                raise self._unclear(pair)
            if pair[0] != pair[0].strip() or re.search(r"[,;\n]|[:=]\s*$", pair[0]):
                raise self._unclear(pair[0])
            pairs.append((pair[0], number.check(pair[1])))
        if len({name for name, _ in pairs}) != len(pairs):
            raise ParamError("", say("A name is listed twice."))
        return tuple(pairs)

    def _pair(self, text: str) -> tuple[str, str]:
        match = _SCORE.fullmatch(text)
        if not match:
            raise self._unclear(text)
        return match["name"], match["number"]

    @staticmethod
    def _unclear(what: Any) -> ParamError:
        return ParamError(
            "", say("“{what}” is not a name followed by its score, such as HIV 20.", what=what)
        )

    def show(self, value: Any) -> str:
        return ", ".join(f"{name} {score:.12g}" for name, score in value)

    def to_json(self, value: Any) -> Any:
        return [list(pair) for pair in value]

    def describe(self) -> Say:
        return say("names with their scores, such as Cancer 50, HIV 20, HPV 30")

    def bad(self) -> Iterable[Any]:
        yield from (
            3,
            None,
            "",
            "Cancer",
            "50",
            "a 1, a 2",
            "a 1e99",
            [["a", "x"]],
            [["a,b", 1]],
            [["a"]],
        )


@dataclass(frozen=True)
class Typed(Choosing):
    """The best of scores that are typed in, with the sensitivity and the monotony that are claimed
    for them."""

    key: ClassVar[str] = "typed"
    label: ClassVar[str] = N_("Typed scores")

    scores: tuple[tuple[str, float], ...] = param(
        (("Cancer", 50.0), ("HIV", 20.0), ("HPV", 30.0)),
        ScoreList(N_("Scores"), N_("Each candidate and its score, the highest being the best.")),
    )
    sensitivity: float = param(
        1.0,
        Real(
            N_("Sensitivity Δ"),
            N_("How far one person can move any one score."),
            low=1e-6,
            high=1e9,
            log=True,
        ),
    )
    monotone: bool = param(
        False,
        Flag(
            N_("Monotone"), N_("One person moves all scores in the same direction, as with counts.")
        ),
    )

    def measure_rows(self, data: Dataset, adjacency: str) -> Candidates:
        why = N_(
            "As you say, one person changes each score by at most {delta}, all in the same "
            "direction."
        )
        if not self.monotone:
            why = N_(
                "As you say, one person changes each score by at most {delta}, in any direction."
            )
        return Candidates(
            tuple(name for name, _ in self.scores),
            None,
            Scores(array([score for _, score in self.scores]), self.sensitivity, self.monotone),
            say("points"),
            say("candidate"),
            say(why, delta=Num(self.sensitivity, 4, "up")),
            typed=True,
        )


CHOICES: list[type[Choosing]] = [MostCommon, Quantile, Typed]
