"""Parallel composition: answers about different people cost as much as the dearest of them, not
their sum."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Handle, Layer, nice_above
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.texts.story.stories.sequential import INKS, SPENT
from dpstudio.labs.texts.story.stories.story import (
    Desk,
    Story,
    Voice,
    bars_chart,
    curve,
    noise_chart,
)
from dpstudio.labs.texts.story.stories.sums import deviation
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Integer, Real, param

_GROUPS = 200


@dataclass(frozen=True)
class Parallel(Story):
    """Three counts over three groups that share no one: each person is in one of them."""

    key: ClassVar[str] = "parallel"
    label: ClassVar[str] = N_("Side by side")
    source: ClassVar[str] = "McSherry 2009, Theorem 4"

    epsilon_1: float = param(
        0.1, Real(N_("ε in group A"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True)
    )
    epsilon_2: float = param(
        0.2, Real(N_("ε in group B"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True)
    )
    epsilon_3: float = param(
        0.3, Real(N_("ε in group C"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True)
    )
    groups: int = param(
        10,
        Integer(
            N_("Groups"),
            N_("How many groups share the dearest budget, for the last chart."),
            low=2,
            high=_GROUPS,
            log=True,
        ),
    )

    @property
    def budgets(self) -> tuple[float, float, float]:
        return self.epsilon_1, self.epsilon_2, self.epsilon_3

    def totals(self) -> dict[str, float]:
        """ε of the three answers together: add or remove one; replace one, who may leave one group
        for another; the same people."""
        ranked = sorted(self.budgets)
        return {"add_remove": ranked[-1], "replace": ranked[-1] + ranked[-2], "same": sum(ranked)}

    def tell(self, desk: Desk) -> Findings:
        return Findings(
            (self._noise(), self._costs(), self._growth()),
            self._facts(),
            self._sentences(),
            (self._table(),),
            headline=("cost", "replace"),
        )

    def _noise(self) -> Figure:
        voices = tuple(
            Voice(f"g{i}", INKS[i], say("group {name}", name="ABC"[i]), LaplaceLaw(1 / epsilon))
            for i, epsilon in enumerate(self.budgets)
        )
        words = say("exact; nobody is in two groups")
        return noise_chart(
            say("The noise in each group"), words, say("error of a count"), voices, self.source
        )

    def _costs(self) -> Figure:
        bars: list[tuple[str, str, Say, float]] = [
            (f"g{i}", INKS[i], say("{name} {x}", name="ABC"[i], x=Num(epsilon, 4)), epsilon)
            for i, epsilon in enumerate(self.budgets)
        ]
        totals = self.totals()
        bars += [
            (
                "add_remove",
                "good",
                say("in all {x}", x=Num(totals["add_remove"], 4)),
                totals["add_remove"],
            ),
            (
                "replace",
                "warn",
                say("replace one {x}", x=Num(totals["replace"], 4)),
                totals["replace"],
            ),
            ("same", "bad", say("same people {x}", x=Num(totals["same"], 4)), totals["same"]),
        ]
        words = say("a person pays only for the group that they are in")
        return bars_chart(
            "costs", say("What all three cost"), words, Say("ε"), tuple(bars), self.source
        )

    def _growth(self) -> Figure:
        """Noise in one group as the groups grow in number, the whole budget kept."""
        epsilon = max(self.budgets)
        k = np.geomspace(1, _GROUPS, 61)
        one = math.sqrt(2) / epsilon
        here = one * self.groups
        label = say(
            "{k} groups: ±{split} or ±{kept}",
            k=Num(self.groups),
            split=Num(here, 3),
            kept=Num(one, 3),
        )
        layers: tuple[Layer, ...] = (
            curve("split", "bad", say("same people: ε split"), k, one * k),
            curve("parallel", "good", say("groups apart: ε whole"), k, np.full_like(k, one)),
            Handle("here", "bad", label, float(self.groups), here, "story.groups"),
        )
        return Figure(
            "growth",
            say("More groups"),
            Axis(say("groups"), log=True, range=(0.9, 1.2 * _GROUPS)),
            Axis(
                say("standard deviation of each count"),
                log=True,
                range=(one / 3, nice_above(1.5 * one * _GROUPS)),
            ),
            layers,
            say("all counts together at ε = {epsilon}", epsilon=Num(epsilon, 5)),
            source=self.source,
        )

    def _facts(self) -> tuple[Fact, ...]:
        totals = self.totals()
        notes = {
            "add_remove": (N_("Add or remove one"), N_("the largest ε"), "good"),
            "replace": (
                N_("Replace one"),
                N_("the two largest: out of one group, into another"),
                "warn",
            ),
            "same": (N_("Were it the same people"), N_("the sum"), "bad"),
        }
        return tuple(
            Fact(
                key, Say(label), say("ε = {x}", x=Num(totals[key], 5)), Say(note), ink, totals[key]
            )
            for key, (label, note, ink) in notes.items()
        )

    def _sentences(self) -> tuple[Sentence, ...]:
        totals = self.totals()
        values: dict[str, Any] = {
            "a": Num(self.epsilon_1, 5), "b": Num(self.epsilon_2, 5), "c": Num(self.epsilon_3, 5), "most": Num(totals["add_remove"], 5),
            "both": Num(totals["replace"], 5), "sum": Num(totals["same"], 5), "twice": Num(2 * totals["add_remove"], 5),
        }  # fmt: skip
        cost = N_(
            "No one is in two groups, so all three answers cost max({a}, {b}, {c}) = {most}; about "
            "the same people they would cost {sum}."
        )
        replace = N_(
            "Where one person may be replaced, they may leave one group and enter another: then it "
            "is {both}, and never more than {twice}."
        )
        apart = N_(
            "The groups must share no one and be fixed without looking at the data; that they be "
            "independent is not needed."
        )
        return (
            Sentence("cost", Say(cost, values)),
            Sentence("replace", Say(replace, values), "warn"),
            Sentence("apart", Say(apart)),
        )

    def _table(self) -> Table:
        rows = [
            (say("group {name}", name="ABC"[i]), epsilon, deviation(LaplaceLaw(1 / epsilon)))
            for i, epsilon in enumerate(self.budgets)
        ]
        columns = (
            ("group", tuple(row[0] for row in rows)),
            ("epsilon", tuple(Num(row[1], 5) for row in rows)),
            ("deviation", tuple(Num(row[2], 4) for row in rows)),
        )
        heads = (say("Answer"), say("ε of a person in it"), say("standard deviation"))
        return Table("groups", say("Who pays what"), columns, shown=True, heads=heads)
