"""Errata of local reports of categories: randomized response, direct encoding, thresholded
histogram encoding."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, Axis, Columns, Figure, Rule, array, nice_above
from dpstudio.labs.texts.errata.listings.erratum import (
    CORRECTED,
    EPSILON_AXIS,
    PRINTED,
    Draws,
    Erratum,
    Reading,
    Row,
    corrected,
    epsilons,
    handles,
    printed,
)
from dpstudio.labs.texts.errata.listings.verdict import verdict
from dpstudio.privacy.attacks import lists as audit_lists
from dpstudio.privacy.attacks.local import LocalReport
from dpstudio.privacy.local.coins import BiasedCoins
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.histogram import Thresholded, above
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Real, param

# The 14 occupations of the Adult table (30,718 people who gave one), as the book counts them.
OCCUPATIONS = {
    "Adm-clerical": 3770, "Armed-Forces": 9, "Craft-repair": 4099, "Exec-managerial": 4066, "Farming-fishing": 994,
    "Handlers-cleaners": 1370, "Machine-op-inspct": 2002, "Other-service": 3295, "Priv-house-serv": 149, "Prof-specialty": 4140,
    "Protective-serv": 649, "Sales": 3650, "Tech-support": 928, "Transport-moving": 1597,
}  # fmt: skip

_STEEPEST = 6.0  # of ε against p, which has no end at p = 1


@dataclass(frozen=True)
class TwoCoins(Erratum):
    """Randomized response with two coins of bias p: ε = ln(1 + p/(1 − p)²) is printed for every p
    and holds for p ≥ ½."""

    key: ClassVar[str] = "two_coins"
    label: ClassVar[str] = N_("Randomized response, two biased coins")
    source: ClassVar[str] = "an introductory book, section 2.2.1"

    p: float = param(
        0.25,
        Real(
            N_("Both coins fall heads with p"),
            N_("Heads: the truth; else heads again: yes."),
            low=0.01,
            high=0.99,
        ),
    )

    def read(self, draws: Draws) -> Reading:
        p, coins = self.p, BiasedCoins(p=self.p)
        was, now = coins.printed, coins.claim
        x = np.linspace(0.01, 0.99, 197)
        curves = draws.remember("two coins", lambda: _by_p(x))
        chart = Figure(
            "epsilon",
            say("What the two coins promise"),
            Axis(say("p"), range=(0.0, 1.0)),
            Axis(Say("ε"), range=(0.0, _STEEPEST)),
            (
                printed("epsilon", say("as printed"), x, curves[0]),
                corrected("epsilon", say("corrected"), x, curves[1]),
                Rule("half", "muted", say("p = ½"), 0.5, dash="dot"),
                Rule("floor", "muted", say("ln 2"), math.log(2), axis="y", dash="dot"),
                *handles("p", p, min(was, _STEEPEST), min(now, _STEEPEST)),
            ),
            say("below ½ the answer yes gives more away than no"),
            source="Warner 1965",
        )
        values = {"p": Num(p, 4), "was": Num(was, 4), "now": Num(now, 4, "up")}
        if p < 0.5:
            follows = say(
                "Not private as declared: ε = {was} is claimed at p = {p}, the real one is {now}, "
                "and it never falls below ln 2.",
                **values,
            )
        else:
            follows = say("From p = ½ on the formula is right: ε = {now}.", **values)
        proof = (
            say("P(no | no) = p + (1 − p)² and P(no | yes) = (1 − p)², a ratio of 1 + p/(1 − p)²."),
            say(
                "P(yes | yes) = p + (1 − p)p and P(yes | no) = (1 − p)p, a ratio of 1 + 1/(1 − p), "
                "which is larger for p < ½."
            ),
        )
        return Reading(
            (chart,),
            say(
                "ε = ln(1 + p/(1 − p)²) is called the general formula; it forgets the other answer."
            ),
            follows,
            "bad" if p < 0.5 else "good",
            (
                Row("epsilon", Say("ε"), Num(was, 4), Num(now, 4, "up")),
                Row("floor", say("the least ε for any p"), Num(0.0), say("ln 2")),
            ),
            proof if p < 0.5 else (),
            verdict(draws, audit_lists.TwoCoins(p=p), LocalReport(protocol=coins, values=2)),
        )


def _by_p(p: Array) -> Array:
    """ε as printed and right, shape (2, len(p))."""
    coins = [BiasedCoins(p=float(one)) for one in p]
    return array([[c.printed for c in coins], [c.claim for c in coins]])


@dataclass(frozen=True)
class DirectEncoding(Erratum):
    """Listing 4.7 shifts a lie by randint(0, d − 1): 0 to d − 2 in Python's numpy, so a lie may be
    true and one value never comes."""

    key: ClassVar[str] = "direct_encoding"
    label: ClassVar[str] = N_("Direct encoding with randint")
    source: ClassVar[str] = "an introductory book, listing 4.7"

    epsilon: float = param(5.0, EPSILON)

    def read(self, draws: Draws) -> Reading:
        d = len(OCCUPATIONS)
        support = Direct(self.epsilon).support(d)
        p, q = support.p, support.q
        counts = np.array(list(OCCUPATIONS.values()), dtype=np.float64)
        bias = q * (counts - np.roll(counts, -1)) / support.gap
        values = {
            "epsilon": Num(self.epsilon, 5),
            "own": Num(p + q, 4),
            "p": Num(p, 4),
            "q": Num(q, 3),
            "worst": Num(float(np.max(np.abs(bias)))),
        }
        names = list(OCCUPATIONS)
        proof = (
            say(
                "The lie is v + s mod d with s from 0 to d − 2: the value before v never comes "
                "from a person who holds v."
            ),
            say(
                "Everyone else gives it with probability q = {q} or more, and no ε covers 0 "
                "against {q}.",
                **values,
            ),
        )
        return Reading(
            (self._outputs(p, q), self._bias(bias, names)),
            say(
                "numpy’s randint(0, d − 1) stops at d − 2: a lie may be true, and one value is "
                "never told. It must be randint(1, d)."
            ),
            say(
                "Not private for any ε: some reports rule a value out; and estimates are off by up "
                "to {worst} people.",
                **values,
            ),
            "bad",
            (
                Row("own", say("probability of the truth"), Num(p + q, 4), Num(p, 4)),
                Row("before", say("probability of the value before it"), Num(0.0), Num(q, 3)),
                Row("epsilon", say("real ε"), Num(math.inf), Num(self.epsilon, 5)),
                Row(
                    "bias",
                    say("largest bias of an estimate"),
                    Num(float(np.max(np.abs(bias)))),
                    Num(0.0),
                ),
            ),
            proof,
            verdict(
                draws,
                audit_lists.ShortShift(self.epsilon, d),
                audit_lists.Response(self.epsilon, d),
            ),
        )

    def _outputs(self, p: float, q: float) -> Figure:
        d = len(OCCUPATIONS)
        x = np.arange(d, dtype=np.float64)
        was = np.full(d, q)
        was[0], was[-1] = p + q, 0.0
        now = np.full(d, q)
        now[0] = p
        low = 10.0 ** math.floor(math.log10(q) - 0.5)
        return Figure(
            "outputs",
            say("What a person reports"),
            Axis(say("report − own value, mod 14"), range=(-0.6, d - 0.4), whole=True),
            Axis(say("probability"), log=True, range=(low, 1.5), floored=True),
            (
                Columns(f"{PRINTED}outputs", "bad", say("as printed"), x - 0.2, was, 0.36),
                Columns(f"{CORRECTED}outputs", "good", say("corrected"), x + 0.2, now, 0.36),
            ),
            say("exact; the last value has no printed bar"),
            source=self.source,
        )

    def _bias(self, bias: Array, names: list[str]) -> Figure:
        x = np.arange(len(bias), dtype=np.float64)
        top = nice_above(1.1 * float(np.max(np.abs(bias))))
        return Figure(
            "bias",
            say("How far estimates are off on average"),
            Axis(
                say("occupation"),
                range=(-0.6, len(bias) - 0.4),
                ticks=tuple(zip(x.tolist(), names, strict=True)),
            ),
            Axis(say("mean error of the estimate, people"), range=(-top, top)),
            (
                Columns(f"{PRINTED}bias", "bad", say("as printed"), x, bias, 0.7),
                corrected("bias", "", [-0.6, len(bias) - 0.4], [0.0, 0.0]),
            ),
            say("q(nᵢ − nᵢ₊₁)/(p − q) for the counts of the book; corrected: none"),
            source=self.source,
        )


def printed_chance(epsilon: float, theta: ArrayLike) -> Array:
    """p as it is printed, 1 − ½e^(ε(1 − θ)/2); shape of θ."""
    return np.asarray(1 - np.exp(epsilon / 2 * (1 - np.asarray(theta, dtype=np.float64))) / 2)


@dataclass(frozen=True)
class ThresholdSign(Erratum):
    """p = 1 − ½e^(ε(1 − θ)/2) for thresholded histogram encoding, where the exponent is ε(θ −
    1)/2."""

    key: ClassVar[str] = "threshold_sign"
    label: ClassVar[str] = N_("The sign in the threshold")
    source: ClassVar[str] = "an introductory book, section 4.2.2 and listing 4.15"

    epsilon: float = param(5.0, EPSILON)
    theta: float = param(
        0.25, Real(N_("Threshold θ"), N_("A noisy bit above it counts as 1."), low=0.0, high=1.0)
    )

    @property
    def protocol(self) -> Thresholded:
        """As it should be; people report the same by the listing."""
        return Thresholded(self.epsilon, "hand", self.theta)

    def factor(self, epsilon: float) -> float:
        """The mean of the printed estimate over the truth, ∞ where it has no denominator."""
        support = Thresholded(epsilon, "hand", self.theta).support(2)
        below = float(printed_chance(epsilon, self.theta)) - support.q
        return support.gap / below if below else math.inf

    def read(self, draws: Draws) -> Reading:
        support, factor = self.protocol.support(2), self.factor(self.epsilon)
        was, now, q = float(printed_chance(self.epsilon, self.theta)), support.p, support.q
        values = {
            "was": Num(was, 4),
            "now": Num(now, 4),
            "theta": Num(self.theta, 4),
            "told": Num(1000 * factor, 3),
        }
        if self.theta == 1:
            tone, text = "good", N_("At θ = {theta} both are ½: only there the listing is right.")
        else:
            tone, text = (
                "warn",
                N_(
                    "Private, but the estimates are wrong: p = {was} instead of {now} turns a true "
                    "1,000 into {told} on average."
                ),
            )
        return Reading(
            (self._chance(was, now), self._factor(factor)),
            say(
                "The chance that a true bit stays above θ is printed with e^(ε(1 − θ)/2); the sign "
                "of the exponent is wrong."
            ),
            Say(text, values),
            tone,
            (
                Row("p", say("p, a true bit is told"), Num(was, 4), Num(now, 4)),
                Row("q", say("q, a false bit is told"), Num(q, 4), Num(q, 4)),
                Row(
                    "estimate",
                    say("a true 1,000 is estimated as"),
                    Num(1000 * factor, 4),
                    Num(1000.0),
                ),
            ),
            audited=verdict(
                draws,
                LocalReport(protocol=self.protocol, values=2),
                LocalReport(protocol=self.protocol, values=2),
            ),
        )

    def _chance(self, was: float, now: float) -> Figure:
        theta = np.linspace(0, 1, 121)
        wrong = printed_chance(self.epsilon, theta)
        right = np.array([above(t - 1, 2 / self.epsilon) for t in theta])
        low = -nice_above(max(0.1, min(4.0, -float(wrong.min()))))
        return Figure(
            "chance",
            say("The chance that a true bit is told"),
            Axis(say("threshold θ"), range=(0.0, 1.0)),
            Axis(Say("p"), range=(low, 1.2)),
            (
                printed("chance", say("as printed"), theta, np.where(wrong >= low, wrong, np.nan)),
                corrected("chance", say("corrected"), theta, right),
                Rule("zero", "muted", say("no chance is below 0"), 0.0, axis="y", dash="dot"),
                *handles("theta", self.theta, max(was, low), now),
            ),
            say("ε = {epsilon}", epsilon=Num(self.epsilon, 5)),
            source="Wang, Blocki, Li & Jha 2017",
        )

    def _factor(self, factor: float) -> Figure:
        x = epsilons()
        wrong = np.array([self.factor(float(e)) for e in x])
        return Figure(
            "estimate",
            say("What becomes of a true 1,000"),
            EPSILON_AXIS,
            Axis(say("estimate on average"), range=(-1500.0, 1500.0)),
            (
                printed("estimate", say("as printed"), x, 1000 * np.clip(wrong, -1.5, 1.5)),
                corrected("estimate", say("corrected"), x, np.full_like(x, 1000.0)),
                *handles("epsilon", self.epsilon, 1000 * max(-1.5, min(1.5, factor)), 1000.0),
            ),
            say(
                "(c − nq)/(p − q) at θ = {theta}; beyond the axis where p nears q",
                theta=Num(self.theta, 4),
            ),
            source=self.source,
        )
