"""Errata of rows that are drawn from noisy counts or averages: ε that is spent once more, cells
that are listed because somebody is in them, and noise that is divided by the rows."""

from dpstudio.charts.figure import Axis, Figure
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import param


class AskedAgain(erratum.Erratum):
    """Listing 6.13 adds noise for all of ε to how many rows there are, after the cells had it."""

    key = "asked_again"
    label = N_("n asked once more")
    source = N_("an introductory book, listings 6.12 and 6.13")
    wrong = N_("The cells have noise for all of ε, and then n has it for all of ε too.")
    right = N_("The noisy cells add up to an n that costs nothing more.")
    follows = {
        "bad": N_(
            "Not private as declared: who comes is in a cell and in n, and the real ε is {real} "
            "instead of {epsilon}."
        )
    }
    proof = (
        N_("One person who comes moves one cell by 1 and n by 1."),
        N_("Each answer changes a probability by up to eᵋ, both together by up to e²ᵋ."),
    )

    epsilon: float = param(1.0, EPSILON)

    def case(self, draws: erratum.Draws) -> erratum.Case:
        real, epsilon = Num(2 * self.epsilon, 3, "up"), Num(self.epsilon, 5)
        return erratum.Case(
            "bad",
            {"real": real, "epsilon": epsilon},
            (erratum.Row("epsilon", erratum.REAL_EPSILON, real, epsilon),),
            (erratum.spent(self, draws, lambda e: 2 * e),),
        )


# Pairs of age, 0 to 99, and marital status in the first 32,561 rows of Adult: of one person, of
# more, and of nobody.
PAIRS = (38, 358, 304)


class CellsThatOccur(erratum.Erratum):
    """Listings 6.11 to 6.13 count the pairs that occur, and add noise to those alone."""

    key = "cells_that_occur"
    label = N_("Only cells that occur")
    source = N_("an introductory book, listings 6.11 to 6.13")
    wrong = N_("Of {all} pairs of age and status only the {listed} that occur get noise.")
    right = N_("The other {empty} need noise too: which of them are empty is told as well.")
    follows = {
        "bad": N_(
            "Not private at any ε: {alone:# pair is|# pairs are} of one person alone, without whom "
            "such a pair would not be listed."
        )
    }
    proof = (
        N_("A table that lists a pair is impossible where nobody is in it."),
        N_("So one person turns a chance of 0 into 1, which no ε bounds."),
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        alone, more, empty = PAIRS
        listed, every = alone + more, alone + more + empty
        values = {
            "alone": Num(alone),
            "listed": Num(listed),
            "empty": Num(empty),
            "all": Num(every),
        }
        names = [N_("of one person"), N_("of more"), N_("of nobody")]
        return erratum.Case(
            "bad",
            values,
            (
                erratum.Row("cells", say("pairs with noise"), values["listed"], values["all"]),
                erratum.Row("alone", say("tell that one person is there"), values["alone"], Num(0)),
            ),
            (
                Figure(
                    "cells",
                    say("Pairs with noise"),
                    names_axis(say("pairs"), names),
                    Axis(say("pairs"), range=erratum.linear(PAIRS)),
                    erratum.pairs("cells", [alone, more, 0], PAIRS),
                    say("age and marital status, ages 0 to 99"),
                    source=self.source,
                ),
            ),
        )


# As the texts split ε: the mean has so much of it, the covariance the rest. The covariance has half
# of the sensitivity besides.
_MEAN, _HALVED = 0.4, 2


class DividedNoise(erratum.Erratum):
    """The code behind figures 6.19 to 6.21 divides the noise of a group by all rows."""

    key = "divided_noise"
    label = N_("Noise divided by the rows")
    source = N_("an introductory book, figures 6.19 to 6.21, by the code behind them")
    wrong = N_("Noise of a group’s mean and covariance is divided by all {rows:# row|# rows}.")
    right = N_("It was divided by the rows of the group already.")
    follows = {
        "bad": N_(
            "Not private as declared: the real ε is {real} instead of {epsilon}, for groups that "
            "are fixed. So little noise is why its curves hardly fall."
        )
    }
    proof = (
        N_("The mean has {mean} of ε and noise that is n times too small: {mean}·n·ε."),
        N_("The covariance has the rest, and half of its sensitivity besides: {other}·n·ε."),
    )

    epsilon: float = param(1.0, EPSILON)
    rows: int = integer(
        768, N_("Rows n"), N_("Of the table; Pima has 768."), low=1, high=1_000, log=True
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        other = _HALVED * (1 - _MEAN)
        times = (_MEAN + other) * self.rows
        real, epsilon = Num(times * self.epsilon, 3, "up"), Num(self.epsilon, 5)
        values = {
            "real": real,
            "epsilon": epsilon,
            "rows": Num(self.rows),
            "mean": Num(_MEAN),
            "other": Num(other),
        }
        return erratum.Case(
            "bad",
            values,
            (erratum.Row("epsilon", erratum.REAL_EPSILON, real, epsilon),),
            (erratum.spent(self, draws, lambda e: times * e),),
        )
