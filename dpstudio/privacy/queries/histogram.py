"""Counts over the parts of a column: intervals of numbers between public edges, or public
categories."""

import itertools
import math
from collections.abc import Iterator, Mapping
from itertools import pairwise

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.dataset import Dataset, Extent
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.queries import query
from dpstudio.values.dates import Dates, as_year, calendar_edges, days_of, interval_labels
from dpstudio.values.fields import flag, integer
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import Column, Edges, ParamError, param
from dpstudio.values.problem import Problem

_IN = query.Move(say("a person in one part is added or removed"), (((0, 1.0),),))
_ACROSS = query.Move(say("a person moves from one part to another"), (((0, -1.0), (1, 1.0)),))
_OUT = query.Move(
    say("a person in the only part is replaced by one who is in none"), (((0, -1.0),),)
)
_ENTER = N_("One person is in at most one part: L1 = L2 = 1.")
_MOVE = N_("A replaced person leaves one part and enters another: L1 = 2, L2 = √2.")
_ALONE = N_("A replaced person enters the only part or leaves it: L1 = L2 = 1.")


def parts_sensitivity(count: int, adjacency: str) -> tuple[tuple[query.Move, ...], Sensitivity]:
    """The largest move and the sensitivity of `count` ≥ 1 counts of disjoint parts."""
    if adjacency == query.ADD_REMOVE:
        move, why = _IN, _ENTER
    else:
        move, why = (_ACROSS, _MOVE) if count > 1 else (_OUT, _ALONE)
    return (move,), query.sensitivity_of((move,), 0, count, Message(why))


_PARTS = 200
NUMBERS = ("number", "integer")


class Histogram(query.Query):
    """One count per part. A row outside all parts is in none, so the sensitivity does not depend on
    the data."""

    key = "histogram"
    label = N_("Histogram")
    asks = N_("How many rows there are by")
    asked = N_("How many rows are there by {column}")

    column: str = param("age", Column(N_("Column"), N_("A column of numbers or of words.")))
    low: float | None = param(
        None,
        query.range_end(N_("From"), N_("The lowest edge.")),
        of=("column",),
        holds=("column", NUMBERS),
        caption=N_("from"),
    )
    high: float | None = param(
        None,
        query.range_end(N_("To"), N_("The highest edge.")),
        of=("column",),
        holds=("column", NUMBERS),
        caption=N_("to"),
        beside="low",
    )
    bins: int = integer(
        15,
        N_("Intervals"),
        N_("How many intervals of equal width."),
        low=1,
        high=_PARTS,
        holds=("column", (*NUMBERS, "date")),
        caption=N_("intervals"),
    )
    edges: tuple[float, ...] = param(
        (),
        Edges(
            N_("Edges"),
            N_("Typed edges take the place of from, to and intervals."),
            empty=N_("such as 0, 10, 20"),
        ),
        of=("column",),
        holds=("column", NUMBERS),
        caption=N_("or edges"),
    )
    categories: tuple[str, ...] = param(
        (),
        query.listed_words(
            N_("Categories"), N_("For a column of words; empty: those that are in the data.")
        ),
        of=("column",),
        holds=("column", ("category",)),
        caption=N_("categories"),
    )
    dates: tuple[str, ...] = param(
        (),
        Dates(
            N_("Dates"),
            N_("For a column of dates: where intervals begin and end."),
            empty=N_("such as 2019, 2020, 2021"),
        ),
        of=("column",),
        holds=("column", ("date",)),
        caption=N_("or dates"),
    )
    attested: bool = flag(
        False,
        N_("Known from outside"),
        N_("I know edges and categories from outside the data."),
        of=("column",),
    )

    def agree(self) -> None:
        query.refuse_crossed(
            self.low, self.high, N_("The highest edge must lie above the lowest ({low}).")
        )

    def in_force(self, data: Dataset) -> Mapping[str, float]:
        edges, _ = self.parts(data)
        return {"low": edges[0], "high": edges[-1]} if edges else {}

    def parts(self, data: Dataset) -> tuple[tuple[float, ...], tuple[str, ...]]:
        """(edges, ()) for numbers, and for dates in days; ((), words) for a category. Raises
        ParamError where there is nothing to count, or parts are too narrow."""
        if data.info(self.column).type == "date":
            return self._dated(data), ()
        if not data.info(self.column).numeric:
            # In the order of the alphabet: the order of the counts would itself be an exact answer.
            return (), self._told_words(data)[0] or tuple(
                sorted(word for word, _ in data.distinct(self.column, _PARTS))
            )
        if self.edges:
            return self.edges, ()
        given = self._told(data)
        if given.low is not None and given.high is not None:
            return self._equal(given.low, given.high), ()
        return self._proposed(self._extent(data), given), ()

    def _told(self, data: Dataset) -> query.GivenBounds:
        return query.told(self.low, self.high, self.attested, data.about(self.column))

    def _told_words(self, data: Dataset) -> tuple[tuple[str, ...], bool]:
        return query.told_words(self.categories, self.attested, data.about(self.column))

    def _extent(self, data: Dataset) -> Extent:
        extent = data.extent(self.column)
        if extent is None:
            raise ParamError(
                "column",
                say(
                    "Every value of “{column}” is missing. Choose another column.",
                    column=self.column,
                ),
            )
        return extent

    def _dated(self, data: Dataset) -> tuple[float, ...]:
        if self.dates:
            return tuple(days_of(date) for date in self.dates)
        low, high = self._dates_told(data)
        extent = self._extent(data) if low is None or high is None else None
        low = low if low is not None else extent.low if extent else 0.0
        high = high if high is not None else extent.high if extent else 0.0
        return calendar_edges(low, max(low, high), self.bins)

    def _dates_told(self, data: Dataset) -> tuple[float | None, float | None]:
        """The first and the last day that the codebook tells; from and to of the question are
        numbers and mean none."""
        about = data.about(self.column)
        return about.low, about.high

    def _proposed(self, extent: Extent, given: query.GivenBounds) -> tuple[float, ...]:
        if given.low is None and given.high is None:
            # One value only, or values that floats hardly tell apart: intervals of a visible width
            # about them.
            span = max(extent.high - extent.low, 1e-6 * abs(extent.high)) or 1.0
            width = nice_above(span / self.bins)
            width = max(1.0, math.ceil(width)) if extent.whole else width
            first = math.floor(extent.low / width)
            last = max(first + 1, math.floor(extent.high / width) + 1)
            return tuple(float(f"{i * width:.12g}") for i in range(first, last + 1))
        low = given.low if given.low is not None else min(extent.low, (given.high or 0) - 1)
        return self._equal(low, given.high if given.high is not None else max(extent.high, low + 1))

    def _equal(self, low: float, high: float) -> tuple[float, ...]:
        # One end from here and one from the codebook need not fit together.
        low, high = query.apart(low, high, keep_low=True)
        edges = tuple(
            float(f"{low + (high - low) * i / self.bins:.15g}") for i in range(self.bins + 1)
        )
        if any(b <= a for a, b in pairwise(edges)):
            raise ParamError(
                "bins", say("The intervals are too narrow to be told apart. Ask for fewer.")
            )
        return edges

    def public(self, data: Dataset) -> bool:
        """Whether the parts are known from outside the data."""
        if data.info(self.column).type == "date":
            return (
                self.attested
                if self.dates
                else None not in self._dates_told(data) and data.about(self.column).attested
            )
        if data.info(self.column).numeric:
            return self.attested if self.edges else self._told(data).public
        return self._told_words(data)[1]

    def _end(self, edge: float) -> str:
        """The end of a part as it is called."""
        return as_year(self.column, edge, str(Num(edge, 6)))

    def sampling_variance(self, data: Dataset, truth: Array, part: int) -> float | None:
        return query.varied_count(float(truth[part]), data.rows)

    def measure_rows(self, data: Dataset, adjacency: str) -> query.MeasuredQuestion:
        edges, words = self.parts(data)
        counts = (
            data.histogram(self.column, edges, self.where)
            if edges
            else data.tally(self.column, words, self.where)
        )
        truth = array(counts)
        dated = data.info(self.column).type == "date"
        labels = words or (
            interval_labels(edges)
            if dated
            else tuple(f"{a} – {b}" for a, b in itertools.pairwise(map(self._end, edges)))
        )
        openness = (
            ()
            if self.public(data)
            else (say("The parts come from the data: this choice is not private."),)
        )
        notes = [*openness, *self._other_number(edges, dated)]
        outside = data.count(self.where) - int(truth.sum())
        if outside:
            notes.append(
                say("{outside} {outside:row is|rows are} in no part.", outside=Num(outside))
            )
        across = say("rows by {column}", column=plain(self.column))
        moves, sensitivity = parts_sensitivity(len(truth), adjacency)
        part = query.Measurement(N_("counts"), truth, sensitivity, whole=True)
        return query.MeasuredQuestion(
            truth,
            labels,
            say("rows"),
            (part,),
            edges=() if dated else edges,
            notes=tuple(notes),
            openness=openness,
            moves=moves,
            across=across,
            extent=query.COUNTED,
        )

    def _other_number(self, edges: tuple[float, ...], dated: bool) -> Iterator[Message]:
        """That there are not so many intervals as were asked for, because their edges are round."""
        made = len(edges) - 1
        if edges and not (self.dates if dated else self.edges) and made != self.bins:
            text = N_(
                "{bins:# interval was|# intervals were} asked for, and {made} with round edges "
                "{made:is|are} made: give both ends to have just so many."
            )
            if dated:
                text = N_(
                    "{bins:# interval was|# intervals were} asked for, and {made} by the calendar "
                    "{made:is|are} made: type dates to have others."
                )
            yield say(text, bins=Num(self.bins), made=Num(made))

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        yield from super().problems(data, adjacency)
        if missing := query.no_column(self.column, data):
            yield missing
            return
        info = data.info(self.column)
        proposed = info.numeric and not self.edges and not self._told(data).whole
        problem = query.missing_problem(self.column, data) or (
            query.range_problem(self.column, data) if proposed else None
        )
        if problem is None and info.ordered:
            try:
                self.parts(data)
            except ParamError as error:
                problem = Problem(f"query.{error.field}", error.sentence)
        if problem:
            yield problem
        elif info.type == "other":
            yield Problem(
                "query.column",
                say(
                    "“{column}” holds neither numbers nor words. Choose another column.",
                    column=self.column,
                ),
            )
        elif (
            not info.ordered
            and len(data.distinct(self.column, _PARTS + 1)) > _PARTS
            and not self._told_words(data)[0]
        ):
            yield Problem(
                "query.categories",
                say(
                    "“{column}” has more than {limit} different {limit:word|words}. List the "
                    "categories to count.",
                    column=self.column,
                    limit=_PARTS,
                ),
            )
