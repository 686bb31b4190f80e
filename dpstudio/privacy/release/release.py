"""What would be published: measurements, each with its share of the budget, and a pure function of
their noisy answers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.mechanisms.additive import Additive, Guarantee
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.privacy.mechanisms.law import Largest, Law
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.privacy.release.postprocessed_law import (
    BOTH,
    CLAMP,
    NONE,
    ROUND,
    Sampled,
    processed,
    worked,
)
from dpstudio.privacy.release.ratio_law import ratio_law

DRAWS = 60_000


@dataclass(frozen=True, eq=False)
class Release:
    """One question answered through one mechanism. `asked` holds the exact answer; `mechanism` the
    whole budget; `after` says how the noisy answer is worked on before it is published
    (processed.AFTER). `draws` is how many simulated answers stand for a law that has no formula."""

    asked: MeasuredQuestion
    mechanism: Additive
    post_processing: str = NONE
    draws: int = DRAWS

    @property
    def how(self) -> str:
        """How the error law is known: "exact" for one measurement, "quadrature" for a ratio of two,
        else "simulation"."""
        return "exact" if self.asked.linear else "quadrature" if self.asked.ratio else "simulation"

    @property
    def law_depends_on_answer(self) -> bool:
        """Whether the error law itself depends on the exact answer."""
        return not self.asked.linear or self.post_processing != NONE

    @property
    def whole(self) -> bool:
        """Whether the exact answer is made of integers."""
        return self.asked.linear and self.asked.measurements[0].whole

    @cached_property
    def laws(self) -> tuple[Law, ...]:
        """The noise law of one coordinate of each measurement."""
        return tuple(
            self.mechanism.share(m.part).law(m.sensitivity) for m in self.asked.measurements
        )

    @property
    def law(self) -> Law:
        """The law of the error of the first coordinate of the published answer."""
        return self.law_at(0)

    def law_at(self, part: int) -> Law:
        """The law of the error of coordinate `part` of the published answer."""
        if self.asked.formula is not None:
            return Sampled(array(np.sort(self._errors[:, part])))
        truth = float(self.asked.truth[part])
        law = self._before(part)
        return (
            processed(law, truth, self.post_processing, self.whole)
            if self.post_processing != NONE
            else law
        )

    def _before(self, part: int) -> Law:
        if not self.asked.ratio:
            return self.laws[0]
        low, high = (bound - self.asked.offset for bound in self.asked.ratio)
        total, count = (float(m.values[part]) for m in self.asked.measurements)
        return ratio_law(
            total,
            count,
            self.laws[0],
            self.laws[1],
            low,
            high,
            float(self.asked.truth[part]) - self.asked.offset,
        )

    def half_widths(self, confidence: float) -> Array:
        """For each coordinate the half-width that holds `confidence` of its errors; simulated where
        the coordinates differ."""
        count = len(self.asked.truth)
        if not self.law_depends_on_answer or count == 1:
            return np.full(count, self.law_at(0).half_width(confidence))
        place = math.ceil(confidence * len(self._errors)) - 1
        return np.asarray(np.sort(np.abs(self._errors), axis=0)[place])

    def largest(self) -> Law | Largest:
        """The law of the largest |error| over all coordinates of one published answer."""
        if not self.law_depends_on_answer:
            return Largest(self.laws[0], len(self.asked.truth))
        return Sampled(array(np.sort(np.max(np.abs(self._errors), axis=1))))

    @cached_property
    def _errors(self) -> Array:
        """Simulated errors, shape (draws, coordinates): always the same noise, so that a curve of
        them is smooth."""
        wide = sum(len(m.values) for m in self.asked.measurements)
        rng = np.random.Generator(np.random.SFC64(20261121))
        return (
            self.simulate(
                rng, self.draws if wide <= 3 else max(2_000, 5 * self.draws // (2 * wide))
            )
            - self.asked.truth
        )

    @cached_property
    def guarantee(self) -> Guarantee:
        """The budgets of the measurements added up (sequential composition); flags of any part are
        kept."""
        parts = [
            self.mechanism.share(m.part).guarantee(m.sensitivity) for m in self.asked.measurements
        ]
        if len(parts) == 1:
            return parts[0]
        whole = Guarantee(
            sum(p.epsilon for p in parts),
            sum(p.delta for p in parts),
            all(p.proven for p in parts),
            self._joint_delta(parts),
        )
        note = self.mechanism.remark_on_all(whole, parts)
        return replace(
            whole, note=note if note.text else next((p.note for p in parts if p.note.text), note)
        )

    def _joint_delta(self, parts: list[Guarantee]) -> float | None:
        """δ at the summed ε for the worst that one person can do to all measurements at once. None
        where no part states its own.

        Gaussian losses add up to one Gaussian loss (a bound where a move is not reached); else the
        sum of the parts, a bound.
        """
        known = [p.true_delta for p in parts if p.true_delta is not None]
        if len(known) < len(parts):
            return None
        laws = [law for law in self.laws if isinstance(law, GaussianLaw)]
        if len(laws) < len(parts) or not self.asked.moves:
            return sum(known)
        epsilon = sum(p.epsilon for p in parts)
        shifts = [
            math.hypot(
                *(math.hypot(*move.sizes(place)) / law.sigma for place, law in enumerate(laws))
            )
            for move in self.asked.moves
        ]
        return max(GaussianLaw(1.0).delta(epsilon, shift) for shift in shifts)

    def simulate(self, rng: np.random.Generator, answers: int) -> Array:
        """Simulated published answers, shape (answers, coordinates). For looking: numpy noise is
        not for releases."""
        return self.publish(self.measure(rng, answers))

    def measure(self, rng: np.random.Generator, answers: int) -> list[Array]:
        """The noisy measurements themselves, each of shape (answers, coordinates)."""
        out = []
        for m in self.asked.measurements:
            out.append(
                m.values
                + self.mechanism.share(m.part).noise(rng, m.sensitivity, answers, len(m.values))
            )
        return out

    def publish(self, noisy: list[Array]) -> Array:
        """The pure function of the noisy measurements that is the answer."""
        if self.asked.formula is not None:
            return worked(self.asked.formula(noisy), self._after)
        if not self.asked.ratio:
            return worked(noisy[0], self._after)
        low, high = self.asked.ratio
        return worked(
            np.clip(noisy[0] / np.maximum(noisy[1], 1.0) + self.asked.offset, low, high),
            self._after,
        )

    @property
    def _after(self) -> str:
        if self.whole:
            return self.post_processing
        return {ROUND: NONE, BOTH: CLAMP}.get(self.post_processing, self.post_processing)

    def as_read(self, rng: np.random.Generator) -> MeasuredQuestion:
        """What a reader of one simulated answer knows: the question with the noisy measurements in
        the place of the exact ones."""
        noisy = self.measure(rng, 1)
        parts = tuple(
            replace(m, values=array(n[0]))
            for m, n in zip(self.asked.measurements, noisy, strict=True)
        )
        if self.asked.linear:  # what is published is all that is known of the one measurement
            parts = (replace(parts[0], values=array(self.publish(noisy)[0])),)
        return replace(
            self.asked,
            truth=array(self.publish(noisy)[0]),
            measurements=parts,
            notes=self.asked.openness,
        )
