"""Errata of sentences: what (ε, δ) is said to mean, and how far a report is said to tell two inputs
apart."""

import math

import numpy as np

from dpstudio.charts.figure import Array, Axis
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import param


class AlmostPure(erratum.Erratum):
    """“With probability 1 − δ the promise is the pure one”: δ bounds something else."""

    key = "almost_pure"
    label = N_("Pure with probability 1 − δ")
    source = N_("an article on the Gaussian mechanism; an introductory book, appendix A.1")
    wrong = N_("(ε, δ) is read as pure privacy with probability 1 − δ.")
    right = N_("The other way round it holds: who exceeds ε with at most δ keeps (ε, δ).")
    follows = {
        "warn": N_(
            "The Gaussian that keeps ({epsilon}, {delta}) just so exceeds ε with {passes}, {times} "
            "times δ. What δ bounds is P − eᵋP′ over all events, not how often ε is exceeded."
        )
    }

    epsilon: float = param(1.0, EPSILON)
    delta: float = param(0.001, DELTA)

    def passes(self, epsilons: Array) -> Array:
        """How likely the privacy loss of the Gaussian with exactly this δ is above each ε: it is
        normal about μ²/2 with deviation μ (Balle & Wang 2018, Lemma 3); shape of `epsilons`."""
        from scipy import special

        moved = np.array([1 / analytic_sigma(float(e), self.delta, 1.0) for e in epsilons])
        return np.asarray(special.ndtr(moved / 2 - np.asarray(epsilons) / moved))

    def case(self, draws: erratum.Draws) -> erratum.Case:
        passes = float(self.passes(np.array([self.epsilon]))[0])
        delta = Num(self.delta, 3, "up")
        return erratum.Case(
            "warn",
            {
                "epsilon": Num(self.epsilon, 5),
                "delta": delta,
                "passes": Num(passes, 3),
                "times": Num(passes / self.delta, 3),
            },
            (
                erratum.Row("passes", say("answers that exceed ε"), delta, Num(passes, 3)),
                erratum.Row("delta", say("δ of the mechanism"), delta, delta),
            ),
            (
                erratum.compared(
                    self,
                    draws,
                    "passes",
                    say("How often ε is exceeded"),
                    erratum.epsilons(61),
                    erratum.about(say("probability")),
                    lambda e: np.full_like(e, self.delta),
                    self.passes,
                    say("Gaussian noise with exactly δ at each ε"),
                    source="Balle & Wang 2018, Lemma 3 and Theorem 8",
                ),
            ),
        )


def _best(epsilons: Array) -> Array:
    """e^ε/(1 + e^ε); shape of `epsilons`."""
    return np.asarray(1 / (1 + np.exp(-epsilons)))


class ToldApart(erratum.Erratum):
    """Section 4.1.1 bounds the chance to tell two inputs apart by e^(−ε)."""

    key = "told_apart"
    label = N_("Told apart with at most e^−ε")
    source = N_("an introductory book, section 4.1.1")
    wrong = N_("Two inputs are said to be told apart with at most e^(−ε).")
    right = N_("At even odds it is up to e^ε/(1 + e^ε): it grows with ε, and is ½ at 0.")
    follows = {
        "warn": N_(
            "At ε = {epsilon} the best guess from a report may be right with {right}, not with "
            "at most {printed}; a coin is right with 50 %."
        ),
        "good": N_(
            "At ε = {epsilon} the bound holds by chance: the best guess is right with at most "
            "{right}, and {printed} is printed."
        ),
    }

    epsilon: float = param(1.0, EPSILON)

    def case(self, draws: erratum.Draws) -> erratum.Case:
        printed, right = math.exp(-self.epsilon), float(_best(np.array(self.epsilon)))
        was, now = Num(printed, 3, percent=True), Num(right, 3, "up", percent=True)
        return erratum.Case(
            "good" if right <= printed else "warn",
            {"epsilon": Num(self.epsilon, 5), "right": now, "printed": was},
            (erratum.Row("right", say("best guess is right"), was, now),),
            (
                erratum.compared(
                    self,
                    draws,
                    "right",
                    say("How often the best guess is right"),
                    erratum.epsilons(),
                    Axis(say("probability"), range=(0.0, 1.02)),
                    lambda e: np.exp(-e),
                    _best,
                    say("two inputs that are equally likely before"),
                    names=(say("as printed: e^−ε"), say("e^ε/(1 + e^ε)")),
                    source=N_("Kairouz, Oh & Viswanath 2015, Theorem 2.1, at even odds"),
                ),
            ),
        )


def gap(epsilons: Array) -> Array:
    """How far apart two counts are on average, of n and of n + 1 people, each with Laplace noise of
    its own of scale 1/ε: 1 + e^(−ε)(3/(2ε) + ½); shape of `epsilons`."""
    return np.asarray(1 + np.exp(-epsilons) * (1.5 / epsilons + 0.5))


class TwoMonths(erratum.Erratum):
    """Beside figure 2.6: with less ε the published counts of two months are said to come closer."""

    key = "two_months"
    label = N_("Two months come closer")
    source = N_("an introductory book, section 2.1.2 and figure 2.6")
    wrong = N_("With less ε two published counts are said to lie closer together.")
    right = N_("Their laws do. The counts themselves lie further apart: each has its noise.")
    follows = {
        "warn": N_(
            "At ε = {epsilon} counts of 100 and 101 people lie {gap} apart on average, where "
            "without noise it is 1. What falls with ε is how often at most one tells "
            "from an answer which month it is: {told} here, 50 % at 0."
        )
    }

    epsilon: float = param(0.1, EPSILON)

    def case(self, draws: erratum.Draws) -> erratum.Case:
        apart = Num(float(gap(np.array(self.epsilon))), 3)
        told = Num(1 - math.exp(-self.epsilon / 2) / 2, 3, "up", percent=True)
        return erratum.Case(
            "warn",
            {"epsilon": Num(self.epsilon, 5), "gap": apart, "told": told},
            (
                erratum.Row("gap", say("two counts lie apart"), say("less with less ε"), apart),
                erratum.Row("told", say("the month is told"), erratum.NOT_PRINTED, told),
            ),
            (
                erratum.compared(
                    self,
                    draws,
                    "gap",
                    say("How far two months’ counts lie apart"),
                    erratum.epsilons(),
                    erratum.about(say("people, on average")),
                    np.ones_like,
                    gap,
                    say("100 and 101 people, Laplace noise of scale 1/ε on each"),
                    names=(say("without noise"), say("published")),
                ),
            ),
        )
