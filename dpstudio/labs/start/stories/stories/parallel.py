"""Parallel composition: answers about different people cost as much as the dearest of them, not
their sum."""

import math
from typing import Any

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Handle, Line, nice_above
from dpstudio.labs.context import Effort
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.start.stories.stories import story
from dpstudio.labs.start.stories.stories.sequential import INK, SPENT, WEIGHTS
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_, Message, Num, say

_GROUPS = 200


class Parallel(story.Story):
    """Three counts over three groups that share no one: each person is in one of them."""

    key = "parallel"
    label = N_("Side by side")
    source = "McSherry 2009, Theorem 4"

    epsilon_1: float = real(
        0.1, N_("ε in group A"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True
    )
    epsilon_2: float = real(
        0.2, N_("ε in group B"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True
    )
    epsilon_3: float = real(
        0.3, N_("ε in group C"), SPENT, low=EPSILON.low, high=EPSILON.high, log=True
    )
    groups: int = integer(
        10,
        N_("Groups"),
        N_("How many groups share the dearest budget, for the last chart."),
        low=2,
        high=_GROUPS,
        log=True,
    )

    @property
    def budgets(self) -> tuple[float, float, float]:
        """ε of each of the three answers."""
        return self.epsilon_1, self.epsilon_2, self.epsilon_3

    def totals(self) -> dict[str, float]:
        """ε of the three answers together: add or remove one; replace one, who may leave one group
        for another; the same people."""
        ranked = sorted(self.budgets)
        return {"add_remove": ranked[-1], "replace": ranked[-1] + ranked[-2], "same": sum(ranked)}

    def most_replaced(self) -> float:
        """The most that replacing one may cost, whatever the other groups spend: twice the largest
        ε."""
        return 2 * self.totals()["add_remove"]

    def group_errors(self) -> tuple[float, float]:
        """Standard deviations of each count, all of them together at the largest ε: where the
        groups share people and split it, and where they are apart and each has the whole."""
        kept = math.sqrt(2) / max(self.budgets)
        return kept * self.groups, kept

    def tell(self, telling: story.Telling) -> story.Tale:
        return story.Tale(
            (self._noise(telling.effort), self._costs(), self._growth(telling.effort)),
            self._facts(),
            self._sentences(),
            self._table(),
            ("cost", "same", "replace"),
        )

    def _noise(self, effort: Effort) -> Figure:
        curves = tuple(
            story.NoiseCurve(f"g{i}", INK, _group(i), LaplaceLaw(1 / epsilon), width=WEIGHTS[i])
            for i, epsilon in enumerate(self.budgets)
        )
        title, words = say("The noise in each group"), say("exact; nobody is in two groups")
        return story.noise_chart(title, words, say("error of a count"), curves, self.source, effort)

    def _costs(self) -> Figure:
        groups = (
            story.Bar(f"g{i}", INK, say("{name} {x}", name="ABC"[i], x=Num(epsilon, 4)), epsilon)
            for i, epsilon in enumerate(self.budgets)
        )
        totals = self.totals()
        words = {key: Num(total, 4) for key, total in totals.items()}
        together = (
            ("add_remove", "first", say("in all {x}", x=words["add_remove"])),
            ("replace", "third", say("replace one {x}", x=words["replace"])),
            ("same", "second", say("same people {x}", x=words["same"])),
        )
        return story.bars_chart(
            "costs",
            say("What all three cost"),
            say("a person pays only for the group that they are in"),
            Message("ε"),
            (*groups, *(story.Bar(key, ink, label, totals[key]) for key, ink, label in together)),
            self.source,
        )

    def _growth(self, effort: Effort) -> Figure:
        """Noise in one group as the groups grow in number, the whole budget kept."""
        epsilon, (here, one) = max(self.budgets), self.group_errors()
        k = np.geomspace(1, _GROUPS, effort.of_points(61))
        label = say(
            "{k} {k:group|groups}: ±{split} or ±{kept}",
            k=Num(self.groups),
            split=Num(here, 3),
            kept=Num(one, 3),
        )
        top = nice_above(1.5 * one * _GROUPS)
        return Figure(
            "growth",
            say("More groups"),
            Axis(say("groups"), log=True, range=(0.9, 1.2 * _GROUPS)),
            Axis(say("standard deviation of each count"), log=True, range=(one / 3, top)),
            (
                Line("split", "second", say("same people: ε split"), k, one * k),
                Line("parallel", "first", say("groups apart: ε whole"), k, np.full_like(k, one)),
                Handle("here", "second", label, float(self.groups), here, "story.groups"),
            ),
            say("all counts together at ε = {epsilon}", epsilon=Num(epsilon, 5)),
            source=self.source,
        )

    def _facts(self) -> tuple[Fact, ...]:
        totals = self.totals()
        told = (
            ("add_remove", say("Add or remove one"), say("the largest ε"), "good"),
            (
                "replace",
                say("Replace one"),
                say("the two largest: out of one group, into another"),
                "warn",
            ),
            ("same", say("Were it the same people"), say("the sum"), "bad"),
        )
        return tuple(
            Fact(key, label, say("ε = {x}", x=Num(totals[key], 5)), note, ink, totals[key])
            for key, label, note, ink in told
        )

    def _sentences(self) -> tuple[Sentence, ...]:
        totals = self.totals()
        values: dict[str, Any] = {
            "a": Num(self.epsilon_1, 5),
            "b": Num(self.epsilon_2, 5),
            "c": Num(self.epsilon_3, 5),
            "most": Num(totals["add_remove"], 5),
            "both": Num(totals["replace"], 5),
            "sum": Num(totals["same"], 5),
            "twice": Num(self.most_replaced(), 5),
        }
        cost = N_("As no one is in two groups, all three cost max({a}, {b}, {c}) = {most}.")
        same = N_("About the same people they would cost {sum}.")
        replace = N_(
            "Where one person may be replaced, they may leave one group and enter another: then it "
            "is {both}, and never more than {twice}."
        )
        apart = say(
            "The groups must share no one and be fixed without looking at the data; that they be "
            "independent is not needed."
        )
        return (
            Sentence("cost", Message(cost, values)),
            Sentence("same", Message(same, values)),
            Sentence("replace", Message(replace, values), "warn"),
            Sentence("apart", apart),
        )

    def _table(self) -> Table:
        sds = tuple(Num(story.deviation(LaplaceLaw(1 / epsilon)), 4) for epsilon in self.budgets)
        return story.shown_table(
            "groups",
            say("Who pays what"),
            (
                ("group", say("Answer"), tuple(_group(i) for i in range(3))),
                ("epsilon", say("ε of a person in it"), tuple(Num(e, 5) for e in self.budgets)),
                ("deviation", say("standard deviation"), sds),
            ),
        )


def _group(i: int) -> Message:
    return say("group {name}", name="ABC"[i])
