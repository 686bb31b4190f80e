"""Variance and standard deviation of a clipped column."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.queries import query
from dpstudio.privacy.queries.count import ONE
from dpstudio.privacy.queries.total import N_PUBLIC, less, public_problems, public_rows
from dpstudio.values.fields import real
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import param
from dpstudio.values.problem import Problem


@dataclass(frozen=True)
class SpreadFormula:
    """Population variance, or its root, from noisy (sum of x − c, sum of (x − c)², count), clamped
    to what is possible."""

    half: float
    root: bool

    @property
    def limits(self) -> tuple[Array, Array]:
        """Between which the answer lies, shape (1,) each."""
        return array([0.0]), array([self.half if self.root else self.half**2])

    def __call__(self, noisy: list[Array]) -> Array:
        total, squares, count = noisy
        n = np.maximum(count, 1.0)
        variance = np.clip(squares / n - (total / n) ** 2, 0.0, self.half**2)
        return np.asarray(np.sqrt(variance) if self.root else variance)


def spread_moves(
    low: float, high: float, adjacency: str, middle: float = 0.0
) -> tuple[query.Move, ...]:
    """Moves of (sum, sum of squares, count) of values in [low, high] about `middle`; [low, high]
    holds 0 at its middle, or next to it.

    In units of the bounds a change from −t to 1 moves sum and squares at once by 1 + t and 1 − t²:
    no single t is the largest in both, so the pair of both bounds is listed too, as one that no
    person need reach. Under noise that adds up squares, with as large a share for the count as for
    the sum, it never decides: (1 + t)²a + (1 − t²)²b ≤ 4a + b, and who comes or goes moves a + b +
    4a, as the sum alone moves by 2.
    """
    far = max(-low, high)
    square, across = far * far, high * high - low * low
    start, end = middle + low, middle + high
    there = end if far == high else start
    shifts = (((0, far),), ((0, square),), ((0, 1.0),))
    if adjacency == query.ADD_REMOVE:
        text = say("a person with an extreme value is added or removed")
        return (query.Move(text, shifts, row=(None, there)),)
    text = say("a person with an extreme value is replaced by one who does not count")
    come = query.Move(text, less(shifts), row=(there, None))
    jump = query.Move(
        say("a person’s value changes from one bound to the other"),
        (((0, high - low),), ((0, across),) if across else (), ()),
        row=(start, end),
    )
    outward = query.Move(
        say("a person’s value changes from the middle to a bound"),
        (((0, far),), ((0, square),), ()),
        row=(middle, there),
    )
    both = query.Move(
        say("no change of a value moves more than both of these"),
        (((0, high - low),), ((0, square),), ()),
        reached=False,
    )
    return jump, outward, come, both


class Spread(query.Clipping):
    """Noisy sum, sum of squares (both about the middle of the bounds) and count; or, with n public,
    one noisy answer."""

    rooted: ClassVar[bool] = False

    split: float = real(
        0.34,
        N_("Share for the squares"),
        N_("The rest of the budget is halved between the sum and the count."),
        low=0.05,
        high=0.9,
    )
    n_public: bool = param(False, N_PUBLIC)

    def measure_rows(self, data: Dataset, adjacency: str) -> query.MeasuredQuestion:
        low, high = self.bounds(data)
        total, squares, apart, used = data.powers(self.column, low, high, self.where)
        formula = SpreadFormula((high - low) / 2, self.rooted)
        # Where n is public, who turns out to lack a value counts as the middle: Δ holds of all. Not
        # from total and squares: their difference loses the digits of a small variance, and its
        # root moves by more than Δ then.
        n = data.count(self.where) if self.n_public else used
        apart += total**2 * (1 / used - 1 / n) if used else 0.0
        truth = array(formula([array([0.0]), array([apart]), array([n])]))
        text = N_("standard deviation of {column}") if self.rooted else N_("variance of {column}")
        unit = say(text, column=plain(self.column))
        if self.n_public:
            return self._one(data, low, high, truth, unit)
        half = (high - low) / 2
        moves = spread_moves(-half, half, adjacency, (low + high) / 2)
        whys = (
            say(
                "One person changes the centred sum by at most {delta}.",
                delta=Num(_widest(moves, 0), 4, "up"),
            ),
            say(
                "One person changes the centred sum of squares by at most {delta}.",
                delta=Num(_widest(moves, 1), 4, "up"),
            ),
        )
        rest = (1 - self.split) / 2
        parts = (
            query.Measurement(
                N_("sum"),
                array([total]),
                query.sensitivity_of(moves, 0, 1, whys[0]),
                False,
                rest,
                about=N_("centred sum"),
            ),
            query.Measurement(
                N_("squares"),
                array([squares]),
                query.sensitivity_of(moves, 1, 1, whys[1]),
                False,
                self.split,
                about=N_("centred sum of squares"),
            ),
            query.Measurement(N_("count"), array([used]), ONE, True, rest),
        )
        notes = self.open_note(data)
        return query.MeasuredQuestion(
            truth, (), unit, parts, formula=formula, notes=notes, openness=notes, moves=moves
        )

    def _one(
        self, data: Dataset, low: float, high: float, truth: Array, unit: Message
    ) -> query.MeasuredQuestion:
        """Worst is one value at the other end of all the rest: variance (n − 1)/n² (U − L)², and
        its root."""
        n, half = public_rows(data), (high - low) / 2
        delta = (
            math.sqrt(n - 1) / n * (high - low)
            if self.rooted
            else (n - 1) / n**2 * (high - low) ** 2
        )
        delta = max(delta, 1e-300)
        text = (
            N_("One person replaced changes this by at most {delta}, which is √(n − 1)·(U − L)/n.")
            if self.rooted
            else N_(
                "One person replaced changes this by at most {delta}, which is (n − 1)(U − L)²/n²."
            )
        )
        # The variance is off by less than 2⁻⁵⁰ of half²; the root of that is, near 0, far more.
        slip = (2**-24 * half if self.rooted else 2**-49 * half**2) / delta
        part = query.Measurement(
            N_("spread"),
            truth,
            Sensitivity(delta, delta, delta, say(text, delta=Num(delta, 4, "up"))),
            whole=False,
            slip=slip,
        )
        text = N_("all values are equal, and one moves to the other bound")
        move = query.Move(say(text), (((0, delta),),), row=(low, high))
        notes = self.open_note(data)
        return query.MeasuredQuestion(
            truth,
            (),
            unit,
            (part,),
            notes=notes,
            openness=notes,
            moves=(move,),
            extent=(0.0, half if self.rooted else half**2),
        )

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        for problem in super().problems(data, adjacency):
            yield problem
            return
        yield from public_problems(self, data, adjacency, self.n_public)


def _widest(moves: tuple[query.Move, ...], place: int) -> float:
    return max(move.sizes(place)[0] for move in moves if move.sizes(place))


class Variance(Spread):
    """Population variance. Replace one, n public: Δ = (n − 1)(U − L)²/n²."""

    key = "variance"
    label = N_("Variance")
    asks = N_("The variance of")
    asked = N_("What is the variance of {column}")


class Deviation(Spread):
    """Population standard deviation: the root of the noisy variance, or, with n public, one answer
    with Δ = √(n − 1)(U − L)/n."""

    key = "deviation"
    label = N_("Std deviation")
    asks = N_("The standard deviation of")
    asked = N_("What is the standard deviation of {column}")
    rooted = True
