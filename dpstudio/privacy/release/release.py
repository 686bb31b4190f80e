"""What would be published: measurements, each with its share of the budget, and a pure function of
their noisy answers."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.mechanisms.additive import Additive, Guarantee
from dpstudio.privacy.mechanisms.law import Largest, Law
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.privacy.release import postprocessed_law
from dpstudio.privacy.release.largest_law import largest_law
from dpstudio.privacy.release.ratio_law import ratio_law
from dpstudio.privacy.release.sharing import Shared, shared
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.values.messages import N_, say

DRAWS = 60_000
# The grid of what leaves the program: 2^−FINE of the noise.
FINE = 30
# By how much wider, in parts of it, noise may become that pays for the arithmetic of doubles.
_MOST_SLIP = 2.0**-8
_TOO_FINE = N_(
    "The rows are so many, or so few, that the arithmetic of doubles could tell persons apart. "
    "Take n as not public."
)


@dataclass(frozen=True, eq=False)
class Release:
    """One question answered through one mechanism. `asked` holds the exact answer; `mechanism` the
    whole budget; `after` says how the noisy answer is worked on before it is published
    (processed.AFTER). `draws` is how many simulated answers stand for a law that has no formula."""

    asked: MeasuredQuestion
    mechanism: Additive
    post_processing: str = postprocessed_law.NONE
    draws: int = DRAWS

    @property
    def how(self) -> str:
        """How the error law is known: "exact" for one measurement, "quadrature" for a ratio of two,
        else "simulation"."""
        return "exact" if self.asked.linear else "quadrature" if self.asked.ratio else "simulation"

    @property
    def law_depends_on_answer(self) -> bool:
        """Whether the error law itself depends on the exact answer."""
        return not self.asked.linear or self.post_processing != postprocessed_law.NONE

    @property
    def whole(self) -> bool:
        """Whether the exact answer is made of integers."""
        return self.asked.linear and self.asked.measurements[0].whole

    @cached_property
    def shared(self) -> Shared:
        """How the measurements share the budget."""
        return shared(self.mechanism, self.asked.measurements, self.asked.moves)

    @cached_property
    def laws(self) -> tuple[Law, ...]:
        """The noise law of one coordinate of each measurement."""
        return self.shared.laws

    @property
    def law(self) -> Law:
        """The law of the error of the first coordinate of the published answer."""
        return self.law_at(0)

    def law_at(self, part: int) -> Law:
        """The law of the error of coordinate `part` of the published answer."""
        if self.asked.formula is not None:
            return postprocessed_law.Sampled(array(np.sort(self._errors[:, part])))
        truth = float(self.asked.truth[part])
        law = self._before(part)
        return (
            postprocessed_law.processed(law, truth, self.post_processing, self.whole)
            if self.post_processing != postprocessed_law.NONE
            else law
        )

    def moved(self, part: int) -> float:
        """By how much the work afterwards moves coordinate `part` on average: over the same draws
        where its law is simulated."""
        if self.asked.formula is not None:
            before = replace(self, post_processing=postprocessed_law.NONE)
            return float(np.mean(self._errors[:, part] - before._errors[:, part]))
        law = self.law_at(part)
        return law.lift if isinstance(law, postprocessed_law.Processed) else 0.0

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
            self.asked.step,
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
        """The law of the largest |error| over all coordinates of one published answer: exact for
        one measurement, else simulated."""
        if self.asked.linear:
            return largest_law(self.laws[0], self.asked.truth, self.post_processing, self.whole)
        return postprocessed_law.Sampled(array(np.sort(np.max(np.abs(self._errors), axis=1))))

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
        """What is promised for the whole answer: for all measurements together (`Shared`)."""
        return self.shared.guarantee()

    def simulate(self, rng: np.random.Generator, answers: int) -> Array:
        """Simulated published answers, shape (answers, coordinates). For looking: numpy noise is
        not for releases."""
        return self.publish(self.measure(rng, answers))

    def measure(self, rng: np.random.Generator, answers: int) -> list[Array]:
        """The noisy measurements themselves, each of shape (answers, coordinates)."""
        return [
            m.values + mechanism.noise(rng, sensitivity, answers, len(m.values))
            for m, (mechanism, sensitivity) in zip(
                self.asked.measurements, self.shared.noises, strict=True
            )
        ]

    def publish(self, noisy: list[Array]) -> Array:
        """The pure function of the noisy measurements that is the answer."""
        if self.asked.formula is not None:
            return postprocessed_law.worked(self.asked.formula(noisy), self._after)
        if not self.asked.ratio:
            return postprocessed_law.worked(noisy[0], self._after)
        low, high = self.asked.ratio
        return postprocessed_law.worked(
            np.clip(
                self.asked.step * noisy[0] / np.maximum(noisy[1], 1.0) + self.asked.offset,
                low,
                high,
            ),
            self._after,
        )

    @property
    def _after(self) -> str:
        if self.whole:
            return self.post_processing
        return {
            postprocessed_law.ROUND: postprocessed_law.NONE,
            postprocessed_law.BOTH: postprocessed_law.CLAMP,
        }.get(self.post_processing, self.post_processing)

    @cached_property
    def grids(self) -> tuple[Fraction, ...]:
        """The step of the grid on which each measurement leaves the program: 1 for integer noise,
        else a power of two, 2^−30 of the noise or of Δ∞, whichever is less. All of it is public."""
        return tuple(
            Fraction(1)
            if law.discrete
            else Fraction(2) ** (math.frexp(min(law.mean_abs, m.sensitivity.linf))[1] - 1 - FINE)
            for law, m in zip(self.laws, self.asked.measurements, strict=True)
        )

    def leave(self, chance: ReleaseRandom) -> list[list[int]]:
        """The noisy measurements as they may leave the program: drawn exactly, in steps of `grids`.

        An answer off the grid is put on it first, which moves neighbours by one more step in each
        coordinate, and doubles by a `slip`: noise that is as much wider pays for both, so that the
        promise holds as it is said of sums that are exact (`data.exact_sums`). Raises
        NotDrawnError.
        """
        out = []
        for law, m, step in zip(self.laws, self.asked.measurements, self.grids, strict=True):
            if m.slip > _MOST_SLIP:
                raise NotDrawnError(say(_TOO_FINE))
            wider = 1 + Fraction(m.sensitivity.l0 + 1, 1 << FINE) + Fraction(m.slip)
            if law.discrete:  # ε, and ε/Δ, may be rounded up; of the answer only what is past 2^53
                past = m.sensitivity.linf > 2.0**22
                wider = 1 + Fraction(1, 1 << 32) + Fraction(m.slip if past else 0)
            noise = law.leave(chance, len(m.values), step, wider)
            values = m.exact or tuple(map(Fraction, m.values.tolist()))
            exact = [round(value / step) for value in values]
            out.append([value + more for value, more in zip(exact, noise, strict=True)])
        return out

    def left(self, steps: list[list[int]]) -> MeasuredQuestion:
        """What a reader knows of an answer that left in these steps of `grids`."""
        return self._known(
            [
                array([[float(k * step) for k in part]])
                for part, step in zip(steps, self.grids, strict=True)
            ]
        )

    def as_read(self, rng: np.random.Generator) -> MeasuredQuestion:
        """What a reader of one simulated answer knows: the question with the noisy measurements in
        the place of the exact ones."""
        return self._known(self.measure(rng, 1))

    def _known(self, noisy: list[Array]) -> MeasuredQuestion:
        parts = tuple(
            replace(m, values=array(n[0]), exact=None)
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
