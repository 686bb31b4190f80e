"""Errata of scale: an ε that is not used, and an α that is none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Line, Rule, nice_above
from dpstudio.labs.texts.errata.listings.erratum import (
    EPSILON_AXIS,
    NONE,
    PRINTED,
    Draws,
    Erratum,
    Reading,
    Row,
    corrected,
    decades,
    epsilons,
    handles,
    printed,
    spent_chart,
)
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Integer, Real, param

DEVIATION = say("standard deviation of the noise")


@dataclass(frozen=True)
class HistogramEpsilon(Erratum):
    """Listing 2.3 takes ε as an argument and calls the Laplace mechanism with ε = 1."""

    key: ClassVar[str] = "histogram_epsilon"
    label: ClassVar[str] = N_("A histogram that ignores its ε")
    source: ClassVar[str] = "an introductory book, listing 2.3 and figure 2.9"

    # Not `epsilon`: another erratum's would be carried over, and at 1 there is nothing to see.
    asked: float = param(
        0.01, Real(N_("ε asked for"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True)
    )

    def read(self, draws: Draws) -> Reading:
        epsilon, x = self.asked, epsilons()
        law, right = LaplaceLaw(1.0), LaplaceLaw(1 / epsilon)
        was, now = math.sqrt(law.variance), math.sqrt(right.variance)
        noise = Figure(
            "noise",
            say("Noise on every bar"),
            EPSILON_AXIS,
            Axis(DEVIATION, log=True, range=decades(math.sqrt(2) / x)),
            (
                printed("noise", say("as printed: Lap(1)"), x, np.full_like(x, was)),
                corrected("noise", say("corrected: Lap(1/ε)"), x, math.sqrt(2) / x),
                *handles("asked", epsilon, was, now),
            ),
            say("the printed noise is the same whatever ε is asked for"),
            source=self.source,
        )
        values = {"epsilon": Num(epsilon, 5), "was": Num(was), "now": Num(now)}
        if epsilon < 1:
            text = N_(
                "Not private as declared: a histogram said to cost ε = {epsilon} costs ε = 1, with "
                "noise of ±{was} instead of ±{now}."
            )
        elif epsilon > 1:
            text = N_(
                "Private but over-noised: ε = 1 is spent where {epsilon} was allowed, with noise "
                "of ±{was} instead of ±{now}."
            )
        else:
            text = N_("Only at ε = {epsilon} does the listing do what it says.")
        proof = (
            say(
                "A count that moves by 1 changes the density of Lap(1) noise by a factor of up to "
                "e; so does the cut to whole numbers."
            ),
            say(
                "e = 2.72 is more than e^{epsilon}, so the histogram is not ε = {epsilon} private.",
                **values,
            ),
        )
        return Reading(
            (noise, spent_chart(np.ones_like, epsilon, self.source, sets="asked")),
            say(
                "The listing takes ε and then adds Laplace noise at ε = 1; it also writes the "
                "result into whole numbers."
            ),
            Say(text, values),
            "bad" if epsilon < 1 else "warn" if epsilon > 1 else "good",
            (
                Row("deviation", DEVIATION, Num(was), Num(now)),
                Row(
                    "half_width",
                    say("95 % of errors within ±"),
                    Num(law.half_width(0.95), 3, "up"),
                    Num(right.half_width(0.95), 3, "up"),
                ),
                Row("epsilon", say("real ε"), Num(1.0), Num(epsilon, 5)),
                # ⌊X⌋ + ⌊−X⌋ = −1 for every X that is not whole, so a symmetric law cut down to
                # whole numbers is ½ too low.
                Row("bias", say("mean error of a bar"), Num(-0.5), Num(0.0)),
            ),
            proof if epsilon < 1 else (),
        )


@dataclass(frozen=True)
class GeometricAlpha(Erratum):
    """The geometric mechanism with α = ε/Δ where α = e^(ε/Δ) is meant."""

    key: ClassVar[str] = "geometric_alpha"
    label: ClassVar[str] = N_("The geometric α")
    source: ClassVar[str] = "an introductory book, appendix A.2.1"

    epsilon: float = param(2.0, EPSILON)
    sensitivity: int = param(
        1,
        Integer(
            N_("Sensitivity Δ"),
            N_("How far one person moves the count."),
            low=1,
            high=100,
            log=True,
        ),
    )

    def real(self, epsilon: np.ndarray) -> np.ndarray:
        """Δ ln α: the ε that α = ε/Δ gives; NaN where α ≤ 1 and there is no law."""
        alpha = np.asarray(epsilon) / self.sensitivity
        return np.where(alpha > 1, self.sensitivity * np.log(np.maximum(alpha, 1e-300)), np.nan)

    def read(self, draws: Draws) -> Reading:
        epsilon, delta = self.epsilon, self.sensitivity
        alpha = epsilon / delta
        right = DiscreteLaplaceLaw(alpha)
        wrong = DiscreteLaplaceLaw(math.log(alpha)) if alpha > 1 else None
        values = {
            "alpha": Num(alpha, 4),
            "right": Num(math.exp(alpha), 4),
            "epsilon": Num(epsilon, 5),
        }
        if wrong is None:
            tone, text = (
                "bad",
                N_(
                    "No law at all: with α = {alpha} the printed weights are not positive, or do "
                    "not add up to 1."
                ),
            )
        else:
            values |= {
                "real": Num(float(self.real(np.array(epsilon))), 3, "up"),
                "factor": Num(math.sqrt(wrong.variance / right.variance)),
            }
            tone, text = (
                "warn",
                N_(
                    "Private but over-noised: the real ε is {real}, not {epsilon}, and errors are "
                    "{factor} times as large."
                ),
            )
        return Reading(
            (
                self._weights(right, alpha),
                spent_chart(
                    self.real,
                    epsilon,
                    self.source,
                    (Rule("none", "warn", say("left of it: no law"), float(delta)),),
                ),
            ),
            say(
                "Y ~ Geom(ε/Δ) takes α = ε/Δ = {alpha}; it must be α = e^(ε/Δ) = {right}.", **values
            ),
            Say(text, values),
            tone,
            (
                Row("alpha", Say("α"), Num(alpha, 4), Num(math.exp(alpha), 4)),
                Row(
                    "epsilon",
                    say("real ε"),
                    Num(float(self.real(np.array(epsilon))), 4) if wrong else NONE,
                    Num(epsilon, 5),
                ),
                Row(
                    "deviation",
                    DEVIATION,
                    Num(math.sqrt(wrong.variance), 4) if wrong else NONE,
                    Num(math.sqrt(right.variance), 4),
                ),
                Row(
                    "mean_abs",
                    say("mean absolute error"),
                    Num(wrong.mean_abs, 4) if wrong else NONE,
                    Num(right.mean_abs, 4),
                ),
                Row(
                    "zero",
                    say("no noise, P(Y = 0)"),
                    Num(_weight(alpha), 4),
                    Num(float(right.density(0.0)), 4),
                ),
            ),
        )

    def _weights(self, right: DiscreteLaplaceLaw, alpha: float) -> Figure:
        """The pmf, and the printed weights over the same integers whether or not they are one."""
        widths = [right.half_width(0.99)] + (
            [DiscreteLaplaceLaw(math.log(alpha)).half_width(0.9)] if alpha > 1.05 else []
        )
        far = int(min(nice_above(max(*widths, 4.0)), 40_000))
        k = (
            np.arange(-far, far + 1)
            if far <= 200
            else np.unique(np.round(np.linspace(-far, far, 401)))
        )
        with np.errstate(over="ignore"):
            weights = _weight(alpha) * np.exp(-np.log(alpha) * np.abs(k))
        exact = right.density(k)
        top = nice_above(1.05 * max(float(exact.max()), float(weights.max(initial=0))))
        # Below α = 1 the printed weights fall without end: the first few show it.
        low = -nice_above(max(top, -3 * _weight(alpha))) if alpha < 1 else 0.0
        weights = np.where(weights < low, np.nan, weights)
        if len(k) <= 60:  # few atoms: steps over k ± ½
            k, weights, exact = (
                np.repeat(np.append(k - 0.5, k[-1] + 0.5), 2)[1:-1],
                np.repeat(weights, 2),
                np.repeat(exact, 2),
            )
        return Figure(
            "law",
            say("The law of the noise"),
            Axis(say("noise"), range=(-far - 0.5, far + 0.5), whole=True),
            Axis(say("weight"), range=(low, top)),
            (
                Line(
                    f"{PRINTED}law",
                    "bad",
                    say("as printed: α = {alpha}", alpha=Num(alpha, 4)),
                    k,
                    weights,
                    dash="dash",
                ),
                corrected(
                    "law", say("corrected: α = {alpha}", alpha=Num(math.exp(alpha), 4)), k, exact
                ),
            ),
            say("weights (α − 1)/(α + 1)·α^(−|k|) on the integers"),
            source="Ghosh, Roughgarden & Sundararajan 2012",
        )


def _weight(alpha: float) -> float:
    return (alpha - 1) / (alpha + 1)
