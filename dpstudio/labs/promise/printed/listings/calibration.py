"""Errata of scale: an ε that is not used, and an α that is none."""

import math

import numpy as np

from dpstudio.charts.figure import Array, Axis, Figure, Rule, nice_above
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import Real, param


class HistogramEpsilon(erratum.Erratum):
    """Listing 2.3 takes ε as an argument and calls the Laplace mechanism with ε = 1."""

    key = "histogram_epsilon"
    label = N_("A histogram that ignores its ε")
    source = N_("an introductory book, listing 2.3 and figure 2.9")
    wrong = N_("The listing takes ε and then adds Laplace noise at ε = 1.")
    right = N_("It also writes the result into whole numbers.")
    follows = {
        "bad": N_(
            "Not private as declared: a histogram said to cost ε = {epsilon} costs ε = 1, with "
            "noise of ±{was} instead of ±{now}."
        ),
        "warn": N_(
            "Private but over-noised: ε = 1 is spent where {epsilon} was allowed, with noise of "
            "±{was} instead of ±{now}."
        ),
        "good": N_("Only at ε = {epsilon} does the listing do what it says."),
    }
    proof = (
        N_(
            "A count that moves by 1 changes the density of Lap(1) noise by a factor of up to e; "
            "so does the cut to whole numbers."
        ),
        N_("e = 2.72 is more than exp({epsilon}), so the histogram is not ε = {epsilon} private."),
    )

    # Not `epsilon`: another erratum's would be carried over, and at 1 there is nothing to see.
    asked: float = param(
        0.01, Real(N_("ε asked for"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True)
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        epsilon = self.asked
        law, right = LaplaceLaw(1.0), LaplaceLaw(1 / epsilon)
        was, now = Num(math.sqrt(law.variance)), Num(math.sqrt(right.variance))
        tone = "bad" if epsilon < 1 else "warn" if epsilon > 1 else "good"
        return erratum.Case(
            tone,
            {"epsilon": Num(epsilon, 5), "was": was, "now": now},
            (
                erratum.Row("epsilon", erratum.REAL_EPSILON, Num(1.0), Num(epsilon, 5)),
                erratum.Row("deviation", erratum.DEVIATION, was, now),
                erratum.Row(
                    "half_width",
                    say("95 % of errors within ±"),
                    Num(law.half_width(0.95), 3, "up"),
                    Num(right.half_width(0.95), 3, "up"),
                ),
                # ⌊X⌋ + ⌊−X⌋ = −1 for every X that is not whole, so a symmetric law cut down to
                # whole numbers is ½ too low.
                erratum.Row("bias", say("mean error of a bar"), Num(-0.5), Num(0.0)),
            ),
            (erratum.spent(self, draws, np.ones_like, sets="asked"), self._noise(draws)),
        )

    def _noise(self, draws: erratum.Draws) -> Figure:
        return erratum.compared(
            self,
            draws,
            "noise",
            say("Noise on every bar"),
            erratum.epsilons(sets="asked"),
            erratum.about(erratum.DEVIATION),
            lambda e: np.full_like(e, math.sqrt(2)),
            lambda e: math.sqrt(2) / e,
            say("the printed noise is the same whatever ε is asked for"),
            names=(say("as printed: Lap(1)"), say("corrected: Lap(1/ε)")),
        )


class GeometricAlpha(erratum.Erratum):
    """The geometric mechanism with α = ε/Δ where α = e^(ε/Δ) is meant."""

    key = "geometric_alpha"
    label = N_("The geometric α")
    source = N_("an introductory book, appendix A.2.1")
    wrong = N_("Y ~ Geom(ε/Δ) takes α = ε/Δ = {alpha}; it must be α = exp(ε/Δ) = {right}.")
    follows = {
        "bad": N_(
            "No law at all: with α = {alpha} the printed weights are not positive, or do not add "
            "up to 1."
        ),
        "warn": N_(
            "Private but over-noised: the real ε is {real}, not {epsilon}, and errors are {factor} "
            "times as large."
        ),
    }

    epsilon: float = param(2.0, EPSILON)
    sensitivity: int = integer(
        1, N_("Sensitivity Δ"), N_("How far one person moves the count."), low=1, high=100, log=True
    )

    def real(self, epsilon: Array) -> Array:
        """Δ ln α: the ε that α = ε/Δ gives; NaN where α ≤ 1 and there is no law."""
        alpha = np.asarray(epsilon) / self.sensitivity
        return np.where(alpha > 1, self.sensitivity * np.log(np.maximum(alpha, 1e-300)), np.nan)

    def case(self, draws: erratum.Draws) -> erratum.Case:
        alpha = self.epsilon / self.sensitivity
        right = DiscreteLaplaceLaw(alpha)
        wrong = DiscreteLaplaceLaw(math.log(alpha)) if alpha > 1 else None
        real = float(self.real(np.array(self.epsilon)))
        values: dict[str, Num | Message] = {
            "alpha": Num(alpha, 4),
            "right": Num(math.exp(alpha), 4),
            "epsilon": Num(self.epsilon, 5),
        }
        if wrong:
            values["real"] = Num(real, 3, "up")
            values["factor"] = Num(math.sqrt(wrong.variance / right.variance))
        deviations, sizes = zip(*(_errors(law) for law in (wrong, right)), strict=True)
        none = (Rule("none", "muted", say("left of it: no law"), float(self.sensitivity)),)
        return erratum.Case(
            "warn" if wrong else "bad",
            values,
            (
                erratum.Row("alpha", Message("α"), values["alpha"], values["right"]),
                erratum.Row(
                    "epsilon",
                    erratum.REAL_EPSILON,
                    Num(real, 4) if wrong else erratum.NONE,
                    values["epsilon"],
                ),
                erratum.Row("deviation", erratum.DEVIATION, *deviations),
                erratum.Row("mean_abs", say("mean absolute error"), *sizes),
                erratum.Row(
                    "zero",
                    say("no noise, P(Y = 0)"),
                    Num(_weight(alpha), 4),
                    Num(float(right.density(0.0)), 4),
                ),
            ),
            (_weights(right, alpha), erratum.spent(self, draws, self.real, none)),
        )


def _weights(right: DiscreteLaplaceLaw, alpha: float) -> Figure:
    """The pmf, and the printed weights over the same integers whether or not they are one."""
    widths = [right.half_width(0.99)] + (
        [DiscreteLaplaceLaw(math.log(alpha)).half_width(0.9)] if alpha > 1.05 else []
    )
    far = int(min(nice_above(max(*widths, 4.0)), 40_000))
    k = np.arange(-far, far + 1)
    if far > 200:
        k = np.unique(np.round(np.linspace(-far, far, 401)))
    with np.errstate(over="ignore"):
        weights = _weight(alpha) * np.exp(-np.log(alpha) * np.abs(k))
    exact = right.density(k)
    top = nice_above(1.05 * max(float(exact.max()), float(weights.max(initial=0))))
    # Below α = 1 the printed weights fall without end: the first few show it.
    low = -nice_above(max(top, -3 * _weight(alpha))) if alpha < 1 else 0.0
    weights = np.where(weights < low, np.nan, weights)
    if len(k) <= 60:  # few atoms: steps over k ± ½
        weights, exact = np.repeat(weights, 2), np.repeat(exact, 2)
        k = np.repeat(np.append(k - 0.5, k[-1] + 0.5), 2)[1:-1]
    names = (
        say("as printed: α = {alpha}", alpha=Num(alpha, 4)),
        say("corrected: α = {alpha}", alpha=Num(math.exp(alpha), 4)),
    )
    return Figure(
        "law",
        say("The law of the noise"),
        Axis(say("noise"), range=(-far - 0.5, far + 0.5), whole=True),
        Axis(say("weight"), range=(low, top)),
        (
            erratum.printed("law", names[0], k, weights),
            erratum.corrected("law", names[1], k, exact),
        ),
        say("weights (α − 1)/(α + 1)·α^(−|k|) on the integers"),
        source="Ghosh, Roughgarden & Sundararajan 2012",
    )


def _errors(law: DiscreteLaplaceLaw | None) -> tuple[Num | Message, Num | Message]:
    """Standard deviation and mean absolute error, where there is a law."""
    return (
        (Num(math.sqrt(law.variance), 4), Num(law.mean_abs, 4))
        if law
        else (erratum.NONE, erratum.NONE)
    )


def _weight(alpha: float) -> float:
    """The printed weight of 0."""
    return (alpha - 1) / (alpha + 1)
