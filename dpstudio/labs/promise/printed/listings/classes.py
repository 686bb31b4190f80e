"""Errata of classes of rows: k counted by the wrong columns, means that tell one number of a class,
and rows of which two columns are drawn anew."""

from collections import Counter

import numpy as np

from dpstudio.charts.figure import Axis, Figure
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.labs.promise.printed.listings.made_tables import DIVERSE
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Num, say

# Of the first 32,561 rows of Adult: the rarer income, and people alone by age and sex.
ADULT_RARER, ADULT_ALONE = 7_841, 5


class SensitiveClasses(erratum.Erratum):
    """Sections 6.2.2 and 7.4.2 count k by the sensitive columns."""

    key = "sensitive_classes"
    label = N_("k of the sensitive column")
    source = N_("an introductory book, sections 6.2.2 and 7.4.2")
    wrong = N_("k is defined by rows that are alike in the sensitive columns.")
    right = N_("It counts rows alike in what others know of people: the quasi-identifiers.")
    follows = {
        "warn": N_(
            "By that its table 6.6 would be {was}-anonymous, where postcode and age make it {now}-"
            "anonymous; and Adult {adult}-anonymous by income, where {alone:# person is|# people "
            "are} alone by age and sex."
        )
    }

    def case(self, draws: erratum.Draws) -> erratum.Case:
        was = min(Counter(ill for _, _, ill in DIVERSE).values())
        now = min(Counter(row[:2] for row in DIVERSE).values())
        values = {
            "was": Num(was),
            "now": Num(now),
            "adult": Num(ADULT_RARER, 6),
            "alone": Num(ADULT_ALONE),
        }
        return erratum.Case(
            "warn",
            values,
            (
                erratum.Row("k", say("k of table 6.6"), values["was"], values["now"]),
                erratum.Row("adult", say("k of Adult"), values["adult"], Num(1)),
            ),
            (
                Figure(
                    "k",
                    say("The smallest class of table 6.6"),
                    names_axis(say("table"), ("6.6",)),
                    Axis(say("rows"), range=(0.0, now + 0.5)),
                    erratum.pairs(
                        "k", [was], [now], (say("by the illness"), say("by postcode and age"))
                    ),
                    say("counted by what is printed, and by what others know"),
                    source="Samarati & Sweeney 1998; Sweeney 2002, Definition 3",
                ),
            ),
        )


class ClassMeans(erratum.Erratum):
    """Listing 8.4 publishes the mean of each class."""

    key = "class_means"
    label = N_("Means of classes")
    source = N_("an introductory book, listing 8.4 and figure 8.10")
    wrong = N_("Each class of k rows is published with the mean of its numbers.")
    right = N_("Ranges that are set beforehand tell the range, and no more.")
    follows = {
        "warn": N_(
            "Who knows {others:# person|# people} of a class of {k} has the last number for "
            "certain: k times the mean, less theirs. From its least and greatest alone that would "
            "be so for {share} of people, those at an end of a class of different numbers."
        )
    }

    k: int = integer(3, N_("Rows k"), N_("How many rows a class has."), low=3, high=1_000, log=True)

    def case(self, draws: erratum.Draws) -> erratum.Case:
        share, none = Num(2 / self.k, 3, percent=True), Num(0.0, percent=True)
        return erratum.Case(
            "warn",
            {"k": Num(self.k, 5), "others": Num(self.k - 1, 5), "share": share},
            (
                erratum.Row("mean", say("known from the mean"), Num(1.0, percent=True), none),
                erratum.Row("ends", say("known from both ends"), erratum.NOT_PRINTED, share),
            ),
            (
                erratum.compared(
                    self,
                    draws,
                    "known",
                    say("Whose number is known to who knows the others"),
                    erratum.Along("k", Axis(say("rows k"), log=True), 3.0, 1_000.0, 97),
                    Axis(say("share of people"), range=(0.0, 1.05)),
                    np.ones_like,
                    lambda k: 2 / k,
                    say("a class of k different numbers"),
                    names=(say("by its mean"), say("by its least and greatest")),
                    source="Kenthapadi, Mishra & Nissim 2005",
                ),
            ),
        )


# People of Adult’s 48,842 who are alone by what listing 7.2 has of them but the income, twelve
# columns, and by the ten of these that it leaves as they are.
ROWS, BY_ALL, BY_REST = 48_842, 35_649, 16_183


class TwoDrawn(erratum.Erratum):
    """Listing 7.2 draws age and race anew and calls the rows privacy-preserving."""

    key = "two_drawn"
    label = N_("Two columns drawn anew")
    source = N_("an introductory book, listing 7.2 and figure 7.12")
    wrong = N_("Age and race are drawn anew; then the rows are called private.")
    right = N_("The other eleven columns of each row stay as they were.")
    follows = {
        "bad": N_(
            "Of {rows:# person|# people} {all} are alone by twelve columns, and still {rest} by "
            "the ten of them that nothing changed: who knows these of somebody finds their income."
        )
    }
    proof = (
        N_("Whoever is alone by columns that stay is in one row of the published table."),
        N_("A table without that person has no such row: no ε bounds what it tells."),
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        values = {"rows": Num(ROWS, 6), "all": Num(BY_ALL, 6), "rest": Num(BY_REST, 6)}
        return erratum.Case(
            "bad",
            values,
            (erratum.Row("alone", say("people alone"), Num(0), values["rest"]),),
            (
                Figure(
                    "alone",
                    say("People alone in Adult"),
                    names_axis(say("columns"), [N_("before"), N_("after")]),
                    Axis(say("people"), range=erratum.linear([BY_ALL])),
                    erratum.pairs(
                        "alone", [BY_ALL, 0], [BY_ALL, BY_REST], (say("as told"), say("counted"))
                    ),
                    say("by twelve columns, and by the ten that are left as they were"),
                    source="Sweeney 2000",
                ),
            ),
        )
