"""What a query is: a frozen question whose answer, labels and sensitivity under either adjacency
are known."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dpstudio.charts.figure import Array
from dpstudio.data.codebook import About
from dpstudio.data.conditions import Condition, Where
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.queries.measured import COUNTED as COUNTED
from dpstudio.privacy.queries.measured import MeasuredQuestion as MeasuredQuestion
from dpstudio.privacy.queries.measured import Measurement as Measurement
from dpstudio.privacy.queries.measured import Move as Move
from dpstudio.privacy.queries.measured import Shift as Shift
from dpstudio.privacy.queries.persons import by_person
from dpstudio.values import parameters
from dpstudio.values.messages import N_, Message, plain, say
from dpstudio.values.problem import Problem

ADD_REMOVE, REPLACE = "add_remove", "replace"
ADJACENCIES = {ADD_REMOVE: N_("Add or remove one"), REPLACE: N_("Replace one")}
WHERE = Condition(
    N_("Condition"), N_("Only rows that meet it count; a row that does not contributes 0.")
)
WIDEST = 1e15


def range_end(label: str, help: str) -> parameters.Maybe:
    """The domain of an end of a range, which is proposed from the data where it is left empty."""
    inner = parameters.Real("", low=-WIDEST, high=WIDEST)
    return parameters.Maybe(label, help, inner=inner, empty=N_("from the data"))


def listed_words(label: str, help: str) -> parameters.Words:
    """The domain of the words that are counted, which are those in the data where none is named."""
    return parameters.Words(label, help, empty=N_("all in the data"))


LOW = range_end(N_("Lowest"), N_("Values below are raised to this public bound."))
HIGH = range_end(N_("Highest"), N_("Values above are lowered to this public bound."))
ATTESTED = parameters.Flag(
    N_("Known from outside"),
    N_("I know these from outside the data, so that using them reveals nothing."),
)


def sensitivity_of(moves: tuple[Move, ...], place: int, dims: int, why: Message) -> Sensitivity:
    """The sensitivity of measurement number `place`, which has `dims` coordinates: the largest of
    the moves in each norm."""
    sizes = tuple(dict.fromkeys(move.sizes(place) for move in moves if move.sizes(place)))
    return Sensitivity(
        max(sum(s) for s in sizes),
        max(math.hypot(*s) for s in sizes),
        max(max(s) for s in sizes),
        why,
        max(len(s) for s in sizes),
        dims,
        sizes,
    )


def varied_count(rows: float, of: int) -> float:
    """Var of a count of so many `of` the rows of a table over samples of as many as it has
    (De Moivre 1730)."""
    return rows * (1 - rows / max(1, of))


class Query(parameters.Parameters):
    """Base of every query. `asks` opens its sentence before the columns; where it is empty, the
    label does. A query whose sentence leads straight into its condition says in `asks_all` what it
    asks without one. `asked` is the whole question with the names of its columns in it, but for
    its condition and its question mark."""

    editor = "sentence"
    asked: ClassVar[str] = ""
    asks: ClassVar[str] = ""
    asks_all: ClassVar[str] = ""

    where: Where = parameters.param(Where(), WHERE)

    def sentence(self) -> Message:
        """The question as a person asks it."""
        known = parameters.domains(type(self)).items()
        names = {n: plain(getattr(self, n)) for n, d in known if isinstance(d, parameters.Column)}
        question = say(self.asked, **{**names, **self.named()})
        if not self.where:
            return say("{question}?", question=question)
        return say("{question}, where {where}?", question=question, where=plain(self.where))

    def named(self) -> Mapping[str, Any]:
        """What `asked` names besides columns."""
        return {}

    def ask(self, data: Dataset, adjacency: str) -> MeasuredQuestion:
        """The exact answer and how far one person can move it; raises ParamError when the table
        cannot answer."""
        return by_person(self.measure_rows(data, adjacency), data.contributions)

    def measure_rows(self, data: Dataset, adjacency: str) -> MeasuredQuestion:
        """The same where each row is a person: `ask` makes of it what up to m rows of a person do.

        It must be a function of sums over rows. Where `data.person` is set, a person may have any
        number of rows up to m, also none.
        """
        raise NotImplementedError

    def sampling_variance(self, data: Dataset, truth: Array, part: int) -> float | None:
        """Var of coordinate `part` of the exact answer `truth` over tables of as many rows, each
        drawn from those of this one; None where it is not worked out. It tells of the data."""
        return None

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        """Why this table cannot answer, at the field that is to change."""
        yield from condition_problems(self.where, data)

    def in_force(self, data: Dataset) -> Mapping[str, float]:
        """The numbers that are taken for parameters left empty, by name; raises ParamError when
        the table cannot tell them."""
        return {}


class Clipping(Query):
    """A query over one numeric column clipped to bounds; bounds left empty are proposed from the
    data."""

    column: str = parameters.param(
        "age", parameters.Column(N_("Column"), N_("A column of numbers."), numeric=True)
    )
    low: float | None = parameters.param(None, LOW, of=("column",), caption=N_("clipped to"))
    high: float | None = parameters.param(
        None, HIGH, of=("column",), caption=N_("to"), beside="low"
    )
    attested: bool = parameters.param(False, ATTESTED, of=("column",))

    def agree(self) -> None:
        refuse_crossed(self.low, self.high)

    def told(self, data: Dataset) -> GivenBounds:
        """The bounds that are given, here or in the codebook."""
        return told(self.low, self.high, self.attested, data.about(self.column))

    def bounds(self, data: Dataset) -> tuple[float, float]:
        """The bounds in force: those given, here or in the codebook, else rounded outward from the
        data."""
        given = self.told(data)
        low, high = given.low, given.high
        if low is None or high is None:
            extent = data.extent(self.column)
            if extent is None:
                raise parameters.ParamError(
                    "column", say("“{column}” holds no numbers to sum.", column=self.column)
                )
            ends = outward(extent.low, extent.high)
            low, high = (
                end if end is not None else proposed
                for end, proposed in zip((low, high), ends, strict=True)
            )
        return apart(low, high, keep_low=self.low is not None)

    def in_force(self, data: Dataset) -> Mapping[str, float]:
        low, high = self.bounds(data)
        return {"low": low, "high": high}

    def public(self, data: Dataset) -> bool:
        """Whether both bounds are known from outside the data."""
        return self.told(data).public

    def open_note(self, data: Dataset) -> tuple[Message, ...]:
        """That a choice comes from the data, where one does."""
        if self.public(data):
            return ()
        return (say("The bounds come from the data: this choice is not private."),)

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        yield from super().problems(data, adjacency)
        then = N_("Choose a column of numbers, or count rows instead.")
        problem = number_problem(self.column, data, then)
        if problem is None and not self.told(data).whole:
            problem = range_problem(self.column, data)
        if problem:
            yield problem


@dataclass(frozen=True)
class GivenBounds:
    """Bounds that are given, None where the data must be asked. `public` says that both are known
    from outside the data."""

    low: float | None
    high: float | None
    public: bool

    @property
    def whole(self) -> bool:
        """Whether no bound is left to the data."""
        return self.low is not None and self.high is not None


def told(low: float | None, high: float | None, attested: bool, about: About) -> GivenBounds:
    """The bounds that a question gives, and those of the codebook where it gives none; each is
    attested where it is written down."""
    public = all(
        attested if here is not None else there is not None and about.attested
        for here, there in ((low, about.low), (high, about.high))
    )
    return GivenBounds(
        low if low is not None else about.low, high if high is not None else about.high, public
    )


def told_words(
    words: tuple[str, ...], attested: bool, about: About
) -> tuple[tuple[str, ...], bool]:
    """The words that a question lists, else those of the codebook, none where the data must be
    asked; and whether they are public."""
    if words:
        return words, attested
    return about.categories, about.attested and bool(about.categories)


def refuse_crossed(
    low: float | None,
    high: float | None,
    why: str = N_("The highest value must lie above the lowest ({low})."),
) -> None:
    """Raise ParamError at `high` where both ends are given and do not lie in order."""
    if low is not None and high is not None and low >= high:
        raise parameters.ParamError("high", say(why, low=f"{low:.12g}"))


def apart(low: float, high: float, *, keep_low: bool) -> tuple[float, float]:
    """(low, high); where they cross, as one end that is given may lie beyond the other, which is
    not, one of them is moved to 1 from the other."""
    if low < high:
        return low, high
    return (low, low + 1) if keep_low else (high - 1, high)


def outward(low: float, high: float) -> tuple[float, float]:
    """Bounds rounded outward to two places of their range; never equal."""
    if low == high:
        high = low + 1
    power = math.floor(math.log10(high - low)) - 1
    step = 10.0**power
    tidy = [
        round(b, max(0, 1 - power))
        for b in (math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step)
    ]
    return tidy[0], tidy[1]


def no_column(column: str, data: Dataset, field: str = "query.column") -> Problem | None:
    """That the table has no such column."""
    if data.has(column):
        return None
    return Problem(
        field, say("This table has no column “{column}”. Choose another.", column=column)
    )


def number_problem(
    column: str, data: Dataset, then: str = N_("Choose a column of numbers.")
) -> Problem | None:
    """Why a column holds no numbers to work with; `then`, a message id, says what to do."""
    if problem := no_column(column, data):
        return problem
    if not data.info(column).numeric:
        return Problem("query.column", no_numbers(column, data, then))
    return missing_problem(column, data)


def no_numbers(column: str, data: Dataset, then: str = N_("Name columns of numbers.")) -> Message:
    """What a column holds in place of numbers; `then`, a message id, says what to do."""
    held = {"date": N_("dates"), "other": N_("nested values")}
    what = Message(held.get(data.info(column).type, N_("words")))
    text = N_("“{column}” holds {what}, not numbers. {then}")
    return say(text, column=column, what=what, then=Message(then))


def missing_problem(column: str, data: Dataset) -> Problem | None:
    """That no row has a value."""
    if data.missing(column) == data.rows:
        return Problem(
            "query.column",
            say("Every value of “{column}” is missing. Choose another column.", column=column),
        )
    return None


def range_problem(column: str, data: Dataset) -> Problem | None:
    """Bounds that would have to be proposed beyond what a bound can be."""
    extent = data.extent(column)
    if extent is None:
        return Problem(
            "query.column",
            say("“{column}” holds no finite number. Choose another column.", column=column),
        )
    if max(abs(extent.low), abs(extent.high)) > WIDEST:
        text = N_(
            "“{column}” reaches beyond ±10¹⁵. Type the lowest and the highest value that may count."
        )
        return Problem("query.low", say(text, column=column))
    return None


def condition_problems(where: Where, data: Dataset) -> Iterator[Problem]:
    """Columns that are not there, and comparisons that their type cannot answer."""
    for test in where.tests():
        try:
            data.info(test.column)
            data.count(Where("and", (test,)))
        except parameters.ParamError as error:
            yield Problem("query.where", error.sentence)
            return


def people(where: Where) -> Message:
    """What is counted, as an axis label."""
    return say("rows with {where}", where=plain(where)) if where else say("rows")
