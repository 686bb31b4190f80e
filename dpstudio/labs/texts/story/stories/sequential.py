"""Sequential composition: what three answers and the average of two cost, and why equal cost is not
equal noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Handle, Layer, Rule, nice_above
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.texts.story.stories.story import (
    Desk,
    Story,
    Voice,
    bars_chart,
    curve,
    noise_chart,
)
from dpstudio.labs.texts.story.stories.sums import TwoLaplace, deviation
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Real, param

SPENT = N_("What one answer spends.")
EPSILON_1 = Real(N_("ε of F₁"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True)
EPSILON_2 = Real(N_("ε of F₂"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True)
EPSILON_3 = Real(N_("ε of F₃"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True)
INKS = ("laplace", "staircase", "gaussian")
SOURCE = "Dwork, McSherry, Nissim & Smith 2006; Dwork & Roth 2014, Theorem 3.14"


@dataclass(frozen=True)
class Sequential(Story):
    """One count is asked three times: F₁, F₂ and F₃. F₁ and F₂ averaged cost ε₁ + ε₂, and still err
    more than one answer for it."""

    key: ClassVar[str] = "sequential"
    label: ClassVar[str] = N_("One after the other")
    source: ClassVar[str] = SOURCE

    epsilon_1: float = param(0.1, EPSILON_1)
    epsilon_2: float = param(0.2, EPSILON_2)
    epsilon_3: float = param(0.3, EPSILON_3)

    @property
    def cost(self) -> float:
        """ε of F₁ and F₂ together."""
        return self.epsilon_1 + self.epsilon_2

    @property
    def weights(self) -> tuple[float, float]:
        """Of least variance: each answer counts by 1/variance, so by ε²."""
        both = self.epsilon_1**2 + self.epsilon_2**2
        return self.epsilon_1**2 / both, self.epsilon_2**2 / both

    def laws(self) -> dict[str, Law]:
        """The noise of F₁, F₂, F₃, of the plain and of the weighted average of F₁ and F₂, for a
        count (Δ = 1)."""
        b = [1 / self.epsilon_1, 1 / self.epsilon_2, 1 / self.epsilon_3]
        w = self.weights
        return {
            "f1": LaplaceLaw(b[0]), "f2": LaplaceLaw(b[1]), "f3": LaplaceLaw(b[2]),
            "average": TwoLaplace(b[0] / 2, b[1] / 2), "weighted": TwoLaplace(w[0] * b[0], w[1] * b[1]),
        }  # fmt: skip

    def tell(self, desk: Desk) -> Findings:
        laws = self.laws()
        return Findings(
            (self._noise(laws), self._costs(), self._errors(laws), self._split()),
            self._facts(laws),
            self._sentences(laws),
            (self._table(laws),),
            headline=("cost", "unequal"),
        )

    def _names(self) -> dict[str, Say]:
        return {
            "f1": Say("F₁"), "f2": Say("F₂"), "f3": Say("F₃"),
            "average": say("average of F₁, F₂"), "weighted": say("weighted average"),
        }  # fmt: skip

    def _noise(self, laws: dict[str, Law]) -> Figure:
        names = self._names()
        inks = {
            "f1": INKS[0],
            "f2": INKS[1],
            "f3": INKS[2],
            "average": "answer",
            "weighted": "good",
        }
        voices = tuple(
            Voice(key, inks[key], names[key], law, "dash" if key == "weighted" else "solid")
            for key, law in laws.items()
        )
        text = say(
            "exact; F₁ and F₂ together cost ε = {cost}, F₃ costs {other}",
            cost=Num(self.cost, 5),
            other=Num(self.epsilon_3, 5),
        )
        return noise_chart(
            say("The noise of each answer"), text, say("error of a count"), voices, self.source
        )

    def _costs(self) -> Figure:
        costs = {
            "f1": self.epsilon_1,
            "f2": self.epsilon_2,
            "average": self.cost,
            "f3": self.epsilon_3,
            "all": self.cost + self.epsilon_3,
        }
        inks = {"f1": INKS[0], "f2": INKS[1], "average": "answer", "f3": INKS[2], "all": "muted"}
        bars = tuple(
            (key, inks[key], say("{x}", x=Num(cost, 4)), cost) for key, cost in costs.items()
        )
        words = say("answers about the same people add up, and so does what they cost")
        names = ("F₁", "F₂", N_("average"), "F₃", N_("all three"))
        return bars_chart(
            "costs", say("What each costs"), words, Say("ε"), bars, self.source, names
        )

    def _errors(self, laws: dict[str, Law]) -> Figure:
        inks = {
            "f1": INKS[0],
            "f2": INKS[1],
            "average": "answer",
            "weighted": "good",
            "f3": INKS[2],
        }
        bars = tuple(
            (key, ink, say("{x}", x=Num(deviation(laws[key]), 4)), deviation(laws[key]))
            for key, ink in inks.items()
        )
        words, names = (
            say("exact standard deviations"),
            ("F₁", "F₂", N_("average"), N_("weighted"), "F₃"),
        )
        return bars_chart(
            "errors",
            say("How much each errs"),
            words,
            say("standard deviation"),
            bars,
            self.source,
            names,
        )

    def _split(self) -> Figure:
        """ε₁ + ε₂ kept, the share of the first moved along."""
        total = self.cost
        first = np.linspace(0.02, 0.98, 97) * total
        second = total - first
        average = np.sqrt(2 / first**2 + 2 / second**2) / 2
        weighted = np.sqrt(2 / (first**2 + second**2))
        one = math.sqrt(2) / total
        here = deviation(self.laws()["average"])
        layers: list[Layer] = [
            curve("average", "answer", say("average"), first, average),
            curve("weighted", "good", say("weighted average"), first, weighted, "dash"),
            Rule(
                "one", INKS[2], say("one answer for ε = {cost}", cost=Num(total, 5)), one, axis="y"
            ),
            Handle(
                "here",
                "answer",
                say("ε₁ {e} → {x}", e=Num(self.epsilon_1, 4), x=Num(here, 4)),
                self.epsilon_1,
                here,
                "story.epsilon_1",
            ),
        ]
        return Figure(
            "split",
            say("Two answers for one price"),
            Axis(say("ε of F₁, of {cost} for both", cost=Num(total, 5)), range=(0.0, total)),
            Axis(
                say("standard deviation"),
                range=(0.0, nice_above(max(4.5 * one, 1.1 * min(here, 12 * one)))),
            ),
            tuple(layers),
            say("splitting a budget never pays for one question"),
            source=self.source,
        )

    def _facts(self, laws: dict[str, Law]) -> tuple[Fact, ...]:
        costs = {
            "f1": self.epsilon_1,
            "f2": self.epsilon_2,
            "average": self.cost,
            "weighted": self.cost,
            "f3": self.epsilon_3,
        }
        names = self._names()
        inks = {
            "f1": INKS[0],
            "f2": INKS[1],
            "average": "answer",
            "weighted": "good",
            "f3": INKS[2],
        }
        out = []
        for key, cost in costs.items():
            sd = deviation(laws[key])
            out.append(
                Fact(
                    key,
                    names[key],
                    say("±{x}", x=Num(sd, 4)),
                    say("costs ε = {cost}", cost=Num(cost, 5)),
                    inks[key],
                    sd,
                )
            )
        return tuple(out)

    def _sentences(self, laws: dict[str, Law]) -> tuple[Sentence, ...]:
        sd = {key: deviation(law) for key, law in laws.items()}
        w = self.weights
        values: dict[str, Any] = {
            "one": Num(self.epsilon_1, 5), "two": Num(self.epsilon_2, 5), "three": Num(self.epsilon_3, 5), "cost": Num(self.cost, 5),
            "all": Num(self.cost + self.epsilon_3, 5), "average": Num(sd["average"], 4), "third": Num(sd["f3"], 4),
            "weighted": Num(sd["weighted"], 4), "w1": Num(w[0], 3), "w2": Num(w[1], 3), "second": Num(sd["f2"], 4),
            "best": Num(math.sqrt(2) / self.cost, 4), "times": Num(sd["average"] * self.cost / math.sqrt(2), 3),
        }  # fmt: skip
        cost = N_(
            "F₁ and F₂ are about the same people: their average costs ε = {one} + {two} = {cost}, "
            "and all three answers cost {all}."
        )
        same = math.isclose(self.cost, self.epsilon_3, rel_tol=1e-9)
        unequal = (
            N_(
                "Equal cost is not equal noise: the average and F₃ both cost ε = {cost}, but err "
                "by ±{average} and ±{third}."
            )
            if same
            else N_(
                "The average errs by ±{average}; one answer for the same ε = {cost} would err by "
                "±{best}, {times} times less."
            )
        )
        weighted = N_(
            "Weighted by 1/variance ({w1} and {w2}) the same two answers err by ±{weighted}, still "
            "more than ±{best} for one answer."
        )
        made = [
            Sentence("cost", Say(cost, values)),
            Sentence("unequal", Say(unequal, values)),
            Sentence("weighted", Say(weighted, values)),
        ]
        if sd["average"] > sd["f2"] * (1 + 1e-9) or sd["average"] > sd["f1"] * (1 + 1e-9):
            text = N_(
                "The plain average is even worse than the better of its two answers alone "
                "(±{least})."
            )
            made.append(Sentence("worse", say(text, least=Num(min(sd["f1"], sd["f2"]), 4)), "warn"))
        return tuple(made)

    def _table(self, laws: dict[str, Law]) -> Table:
        names = self._names()
        costs = {
            "f1": self.epsilon_1,
            "f2": self.epsilon_2,
            "average": self.cost,
            "weighted": self.cost,
            "f3": self.epsilon_3,
        }
        columns = (
            ("answer", tuple(names[key] for key in costs)),
            ("epsilon", tuple(Num(cost, 5) for cost in costs.values())),
            ("deviation", tuple(Num(deviation(laws[key]), 4) for key in costs)),
            ("half_width", tuple(Num(laws[key].half_width(0.95), 4, "up") for key in costs)),
        )
        heads = (say("Answer"), say("costs ε"), say("standard deviation"), say("± at 95 %"))
        return Table(
            "answers",
            say("What each answer costs and how much it errs"),
            columns,
            shown=True,
            heads=heads,
        )
