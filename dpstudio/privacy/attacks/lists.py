"""What can be audited: mechanisms with a few listed outputs, which are randomised responses and
choices, right ones and wrong ones."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.local.coins import BiasedCoins
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.choosing import SELECTIONS, Exponential
from dpstudio.privacy.mechanisms.selection import Scores, Selection
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param


class Listed(Subject):
    """Base of those with a few possible outputs 0 … k − 1, whose probabilities are listed."""

    def log_chances(self, side: int) -> Array:
        """ln P(output), shape (k,); −∞ for what never comes."""
        raise NotImplementedError

    def exact(self) -> float:
        return float(np.max(np.abs(self._losses)))

    @property
    def _losses(self) -> Array:
        here, there = self.log_chances(0), self.log_chances(1)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(here == there, 0.0, here - there))

    def loss(self, outputs: Array) -> Array:
        return np.asarray(self._losses[outputs.astype(np.intp)])


def _logs(*chances: float) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.array(chances)))


class Response(Listed):
    """Randomised response over k answers, right: the truth with probability e^ε/(e^ε + k − 1), else
    another one."""

    key = "response"
    label = N_("Response")
    what = N_(
        "Randomised response, right: the truth with probability eᵋ/(eᵋ + k − 1), else any other "
        "answer."
    )

    epsilon: float = param(1.0, EPSILON)
    answers: int = integer(2, N_("Answers k"), N_("How many answers there are."), low=2, high=20)

    @property
    def honest(self) -> float:
        """Probability of the truth."""
        return Direct(self.epsilon).support(self.answers).p

    @property
    def lie(self) -> float:
        """Probability of each other answer."""
        return Direct(self.epsilon).support(self.answers).q

    def log_chances(self, side: int) -> Array:
        chances = [self.lie] * self.answers
        chances[side] = self.honest
        return _logs(*chances)

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        lies = (side + rng.integers(1, self.answers, size)) % self.answers
        return np.where(rng.random(size) < self.honest, side, lies).astype(np.float64)


class ManyAnswers(Response):
    """Randomised response over k answers with the probability that is right for two: the real ε is
    ε + ln(k − 1)."""

    key = "many_answers"
    label = N_("Wrong coin")
    what = N_(
        "The truth is told with probability eᵋ/(eᵋ + 1), which is right for two answers only."
    )

    answers: int = integer(8, N_("Answers k"), N_("How many answers there are."), low=2, high=20)

    @property
    def honest(self) -> float:
        return Direct(self.epsilon).support(2).p

    @property
    def lie(self) -> float:
        return Direct(self.epsilon).support(2).q / (self.answers - 1)


class TwoCoins(Listed):
    """Truth with probability p, else yes with probability p, and the printed formula ln(1 + p/(1 −
    p)²). D says yes, D′ no."""

    key = "two_coins"
    label = N_("Two coins")
    what = N_(
        "Randomised response with two coins of bias p and the formula ln(1 + p/(1 − p)²), which "
        "forgets one answer."
    )

    p: float = real(
        0.25,
        N_("Both coins fall heads with p"),
        N_("Heads: the truth; else heads again: yes."),
        low=0.01,
        high=0.99,
    )

    @property
    def claim(self) -> tuple[float, float]:
        return BiasedCoins(p=self.p).printed, 0.0

    def log_chances(self, side: int) -> Array:
        return BiasedCoins(p=self.p).channel(2)[:, 1 - side]

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        first, second = rng.random((2, size)) < self.p
        return np.where(first, float(side == 0), second)


class OneCoin(TwoCoins):
    """The same with the first coin looked at twice: after tails it shows tails again, so a yes is
    always true."""

    key = "one_coin"
    label = N_("One coin")
    what = N_("The second coin is the first one looked at again: who says yes has told the truth.")

    p: float = real(
        0.5,
        N_("The coin falls heads with p"),
        N_("Heads: the truth; tails: no."),
        low=0.01,
        high=0.99,
    )

    @property
    def claim(self) -> tuple[float, float]:
        return BiasedCoins(p=self.p).claim, 0.0

    def log_chances(self, side: int) -> Array:
        yes = self.p * (side == 0)
        return _logs(1 - yes, yes)

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        coin = rng.random(size) < self.p
        return np.where(coin, float(side == 0), coin)


class ShortShift(Response):
    """Listing 4.7: a lie is the truth shifted by randint(0, k − 1), which stops at k − 2. D holds
    1, which never gives 0."""

    key = "short_shift"
    label = N_("Short shift")
    what = N_(
        "A lie is shifted by 0 to k − 2 places: nobody answers the value before the own one, so "
        "each answer rules out the value after it."
    )

    answers: int = integer(14, N_("Answers k"), N_("How many answers there are."), low=2, high=20)

    def log_chances(self, side: int) -> Array:
        chances, held = np.full(self.answers, self.lie), 1 - side
        chances[held] = self.honest + self.lie
        chances[held - 1] = 0.0
        return _logs(*chances)

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        lies = (1 - side + rng.integers(0, self.answers - 1, size)) % self.answers
        return np.where(rng.random(size) < self.honest, 1 - side, lies).astype(np.float64)


class Chosen(Listed):
    """A selection mechanism of the catalogue where one person lowers the score of candidate 0 by 1
    and raises all others."""

    key = "selection"
    label = N_("Selection")
    what = N_(
        "As in the catalogue: between D and D′ the score of one candidate falls by 1 and all "
        "others rise by 1."
    )

    mechanism: Selection = param(
        Exponential(),
        OneOf(N_("Mechanism"), N_("Which choice is audited."), family=lambda: SELECTIONS),
    )
    candidates: int = integer(
        8, N_("Candidates"), N_("How many there are to choose from."), low=2, high=20
    )

    @property
    def name(self) -> str:
        return self.mechanism.label

    @property
    def claim(self) -> tuple[float, float]:
        return self.mechanism.epsilon, 0.0

    def scores(self, side: int) -> Scores:
        """The scores of all candidates on one of the two neighbours."""
        values = np.full(self.candidates, float(side))
        values[0] = 1.0 - side
        return Scores(values)

    def log_chances(self, side: int) -> Array:
        return self.mechanism.log_pmf(self.scores(side))

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        return self.mechanism.simulate(rng, self.scores(side), size).astype(np.float64)


class Unhalved(Chosen):
    """The exponential mechanism as for monotone scores, e^(ε·q/Δ), where scores move both ways: up
    to 2ε."""

    key = "unhalved"
    label = N_("No factor 2")
    what = N_(
        "The exponential mechanism without the factor 2 in exp(ε·q/2Δ), on scores that move both "
        "ways."
    )

    mechanism: Selection = param(
        Exponential(),
        OneOf(N_("Mechanism"), N_("Which choice is audited."), family=lambda: [Exponential]),
    )

    @property
    def name(self) -> str:
        return self.label

    def scores(self, side: int) -> Scores:
        """The same scores, said to move one way only."""
        return Scores(super().scores(side).values, monotone=True)
