"""What the charts and sentences of Selection share: candidates, scores, probabilities, curves,
draws."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.draws import REPLAYS, sorted_uniforms
from dpstudio.labs.hidden_noise import hidden_noise
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.choosing import GUMBEL, SELECTIONS, NoisyMax
from dpstudio.privacy.mechanisms.selection import Scores, least_within, worst_loss, worst_tail
from dpstudio.privacy.queries.choosing import Candidates
from dpstudio.values.params import switch, to_json
from dpstudio.values.problem import Problem

if TYPE_CHECKING:
    from dpstudio.labs.central.selection.parameters import Selection
    from dpstudio.privacy.mechanisms.selection import Selection as Mechanism

# Laplace noise takes an integral: beyond so many candidates its curve comes a moment later.
_QUICK = 30
_MANY = 150


class Curve:
    """Expected loss of one mechanism at a ladder of ε, worked out point by point, so that it can be
    broken off and resumed.

    Each point has its place and only one value, so threads that work on it at once do no harm.
    """

    def __init__(self, mechanism: Mechanism, scores: Scores):
        self.mechanism, self.scores = mechanism, scores
        self.epsilons = np.geomspace(
            EPSILON.low, EPSILON.high, 48 if len(scores.values) <= _MANY else 20
        )
        self.losses = np.full(len(self.epsilons), np.nan)

    @property
    def done(self) -> bool:
        return not np.isnan(self.losses).any()

    def work(self, cancelled: Cancelled = never) -> Curve:
        for at in np.flatnonzero(np.isnan(self.losses)):
            if cancelled():
                break
            self.losses[at] = self.mechanism.at(float(self.epsilons[at])).expected_loss(self.scores)
        return self


class SelectionModel:
    """One state of the lab on one table. Everything is worked out when it is first asked for."""

    def __init__(self, lab: Selection, data: Dataset):
        self.lab, self.data = lab, data

    @cached_property
    def asked(self) -> Candidates:
        lab = self.lab
        return self.data.remember(
            ("choosing", lab.query, lab.adjacency), lambda: lab.query.ask(self.data, lab.adjacency)
        )

    @cached_property
    def scores(self) -> Scores:
        """The scores as the mechanism sees them: monotone only where that is to be used."""
        scores = self.asked.scores
        return (
            scores if self.lab.monotone or not scores.monotone else replace(scores, monotone=False)
        )

    @property
    def count(self) -> int:
        return len(self.asked.labels)

    @property
    def hidden(self) -> bool:
        """Whether nothing that follows from the exact scores may appear."""
        return not self.lab.show_truth and not self.asked.typed

    @property
    def exact(self) -> bool:
        """Whether what is drawn holds exact answers from a table."""
        return not self.asked.typed

    @cached_property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """All mechanisms at the same ε, in the order of the catalogue; the chosen one with its own
        variant."""
        chosen = self.lab.mechanism
        return tuple(
            chosen if kind is type(chosen) else switch(kind, chosen) for kind in SELECTIONS
        )

    @property
    def others(self) -> tuple[Mechanism, ...]:
        return tuple(m for m in self.mechanisms if m is not self.lab.mechanism)

    @property
    def _whose(self) -> tuple[object, ...]:
        return ("selection", self.lab.query, self.lab.adjacency, self.lab.monotone)

    @cached_property
    def chances(self) -> dict[str, Array]:
        """P(i) of each mechanism at its ε, by key."""
        return {m.key: m.pmf(self.scores) for m in self.mechanisms}

    @cached_property
    def losses(self) -> dict[str, float]:
        """Expected loss of each mechanism, in units of the score."""
        return {key: float(chances @ self.scores.loss) for key, chances in self.chances.items()}

    @cached_property
    def is_best(self) -> np.ndarray:
        return np.asarray(self.scores.loss == 0)

    def missed(self, key: str) -> float:
        """P(the winner is not a best candidate), summed over those so that small values keep their
        digits."""
        return float(self.chances[key][~self.is_best].sum())

    def error(self, mechanism: Mechanism) -> float:
        """What the confidence keeps: the error that this share of winners is within."""
        return least_within(self.asked.errors, self.chances[mechanism.key], self.lab.confidence)

    def table(self, epsilon: float) -> Array:
        """ln P(i) of the chosen mechanism at another ε; remembered."""
        mechanism = self.lab.mechanism.at(epsilon)
        return self.data.remember(
            ("pmf", *self._whose, mechanism), lambda: array(mechanism.log_pmf(self.scores))
        )

    def curve(self, mechanism: Mechanism) -> Curve:
        """Expected loss against ε; it does not depend on the current ε, so it is remembered."""
        at_one = mechanism.at(1.0)
        held = self.data.remember(
            ("curve", *self._whose, at_one), lambda: Curve(at_one, self.scores)
        )
        return held if self._slow(mechanism) else held.work()

    def _slow(self, mechanism: Mechanism) -> bool:
        return isinstance(mechanism, NoisyMax) and mechanism.noise != GUMBEL and self.count > _QUICK

    @property
    def late(self) -> bool:
        """Whether a curve is still to be worked out."""
        return any(not self.curve(m).done for m in self.mechanisms)

    def work(self, cancelled: Cancelled) -> None:
        for mechanism in self.mechanisms:
            self.curve(mechanism).work(cancelled)

    @cached_property
    def epsilon_needed(self) -> float | None:
        """The least ε at which a best candidate wins with the confidence; None where all are as
        good. Six digits."""
        if bool(self.is_best.all()):
            return None
        at_one = self.lab.mechanism.at(1.0)
        key = ("needed", *self._whose, at_one, self.lab.confidence)
        return self.data.remember(key, lambda: self._solve(at_one))

    def _solve(self, mechanism: Mechanism) -> float:
        def misses(log_epsilon: float) -> bool:
            chances = mechanism.at(math.exp(log_epsilon)).pmf(self.scores)
            return float(chances[~self.is_best].sum()) > 1 - self.lab.confidence

        low, high = math.log(1e-9), math.log(1e-9)
        if not misses(low):
            return math.exp(low)
        while misses(high):
            low, high = high, high + math.log(16)
        for _ in range(22):
            middle = (low + high) / 2
            low, high = (middle, high) if misses(middle) else (low, middle)
        return math.exp(high)

    def promised(self, mechanism: Mechanism) -> float:
        """The loss that the confidence keeps whatever the scores are: it falls as 1/ε."""
        count, scores = self.count, self.scores
        at_one = mechanism.at(1.0)
        key = ("promised", at_one, count, scores.sensitivity, scores.monotone, self.lab.confidence)
        return (
            self.data.remember(key, lambda: worst_loss(at_one, scores, self.lab.confidence))
            / mechanism.epsilon
        )

    def tail(self, mechanism: Mechanism) -> Array:
        """(gap, P(loss·rate ≥ gap)) in the worst case over all scores, shape (2, 60)."""

        def points() -> Array:
            gaps = np.linspace(1e-9, 12.0 + math.log(self.count), 60)
            return array(
                np.stack(
                    [
                        gaps,
                        [math.exp(worst_tail(mechanism, self.count, float(gap))) for gap in gaps],
                    ]
                )
            )

        return self.data.remember(("tail", mechanism.at(1.0), self.count), points)

    @cached_property
    def replays(self) -> Array:
        """Indices of 240 winners of the algorithm as it is written, shape (240, 1)."""
        rng = np.random.Generator(np.random.SFC64([self.lab.seed, 1]))
        return array(self.lab.mechanism.simulate(rng, self.scores, REPLAYS)[:, None])

    @cached_property
    def unseen_winner(self) -> Array:
        """The one winner that a reader is given, shape (1, 1): other noise for every question and
        budget."""
        lab = self.lab
        rng = hidden_noise(
            self.data,
            lab.seed,
            1,
            [to_json(lab.query), to_json(lab.mechanism), lab.adjacency, lab.monotone],
        )
        return array(lab.mechanism.simulate(rng, self.scores, 1)[:, None])

    @cached_property
    def frequencies(self) -> Array:
        """The share of `trials` simulated winners that each candidate has, shape (n,); by inversion
        of sorted uniforms."""
        lab = self.lab
        uniforms = self.data.remember(
            ("uniforms", lab.seed, lab.trials), lambda: sorted_uniforms(lab.seed, lab.trials)
        )
        steps = np.cumsum(self.chances[lab.mechanism.key])
        found = np.searchsorted(uniforms, steps / steps[-1])
        found[-1] = lab.trials
        return np.asarray(np.diff(found, prepend=0) / lab.trials)

    @cached_property
    def place(self) -> Array:
        """Where each candidate stands on the axis: at its number, else by falling score. Shape
        (n,)."""
        if self.asked.values is not None:
            return self.asked.values
        place = np.empty(self.count)
        place[np.argsort(-self.scores.values, kind="stable")] = np.arange(self.count)
        return place

    @cached_property
    def reach(self) -> tuple[float, float]:
        """The part of the axis that is seen: all candidates, or where distance counts what is near
        the best."""
        if self.asked.values is None:
            return -0.6, self.count - 0.4
        low, high = float(self.place[0]), float(self.place[-1])
        step = self.step
        if self.asked.metric:
            centre = float(self.place[self.asked.best])
            wide = nice_above(1.2 * max(self.far, 6 * step))
            low, high = max(low, centre - wide), min(high, centre + wide)
        return low - 0.6 * step, high + 0.6 * step

    @cached_property
    def step(self) -> float:
        """The least distance of two candidates on the axis."""
        return float(np.diff(np.sort(self.place)).min()) if self.count > 1 else 1.0

    @cached_property
    def far(self) -> float:
        """The largest error that 99 % of the winners of any mechanism keep."""
        return max(
            least_within(self.asked.errors, chances, 0.99) for chances in self.chances.values()
        )

    def advice(self) -> tuple[Problem, ...]:
        """What qualifies the picture without stopping it."""
        asked = self.asked
        return tuple(
            Problem("query.attested", note, stops=False)
            for note in (asked.openness if self.hidden else asked.notes)
        )
