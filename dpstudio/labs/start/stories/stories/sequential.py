"""Sequential composition: what three answers and the average of two cost, and why equal cost is not
equal noise."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpstudio.charts.figure import Array, Axis, Figure, Handle, Line, Rule, nice_above
from dpstudio.labs.context import Effort
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.start.stories.stories import story
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.release.two_laplace import TwoLaplace
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import Real, param

SPENT = N_("What one answer spends.")
EPSILON_1 = Real(N_("ε of F₁"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True)
EPSILON_2 = Real(N_("ε of F₂"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True)
EPSILON_3 = Real(N_("ε of F₃"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True)
# Answers of one mechanism share its ink, in three weights.
INK, WEIGHTS = "laplace", (3.2, 2.0, 1.1)


@dataclass(frozen=True)
class Answer:
    """One of the answers of the tale: what it costs, and the law of its error."""

    key: str
    ink: str
    name: Message
    short: str
    cost: float
    law: Law

    @property
    def deviation(self) -> float:
        """The standard deviation of its noise."""
        return story.deviation(self.law)


def weights(one: float, two: float) -> tuple[float, float]:
    """Of least variance for answers at ε₁ and ε₂: each counts by 1/variance, so by ε²."""
    both = one**2 + two**2
    return one**2 / both, two**2 / both


def split_deviations(first: Array, second: Array) -> tuple[Array, Array]:
    """Standard deviations of the plain and of the weighted average of two answers of a count, at
    these ε; shape of the arguments."""
    return (np.sqrt(2 / first**2 + 2 / second**2) / 2, np.sqrt(2 / (first**2 + second**2)))


class Sequential(story.Story):
    """One count is asked three times: F₁, F₂ and F₃. F₁ and F₂ averaged cost ε₁ + ε₂, and still err
    more than one answer for it."""

    key = "sequential"
    label = N_("One after the other")
    source = "Dwork, McSherry, Nissim & Smith 2006; Dwork & Roth 2014, Theorem 3.14"

    epsilon_1: float = param(0.1, EPSILON_1)
    epsilon_2: float = param(0.2, EPSILON_2)
    epsilon_3: float = param(0.3, EPSILON_3)

    @property
    def cost(self) -> float:
        """ε of F₁ and F₂ together."""
        return self.epsilon_1 + self.epsilon_2

    @property
    def alone(self) -> float:
        """The standard deviation of one answer that costs as much as F₁ and F₂."""
        return math.sqrt(2) / self.cost

    def answers(self) -> dict[str, Answer]:
        """F₁ and F₂, their plain and their weighted average, and F₃, of a count (Δ = 1)."""
        b = [1 / self.epsilon_1, 1 / self.epsilon_2, 1 / self.epsilon_3]
        w = weights(self.epsilon_1, self.epsilon_2)
        average, weighted = TwoLaplace(b[0] / 2, b[1] / 2), TwoLaplace(w[0] * b[0], w[1] * b[1])
        made = (
            Answer("f1", INK, Message("F₁"), "F₁", self.epsilon_1, LaplaceLaw(b[0])),
            Answer("f2", INK, Message("F₂"), "F₂", self.epsilon_2, LaplaceLaw(b[1])),
            Answer(
                "average", "second", say("average of F₁, F₂"), N_("average"), self.cost, average
            ),
            Answer(
                "weighted", "third", say("weighted average"), N_("weighted"), self.cost, weighted
            ),
            Answer("f3", INK, Message("F₃"), "F₃", self.epsilon_3, LaplaceLaw(b[2])),
        )
        return {answer.key: answer for answer in made}

    def tell(self, telling: story.Telling) -> story.Tale:
        answers = self.answers()
        return story.Tale(
            (
                self._noise(answers, telling.effort),
                self._costs(answers),
                self._errors(answers),
                self._split(answers, telling.effort),
            ),
            tuple(
                Fact(
                    answer.key,
                    answer.name,
                    say("±{x}", x=Num(answer.deviation, 4)),
                    say("costs ε = {cost}", cost=Num(answer.cost, 5)),
                    answer.ink,
                    answer.deviation,
                )
                for answer in answers.values()
            ),
            self._sentences(answers),
            _table(answers),
            ("cost", "people", "unequal"),
        )

    def _noise(self, answers: dict[str, Answer], effort: Effort) -> Figure:
        curves = tuple(
            story.NoiseCurve(a.key, a.ink, a.name, a.law, width=width)
            for a, width in zip(
                (answers[key] for key in ("f1", "f2", "f3", "average", "weighted")),
                (*WEIGHTS, 2.0, 2.0),
                strict=True,
            )
        )
        text = say(
            "exact; F₁ and F₂ together cost ε = {cost}, F₃ costs {other}",
            cost=Num(self.cost, 5),
            other=Num(self.epsilon_3, 5),
        )
        title, error = say("The noise of each answer"), say("error of a count")
        return story.noise_chart(title, text, error, curves, self.source, effort)

    def _costs(self, answers: dict[str, Answer]) -> Figure:
        shown = [answers[key] for key in ("f1", "f2", "average", "f3")]
        total = self.cost + self.epsilon_3
        bars = [story.Bar(a.key, a.ink, say("{x}", x=Num(a.cost, 4)), a.cost) for a in shown]
        return story.bars_chart(
            "costs",
            say("What each costs"),
            say("what answers about the same people cost adds up"),
            Message("ε"),
            (*bars, story.Bar("all", "muted", say("{x}", x=Num(total, 4)), total)),
            self.source,
            (*(a.short for a in shown), N_("all three")),
        )

    def _errors(self, answers: dict[str, Answer]) -> Figure:
        return story.bars_chart(
            "errors",
            say("How much each errs"),
            say("exact standard deviations"),
            say("standard deviation"),
            tuple(
                story.Bar(a.key, a.ink, say("{x}", x=Num(a.deviation, 4)), a.deviation)
                for a in answers.values()
            ),
            self.source,
            tuple(a.short for a in answers.values()),
        )

    def _split(self, answers: dict[str, Answer], effort: Effort) -> Figure:
        """ε₁ + ε₂ kept, the share of the first moved along."""
        total, one, here = self.cost, self.alone, answers["average"].deviation
        first = np.linspace(0.02, 0.98, effort.of_points(97)) * total
        average, weighted = split_deviations(first, total - first)
        alone = say("one answer for ε = {cost}", cost=Num(total, 5))
        words = say("ε₁ {e} → {x}", e=Num(self.epsilon_1, 4), x=Num(here, 4))
        return Figure(
            "split",
            say("Two answers for one price"),
            Axis(say("ε of F₁, of {cost} for both", cost=Num(total, 5)), range=(0.0, total)),
            Axis(say("standard deviation"), range=(0.0, nice_above(max(4.5 * one, 1.1 * here)))),
            (
                Line("average", "second", say("average"), first, average),
                Line("weighted", "third", say("weighted average"), first, weighted),
                Rule("one", INK, alone, one, axis="y"),
                Handle("here", "second", words, self.epsilon_1, here, "story.epsilon_1"),
            ),
            say("splitting a budget never pays for one question"),
            source=self.source,
        )

    def _sentences(self, answers: dict[str, Answer]) -> tuple[Sentence, ...]:
        sd = {key: answer.deviation for key, answer in answers.items()}
        w, least = weights(self.epsilon_1, self.epsilon_2), min(sd["f1"], sd["f2"])
        values: dict[str, Any] = {
            "one": Num(self.epsilon_1, 5),
            "two": Num(self.epsilon_2, 5),
            "three": Num(self.epsilon_3, 5),
            "cost": Num(self.cost, 5),
            "all": Num(self.cost + self.epsilon_3, 5),
            "average": Num(sd["average"], 4),
            "third": Num(sd["f3"], 4),
            "w1": Num(w[0], 3),
            "w2": Num(w[1], 3),
            "second": Num(sd["f2"], 4),
            "best": Num(self.alone, 4),
            "times": Num(sd["average"] / self.alone, 3),
        }
        cost = N_("The average of F₁ and F₂ costs ε = {one} + {two} = {cost}, all three {all}.")
        unequal = N_(
            "The average errs by ±{average}; one answer for the same ε = {cost} would err by "
            "±{best}, {times} times less."
        )
        if math.isclose(self.cost, self.epsilon_3, rel_tol=1e-9):
            unequal = N_(
                "Equal cost is not equal noise: the average and F₃ both cost ε = {cost}, but err "
                "by ±{average} and ±{third}."
            )
        weighted = N_(
            "Weighted by 1/variance ({w1} and {w2}) the same two answers err by ±{weighted}, still "
            "more than ±{best} for one answer."
        )
        digits = _apart(sd["weighted"], self.alone)
        own = {"weighted": Num(sd["weighted"], digits), "best": Num(self.alone, digits)}
        made = (
            Sentence("cost", Message(cost, values)),
            Sentence("people", say("All three are about the same people.")),
            Sentence("unequal", Message(unequal, values)),
            Sentence("weighted", Message(weighted, values | own)),
        )
        if sd["average"] <= least * (1 + 1e-9):
            return made
        worse = say(
            "The plain average is even worse than the better of its two answers alone (±{least}).",
            least=Num(least, 4),
        )
        return (*made, Sentence("worse", worse, "warn"))


def _apart(one: float, other: float) -> int:
    """How many digits tell two numbers apart, 4 at least."""
    return next((n for n in range(4, 15) if str(Num(one, n)) != str(Num(other, n))), 15)


def _table(answers: dict[str, Answer]) -> Table:
    held = answers.values()
    return story.shown_table(
        "answers",
        say("What each answer costs and how much it errs"),
        (
            ("answer", say("Answer"), tuple(a.name for a in held)),
            ("epsilon", say("costs ε"), tuple(Num(a.cost, 5) for a in held)),
            ("deviation", say("standard deviation"), tuple(Num(a.deviation, 4) for a in held)),
            (
                "half_width",
                say("± at 95 %"),
                tuple(Num(a.law.half_width(0.95), 4, "up") for a in held),
            ),
        ),
    )
