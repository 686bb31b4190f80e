"""Errata of local reports of categories: randomized response, direct encoding, thresholded
histogram encoding."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, Axis, Columns, Figure, Rule, array, nice_above
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.attacks import lists as audit_lists
from dpstudio.privacy.attacks.local import LocalReport
from dpstudio.privacy.local.coins import BiasedCoins
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.histogram import Thresholded, above
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import real
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import param

# The 14 occupations of the Adult table (30,718 people who gave one), as the book counts them.
OCCUPATIONS = {
    "Adm-clerical": 3770,
    "Armed-Forces": 9,
    "Craft-repair": 4099,
    "Exec-managerial": 4066,
    "Farming-fishing": 994,
    "Handlers-cleaners": 1370,
    "Machine-op-inspct": 2002,
    "Other-service": 3295,
    "Priv-house-serv": 149,
    "Prof-specialty": 4140,
    "Protective-serv": 649,
    "Sales": 3650,
    "Tech-support": 928,
    "Transport-moving": 1597,
}

_STEEPEST = 6.0  # of ε against p, which has no end at p = 1


class TwoCoins(erratum.Erratum):
    """Randomized response with two coins of bias p: ε = ln(1 + p/(1 − p)²) is called general,
    is derived for p > ½, and holds for p ≥ ½."""

    key = "two_coins"
    label = N_("Randomized response, two biased coins")
    source = N_("an introductory book, section 2.2.1")
    wrong = N_("Below p = ½, ε = ln(1 + p/(1 − p)²) forgets the other answer.")
    follows = {
        "bad": N_(
            "Not private as declared: ε = {was} is claimed at p = {p}, the real one is {now}, and "
            "it never falls below ln 2."
        ),
        "good": N_("From p = ½ on the formula is right: ε = {now}."),
    }
    proof = (
        N_("P(no | no) = p + (1 − p)² and P(no | yes) = (1 − p)², a ratio of 1 + p/(1 − p)²."),
        N_(
            "P(yes | yes) = p + (1 − p)p and P(yes | no) = (1 − p)p, a ratio of 1 + 1/(1 − p), "
            "which is larger for p < ½."
        ),
    )

    p: float = real(
        0.25,
        N_("Both coins fall heads with p"),
        N_("Heads: the truth; else heads again: yes."),
        low=0.01,
        high=0.99,
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        coins = BiasedCoins(p=self.p)
        was, now = Num(coins.printed, 4), Num(coins.claim, 4, "up")
        return erratum.Case(
            "bad" if self.p < 0.5 else "good",
            {"p": Num(self.p, 4), "was": was, "now": now},
            (
                erratum.Row("epsilon", Message("ε"), was, now),
                erratum.Row("floor", say("the least ε for any p"), Num(0.0), say("ln 2")),
            ),
            (self._promise(draws, coins),),
            audited=(audit_lists.TwoCoins(p=self.p), LocalReport(protocol=coins, values=2)),
        )

    def _promise(self, draws: erratum.Draws, coins: BiasedCoins) -> Figure:
        def curve(place: int, p: Array) -> Array:
            return np.asarray(draws.remember(("two coins", len(p)), lambda: _by_p(p))[place])

        return erratum.compared(
            self,
            draws,
            "epsilon",
            say("What the two coins promise"),
            erratum.Along("p", Axis(say("p"), range=(0.0, 1.0)), 0.01, 0.99, 197),
            Axis(Message("ε"), range=(0.0, _STEEPEST)),
            lambda p: curve(0, p),
            lambda p: curve(1, p),
            say("below ½ the answer yes gives more away than no"),
            notes=(
                Rule("half", "muted", say("p = ½"), 0.5, dash="dot"),
                Rule("floor", "muted", say("ln 2"), math.log(2), axis="y", dash="dot"),
            ),
            heights=(min(coins.printed, _STEEPEST), min(coins.claim, _STEEPEST)),
            source="Warner 1965",
        )


def _by_p(p: Array) -> Array:
    """ε as printed and right, shape (2, len(p))."""
    coins = [BiasedCoins(p=float(one)) for one in p]
    return array([[c.printed for c in coins], [c.claim for c in coins]])


class DirectEncoding(erratum.Erratum):
    """Listing 4.7 shifts a lie by randint(0, d − 1): 0 to d − 2 in Python's numpy, so a lie may be
    true and one value never comes."""

    key = "direct_encoding"
    label = N_("Direct encoding with randint")
    source = N_("an introductory book, listing 4.7")
    wrong = N_("randint(0, d − 1) stops at d − 2, so one value is never told.")
    right = N_(
        "A lie may be true, too. It must be randint(1, d), as numpy leaves the upper end out."
    )
    follows = {
        "bad": N_(
            "Not private for any ε: some reports rule a value out; and estimates are off by up to "
            "{worst} {worst:person|people}."
        )
    }
    proof = (
        N_(
            "The lie is v + s mod d with s from 0 to d − 2: the value before v never comes from a "
            "person who holds v."
        ),
        N_(
            "Everyone else gives it with probability q = {q} or more, and no ε covers 0 against "
            "{q}."
        ),
    )

    epsilon: float = param(5.0, EPSILON)

    def case(self, draws: erratum.Draws) -> erratum.Case:
        d = len(OCCUPATIONS)
        support = Direct(self.epsilon).support(d)
        p, q = support.p, support.q
        counts = np.array(list(OCCUPATIONS.values()), dtype=np.float64)
        bias = q * (counts - np.roll(counts, -1)) / support.gap
        worst = Num(float(np.max(np.abs(bias))))
        values = {
            "epsilon": Num(self.epsilon, 5),
            "own": Num(p + q, 4),
            "p": Num(p, 4),
            "q": Num(q, 3),
            "worst": worst,
        }
        return erratum.Case(
            "bad",
            values,
            (
                erratum.Row("own", say("probability of the truth"), values["own"], values["p"]),
                erratum.Row(
                    "before", say("probability of the value before it"), Num(0.0), values["q"]
                ),
                erratum.Row("epsilon", erratum.REAL_EPSILON, Num(math.inf), values["epsilon"]),
                erratum.Row("bias", say("largest bias of an estimate"), worst, Num(0.0)),
            ),
            (self._outputs(p, q), self._bias(bias)),
            audited=(
                audit_lists.ShortShift(self.epsilon, d),
                audit_lists.Response(self.epsilon, d),
            ),
        )

    def _outputs(self, p: float, q: float) -> Figure:
        d = len(OCCUPATIONS)
        low = 10.0 ** math.floor(math.log10(q) - 0.5)
        return Figure(
            "outputs",
            say("What a person reports"),
            Axis(say("report − own value, mod 14"), range=(-0.6, d - 0.4), whole=True),
            Axis(say("probability"), log=True, range=(low, 1.5), floored=True),
            erratum.pairs("outputs", [p + q, *[q] * (d - 2), 0.0], [p, *[q] * (d - 1)]),
            say("exact; the last value has no printed bar"),
            source=self.source,
        )

    def _bias(self, bias: Array) -> Figure:
        x, axis = np.arange(len(bias)), names_axis(say("occupation"), list(OCCUPATIONS))
        top = nice_above(1.1 * float(np.max(np.abs(bias))))
        return Figure(
            "bias",
            say("How far estimates are off on average"),
            axis,
            Axis(say("mean error of the estimate, people"), range=(-top, top)),
            (
                Columns(f"{erratum.PRINTED}bias", "second", erratum.VERSIONS[0], x, bias, 0.7),
                erratum.corrected("bias", "", axis.range, [0.0, 0.0]),
            ),
            say("q(nᵢ − nᵢ₊₁)/(p − q) for the counts of the book; corrected: none"),
            source=self.source,
        )


def printed_chance(epsilon: float, theta: ArrayLike) -> Array:
    """p as it is printed, 1 − ½e^(ε(1 − θ)/2); shape of θ."""
    return np.asarray(1 - np.exp(epsilon / 2 * (1 - np.asarray(theta, dtype=np.float64))) / 2)


class ThresholdSign(erratum.Erratum):
    """p = 1 − ½e^(ε(1 − θ)/2) for thresholded histogram encoding, where the exponent is ε(θ −
    1)/2."""

    key = "threshold_sign"
    label = N_("The sign in the threshold")
    source = N_("an introductory book, section 4.2.2 and listing 4.15")
    wrong = N_("exp(ε(1 − θ)/2) is printed for a true bit above θ: the sign is wrong.")
    follows = {
        "good": N_("At θ = {theta} both are ½: only there the listing is right."),
        "warn": N_(
            "Private, but the estimates are wrong: p = {was} instead of {now} turns a true 1,000 "
            "into {told} on average."
        ),
    }

    epsilon: float = param(5.0, EPSILON)
    theta: float = real(
        0.25, N_("Threshold θ"), N_("A noisy bit above it counts as 1."), low=0.0, high=1.0
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

    def case(self, draws: erratum.Draws) -> erratum.Case:
        support, factor = self.protocol.support(2), self.factor(self.epsilon)
        was, now = Num(float(printed_chance(self.epsilon, self.theta)), 4), Num(support.p, 4)
        report = LocalReport(protocol=self.protocol, values=2)
        return erratum.Case(
            "good" if self.theta == 1 else "warn",
            {"was": was, "now": now, "theta": Num(self.theta, 4), "told": Num(1000 * factor, 3)},
            (
                erratum.Row("p", say("p, a true bit is told"), was, now),
                erratum.Row(
                    "q", say("q, a false bit is told"), Num(support.q, 4), Num(support.q, 4)
                ),
                erratum.Row(
                    "estimate",
                    say("a true 1,000 is estimated as"),
                    Num(1000 * factor, 4),
                    Num(1000.0),
                ),
            ),
            (self._chance(draws), self._estimate(draws)),
            audited=(report, report),
        )

    def _chance(self, draws: erratum.Draws) -> Figure:
        lowest = float(np.min(printed_chance(self.epsilon, [0.0, 1.0])))
        low = -nice_above(max(0.1, min(4.0, -lowest)))

        def was(theta: Array) -> Array:
            wrong = printed_chance(self.epsilon, theta)
            return np.where(wrong >= low, wrong, np.nan)

        here = float(printed_chance(self.epsilon, self.theta))
        return erratum.compared(
            self,
            draws,
            "chance",
            say("The chance that a true bit is told"),
            erratum.Along("theta", Axis(say("threshold θ"), range=(0.0, 1.0)), 0.0, 1.0, 121),
            Axis(Message("p"), range=(low, 1.2)),
            was,
            lambda theta: np.array([above(float(t) - 1, 2 / self.epsilon) for t in theta]),
            say("ε = {epsilon}", epsilon=Num(self.epsilon, 5)),
            notes=(Rule("zero", "muted", say("no chance is below 0"), 0.0, axis="y", dash="dot"),),
            heights=(max(here, low), self.protocol.support(2).p),
            source="Wang, Blocki, Li & Jha 2017",
        )

    def _estimate(self, draws: erratum.Draws) -> Figure:
        return erratum.compared(
            self,
            draws,
            "estimate",
            say("What becomes of a true 1,000"),
            erratum.epsilons(),
            Axis(say("estimate on average"), range=(-1500.0, 1500.0)),
            lambda x: 1000 * np.clip([self.factor(float(e)) for e in x], -1.5, 1.5),
            lambda x: np.full_like(x, 1000.0),
            say(
                "(c − nq)/(p − q) at θ = {theta}; beyond the axis where p nears q",
                theta=Num(self.theta, 4),
            ),
        )
