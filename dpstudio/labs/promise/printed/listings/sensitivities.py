"""Errata of sensitivity: a utility in thousands, a mean, a variance."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array, Axis, Figure, Rule, array
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import Real, param

# Marital status in both files of the Adult table (48,842 people), as the listing counts them.
MARITAL = {
    "Married-civ-spouse": 22_379,
    "Never-married": 16_117,
    "Divorced": 6_633,
    "Separated": 1_530,
    "Widowed": 1_518,
    "Married-spouse-absent": 628,
    "Married-AF-spouse": 37,
}
SWAPPED, ADDED = say("real ε, one replaced"), say("real ε, one added or removed")
_RECORDS = erratum.Along("n", Axis(say("records n"), log=True, range=(0.8, 1.3e7)), 1, 1e7, 97)


def exponential(utilities: Array, epsilon: float, sensitivity: float) -> Array:
    """The exponential mechanism's probabilities ∝ e^(ε u/2Δ), in log space. Shape of
    `utilities`."""
    scores = (
        epsilon * (np.asarray(utilities, dtype=np.float64) - np.max(utilities)) / (2 * sensitivity)
    )
    weights = np.exp(np.maximum(scores, -745.0)) * (scores > -745.0)
    return np.asarray(weights / weights.sum())


class ThousandthUtility(erratum.Erratum):
    """Listing 2.5: the utility is a count divided by 1,000, the sensitivity handed over is 1 and
    not 1/1,000."""

    key = "thousandth_utility"
    label = N_("Utility in thousands, sensitivity 1")
    source = N_("an introductory book, listing 2.5")
    wrong = N_("The utility is a count over {divisor}: one person moves it by 1/{divisor}.")
    right = N_("The listing says by 1.")
    follows = {
        "good": N_("With a divisor of {divisor} the listing is right."),
        "warn": N_(
            "Private but over-noised: declared ε = {epsilon} is really at most {real} where one "
            "person is replaced, {added} where one is added or removed, and the most common is "
            "chosen with {was}, not {now}."
        ),
    }

    epsilon: float = param(1.0, EPSILON)
    divisor: float = param(
        1000.0,
        Real(
            N_("Utility = count divided by"), N_("1,000 in the listing."), low=1, high=1e6, log=True
        ),
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        epsilon, divisor = self.epsilon, self.divisor
        counts = array(list(MARITAL.values()))
        was = exponential(counts / divisor, epsilon, 1.0)
        now = exponential(counts / divisor, epsilon, 1 / divisor)
        certain = _nearly_certain(counts, epsilon)
        cells = [certain, *(Num(p, 4) for p in now[1:])]
        chosen = Figure(
            "choices",
            say("What is chosen"),
            names_axis(say("marital status"), list(MARITAL)),
            Axis(say("probability"), range=(0.0, 1.05)),
            erratum.pairs("choices", was, now),
            say("exact probabilities for the counts of the book"),
            source=self.source,
        )
        return erratum.Case(
            "good" if divisor == 1 else "warn",
            {
                "epsilon": Num(epsilon, 5),
                "divisor": Num(divisor),
                "real": Num(epsilon / divisor, 4, "up"),
                "added": Num(epsilon / divisor / 2, 4, "up"),
                "was": Num(was[0], 5),
                "now": certain,
            },
            (
                erratum.Row("epsilon", SWAPPED, Num(epsilon / divisor), Num(epsilon, 5)),
                # One vote more lowers no score, and so moves no ratio by more than half as much.
                erratum.Row(
                    "epsilon_added", ADDED, Num(epsilon / divisor / 2), Num(epsilon / 2, 5)
                ),
                *(
                    erratum.Row(name, say("P({name})", name=name), Num(was[i], 4), cells[i])
                    for i, name in enumerate(MARITAL)
                ),
            ),
            (
                chosen,
                self._most_common(draws, counts),
                erratum.spent(self, draws, lambda x: x / divisor),
            ),
        )

    def _most_common(self, draws: erratum.Draws, counts: Array) -> Figure:
        def chosen(divisor: float, x: Array) -> Array:
            return np.array([exponential(counts / divisor, float(e), 1.0)[0] for e in x])

        return erratum.compared(
            self,
            draws,
            "success",
            say("How often the most common one is chosen"),
            erratum.epsilons(),
            Axis(say("probability"), range=(0.0, 1.05)),
            lambda x: chosen(self.divisor, x),
            lambda x: chosen(1.0, x),
            say(
                "the printed curve is the right one moved {divisor} times to the right",
                divisor=Num(self.divisor),
            ),
        )


def _nearly_certain(counts: Array, epsilon: float) -> Num | Message:
    """The probability of the largest count, as 1 − what is left where floats would round it to
    1."""
    gaps = epsilon * (counts[0] - counts[1:]) / 2
    if gaps.min() > 700:
        return say("1 − exp(−{gap})", gap=Num(float(gaps.min()), 4, "down"))
    rest = float(np.sum(np.exp(-np.minimum(gaps, 745.0))))
    if rest < 1e-4:
        return say("1 − {rest}", rest=Num(rest / (1 + rest), 3, "up"))
    return Num(1 / (1 + rest), 5)


class MeanSensitivity(erratum.Erratum):
    """“The sensitivity of the average salary is the highest salary”: for n public records in [0, B]
    it is B/n."""

    key = "mean_sensitivity"
    label = N_("The sensitivity of a mean")
    source = N_("an introductory book, chapter 2")
    wrong = N_("One of n salaries moves their mean by at most B/n; B is printed.")
    right = N_("And B must be public, not the highest one in the data.")
    follows = {
        "good": N_("With a single record the mean is the record, and B is right."),
        "warn": N_(
            "Private but over-noised {n} times: ±{was} on a mean between 0 and {cap}, where ±{now} "
            "is enough; the real ε is {real}."
        ),
    }

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
    n: int = integer(
        1000,
        N_("Records n"),
        N_("Public; one of them is replaced."),
        low=1,
        high=10_000_000,
        log=True,
    )

    def deviation(self, n: ArrayLike) -> Array:
        """Of Laplace noise for a sensitivity of B/n; shape of `n`."""
        return np.asarray(math.sqrt(2) * self.cap / (np.asarray(n) * self.epsilon))

    def case(self, draws: erratum.Draws) -> erratum.Case:
        epsilon, cap, n = self.epsilon, self.cap, self.n
        was, now = (Num(float(self.deviation(records))) for records in (1, n))
        return erratum.Case(
            "warn" if n > 1 else "good",
            {"was": was, "now": now, "n": Num(n), "cap": Num(cap), "real": Num(epsilon / n)},
            (
                erratum.Row("sensitivity", say("sensitivity"), Num(cap), Num(cap / n)),
                erratum.Row("deviation", erratum.DEVIATION, was, now),
                erratum.Row("epsilon", erratum.REAL_EPSILON, Num(epsilon / n), Num(epsilon, 5)),
            ),
            (self._noise(draws), erratum.spent(self, draws, lambda e: e / n)),
        )

    def _noise(self, draws: erratum.Draws) -> Figure:
        cap = say("B = {cap}", cap=Num(self.cap))
        return erratum.compared(
            self,
            draws,
            "noise",
            say("Noise on the mean"),
            _RECORDS,
            erratum.about(erratum.DEVIATION),
            lambda n: np.full_like(n, self.deviation(1)),
            self.deviation,
            say("Laplace noise; above B the mean itself is lost"),
            names=(say("as printed: Δ = B"), say("corrected: Δ = B/n")),
            notes=(Rule("cap", "muted", cap, self.cap, axis="y", dash="dot"),),
        )


class VarianceSensitivity(erratum.Erratum):
    """n(u − l)/(n + 1) printed for a variance: the right one is n(u − l)²/(n + 1)² when one record
    is added to n."""

    key = "variance_sensitivity"
    label = N_("The sensitivity of a variance")
    source = N_("an introductory book, section 3.2.1 (naive Bayes)")
    wrong = N_("n(u − l)/(n + 1) is printed, and must be n(u − l)²/(n + 1)².")
    right = N_("A variance is in squared units, and moves by that at most.")
    follows = {
        "bad": N_(
            "Not private as declared: the noise is for {was} where one person moves {now}, so ε = "
            "{epsilon} is really {real}."
        ),
        "warn": N_(
            "Private but over-noised {factor} times: the noise is for {was} where one person moves "
            "only {now}."
        ),
        "good": N_("Here u − l = n + 1, where the two agree by chance."),
    }
    proof = (
        N_(
            "Let n records be l, and let one more be u: the variance goes from 0 to n(u − l)²/(n + "
            "1)²."
        ),
        N_(
            "With n = {n} and u − l = {width} that is {now}; Laplace noise of scale {was}/ε then "
            "costs ε·{now}/{was}."
        ),
        N_("So what is declared as ε = {epsilon} is ε = {real}."),
    )

    epsilon: float = param(1.0, EPSILON)
    width: float = param(
        73.0, Real(N_("Range u − l"), N_("Ages 17 to 90: 73."), low=0.001, high=1e6, log=True)
    )
    n: int = integer(
        10,
        N_("Records n"),
        N_("How many there are before one is added."),
        low=1,
        high=10_000_000,
        log=True,
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        epsilon, width, n = self.epsilon, self.width, self.n
        was, now = map(float, variance_sensitivities(width, n))
        real = epsilon * now / was
        return erratum.Case(
            "bad" if width > n + 1 else "warn" if width < n + 1 else "good",
            {
                "n": Num(n),
                "width": Num(width),
                "was": Num(was),
                "now": Num(now),
                "epsilon": Num(epsilon, 5),
                "real": Num(real, 3, "up"),
                "factor": Num(was / now),
            },
            (
                erratum.Row("sensitivity", say("sensitivity of the variance"), Num(was), Num(now)),
                erratum.Row(
                    "scale", say("scale of Laplace noise"), Num(was / epsilon), Num(now / epsilon)
                ),
                erratum.Row("epsilon", erratum.REAL_EPSILON, Num(real), Num(epsilon, 5)),
                erratum.Row(
                    "deviation",
                    say("sensitivity of the standard deviation"),
                    erratum.NOT_PRINTED,
                    Num(math.sqrt(now)),
                ),
            ),
            (
                self._by_width(draws),
                self._by_n(draws),
                erratum.spent(self, draws, lambda e: e * now / was),
            ),
        )

    def _by_width(self, draws: erratum.Draws) -> Figure:
        axis = Axis(say("range u − l"), log=True, range=(8e-4, 1.3e6))
        equal = say("u − l = {x}", x=Num(self.n + 1))
        return erratum.compared(
            self,
            draws,
            "width",
            say("Sensitivity against the range"),
            erratum.Along("width", axis, 0.001, 1e6, 97),
            erratum.about(say("sensitivity of the variance")),
            lambda width: variance_sensitivities(width, self.n)[0],
            lambda width: variance_sensitivities(width, self.n)[1],
            say("left of the rule too much noise, right of it too little"),
            notes=(Rule("equal", "muted", equal, float(self.n + 1), dash="dot"),),
        )

    def _by_n(self, draws: erratum.Draws) -> Figure:
        return erratum.compared(
            self,
            draws,
            "records",
            say("Sensitivity against the records"),
            _RECORDS,
            erratum.about(say("sensitivity of the variance")),
            lambda n: variance_sensitivities(self.width, n)[0],
            lambda n: variance_sensitivities(self.width, n)[1],
            say("u − l = {width}", width=Num(self.width)),
        )


def variance_sensitivities(width: ArrayLike, n: ArrayLike) -> tuple[Array, Array]:
    """As printed, and right: one record more in n with a range of `width`. Shape of the
    arguments."""
    width, n = np.asarray(width, dtype=np.float64), np.asarray(n, dtype=np.float64)
    return np.asarray(n * width / (n + 1)), np.asarray(n * (width / (n + 1)) ** 2)
