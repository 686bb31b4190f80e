"""How large unit noise is in k coordinates, k real: its errors by four measures."""

import math

import numpy as np

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


def _log_transform(s: Array) -> Array:
    """ln E e^(−sX²) of X ~ Lap(1): ln(√π z erfcx(z)), z = 1/(2√s), for s > 0."""
    z = 0.5 / np.sqrt(s)
    # Where z is large the two factors cancel; the asymptotic series does not.
    far = s < 2e-4
    x = np.where(far, 2 * s, 0.0)
    series = np.log1p(-x + 3 * x**2 - 15 * x**3 + 105 * x**4 - 945 * x**5)
    near = np.log(math.sqrt(math.pi) * z * special().erfcx(z))
    return np.asarray(np.where(far, series, near))


def laplace_length(k: Array) -> Array:
    """E‖X‖₂ of `k` coordinates Lap(1), shape of `k`: ∫ (1 − M(s)^k) s^(−3/2) ds / 2√π with
    M(s) = E e^(−sX²), by equal steps in ln s."""
    k = np.asarray(k, dtype=np.float64)
    t = np.arange(-76.0, 76.0, 0.25)
    lost = -np.expm1(k[..., None] * _log_transform(np.exp(t)))
    return np.asarray((lost @ np.exp(-t / 2)) * 0.25 / (2 * math.sqrt(math.pi)))


def _normal_length(k: Array) -> Array:
    gammaln = special().gammaln
    return np.asarray(math.sqrt(2) * np.exp(gammaln((k + 1) / 2) - gammaln(k / 2)))


def _ball_length(k: Array) -> Array:
    return k


_LENGTH = {"laplace": laplace_length, "normal": _normal_length, "ball": _ball_length}
