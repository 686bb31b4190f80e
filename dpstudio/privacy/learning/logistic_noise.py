"""Private logistic regression (Chaudhuri, Monteleoni & Sarwate 2011): noise on the model, or on the
objective that it minimises.

Whoever takes part moves `moved` rows of the sum F of `logistic.py`, each by a loss whose gradient
is at most 1 long and whose curvature is at most ¼ (‖x‖ ≤ 1, logistic loss):
· replace one: a row leaves and another comes, moved = 2; Λ = nλ, where n is public;
· add or remove one: moved = 1, and Λ itself is public, since n is not.
With at most m rows a person both are m times as large.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.learning.logistic import fit, taylor
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.mechanisms.l2norm import L2Norm
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError

CURVATURE = 0.25  # c: the largest second derivative of ln(1 + e^(−z))


@dataclass(frozen=True)
class Ridge:
    """How strongly a model is held at 0, and whom it is private for: a public Λ > 0 of the sum and
    the rows that one person moves. Made by `replace_one` or `add_remove`."""

    strength: float
    moved: int

    @property
    def sensitivity(self) -> float:
        """How far one person moves the minimiser, in L2: moved/Λ. For replace one 2/(nλ)
        (Chaudhuri et al., Corollary 8); in general the gradient changes by at most `moved`, and F
        is Λ-strongly convex."""
        return self.moved / self.strength


def replace_one(n: int, penalty: float, most: int = 1) -> Ridge:
    """For n rows, a public number, a mean loss with λ = `penalty`, and `most` rows a person. Raises
    ParamError for numbers that are not positive."""
    _positive("penalty", penalty * n)
    return Ridge(n * penalty, 2 * most)


def add_remove(strength: float, most: int = 1) -> Ridge:
    """For a public Λ = `strength` of the sum of losses, which the number of rows has no part in,
    and `most` rows a person. Raises ParamError for Λ ≤ 0."""
    _positive("strength", strength)
    return Ridge(strength, most)


def unit_noise(rng: np.random.Generator, seeds: int, d: int) -> Array:
    """Vectors with density ∝ e^(−‖b‖), shape (seeds, d): length Gamma(d, 1), uniform direction.
    Times a scale s their density is ∝ e^(−‖b‖/s)."""
    one = Sensitivity(math.sqrt(d), 1.0, 1.0, l0=d, dims=d)
    return L2Norm(epsilon=1.0).noise(rng, one, seeds, d)


def output_scale(epsilon: float, ridge: Ridge) -> float:
    """Scale of the vector noise on the model: sensitivity/ε (Algorithm 1). Its mean length is d
    times that. Raises ParamError for ε ≤ 0."""
    _positive("epsilon", epsilon)
    return ridge.sensitivity / epsilon


@dataclass(frozen=True)
class Objective:
    """What Algorithm 2 adds to the objective at one ε: a Λ that may be larger than was asked for,
    and b·w with vector noise b of a `scale`. `left` is ε′, which that noise keeps of ε; the rest
    pays for the change of the Hessian."""

    strength: float
    scale: float
    left: float


def objective_terms(epsilon: float, ridge: Ridge) -> Objective:
    """ε′ = ε − moved·ln(1 + c/Λ) and scale moved/ε′; where that is not positive, ε′ = ε/2 and the
    Λ at which the other half is enough, c/(e^(ε/(2·moved)) − 1).

    Replace one: Algorithm 2 of Chaudhuri et al. (2011), Theorem 9, where 1 + 2c/(nλ) + c²/(nλ)² is
    (1 + c/Λ)². Add or remove one: after Kifer, Smith & Thakurta (2012). The density of
    the minimiser is that of b times det ∇²F; b shifts by at most `moved`, and the determinant of a
    Hessian of Λ and more changes by at most (1 + c/Λ) for each row. Raises ParamError for ε ≤ 0.
    """
    _positive("epsilon", epsilon)
    moved, strength = ridge.moved, ridge.strength
    left = epsilon - moved * math.log1p(CURVATURE / strength)
    if left <= 0:
        left = epsilon / 2
        strength = CURVATURE / math.expm1(left / moved)
    return Objective(strength, moved / left, left)


def objective_perturbed(x: Array, y: Array, epsilons: Array, ridge: Ridge, noise: Array) -> Array:
    """ε-DP models for each ε, shape (epsilons, seeds, d): exact minimisers of the objective with
    noise from `unit_noise` (seeds, d), the same at every ε. Errors as in `fit`."""
    terms = [objective_terms(float(e), ridge) for e in epsilons]
    strengths = np.repeat([t.strength for t in terms], len(noise))
    scales = np.array([t.scale for t in terms])
    linear = (scales[:, None, None] * noise).reshape(-1, noise.shape[1])
    return fit(x, y, strengths, linear).reshape(len(terms), *noise.shape)


def objective_log_density(w: Array, x: Array, y: Array, terms: Objective) -> Array:
    """ln of the density of the minimiser at each of `w` (seeds, d), up to a number that the rows
    have no part in, shape (seeds,): that of the only b whose minimum is w, times det ∇²F."""
    _, slope, curve = taylor(x * y[:, None], w, np.full(len(w), terms.strength), np.zeros(w.shape))
    return np.asarray(np.linalg.slogdet(curve)[1] - np.linalg.norm(slope, axis=1) / terms.scale)


def printed_output_scale(epsilon: float, n: int, penalty: float) -> float:
    """As printed: the sensitivity reads "2/λ · n" where 2/(λ·n) is meant, n² times too much."""
    return 2 / penalty * n / epsilon


def printed_ball(x: Array) -> Array:
    """As printed: rows divided by the longest of the data. One person then moves every row, and the
    sensitivity 2/(nλ) does not hold."""
    return np.asarray(x / np.linalg.norm(x, axis=1).max())


def _positive(field: str, value: float) -> None:
    if not (math.isfinite(value) and value > 0):
        raise ParamError(field, say("This is a positive number."))
