"""What Explore's charts and sentences share: the release, its laws, the draws, the solved ε."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.draws import REPLAYS, sorted_uniforms
from dpstudio.labs.hidden_noise import hidden_noise
from dpstudio.privacy.accounting import EXPLORED, WithDeltaPrime
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.law import Largest, Law
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import say
from dpstudio.values.params import switch, to_json
from dpstudio.values.problem import Problem
from dpstudio.values.roots import root

if TYPE_CHECKING:
    from dpstudio.labs.central.explore.parameters import Explore

# A law that tells of the answer costs milliseconds at each ε; about a hidden one its curve is made
# anew for every reading.
CURVE_POINTS, TELLING_POINTS, HIDDEN_POINTS = 72, 40, 20
FEW_DRAWS = 12_000  # for each point of a curve that has to be simulated


class ExploreModel:
    """One state of Explore on one table. Everything is worked out when it is first asked for."""

    def __init__(self, lab: Explore, data: Dataset, asked: MeasuredQuestion | None = None):
        self.lab, self.data = lab, data
        if (
            asked is not None
        ):  # what another scene has read: several readings of a hidden answer would tell more than one
            self.__dict__["asked"] = asked

    @cached_property
    def asked(self) -> MeasuredQuestion:
        """The exact answer; where it is hidden, what the reader of one simulated answer knows in
        its place.

        Everything below follows from this value, so that nothing exact can reach a picture by
        another way.
        """
        lab = self.lab
        exact = self.data.remember(
            ("asked", lab.query, lab.adjacency), lambda: lab.query.ask(self.data, lab.adjacency)
        )
        return (
            exact
            if lab.show_truth
            else Release(exact, lab.mechanism, lab.post_processing).as_read(self._unseen())
        )

    def _unseen(self) -> np.random.Generator:
        lab = self.lab
        return hidden_noise(
            self.data, lab.seed, 1, [to_json(lab.query), to_json(lab.mechanism), lab.adjacency]
        )

    @cached_property
    def release(self) -> Release:
        return Release(self.asked, self.lab.mechanism, self.lab.post_processing)

    @property
    def whose(self) -> tuple[Any, ...]:
        """Tells remembered curves of the exact answer from those of a simulated one, where laws
        depend on the answer."""
        return (
            (self.lab.post_processing, *(m.values.tobytes() for m in self.asked.measurements))
            if self.law_depends_on_answer
            else ()
        )

    @property
    def truth(self) -> Array:
        return self.asked.truth

    @cached_property
    def part(self) -> int:
        """The coordinate that is looked at closely."""
        if self.lab.part < 0:
            # The largest of noisy counts is chosen by its noise, and no interval about it would be
            # honest: then the first.
            return int(np.argmax(self.truth)) if self.lab.show_truth else 0
        return min(self.lab.part, len(self.truth) - 1)

    @property
    def reference(self) -> float:
        """What errors are relative to: the exact answer, or, where that is hidden, the simulated
        one."""
        return float(self.truth[self.part])

    @property
    def law_depends_on_answer(self) -> bool:
        """Whether the error law itself depends on the exact answer, as that of a ratio does."""
        return self.release.law_depends_on_answer

    @property
    def how(self) -> str:
        """How the law that is drawn is known: "exact", "quadrature" or "simulation"."""
        return "simulation" if self.all_parts and self.law_depends_on_answer else self.release.how

    @property
    def all_parts(self) -> bool:
        """Whether errors are those of the worst part of a histogram."""
        return self.lab.largest and self.asked.vector

    @property
    def whole(self) -> bool:
        return self.part_law.discrete

    @cached_property
    def part_law(self) -> Law:
        """The error law of the coordinate that is looked at."""
        return self.release.law_at(self.part)

    def judged(self, release: Release) -> Law | Largest:
        """The law whose error is summed up: of one coordinate, or of the largest over all."""
        return release.largest() if self.all_parts else release.law_at(self.part)

    @cached_property
    def law(self) -> Law | Largest:
        return self.release.largest() if self.all_parts else self.part_law

    def error(self, law: Law | Largest, measure: str | None = None) -> float:
        """The error of a law in the units of the answer, by the lab's measure."""
        measure = measure or self.lab.measure
        if measure == "mean_abs":
            return law.mean_abs
        if measure == "rmse":
            return math.sqrt(law.variance)
        return law.half_width(self.lab.confidence)

    @cached_property
    def half_width(self) -> float:
        return self.error(self.law, "half_width")

    @cached_property
    def widths(self) -> Array:
        """The whisker of each coordinate: its own half-width, or one that holds for all at once."""
        if self.all_parts:
            return np.full(len(self.truth), self.half_width)
        return self.release.half_widths(self.lab.confidence)

    @cached_property
    def reach(self) -> float:
        """Half the width of the error axis: a rung that holds 99 % of the errors."""
        return nice_above(1.1 * max(self.part_law.half_width(0.99), 3.0 if self.whole else 1e-9))

    @cached_property
    def uniforms(self) -> Array:
        key = ("uniforms", self.lab.seed, self.lab.trials)
        return self.data.remember(key, lambda: sorted_uniforms(self.lab.seed, self.lab.trials))

    @cached_property
    def replays(self) -> Array:
        """Simulated answers, shape (240, coordinates); a single one where the exact answer is
        hidden (their mean would show it)."""
        if not self.lab.show_truth:
            return array(self.truth[None, :])
        return array(
            self.release.simulate(np.random.Generator(np.random.SFC64([self.lab.seed, 1])), REPLAYS)
        )

    @cached_property
    def compare_with(self) -> Release | None:
        """The same question through the mechanism to compare with, at the same ε."""
        kinds = [
            m
            for m in MECHANISMS
            if m.key == self.lab.compare_with and m is not type(self.lab.mechanism)
        ]
        if not kinds or (kinds[0].integers and not all(m.whole for m in self.asked.measurements)):
            return None
        return Release(self.asked, switch(kinds[0], self.lab.mechanism), self.lab.post_processing)

    def curve(self, mechanism: Additive) -> tuple[Array, Array]:
        """(ε, error) over the slider's range; it does not depend on the current ε, so it is
        remembered."""
        at_one = mechanism.at(1.0, mechanism.total_delta)
        lab = self.lab
        key = (
            "curve",
            self.whose,
            lab.query,
            lab.adjacency,
            at_one,
            lab.measure,
            lab.confidence,
            lab.largest,
            self.part,
        )

        def points() -> Array:
            points = (
                CURVE_POINTS
                if not self.law_depends_on_answer
                else TELLING_POINTS
                if lab.show_truth
                else HIDDEN_POINTS
            )
            epsilons = np.geomspace(EPSILON.low, EPSILON.high, points)
            return array(
                np.stack([epsilons, [self.error_at(mechanism, float(e)) for e in epsilons]])
            )

        both = self.data.remember(key, points)
        return both[0], both[1]

    def error_at(self, mechanism: Additive, epsilon: float, measure: str | None = None) -> float:
        release = Release(
            self.asked,
            mechanism.at(epsilon, mechanism.total_delta),
            self.lab.post_processing,
            FEW_DRAWS,
        )
        return self.error(self.judged(release), measure)

    @cached_property
    def target(self) -> float | None:
        """The target half-width in units of the answer; None where a share of 0 is asked for."""
        if self.lab.target_unit == "absolute":
            return self.lab.target
        return self.lab.target / 100 * abs(self.reference) or None

    @cached_property
    def epsilon_needed(self) -> float | None:
        """The least ε whose half-width at the confidence is within the target; inf where even ε =
        10,000 is not enough."""
        target = self.target
        if target is None:
            return None
        lab, mechanism = self.lab, self.lab.mechanism
        key = (
            "needed",
            self.whose,
            lab.query,
            lab.adjacency,
            mechanism.at(1.0, mechanism.total_delta),
            lab.confidence,
            lab.largest,
            self.part,
            target,
        )
        return self.data.remember(key, lambda: self._solve_epsilon(target))

    def _solve_epsilon(self, target: float) -> float:
        def gap(log_epsilon: float) -> float:
            width = self.error_at(self.lab.mechanism, math.exp(log_epsilon), "half_width")
            return math.log(max(width, 1e-300) / target)

        low, high = math.log(1e-6), math.log(1e4)
        if gap(low) <= 0:
            return math.exp(low)
        if gap(high) > 0:
            return math.inf
        if not any(law.discrete for law in self.release.laws):
            return math.exp(root(gap, low, high, 1e-9))
        for _ in range(
            50
        ):  # integer noise: the half-width is a step function, met from its jump on
            middle = (low + high) / 2
            low, high = (middle, high) if gap(middle) > 0 else (low, middle)
        return math.exp(high)

    @cached_property
    def accountants(self) -> tuple[WithDeltaPrime, ...]:
        guarantee = self.release.guarantee
        kinds = [kind(delta_prime=self.lab.delta_prime) for kind in EXPLORED]
        return tuple(a for a in kinds if a.undrawn(guarantee.epsilon, guarantee.delta) is None)

    def costs(self, k: int) -> dict[str, float]:
        """Total ε of k such answers by each bound that applies."""
        g = self.release.guarantee
        return {
            a.key: float(a.total(np.array([float(k)]), g.epsilon, g.delta)[0])
            for a in self.accountants
        }

    @cached_property
    def best(self) -> tuple[WithDeltaPrime, float]:
        """The bound to quote at the chosen k, and its total ε: the tightest, or plain addition
        where that is as good."""
        costs = self.costs(self.lab.answers)
        key = min(costs, key=lambda name: costs[name])
        # A gain that no one can see is not worth a δ: then plain addition is the answer.
        if self.lab.answers == 1 or costs["sequential"] <= costs[key] * 1.0005:
            key = "sequential"
        return next(a for a in self.accountants if a.key == key), costs[key]

    def advice(self) -> tuple[Problem, ...]:
        """What qualifies the picture without stopping it."""
        notes = [Problem("query.attested", note, stops=False) for note in self.asked.notes]
        guarantee = self.release.guarantee
        if guarantee.note.text and (not guarantee.sound or guarantee.true_delta is None):
            notes.append(Problem("mechanism", guarantee.note, stops=False))
        delta = guarantee.delta
        if self.lab.show_truth and delta * self.data.rows > 1:
            notes.append(
                Problem(
                    "mechanism.delta",
                    say("δ is above 1/n: publishing one random row in full would meet it."),
                    stops=False,
                )
            )
        return tuple(notes)
