"""What a survey with coins says: the answers, the estimate with its two sources of error, the exact
law, and people needed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.local.coins import Coins, Warner
from dpstudio.values.messages import Num

if TYPE_CHECKING:
    from dpstudio.labs.local.survey.parameters import Survey

_STREAM = 146
_FEW = 5  # the rule of thumb of the textbooks for a share
_WINDOW = 8.0  # standard deviations on either side: what lies beyond is about 1e-15


@dataclass(frozen=True)
class Seen:
    """What happened: people by what made them say it the first time, and the yes among all
    answers."""

    yes_true: int
    yes_coin: int
    no_coin: int
    no_true: int
    yes: int


class SurveyModel:
    """One state of the lab."""

    def __init__(self, lab: Survey, data: Dataset):
        self.lab, self.data, self.coins = lab, data, lab.coins
        self.typed: float | None = getattr(lab.observed, "yes", None)
        self.answers = lab.n * lab.asked
        self.z = NormalDist().inv_cdf((1 + lab.confidence) / 2)

    # What was seen

    @cached_property
    def seen(self) -> Seen:
        """Drawn from the seed: all of it, or only the coins behind the answers that were typed."""
        lab, coins = self.lab, self.coins
        rng = np.random.Generator(np.random.SFC64([lab.seed, _STREAM]))
        told, base = coins.truth, coins.support()
        if self.typed is not None:
            first = round(self.typed * lab.n)
            true = int(rng.binomial(first, told * lab.share / (told * lab.share + base.q)))
            other = int(
                rng.binomial(
                    lab.n - first, told * (1 - lab.share) / (told * (1 - lab.share) + base.not_p)
                )
            )
            return Seen(
                true, first - true, lab.n - first - other, other, round(self.typed * self.answers)
            )
        chances = np.array([told * lab.share, base.q, base.not_p, told * (1 - lab.share)])
        yes_true, yes_coin, no_coin, no_true = (
            int(k) for k in rng.multinomial(lab.n, chances / chances.sum())
        )
        yes = yes_true + yes_coin
        if lab.asked > 1:
            truly = yes_true + rng.binomial(yes_coin + no_coin, lab.share)
            again = lab.asked - 1
            yes += int(
                rng.binomial(again * truly, base.p) + rng.binomial(again * (lab.n - truly), base.q)
            )
        return Seen(yes_true, yes_coin, no_coin, no_true, yes)

    @property
    def observed(self) -> float:
        return float(self.seen.yes / self.answers)

    # What it means

    @cached_property
    def estimate(self) -> float:
        """Unbiased, and so at times below 0 or above 1."""
        return (self.observed - self.coins.support().q) / self.coins.truth

    @property
    def impossible(self) -> bool:
        """Whether no share is what is estimated."""
        return not -1e-9 <= self.estimate <= 1 + 1e-9

    @property
    def likely(self) -> float:
        """The possible share nearest to the estimate, at which variances are taken."""
        return min(1.0, max(0.0, self.estimate))

    def half_width(self, *, sample: bool = True, coins: bool = True) -> float:
        """Of the normal interval, or what one source of error alone would make of it."""
        parts = (
            self.likely * (1 - self.likely) * sample,
            float(self.coins.noise(self.likely)) / self.lab.asked * coins,
        )
        return self.z * math.sqrt(sum(parts) / self.lab.n)

    @property
    def interval(self) -> tuple[float, float]:
        return self.estimate - self.half_width(), self.estimate + self.half_width()

    def spread_of(self, coins: Coins, asked: int = 1) -> float:
        """Half-width of the interval of as many people with other coins, or asked so often."""
        return self.z * math.sqrt(float(coins.sampling(self.likely, self.lab.n, asked)))

    @property
    def few(self) -> bool:
        """Whether yes or no was said so seldom that the normal law of the interval is out of
        place."""
        return min(self.observed, 1 - self.observed) * self.lab.n < _FEW

    @property
    def untold(self) -> bool:
        """Whether so few of one answer make the number of people needed look smaller than it can be
        told from them."""
        return self.few and self.needed_here <= self.lab.n

    # How many it takes

    def needed(self, coins: Coins | None, asked: int = 1) -> int:
        """People for an interval within ± the aim at the likely share; without coins, where all
        tell the truth."""
        noise = float(coins.noise(self.likely)) / asked if coins else 0.0
        return up((self.z / self.lab.aim) ** 2 * (self.likely * (1 - self.likely) + noise))

    @property
    def needed_here(self) -> int:
        return self.needed(self.coins, self.lab.asked)

    @property
    def needed_for_coins(self) -> int:
        """People for a standard error of the aim from the coins alone."""
        return up(float(self.coins.noise(self.likely)) / self.lab.asked / self.lab.aim**2)

    # What it costs

    @property
    def total(self) -> float:
        """ε of all answers of one person, with fresh coins each time."""
        return float(self.lab.asked * self.coins.claim)

    def whole(self, asked: int) -> Warner:
        """One question that spends the ε of so many answers."""
        found = Warner().at(asked * self.coins.claim)
        assert found is not None
        return found

    def belief(self, prior: ArrayLike, yes: bool = True) -> Array:
        """How sure one may be of a person's yes after the same answer each time; shape of
        `prior`."""
        prior = np.asarray(prior, dtype=np.float64)
        support = self.coins.support()
        one, other = (support.p, support.q) if yes else (support.not_p, support.not_q)
        # The ratio of the smaller to the larger cannot overflow.
        ratio = (min(one, other) / max(one, other)) ** self.lab.asked
        top, bottom = (prior, (1 - prior) * ratio) if one >= other else (prior * ratio, 1 - prior)
        whole = top + bottom
        return np.asarray(np.where(whole > 0, top / np.where(whole > 0, whole, 1.0), prior))

    # The law of the estimate

    @cached_property
    def law(self) -> tuple[Array, Array]:
        """(estimates, probabilities) over surveys of people drawn from the population, where they
        matter."""
        lab = self.lab
        key = ("survey", "law", lab.n, lab.asked, lab.share, self.coins)
        counts, chances = self.data.remember(
            key, lambda: yes_law(self.coins, lab.share, lab.n, lab.asked)
        )
        return (counts / self.answers - self.coins.support().q) / self.coins.truth, chances

    @property
    def deviation(self) -> float:
        """Standard deviation of the estimate at the true share."""
        return math.sqrt(float(self.coins.sampling(self.lab.share, self.lab.n, self.lab.asked)))

    @property
    def coverage(self) -> float:
        """The share of surveys whose normal interval holds the true share, by the exact law."""
        at, chances = self.law
        spread = np.sqrt(self.coins.sampling(np.clip(at, 0, 1), self.lab.n, self.lab.asked))
        return float(chances[np.abs(at - self.lab.share) <= self.z * spread * (1 + 1e-12)].sum())


def yes_law(coins: Coins, share: float, n: int, asked: int) -> tuple[Array, Array]:
    """(numbers of yes, probabilities) among n·asked answers: binomial for one question, else a sum
    over people.

    The n-th power of one person's transform on a circle that is long enough for all that matters.
    """
    support = coins.support()
    one = share * _binomial(asked, support.p, support.not_p) + (1 - share) * _binomial(
        asked, support.q, support.not_q
    )
    k = np.arange(asked + 1)
    mean, most = n * float(one @ k), n * asked
    spread = math.sqrt(n * float(one @ (k - one @ k) ** 2))
    size = 1 << math.ceil(math.log2(min(most + 1, 2 * _WINDOW * spread + 64)))
    start = max(0, min(round(mean) - size // 2, most + 1 - size))
    chances = np.fft.irfft(np.fft.rfft(one, size) ** n, size)
    counts = np.arange(start, min(start + size, most + 1))
    found = np.maximum(chances[counts % size], 0.0)
    return counts.astype(np.float64), found / found.sum()


def _binomial(m: int, p: float, not_p: float) -> Array:
    return np.array([math.comb(m, k) * p**k * not_p ** (m - k) for k in range(m + 1)])


def up(people: float) -> int:
    """The next whole person, where rounding errors make none."""
    return max(1, math.ceil(people * (1 - 1e-12)))


def percent(value: float, width: float, rounding: str = "near") -> Num:
    """A share in percent, to as many places as an interval of such a half-width makes
    meaningful."""
    places = max(0, math.ceil(-math.log10(max(width, 1e-9) * 20)))
    size, step = abs(value) * 100, 10.0**-places
    inward = rounding == ("down" if value > 0 else "up")
    if size < step and (inward or (rounding == "near" and size < step / 2)):
        return Num(0.0, percent=True)
    power = math.floor(math.log10(size) + 1e-9) if size > 0 else 0
    return Num(value, max(0 if power >= -4 else 1, power + 1 + places), rounding, percent=True)
