"""An erratum of norms: independent Laplace noise scaled by the L2 sensitivity."""

import math

import numpy as np

from dpstudio.charts.figure import Axis, Figure
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import param

_D_AXIS = Axis(say("coordinates d"), log=True, range=(0.85, 1.2e3))


class L2Laplace(erratum.Erratum):
    """Lap(Δ₂/ε) on each of d coordinates: the vector mechanism needs one length for the whole
    vector, or the L1 sensitivity."""

    key = "l2_laplace"
    label = N_("Laplace noise scaled by L2")
    source = N_("an introductory book, appendix A.2.4 (vector mechanism)")
    wrong = N_("Independent Laplace noise is scaled by the L2, not the L1 sensitivity.")
    right = N_("Or it needs a density ∝ exp(−ε‖b‖₂/Δ₂).")
    follows = {
        "bad": N_("Not private as declared: the real ε is √{d}·{epsilon} = {real}."),
        "good": N_("For a single coordinate L1 and L2 are the same, and the formula is right."),
    }
    proof = (
        N_(
            "Neighbours may differ by v = Δ₂/√d in every one of d coordinates: then ‖v‖₂ = Δ₂, but "
            "‖v‖₁ = √d·Δ₂."
        ),
        N_(
            "At an output beyond both answers in every coordinate the densities differ by the "
            "factor exp(Σ|vᵢ|·ε/Δ₂) = exp(√d·ε)."
        ),
        N_(
            "Here that is at least {factor}, where eᵋ = {allowed} is allowed; by the triangle "
            "inequality nothing is worse."
        ),
    )

    epsilon: float = param(1.0, EPSILON)
    dims: int = integer(
        10,
        N_("Coordinates d"),
        N_("How many numbers the answer holds."),
        low=1,
        high=1000,
        log=True,
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        epsilon, d = self.epsilon, self.dims
        real, one = math.sqrt(d) * epsilon, Num(math.sqrt(2) / epsilon, 4)
        return erratum.Case(
            "bad" if d > 1 else "good",
            {
                "epsilon": Num(epsilon, 5),
                "real": Num(real, 3, "up"),
                "d": Num(d),
                "root": Num(math.sqrt(d), 4),
                "factor": Num(math.exp(min(700.0, real)), 3, "down"),
                "allowed": Num(math.exp(epsilon), 3, "up"),
            },
            (
                erratum.Row("epsilon", erratum.REAL_EPSILON, Num(real, 3, "up"), Num(epsilon, 5)),
                erratum.Row(
                    "factor",
                    say("largest factor between neighbours"),
                    _power(real),
                    _power(epsilon),
                ),
                erratum.Row(
                    "deviation",
                    say("deviation of a coordinate; right: L2-norm noise"),
                    one,
                    Num(math.sqrt(d + 1) / epsilon, 4),
                ),
                erratum.Row(
                    "independent",
                    say("the same; right: Laplace by L1"),
                    one,
                    Num(math.sqrt(2 * d) / epsilon, 4),
                ),
            ),
            (
                self._real(draws),
                self._noise(draws),
                erratum.spent(self, draws, lambda e: math.sqrt(d) * e),
            ),
        )

    def _real(self, draws: erratum.Draws) -> Figure:
        return erratum.compared(
            self,
            draws,
            "real",
            say("Privacy really spent, by dimension"),
            erratum.Along("dims", _D_AXIS, 1, 1000, 61),
            erratum.about(erratum.REAL_EPSILON),
            lambda d: np.sqrt(d) * self.epsilon,
            lambda d: np.full_like(d, self.epsilon),
            say("declared ε = {epsilon}", epsilon=Num(self.epsilon, 5)),
            names=(say("as printed: √d·ε"), say("corrected: ε")),
        )

    def _noise(self, draws: erratum.Draws) -> Figure:
        along = erratum.Along("", _D_AXIS, 1, 1000, 61)
        d = along.x(draws.effort)
        one, independent = math.sqrt(2) / self.epsilon, np.sqrt(2 * d) / self.epsilon
        by_l1 = say("Laplace by L1 = √d·L2")
        return erratum.compared(
            self,
            draws,
            "noise",
            say("What it costs to do it right"),
            along,
            Axis(
                say("deviation of a coordinate, Δ₂ = 1"),
                log=True,
                range=erratum.decades(one, independent),
            ),
            lambda d: np.full_like(d, one),
            lambda d: np.sqrt(d + 1) / self.epsilon,
            say("the price of a promise for all d coordinates"),
            names=(say("as printed"), say("L2-norm noise")),
            notes=(erratum.corrected("independent", by_l1, d, independent, "third"),),
            source="Hardt & Talwar 2010; Chaudhuri, Monteleoni & Sarwate 2011",
        )


def _power(epsilon: float) -> Num | Message:
    return Num(math.exp(epsilon), 3, "up") if epsilon < 700 else say("exp({x})", x=Num(epsilon))
