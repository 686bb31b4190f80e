"""Selection mechanisms: a `Parameters` that chooses one of several candidates by noisy scores, with
its exact probabilities."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dpstudio.privacy.mechanisms.additive import EPSILON, Guarantee
from dpstudio.privacy.mechanisms.law import Array
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom, at_most
from dpstudio.values.messages import Message, say
from dpstudio.values.parameters import Parameters, param

Indices = NDArray[np.int64]
# Draws are made in blocks of this many numbers: a million draws among a thousand candidates would
# not fit in memory.
_BLOCK = 2_000_000


@dataclass(frozen=True, eq=False)
class Scores:
    """The score of each candidate, shape (n,), n ≥ 1, the highest being the best, in units of the
    query (people, mostly).

    `sensitivity` Δ > 0 is how far one person can move any single score. `monotone` says that one
    person moves all scores in the same direction (each by 0 to Δ, or each by −Δ to 0). ValueError
    on anything else.
    """

    values: Array
    sensitivity: float = 1.0
    monotone: bool = False

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values)):
            raise ValueError("scores are one or more finite numbers")
        if not (self.sensitivity > 0 and math.isfinite(self.sensitivity)):
            raise ValueError("the sensitivity of scores is a positive number")
        values.setflags(write=False)
        object.__setattr__(self, "values", values)

    @property
    def loss(self) -> Array:
        """How far each score lies below the best one, shape (n,), ≥ 0."""
        return np.asarray(self.values.max() - self.values)


class Selection(Parameters):
    """Base of the selection family: ε-DP choice of one of n candidates. A member gives
    `log_chances` and `simulate`.

    All of them see scores only through z = rate·(score − best), with rate = ε/(2Δ), or ε/Δ where
    scores are monotone. One proof serves all of them, because each is "add independent noise of
    scale 1/rate to every score, take the largest", with noise R (Laplace, Gumbel, exponential) for
    which P(R ≥ t + s) ≥ e^(−s) P(R ≥ t), s ≥ 0. Fix the noise of all but candidate i; then i wins
    where its noise is at least t = max_j (z_j + R_j) − z_i. A neighbour moves each z_j − z_i, and
    so t, by at most 2Δ·rate in general, and by at most Δ·rate where all scores move the same way
    (the argument of Dwork & Roth 2014, Claim 3.9): ε either way.
    """

    editor = "strokes"
    family: ClassVar[str] = "selection"
    formula: ClassVar[str] = ""
    ink: ClassVar[str] = "accent"

    epsilon: float = param(1.0, EPSILON)

    def log_chances(self, z: Array) -> Array:
        """ln P(i) for scores z ≤ 0 in units of the noise, the best of them 0; shape (n,) to
        (n,)."""
        raise NotImplementedError

    def simulate(self, rng: np.random.Generator, scores: Scores, size: int) -> Indices:
        """Winners of `size` runs of the algorithm as it is written, without its probabilities;
        shape (size,)."""
        raise NotImplementedError

    def leave(self, chance: ReleaseRandom, scores: Scores) -> int:
        """The winner of one run that may leave the program, drawn exactly. Raises
        NotDrawnError."""
        raise NotDrawnError(
            say(
                "A winner of this mechanism cannot be drawn exactly here, and what leaves must be. "
                "Choose the exponential mechanism."
            )
        )

    def exactly(self, scores: Scores) -> list[Fraction]:
        """How far each score lies below the best, in units of the noise: `scaled` without
        rounding, shape (n,), ≥ 0."""
        rate = at_most(self.epsilon) / Fraction(scores.sensitivity) / (1 if scores.monotone else 2)
        values = [Fraction(value) for value in scores.values.tolist()]
        best = max(values)
        return [rate * (best - value) for value in values]

    def rate(self, scores: Scores) -> float:
        """Units of noise per unit of score: ε/2Δ, or ε/Δ where scores are monotone."""
        return self.epsilon / scores.sensitivity / (1 if scores.monotone else 2)

    def scaled(self, scores: Scores) -> Array:
        """Scores in units of the noise, the best 0, shape (n,)."""
        return np.asarray(-self.rate(scores) * scores.loss)

    def log_pmf(self, scores: Scores) -> Array:
        """ln P(i), shape (n,)."""
        # Rounding must not make a certainty more than one.
        return np.minimum(self.log_chances(self.scaled(scores)), 0.0)

    def pmf(self, scores: Scores) -> Array:
        """P(i), shape (n,)."""
        return np.asarray(np.exp(self.log_pmf(scores)))

    def sample(self, rng: np.random.Generator, scores: Scores, size: int) -> Indices:
        """Winners drawn from the exact probabilities by inversion, shape (size,). For looking, not
        for releases: floats leak."""
        return drawn(rng, self.pmf(scores), size)

    def expected_loss(self, scores: Scores) -> float:
        """E[best score − score of the winner], in units of the score."""
        return float(self.pmf(scores) @ scores.loss)

    def delta_at(self, epsilon: float, scores: Scores, neighbour: Scores) -> float:
        """Exact sup_S P(S | scores) − e^ε P(S | neighbour), for scores of the same candidates: the
        sum of the positive parts."""
        here, there = self.log_pmf(scores), self.log_pmf(neighbour)
        with np.errstate(over="ignore"):
            gap = np.minimum(epsilon + there - here, 0.0)
        return float(-np.sum(np.exp(here) * np.expm1(gap)))

    def loss_between(self, scores: Scores, neighbour: Scores) -> float:
        """The largest |ln P(i | scores) − ln P(i | neighbour)|, for scores of the same candidates:
        never above ε between neighbours."""
        return float(np.max(np.abs(self.log_pmf(scores) - self.log_pmf(neighbour))))

    def guarantee(self) -> Guarantee:
        """Pure ε by the proof above, for scores whose sensitivity and monotony are as declared."""
        return Guarantee(self.epsilon, 0.0)

    def at(self, epsilon: float) -> Self:
        """The same mechanism at another ε ≥ 0, which may lie outside the slider's range: at 0 every
        candidate is as likely."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, epsilon=epsilon)
        return copy

    def remark(self) -> Message:
        """What is special about this variant; nothing for most."""
        return Message("")


def drawn(rng: np.random.Generator, chances: Array, size: int) -> Indices:
    """Indices drawn by inversion of a pmf, shape (n,), which need not sum to 1; shape (size,)."""
    steps = np.cumsum(chances)
    steps /= steps[-1]
    return np.searchsorted(steps, rng.random(size), side="right").astype(np.int64)


def least_within(errors: Array, chances: Array, confidence: float) -> float:
    """The smallest of the `errors`, w, with P(error ≤ w) ≥ confidence, where they have these
    `chances`, shape (n,) each. The tail beyond w is summed, so that a confidence near 1 keeps its
    digits."""
    order = np.argsort(errors, kind="stable")
    errors = errors[order]
    beyond = np.cumsum(chances[order][::-1])[::-1]
    # What lies beyond errors[k] begins where the next larger error does.
    after = np.append(beyond, 0.0)[np.searchsorted(errors, errors, side="right")]
    return float(errors[np.argmax(after <= (1 - confidence) * (1 + 1e-12))])


def worst_tail(mechanism: Selection, count: int, gap: float) -> float:
    """The largest ln P(loss·rate ≥ gap) over all scores of `count` candidates, for gap ≥ 0.

    It is that of one best candidate and all the others just so far below it: with the noise held
    fixed, raising a loser up to there, or lowering any other candidate to there, only helps a loser
    to win.
    """
    if count < 2:  # nothing else can win
        return -math.inf if gap > 0 else 0.0
    z = np.full(count, -gap)
    z[0] = 0.0
    return float(mechanism.log_chances(z)[1]) + math.log(count - 1) if gap > 0 else 0.0


def worst_loss(mechanism: Selection, scores: Scores, confidence: float) -> float:
    """The least loss w, in units of the score, for which P(loss ≤ w) ≥ confidence whatever the
    scores of so many candidates are; of `scores` their number and sensitivity count alone."""
    count, tail = len(scores.values), math.log1p(-confidence)
    low, high = 0.0, 1.0

    def too_likely(gap: float) -> bool:
        return worst_tail(mechanism, count, gap) > tail

    # Never a loss: a single candidate, or a confidence that one of all, drawn blindly, keeps.
    if count < 2 or not too_likely(1e-12):
        return 0.0
    while too_likely(high):
        low, high = high, 2 * high
    for _ in range(52):
        middle = (low + high) / 2
        low, high = (middle, high) if too_likely(middle) else (low, middle)
    return high / mechanism.rate(scores)


def blocks(size: int, count: int) -> list[int]:
    """`size` draws among `count` candidates in blocks that fit in memory: their lengths."""
    most = max(1, _BLOCK // count)
    return [most] * (size // most) + ([size % most] if size % most else [])


@lru_cache(maxsize=16)
def legendre(points: int) -> tuple[Array, Array]:
    """Gauss–Legendre nodes and weights on (−1, 1), ascending, remembered.

    Newton's method on P_n(cos θ), all nodes at once: 512 of them take a few ms. The eigenvalues by
    which numpy finds them take 50 ms, and seconds where several threads want the processor.
    """
    angle = (np.arange(points, 0, -1) - 0.25) * math.pi / (points + 0.5)
    slope = np.ones(points)
    for _ in range(8):
        x = np.cos(angle)
        before, here = np.ones(points), x
        for k in range(2, points + 1):
            before, here = here, ((2 * k - 1) * x * here - (k - 1) * before) / k
        # d P_n(cos θ)/dθ
        slope = points * (x * here - before) / np.sin(angle)
        step = here / slope
        angle = angle - step
        if np.max(np.abs(step)) < 1e-15:
            break
    return np.cos(angle), 2 / slope**2


def log_sum(values: Array, axis: int = -1) -> Array:
    """ln Σ e^values along an axis, without overflow."""
    top = np.max(values, axis=axis, keepdims=True)
    return np.asarray(np.squeeze(top, axis) + np.log(np.sum(np.exp(values - top), axis=axis)))
