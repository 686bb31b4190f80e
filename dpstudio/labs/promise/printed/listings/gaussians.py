"""Errata of Gaussian noise: a δ with a zero too few in the code, and a theorem used out of its
range."""

import math
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, Axis, Figure, Rule, array, nice_above
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma, gaussian_log_delta, textbook_factor
from dpstudio.values.fields import real
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import param
from dpstudio.values.roots import root

_THEOREM = N_(
    "For neighbours 1 apart δ(ε) = Φ(1/2σ − εσ) − eᵋ·Φ(−1/2σ − εσ), exactly (Balle & Wang 2018, "
    "Theorem 8)."
)
_SOURCE = "Balle & Wang 2018, Theorem 8"


def log_deltas(epsilons: ArrayLike, ratios: ArrayLike) -> Array:
    """ln of the exact δ at each ε between neighbours `ratio` deviations apart, which is 1/σ where
    they are 1 apart; shape of the arguments."""
    pairs = np.broadcast(np.atleast_1d(epsilons), np.atleast_1d(ratios))
    return np.array([gaussian_log_delta(float(e), float(ratio)) for e, ratio in pairs])


def floored(logs: Array, low: float) -> Array:
    """e^logs, at least `low`, that a log axis may have an end."""
    return np.asarray(np.exp(np.maximum(logs, math.log(low))))


class DeltaCode(erratum.Erratum):
    """Code with delta = 10e-5, which is 10⁻⁴, under a text that says 10⁻⁵."""

    key = "delta_code"
    label = N_("10e-5 is not 10⁻⁵")
    source = N_("an article on the Gaussian mechanism: its code against its text")
    wrong = N_("“delta = 10e-5” is {ten}, ten times the {delta} of the text.")
    right = N_("It makes σ = {was} instead of {now}.")
    follows = {
        "bad": N_("Not private as the text says: its exact δ is {exact}, above {delta}."),
        "warn": N_(
            "A weaker promise, kept by luck: only δ = {ten} is proven. The textbook formula wastes "
            "so much that the exact δ is {exact}."
        ),
    }
    proof = (
        _THEOREM,
        N_("With the σ = {was} of the code that is {exact}, above the {delta} of the text."),
    )

    epsilon: float = param(1.0, EPSILON)
    delta: float = real(
        1e-5,
        N_("δ of the text"),
        N_("The code has ten times as much."),
        low=1e-12,
        high=0.05,
        log=True,
    )

    def sigma(self, times: float, delta: ArrayLike) -> Array:
        """The classical σ for `times` the δ of the text; shape of `delta`."""
        return np.asarray(np.sqrt(2 * np.log(1.25 / (times * np.asarray(delta)))) / self.epsilon)

    def case(self, draws: erratum.Draws) -> erratum.Case:
        epsilon, delta = self.epsilon, self.delta
        was, now = (float(self.sigma(times, delta)) for times in (10, 1))
        exact = np.exp(log_deltas(epsilon, [1 / was, 1 / now]))
        return erratum.Case(
            "bad" if exact[0] > delta else "warn",
            {
                "was": Num(was, 5),
                "now": Num(now, 5),
                "delta": Num(delta, 3, "up"),
                "ten": Num(10 * delta),
                "exact": Num(float(exact[0]), 3, "up"),
            },
            (
                erratum.Row("sigma", Message("σ"), Num(was, 5), Num(now, 5)),
                erratum.Row(
                    "promised",
                    say("δ that the formula promises"),
                    Num(10 * delta),
                    Num(delta, 3, "up"),
                ),
                erratum.Row(
                    "exact",
                    say("exact δ at this ε"),
                    Num(float(exact[0]), 3, "up"),
                    Num(float(exact[1]), 3, "up"),
                ),
            ),
            (self._curves(draws, was, now), self._factors(draws)),
        )

    def _curves(self, draws: erratum.Draws, was: float, now: float) -> Figure:
        """Exact δ(ε) of the two noises, by Balle & Wang's Theorem 8."""
        x = self.epsilon * np.linspace(0, 1.6, draws.effort.of_points(81))
        low = self.delta * 1e-4
        curves = [floored(log_deltas(x, 1 / sigma), low / 100) for sigma in (was, now)]
        text, here = (
            say("δ = {delta} of the text", delta=Num(self.delta, 3, "up")),
            Num(self.epsilon, 5),
        )
        return Figure(
            "curve",
            say("What the noise really promises"),
            Axis(Message("ε"), range=(0.0, float(x[-1]))),
            Axis(say("exact δ(ε)"), log=True, range=(10.0 ** math.floor(math.log10(low)), 1.0)),
            (
                erratum.printed("curve", say("as printed: 10e-5"), x, curves[0]),
                erratum.corrected("curve", say("corrected: 1e-5"), x, curves[1]),
                Rule("text", "target", text, self.delta, axis="y", dash="dash"),
                Rule("here", "muted", say("ε = {epsilon}", epsilon=here), self.epsilon, dash="dot"),
            ),
            say("exact curves of both noises"),
            source=_SOURCE,
        )

    def _factors(self, draws: erratum.Draws) -> Figure:
        axis = Axis(say("δ of the text"), log=True, range=(7e-13, 0.08))
        top = nice_above(1.1 * float(self.sigma(1, 1e-12)))
        return erratum.compared(
            self,
            draws,
            "sigma",
            say("The noise for a stated δ"),
            erratum.Along("delta", axis, 1e-12, 0.05, 121),
            Axis(Message("σ"), range=(0.0, top)),
            lambda delta: self.sigma(10, delta),
            lambda delta: self.sigma(1, delta),
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


class ClassicalGaussian(erratum.Erratum):
    """The classical Gaussian mechanism without the range of its theorem, 0 < ε < 1."""

    key = "classical_gaussian"
    label = N_("The classical Gaussian above ε = 1")
    source = N_("an introductory book, appendix A.2.2; articles on the Gaussian mechanism")
    wrong = N_("σ = √(2 ln(1.25/δ))/ε is proven for ε < 1 only, printed for every ε.")
    follows = {
        "bad": N_(
            "Not private as declared: the exact δ is {exact}, above {delta}; false from ε = "
            "{limit} on."
        ),
        "warn": N_(
            "Private but over-noised: {factor} times the noise needed, with an exact δ of {exact}."
        ),
    }
    unproven: ClassVar[str] = N_(
        "No theorem covers ε ≥ 1; the promise still holds here, with {factor} times the noise "
        "needed, up to ε = {limit}."
    )
    proof = (
        _THEOREM,
        N_("With σ = {was} and ε = {epsilon} that is {exact}."),
        N_("{exact} > {delta}, so it is not ({epsilon}, {delta})-DP; σ = {now} is."),
    )

    epsilon: float = param(10.0, EPSILON)
    delta: float = param(1e-5, DELTA)

    def sigma(self, epsilon: ArrayLike) -> Array:
        """The printed σ; shape of `epsilon`."""
        return np.asarray(textbook_factor(self.delta) / np.asarray(epsilon))

    def case(self, draws: erratum.Draws) -> erratum.Case:
        epsilon, delta = self.epsilon, self.delta
        was = float(self.sigma(epsilon))
        now = draws.remember(("σ", epsilon, delta), lambda: analytic_sigma(epsilon, delta))
        exact, limit = float(np.exp(log_deltas(epsilon, 1 / was))[0]), breaks_at(delta)
        broken = exact > delta * (1 + 1e-9)
        return erratum.Case(
            "bad" if broken else "warn",
            {
                "epsilon": Num(epsilon, 5),
                "delta": Num(delta, 3, "up"),
                "exact": Num(exact, 3, "up"),
                "was": Num(was, 4),
                "now": Num(now, 4),
                "limit": Num(limit, 4),
                "factor": Num(was / now),
                "delta_prime": Num(exact / delta, 3),
            },
            (
                erratum.Row("sigma", Message("σ"), Num(was, 5), Num(now, 5)),
                erratum.Row(
                    "exact", say("exact δ at this ε"), Num(exact, 3, "up"), Num(delta, 3, "up")
                ),
                erratum.Row("limit", say("holds up to ε"), Num(limit, 4, "down"), say("every ε")),
            ),
            (self._deltas(draws, limit, exact), self._sigmas(draws, limit, was, now)),
            follows=self.unproven if epsilon >= 1 and not broken else "",
        )

    def _deltas(self, draws: erratum.Draws, limit: float, exact: float) -> Figure:
        low, false = self.delta * 1e-6, say("false from ε = {limit}", limit=Num(limit, 4))
        return erratum.compared(
            self,
            draws,
            "delta",
            say("The δ that is really kept"),
            erratum.epsilons(),
            Axis(say("exact δ"), log=True, range=(10.0 ** math.floor(math.log10(low)), 1.0)),
            lambda e: floored(log_deltas(e, e / textbook_factor(self.delta)), low * math.exp(-5)),
            lambda e: np.full_like(e, self.delta),
            say("above the corrected line the promise is broken"),
            names=(
                say("as printed"),
                say("corrected: δ = {delta}", delta=Num(self.delta, 3, "up")),
            ),
            notes=(
                Rule("theorem", "muted", say("the proof ends"), 1.0, dash="dot"),
                Rule("limit", "muted", false, limit, dash="dash"),
            ),
            heights=(max(exact, low), self.delta),
            source=_SOURCE,
        )

    def _sigmas(self, draws: erratum.Draws, limit: float, was: float, now: float) -> Figure:
        def right(x: Array) -> Array:
            found: Array = draws.remember(
                ("σ curve", self.delta, len(x)),
                lambda: array([analytic_sigma(float(e), self.delta) for e in x]),
            )
            return found

        at = say("ε = {limit}", limit=Num(limit, 4))
        return erratum.compared(
            self,
            draws,
            "sigma",
            say("The noise"),
            erratum.epsilons(),
            erratum.about(say("σ for sensitivity 1")),
            self.sigma,
            right,
            say("left of the line the printed noise is too much, right of it too little"),
            names=(say("as printed"), say("corrected: exact σ")),
            notes=(Rule("limit", "muted", at, limit, dash="dash"),),
            heights=(was, now),
            source="Balle & Wang 2018, Algorithm 1; Dwork & Roth 2014, Theorem 3.22",
        )
