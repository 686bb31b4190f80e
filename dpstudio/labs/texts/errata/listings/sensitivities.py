"""Errata of sensitivity: a utility in thousands, a mean, a variance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, Axis, Columns, Figure, Rule, array
from dpstudio.labs.texts.errata.listings.erratum import (
    CORRECTED,
    EPSILON_AXIS,
    PRINTED,
    Draws,
    Erratum,
    Reading,
    Row,
    corrected,
    decades,
    epsilons,
    handles,
    printed,
    spent_chart,
)
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Integer, Real, param

# Marital status in both files of the Adult table (48,842 people), as the listing counts them.
MARITAL = {
    "Married-civ-spouse": 22_379, "Never-married": 16_117, "Divorced": 6_633, "Separated": 1_530, "Widowed": 1_518,
    "Married-spouse-absent": 628, "Married-AF-spouse": 37,
}  # fmt: skip
DEVIATION = say("standard deviation of the noise")
REAL = say("real ε")


def exponential(utilities: Array, epsilon: float, sensitivity: float) -> Array:
    """The exponential mechanism's probabilities ∝ e^(ε u/2Δ), in log space. Shape of
    `utilities`."""
    scores = (
        epsilon * (np.asarray(utilities, dtype=np.float64) - np.max(utilities)) / (2 * sensitivity)
    )
    weights = np.exp(np.maximum(scores, -745.0)) * (scores > -745.0)
    return np.asarray(weights / weights.sum())


@dataclass(frozen=True)
class ThousandthUtility(Erratum):
    """Listing 2.5: the utility is a count divided by 1,000, the sensitivity handed over is 1 and
    not 1/1,000."""

    key: ClassVar[str] = "thousandth_utility"
    label: ClassVar[str] = N_("Utility in thousands, sensitivity 1")
    source: ClassVar[str] = "an introductory book, listing 2.5"

    epsilon: float = param(1.0, EPSILON)
    divisor: float = param(
        1000.0,
        Real(
            N_("Utility = count divided by"), N_("1,000 in the listing."), low=1, high=1e6, log=True
        ),
    )

    def read(self, draws: Draws) -> Reading:
        epsilon, divisor = self.epsilon, self.divisor
        counts = array(list(MARITAL.values()))
        was, now = (
            exponential(counts / divisor, epsilon, 1.0),
            exponential(counts / divisor, epsilon, 1 / divisor),
        )
        values: dict[str, Num | Say] = {
            "epsilon": Num(epsilon, 5),
            "divisor": Num(divisor),
            "real": Num(epsilon / divisor),
        }
        values["was"] = Num(was[0], 5)
        values["now"] = certain = _nearly_certain(counts, epsilon)
        if divisor == 1:
            tone, text = "good", N_("With a divisor of {divisor} the listing is right.")
        else:
            tone = "warn"
            text = N_(
                "Private but over-noised: declared ε = {epsilon} is really {real}, and the most "
                "common is chosen with {was}, not {now}."
            )
        names = list(MARITAL)
        cells = [certain, *(Num(p, 4) for p in now[1:])]
        rows = [
            Row(name, say("P({name})", name=name), Num(was[i], 4), cells[i])
            for i, name in enumerate(names)
        ]
        return Reading(
            (
                self._choices(was, now),
                self._most_common(counts),
                spent_chart(lambda x: x / divisor, epsilon, self.source),
            ),
            say(
                "The utility is a count over {divisor}, so one person moves it by 1/{divisor}; the "
                "listing says by 1.",
                **values,
            ),
            Say(text, values),
            tone,
            (Row("epsilon", REAL, Num(epsilon / divisor), Num(epsilon, 5)), *rows),
        )

    def _choices(self, was: Array, now: Array) -> Figure:
        x = np.arange(len(was), dtype=np.float64)
        return Figure(
            "choices",
            say("What is chosen"),
            Axis(
                say("marital status"),
                range=(-0.6, len(x) - 0.4),
                ticks=tuple(zip(x.tolist(), MARITAL, strict=True)),
            ),
            Axis(say("probability"), range=(0.0, 1.05)),
            (
                Columns(f"{PRINTED}choices", "bad", say("as printed"), x - 0.2, was, 0.36),
                Columns(f"{CORRECTED}choices", "good", say("corrected"), x + 0.2, now, 0.36),
            ),
            say("exact probabilities for the counts of the book"),
            source=self.source,
        )

    def _most_common(self, counts: Array) -> Figure:
        x = epsilons()
        was = np.array([exponential(counts / self.divisor, float(e), 1.0)[0] for e in x])
        now = np.array([exponential(counts, float(e), 1.0)[0] for e in x])
        here = [float(exponential(counts / d, self.epsilon, 1.0)[0]) for d in (self.divisor, 1.0)]
        return Figure(
            "success",
            say("How often the most common one is chosen"),
            EPSILON_AXIS,
            Axis(say("probability"), range=(0.0, 1.05)),
            (
                printed("success", say("as printed"), x, was),
                corrected("success", say("corrected"), x, now),
                *handles("epsilon", self.epsilon, *here),
            ),
            say(
                "the printed curve is the right one moved {divisor} times to the right",
                divisor=Num(self.divisor),
            ),
            source=self.source,
        )


def _nearly_certain(counts: Array, epsilon: float) -> Num | Say:
    """The probability of the largest count, as 1 − what is left where floats would round it to
    1."""
    gaps = epsilon * (counts[0] - counts[1:]) / 2
    if gaps.min() > 700:
        return say("1 − e^(−{gap})", gap=Num(float(gaps.min()), 4, "down"))
    rest = float(np.sum(np.exp(-np.minimum(gaps, 745.0))))
    return (
        say("1 − {rest}", rest=Num(rest / (1 + rest), 3, "up"))
        if rest < 1e-4
        else Num(1 / (1 + rest), 5)
    )


@dataclass(frozen=True)
class MeanSensitivity(Erratum):
    """“The sensitivity of the average salary is the highest salary”: for n public records in [0, B]
    it is B/n."""

    key: ClassVar[str] = "mean_sensitivity"
    label: ClassVar[str] = N_("The sensitivity of a mean")
    source: ClassVar[str] = "an introductory book, chapter 2"

    epsilon: float = param(1.0, EPSILON)
    cap: float = param(
        100_000.0,
        Real(
            N_("Highest value B"),
            N_("A public cap; values lie in 0 to B."),
            low=1,
            high=1e9,
            log=True,
        ),
    )
    n: int = param(
        1000,
        Integer(
            N_("Records n"),
            N_("Public; one of them is replaced."),
            low=1,
            high=10_000_000,
            log=True,
        ),
    )

    def read(self, draws: Draws) -> Reading:
        epsilon, cap, n = self.epsilon, self.cap, self.n
        was, now = math.sqrt(2) * cap / epsilon, math.sqrt(2) * cap / (n * epsilon)
        x = np.geomspace(1, 1e7, 97)
        noise = Figure(
            "noise",
            say("Noise on the mean"),
            Axis(say("records n"), log=True, range=(0.8, 1.3e7)),
            Axis(DEVIATION, log=True, range=decades(math.sqrt(2) * cap / (x * epsilon))),
            (
                printed("noise", say("as printed: Δ = B"), x, np.full_like(x, was)),
                corrected(
                    "noise", say("corrected: Δ = B/n"), x, math.sqrt(2) * cap / (x * epsilon)
                ),
                Rule("cap", "muted", say("B = {cap}", cap=Num(cap)), cap, axis="y", dash="dot"),
                *handles("n", float(n), was, now),
            ),
            say("Laplace noise; above B the mean itself is lost"),
            source=self.source,
        )
        values = {
            "was": Num(was),
            "now": Num(now),
            "n": Num(n),
            "cap": Num(cap),
            "real": Num(epsilon / n),
        }
        text = N_(
            "Private but over-noised {n} times: ±{was} on a mean between 0 and {cap}, where ±{now} "
            "is enough; the real ε is {real}."
        )
        return Reading(
            (noise, spent_chart(lambda e: e / n, epsilon, self.source)),
            say(
                "One of n salaries moves their mean by at most B/n, not by B; and B must be "
                "public, not the highest one in the data."
            ),
            Say(text, values)
            if n > 1
            else say("With a single record the mean is the record, and B is right."),
            "warn" if n > 1 else "good",
            (
                Row("sensitivity", say("sensitivity"), Num(cap), Num(cap / n)),
                Row("deviation", DEVIATION, Num(was), Num(now)),
                Row("epsilon", REAL, Num(epsilon / n), Num(epsilon, 5)),
            ),
        )


@dataclass(frozen=True)
class VarianceSensitivity(Erratum):
    """n(u − l)/(n + 1) printed for a variance: the right one is n(u − l)²/(n + 1)² when one record
    is added to n."""

    key: ClassVar[str] = "variance_sensitivity"
    label: ClassVar[str] = N_("The sensitivity of a variance")
    source: ClassVar[str] = "an introductory book, section 3.2.1 (naive Bayes)"

    epsilon: float = param(1.0, EPSILON)
    width: float = param(
        73.0, Real(N_("Range u − l"), N_("Ages 17 to 90: 73."), low=0.001, high=1e6, log=True)
    )
    n: int = param(
        10,
        Integer(
            N_("Records n"),
            N_("How many there are before one is added."),
            low=1,
            high=10_000_000,
            log=True,
        ),
    )

    def read(self, draws: Draws) -> Reading:
        epsilon, width, n = self.epsilon, self.width, self.n
        was, now = map(float, variance_sensitivities(width, n))
        real = epsilon * now / was
        values = {
            "n": Num(n), "width": Num(width), "was": Num(was), "now": Num(now), "epsilon": Num(epsilon, 5), "real": Num(real, 3, "up"),
            "factor": Num(was / now),
        }  # fmt: skip
        if width > n + 1:
            tone, text = (
                "bad",
                N_(
                    "Not private as declared: the noise is for {was} where one person moves {now}, "
                    "so ε = {epsilon} is really {real}."
                ),
            )
        elif width < n + 1:
            tone, text = (
                "warn",
                N_(
                    "Private but over-noised {factor} times: the noise is for {was} where one "
                    "person moves only {now}."
                ),
            )
        else:
            tone, text = "good", N_("Here u − l = n + 1, where the two agree by chance.")
        proof = (
            say(
                "Let n records be l, and let one more be u: the variance goes from 0 to n(u − "
                "l)²/(n + 1)²."
            ),
            say(
                "With n = {n} and u − l = {width} that is {now}; Laplace noise of scale {was}/ε "
                "then costs ε·{now}/{was}.",
                **values,
            ),
            say("So what is declared as ε = {epsilon} is ε = {real}.", **values),
        )
        return Reading(
            (
                self._by_width(was, now),
                self._by_n(was, now),
                spent_chart(lambda e: e * now / was, epsilon, self.source),
            ),
            say(
                "n(u − l)/(n + 1) is printed; a variance is in squared units and moves by at most "
                "n(u − l)²/(n + 1)²."
            ),
            Say(text, values),
            tone,
            (
                Row("sensitivity", say("sensitivity of the variance"), Num(was), Num(now)),
                Row("scale", say("scale of Laplace noise"), Num(was / epsilon), Num(now / epsilon)),
                Row("epsilon", REAL, Num(real), Num(epsilon, 5)),
                Row(
                    "deviation",
                    say("sensitivity of the standard deviation"),
                    say("not printed"),
                    Num(math.sqrt(now)),
                ),
            ),
            proof if tone == "bad" else (),
        )

    def _by_width(self, was: float, now: float) -> Figure:
        x = np.geomspace(0.001, 1e6, 97)
        curves = variance_sensitivities(x, self.n)
        return Figure(
            "width",
            say("Sensitivity against the range"),
            Axis(say("range u − l"), log=True, range=(8e-4, 1.3e6)),
            Axis(say("sensitivity of the variance"), log=True, range=decades(*curves)),
            (
                printed("width", say("as printed"), x, curves[0]),
                corrected("width", say("corrected"), x, curves[1]),
                Rule(
                    "equal",
                    "muted",
                    say("u − l = {x}", x=Num(self.n + 1)),
                    float(self.n + 1),
                    dash="dot",
                ),
                *handles("width", self.width, was, now),
            ),
            say("left of the rule too much noise, right of it too little"),
            source=self.source,
        )

    def _by_n(self, was: float, now: float) -> Figure:
        x = np.geomspace(1, 1e7, 97)
        curves = variance_sensitivities(self.width, x)
        return Figure(
            "records",
            say("Sensitivity against the records"),
            Axis(say("records n"), log=True, range=(0.8, 1.3e7)),
            Axis(say("sensitivity of the variance"), log=True, range=decades(*curves)),
            (
                printed("records", say("as printed"), x, curves[0]),
                corrected("records", say("corrected"), x, curves[1]),
                *handles("n", float(self.n), was, now),
            ),
            say("u − l = {width}", width=Num(self.width)),
            source=self.source,
        )


def variance_sensitivities(width: ArrayLike, n: ArrayLike) -> tuple[Array, Array]:
    """As printed, and right: one record more in n with a range of `width`. Shape of the
    arguments."""
    width, n = np.asarray(width, dtype=np.float64), np.asarray(n, dtype=np.float64)
    return np.asarray(n * width / (n + 1)), np.asarray(n * (width / (n + 1)) ** 2)
