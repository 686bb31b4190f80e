"""An erratum of estimates: none below 1 is let through, which counts people who are not there."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, Axis, Figure, Line, array
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.labs.promise.printed.listings.local_reports import OCCUPATIONS
from dpstudio.privacy.attacks.lists import Response
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Num, safely, say
from dpstudio.values.parameters import param

PEOPLE = sum(OCCUPATIONS.values())
_COUNTS = tuple(OCCUPATIONS.values())
RARE = "Armed-Forces"
# One survey of listing 4.8 as it is printed, in the order of the occupations: reports, and
# estimates of at least 1.
REPORTED = (3637, 157, 3911, 3931, 1106, 1419, 2030, 3259, 285, 4011, 741, 3559, 1021, 1651)
ESTIMATED = (3774, 1, 4074, 4095, 1002, 1345, 2014, 3360, 103, 4183, 602, 3688, 909, 1599)
_REACH = 13.0  # deviations of the reports that are summed over
_NONE = (
    9.0  # so many deviations above the least estimate, nothing is lifted: less than 1e-19 people
)


def lifts(epsilon: float, held: ArrayLike, least: float = 1.0) -> Array:
    """E max(E, least) − held: how many people the mean estimate gains where `held` of 30,718 hold
    the value, exactly; shape (k,).

    Reports of the value are Bin(held, p) + Bin(n − held, q). Their law is read off the
    characteristic function at the N-th roots of unity, which is exact but for what lies N/2 reports
    away from the mean; then (least − E)₊ is summed over it.
    """
    direct = Direct().at(epsilon)
    assert direct is not None
    support, n, people = (
        direct.support(len(OCCUPATIONS)),
        PEOPLE,
        np.asarray(held, dtype=np.float64),
    )
    p, q = support.p, support.q
    spread = np.sqrt(people * p * support.not_p + (n - people) * q * support.not_q)
    out = np.zeros(len(people))
    low = people - least <= _NONE * spread / support.gap + 1
    if not low.any():
        return out
    points = 2 ** math.ceil(math.log2(2 * _REACH * float(spread[low].max()) + 64))
    roots = np.exp(-2j * math.pi * np.arange(points // 2 + 1) / points) - 1
    # Away from 0, where p is ½: a logarithm that is −∞ has no angle.
    own, other = np.log(1 + p * roots + 1e-300), np.log(1 + q * roots + 1e-300)
    law = np.fft.irfft(np.exp(people[low, None] * own + (n - people[low, None]) * other), points)
    mean = people[low, None] * p + (n - people[low, None]) * q
    reports = np.floor(mean).astype(np.int64) + np.arange(-points // 2, points // 2)
    chances = np.where(reports >= 0, np.take_along_axis(law, reports % points, axis=1), 0.0)
    out[low] = (
        np.maximum(chances, 0.0) * np.maximum(least - (reports - n * q) / support.gap, 0.0)
    ).sum(axis=1)
    return out


class AtLeastOne(erratum.Erratum):
    """max(E, 1) "to make it non-negative": rare values gain people on average, and estimates no
    longer add up to n."""

    key = "at_least_one"
    label = N_("Estimates of at least 1")
    source = N_("an introductory book, section 4.2.1")
    wrong = N_("Estimates are lifted to 1, “to make it non-negative”.")
    right = N_("That would be max(E, 0), and E as it is has no bias.")

    epsilon: float = param(5.0, EPSILON)
    held: int = integer(
        9,
        N_("People who hold it, nᵢ"),
        N_("Of 30,718; Armed-Forces has 9."),
        low=1,
        high=5000,
        log=True,
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        epsilon, held = self.epsilon, self.held
        bias, gained = float(lifts(epsilon, [held])[0]), float(lifts(epsilon, _COUNTS).sum())
        raw, rare = Direct(5.0).estimate(REPORTED, PEOPLE), list(OCCUPATIONS).index(RARE)
        mean, total, n = Num(held + bias, 4), Num(PEOPLE + gained, 6), Num(PEOPLE, 6)
        # As far as the digits show it that are told.
        more, off = safely(PEOPLE + gained, 6) > PEOPLE, safely(held + bias, 4) > held
        response = Response(epsilon, len(OCCUPATIONS))
        return erratum.Case(
            "warn" if more or off else "good",
            {"held": Num(held, 5), "mean": mean, "total": total, "n": n},
            (
                erratum.Row(
                    "mean",
                    say("mean estimate of {held} {held:person|people}", held=Num(held, 5)),
                    mean,
                    Num(held, 4),
                ),
                erratum.Row("total", say("mean total of all 14 estimates"), total, n),
                erratum.Row(
                    "survey",
                    say("Armed-Forces in the printed survey"),
                    Num(ESTIMATED[rare]),
                    Num(float(raw[rare]), 4),
                ),
                erratum.Row(
                    "sum",
                    say("sum of the printed survey"),
                    Num(sum(ESTIMATED), 6),
                    Num(float(raw.sum()), 6),
                ),
            ),
            (self._by_people(draws, bias), self._by_epsilon(draws, gained)),
            _outcome(more=more, off=off),
            audited=(response, response),
        )

    def _by_people(self, draws: erratum.Draws, bias: float) -> Figure:
        x = np.unique(np.round(np.geomspace(1, 5000, draws.effort.of_points(41))))
        one, zero = draws.remember(
            ("lifts", self.epsilon, len(x)),
            lambda: array([lifts(self.epsilon, x, least) for least in (1.0, 0.0)]),
        )
        return Figure(
            "people",
            say("People who are not there"),
            Axis(say("people who hold the value, nᵢ"), log=True, range=(0.9, 5600.0)),
            Axis(say("mean estimate − nᵢ"), range=erratum.linear(one)),
            (
                erratum.corrected("people", say("E as it is: 0"), x, np.zeros_like(x)),
                Line("zero", "third", say("max(E, 0)"), x, zero),
                erratum.printed("people", say("as printed: max(E, 1)"), x, one),
                *erratum.handles("held", float(self.held), bias, 0.0),
            ),
            say("exact, ε = {epsilon}, 30,718 people and 14 values", epsilon=Num(self.epsilon, 5)),
            source=self.source,
        )

    def _by_epsilon(self, draws: erratum.Draws, gained: float) -> Figure:
        along = erratum.epsilons(37)
        x = along.x(draws.effort)
        total = draws.remember(
            ("lifted totals", len(x)),
            lambda: array([PEOPLE + lifts(float(e), _COUNTS).sum() for e in x]),
        )
        return Figure(
            "total",
            say("All estimates together"),
            along.axis,
            Axis(say("mean total, people"), log=True, range=erratum.decades(total)),
            (
                erratum.corrected("total", say("E as it is: n"), x, np.full_like(x, float(PEOPLE))),
                erratum.printed("total", say("as printed"), x, total),
                *erratum.handles("epsilon", self.epsilon, PEOPLE + gained, float(PEOPLE)),
            ),
            say("the mean total of the 14 occupations; direct encoding itself keeps n exactly"),
            source=self.source,
        )


def _outcome(*, more: bool, off: bool) -> str:
    """What is too many: all estimates together, those of the people looked at, or nothing."""
    if more and off:
        return N_(
            "Private, but wrong where people are few: {held} {held:is|are} counted as {mean} on "
            "average, and all 14 make {total}, not {n}."
        )
    if more:
        return N_(
            "Private, but wrong where people are few: all 14 estimates make {total} on average, "
            "not {n}."
        )
    if off:
        return N_(
            "Private, but wrong where people are few: {held} {held:is|are} counted as {mean} on "
            "average."
        )
    return N_("At this ε hardly an estimate falls below 1, and nothing is lifted.")
