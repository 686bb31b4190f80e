"""Errata of whole tables: noise that is drawn once, people who are invented, classes that are told,
and a distance that is too short."""

import math
from collections import Counter
from collections.abc import Iterable

from dpstudio.charts.figure import Axis, Figure
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import param

_FEW = erratum.Along(
    "epsilon", Axis(say("declared ε"), log=True, range=(0.09, 11.0)), 0.1, 10.0, 97
)


class OneNoise(erratum.Erratum):
    """Listing 6.12 draws one number and adds it to every cell of a table of pairs."""

    key = "one_noise"
    label = N_("One draw for all cells")
    source = N_("an introductory book, listing 6.12")
    wrong = N_("One draw of noise is added to all {cells:# cell|# cells}.")
    right = N_("Every cell needs a draw of its own.")
    follows = {
        "bad": N_(
            "Not private: the difference of two cells is exact at every ε, where it should err by "
            "±{now}. Whoever knows one cell knows all of them."
        )
    }
    proof = (
        N_("All cells are off by the same X, so a cell minus another is the true difference."),
        N_("One person more in a cell moves that difference by 1: no ε bounds what it tells."),
    )

    epsilon: float = param(1.0, EPSILON)
    cells: int = integer(
        396, N_("Cells"), N_("How many pairs of values are counted."), low=2, high=10_000, log=True
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        now = Num(2 / self.epsilon, 3)
        none = say("none: not private")
        return erratum.Case(
            "bad",
            {"cells": Num(self.cells, 5), "now": now},
            (
                erratum.Row("epsilon", erratum.REAL_EPSILON, none, Num(self.epsilon, 5)),
                erratum.Row("difference", say("difference of two cells errs by"), Num(0.0), now),
                erratum.Row(
                    "cell",
                    say("a cell errs by"),
                    Num(math.sqrt(2) / self.epsilon, 3),
                    Num(math.sqrt(2) / self.epsilon, 3),
                ),
            ),
            (
                erratum.compared(
                    self,
                    draws,
                    "difference",
                    say("How far the difference of two cells errs"),
                    _FEW,
                    erratum.from_zero(say("standard deviation")),
                    lambda e: 0 * e,
                    lambda e: 2 / e,
                    say("Laplace noise of scale 1/ε"),
                    heights=None if _FEW.low <= self.epsilon <= _FEW.high else (math.nan, math.nan),
                ),
            ),
        )


class ClippedBins(erratum.Erratum):
    """Listing 6.7 makes negative noisy counts 0 before rows are drawn, which invents people."""

    key = "clipped_bins"
    label = N_("Below 0 becomes 0")
    source = N_("an introductory book, listing 6.7 and figure 6.6")
    wrong = N_("Noisy counts below 0 become 0, and the rest keep their noise.")
    right = N_("Shares that keep the noisy total invent nobody in all.")
    follows = {
        "warn": N_(
            "Private, but it invents {people:# person|# people} in {bins:# year|# years} without "
            "anybody (ε = {epsilon}): the positive half of the noise, 1/(2ε) each."
        )
    }

    epsilon: float = param(1.0, EPSILON)
    bins: int = integer(
        27,
        N_("Years without anybody"),
        N_("Of the 100 years of age that listing 6.7 counts in Adult, 27 hold nobody."),
        low=1,
        high=1_000,
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        people = Num(self.bins / (2 * self.epsilon), 3)
        return erratum.Case(
            "warn",
            {"bins": Num(self.bins, 5), "people": people, "epsilon": Num(self.epsilon, 5)},
            (
                erratum.Row("invented", say("people invented, on average"), Num(0.0), people),
                erratum.Row(
                    "each", say("in each such year"), Num(0.0), Num(1 / (2 * self.epsilon), 3)
                ),
            ),
            (
                erratum.compared(
                    self,
                    draws,
                    "invented",
                    say("People who are invented"),
                    _FEW,
                    erratum.from_zero(say("people, on average")),
                    lambda e: 0 * e,
                    lambda e: self.bins / (2 * e),
                    say("E[max(0, X)] = 1/(2ε) of Laplace noise X, in each empty year"),
                    heights=None if _FEW.low <= self.epsilon <= _FEW.high else (math.nan, math.nan),
                ),
            ),
        )


# Rows of the book's table 6.6: postcode, ages, illness.
DIVERSE = (
    ("33***", "20–29", "cancer"),
    ("33***", "20–29", "infection"),
    ("33***", "40–49", "heart disease"),
    ("33***", "40–49", "heart disease"),
)


class TwoDiverse(erratum.Erratum):
    """Table 6.6 is called 2-diverse, but a class of it has one value."""

    key = "two_diverse"
    label = N_("A 2-diverse table that is not")
    source = N_("an introductory book, table 6.6")
    wrong = N_("A table is called 2-diverse that has a class with one value.")
    right = N_("By postcode alone it would be: four rows, {alone:# value|# values}.")
    follows = {
        "warn": N_(
            "By postcode and age it is {both}-diverse: who is 40 to 49 there has a heart disease, "
            "for certain."
        )
    }

    def case(self, draws: erratum.Draws) -> erratum.Case:
        ages = sorted({age for _, age, _ in DIVERSE})
        values = [len({ill for _, age, ill in DIVERSE if age == each}) for each in ages]
        alone = len({ill for _, _, ill in DIVERSE})
        return erratum.Case(
            "warn",
            {"alone": Num(alone), "both": Num(min(values))},
            (
                erratum.Row("diversity", say("l of the table"), Num(2.0), Num(min(values))),
                erratum.Row("alone", say("l by postcode alone"), erratum.NOT_PRINTED, Num(alone)),
            ),
            (
                Figure(
                    "values",
                    say("Different illnesses in each class"),
                    names_axis(say("class"), [f"33***, {age}" for age in ages]),
                    Axis(say("different values"), range=(0.0, 3.2)),
                    erratum.pairs("values", [2.0] * len(ages), values),
                    say("by postcode and age, as they are printed"),
                    source="Machanavajjhala et al. 2007, Definition 4.1",
                ),
            ),
        )


# Sex and postcode of the book’s table 7.1.
EMPLOYEES = (
    ("male", "33617"),
    ("male", "32113"),
    ("male", "33613"),
    ("female", "33617"),
    ("male", "33620"),
)


def _alone(rows: Iterable[tuple[object, ...]]) -> int:
    return sum(many == 1 for many in Counter(rows).values())


class RenamedWords(erratum.Erratum):
    """Figure 7.11 calls numbers for words generalisation, each word having its own."""

    key = "renamed_words"
    label = N_("Numbers for words")
    source = N_("an introductory book, figure 7.11 (LabelEncoder)")
    wrong = N_("Numbers for words are called generalisation; each has its own.")
    right = N_("Two digits of the postcode alone leave {now} of them alone.")
    follows = {
        "warn": N_(
            "It hides nobody: by sex and postcode {was:# is|# are} alone of the {all} in table "
            "7.1, and as many by their numbers."
        )
    }

    def case(self, draws: erratum.Draws) -> erratum.Case:
        codes = [sorted({row[i] for row in EMPLOYEES}) for i in (0, 1)]
        before = _alone(EMPLOYEES)
        was = _alone((codes[0].index(sex), codes[1].index(code)) for sex, code in EMPLOYEES)
        now = _alone((sex, code[:2]) for sex, code in EMPLOYEES)
        return erratum.Case(
            "warn",
            {"all": Num(len(EMPLOYEES)), "was": Num(was), "now": Num(now)},
            (erratum.Row("alone", say("people alone"), Num(was), Num(now)),),
            (
                Figure(
                    "alone",
                    say("People alone, before and after"),
                    names_axis(say("table"), [N_("as it is"), N_("published")]),
                    Axis(say("people alone"), range=erratum.linear([before, was])),
                    erratum.pairs("alone", [before, was], [before, now]),
                    say("table 7.1, by sex and postcode"),
                    source="Sweeney 2002, section 2.3",
                ),
            ),
        )


class LargestDifference(erratum.Erratum):
    """Listing 8.7 tests t-closeness by the largest difference of one value."""

    key = "largest_difference"
    label = N_("t by the largest difference")
    source = N_("an introductory book, listing 8.7")
    wrong = N_("Closeness is tested by the largest difference of one value.")
    right = N_("Between values without an order the distance is half the sum of all.")
    follows = {
        "warn": N_(
            "A class that holds half of {values} equally common values is {was} from the table by "
            "the listing, and {now} by the definition."
        ),
        "good": N_("With two values both are the same: {now}."),
    }

    half: int = integer(
        7,
        N_("Values in the class"),
        N_("All equally common, of twice as many in the table."),
        low=1,
        high=100,
        log=True,
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        was, now = Num(1 / (2 * self.half), 3), Num(0.5)
        return erratum.Case(
            "warn" if self.half > 1 else "good",
            {"values": Num(2 * self.half, 5), "was": was, "now": now},
            (erratum.Row("distance", say("distance from the table"), was, now),),
            (
                erratum.compared(
                    self,
                    draws,
                    "distance",
                    say("Distance of a class with half of the values"),
                    erratum.Along(
                        "half", Axis(say("values in the class"), log=True), 1.0, 100.0, 100
                    ),
                    Axis(say("distance"), range=(0.0, 0.55)),
                    lambda m: 1 / (2 * m),
                    lambda m: 0 * m + 0.5,
                    say("all values equally common in the table"),
                    source="Li, Li & Venkatasubramanian 2007",
                ),
            ),
        )
