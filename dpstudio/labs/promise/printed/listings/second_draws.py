"""An erratum of surveys: reports are perturbed again before they are estimated from, and both draws
are published."""

import math
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, Axis, Figure
from dpstudio.labs.named_rows import names_axis
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.attacks.local import LocalReport, TwoReports
from dpstudio.privacy.local import Protocol
from dpstudio.privacy.local.coins import FairCoins, Warner
from dpstudio.privacy.local.unary import Symmetric
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_, Num, plain, say
from dpstudio.values.parameters import param


@dataclass(frozen=True)
class Survey:
    """A survey as the book prints it: true counts, the reported ones of one run, and the estimates
    of another."""

    protocol: Protocol
    names: tuple[str, ...]
    true: tuple[int, ...]
    reported: tuple[int, ...]
    estimated: tuple[int, ...]

    @property
    def implied(self) -> Array:
        """What the printed estimator makes of the printed reports."""
        return self.protocol.estimate(self.reported, sum(self.true))

    def second(self, i: int) -> float:
        """The number of reports of value i that gives its printed estimate, which the listings cut
        to a whole number."""
        support = self.protocol.support(len(self.true))
        return math.ceil(self.estimated[i] * support.gap + sum(self.true) * support.q)


# Adult, 32,561 people: who is older than 50 (listings 4.1 to 4.4), and race by SUE at ε = 5
# (listings 4.16 to 4.20).
COINS = Survey(FairCoins(), ("no", "yes"), (26_101, 6_460), (21_137, 11_424), (25_962, 6_599))
RACE = Survey(
    Symmetric(5.0),
    ("Amer-Indian-Eskimo", "Asian-Pac-Islander", "Black", "Other", "White"),
    (311, 1_039, 3_124, 271, 27_816),
    (2_851, 3_269, 5_129, 2_590, 26_063),
    (215, 1_082, 3_180, 196, 27_791),
)
SURVEYS = {"race": RACE, "coins": COINS}


class SecondDraws(erratum.Erratum):
    """The listings perturb once to print the reports and, with fresh noise, once more to estimate:
    two reports of each person leave."""

    key = "second_draws"
    label = N_("Perturbing twice")
    source = N_("an introductory book, listings 4.4, 4.19 and 4.20, and those of THE and OUE")
    wrong = N_("Reports are perturbed, printed, and perturbed again for the estimate.")
    right = N_("Both draws leave, each person pays twice.")
    follows = {
        "bad": N_(
            "Not private as declared: printed reports and estimates come from two draws, together "
            "ε = {double}, not {epsilon}."
        )
    }
    proof = (
        N_(
            "“{name}”: {reported} {reported:report is|reports are} printed. Their estimate (c − "
            "nq)/(p − q) is {implied}, and {printed} is printed."
        ),
        N_(
            "{printed} is the estimate of {second} {second:report|reports} and of no other number: "
            "a second draw of everyone’s noise."
        ),
        N_("Two reports with fresh noise multiply their ratios, eᵋ·eᵋ: together they cost 2ε."),
    )

    epsilon: float = param(
        5.0, replace(EPSILON, help=N_("Of the survey of race; two fair coins always spend ln 3."))
    )
    survey: str = choice(
        "race",
        N_("Survey"),
        N_(
            "Which printed survey: race by unary encoding (SUE), or who is older than 50, by coins."
        ),
        options={"race": N_("race, by SUE"), "coins": N_("over 50, by coins")},
    )

    @property
    def protocol(self) -> Protocol:
        """At this ε; two fair coins are Warner’s at ε = ln 3."""
        return Symmetric(self.epsilon) if self.survey == "race" else Warner(COINS.protocol.claim)

    @property
    def _sets(self) -> str:
        """What a handle sets: the ε of two fair coins is no choice."""
        return "epsilon" if self.survey == "race" else ""

    def case(self, draws: erratum.Draws) -> erratum.Case:
        survey, epsilon = SURVEYS[self.survey], self.protocol.claim
        d, at = len(survey.true), 0 if self.survey == "race" else 1
        double = Num(2 * epsilon, 3, "up")
        was, now = self._deviation(np.array([epsilon, 2 * epsilon]))
        return erratum.Case(
            "bad",
            {
                "epsilon": Num(epsilon, 5),
                "double": double,
                "name": plain(survey.names[at]),
                "reported": Num(survey.reported[at], 6),
                "implied": Num(float(np.trunc(survey.implied[at] * 10) / 10), 6),
                "printed": Num(survey.estimated[at], 6),
                "second": Num(survey.second(at), 6),
            },
            (
                erratum.Row("epsilon", erratum.REAL_EPSILON, double, Num(epsilon, 5)),
                erratum.Row(
                    "deviation",
                    say("deviation of an estimate at ε = {double}", double=double),
                    Num(float(was)),
                    Num(float(now)),
                ),
                *(self._row(survey, i) for i in dict.fromkeys((at, *range(d)))),
            ),
            (
                self._counts(survey),
                erratum.spent(self, draws, lambda e: 2 * e, sets=self._sets),
                self._errors(draws, float(was), float(now)),
            ),
            audited=(TwoReports(self.protocol, d), LocalReport(self.protocol, d)),
        )

    @staticmethod
    def _row(survey: Survey, i: int) -> erratum.Row:
        return erratum.Row(
            f"estimate_{i}",
            say("estimate of “{name}”", name=plain(survey.names[i])),
            Num(survey.estimated[i], 5),
            Num(float(survey.implied[i]), 5),
        )

    def _deviation(self, epsilon: Array) -> Array:
        """Standard deviation of an estimate, in people: of the rarest value, or of yes."""
        survey = SURVEYS[self.survey]
        at = int(np.argmin(survey.true))
        found = []
        for one in epsilon:
            protocol = self.protocol.at(float(one))
            assert protocol is not None
            found.append(np.sqrt(protocol.variance(survey.true)[at]))
        return np.array(found)

    def _counts(self, survey: Survey) -> Figure:
        true = np.array(survey.true, dtype=np.float64)
        gaps = np.array(survey.estimated) - true, survey.implied - true
        return Figure(
            "counts",
            say("One draw gives one estimate"),
            names_axis(say("value"), survey.names),
            Axis(say("estimate − truth, people"), room=1.1, even=True),
            erratum.pairs("counts", *gaps, (erratum.VERSIONS[0], say("of the printed reports"))),
            say(
                "32,561 people, ε = {epsilon}, as the text prints them",
                epsilon=Num(survey.protocol.claim, 4),
            ),
            source=self.source,
        )

    def _errors(self, draws: erratum.Draws, was: float, now: float) -> Figure:
        x = erratum.epsilons().x(draws.effort)
        low, high = erratum.decades(self._deviation(x), self._deviation(2 * x), least=1.0)
        return erratum.compared(
            self,
            draws,
            "errors",
            say("Error for what a person pays"),
            erratum.epsilons(sets=self._sets),
            Axis(say("deviation of an estimate, people"), log=True, range=(low, high)),
            self._deviation,
            lambda x: self._deviation(2 * x),
            say("both cost 2ε; the printed reports add nothing to the estimate"),
            names=(say("as printed: ε and ε"), say("one report with 2ε")),
            heights=(max(was, low), max(now, low)),
        )
