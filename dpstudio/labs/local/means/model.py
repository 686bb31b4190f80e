"""What Local means' charts and sentences share: the people, the rival protocols, their errors, the
simulated surveys."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.conditions import Test, Where
from dpstudio.data.dataset import Dataset
from dpstudio.labs.hidden_noise import hidden_noise
from dpstudio.labs.local.means.people import People, people_of
from dpstudio.privacy.local import NUMBERS, NumberProtocol
from dpstudio.privacy.local.hybrid import Hybrid
from dpstudio.privacy.local.piecewise import Piecewise
from dpstudio.privacy.local.reals import EVERY, ONE
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import N_, Num, Say, plain, say
from dpstudio.values.params import to_json
from dpstudio.values.roots import root

if TYPE_CHECKING:
    from dpstudio.labs.local.means.parameters import LocalMean

CASES = {"worst": N_("the worst values"), "column": N_("this column")}
MEASURES = {"half_width": N_("Half-width"), "deviation": N_("Standard deviation")}
REPLAYS, QUICK = 240, 240
CURVE_POINTS = 97
ALIKE = 1.005  # errors in a lesser ratio are not told apart in words


@dataclass(frozen=True)
class Rival:
    """A protocol as it is drawn beside the others."""

    key: str
    protocol: NumberProtocol
    name: Say
    dash: str = "solid"


class MeansModel:
    """One state of the lab on one table. Everything is worked out when it is first asked for."""

    def __init__(self, lab: LocalMean, data: Dataset, quick: bool = False):
        self.lab, self.data, self.quick = lab, data, quick

    # Who is asked.

    @cached_property
    def where(self) -> Where:
        """The people who are asked: the rows that meet the condition and have a value in every
        column."""
        where = self.lab.query.where
        if not self.lab.more:
            return where
        have = tuple(Test(column, "is not missing") for column in self.lab.more)
        return Where("and", ((where, *have) if where else have))

    @property
    def column(self) -> str:
        return self.lab.query.column

    @cached_property
    def bounds(self) -> tuple[float, float]:
        return self.lab.query.bounds(self.data)

    @cached_property
    def all_bounds(self) -> tuple[tuple[float, float], ...]:
        """The bounds of the column and of every further one."""
        if self.lab.ranges:
            return (self.bounds, *self.lab.ranges)
        others = (
            self.lab.query.with_(column=column, low=None, high=None) for column in self.lab.more
        )
        return (self.bounds, *(other.bounds(self.data) for other in others))

    @property
    def notes(self) -> tuple[Say, ...]:
        public = self.lab.query.public(self.data) and (not self.lab.more or bool(self.lab.ranges))
        return (
            () if public else (say("The bounds come from the data: this choice is not private."),)
        )

    def people_in(self, place: int) -> People:
        """Those of column `place`, 0 being the one asked about."""
        column, (low, high) = (self.column, *self.lab.more)[place], self.all_bounds[place]

        def read() -> People:
            held = self.data.ordered(column, self.where)
            return people_of(held.values, held.counts, low, high)

        return self.data.remember(("local mean", column, low, high, self.where), read)

    @cached_property
    def people(self) -> People:
        return self.people_in(0)

    @property
    def n(self) -> int:
        return self.people.n

    @property
    def half(self) -> float:
        """How many units of the column one unit of t is."""
        return (self.bounds[1] - self.bounds[0]) / 2

    def shown(self, t: float | Array) -> Array:
        """t in the units of the column."""
        return np.asarray((self.bounds[0] + self.bounds[1]) / 2 + self.half * np.asarray(t))

    @property
    def truth(self) -> float:
        return float(self.shown(self.people.mean))

    @cached_property
    def value(self) -> float:
        """What the person holds whose report is drawn, in the units of the column."""
        low, high = self.bounds
        if self.lab.value is not None:
            return min(max(self.lab.value, low), high)
        value = low + 0.75 * (high - low)
        return (
            float(round(value))
            if self.data.info(self.column).type == "integer" and high - low > 4
            else value
        )

    @property
    def t(self) -> float:
        return min(1.0, max(-1.0, (self.value - (self.bounds[0] + self.bounds[1]) / 2) / self.half))

    # The rivals.

    @property
    def protocol(self) -> NumberProtocol:
        return self.lab.protocol

    @property
    def d(self) -> int:
        return max(self.lab.dims, 1 + len(self.lab.more))

    @cached_property
    def rivals(self) -> tuple[Rival, ...]:
        """All protocols at this ε; where a person holds several numbers, those that can in both
        ways to send them."""
        if self.d > 1:
            return self.both_ways
        return tuple(
            Rival(kind.key, kind().at(self.protocol.epsilon), Say(kind.label)) for kind in NUMBERS
        )

    @cached_property
    def both_ways(self) -> tuple[Rival, ...]:
        """All protocols at this ε, in every way to send several numbers."""
        found = []
        for kind in NUMBERS:
            made = kind().at(self.protocol.epsilon)
            if hasattr(made, "coordinates"):
                name = say("{protocol}, one of d", protocol=Say(kind.label))
                found.append(
                    Rival(
                        kind.key,
                        _sending(made, EVERY),
                        say("{protocol}, all d", protocol=Say(kind.label)),
                    )
                )
                found.append(Rival(f"{kind.key}_one", _sending(made, ONE), name, "dash"))
            else:
                found.append(Rival(kind.key, made, Say(kind.label)))
        return tuple(found)

    @cached_property
    def mine(self) -> Rival:
        """The protocol in use."""
        one = self.d > 1 and getattr(self.protocol, "coordinates", EVERY) == ONE
        return next(r for r in self.rivals if r.key == self.protocol.key + ("_one" if one else ""))

    @cached_property
    def drawn(self) -> tuple[Rival, ...]:
        """One of each protocol: sending as the one in use does where that has a choice, else one
        number of several."""
        way = getattr(self.protocol, "coordinates", ONE)
        return tuple(
            r for r in self.rivals if self.d == 1 or getattr(r.protocol, "coordinates", way) == way
        )

    # Errors.

    @property
    def worst(self) -> bool:
        """Whether errors are those of the worst values: also where nothing may be told of this
        column."""
        return self.lab.case == "worst" or not self.lab.show_truth

    def spread(self, protocol: NumberProtocol, d: int | None = None, place: int = 0) -> float:
        """Variance of t* over the people, by the lab's case, for the column at `place`."""
        d = d or self.d
        return protocol.worst(d) if self.worst else self.own_spread(protocol, d, place)

    def own_spread(self, protocol: NumberProtocol, d: int, place: int = 0) -> float:
        """The mean variance over the people of a column: exact, as every variance is linear in
        t²."""
        square = self.people_in(place).square
        low, high = protocol.variance(np.array([0.0, 1.0]), d)
        return float(low * (1 - square) + high * square)

    @cached_property
    def factor(self) -> float:
        """The error by the lab's measure over the standard deviation of a normal estimate."""
        return (
            NormalDist().inv_cdf((1 + self.lab.confidence) / 2)
            if self.lab.measure == "half_width"
            else 1.0
        )

    def error(self, protocol: NumberProtocol, d: int | None = None) -> float:
        """The error of the estimated mean in the units of the column."""
        return self.factor * self.half * math.sqrt(self.spread(protocol, d) / self.n)

    @cached_property
    def errors(self) -> dict[str, float]:
        return {r.key: self.error(r.protocol) for r in self.rivals}

    @cached_property
    def best(self) -> Rival:
        """The rival with the least error; of those that err alike the one in use, else the one
        listed first."""
        least = min(self.errors.values()) * ALIKE
        return next(r for r in (self.mine, *self.rivals) if self.errors[r.key] <= least)

    def central(self, n: float) -> float:
        """The error of a trusted collector's mean of n people with Laplace noise at the same ε: n
        is public and one person's d numbers are replaced, so the L1 sensitivity is d(U − L)/n."""
        b = self.d * 2 * self.half / self.protocol.epsilon / n
        return b * (
            -math.log1p(-self.lab.confidence) if self.lab.measure == "half_width" else math.sqrt(2)
        )

    @property
    def enough(self) -> float:
        """How many people a trusted collector needs for the error that the protocol in use has
        here."""
        return self.central(1) / self.errors[self.mine.key]

    def curve(self, rival: Rival) -> tuple[Array, Array]:
        """(ε, variance of t*) over the slider's range; remembered, as it does not depend on the
        current ε."""
        at_one = rival.protocol.at(1.0)
        square = None if self.worst else self.people.square

        def points() -> Array:
            epsilons = np.geomspace(EPSILON.low, EPSILON.high, CURVE_POINTS)
            return array(np.stack([epsilons, [self.spread(at_one.at(float(e))) for e in epsilons]]))

        both = self.data.remember(("local mean", "curve", at_one, self.d, square), points)
        return both[0], both[1]

    @cached_property
    def crossings(self) -> tuple[tuple[Rival, Rival, float], ...]:
        """(one, other, ε) wherever two of the drawn protocols change places; the hybrid, which is
        made of two of them, left out."""
        square = None if self.worst else self.people.square
        found = []
        for one, other in combinations([r for r in self.drawn if r.protocol.key != "hybrid"], 2):
            key = (
                "local mean",
                "crossing",
                one.protocol.at(1.0),
                other.protocol.at(1.0),
                self.d,
                square,
            )
            found += [
                (one, other, at) for at in self.data.remember(key, partial(self._meet, one, other))
            ]
        return tuple(found)

    def _meet(self, one: Rival, other: Rival) -> tuple[float, ...]:
        epsilons, first = self.curve(one)
        gaps = np.log(first / self.curve(other)[1])

        def gap(epsilon: float) -> float:
            return math.log(
                self.spread(one.protocol.at(epsilon)) / self.spread(other.protocol.at(epsilon))
            )

        spans = zip(pairwise(epsilons), pairwise(gaps), strict=True)
        return tuple(
            root(gap, float(low), float(high), 1e-12)
            for (low, high), (a, b) in spans
            if a * b < 0 and abs(b - a) > 1e-9
        )

    def alike(self, one: Rival, other: Rival, epsilon: float) -> bool:
        """Whether two that change places at ε err alike there: one that sends more of the numbers
        from ε on may leap past."""
        first, second = (
            self.spread(one.protocol.at(epsilon)),
            self.spread(other.protocol.at(epsilon)),
        )
        return abs(first / second - 1) < 1e-6

    # Simulated surveys.

    @property
    def deviation(self) -> float:
        """Standard deviation of the estimate: for this very population, or, where nothing may be
        told of it, for the worst."""
        protocol = self.mine.protocol
        variance = (
            self.own_spread(protocol, self.d) if self.lab.show_truth else protocol.worst(self.d)
        )
        return self.half * math.sqrt(variance / self.n)

    @property
    def seldom(self) -> float | None:
        """How many reports say nothing of their sender on average, where those few make nearly all
        of the variance; else None."""
        protocol, d = self.mine.protocol, self.d
        if not isinstance(protocol, Piecewise | Hybrid) or protocol.kept(d) < d:
            return None
        few = self.n * math.exp(-protocol.epsilon / d / 2)
        return few if few < 10 else None

    @property
    def interval(self) -> float:
        """Half-width of the normal law of the estimate at the confidence."""
        return NormalDist().inv_cdf((1 + self.lab.confidence) / 2) * self.deviation

    @property
    def _asked(self) -> tuple[object, ...]:
        lab = self.lab
        return (
            "local mean",
            "surveys",
            self.column,
            self.bounds,
            self.where,
            self.mine.protocol,
            self.d,
            lab.seed,
            lab.trials,
        )

    @property
    def waits(self) -> bool:
        """Whether the simulation of all surveys has still to be made."""
        return self.lab.trials > QUICK and not self.data.known(self._asked)

    @cached_property
    def surveys(self) -> Array:
        """Estimates of simulated surveys in the units of the column, shape (trials,): fewer while
        the picture is quick."""
        rng = np.random.Generator(np.random.SFC64([self.lab.seed, 2]))
        if self.quick:
            return self.estimates(rng, 0, QUICK)
        return self.data.remember(self._asked, lambda: self.estimates(rng, 0, self.lab.trials))

    def estimates(self, rng: np.random.Generator, place: int, surveys: int) -> Array:
        """Estimated means of column `place`, in its units."""
        people, (low, high) = self.people_in(place), self.all_bounds[place]
        t = self.mine.protocol.totals(rng, people.t, people.many, surveys, self.d) / people.n
        return array((low + high) / 2 + (high - low) / 2 * t)

    @cached_property
    def replays(self) -> Array:
        """Simulated estimates to be shown one by one; a single one where the exact answer is
        hidden."""
        if not self.lab.show_truth:
            return array(self.estimates(self._unseen(0), 0, 1)[:, None])
        return array(self.surveys[:REPLAYS, None])

    @cached_property
    def one_survey(self) -> tuple[float, ...]:
        """One estimate of every column, each from its own law: as they are sent together they are
        not independent."""
        if not self.lab.show_truth:
            rest = [
                float(self.estimates(self._unseen(i), i, 1)[0])
                for i in range(1, 1 + len(self.lab.more))
            ]
        else:
            rng = np.random.Generator(np.random.SFC64([self.lab.seed, 3]))
            rest = [float(self.estimates(rng, i, 1)[0]) for i in range(1, 1 + len(self.lab.more))]
        return (float(self.replays[0, 0]), *rest)

    def _unseen(self, place: int) -> np.random.Generator:
        lab = self.lab
        return hidden_noise(
            self.data,
            lab.seed,
            4,
            [to_json(lab.query), to_json(lab.protocol), lab.more, lab.ranges, self.d, place],
        )

    # Words.

    @property
    def unit(self) -> Say:
        return say("mean of {column}", column=plain(self.column))

    @property
    def error_words(self) -> Say:
        """What an error is, as a subtitle or an axis label."""
        if self.lab.measure == "half_width":
            text = (
                N_("{confidence}, worst values")
                if self.worst
                else N_("{confidence}, this column’s values")
            )
            return say(text, confidence=Num(self.lab.confidence, 4, "down", percent=True))
        return Say(
            N_("deviation, worst values") if self.worst else N_("deviation, this column’s values")
        )


def _sending(protocol: NumberProtocol, way: str) -> NumberProtocol:
    """The same protocol, sending all coordinates or one."""
    return type(protocol)(coordinates=way).at(protocol.epsilon)  # type: ignore[call-arg]
