"""Errata of numbers: a table of the exponential mechanism, and one table with two conclusions."""

from math import prod

import numpy as np

from dpstudio.charts.figure import Array, Axis, Figure
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_, Num, plain, say

ILLNESSES, COUNTS = ("Cancer", "HIV", "HPV"), (50, 20, 30)
# Chances by ε, as the article prints them.
PRINTED_CHANCES = {
    "0": (0.333, 0.333, 0.333),
    "0.1": (0.628, 0.124, 0.231),
    "0.5": (0.993, 0.006, 0.001),
    "1": (0.9999, 3e-7, 4e-5),
}
_WRONG = ("0.1", "0.5")


def chances(epsilon: float) -> Array:
    """What the exponential mechanism gives each illness, sensitivity 1 (McSherry & Talwar 2007)."""
    weights = np.exp(epsilon / 2 * (np.array(COUNTS) - max(COUNTS)))
    return np.asarray(weights / weights.sum())


class ExponentialTable(erratum.Erratum):
    """Three numbers of a table of the exponential mechanism are other ones."""

    key = "exponential_table"
    label = N_("A table of the exponential mechanism")
    source = N_("an article on the central model: the table of three illnesses")
    wrong = N_("Three of twelve chances in the table are misprinted.")
    right = N_(".124 stands where .140 belongs; HIV and HPV are exchanged at ε = 0.5.")
    follows = {
        "warn": N_(
            "At ε = {epsilon} HIV has {hiv} and HPV {hpv}; {was_hiv} and {was_hpv} are printed, "
            "and the three add up to {sum}."
        ),
        "good": N_("At ε = {epsilon} all three are right, as far as they are printed."),
    }

    asked: str = choice(
        "0.1",
        N_("Column ε"),
        N_("Which column of the printed table."),
        options={each: N_(each) for each in PRINTED_CHANCES},
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        was, now = PRINTED_CHANCES[self.asked], chances(float(self.asked))
        return erratum.Case(
            "warn" if self.asked in _WRONG else "good",
            {
                "epsilon": Num(float(self.asked)),
                "hiv": Num(float(now[1]), 3),
                "hpv": Num(float(now[2]), 3),
                "was_hiv": Num(was[1], 3),
                "was_hpv": Num(was[2], 3),
                "sum": Num(round(sum(was), 3), 4),
            },
            tuple(
                erratum.Row(name, say("P({name})", name=plain(name)), Num(a, 4), Num(float(b), 4))
                for name, a, b in zip(ILLNESSES, was, now, strict=True)
            ),
            (
                Figure(
                    "chances",
                    say("Chances of three illnesses"),
                    names_axis(say("illness"), ILLNESSES),
                    Axis(say("probability"), range=(0.0, 1.02)),
                    erratum.pairs("chances", was, now),
                    say("counts 50, 20 and 30; one person moves each by 1"),
                    source="McSherry & Talwar 2007, Theorem 6",
                ),
            ),
        )


# Who missed a payment (C₁) and who did not (C₂) of ten, and of each how many are young, have a
# medium income, are women: what the book prints of its table 3.1.
SIZES = (4, 6)
ALIKE = ((2, 1, 2), (1, 1, 2))


class OtherClass(erratum.Erratum):
    """Chapters 3 and 5 use one table of ten mortgages and conclude the opposite of one person."""

    key = "other_class"
    label = N_("One table, two conclusions")
    source = N_("an introductory book, sections 3.2.1 and 5.3.1 (tables 3.1 and 5.1)")
    wrong = N_("Of one woman chapter 3 concludes C₁ from ten rows, chapter 5 C₂.")
    follows = {
        "warn": N_(
            "By the shares of that table C₁ weighs {first} and C₂ {second}: naive Bayes says that "
            "she missed a payment, with {belief}. Chapter 3 is right."
        )
    }

    def case(self, draws: erratum.Draws) -> erratum.Case:
        total = sum(SIZES)
        weights = np.array(
            [
                size / total * prod(n / size for n in held)
                for size, held in zip(SIZES, ALIKE, strict=True)
            ]
        )
        beliefs = weights / weights.sum()
        first, second = (Num(float(weight), 2) for weight in weights)
        belief = Num(float(beliefs[0]), 3, percent=True)
        return erratum.Case(
            "warn",
            {"first": first, "second": second, "belief": belief},
            (
                erratum.Row("first", say("weight of C₁"), erratum.NOT_PRINTED, first),
                erratum.Row("second", say("weight of C₂"), erratum.NOT_PRINTED, second),
                erratum.Row("belief", say("C₁, missed"), Num(0.0, percent=True), belief),
            ),
            (
                Figure(
                    "classes",
                    say("What naive Bayes concludes"),
                    names_axis(say("class"), ("C₁", "C₂")),
                    Axis(say("probability"), range=(0.0, 1.02)),
                    erratum.pairs(
                        "classes", (0.0, 1.0), beliefs, (say("chapter 5"), say("by its table"))
                    ),
                    say("a young woman of medium income"),
                    source=self.source,
                ),
            ),
        )
