"""What a local protocol for categories is: one person's channel, the collector's estimator, and the
exact error of both."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom, Reporting
from dpstudio.values.messages import N_, Message, Num, listed, say
from dpstudio.values.parameters import Parameters, param

Values = NDArray[np.int64]
_NAMED = 6
# Of what leaves the program: the share of ε that reports are drawn with, and the largest ε at which
# a probability near 1 has digits enough for it.
CAREFUL, LARGEST = 1 - 2**-20, 25.0


@dataclass(frozen=True)
class Support:
    """How often a report supports a value: `p` where it is the person's own, `q` where it is
    another (Wang, Blocki, Li & Jha 2017: a pure protocol). The complements and the gap p − q are
    given apart, since near 0 and 1 they cannot be subtracted."""

    p: float
    q: float
    not_p: float
    not_q: float
    gap: float

    @property
    def own(self) -> float:
        """Variance of the estimate that one person who holds the value adds: p(1 − p)/(p − q)²."""
        return self.p * self.not_p / self.gap / self.gap

    @property
    def other(self) -> float:
        """The same of a person who holds another: q(1 − q)/(p − q)²."""
        return self.q * self.not_q / self.gap / self.gap


@dataclass(frozen=True, eq=False)
class Report:
    """One person's report. `likelihood` is ln P(report | value) for each of the d values, up to a
    constant, shape (d,); −∞ where that value never gives it. `supports` are the values that it
    speaks for; `shown` says in words what was sent."""

    likelihood: Array
    supports: tuple[int, ...]
    shown: Message


class Protocol(Parameters):
    """Base of the local protocols for categories: each person holds one of d ≥ 2 values and sends
    one report.

    Neighbours are any two values of one person. A report supports some values; the `totals` are how
    many reports support each value. A member gives `support`, `draw`, `reports`, `tally`,
    `channel`, `one`, `bits`; other estimators override the rest.
    """

    editor = "strokes"
    short: ClassVar[str] = ""
    formula: ClassVar[str] = ""
    ink: ClassVar[str] = "accent"
    # Whether it waits in a long list until all of it is asked for.
    seldom: ClassVar[bool] = False
    # Whether p and q say it all, so that `support` and what follows from it serve.
    pure: ClassVar[bool] = True

    epsilon: float = param(1.0, EPSILON)

    @property
    def claim(self) -> float:
        """The declared ε."""
        return self.epsilon

    def at(self, epsilon: float) -> Self | None:
        """The same protocol at another declared ε, also outside the slider's range; None where it
        cannot be had at that ε."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, epsilon=epsilon)
        return copy

    def refuses(self, d: int) -> Message | None:
        """Why it cannot serve d values, as a sentence; None where it can."""
        return None

    def support(self, d: int) -> Support:
        """p and q for d values; raises NotImplementedError where the protocol is not `pure`."""
        raise NotImplementedError

    def spent(self, d: int) -> float:
        """The ε that a report really costs: the largest log ratio over all reports and pairs of
        values."""
        return self.claim

    def bits(self, d: int) -> float:
        """Length of one report in bits."""
        raise NotImplementedError

    def estimate(self, totals: ArrayLike, n: float) -> Array:
        """Unbiased counts from totals of shape (…, d) over n reports, the same shape: (c − nq)/(p −
        q), as of a pure protocol."""
        totals = np.asarray(totals, dtype=np.float64)
        support = self.support(totals.shape[-1])
        return np.asarray((totals - n * support.q) / support.gap)

    def variance(self, counts: ArrayLike) -> Array:
        """Exact variance of each estimated count for a fixed population of `counts`, both of shape
        (d,): every person adds that of a report, by whether they hold the value."""
        counts = np.asarray(counts, dtype=np.float64)
        support = self.support(len(counts))
        return np.asarray(counts * support.own + (counts.sum() - counts) * support.other)

    def expected(self, counts: ArrayLike) -> Array:
        """Mean totals of a population of `counts`, both of shape (d,)."""
        counts = np.asarray(counts, dtype=np.float64)
        support = self.support(len(counts))
        return np.asarray(counts * support.p + (counts.sum() - counts) * support.q)

    def limits(self, d: int) -> tuple[float, float]:
        """The least and the most that one report adds to a total."""
        return 0.0, 1.0

    def rare(self, d: int) -> float:
        """Variance of the estimated count of a value that nobody holds, over n: the curve that
        protocols are compared by."""
        return self.support(d).other

    def exact(self, d: int) -> bool:
        """Whether `draw` has the law of d totals; else the normal law with their exact means and
        covariances. In both totals move together as those of one survey do."""
        return True

    def numbers(self, d: int) -> int:
        """How many random numbers about a survey takes to draw."""
        return d

    def draw(self, rng: np.random.Generator, counts: ArrayLike, surveys: int = 1) -> Array:
        """Totals of whole surveys of a population of whole `counts`, shape (surveys, d), without
        simulating each person. Direct, unary and histogram encoding also take a population a
        survey, `counts` of shape (surveys, d). Raises ValueError where people are not counted in
        whole numbers."""
        raise NotImplementedError

    def leave(self, chance: ReleaseRandom, counts: ArrayLike) -> list[int]:
        """The totals of one survey of whole `counts`, shape (d,), that may leave the program: each
        person's report by itself, drawn exactly from probabilities as doubles. They are those of
        an ε that is a millionth less, which is more than a double misses. Raises NotDrawnError."""
        people = whole(counts)
        careful = self.at(self.claim * CAREFUL) or self
        text = N_(
            "Reports of {protocol} cannot be drawn exactly at ε = {epsilon}, and what leaves must "
            "be. Choose direct encoding (GRR) or unary encoding, and an ε of at most {most}."
        )
        why = say(text, protocol=Message(self.label), epsilon=Num(self.claim, 5), most=Num(LARGEST))
        if self.claim > LARGEST:
            raise NotDrawnError(why)
        values = np.repeat(np.arange(len(people)), people)
        try:
            reports = careful.reports(Reporting(chance), values, len(people))  # type: ignore[arg-type]
        except (TypeError, AttributeError):  # what the exact chance cannot do
            raise NotDrawnError(why) from None
        return [int(total) for total in careful.tally(reports, len(people))]

    def reports(self, rng: np.random.Generator, values: Values, d: int) -> Any:
        """The report of each person who holds values[i] in 0 … d − 1; the shape is the protocol's
        own."""
        raise NotImplementedError

    def tally(self, reports: Any, d: int) -> Array:
        """Totals of such reports, shape (d,)."""
        raise NotImplementedError

    def channel(self, d: int) -> Array:
        """ln P(report | value), shape (reports, d), every possible report once; −∞ for what never
        comes. For small d only.

        Raises NotImplementedError where reports are not listed (noise in real numbers).
        """
        raise NotImplementedError

    def listed(self, d: int) -> Array:
        """What each report that `channel` lists adds to the totals, shape (reports, d); as given
        where a report names a value."""
        return np.eye(d)

    def one(self, rng: np.random.Generator, value: int, labels: tuple[str, ...]) -> Report:
        """A report of a person who holds labels[value], value in 0 … d − 1, and what it says."""
        raise NotImplementedError


def odds_factor(epsilon: float) -> Num:
    """e^ε as an upper bound, to as many places as set it apart from 1; ∞ where no float holds
    it."""
    if epsilon > 700:
        return Num(math.inf)
    return Num(math.exp(epsilon), max(3, 2 + math.ceil(-math.log10(epsilon))), "up")


def sure(belief: float, prior: float) -> Num:
    """A belief in percent: never 100 % unless it was held before."""
    near = 0 < prior < 1 and belief > 0.999
    return (
        Num(min(belief, 1 - 1e-9), 3, "down", percent=True)
        if near
        else Num(belief, 3, percent=True)
    )


def whole(counts: ArrayLike) -> Values:
    """Counts as integers; raises ValueError where they are none."""
    found = np.asarray(counts, dtype=np.float64)
    rounded = np.rint(found).astype(np.int64)
    if np.any(rounded < 0) or np.any(rounded != found):
        raise ValueError("a population is counted in whole people")
    return rounded


def named(values: Sequence[int], labels: tuple[str, ...]) -> Message:
    """The labels of some values in words, at most six of them."""
    shown = listed(f"“{labels[v]}”" for v in values[:_NAMED])
    more = len(values) - _NAMED
    return say("{values} and {more} more", values=shown, more=Num(more)) if more > 0 else shown
