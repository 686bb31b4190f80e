"""The questions of a plan, by kind: what each asks, of how many cells, and how far one person moves
its answer. All of it is typed; none of it is read from a table."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dpstudio.data.codebook import FreeText
from dpstudio.data.conditions import Condition, Where
from dpstudio.plans.charge import Unit
from dpstudio.plans.exact import Exact
from dpstudio.plans.target import Target, Targets
from dpstudio.privacy.accounting import REPLACE
from dpstudio.values.fields import choice, flag, integer
from dpstudio.values.lists import parts, separated
from dpstudio.values.messages import N_, Message, listed, say
from dpstudio.values.parameters import Column, Edges, ParamError, Parameters, Words, param

AUTO, LAPLACE, GAUSSIAN, EXPONENTIAL, NOISY_MAX = (
    "auto",
    "laplace",
    "gaussian",
    "exponential",
    "max",
)
NOISES = {
    AUTO: N_("the plan’s choice"),
    LAPLACE: N_("geometric (Laplace on a grid)"),
    GAUSSIAN: N_("discrete Gaussian"),
    EXPONENTIAL: N_("exponential mechanism"),
    NOISY_MAX: N_("noisy max"),
}
_WORDS = N_("The words that there can be, separated by |; what is none of them counts nowhere.")
_LOWEST = Exact(N_("Lowest"), N_("Values below are raised to it."))
_NEAREST = Fraction(1, 10**100)
_HIGHEST = Exact(N_("Highest"), N_("Values above are lowered to it."))


@dataclass(frozen=True)
class Groups(Words):
    """Two words or more; so what is typed with commas alone is no one word."""

    def parse(self, text: str) -> tuple[str, ...]:
        typed = len(separated(text)) > 1 or '"' in text
        return self.check(text if typed else tuple(parts(text)))


def _several(field: str, words: tuple[str, ...]) -> None:
    """Raise ParamError where there are not two words."""
    if not words:
        raise ParamError(field, say("List two words or more, separated by |."))
    if len(words) < 2:
        text = N_("“{word}” is one word alone: list two words or more, separated by |.")
        raise ParamError(field, say(text, word=words[0]))


@dataclass(frozen=True)
class Reach:
    """How far one person moves an answer of so many `cells`: in L1, and in L2 squared. `whole`:
    every cell is a whole number."""

    cells: int
    l1: Fraction
    l2_squared: Fraction
    whole: bool


class Question(Parameters):
    """Base of the questions. `additive`: noise is added to it; else one of several candidates is
    chosen. `counted`: its error depends on how many rows it is about.
    `of_values`: its numbers are no numbers of rows. `behind`: in what a choice is off."""

    additive: ClassVar[bool] = True
    behind: ClassVar[str] = ""
    counted: ClassVar[bool] = False
    of_values: ClassVar[bool] = False

    name: str = param("", FreeText(N_("Name"), N_("What the question is called in the plan.")))
    where: Where = param(Where(), Condition(N_("Only rows with"), N_("Such as age > 50.")))
    target: Target | None = param(
        None, Targets(N_("Target"), N_("How far off each of its numbers may be."))
    )
    importance: Fraction = param(
        Fraction(1),
        Exact(
            N_("Importance"),
            N_("How much its error counts where a total is shared out."),
            low=Fraction(1, 1000),
            high=Fraction(1000),
        ),
    )
    size: Fraction | None = param(
        None,
        Exact(
            N_("Size"),
            N_("How many rows count at least, in each group too: of a person only those used."),
            low=Fraction(1),
            none=True,
            whole=True,
        ),
    )
    times: int = integer(
        1, N_("Times"), N_("How often it is asked anew, such as once a month."), low=1, high=10_000
    )
    noise: str = choice(AUTO, N_("Noise"), N_("Fixed, or chosen by the plan."), options=NOISES)
    spend: Fraction | None = param(
        None,
        Exact(
            N_("Spends"),
            N_("What it pays each time, held by hand: ε, or ρ of Gaussian noise."),
            low=Fraction(1, 10**12),
            high=Fraction(1000),
            none=True,
        ),
    )
    who: str = param("", FreeText(N_("Attested by"), N_("Who attests what is typed here.")))
    origin: str = param(
        "", FreeText(N_("Known from"), N_("Where that is known from, but this table."))
    )

    def agree(self) -> None:
        if not self.name:
            raise ParamError("name", say("Give the question a name, such as “Over 50”."))
        if self.noise not in self.noises and self.noise != AUTO:
            known = listed((AUTO, *self.noises))
            raise ParamError("noise", say("Here the noise is one of: {known}.", known=known))
        if self.spend is not None and len(self.noises) > 1 and self.noise == AUTO:
            text = N_("Choose the noise too: ε or ρ depends on it.")
            raise ParamError("spend", Message(text))

    @property
    def noises(self) -> tuple[str, ...]:
        """Those that it can have."""
        return (LAPLACE, GAUSSIAN) if self.additive else (EXPONENTIAL, NOISY_MAX)

    @property
    def aim(self) -> Fraction | None:
        """How far off its numbers may be, in their own unit; None where no target is known. What is
        a part, and stands without that of which, is one of the rows that there are at least, where
        its numbers are rows."""
        if self.target is None:
            return None
        if self.target.distance is not None:
            return self.target.distance
        return None if self.of_values or self.size is None else self.target.amount * self.size

    @property
    def cells(self) -> int:
        """How many numbers are published, or of how many candidates one is."""
        return 1

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """Between which a row adds to the cell that it is in."""
        return Fraction(1), Fraction(1)

    def reach(self, unit: Unit) -> Reach:
        """How far one person moves it: as many times as far as a row of theirs (norms are convex,
        `privacy.queries.persons`). A row that comes or goes changes one cell; one that is replaced
        may leave a cell and enter another, or go from bound to bound."""
        low, high = self.bounds
        far, span = max(abs(low), abs(high)), high - low
        if unit.adjacency != REPLACE:
            l1, square = far, far**2
        elif self.cells == 1:  # who comes may fail the condition, or lack the value
            l1 = max(far, span)
            square = l1**2
        else:
            l1, square = 2 * far, max(2 * far**2, span**2)
        rows = unit.rows
        return Reach(self.cells, rows * l1, rows**2 * square, low == high == 1)


def _apart(low: Fraction, high: Fraction) -> None:
    """Raise ParamError where bounds are so near to each other that no doubles tell of their noise:
    a grid that is too fine for these would be refused only where there are rows."""
    if high - low < _NEAREST:
        text = N_("The highest value lies above the lowest, by 1e-100 at least.")
        raise ParamError("high", say(text))


class _Valued(Question):
    """What adds up, or averages, the values of a column."""

    of_values = True

    column: str = param("value", Column(N_("Column"), N_("A column of numbers."), numeric=True))
    low: Fraction = param(Fraction(0), _LOWEST, of=("column",))
    high: Fraction = param(Fraction(1), _HIGHEST, of=("column",))

    def agree(self) -> None:
        super().agree()
        _apart(self.low, self.high)

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        return self.low, self.high


class Count(Question):
    """How many rows."""

    key = "count"
    label = N_("Count")


class Total(_Valued):
    """The sum of a column between its bounds."""

    key = "sum"
    label = N_("Sum")


class Mean(_Valued):
    """The mean of a column between its bounds: a noisy sum about their middle over a noisy count,
    or over the number of rows, where everybody knows that and one is replaced."""

    key = "mean"
    label = N_("Mean")
    counted = True

    size_known: bool = flag(
        False,
        N_("Size is known"),
        N_("Everybody knows how many rows there are, and every row has a value."),
    )

    def agree(self) -> None:
        super().agree()
        if self.size_known and (self.where or self.size is None):
            text = N_("Where the size is known it is typed, and the mean is about all rows.")
            raise ParamError("size_known", Message(text))


class _Grouped(Question):
    column: str = param("group", Column(N_("Column"), N_("Whose words are the cells."), words=True))
    groups: tuple[str, ...] = param((), Groups(N_("Words"), _WORDS), of=("column",))

    def agree(self) -> None:
        super().agree()
        _several("groups", self.groups)

    @property
    def cells(self) -> int:
        return len(self.groups)


class Histogram(Question):
    """How many rows lie between each two edges."""

    key = "histogram"
    label = N_("Histogram")

    column: str = param("value", Column(N_("Column"), N_("A column of numbers."), numeric=True))
    edges: tuple[float, ...] = param(
        (), Edges(N_("Edges"), N_("Such as 0, 20, 40, 60.")), of=("column",)
    )

    def agree(self) -> None:
        super().agree()
        if len(self.edges) < 2:
            raise ParamError("edges", say("Type the edges of the bins, such as 0, 20, 40, 60."))

    @property
    def cells(self) -> int:
        return len(self.edges) - 1


class ByGroup(_Grouped):
    """How many rows there are of each group."""

    key = "by_group"
    label = N_("By group")


class SumByGroup(_Grouped):
    """The sum of a column in each group."""

    key = "sum_by_group"
    label = N_("Sum by group")
    of_values = True

    measured: str = param("value", Column(N_("Measured"), N_("A column of numbers."), numeric=True))
    low: Fraction = param(Fraction(0), _LOWEST, of=("measured",))
    high: Fraction = param(Fraction(1), _HIGHEST, of=("measured",))

    def agree(self) -> None:
        super().agree()
        _apart(self.low, self.high)

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        return self.low, self.high


class MeanByGroup(SumByGroup):
    """The mean of a column in each group."""

    key = "mean_by_group"
    label = N_("Mean by group")
    counted = True


class TwoWay(_Grouped):
    """How many rows have each pair of words of two columns."""

    key = "two_way"
    label = N_("Two-way table")

    other: str = param(
        "other", Column(N_("Other column"), N_("Whose words are the columns."), words=True)
    )
    other_groups: tuple[str, ...] = param((), Groups(N_("Its words"), _WORDS), of=("other",))

    def agree(self) -> None:
        super().agree()
        _several("other_groups", self.other_groups)

    @property
    def cells(self) -> int:
        return len(self.groups) * len(self.other_groups)


class Quantile(Question):
    """The value below which a share of the rows lies, chosen from a grid: off by so many ranks more
    than the best value of the grid."""

    key = "quantile"
    label = N_("Quantile")
    additive = False
    behind = "ranks"

    column: str = param("value", Column(N_("Column"), N_("A column of numbers."), numeric=True))
    share: Fraction = param(
        Fraction(1, 2),
        Exact(
            N_("Share below"),
            N_("0.5 is the median."),
            low=Fraction(1, 1000),
            high=Fraction(999, 1000),
        ),
    )
    grid: tuple[float, ...] = param(
        (), Edges(N_("Grid"), N_("The values that may be chosen.")), of=("column",)
    )

    def agree(self) -> None:
        super().agree()
        if len(self.grid) < 2:
            raise ParamError("grid", say("Type the values that may be chosen, such as 20, 30, 40."))

    @property
    def cells(self) -> int:
        return len(self.grid)

    def reach(self, unit: Unit) -> Reach:
        """By how many ranks one person moves each value: max(q, 1 − q) a row that comes or goes, 1
        one that is replaced."""
        one = Fraction(1) if unit.adjacency == REPLACE else max(self.share, 1 - self.share)
        return Reach(self.cells, unit.rows * one, (unit.rows * one) ** 2, False)


class MostCommon(_Grouped):
    """Which word most rows have: off by so many rows."""

    key = "most_common"
    label = N_("Most common")
    additive = False
    behind = "rows"

    def reach(self, unit: Unit) -> Reach:
        return Reach(self.cells, Fraction(unit.rows), Fraction(unit.rows) ** 2, True)


QUESTIONS: list[type[Question]] = [
    Count,
    Total,
    Mean,
    Histogram,
    ByGroup,
    SumByGroup,
    MeanByGroup,
    TwoWay,
    Quantile,
    MostCommon,
]
