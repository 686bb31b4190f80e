"""The errors by the law of the published answer itself, where a formula of first order does not
hold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.central.clipping.errors import Parts, error_parts
from dpstudio.labs.central.clipping.sweep import Sweep
from dpstudio.labs.context import Cancelled, never
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.queries.count import ONE
from dpstudio.privacy.queries.persons import grown, times
from dpstudio.privacy.queries.query import MeasuredQuestion, Measurement, Move
from dpstudio.privacy.queries.total import sum_moves, sum_sensitivity
from dpstudio.privacy.queries.variance import spread_moves
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.central.clipping.parameters import Clipping

# First order is taken as right where it is so to this share; draws are not expected to tell more
# than a few of their errors.
CLOSE, DRAWN = 0.01, 6.0


class Stop(Exception):
    """The run was cancelled in the middle of the work."""


class Exact(Sweep):
    """A sweep that also knows the law of the published answer."""

    def __init__(self, lab: Clipping, data: Dataset, cancelled: Cancelled = never):
        super().__init__(lab, data)
        self.cancelled = cancelled

    def _key(self, mechanism: Additive) -> tuple[Any, ...]:
        return (
            "clipping",
            self.question,
            self.lab.column,
            self.lab.where,
            self.lab.sampling,
            mechanism,
        )

    @property
    def _draws(self) -> tuple[int, ...]:
        return (self.lab.seed, self.lab.trials) if self.lab.statistic == "variance" else ()

    # The question as Explore asks it.

    def asked(self, low: float, high: float) -> MeasuredQuestion:
        """The question at these bounds as Explore would ask it, from the ordered column alone."""
        clips, question = self.rows.clip([low], [high]), self.question
        truth = array(question.answer(clips))
        middle = float(question.middle(low, high))
        total = array(clips.total - middle * clips.rows)
        whole = self.lab.mechanism.integers
        sensitivities = self.sensitivities(low, high)
        values = {"sum": total, "mean": truth, "variance": truth, "count": array([clips.rows])}
        squares = clips.rows * (clips.variance + (clips.mean - middle) ** 2)
        values["squares"] = array(np.round(squares) if whole else squares)
        parts = tuple(
            Measurement(name, values[name], s, whole, share) for name, s, share in sensitivities
        )
        ratio = (low, high) if self.lab.statistic == "mean" and not question.direct else None
        return MeasuredQuestion(
            truth, (), self.unit, parts, ratio, middle, moves=self._moves(low, high)
        )

    def _moves(self, low: float, high: float) -> tuple[Move, ...]:
        """What one person can do to all measurements at once, where they are several."""
        middle = float(self.question.middle(low, high))
        low, high = low - middle, high - middle
        if self.question.direct:
            return ()
        adjacency = self.lab.adjacency
        moves = (
            sum_moves(low, high, adjacency)
            if self.lab.statistic == "mean"
            else spread_moves(max(-low, high), adjacency)
        )
        return tuple(times(move, self.question.most) for move in moves)

    def sensitivities(self, low: float, high: float) -> list[tuple[str, Sensitivity, float]]:
        middle = float(self.question.middle(low, high))
        a, b = low - middle, high - middle
        made = []
        for name, reach, share in self.question.measure_rows(low, high):
            size = float(reach)
            why = Say("")
            if name == "sum":
                why = sum_sensitivity(a, b, self.lab.adjacency).why
            elif name == "mean":
                why = say(
                    "One person replaced changes this by at most {delta}, which is (U − L)/n.",
                    delta=Num(size, 4, "up"),
                )
            elif name == "variance":
                text = N_(
                    "One person replaced changes this by at most {delta}, which is (n − 1)/n² · (U "
                    "− L)²."
                )
                why = say(text, delta=Num(size, 4, "up"))
            elif name == "squares":
                why = say(
                    "One person changes the sum of squares by at most {delta}.",
                    delta=Num(size, 4, "up"),
                )
            one = ONE if name == "count" else Sensitivity(size, size, size, why)
            made.append((name, grown(one, (), self.question.most), share))
        return made

    # Its law.

    def law_parts(self, low: Array, high: Array, mechanism: Additive | None = None) -> Parts:
        """As `error_parts`, but noise and bias are those of the published answer: by quadrature for
        a mean, by `trials` draws for a variance, remembered. The bias then is also that of a noisy
        divisor and of clamping. Raises Stop.

        One measurement's noise is exact as it is.
        """
        mechanism = mechanism or self.lab.mechanism
        first = error_parts(self.question, self.rows, mechanism, low, high, self.lab.sampling)
        if self.question.direct:
            return first

        def moments() -> Array:
            made = []
            for a, b in zip(low, high, strict=True):
                if self.cancelled():
                    raise Stop
                made.append(self._moments(float(a), float(b), mechanism))
            return array(np.array(made).reshape(-1, 2).T)

        drift, noise = self.data.remember(self._law_key(low, high, mechanism), moments)
        return Parts(first.clips, first.bias + drift, noise, first.sampling).within(
            self.furthest(low, high)
        )

    def _law_key(self, low: Array, high: Array, mechanism: Additive) -> tuple[Any, ...]:
        return (*self._key(mechanism), low.tobytes(), high.tobytes(), self._draws, "law")

    def furthest(self, low: Array, high: Array) -> Array:
        """How far a published answer, which is clamped, can lie from the unclipped statistic at
        most."""
        if self.lab.statistic == "variance":
            low, high = np.zeros_like(low), (high - low) ** 2 / 4
        return np.maximum(np.abs(low - self.truth), np.abs(high - self.truth))

    def _moments(self, low: float, high: float, mechanism: Additive) -> tuple[float, float]:
        """Mean and standard deviation of the published answer about the clipped statistic."""
        release = Release(self.asked(low, high), mechanism)
        if release.asked.ratio:
            law = release.law
            mean = law.mean
            return mean, math.sqrt(max(law.variance - mean**2, 0.0))
        published = self._drawn(release, low, high)
        return float(published.mean()) - float(release.asked.truth[0]), float(published.std())

    def _drawn(self, release: Release, low: float, high: float) -> Array:
        """Simulated variances: the same noise at every bound, so that their curve is smooth."""
        rng = np.random.Generator(np.random.SFC64([self.lab.seed, 2]))
        total, squares, count = (noisy[:, 0] for noisy in release.measure(rng, self.lab.trials))
        count = np.maximum(count, 1.0)
        return np.asarray(np.clip(squares / count - (total / count) ** 2, 0, (high - low) ** 2 / 4))

    def differ(self, first: Parts, law: Parts) -> bool:
        """Whether the errors of first order are off anywhere, by more than the draws could be."""
        close = (
            max(CLOSE, DRAWN / math.sqrt(self.lab.trials))
            if self.lab.statistic == "variance"
            else CLOSE
        )
        return bool(
            np.any(np.abs(first.total - law.total) > close * np.maximum(first.total, law.total))
        )
