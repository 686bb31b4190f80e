"""An erratum of norms: independent Laplace noise scaled by the L2 sensitivity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Axis, Figure
from dpstudio.labs.texts.errata.listings.erratum import (
    Draws,
    Erratum,
    Reading,
    Row,
    corrected,
    decades,
    handles,
    printed,
    spent_chart,
)
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Integer, param

_D_AXIS = Axis(say("coordinates d"), log=True, range=(0.85, 1.2e3))


@dataclass(frozen=True)
class L2Laplace(Erratum):
    """Lap(Δ₂/ε) on each of d coordinates: the vector mechanism needs one length for the whole
    vector, or the L1 sensitivity."""

    key: ClassVar[str] = "l2_laplace"
    label: ClassVar[str] = N_("Laplace noise scaled by L2")
    source: ClassVar[str] = "an introductory book, appendix A.2.4 (vector mechanism)"

    epsilon: float = param(1.0, EPSILON)
    dims: int = param(
        10,
        Integer(
            N_("Coordinates d"),
            N_("How many numbers the answer holds."),
            low=1,
            high=1000,
            log=True,
        ),
    )

    def read(self, draws: Draws) -> Reading:
        epsilon, d = self.epsilon, self.dims
        real = math.sqrt(d) * epsilon
        values = {
            "epsilon": Num(epsilon, 5), "real": Num(real, 3, "up"), "d": Num(d), "root": Num(math.sqrt(d), 4),
            "factor": Num(math.exp(min(700.0, real)), 3, "down"), "allowed": Num(math.exp(epsilon), 3, "up"),
        }  # fmt: skip
        proof = (
            say(
                "Neighbours may differ by v = Δ₂/√d in every one of d coordinates: then ‖v‖₂ = Δ₂, "
                "but ‖v‖₁ = √d·Δ₂."
            ),
            say(
                "At an output beyond both answers in every coordinate the densities differ by the "
                "factor e^(Σ|vᵢ|·ε/Δ₂) = e^(√d·ε)."
            ),
            say(
                "Here that is at least {factor}, where e^ε = {allowed} is allowed; by the triangle "
                "inequality nothing is worse.",
                **values,
            ),
        )
        if d > 1:
            follows = say(
                "Not private as declared: the real ε is √{d}·{epsilon} = {real}.", **values
            )
        else:
            follows = say(
                "For a single coordinate L1 and L2 are the same, and the formula is right."
            )
        norm_noise = math.sqrt(d + 1) / epsilon
        return Reading(
            (
                self._real(real),
                self._noise(),
                spent_chart(lambda e: math.sqrt(d) * e, epsilon, self.source),
            ),
            say(
                "Independent Laplace noise is scaled by the L2 sensitivity; it needs the L1 one, "
                "or a density ∝ e^(−ε‖b‖₂/Δ₂)."
            ),
            follows,
            "bad" if d > 1 else "good",
            (
                Row("epsilon", say("real ε"), Num(real, 3, "up"), Num(epsilon, 5)),
                Row(
                    "factor",
                    say("largest factor between neighbours"),
                    _power(real),
                    _power(epsilon),
                ),
                Row(
                    "deviation",
                    say("deviation of a coordinate; right: L2-norm noise"),
                    Num(math.sqrt(2) / epsilon, 4),
                    Num(norm_noise, 4),
                ),
                Row(
                    "independent",
                    say("the same; right: Laplace by L1"),
                    Num(math.sqrt(2) / epsilon, 4),
                    Num(math.sqrt(2 * d) / epsilon, 4),
                ),
            ),
            proof if d > 1 else (),
        )

    def _real(self, real: float) -> Figure:
        d = np.geomspace(1, 1000, 61)
        return Figure(
            "real",
            say("Privacy really spent, by dimension"),
            _D_AXIS,
            Axis(say("real ε"), log=True, range=decades(self.epsilon * np.sqrt(d))),
            (
                printed("real", say("as printed: √d·ε"), d, np.sqrt(d) * self.epsilon),
                corrected("real", say("corrected: ε"), d, np.full_like(d, self.epsilon)),
                *handles("dims", float(self.dims), real, self.epsilon),
            ),
            say("declared ε = {epsilon}", epsilon=Num(self.epsilon, 5)),
            source=self.source,
        )

    def _noise(self) -> Figure:
        d = np.geomspace(1, 1000, 61)
        wrong, length, independent = math.sqrt(2) * np.ones_like(d), np.sqrt(d + 1), np.sqrt(2 * d)
        return Figure(
            "noise",
            say("What it costs to do it right"),
            _D_AXIS,
            Axis(
                say("deviation of a coordinate, Δ₂ = 1"),
                log=True,
                range=decades(wrong / self.epsilon, independent / self.epsilon),
            ),
            (
                printed("noise", say("as printed"), d, wrong / self.epsilon),
                corrected("noise", say("L2-norm noise"), d, length / self.epsilon),
                corrected(
                    "independent",
                    say("Laplace by L1 = √d·L2"),
                    d,
                    independent / self.epsilon,
                    "accent",
                ),
            ),
            say("the price of a promise for all d coordinates"),
            source="Hardt & Talwar 2010, Section 3; Chaudhuri, Monteleoni & Sarwate 2011",
        )


def _power(epsilon: float) -> Num | Say:
    return Num(math.exp(epsilon), 3, "up") if epsilon < 700 else say("e^{x}", x=Num(epsilon))
