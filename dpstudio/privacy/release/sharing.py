"""How the measurements of one release share its budget: the one place where several are
calibrated.

Gaussian noise on all of them is one Gaussian on one vector, whose privacy loss is that of a single
number moved by μ = √(max over moves of Σ (Δᵢ/σᵢ)²) (Dong, Roth & Su 2022, Corollary 3.3), so the
whole (ε, δ) is spent on that μ (Balle & Wang 2018) and `part` is each measurement's share of μ².
Integer Gaussian noise adds up as concentrated DP does, ρ = μ²/2 (Canonne, Kamath & Steinke 2020,
Theorem 14 and Corollary 13). Any other noise has its part of ε and δ, which add up.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpstudio.privacy.mechanisms import additive, discrete_gaussian, gaussian
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.queries.measured import Measurement, Move


@dataclass(frozen=True, eq=False)
class Shared:
    """For each measurement the mechanism with what it may spend, and the sensitivity that scales
    its noise; `as_one` where these are numbers of one vector, for which one budget is spent."""

    mechanism: additive.Additive
    noises: tuple[tuple[additive.Additive, additive.Sensitivity], ...]
    as_one: bool

    @property
    def count(self) -> int:
        """How many measurements there are."""
        return len(self.noises)

    @property
    def laws(self) -> tuple[Law, ...]:
        """The noise law of one coordinate of each measurement."""
        return tuple(mechanism.law(sensitivity) for mechanism, sensitivity in self.noises)

    @property
    def mu_squared(self) -> float:
        """μ² of the one vector: the most that Σ (Δ/σ)² is for one person. Of integer noise that is
        2ρ, as σ is its parameter."""
        law = self.mechanism.law(number_of_vector(1.0))
        assert isinstance(law, gaussian.GaussianLaw | discrete_gaussian.DiscreteGaussianLaw)
        return 1 / law.sigma**2

    def guarantee(self) -> additive.Guarantee:
        """What is promised for all measurements together: one promise for one vector, else those of
        the parts added up (sequential composition); flags of any part are kept."""
        if self.as_one:
            return self.mechanism.guarantee(number_of_vector(1.0))
        parts = [mechanism.guarantee(sensitivity) for mechanism, sensitivity in self.noises]
        if len(parts) == 1:
            return parts[0]
        true = [p.true_delta for p in parts if p.true_delta is not None]
        whole = additive.Guarantee(
            _unrounded(sum(p.epsilon for p in parts), self.mechanism.epsilon),
            _unrounded(sum(p.delta for p in parts), self.mechanism.total_delta),
            all(p.proven for p in parts),
            sum(true) if len(true) == len(parts) else None,
        )
        note = self.mechanism.remark_on_all(whole, parts)
        return replace(
            whole, note=note if note.text else next((p.note for p in parts if p.note.text), note)
        )


def _unrounded(added: float, whole: float) -> float:
    """The whole, where parts that were rounded add up to it; else what they add up to."""
    return whole if math.isclose(added, whole, rel_tol=2.0**-48) else added


def shared(
    mechanism: additive.Additive, measurements: Sequence[Measurement], moves: Sequence[Move]
) -> Shared:
    """The budget of `mechanism` on the measurements, of which `moves` are the largest joint moves;
    where they are not known, all measurements are taken to move at once.

    Integer noise keeps its parts of (ε, δ) where these give every number less noise than ρ does.
    """
    split = tuple((mechanism.share(m.part), m.sensitivity) for m in measurements)
    apart = Shared(mechanism, split, False)
    if len(split) == 1 or not mechanism.one_vector:
        return apart
    most = most_squared(measurements, moves)
    wide = (m.sensitivity.l2 * math.sqrt(most / m.part) for m in measurements)
    one = Shared(mechanism, tuple((mechanism, number_of_vector(by)) for by in wide), True)
    if not mechanism.integers:
        return one
    less = (a.variance <= b.variance for a, b in zip(apart.laws, one.laws, strict=True))
    return apart if all(less) else one


def most_squared(measurements: Sequence[Measurement], moves: Sequence[Move]) -> float:
    """The most that Σ partᵢ (Δ of the move / Δᵢ)² can be for one person, Δ in L2: 1 where one of
    the moves is the largest of all measurements at once. The laws then have (Δᵢ/σᵢ)² = partᵢ·μ²
    over it."""
    if not moves:
        return math.fsum(m.part for m in measurements)
    return max(
        math.fsum(
            m.part * (math.hypot(*move.sizes(place)) / m.sensitivity.l2) ** 2
            for place, m in enumerate(measurements)
        )
        for move in moves
    )


def number_of_vector(by: float) -> additive.Sensitivity:
    """The sensitivity of one number of a vector of which only the L2 norm is known, in units in
    which that is `by`."""
    return additive.Sensitivity(by, by, by, l0=2, dims=2)
