"""How large unit noise is in k coordinates, k real: its errors by four measures, and the law of its
length."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.gaussian import special

# The three shapes of noise; both Gaussians have one shape.
SHAPES = {"laplace": "laplace", "gaussian": "normal", "textbook": "normal", "l2norm": "ball"}
# The variance of the single coordinate of noise of scale 1 (b, σ, or the mean radius over k).
UNIT_VARIANCE = {"laplace": 2.0, "normal": 1.0, "ball": 2.0}


def moved(growth: str, k: Array) -> Array:
    """How many of `k` coordinates one person moves by 1 each, as `growth` ("all", "one" or "two")
    has it; shape of `k`. Where k < 2, two coordinates are all of them."""
    k = np.asarray(k, dtype=np.float64)
    return {"all": k, "one": np.ones_like(k), "two": np.minimum(k, 2.0)}[growth]


def reach(key: str, growth: str, k: Array) -> Array:
    """The sensitivity that scales the noise of the mechanism `key` on `k` coordinates: L1 for
    Laplace noise, L2 for the others; shape of `k`."""
    m = moved(growth, k)
    return m if key == "laplace" else np.sqrt(m)


def unit_error(shape: str, measure: str, k: Array, confidence: float) -> Array:
    """The error of noise of one of the three shapes and of scale 1 (b, σ, or the mean radius over
    k) in `k` ≥ 1 real coordinates, by one of MEASURES; shape of `k`. `confidence` counts for the
    measure "largest" alone.

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
    """E‖X‖₂ of `k` coordinates Lap(1), shape of `k`: ∫ (1 − M(s)^k) s^(−3/2) ds / 2√π with
    M(s) = E e^(−sX²), by equal steps in ln s."""
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
    """Density of the L2 norm of unit noise on `k` coordinates at `r` > 0, shape of `r`: chi for
    normal noise, Gamma(k) for L2-norm noise."""
    if shape == "laplace":
        return 2 * r * squares_density(k, r * r)
    gammaln = special().gammaln
    if shape == "ball":
        return np.asarray(np.exp((k - 1) * np.log(r) - r - gammaln(k)))
    return np.asarray(
        np.exp((1 - k / 2) * math.log(2) + (k - 1) * np.log(r) - r * r / 2 - gammaln(k / 2))
    )


def squares_density(k: int, x: Array, nodes: int = 120) -> Array:
    """Density at `x` > 0 of X₁² + … + X_k², Xᵢ ~ Lap(1), shape of `x`: no closed form, so the
    Laplace transform is inverted.

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


def length_curve(shape: str, k: int, points: int) -> tuple[Array, Array]:
    """(r, r times the density of the length of unit noise on `k` coordinates), shape (points,)
    each: about the mean length, where there is any to be seen."""
    middle = float(unit_error(shape, "length", np.array([float(k)]), 0.5)[0])
    # ln of the length has a deviation near √5/2√k, 1/√2k and 1/√k for the three shapes.
    spread = {"laplace": 1.12, "normal": 0.71, "ball": 1.0}[shape] / math.sqrt(k)
    r = middle * np.exp(np.linspace(-7.0, 5.0, points) * spread)
    return r, r * length_density(shape, k, r)
