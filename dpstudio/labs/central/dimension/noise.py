"""How large noise is in k coordinates, k real: errors of unit noise, the law of its length, and
where two mechanisms meet."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.gaussian import special
from dpstudio.values.messages import N_
from dpstudio.values.roots import root

MEASURES = {
    "deviation": N_("Standard deviation"),
    "mean_abs": N_("Mean absolute error"),
    "length": N_("Length of the whole error"),
    "largest": N_("Largest error"),
}
GROWTHS = {"all": N_("every coordinate"), "one": N_("one coordinate"), "two": N_("two coordinates")}
# The three shapes of noise; both Gaussians have one shape.
SHAPES = {"laplace": "laplace", "gaussian": "normal", "textbook": "normal", "l2norm": "ball"}
K_MOST = 10_000
_GRID = np.geomspace(1.0, K_MOST, 161)


def moved(growth: str, k: Array) -> Array:
    """How many of k coordinates one person moves by 1 each. Where k < 2, two coordinates are all of
    them."""
    k = np.asarray(k, dtype=np.float64)
    return {"all": k, "one": np.ones_like(k), "two": np.minimum(k, 2.0)}[growth]


def reach(key: str, growth: str, k: Array) -> Array:
    """The sensitivity that scales the noise: L1 for Laplace noise, L2 for the others."""
    m = moved(growth, k)
    return m if key == "laplace" else np.sqrt(m)


def unit_error(shape: str, measure: str, k: Array, confidence: float) -> Array:
    """The error of noise of scale 1 (b, σ, or the mean radius over k) in k real coordinates. Shape
    of k.

    The laws of the catalogue know whole k only; a crossing lies between.
    """
    k = np.asarray(k, dtype=np.float64)
    if measure == "largest":
        return _LARGEST[shape](k, confidence)
    if measure == "length":
        return _LENGTH[shape](k)
    if shape != "ball":
        flat = {"laplace": (math.sqrt(2), 1.0), "normal": (1.0, math.sqrt(2 / math.pi))}[shape]
        return np.full_like(k, flat[measure == "mean_abs"])
    if measure == "deviation":
        return np.sqrt(k + 1)
    # E|b| of √(2W)·Z, W ~ Gamma((k + 1)/2): 2/√π · E√W.
    gammaln = special().gammaln
    return np.asarray(2 / math.sqrt(math.pi) * np.exp(gammaln(k / 2 + 1) - gammaln((k + 1) / 2)))


def _largest_laplace(k: Array, confidence: float) -> Array:
    return -np.log(-np.expm1(math.log(confidence) / k))


def _largest_normal(k: Array, confidence: float) -> Array:
    return np.asarray(-special().ndtri(-np.expm1(math.log(confidence) / k) / 2))


def _largest_ball(k: Array, confidence: float) -> Array:
    """The w with E_W erf(w/2√W)^k = confidence, W ~ Gamma((k + 1)/2): Newton on ln of what is left,
    from the normal w on."""
    s = special()
    shape = ((k + 1) / 2)[..., None]
    low, high = np.log(s.gammaincinv(shape, 1e-16)), np.log(s.gammainccinv(shape, 1e-16))
    t = low + (high - low) * np.linspace(0, 1, 160)
    weight = np.exp(shape * t - np.exp(t) - s.gammaln(shape))
    weight /= weight.sum(axis=-1, keepdims=True)
    root_w = np.exp(t / 2)
    w = np.sqrt(k + 1) * _largest_normal(k, confidence) * 1.05
    for _ in range(12):
        z = w[..., None] / (2 * root_w)
        outside = s.erfc(z)
        with np.errstate(divide="ignore"):
            log_inside = np.log1p(-outside)
        inside = np.exp(k[..., None] * log_inside)
        left = np.sum(weight * -np.expm1(k[..., None] * log_inside), axis=-1)
        slope = np.exp(-z * z) / (math.sqrt(math.pi) * root_w) / np.maximum(1 - outside, 1e-300)
        fall = k * np.sum(weight * inside * slope, axis=-1)
        step = (np.log(left) - math.log(1 - confidence)) * left / np.maximum(fall, 1e-300)
        w = np.maximum(w + np.clip(step, -w / 2, w), 1e-300)
    return np.asarray(w)


_LARGEST = {"laplace": _largest_laplace, "normal": _largest_normal, "ball": _largest_ball}


def _log_transform(s: NDArray[Any]) -> NDArray[Any]:
    """ln E e^(−sX²) of X ~ Lap(1): ln(√π z erfcx(z)), z = 1/(2√s), for s in the plane cut along the
    negative axis."""
    z = 0.5 / np.sqrt(s)
    # Where z is large the two factors cancel; the asymptotic series does not.
    far = np.abs(s) < 2e-4
    x = np.where(far, 2 * s, 0.0)
    series = np.log1p(-x + 3 * x**2 - 15 * x**3 + 105 * x**4 - 945 * x**5)
    near = np.log(math.sqrt(math.pi) * z * special().wofz(1j * np.where(far, 1.0, z)))
    return np.asarray(np.where(far, series, near))


def laplace_length(k: Array) -> Array:
    """E‖X‖₂ of k coordinates Lap(1): ∫ (1 − M(s)^k) s^(−3/2) ds / 2√π with M the transform above,
    by equal steps in ln s."""
    k = np.asarray(k, dtype=np.float64)
    t = np.arange(-76.0, 76.0, 0.25)
    lost = -np.expm1(k[..., None] * np.real(_log_transform(np.exp(t))))
    return np.asarray((lost @ np.exp(-t / 2)) * 0.25 / (2 * math.sqrt(math.pi)))


def _normal_length(k: Array) -> Array:
    gammaln = special().gammaln
    return np.asarray(math.sqrt(2) * np.exp(gammaln((k + 1) / 2) - gammaln(k / 2)))


def _ball_length(k: Array) -> Array:
    return k


_LENGTH = {"laplace": laplace_length, "normal": _normal_length, "ball": _ball_length}


def length_density(shape: str, k: int, r: Array) -> Array:
    """Density of the L2 norm of unit noise on k coordinates, at r > 0."""
    if shape == "laplace":
        return 2 * r * squares_density(k, r * r)
    gammaln = special().gammaln
    if shape == "ball":
        return np.asarray(np.exp((k - 1) * np.log(r) - r - gammaln(k)))
    return np.asarray(
        np.exp((1 - k / 2) * math.log(2) + (k - 1) * np.log(r) - r * r / 2 - gammaln(k / 2))
    )


def squares_density(k: int, x: Array, nodes: int = 120) -> Array:
    """Density at x > 0 of X₁² + … + X_k², Xᵢ ~ Lap(1): no closed form, so the Laplace transform is
    inverted.

    Bromwich's integral on a hyperbola about the negative axis (Weideman & Trefethen 2007), whose
    error falls exponentially in the number of nodes: below 1e-9 of the peak for k up to 10,000.
    """
    mean, deviation = 2.0 * k, math.sqrt(20 * k)
    # Many coordinates make a sharp peak: there the contour is nearly vertical and ends where the
    # transform has died out.
    angle, extent = (0.3, math.inf) if k < 300 else (0.15, 14.0)
    mu = 1 / np.minimum(x, np.maximum(x - mean, deviation))[:, None]
    x = x[:, None]
    end = np.minimum(
        np.arccosh((38 + x * mu) / (x * mu * math.sin(angle))),
        np.arcsinh(extent / (mu * deviation)),
    )
    u = (np.arange(nodes) + 0.5) / nodes * end
    s = mu * (1 + 1j * np.sinh(u) * math.cos(angle) - np.cosh(u) * math.sin(angle))
    ds = mu * (1j * np.cosh(u) * math.cos(angle) - np.sinh(u) * math.sin(angle))
    integrand = np.exp(k * _log_transform(s) + x * s) * ds
    return np.asarray(np.maximum(0.0, np.sum(integrand.imag * (end / nodes), axis=1) / math.pi))


def log_gap(one: str, other: str, growth: str, measure: str, k: Array, confidence: float) -> Array:
    """ln of the error of `one` over that of `other` at unit scales: what is left of their contest
    without ε and δ."""
    return np.asarray(
        np.log(unit_error(SHAPES[one], measure, k, confidence) * reach(one, growth, k))
        - np.log(unit_error(SHAPES[other], measure, k, confidence) * reach(other, growth, k))
    )


def meetings(
    one: str,
    other: str,
    growth: str,
    measure: str,
    confidence: float,
    log_ratio: float,
    grid: Array,
) -> tuple[float, ...]:
    """Every k in (1, 10,000) at which the errors are equal. `log_ratio` is ln of the scales' ratio,
    `grid` log_gap on `knots`."""

    def gap(log_k: float) -> float:
        return (
            float(log_gap(one, other, growth, measure, np.array([math.exp(log_k)]), confidence)[0])
            + log_ratio
        )

    values = grid + log_ratio
    # Laplace and L2-norm noise are one at k = 1: that is where they part, not where they cross.
    values = np.where(np.abs(values) < 1e-11, 0.0, values)
    found = []
    for (a, fa), (b, fb) in pairwise(zip(np.log(_GRID).tolist(), values.tolist(), strict=True)):
        if fa * fb < 0:
            found.append(math.exp(root(gap, a, b)))
        elif fa == 0 and a > 0:
            found.append(math.exp(a))
    return tuple(found)


def after(meeting: float) -> int:
    """The first whole k beyond a meeting; at a whole meeting itself the two still err alike."""
    return math.floor(meeting * (1 + 1e-11)) + 1


def knots() -> Array:
    """The k on which a contest is tabulated, 1 to 10,000."""
    return _GRID


def first_meeting(grid: Array, log_ratios: Array) -> Array:
    """The first crossing for many ratios of scales at once, by interpolation between the knots; NaN
    where there is none."""
    values = grid[None, :] + np.asarray(log_ratios)[:, None]
    values = np.where(np.abs(values) < 1e-11, 0.0, values)
    change = values[:, :-1] * values[:, 1:] < 0
    at = np.argmax(change, axis=1)
    rows = np.arange(len(values))
    low, high = values[rows, at], values[rows, at + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_k = np.log(_GRID[at]) + (np.log(_GRID[at + 1]) - np.log(_GRID[at])) * low / (low - high)
    return np.where(change.any(axis=1), np.exp(log_k), np.nan)
