"""An erratum of use: two answers averaged, called about as good as one answer with both budgets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Rule, nice_above
from dpstudio.labs.texts.errata.listings.erratum import (
    Draws,
    Erratum,
    Reading,
    Row,
    corrected,
    printed,
)
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.release.two_laplace import two_laplace
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Real, param


@dataclass(frozen=True)
class SequentialAverage(Erratum):
    """Listing 2.7: (F₁ + F₂)/2 from budgets ε₁ and ε₂ is set beside F₃ from ε₁ + ε₂ and called
    about the same."""

    key: ClassVar[str] = "sequential_average"
    label: ClassVar[str] = N_("Two answers against one")
    source: ClassVar[str] = "an introductory book, listing 2.7"

    first: float = param(
        0.1, Real(N_("ε₁"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True)
    )
    second: float = param(
        0.2, Real(N_("ε₂"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True)
    )

    def read(self, draws: Draws) -> Reading:
        one, two = self.first, self.second
        mean, weighted, whole = deviations(one, two)
        share = one**2 / (one**2 + two**2)
        values = {
            "mean": Num(mean, 4), "weighted": Num(weighted, 4), "whole": Num(whole, 4), "total": Num(one + two, 5),
            "factor": Num(mean / whole),
            "w1": Num(share), "w2": Num(1 - share),
        }  # fmt: skip
        follows = N_(
            "Private, both cost ε = {total}, but not alike: ±{mean} is {factor} times ±{whole}; "
            "with weights {w1} and {w2} ±{weighted}."
        )
        return Reading(
            (self._laws(), self._shares(mean, weighted, whole)),
            say(
                "The mean of two answers is called about as good as one answer with both budgets; "
                "composition speaks of privacy only."
            ),
            Say(follows, values),
            "warn",
            (
                Row("deviation", say("standard deviation"), Num(mean, 4), Num(whole, 4)),
                Row(
                    "weighted",
                    say("standard deviation, best weights"),
                    say("not printed"),
                    Num(weighted, 4),
                ),
                Row(
                    "first",
                    say("first answer alone"),
                    Num(math.sqrt(2) / one, 4),
                    Num(math.sqrt(2) / one, 4),
                ),
                Row(
                    "second",
                    say("second answer alone"),
                    Num(math.sqrt(2) / two, 4),
                    Num(math.sqrt(2) / two, 4),
                ),
                Row("epsilon", say("total ε"), Num(one + two, 5), Num(one + two, 5)),
            ),
        )

    def _laws(self) -> Figure:
        one, two = self.first, self.second
        reach = nice_above(3.2 * deviations(one, two)[0])
        x = np.linspace(-reach, reach, 361)
        whole = LaplaceLaw(1 / (one + two)).density(x)
        total = one**2 + two**2
        best = two_laplace(x, one / total, two / total)
        return Figure(
            "laws",
            say("How wrong each is"),
            Axis(say("error"), range=(-reach, reach)),
            Axis(say("density"), range=(0.0, nice_above(1.05 * float(whole.max()))), hidden=True),
            (
                printed("laws", say("(F₁ + F₂)/2"), x, two_laplace(x, 0.5 / one, 0.5 / two)),
                corrected("best", say("best weights"), x, best, "accent"),
                corrected("laws", say("one answer at {total}", total=Num(one + two, 5)), x, whole),
            ),
            say("exact densities"),
            source="Dwork, McSherry, Nissim & Smith 2006",
        )

    def _shares(self, mean: float, weighted: float, whole: float) -> Figure:
        total = self.first + self.second
        share = np.linspace(0.02, 0.98, 97)
        curves = np.array([deviations(s * total, (1 - s) * total) for s in share]).T
        return Figure(
            "shares",
            say("However the budget is split"),
            Axis(say("share of ε₁ in the total"), range=(0.0, 1.0)),
            Axis(say("standard deviation"), range=(0.0, nice_above(3.2 * whole))),
            (
                printed("shares", say("(F₁ + F₂)/2"), share, curves[0]),
                corrected("best_shares", say("best weights"), share, curves[1], "accent"),
                corrected("shares", say("one answer"), share, curves[2]),
                Rule(
                    "here",
                    "muted",
                    say("ε₁ = {first}", first=Num(self.first, 5)),
                    self.first / total,
                    dash="dot",
                ),
            ),
            say("total ε = {total}; one answer with all of it is never worse", total=Num(total, 5)),
            source="Dwork, McSherry, Nissim & Smith 2006",
        )


def deviations(one: float, two: float) -> tuple[float, float, float]:
    """Standard deviations of the plain mean, of the mean weighted by ε², and of one answer with the
    whole budget."""
    return (
        math.hypot(1 / one, 1 / two) / math.sqrt(2),
        math.sqrt(2) / math.hypot(one, two),
        math.sqrt(2) / (one + two),
    )
