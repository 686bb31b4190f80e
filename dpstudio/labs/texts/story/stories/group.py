"""Group privacy: what one person's ε is worth to a family of m."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Handle, Layer, nice_above
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.texts.story.stories.story import (
    Desk,
    Story,
    Voice,
    bars_chart,
    curve,
    noise_chart,
)
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw, analytic_sigma
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.neighbours.attacker import lee_clifton, posterior
from dpstudio.privacy.neighbours.one_number import pair_of
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Integer, Real, param

_MOST = 100


def group_delta(epsilon: float, delta: float, people: int) -> float:
    """δ for m people at mε: δ(1 + e^ε + … + e^((m−1)ε)), one step from each table to the next; at
    most m·e^((m−1)ε)·δ (≤ 1)."""
    if epsilon * people > 700:
        return 1.0
    return min(1.0, delta * math.expm1(people * epsilon) / math.expm1(epsilon))


def coarse_delta(epsilon: float, delta: float, people: int) -> float:
    """m·e^((m−1)ε)·δ, at most 1: every step counted as the last and dearest, the form that is
    common."""
    power = math.log(people) + (people - 1) * epsilon + math.log(delta)
    return math.exp(min(0.0, power))


@dataclass(frozen=True)
class Group(Story):
    """A family of m answers the same survey: all of them together are protected by mε only."""

    key: ClassVar[str] = "group"
    label: ClassVar[str] = N_("A family together")
    source: ClassVar[str] = "Dwork & Roth 2014, Theorem 2.2; for δ, the definition step by step"

    epsilon: float = param(
        0.5,
        Real(
            N_("ε of one person"),
            N_("What is promised to one person alone."),
            low=EPSILON.low,
            high=10,
            log=True,
        ),
    )
    delta: float = param(1e-6, DELTA)
    people: int = param(
        4,
        Integer(
            N_("Family of"),
            N_("How many people who come and go together."),
            low=2,
            high=_MOST,
            log=True,
        ),
    )

    @property
    def cost(self) -> float:
        return self.people * self.epsilon

    def tell(self, desk: Desk) -> Findings:
        return Findings(
            (self._noise(), self._costs(), self._belief(), self._deltas()),
            self._facts(),
            self._sentences(),
            (self._table(),),
            headline=("cost", "belief"),
        )

    def _noise(self) -> Figure:
        """The answers without the family, without one of them, and with all."""
        law = LaplaceLaw(1 / self.epsilon)
        one = N_("with one of them")
        voices = [Voice("none", "muted", say("without them"), law)]
        middles = {"none": 0.0, "all": float(self.people)}
        voices.append(Voice("one", "laplace", Say(one), law, "dash"))
        middles["one"] = 1.0
        label = say("with all {m}", m=Num(self.people))
        voices.append(Voice("all", "answer", label, law))
        words = say("Laplace noise made for one person; each step may cost e^ε")
        return noise_chart(
            say("A count with the family and without"),
            words,
            say("answer"),
            tuple(voices),
            self.source,
            middles,
        )

    def _costs(self) -> Figure:
        shown = sorted({1, 2, max(2, self.people // 2), self.people})
        bars = tuple(
            (
                f"m{m}",
                "answer" if m == self.people else "laplace",
                say("{x}", x=Num(m * self.epsilon, 4)),
                m * self.epsilon,
            )
            for m in shown
        )
        words, names = say("ε for so many people together"), tuple(str(m) for m in shown)
        label = say("people together")
        return bars_chart(
            "costs",
            say("What is left of the promise"),
            words,
            Say("ε"),
            bars,
            self.source,
            names,
            label,
        )

    def _belief(self) -> Figure:
        m = np.unique(np.round(np.geomspace(1, _MOST, 60)))
        most = np.array([float(posterior(0.5, k * self.epsilon)) for k in m])
        law = np.array(
            [(1 + pair_of(LaplaceLaw(1 / self.epsilon), float(k)).advantage) / 2 for k in m]
        )
        here = float(posterior(0.5, self.cost))
        label = say("{m} people → {x}", m=Num(self.people), x=Num(here, 3, "up", percent=True))
        layers: tuple[Layer, ...] = (
            curve("bound", "bad", say("surest belief"), m, most, "dash"),
            curve("right", "laplace", say("right guesses, best test"), m, law),
            Handle("here", "bad", label, float(self.people), here, "story.people"),
        )
        return Figure(
            "belief",
            say("Is the family in?"),
            Axis(say("people together"), log=True, range=(0.9, 1.2 * _MOST), whole=True),
            Axis(say("from even odds to"), range=(0.5, 1.02)),
            layers,
            say("an attacker who thinks all or none of them are in"),
            source=self.source,
        )

    def _deltas(self) -> Figure:
        """What δ becomes at mε: by the common form, step by step, and exactly for Gaussian
        noise."""
        m = np.arange(1.0, self._last + 1)
        coarse = np.array([coarse_delta(self.epsilon, self.delta, int(k)) for k in m])
        steps = np.array([group_delta(self.epsilon, self.delta, int(k)) for k in m])
        exact = np.array([self.gaussian_delta(int(k)) for k in m])
        low = 10.0 ** math.floor(math.log10(self.delta) - 1)
        layers: tuple[Layer, ...] = (
            curve("coarse", "bad", say("m·e^((m−1)ε)·δ"), m, coarse, "dash"),
            curve("steps", "warn", say("step by step"), m, steps),
            curve(
                "exact",
                "gaussian",
                say("Gaussian, exactly"),
                m,
                np.where(exact > low / 1e3, exact, np.nan),
            ),
        )
        return Figure(
            "deltas",
            say("What becomes of δ"),
            Axis(say("people together, m"), range=(1.0, float(self._last)), whole=True),
            Axis(say("δ at mε"), log=True, range=(low, 2.0)),
            layers,
            say(
                "one person: ε = {epsilon}, δ = {delta}",
                epsilon=Num(self.epsilon, 5),
                delta=Num(self.delta),
            ),
            source=f"{self.source}; Balle & Wang 2018, Theorem 8",
        )

    @property
    def _last(self) -> int:
        return int(min(_MOST, max(4, nice_above(1.5 * self.people))))

    def gaussian_delta(self, people: int) -> float:
        """Exact δ at mε of Gaussian noise that is (ε, δ)-DP for one."""
        sigma = analytic_sigma(self.epsilon, self.delta)
        return GaussianLaw(sigma).delta(people * self.epsilon, float(people))

    def _facts(self) -> tuple[Fact, ...]:
        after = float(posterior(0.5, self.cost))
        delta = group_delta(self.epsilon, self.delta, self.people)
        return (
            Fact(
                "cost",
                say("{m} people together", m=Num(self.people)),
                say("ε = {x}", x=Num(self.cost, 5)),
                say("m·ε"),
                "answer",
                self.cost,
            ),
            Fact(
                "belief",
                say("From 50 % sure to at most"),
                say("{x}", x=Num(after, 3, "up", percent=True)),
                say("that they are in"),
                "bad",
                after,
            ),
            Fact(
                "delta",
                say("δ of the family, if it was"),
                say("{x}", x=Num(delta, 3, "up")),
                say("δ = {x}", x=Num(self.delta)),
                "warn",
                delta,
            ),
            Fact(
                "needed",
                say("For ε = {x} together", x=Num(self.epsilon, 5)),
                say("ε = {x}", x=Num(self.epsilon / self.people, 3, "down")),
                say("each"),
                "good",
                self.epsilon / self.people,
            ),
        )

    def _sentences(self) -> tuple[Sentence, ...]:
        values: dict[str, Any] = {
            "m": Num(self.people), "epsilon": Num(self.epsilon, 5), "cost": Num(self.cost, 5),
            "after": Num(float(posterior(0.5, self.cost)), 3, "up", percent=True),
            "one": Num(float(posterior(0.5, self.epsilon)), 3, "up", percent=True),
            "each": Num(self.epsilon / self.people, 3, "down"), "delta": Num(self.delta),
            "steps": Num(group_delta(self.epsilon, self.delta, self.people), 3, "up"),
            "coarse": Num(coarse_delta(self.epsilon, self.delta, self.people), 3, "up"),
            "exact": Num(self.gaussian_delta(self.people), 3, "up"),
            "found": Num(lee_clifton(self.cost, 1000), 3, "up", percent=True),
        }  # fmt: skip
        cost = N_(
            "ε = {epsilon} is a promise to one person; for {m} who come and go together it is ε = "
            "{cost}."
        )
        belief = N_(
            "Someone who was 50 % sure that they are in ends at most {after} sure, where one "
            "person alone would be at {one}."
        )
        each = N_(
            "To keep ε = {epsilon} for all of them together, the noise must be made for {m}: ε = "
            "{each} each."
        )
        delta = N_(
            "δ = {delta} grows as well: at ε = {cost} to at most {steps} ({coarse} by the form "
            "m·e^((m−1)ε)·δ); Gaussian noise has {exact}."
        )
        tone = "warn" if self.cost > 3 else "plain"
        return (
            Sentence("cost", Say(cost, values), tone),
            Sentence("belief", Say(belief, values)),
            Sentence("each", Say(each, values)),
            Sentence("delta", Say(delta, values)),
        )

    def _table(self) -> Table:
        sizes = sorted({1, 2, 3, 5, 10, self.people})
        columns = (
            ("people", tuple(Num(m) for m in sizes)),
            ("epsilon", tuple(Num(m * self.epsilon, 4, "up") for m in sizes)),
            (
                "belief",
                tuple(
                    Num(float(posterior(0.5, m * self.epsilon)), 3, "up", percent=True)
                    for m in sizes
                ),
            ),
            ("delta", tuple(Num(group_delta(self.epsilon, self.delta, m), 3, "up") for m in sizes)),
            ("exact", tuple(Num(self.gaussian_delta(m), 3, "up") for m in sizes)),
        )
        heads = (
            say("People"),
            Say("ε"),
            say("surest, from 50 %"),
            say("δ at most"),
            say("δ of Gaussian noise"),
        )
        return Table("groups", say("Groups of people"), columns, shown=True, heads=heads)
