"""A survey whose noise is made in the phones of a room: the law of a report in whole numbers, and
what all reports say together."""

import decimal
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np


class PhoneLaw(NamedTuple):
    """A number below `whole`, all alike likely, decides: below `own` for the truth; of unary bits,
    those of others turn to 1 below `other`."""

    how: str
    whole: int
    own: int
    other: int


def phone_law(kind, d, epsilon, unary=False):
    """The whole numbers of 32 bits that are nearest to the law of a protocol from its private side:
    two coins (Warner 1965), direct encoding (GRR), unary encoding (OUE) or, of numbers, two ends
    (Duchi, Jordan & Wainwright 2018)."""
    word = 2**32
    with decimal.localcontext() as context:
        context.prec = 60
        shrink = Fraction((-decimal.Decimal(epsilon)).exp())  # e^-epsilon
    if kind == "choice" and unary:  # q = 1/(e^epsilon + 1), p = 1/2
        return PhoneLaw("oue", word, word // 2, math.ceil(word * shrink / (1 + shrink)))
    if kind == "choice":  # e^epsilon to 1 for the own one of d
        other = math.floor(word / (1 / shrink + d - 1))
        own = math.floor(other / shrink)
        return PhoneLaw("grr", own + (d - 1) * other, own, other)
    # The truth with (e^epsilon - 1)/(e^epsilon + 1), else a fair coin.
    own = math.floor(word * (1 - shrink) / (1 + shrink))
    return PhoneLaw("coins" if kind == "coins" else "duchi", word, own, 0)


def speaks_for(law):
    """p and q of a report: how often it speaks for the answer of its sender, and for another."""
    if law.how in ("grr", "oue"):
        return law.own / law.whole, law.other / law.whole
    return (law.whole + law.own) / (2 * law.whole), (law.whole - law.own) / (2 * law.whole)


def invented_answers(kind, d, people, share):
    """Answers of which `share` are yes or the first option, the others all alike; numbers are as
    near to one place as whole ones can be."""
    first = round(share * people)
    if kind == "coins":
        return [1] * first + [0] * (people - first)
    if kind == "number":
        total = round(share * (d - 1) * people)
        return [total // people + (i < total % people) for i in range(people)]
    return [0] * first + [1 + i % (d - 1) for i in range(people - first)]


def phone_report(law, d, answer, rng):
    """What a phone sends of an answer, counted from 0: an option, an end of the range, or bits."""
    drawn = [int(rng.integers(law.whole)) for _ in range(d)] if law.how == "oue" else []
    if drawn:
        return [int(r < (law.own if i == answer else law.other)) for i, r in enumerate(drawn)]
    if law.how == "grr":
        r = int(rng.integers(law.whole))
        told = (r - law.own) // law.other
        return answer if r < law.own else told + (told >= answer)
    if law.how == "duchi":  # first to an end of the range, without bias
        answer = int(rng.integers(d - 1) < answer)
    return answer if rng.integers(law.whole) < law.own else int(rng.integers(2))


def invented_reports(kind, answers, d, laws, by_answer, rng):
    """(which law each person chose, what each sent): by lot, or, where the choice follows the
    answer, the first for what the question is about and the last for all else."""
    answers = np.array(answers)
    rng.shuffle(answers)
    chosen = rng.integers(len(laws), size=len(answers))
    if by_answer:
        about = answers > np.median(answers) if kind == "number" else answers > 0
        about = answers == 0 if kind == "choice" else about
        chosen = np.where(about, 0, len(laws) - 1)
    pairs = zip(answers.tolist(), chosen.tolist(), strict=True)
    return chosen, [phone_report(laws[place], d, answer, rng) for answer, place in pairs]


def word_told(cell):
    """A cell of a table of reports as it was written: an end of a range is a whole number."""
    return cell if isinstance(cell, str) else f"{cell:.0f}"


def room_estimate(law, d, sent):
    """The estimated share of each option among those who sent these, and its standard error from
    the coins alone: (total/n - q)/(p - q). Of a number: of its low and its high end."""
    n, many = len(sent), 2 if law.how in ("coins", "duchi") else d
    bits = np.array(sent) if law.how == "oue" else np.eye(many)[np.array(sent)]
    p, q = speaks_for(law)
    shares = (bits.sum(axis=0) / n - q) / (p - q)
    if law.how == "duchi":
        # Reports are 1/(p - q) or the opposite of it, in halves of the range about its middle: the
        # mean of squares less that of t^2, of which no more is known than (mean of t)^2.
        middle = np.clip(2 * shares - 1, -1, 1)
        return shares, np.sqrt(((p - q) ** -2 - middle**2) / n) / 2
    likely = np.clip(shares, 0, 1)
    noise = likely * p * (1 - p) + (1 - likely) * q * (1 - q)
    return shares, np.sqrt(noise / n) / (p - q)


def by_heads(estimates, people):
    """Estimates of several groups together, each with as many heads as it has: unbiased also where
    the choice of epsilon depends on the answer. (values, standard errors)"""
    weights = np.array(people)[:, None] / sum(people)
    values = (weights * [value for value, _ in estimates]).sum(axis=0)
    return values, np.sqrt((weights**2 * np.square([e for _, e in estimates])).sum(axis=0))
