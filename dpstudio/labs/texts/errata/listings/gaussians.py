"""Errata of Gaussian noise: a δ with a zero too few in the code, and a theorem used out of its
range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Rule, array, nice_above
from dpstudio.labs.texts.errata.listings.erratum import (
    EPSILON_AXIS,
    Draws,
    Erratum,
    Reading,
    Row,
    corrected,
    decades,
    epsilons,
    handles,
    printed,
)
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma, gaussian_log_delta, textbook_factor
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Real, param
from dpstudio.values.roots import root


@dataclass(frozen=True)
class DeltaCode(Erratum):
    """Code with delta = 10e-5, which is 10⁻⁴, under a text that says 10⁻⁵."""

    key: ClassVar[str] = "delta_code"
    label: ClassVar[str] = N_("10e-5 is not 10⁻⁵")
    source: ClassVar[str] = "an article on the Gaussian mechanism: its code against its text"

    epsilon: float = param(1.0, EPSILON)
    delta: float = param(
        1e-5,
        Real(
            N_("δ of the text"),
            N_("The code has ten times as much."),
            low=1e-12,
            high=0.05,
            log=True,
        ),
    )

    def read(self, draws: Draws) -> Reading:
        epsilon, delta = self.epsilon, self.delta
        sigmas = textbook_factor(10 * delta) / epsilon, textbook_factor(delta) / epsilon
        exact = [math.exp(gaussian_log_delta(epsilon, 1 / sigma)) for sigma in sigmas]
        was, now = sigmas
        values = {
            "was": Num(was, 5),
            "now": Num(now, 5),
            "delta": Num(delta),
            "ten": Num(10 * delta),
            "exact": Num(exact[0], 3, "up"),
        }
        if exact[0] > delta:
            text = N_("Not private as the text says: its exact δ is {exact}, above {delta}.")
        else:
            text = N_(
                "A weaker promise, kept by luck: only δ = {ten} is proven. The textbook formula "
                "wastes so much that the exact δ is {exact}."
            )
        proof = (
            say(
                "For neighbours 1 apart δ(ε) = Φ(1/2σ − εσ) − e^ε·Φ(−1/2σ − εσ), exactly (Balle & "
                "Wang 2018, Theorem 8)."
            ),
            say(
                "With the σ = {was} of the code that is {exact}, above the {delta} of the text.",
                **values,
            ),
        )
        return Reading(
            (_curves(self, sigmas), _factors(self)),
            say(
                "“delta = 10e-5” is {ten}, ten times the {delta} of the text: σ = {was} instead of "
                "{now}.",
                **values,
            ),
            Say(text, values),
            "bad" if exact[0] > delta else "warn",
            (
                Row("sigma", Say("σ"), Num(was, 5), Num(now, 5)),
                Row("promised", say("δ that the formula promises"), Num(10 * delta), Num(delta)),
                Row(
                    "exact",
                    say("exact δ at this ε"),
                    Num(exact[0], 3, "up"),
                    Num(exact[1], 3, "up"),
                ),
            ),
            proof if exact[0] > delta else (),
        )


def _curves(erratum: DeltaCode, sigmas: tuple[float, float]) -> Figure:
    """Exact δ(ε) of the two noises, by Balle & Wang's Theorem 8."""
    epsilon, delta = erratum.epsilon, erratum.delta
    x = epsilon * np.linspace(0, 1.6, 81)
    low = delta * 1e-4
    curves = [
        np.array([max(low / 100, math.exp(gaussian_log_delta(e, 1 / sigma))) for e in x])
        for sigma in sigmas
    ]
    return Figure(
        "curve",
        say("What the noise really promises"),
        Axis(Say("ε"), range=(0.0, float(x[-1]))),
        Axis(say("exact δ(ε)"), log=True, range=(10.0 ** math.floor(math.log10(low)), 1.0)),
        (
            printed("curve", say("as printed: 10e-5"), x, curves[0]),
            corrected("curve", say("corrected: 1e-5"), x, curves[1]),
            Rule(
                "text",
                "target",
                say("δ = {delta} of the text", delta=Num(delta)),
                delta,
                axis="y",
                dash="dash",
            ),
            Rule(
                "here", "muted", say("ε = {epsilon}", epsilon=Num(epsilon, 5)), epsilon, dash="dot"
            ),
        ),
        say("exact curves of both noises"),
        source="Balle & Wang 2018, Theorem 8",
    )


def _factors(erratum: DeltaCode) -> Figure:
    x = np.geomspace(1e-12, 0.05, 121)
    curves = [np.sqrt(2 * np.log(1.25 / (times * x))) / erratum.epsilon for times in (10, 1)]
    at = [textbook_factor(times * erratum.delta) / erratum.epsilon for times in (10, 1)]
    return Figure(
        "sigma",
        say("The noise for a stated δ"),
        Axis(say("δ of the text"), log=True, range=(7e-13, 0.08)),
        Axis(Say("σ"), range=(0.0, nice_above(1.1 * float(curves[1][0])))),
        (
            printed("sigma", say("as printed"), x, curves[0]),
            corrected("sigma", say("corrected"), x, curves[1]),
            *handles("delta", erratum.delta, *at),
        ),
        say("√(2 ln(1.25/δ))/ε with ten times the δ, and with the δ itself"),
        source="Dwork & Roth 2014, Theorem 3.22 (0 < ε < 1)",
    )


def breaks_at(delta: float) -> float:
    """The ε from which the classical σ = √(2 ln(1.25/δ))/ε is too small: its exact δ exceeds δ
    (root of Balle & Wang's δ)."""

    def excess(log_epsilon: float) -> float:
        epsilon = math.exp(log_epsilon)
        return gaussian_log_delta(epsilon, epsilon / textbook_factor(delta)) - math.log(delta)

    return math.exp(root(excess, math.log(0.5), math.log(500.0)))


@dataclass(frozen=True)
class ClassicalGaussian(Erratum):
    """The classical Gaussian mechanism without the range of its theorem, 0 < ε < 1."""

    key: ClassVar[str] = "classical_gaussian"
    label: ClassVar[str] = N_("The classical Gaussian above ε = 1")
    source: ClassVar[str] = (
        "an introductory book, appendix A.2.2; articles on the Gaussian mechanism"
    )

    epsilon: float = param(10.0, EPSILON)
    delta: float = param(1e-5, DELTA)

    def read(self, draws: Draws) -> Reading:
        epsilon, delta = self.epsilon, self.delta
        was, now = (
            textbook_factor(delta) / epsilon,
            draws.remember(("σ", epsilon, delta), lambda: analytic_sigma(epsilon, delta)),
        )
        exact = math.exp(gaussian_log_delta(epsilon, 1 / was))
        limit = breaks_at(delta)
        values = {
            "epsilon": Num(epsilon, 5), "delta": Num(delta), "exact": Num(exact, 3, "up"), "was": Num(was, 4), "now": Num(now, 4),
            "limit": Num(limit, 4), "factor": Num(was / now), "delta_prime": Num(exact / delta, 3),
        }  # fmt: skip
        if exact > delta * (1 + 1e-9):
            tone, text = (
                "bad",
                N_(
                    "Not private as declared: the exact δ is {exact}, above {delta}; false from ε "
                    "= {limit} on."
                ),
            )
        elif epsilon >= 1:
            tone, text = (
                "warn",
                N_(
                    "No theorem covers ε ≥ 1; the promise still holds here, with {factor} times "
                    "the noise needed, up to ε = {limit}."
                ),
            )
        else:
            tone, text = (
                "warn",
                N_(
                    "Private but over-noised: {factor} times the noise needed, with an exact δ of "
                    "{exact}."
                ),
            )
        proof = (
            say(
                "For neighbours 1 apart δ(ε) = Φ(1/2σ − εσ) − e^ε·Φ(−1/2σ − εσ), exactly (Balle & "
                "Wang 2018, Theorem 8)."
            ),
            say("With σ = {was} and ε = {epsilon} that is {exact}.", **values),
            say("{exact} > {delta}, so it is not ({epsilon}, {delta})-DP; σ = {now} is.", **values),
        )
        return Reading(
            (self._deltas(draws, limit, exact), self._sigmas(draws, limit, was, now)),
            say(
                "σ = √(2 ln(1.25/δ))/ε is printed for every ε; its theorem is proven for 0 < ε < 1 "
                "only."
            ),
            Say(text, values),
            tone,
            (
                Row("sigma", Say("σ"), Num(was, 5), Num(now, 5)),
                Row("exact", say("exact δ at this ε"), Num(exact, 3, "up"), Num(delta)),
                Row("limit", say("holds up to ε"), Num(limit, 4, "down"), say("every ε")),
            ),
            proof if tone == "bad" else (),
        )

    def _deltas(self, draws: Draws, limit: float, exact: float) -> Figure:
        x, low = epsilons(), self.delta * 1e-6
        curve = np.array(
            [
                math.exp(
                    max(gaussian_log_delta(e, e / textbook_factor(self.delta)), math.log(low) - 5)
                )
                for e in x
            ]
        )
        return Figure(
            "delta",
            say("The δ that is really kept"),
            EPSILON_AXIS,
            Axis(say("exact δ"), log=True, range=(10.0 ** math.floor(math.log10(low)), 1.0)),
            (
                printed("delta", say("as printed"), x, curve),
                corrected(
                    "delta",
                    say("corrected: δ = {delta}", delta=Num(self.delta)),
                    x,
                    np.full_like(x, self.delta),
                ),
                Rule("theorem", "muted", say("the proof ends"), 1.0, dash="dot"),
                Rule(
                    "limit",
                    "warn",
                    say("false from ε = {limit}", limit=Num(limit, 4)),
                    limit,
                    dash="dash",
                ),
                *handles("epsilon", self.epsilon, max(exact, low), self.delta),
            ),
            say("above the corrected line the promise is broken"),
            source="Balle & Wang 2018, Theorem 8",
        )

    def _sigmas(self, draws: Draws, limit: float, was: float, now: float) -> Figure:
        x = epsilons()
        right = draws.remember(
            ("σ curve", self.delta),
            lambda: array([analytic_sigma(float(e), self.delta) for e in x]),
        )
        wrong = textbook_factor(self.delta) / x
        return Figure(
            "sigma",
            say("The noise"),
            EPSILON_AXIS,
            Axis(say("σ for sensitivity 1"), log=True, range=decades(right, wrong)),
            (
                printed("sigma", say("as printed"), x, wrong),
                corrected("sigma", say("corrected: exact σ"), x, right),
                Rule("limit", "warn", say("ε = {limit}", limit=Num(limit, 4)), limit, dash="dash"),
                *handles("epsilon", self.epsilon, was, now),
            ),
            say("left of the line the printed noise is too much, right of it too little"),
            source="Balle & Wang 2018, Algorithm 1; Dwork & Roth 2014, Theorem 3.22",
        )
