"""Survey: one embarrassing question, answered with coins; what the collector may conclude, and from
how many people."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.nobody.survey import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.local.coins import COINS, Coins, FairCoins
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, Parameters, Share, param


class Observed(Parameters):
    """Base of the ways to come by answers."""


class Typed(Observed):
    """The share of yes that somebody has seen; the nearest whole number of answers is taken."""

    key = "typed"
    label = N_("typed")

    yes: float = param(
        0.3,
        Share(
            N_("Said yes"),
            N_("The share of yes among the answers; 30/100 and 30 % may be typed as well."),
            low=0,
            high=1,
        ),
    )


class Drawn(Observed):
    """Answers of a simulated survey."""

    key = "drawn"
    label = N_("simulated")


OBSERVED: list[type[Observed]] = [Typed, Drawn]


class Survey(Lab, about=ABOUT):
    """People are drawn from a large population; each answers with coins, and the collector sees the
    answers alone. No table."""

    own_budget = True

    n: int = integer(
        100, N_("People"), N_("How many people are asked."), low=10, high=1_000_000, log=True
    )
    observed: Observed = param(
        Typed(),
        OneOf(
            N_("Answers"),
            N_("What was observed, or the answers of a simulated survey."),
            family=lambda: OBSERVED,
            apart=True,
        ),
    )
    coins: Coins = param(
        FairCoins(), OneOf(N_("Coins"), N_("How each person answers."), family=lambda: COINS)
    )
    confidence: float = shared.confidence(
        N_("The share of surveys whose interval holds the truth.")
    )
    aim: float = param(
        0.03,
        Share(
            N_("Within ±"),
            N_("The half-width that is wanted, in points of the percentage: 0.03 is 3 points."),
            low=0.001,
            high=0.5,
            log=True,
            percent=True,
        ),
    )
    asked: int = integer(
        1,
        N_("Times asked"),
        N_("How often each person is asked the same, with fresh coins."),
        low=1,
        high=20,
    )
    share: float = param(
        0.1,
        Share(
            N_("Truly yes"),
            N_("The share of yes in the population: what a simulated survey is drawn from."),
            low=0,
            high=1,
        ),
    )
    seed: int = shared.seed(N_("The same seed flips the same coins."))

    @property
    def method(self) -> Coins:
        """The coins."""
        return self.coins
