"""Sum and mean of a clipped column."""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dpstudio.charts.figure import Array, array
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.queries.count import ONE
from dpstudio.privacy.queries.query import (
    ADD_REMOVE,
    REPLACE,
    Clipping,
    MeasuredQuestion,
    Measurement,
    Move,
    Shift,
    sensitivity_of,
)
from dpstudio.values.fields import flag, real
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import Flag, ParamError, param
from dpstudio.values.problem import Problem

N_PUBLIC = Flag(
    N_("n is public"),
    N_("The number of rows is known to all and every row has a value, so no row can drop out."),
)


def added(low: float, high: float, middle: float = 0.0, step: float = 1.0) -> Move:
    """A person with the value farthest from `middle` comes or goes; the first measurement is a sum
    about that, in units of `step`, a second one would be a count."""
    far = high if abs(high - middle) >= abs(low - middle) else low
    return Move(
        say("a person with the value {value} is added or removed", value=Num(far, 6)),
        (((0, (far - middle) / step),), ((0, 1.0),)),
        row=(None, far),
    )


def replaced(low: float, high: float, middle: float = 0.0, step: float = 1.0) -> tuple[Move, ...]:
    """From one bound to the other; or by a row that lacks the value or fails the condition, which
    adds 0."""
    text = N_("a person’s value changes from {low} to {high}")
    across = Move(
        say(text, low=Num(low, 6), high=Num(high, 6)),
        (((0, (high - low) / step),), ()),
        row=(low, high),
    )
    come = added(low, high, middle, step)
    text = N_("a person with the value {value} is replaced by one who does not count")
    left = Move(say(text, value=come.what.values["value"]), less(come.shifts), row=come.row[::-1])
    return across, left


def less(shifts: tuple[Shift, ...]) -> tuple[Shift, ...]:
    """What who goes changes, of what who comes does."""
    return tuple(tuple((part, -by) for part, by in shift) for shift in shifts)


def sum_extent(low: float, high: float) -> tuple[float, float]:
    """Between which the sum of any number of values in [low, high] lies."""
    return (0.0 if low >= 0 else -math.inf), (0.0 if high <= 0 else math.inf)


def sum_moves(
    low: float, high: float, adjacency: str, middle: float = 0.0, step: float = 1.0
) -> tuple[Move, ...]:
    """Moves of (sum about `middle` in units of `step`, count) of values in [low, high]: a row that
    fails the condition or lacks the value adds 0 to both."""
    if adjacency == ADD_REMOVE:
        return (added(low, high, middle, step),)
    return replaced(low, high, middle, step)


def sum_sensitivity(low: float, high: float, adjacency: str) -> Sensitivity:
    """Δ of a sum of values in [low, high] ∪ {0}.

    Add or remove one: max(|L|, |U|). Replace one: max(U − L, |L|, |U|), because the new row may be
    one that adds 0.
    """
    moves = sum_moves(low, high, adjacency)
    delta = max(move.sizes(0)[0] for move in moves if move.sizes(0))
    text = N_("One person changes this by at most {delta}, the larger of |L| and |U|.")
    replaced_ = N_(
        "One person replaced changes this by at most {delta}, the largest of U − L, |L| and |U|."
    )
    return sensitivity_of(
        moves, 0, 1, say(text if adjacency == ADD_REMOVE else replaced_, delta=Num(delta, 4, "up"))
    )


def varied_sum(data: Dataset, column: str, bounds: tuple[float, float], where: Where) -> float:
    """Var of a clipped sum over samples of as many rows, of which other ones may meet the
    condition."""
    total, _, apart, used = data.powers(column, *bounds, where)
    mean = total / max(1, used) + sum(bounds) / 2
    return apart + used * (1 - used / max(1, data.rows)) * mean**2


def varied_mean(data: Dataset, column: str, bounds: tuple[float, float], where: Where) -> float:
    """Var of a clipped mean over samples of as many rows that meet the condition."""
    _, _, apart, used = data.powers(column, *bounds, where)
    return apart / max(1, used) ** 2


class Sum(Clipping):
    """Sum of a column over the rows that meet the condition, each value clipped to [low, high]."""

    key = "sum"
    label = N_("Sum")
    asks = N_("The sum of")
    asked = N_("What is the sum of {column}")

    def sampling_variance(self, data: Dataset, truth: Array, part: int) -> float | None:
        return varied_sum(data, self.column, self.bounds(data), self.where)

    def measure_rows(self, data: Dataset, adjacency: str) -> MeasuredQuestion:
        low, high = self.bounds(data)
        clipped = data.clipped(self.column, low, high, self.where)
        truth = array([clipped.total])
        whole = whole_values(self, data, low, high)
        unit = say("sum of {column}", column=plain(self.column))
        parts = (Measurement(N_("sum"), truth, sum_sensitivity(low, high, adjacency), whole),)
        moves = tuple(
            replace(move, shifts=move.shifts[:1]) for move in sum_moves(low, high, adjacency)
        )
        return MeasuredQuestion(
            truth,
            (),
            unit,
            parts,
            notes=self.open_note(data),
            openness=self.open_note(data),
            moves=moves,
            extent=sum_extent(low, high),
        )


class Mean(Clipping):
    """A noisy sum over a noisy count, or, where n is public and every row has a value, one noisy
    mean."""

    key = "mean"
    label = N_("Mean")
    asks = N_("The mean of")
    asked = N_("What is the mean of {column}")

    split: float = real(
        0.5,
        N_("Share for the sum"),
        N_("The rest of the budget goes to the count."),
        low=0.05,
        high=0.95,
    )
    centred: bool = flag(
        True,
        N_("Centre first"),
        N_(
            "Subtract the middle of the bounds before summing and add it back after: the sum "
            "then moves by at most (U − L)/2."
        ),
    )
    n_public: bool = param(False, N_PUBLIC)

    def sampling_variance(self, data: Dataset, truth: Array, part: int) -> float | None:
        return varied_mean(data, self.column, self.bounds(data), self.where)

    def measure_rows(self, data: Dataset, adjacency: str) -> MeasuredQuestion:
        low, high = self.bounds(data)
        middle = (low + high) / 2 if self.centred or self.n_public else 0.0
        clipped = data.clipped(self.column, low, high, self.where, middle)
        unit = say("mean of {column}", column=plain(self.column))
        # Where n is public, who turns out to lack a value counts as the middle: Δ holds of all.
        n = max(1, data.count(self.where) if self.n_public else clipped.used)
        truth = array([middle + clipped.total / n if clipped.used or self.n_public else 0.0])
        if self.n_public:
            return self._one(data, truth, Fraction(middle) + Fraction(clipped.total) / n, unit)
        whole = whole_values(self, data, low, high)
        # Twice the sum about a half is an integer again, for noise that needs one.
        step = 0.5 if whole and middle != int(middle) else 1.0
        a, b = (low - middle) / step, (high - middle) / step
        total = array([clipped.total / step])
        sensitivity = sum_sensitivity(a, b, adjacency)
        if self.centred:
            why = _centred_why(sensitivity.l1, step, adjacency)
            sensitivity = replace(sensitivity, why=why)
        about = N_("centred sum") if step == 1 else N_("doubled centred sum")
        part = Measurement(N_("sum"), total, sensitivity, whole, self.split)
        parts = (
            replace(part, about=about) if self.centred else part,
            Measurement(N_("count"), array([clipped.used]), ONE, True, 1 - self.split),
        )
        # A person who enters or leaves moves the count too; one who changes a value does not.
        moves = sum_moves(low, high, adjacency, middle, step)
        notes = self.open_note(data)
        return MeasuredQuestion(
            truth,
            (),
            unit,
            parts,
            (low, high),
            middle,
            step,
            notes=notes,
            openness=notes,
            moves=moves,
        )

    def _one(self, data: Dataset, truth: Array, exact: Fraction, unit: Message) -> MeasuredQuestion:
        """One noisy mean, where n is public: Δ = (U − L)/n. Next to bounds far from 0 a double
        cannot tell so little, so what leaves is the exact one: the centred sum is a double that is
        rounded once, as any sum."""
        low, high = self.bounds(data)
        delta = (high - low) / public_rows(data)
        why = say(
            "One person replaced changes this by at most {delta}, which is (U − L)/n.",
            delta=Num(delta, 4, "up"),
        )
        bare = Sensitivity(delta, delta, delta, why)
        part = Measurement(N_("mean"), truth, bare, whole=False, exact=(exact,))
        across = replace(replaced(low, high)[0], shifts=(((0, delta),),))
        return MeasuredQuestion(
            truth,
            (),
            unit,
            (part,),
            notes=self.open_note(data),
            openness=self.open_note(data),
            moves=(across,),
            extent=(low, high),
        )

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        for problem in super().problems(data, adjacency):
            yield problem
            return
        yield from public_problems(self, data, adjacency, self.n_public)


def _centred_why(delta: float, step: float, adjacency: str) -> Message:
    """By how much one person moves a sum about the middle, measured in units of `step`."""
    text = N_("One person changes the centred sum by at most {delta}, half of U − L.")
    if adjacency != ADD_REMOVE:
        text = N_("One person replaced changes the centred sum by at most {delta}, which is U − L.")
    why = say(text, delta=Num(delta * step, 4, "up"))
    return why if step == 1 else say("{why} It is measured twice over, in integers.", why=why)


_NO_PUBLIC_N = N_(
    "Another person may have another number of rows, so n is not public. Publish sum and count "
    "instead."
)


def public_rows(data: Dataset) -> int:
    """n where it is public. Raises ParamError where persons are told of, as (U − L)/n would then be
    wrong."""
    if data.person:
        raise ParamError("n_public", Message(_NO_PUBLIC_N))
    return max(1, data.rows)


def public_problems(
    query: Clipping, data: Dataset, adjacency: str, n_public: bool
) -> Iterator[Problem]:
    """Why there is no mean or variance here, and why n may not be taken as public."""
    low, high = query.bounds(data)
    if data.clipped(query.column, low, high, query.where).used == 0:
        yield Problem(
            "query.where",
            say(
                "No row meets the condition and has a value, so there is nothing to average. Widen "
                "it."
            ),
        )
    if not n_public:
        return
    if data.person:
        yield Problem("query.n_public", Message(_NO_PUBLIC_N))
    elif adjacency != REPLACE:
        yield Problem(
            "query.n_public",
            say("A public n needs the neighbours “replace one”: adding a person would change n."),
        )
    elif query.where:
        yield Problem(
            "query.n_public",
            say(
                "With a condition a row can drop out, so n is not public. Remove the condition, or "
                "publish sum and count."
            ),
        )
    elif data.missing(query.column):
        yield Problem(
            "query.n_public",
            say(
                "Rows that lack “{column}” drop out, so n is not public. Publish sum and count "
                "instead.",
                column=query.column,
            ),
        )


def whole_values(query: Clipping, data: Dataset, low: float, high: float) -> bool:
    """Whether every value the clipped column can add is an integer (by its declared type, not by
    looking at the values)."""
    return data.info(query.column).type == "integer" and low == int(low) and high == int(high)
