"""Linear regression under a promise: ridge on noisy moments (`moments.py`, `wishart.py`), the
functional mechanism, output perturbation, and from how many rows on any of them teaches something.
"""

import math
from collections.abc import Callable

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.eigenvectors import eigh
from dpstudio.privacy.learning.logistic_noise import Ridge
from dpstudio.privacy.learning.moments import r_squared, solve_trimmed, symmetric
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.queries.query import REPLACE
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError
from dpstudio.values.passing import Passing, solved

MOST_ROWS = 1e9  # beyond it nobody is told a number
_TOLERANCE = 2e-5  # half of it, of ln 10⁹ at most: to 0.1 %


def functional_sensitivity(p: int, adjacency: str, most: int = 1) -> float:
    """L1 sensitivity of the coefficients y², −2yx, x², 2x_i x_j of the objective Σ (y − w·x)² as a
    polynomial in w, for rows z = (x, y), ‖z‖ ≤ 1, of p numbers: ‖z‖₁² ≤ p, twice that for replace.

    Zhang, Zhang, Xiao, Yang & Winslett (2012) print 2(d + 1)² for ‖x‖ ≤ 1, |y| ≤ 1, d = p − 1;
    scaled to ‖z‖ ≤ 1 that is p², which is true and loose."""
    return most * p * (2.0 if adjacency == REPLACE else 1.0)


def functional_noise(rng: np.random.Generator, seeds: int, p: int) -> Array:
    """Laplace noise of scale 1 on every coefficient, as matrices to be added to the moments,
    (seeds, p, p): an entry off the diagonal is half a coefficient."""
    entries = p * (p + 1) // 2
    drawn = symmetric(LaplaceLaw(1.0).sample(rng, seeds * entries).reshape(seeds, entries))
    return np.asarray(drawn * (1 + np.eye(p)) / 2)


def functional(moments: Array, noise: Array, scale: float) -> Array:
    """Minimisers (seeds, p − 1) of the objective with noise of this `scale`, sensitivity/ε, from
    `functional_noise`: ε-DP. As in sections 6.1 and 6.2 a ridge of four standard deviations of the
    noise is added, and directions that are still not convex are left out."""
    return solve_trimmed(moments + scale * noise, 4 * math.sqrt(2) * scale)


def ball_ridge(moments: Array, ridge: float, radius: float) -> Array:
    """The exact minimiser of Σ (y − w·x)²/2 + ridge/2·‖w‖² over ‖w‖ ≤ `radius`, (p − 1,): the ridge
    solution, with a larger ridge where that is too long."""
    values, vectors = eigh(moments[:-1, :-1])
    turned = vectors.T @ moments[:-1, -1]

    def weights(extra: float) -> Array:
        return np.asarray(turned / (values + ridge + extra))

    low, high = 0.0, 1.0
    if np.linalg.norm(weights(0.0)) > radius:
        while np.linalg.norm(weights(high)) > radius:
            high *= 2
        for _ in range(60):
            middle = (low + high) / 2
            outside = np.linalg.norm(weights(middle)) > radius
            low, high = (middle, high) if outside else (low, middle)
        low = high
    return np.asarray(vectors @ weights(low))


def ball_sensitivity(ridge: Ridge, radius: float) -> float:
    """How far one person moves `ball_ridge` in L2, for ‖x‖ ≤ 1 and |y| ≤ 1: moved·(1 + radius)/Λ,
    and never further than the ball is wide.
    The gradient of a row's (y − w·x)²/2 is at most 1 + ‖w‖ long, and F is Λ-strongly convex. A
    square has no bounded gradient without the ball, so without it there is no such claim. Raises
    ParamError for a radius that is not positive."""
    if not (math.isfinite(radius) and radius > 0):
        raise ParamError("radius", say("The squared loss needs a public bound on ‖w‖."))
    return min(ridge.moved * (1 + radius) / ridge.strength, 2 * radius)


def output_perturbed(
    moments: Array, epsilons: Array, ridge: Ridge, radius: float, noise: Array
) -> tuple[Array, Array]:
    """The exact `ball_ridge` (d,), which does not leave, and with vector noise from `unit_noise`
    (seeds, d) the ε-DP models (epsilons, seeds, d). The moments are of rows (x, y) with ‖x‖ ≤ 1
    and |y| ≤ 1."""
    exact = ball_ridge(moments, ridge.strength, radius)
    scales = ball_sensitivity(ridge, radius) / np.asarray(epsilons)
    return exact, exact + scales[:, None, None] * noise


def rows_that_teach(
    mean: Array, models: Callable[[float], Array], share: float = 0.5, most: float = MOST_ROWS
) -> Passing:
    """From how many rows on the median R² is at least `share` of the noiseless one, on a table with
    the mean second moments `mean` (p, p), such as a real one repeated: noise does not grow with n,
    moments do. `models` gives weights (seeds, p − 1) at n rows, by the same noise at every n.

    By halving between 1 and `most` rows, to 0.1 %. A simulation: it knows the exact moments, and
    says nothing about the chance of drawing n rows."""
    wanted = share * float(r_squared(solve_trimmed(mean), mean))

    def gap(n: float) -> float:
        reached = np.median(r_squared(models(n), mean)) >= wanted
        return -1.0 if reached else 1.0

    return solved(gap, 1.0, most, _TOLERANCE)
