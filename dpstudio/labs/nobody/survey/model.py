"""What a survey with coins says: the answers, the estimate, and its two sources of error."""

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.local_curves import normal_quantile
from dpstudio.labs.nobody.survey.parameters import Survey
from dpstudio.privacy.local.coins import Coins

F = TypeVar("F", float, Array)
_STREAM = 146
DOTS = 100  # that the people of a large survey are drawn as
_FEW = 5  # the rule of thumb of the textbooks for a share


@dataclass(frozen=True)
class Seen:
    """What happened: people by what made them say it the first time, and the yes among all
    answers."""

    yes_true: int
    yes_coin: int
    no_coin: int
    no_true: int
    yes: int

    @property
    def yes_first(self) -> int:
        """Who said yes the first time."""
        return self.yes_true + self.yes_coin

    @property
    def no_first(self) -> int:
        """Who said no."""
        return self.no_true + self.no_coin


@dataclass(frozen=True, eq=False)
class SurveyModel:
    """One state of the lab: its coins, what was seen, and what that means.

    The `estimate` is the share of who is truly yes: unbiased, and so at times below 0 or above 1.
    Half of an interval is `z` standard deviations wide.
    """

    lab: Survey
    data: Dataset
    effort: Effort
    seen: Seen
    estimate: float
    z: float

    @property
    def coins(self) -> Coins:
        """What each person throws."""
        return self.lab.coins

    @property
    def typed(self) -> bool:
        """Whether the answers are those that somebody has seen, not simulated ones."""
        return typed_share(self.lab) is not None

    @property
    def answers(self) -> int:
        """How many answers are given in all."""
        return self.lab.n * self.lab.asked

    @property
    def observed(self) -> float:
        """The share of yes among all answers."""
        return self.seen.yes / self.answers

    @property
    def likely(self) -> float:
        """The possible share nearest to the estimate, at which variances are taken."""
        return min(1.0, max(0.0, self.estimate))


def survey_model(lab: Survey, context: Context) -> SurveyModel:
    """The state of the lab; no table has a part in it but to remember by."""
    seen = seen_of(lab)
    estimate = estimated(lab, seen.yes / (lab.n * lab.asked))
    z = normal_quantile(lab.confidence)
    return SurveyModel(lab, context.data, context.effort, seen, estimate, z)


# What was seen


def typed_share(lab: Survey) -> float | None:
    """The share of yes that was typed; None where answers are simulated."""
    typed: float | None = getattr(lab.observed, "yes", None)
    return typed


def seen_of(lab: Survey) -> Seen:
    """Drawn from the seed: all of it, or only the coins behind the answers that were typed."""
    rng = np.random.Generator(np.random.SFC64([lab.seed, _STREAM]))
    typed = typed_share(lab)
    return _drawn(lab, rng) if typed is None else _imagined(lab, typed, rng)


def _drawn(lab: Survey, rng: np.random.Generator) -> Seen:
    """A simulated survey of people who are yes with the lab's share."""
    told, base = lab.coins.truth, lab.coins.support()
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


def _imagined(lab: Survey, yes: float, rng: np.random.Generator) -> Seen:
    """The coins behind answers of which `yes` is the share of yes, if the lab's share were true."""
    told, base = lab.coins.truth, lab.coins.support()
    first = round(yes * lab.n)
    true = int(rng.binomial(first, told * lab.share / (told * lab.share + base.q)))
    honest = told * (1 - lab.share) / (told * (1 - lab.share) + base.not_p)
    other = int(rng.binomial(lab.n - first, honest))
    return Seen(true, first - true, lab.n - first - other, other, round(yes * (lab.n * lab.asked)))


def people_a_dot(model: SurveyModel) -> float:
    """How many people a dot stands for, of all that the chart has for a large survey."""
    return model.lab.n / DOTS


# What it means


def estimated(lab: Survey, yes: F) -> F:
    """The share of who is truly yes, where that share of the answers was yes; shape of `yes`."""
    return (yes - lab.coins.support().q) / lab.coins.truth


def impossible(model: SurveyModel) -> bool:
    """Whether no share is what is estimated."""
    return not -1e-9 <= model.estimate <= 1 + 1e-9


def half_width(model: SurveyModel, *, sample: bool = True, coins: bool = True) -> float:
    """Half the width of the normal interval of the estimate, or what one source of error alone
    would make of it: the sample of people, or their coins."""
    parts = (
        model.likely * (1 - model.likely) * sample,
        float(model.coins.noise(model.likely)) / model.lab.asked * coins,
    )
    return model.z * math.sqrt(sum(parts) / model.lab.n)


def interval(model: SurveyModel) -> tuple[float, float]:
    """The normal interval of the estimate; it may reach beyond 0 and 1."""
    return model.estimate - half_width(model), model.estimate + half_width(model)


def half_width_of(model: SurveyModel, coins: Coins, asked: int = 1) -> float:
    """Half the width of the interval of as many people with other coins, or asked so often."""
    return model.z * math.sqrt(float(coins.sampling(model.likely, model.lab.n, asked)))


def few(model: SurveyModel) -> bool:
    """Whether yes or no was said so seldom that the normal law of the interval is out of place."""
    return min(model.observed, 1 - model.observed) * model.lab.n < _FEW


def yes_of_nobody(model: SurveyModel) -> float:
    """How many yes are expected where nobody is truly yes."""
    return model.coins.support().q * model.answers


def yes_apart(model: SurveyModel) -> float:
    """How many yes more were said than that, or fewer."""
    return abs(model.seen.yes - yes_of_nobody(model))


def expected_yes(model: SurveyModel, share: float) -> float:
    """How many yes are expected where that share of the people is truly yes."""
    return float(model.coins.yes(share)) * model.answers


# What it tells of one person


def belief(model: SurveyModel, prior: ArrayLike, yes: bool = True) -> Array:
    """How sure one may be of a person's yes after the same answer each time, by Bayes; shape of
    `prior`."""
    prior = np.asarray(prior, dtype=np.float64)
    support = model.coins.support()
    one, other = (support.p, support.q) if yes else (support.not_p, support.not_q)
    # The ratio of the smaller to the larger cannot overflow.
    ratio = (min(one, other) / max(one, other)) ** model.lab.asked
    top, bottom = (prior, (1 - prior) * ratio) if one >= other else (prior * ratio, 1 - prior)
    whole = top + bottom
    return np.asarray(np.where(whole > 0, top / np.where(whole > 0, whole, 1.0), prior))
