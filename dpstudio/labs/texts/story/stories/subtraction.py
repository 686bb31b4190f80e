"""Two totals that differ by one person, and what an attacker gets by subtracting them: exactly, and
with noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Axis,
    Columns,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.draws import sorted_uniforms
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.texts.story.stories.story import Desk, Story, curve
from dpstudio.labs.texts.story.stories.sums import TwoLaplace, deviation
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.messages import N_, Num, Say, plain, say
from dpstudio.values.params import Real, param

_BINS = 80


@dataclass(frozen=True)
class Told:
    """The numbers of the story: exact totals without and with the person, who adds `value`;
    everyone adds between low and high.

    `people` are there without the person, who is `joined` more: rows, where persons have several,
    up to `most`. `known` is False where the exact numbers are hidden.
    """

    without: float
    value: float
    people: int
    low: float
    high: float
    known: bool = True
    most: int = 1
    joined: int = 1

    @property
    def sensitivity(self) -> float:
        return max(abs(self.low), abs(self.high))


def spelled(number: Num) -> Num | Say:
    """Two totals that are to be subtracted by eye need all of their digits, where a number is a
    power of ten else."""
    if not 1e7 <= abs(number.value) < 1e15:
        return number
    sign = "−" if number.value < 0 else ""
    return plain(f"{sign}{abs(number.value):,.0f}")


@dataclass(frozen=True)
class Subtraction(Story):
    """Base of the two tales of differencing. A member says what is `told`, in which `unit`, and
    what it comes to `exactly`."""

    source: ClassVar[str] = (
        "Dwork, McSherry, Nissim & Smith 2006, Proposition 1; differencing: Dwork & Roth 2014, "
        "section 1.1"
    )
    of_table: ClassVar[bool] = False
    who: ClassVar[str] = N_("The newcomer, exactly")
    beyond: ClassVar[str] = N_(
        "The newcomer lies beyond the bounds: what is published would clip {value} first."
    )

    epsilon_1: float = param(
        1.0,
        Real(
            N_("ε of the first total"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True
        ),
    )
    epsilon_2: float = param(
        1.0,
        Real(
            N_("ε of the second total"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True
        ),
    )

    @property
    def unit(self) -> Say:
        raise NotImplementedError

    def amount(self, number: Num) -> Say:
        """A value or a total with its unit."""
        return say("{x}", x=spelled(number))

    def told(self, desk: Desk) -> Told:
        raise NotImplementedError

    def exactly(self, told: Told) -> Say:
        """What two exact totals say of the person."""
        raise NotImplementedError

    def tell(self, desk: Desk) -> Findings:
        told = self.told(desk)
        law = self.law(told)
        figures = [self._guess(desk, told, law)]
        if told.known and told.people > 0:
            figures += [self._published(desk, told), self._errors(desk, told, law)]
        return Findings(
            tuple(figures),
            self._facts(told, law),
            self._sentences(told, law),
            (self._table(desk, told, law),),
            headline=("exact", "noisy") if told.known else ("noisy",),
        )

    def law(self, told: Told) -> TwoLaplace:
        """The error of the attacker's difference of two noisy totals."""
        return TwoLaplace(told.sensitivity / self.epsilon_1, told.sensitivity / self.epsilon_2)

    def _guess(self, desk: Desk, told: Told, law: TwoLaplace) -> Figure:
        """What the attacker works out: one exact number, or anything at all."""
        reach = nice_above(1.1 * max(law.half_width(0.95), abs(told.high - told.low)))
        low, high = told.value - reach, told.value + reach
        x = np.sort(np.append(np.linspace(low, high, 401), told.value))
        edges = np.linspace(low, high, _BINS + 1)
        uniforms = desk.data.remember(
            ("uniforms", desk.seed, desk.trials), lambda: sorted_uniforms(desk.seed, desk.trials)
        )
        heights = np.diff(np.searchsorted(uniforms, law.cdf(edges - told.value))) / (
            desk.trials * np.diff(edges)
        )
        top = nice_above(1.1 * float(max(law.density(np.zeros(1))[0], heights.max())))
        layers: list[Layer] = [Area("draws", "laplace", "", edges, heights)]
        layers.append(
            Line("law", "laplace", say("from noisy totals"), x, law.density(x - told.value))
        )
        if told.known:
            layers.append(
                Rule(
                    "exact",
                    "truth",
                    say("exact: {x}", x=self.amount(Num(told.value, 7))),
                    told.value,
                )
            )
            # Where every value lies is known before: an error wider than that tells nothing.
            ends = array(np.clip([told.low, told.high], low, high))
            layers.append(
                Line(
                    "range",
                    "muted",
                    say("all values lie here"),
                    ends,
                    np.full(2, 0.05 * top),
                    width=4,
                )
            )
        what = self.unit if told.known else say("{column}, less the exact value", column=self.unit)
        return Figure(
            "guess",
            say("What the attacker works out"),
            Axis(what, range=(low, high)),
            Axis(say("density"), range=(0.0, top), hidden=True),
            tuple(layers),
            say("{trials} simulated attacks under the exact law", trials=Num(desk.trials)),
            exact=self.of_table and desk.show_truth,
            simulated=True,
            source=self.source,
        )

    def _published(self, desk: Desk, told: Told) -> Figure:
        """The two averages, exact and as one simulated answer each, with whiskers that hold 95
        %."""
        counts = np.array([told.people, told.people + told.joined], dtype=np.float64)
        exact = np.array([told.without, told.without + told.value]) / counts
        scales = told.sensitivity / np.array([self.epsilon_1, self.epsilon_2])
        rng = np.random.Generator(np.random.SFC64([desk.seed, 8]))
        noisy = exact + np.array([float(LaplaceLaw(b).sample(rng, 1)[0]) for b in scales]) / counts
        width = np.array([LaplaceLaw(b).half_width(0.95) for b in scales]) / counts
        x = np.array([0.0, 1.0])
        high, low = (
            float(np.max(np.maximum(exact, noisy) + width)),
            float(np.min(np.minimum(exact, noisy) - width)),
        )
        top, bottom = nice_above(1.12 * max(high, 1e-9)), -nice_above(-low) if low < 0 else 0.0
        layers: tuple[Layer, ...] = (
            Columns("exact", "truth", "", x - 0.2, exact, 0.34),
            Columns("noisy", "laplace", "", x + 0.2, noisy, 0.34, noisy - width, noisy + width),
            *(
                Line(f"name_{i}", ink, label, [at - 0.3, at + 0.3], [height, height], width=1.5)
                for i, (at, ink, label, height) in enumerate(
                    (
                        (
                            -0.2,
                            "truth",
                            say("exact, before: {x}", x=self.amount(Num(exact[0], 6))),
                            exact[0],
                        ),
                        (
                            0.8,
                            "truth",
                            say("after: {x}", x=self.amount(Num(exact[1], 6))),
                            exact[1],
                        ),
                    )
                )
            ),
        )
        return Figure(
            "published",
            say("The averages that are published"),
            Axis("", range=(-0.6, 1.6), hidden=True, ticks=((-0.6, ""),)),
            Axis(self.unit, range=(bottom, top)),
            layers,
            say("exact beside noisy; whiskers hold 95 % (n is known to all)"),
            exact=self.of_table and desk.show_truth,
            simulated=True,
            source=self.source,
        )

    def _errors(self, desk: Desk, told: Told, law: TwoLaplace) -> Figure:
        """What noise does to the attacker, and what to the reader of the average, against ε."""
        epsilon = np.geomspace(EPSILON.low, EPSILON.high, 97)
        u, n = told.sensitivity, told.people
        attack = u * np.sqrt(2 / epsilon**2 + 2 / self.epsilon_2**2)
        reader = u * math.sqrt(2) / (epsilon * n)
        here = deviation(law)
        values = np.concatenate([attack, reader])
        label = say("ε₁ {e} → attacker ±{x}", e=Num(self.epsilon_1, 4), x=self.amount(Num(here, 3)))
        layers: tuple[Layer, ...] = (
            curve("attack", "bad", say("attacker, about one person"), epsilon, attack),
            curve("reader", "good", say("reader, about the average"), epsilon, reader),
            Rule(
                "range",
                "muted",
                say("lowest to highest"),
                told.high - told.low,
                axis="y",
                dash="dot",
            ),
            Handle("here", "bad", label, self.epsilon_1, here, "story.epsilon_1"),
        )
        low, high = (
            float(10.0 ** f(math.log10(v)))
            for f, v in ((math.floor, float(values.min())), (math.ceil, float(values.max())))
        )
        return Figure(
            "errors",
            say("Same noise, two readers"),
            Axis(say("ε of the first total"), log=True, range=(0.0009, 57.0)),
            Axis(say("standard deviation"), log=True, range=(low, high)),
            layers,
            say("n = {n}; second total at ε = {e}", n=Num(n), e=Num(self.epsilon_2, 5)),
            exact=self.of_table and desk.show_truth,
            source=self.source,
        )

    def _facts(self, told: Told, law: TwoLaplace) -> tuple[Fact, ...]:
        sd = deviation(law)
        out = []
        if told.known:
            note = Say(N_("exact: not private") if self.of_table else N_("from two exact averages"))
            out.append(
                Fact(
                    "value",
                    Say(self.who),
                    self.amount(Num(told.value, 7)),
                    note,
                    "truth",
                    told.value,
                )
            )
        out.append(
            Fact(
                "attacker",
                say("The attacker errs by"),
                say("±{x}", x=self.amount(Num(sd, 4))),
                say("standard deviation"),
                "bad",
                sd,
            )
        )
        if told.known and told.people > 0:
            reader = told.sensitivity * math.sqrt(2) / (self.epsilon_1 * told.people)
            average = told.without / told.people
            note = (
                say("{share} of it", share=Num(reader / abs(average), 2, "up", percent=True))
                if average
                else Say("")
            )
            out.append(
                Fact(
                    "reader",
                    say("The average errs by"),
                    say("±{x}", x=self.amount(Num(reader, 3))),
                    note,
                    "good",
                    reader,
                )
            )
        total = self.epsilon_1 + self.epsilon_2
        out.append(
            Fact(
                "cost",
                say("Both totals cost"),
                say("ε = {x}", x=Num(total, 5)),
                say("the same people are in both"),
                value=total,
            )
        )
        return tuple(out)

    def _sentences(self, told: Told, law: TwoLaplace) -> tuple[Sentence, ...]:
        sd, width = deviation(law), law.half_width(0.95)
        values: dict[str, Any] = {
            "value": self.amount(Num(told.value, 9)), "sd": self.amount(Num(sd, 3)), "width": self.amount(Num(width, 3, "up")),
            "range": self.amount(Num(told.high - told.low, 6)), "high": self.amount(Num(told.sensitivity, 6)),
            "cost": Num(self.epsilon_1 + self.epsilon_2, 5),
        }  # fmt: skip
        out = [Sentence("exact", self.exactly(told), "bad")] if told.known else []
        text = N_(
            "From noisy totals the same subtraction errs by ±{sd}, and by up to ±{width} in 95 % "
            "of cases, where all values span {range}."
        )
        out.append(
            Sentence("noisy", Say(text, values), "good" if width > told.high - told.low else "warn")
        )
        out.append(
            Sentence(
                "bound",
                say(
                    "The noise is made for the largest value, {high}; both totals together cost ε "
                    "= {cost}.",
                    **values,
                ),
            )
        )
        if told.known and not told.low <= told.value <= told.high:
            out.append(Sentence("clipped", Say(self.beyond, values), "warn"))
        return tuple(out)

    def _table(self, desk: Desk, told: Told, law: TwoLaplace) -> Table:
        scales = [told.sensitivity / e for e in (self.epsilon_1, self.epsilon_2)]
        sds = [math.sqrt(2) * scales[0], math.sqrt(2) * scales[1], deviation(law)]
        names = (say("before"), say("after"), say("difference"))
        columns: list[tuple[str, tuple[Any, ...]]] = [("quantity", names)]
        heads = [say("Total")]
        if told.known:
            columns.append(
                (
                    "exact",
                    tuple(
                        Num(v, 10) for v in (told.without, told.without + told.value, told.value)
                    ),
                )
            )
            heads.append(say("exact"))
        widths = [LaplaceLaw(b).half_width(0.95) for b in scales] + [law.half_width(0.95)]
        columns += [
            ("deviation", tuple(Num(sd, 4) for sd in sds)),
            ("half_width", tuple(Num(w, 4, "up") for w in widths)),
            (
                "epsilon",
                tuple(
                    Num(e, 5)
                    for e in (self.epsilon_1, self.epsilon_2, self.epsilon_1 + self.epsilon_2)
                ),
            ),
        ]
        heads += [say("noise, ±"), say("± at 95 %"), say("costs ε")]
        return Table(
            "totals",
            say("The totals"),
            tuple(columns),
            shown=True,
            heads=tuple(heads),
            exact=self.of_table and desk.show_truth,
        )
