"""Randomized response: a yes or a no, told truly or left to a coin."""

import math
from collections.abc import Mapping
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.protocol import Protocol, Report, Support, Values, whole
from dpstudio.values.fields import real
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import Real, Solved

LN2, LN3 = math.log(2), math.log(3)
_ABOVE = 1 + 2.0**-46


class Coins(Protocol):
    """Base of the protocols with coins: value 0 is "no", value 1 "yes". The truth is told with
    probability `truth`, else a second coin says yes with probability `heads`. A member gives both,
    with their complements `lie` and `tails`."""

    seldom = True

    @property
    def truth(self) -> float:
        """The probability that the truth is told without a second coin; also the gap P(yes | 1) −
        P(yes | 0)."""
        raise NotImplementedError

    @property
    def lie(self) -> float:
        """1 − truth, to full precision."""
        raise NotImplementedError

    @property
    def heads(self) -> float:
        """The probability that the second coin says yes."""
        return 0.5

    @property
    def tails(self) -> float:
        """1 − heads, to full precision."""
        return 1 - self.heads

    def refuses(self, d: int) -> Message | None:
        if d == 2:
            return None
        return say(
            "Coins answer yes or no: they need exactly two values, and here are {d}.", d=Num(d)
        )

    def support(self, d: int = 2) -> Support:
        """Of the value "yes": P(yes | 1) and P(yes | 0)."""
        coin = self.lie * self.heads
        other = self.lie * self.tails
        return Support(self.truth + coin, coin, other, self.truth + other, self.truth)

    def bits(self, d: int) -> float:
        return 1.0

    def yes(self, share: ArrayLike) -> Array:
        """λ, the probability of a yes where `share` of the people are truly yes; shape of
        `share`."""
        return np.asarray(self.support().q + self.truth * np.asarray(share, dtype=np.float64))

    def estimate(self, totals: ArrayLike, n: float) -> Array:
        """From totals (…, 2) of no and yes: the channel's inverse for yes, and n less that for
        no."""
        totals = np.asarray(totals, dtype=np.float64)
        yes = (totals[..., 1] - n * self.support().q) / self.truth
        return np.stack((n - yes, yes), axis=-1)

    def variance(self, counts: ArrayLike) -> Array:
        """That of the estimated yes, for both: those of no are n less them."""
        no, yes = np.asarray(counts, dtype=np.float64)
        support = self.support()
        return np.full(2, yes * support.own + no * support.other)

    def expected(self, counts: ArrayLike) -> Array:
        no, yes = np.asarray(counts, dtype=np.float64)
        support = self.support()
        return np.array(
            [no * support.not_q + yes * support.not_p, no * support.q + yes * support.p]
        )

    def sampling(self, share: ArrayLike, n: float, asked: int = 1) -> Array:
        """Variance of the estimated share of a survey of n people drawn from a population with
        `share` of yes, each asked `asked` times with fresh coins; for one question it is λ(1 −
        λ)/(n·truth²). Shape of `share`."""
        share = np.asarray(share, dtype=np.float64)
        return np.asarray(share * (1 - share) / n + self.noise(share) / n / asked)

    def noise(self, share: ArrayLike) -> Array:
        """What the coins alone add to the variance of the estimated share, times n; shape of
        `share`."""
        share = np.asarray(share, dtype=np.float64)
        support = self.support()
        return np.asarray(share * support.own + (1 - share) * support.other)

    def draw(self, rng: np.random.Generator, counts: ArrayLike, surveys: int = 1) -> Array:
        """Exact in law: the yes of those who are yes, and of those who are not, are binomial."""
        people = whole(counts)
        support = self.support()
        yes = rng.binomial(people, (support.q, support.p), size=(surveys, 2)).sum(axis=1)
        return np.stack((people.sum() - yes, yes), axis=1).astype(np.float64)

    def reports(self, rng: np.random.Generator, values: Values, d: int) -> Values:
        """0 or 1 for each person, shape of `values`."""
        told = rng.random(len(values)) < self.truth
        return np.where(told, values, rng.random(len(values)) < self.heads).astype(np.int64)

    def tally(self, reports: Values, d: int) -> Array:
        return np.bincount(reports, minlength=d).astype(np.float64)

    def channel(self, d: int) -> Array:
        support = self.support(d)
        return np.log([[support.not_q, support.not_p], [support.q, support.p]])

    def one(self, rng: np.random.Generator, value: int, labels: tuple[str, ...]) -> Report:
        told = int(self.reports(rng, np.array([value]), 2)[0])
        return Report(self.channel(2)[told], (told,), say("“{value}”", value=plain(labels[told])))


class _Absent:
    """Stands where a base has a parameter, and is not there when it is looked for."""

    def __get__(self, held: object, kind: type | None = None) -> float:
        raise AttributeError("these coins have no ε of their own; what they spend is their claim")


class _Fixed(Coins):
    """Coins whose ε follows from the coins. A class variable takes the place of the base's
    parameter, so that they have none."""

    epsilon: ClassVar[_Absent] = _Absent()  # type: ignore[misc]

    def at(self, epsilon: float) -> Self | None:
        """None: at another ε these would be other coins."""
        return None


class FairCoins(_Fixed):
    """Heads: the truth. Tails: a second coin answers. ε = ln 3."""

    key = "fair_coins"
    label = N_("Two fair coins")
    short = N_("fair coins")
    source = "Warner 1965; Dwork & Roth 2014, section 3.2"
    formula = N_("P(yes | yes) = 3/4, P(yes | no) = 1/4, ε = ln 3")
    ink = "fair_coins"

    @property
    def claim(self) -> float:
        return LN3

    @property
    def truth(self) -> float:
        return 0.5

    @property
    def lie(self) -> float:
        return 0.5


class BiasedCoins(_Fixed):
    """Two coins that show heads with probability p: the first lets the truth be told, the second
    says yes."""

    key = "biased_coins"
    label = N_("Two biased coins")
    short = N_("biased coins")
    source = "ln max{1 + p/(1 − p)², 1 + 1/(1 − p)}; " + N_("from the four probabilities")
    formula = N_("P(yes | yes) = p + (1 − p)p, P(yes | no) = (1 − p)p")
    ink = "biased_coins"

    p: float = real(
        0.75,
        N_("p"),
        N_("How often either coin shows heads: the truth, and then a yes by the coin."),
        low=0.001,
        high=0.999,
    )

    @property
    def claim(self) -> float:
        """The larger of the ratios for no (1 + p/(1 − p)²) and for yes (1 + 1/(1 − p)): from p = ½
        on it is that for no. With what doubles may have lost: it is booked."""
        return _ABOVE * math.log1p(max(self.truth / self.lie / self.lie, 1 / self.lie))

    @property
    def printed(self) -> float:
        """ε by the formula of the texts, which looks at a no only: too small below p = ½."""
        return math.log1p(self.truth / self.lie / self.lie)

    @property
    def truth(self) -> float:
        return self.p

    @property
    def lie(self) -> float:
        return float(self.__dict__.get("rest", 1 - self.p))

    @property
    def heads(self) -> float:
        return self.p

    @property
    def tails(self) -> float:
        return self.lie

    def at(self, epsilon: float) -> Self | None:
        """p from ε; None down to ln 2, which these coins never reach. The complement of p is kept
        for large ε."""
        if epsilon <= LN2:
            return None
        if epsilon >= LN3:
            # 2/(1 + √(4e^ε − 3)), with e^(−ε/2) drawn out: e^ε would overflow where a question is
            # asked many times.
            shrink = math.exp(-epsilon / 2)
            rest = 2 * shrink / (shrink + 2 * math.sqrt(1 - 0.75 * shrink * shrink))
            p = 1 - rest
        else:
            rest = 1 / math.expm1(epsilon)
            p = 2 * math.expm1(epsilon - LN2) * rest
        copy = object.__new__(type(self))
        copy.__dict__.update(p=p, rest=rest)
        return copy


def _log_odds(coins: Coins, p: float) -> Mapping[str, float]:
    """ε = ln(p/(1 − p)), to full precision about p = 1/2."""
    return {"epsilon": math.log1p((2 * p - 1) / (1 - p)) if p < 1 else math.inf}


class Warner(Coins):
    """The truth with probability e^ε/(1 + e^ε), else the opposite; or else: the truth with
    tanh(ε/2), otherwise a fair coin."""

    key = "warner"
    label = N_("Warner")
    short = N_("Warner")
    source = (
        "Warner 1965, Randomized response: a survey technique for eliminating evasive answer bias"
    )
    formula = N_("truth with eᵋ/(1 + eᵋ); or: truth with tanh(ε/2), else a fair coin")
    ink = "warner"
    solved = {
        "p": Solved(
            Real(
                N_("p"),
                N_("How often the truth is told, eᵋ/(1 + eᵋ): typing it sets ε."),
                low=0.5,
                high=1,
            ),
            _log_odds,
        )
    }

    @property
    def p(self) -> float:
        """How often the truth is told: e^ε/(1 + e^ε)."""
        return 1 / (1 + math.exp(-self.epsilon))

    @property
    def truth(self) -> float:
        """tanh(ε/2) = (e^ε − 1)/(e^ε + 1)."""
        return math.tanh(self.epsilon / 2)

    @property
    def lie(self) -> float:
        shrink = math.exp(-self.epsilon)
        return 2 * shrink / (1 + shrink)


COINS: list[type[Coins]] = [FairCoins, BiasedCoins, Warner]
