"""Group privacy: what one person's ε is worth to a family of m."""

import math
from typing import Any

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Handle, Line, nice_above
from dpstudio.labs.context import Effort
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.start.stories.stories import story
from dpstudio.privacy.accounting import group_privacy
from dpstudio.privacy.mechanisms import additive, gaussian, laplace
from dpstudio.privacy.neighbours.attacker import posterior
from dpstudio.privacy.neighbours.one_number import pair_of
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import param

_MOST = 100


class Group(story.Story):
    """A family of m answers the same survey: all of them together are protected by mε only."""

    key = "group"
    label = N_("A family together")
    source = "Dwork & Roth 2014, Theorem 2.2; " + N_("for δ, the definition step by step")

    epsilon: float = real(
        0.5,
        N_("ε of one person"),
        N_("What is promised to one person alone."),
        low=additive.EPSILON.low,
        high=10,
        log=True,
    )
    delta: float = param(1e-6, additive.DELTA)
    people: int = integer(
        4,
        N_("Family of"),
        N_("How many people who come and go together."),
        low=2,
        high=_MOST,
        log=True,
    )

    @property
    def cost(self) -> float:
        """ε of all of them together."""
        return self.people * self.epsilon

    @property
    def each(self) -> float:
        """The ε for one that keeps the stated one for all of them together."""
        return self.epsilon / self.people

    def tell(self, telling: story.Telling) -> story.Tale:
        effort = telling.effort
        return story.Tale(
            (self._noise(effort), self._costs(), self._belief(effort), self._deltas()),
            self._facts(),
            self._sentences(),
            self._table(),
            ("cost", "belief"),
        )

    def _noise(self, effort: Effort) -> Figure:
        """The answers without the family, without one of them, and with all."""
        law, m = laplace.LaplaceLaw(1 / self.epsilon), self.people
        curves = (
            story.NoiseCurve("none", "muted", say("without them"), law),
            story.NoiseCurve("one", "laplace", say("with one of them"), law, "dash", 1.0),
            story.NoiseCurve("all", "second", say("with all {m}", m=Num(m)), law, centre=float(m)),
        )
        words = say("Laplace noise made for one person; each step may cost eᵋ")
        title = say("A count with the family and without")
        return story.noise_chart(title, words, say("answer"), curves, self.source, effort)

    def _costs(self) -> Figure:
        shown = sorted({1, 2, max(2, self.people // 2), self.people})
        bars = tuple(
            story.Bar(
                f"m{m}",
                "second" if m == self.people else "laplace",
                say("{x}", x=Num(m * self.epsilon, 5)),
                m * self.epsilon,
            )
            for m in shown
        )
        return story.bars_chart(
            "costs",
            say("What is left of the promise"),
            say("ε for so many people together"),
            Message("ε"),
            bars,
            self.source,
            tuple(map(str, shown)),
            say("people together"),
        )

    def _belief(self, effort: Effort) -> Figure:
        m = np.unique(np.round(np.geomspace(1, _MOST, effort.of_points(60))))
        most = np.array([self.belief(k) for k in m])
        law = np.array([self.right_guesses(float(k)) for k in m])
        here = self.belief(self.people)
        label = say(
            "{m} {m:person|people} → {x}", m=Num(self.people), x=Num(here, 3, "up", percent=True)
        )
        return Figure(
            "belief",
            say("Is the family in?"),
            Axis(say("people together"), log=True, range=(0.9, 1.2 * _MOST), whole=True),
            Axis(say("from even odds to"), range=(0.5, 1.02)),
            (
                Line("bound", "limit", say("most certain belief"), m, most, dash="dash"),
                Line("right", "laplace", say("right guesses, best test"), m, law),
                Handle("here", "limit", label, float(self.people), here, "story.people"),
            ),
            say("an attacker who thinks all or none of them are in"),
            source=self.source,
        )

    def _deltas(self) -> Figure:
        """What δ becomes at mε: by the common form, step by step, and exactly for Gaussian
        noise."""
        m = np.arange(1.0, self._last + 1)
        coarse, steps = (
            np.array([form(int(k)) for k in m]) for form in (self.coarse_delta, self.stepped_delta)
        )
        exact = np.array([self.gaussian_delta(int(k)) for k in m])
        low = 10.0 ** math.floor(math.log10(self.delta) - 1)
        exact = np.where(exact > low / 1e3, exact, np.nan)
        return Figure(
            "deltas",
            say("What becomes of δ"),
            Axis(say("people together, m"), range=(1.0, float(self._last)), whole=True),
            Axis(say("δ at mε"), log=True, range=(low, 2.0)),
            (
                Line("coarse", "second", say("m·exp((m−1)ε)·δ"), m, coarse),
                Line("steps", "third", say("step by step"), m, steps),
                Line("exact", "gaussian", say("Gaussian, exactly"), m, exact),
            ),
            say(
                "one person: ε = {epsilon}, δ = {delta}",
                epsilon=Num(self.epsilon, 5),
                delta=Num(self.delta, 3, "up"),
            ),
            source=f"{self.source}; Balle & Wang 2018, Theorem 8",
        )

    def belief(self, people: float) -> float:
        """How sure an attacker can end who began with even odds that so many people are in."""
        return float(posterior(0.5, people * self.epsilon))

    def right_guesses(self, people: float) -> float:
        """The share of right guesses of the best test on Laplace noise for one person."""
        return (1 + pair_of(laplace.LaplaceLaw(1 / self.epsilon), people).advantage) / 2

    @property
    def _last(self) -> int:
        return int(min(_MOST, max(4, nice_above(1.5 * self.people))))

    def stepped_delta(self, people: int) -> float:
        """δ for so many people at as many times ε, whatever the noise: one step from each table to
        the next."""
        return group_privacy(self.epsilon, self.delta, people)[1]

    def coarse_delta(self, people: int) -> float:
        """m·e^((m−1)ε)·δ, at most 1: every step counted as the last and dearest, the form that is
        common."""
        power = math.log(people) + (people - 1) * self.epsilon + math.log(self.delta)
        return math.exp(min(0.0, power))

    def gaussian_delta(self, people: int) -> float:
        """Exact δ at mε of Gaussian noise that is (ε, δ)-DP for one."""
        sigma = gaussian.analytic_sigma(self.epsilon, self.delta)
        return gaussian.GaussianLaw(sigma).delta(people * self.epsilon, float(people))

    def _facts(self) -> tuple[Fact, ...]:
        after, each = self.belief(self.people), self.each
        delta = self.stepped_delta(self.people)
        return (
            Fact(
                "cost",
                say("{m} {m:person|people} together", m=Num(self.people)),
                say("ε = {x}", x=Num(self.cost, 5)),
                say("m·ε"),
                "answer",
                self.cost,
            ),
            Fact(
                "belief",
                say("From 50 % sure to at most"),
                say("{x}", x=Num(after, 3, "up", percent=True)),
                say("that they are in, if δ is 0"),
                "bad",
                after,
            ),
            Fact(
                "delta",
                say("δ of the family, if it was"),
                say("{x}", x=Num(delta, 3, "up")),
                say("δ = {x}", x=Num(self.delta, 3, "up")),
                "warn",
                delta,
            ),
            Fact(
                "needed",
                say("For ε = {x} together", x=Num(self.epsilon, 5)),
                say("ε = {x}", x=Num(each, 3, "down")),
                say("each"),
                "good",
                each,
            ),
        )

    def _sentences(self) -> tuple[Sentence, ...]:
        values: dict[str, Any] = {
            "m": Num(self.people),
            "epsilon": Num(self.epsilon, 5),
            "cost": Num(self.cost, 5),
            "after": Num(self.belief(self.people), 3, "up", percent=True),
            "one": Num(self.belief(1), 3, "up", percent=True),
            "each": Num(self.each, 3, "down"),
            "delta": Num(self.delta, 3, "up"),
            "steps": Num(self.stepped_delta(self.people), 3, "up"),
            "coarse": Num(self.coarse_delta(self.people), 3, "up"),
            "exact": Num(self.gaussian_delta(self.people), 3, "up"),
        }
        cost = N_("ε = {epsilon} for one person is ε = {cost} for {m} who come and go together.")
        belief = N_(
            "Where δ is 0, someone who was 50 % sure that they are in ends at most {after} sure, "
            "where one person alone would be at {one}."
        )
        each = N_(
            "To keep ε = {epsilon} for all of them together, the noise must be made for {m}: ε = "
            "{each} each."
        )
        delta = N_(
            "δ = {delta} grows as well: at ε = {cost} to at most {steps} ({coarse} by the form "
            "m·exp((m−1)ε)·δ); Gaussian noise has {exact}."
        )
        tone = "warn" if self.cost > 3 else "plain"
        return (
            Sentence("cost", Message(cost, values), tone),
            Sentence("belief", Message(belief, values)),
            Sentence("each", Message(each, values)),
            Sentence("delta", Message(delta, values)),
        )

    def _table(self) -> Table:
        sizes = sorted({1, 2, 3, 5, 10, self.people})
        beliefs = (Num(self.belief(m), 3, "up", percent=True) for m in sizes)
        deltas = (Num(self.stepped_delta(m), 3, "up") for m in sizes)
        exact = (Num(self.gaussian_delta(m), 3, "up") for m in sizes)
        return story.shown_table(
            "groups",
            say("Groups of people"),
            (
                ("people", say("People"), tuple(map(Num, sizes))),
                ("epsilon", Message("ε"), tuple(Num(m * self.epsilon, 5) for m in sizes)),
                ("belief", say("most certain, from 50 %"), tuple(beliefs)),
                ("delta", say("δ at most"), tuple(deltas)),
                ("exact", say("δ of Gaussian noise"), tuple(exact)),
            ),
        )
