"""An erratum of use: two answers averaged, called about as good as one answer with both budgets."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, Axis, Figure, Rule, nice_above
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.release.two_laplace import two_laplace
from dpstudio.values.fields import real
from dpstudio.values.messages import N_, Num, say

_SOURCE = "Dwork, McSherry, Nissim & Smith 2006"


class SequentialAverage(erratum.Erratum):
    """Listing 2.7: (F₁ + F₂)/2 from budgets ε₁ and ε₂ is set beside F₃ from ε₁ + ε₂ and called
    about the same."""

    key = "sequential_average"
    label = N_("Two answers against one")
    source = N_("an introductory book, listing 2.7")
    wrong = N_("Two answers’ mean is called about as good as one with both budgets.")
    right = N_("Composition speaks of privacy only.")
    follows = {
        "warn": N_(
            "Private, both cost ε = {total}, but not alike: ±{mean} is {factor} times ±{whole}; "
            "with weights {w1} and {w2} ±{weighted}."
        )
    }

    first: float = real(0.1, N_("ε₁"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True)
    second: float = real(0.2, N_("ε₂"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True)

    def case(self, draws: erratum.Draws) -> erratum.Case:
        one, two = self.first, self.second
        mean, weighted, whole = map(float, deviations(one, two))
        share, total = one**2 / (one**2 + two**2), Num(one + two, 5)
        alone = [Num(math.sqrt(2) / epsilon, 4) for epsilon in (one, two)]
        return erratum.Case(
            "warn",
            {
                "mean": Num(mean, 4),
                "weighted": Num(weighted, 4),
                "whole": Num(whole, 4),
                "total": total,
                "factor": Num(mean / whole),
                "w1": Num(share),
                "w2": Num(1 - share),
            },
            (
                erratum.Row("deviation", say("standard deviation"), Num(mean, 4), Num(whole, 4)),
                erratum.Row(
                    "weighted",
                    say("standard deviation, best weights"),
                    erratum.NOT_PRINTED,
                    Num(weighted, 4),
                ),
                erratum.Row("first", say("first answer alone"), alone[0], alone[0]),
                erratum.Row("second", say("second answer alone"), alone[1], alone[1]),
                erratum.Row("epsilon", say("total ε"), total, total),
            ),
            (self._laws(draws), self._shares(draws)),
        )

    def _laws(self, draws: erratum.Draws) -> Figure:
        one, two = self.first, self.second
        reach = nice_above(3.2 * float(deviations(one, two)[0]))
        x = np.linspace(-reach, reach, draws.effort.of_points(361))
        whole = LaplaceLaw(1 / (one + two)).density(x)
        total = one**2 + two**2
        best = two_laplace(x, one / total, two / total)
        return Figure(
            "laws",
            say("How wrong each is"),
            Axis(say("error"), range=(-reach, reach)),
            Axis(say("density"), room=1.05, hidden=True),
            (
                erratum.printed(
                    "laws", say("(F₁ + F₂)/2"), x, two_laplace(x, 0.5 / one, 0.5 / two)
                ),
                erratum.corrected("best", say("best weights"), x, best, "third"),
                erratum.corrected(
                    "laws", say("one answer at {total}", total=Num(one + two, 5)), x, whole
                ),
            ),
            say("exact densities"),
            source=_SOURCE,
        )

    def _shares(self, draws: erratum.Draws) -> Figure:
        total = self.first + self.second
        share = np.linspace(0.02, 0.98, draws.effort.of_points(97))
        plain, weighted, whole = deviations(share * total, (1 - share) * total)
        words = say("ε₁ = {first}", first=Num(self.first, 5))
        return Figure(
            "shares",
            say("However the budget is split"),
            Axis(say("share of ε₁ in the total"), range=(0.0, 1.0)),
            Axis(say("standard deviation"), range=(0.0, nice_above(3.2 * math.sqrt(2) / total))),
            (
                erratum.printed("shares", say("(F₁ + F₂)/2"), share, plain),
                erratum.corrected("best_shares", say("best weights"), share, weighted, "third"),
                erratum.corrected("shares", say("one answer"), share, whole),
                Rule("here", "muted", words, self.first / total, dash="dot"),
            ),
            say("total ε = {total}; one answer with all of it is never worse", total=Num(total, 5)),
            source=_SOURCE,
        )


def deviations(one: ArrayLike, two: ArrayLike) -> tuple[Array, Array, Array]:
    """Standard deviations of the plain mean, of the mean weighted by ε², and of one answer with the
    whole budget; shape of the budgets."""
    one, two = np.asarray(one, dtype=np.float64), np.asarray(two, dtype=np.float64)
    return (
        np.hypot(1 / one, 1 / two) / math.sqrt(2),
        math.sqrt(2) / np.hypot(one, two),
        math.sqrt(2) / (one + two),
    )
