"""Ways to draw x + Laplace noise: with doubles as they are usually written, and with integers; and
what each can give."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.float_bits import Mask, reachable
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.messages import N_

GRID = 2.0**-10
_STEP = 2.0**-53
_NEAR = range(-3, 4)
_DENOMINATOR = 1_000_000

Draw = Callable[[np.random.Generator, int, float, int], Array]
Reach = Callable[[Array, int, float], Mask]


@dataclass(frozen=True)
class Sampler:
    """`draw(rng, x, ε, size)` gives outputs; `reach(outputs, x, ε)` says which of them the sampler
    can give from x at all, None where nobody has worked that out. `grid` is what every output is a
    multiple of, 0 where the noise is a double that is rounded as it falls."""

    key: str
    label: str
    ink: str
    grid: float
    draw: Draw
    reach: Reach | None
    source: str

    @property
    def floats(self) -> bool:
        """Whether the noise is a double that is rounded as it falls."""
        return self.grid == 0


def _numpy_draw(rng: np.random.Generator, x: int, epsilon: float, size: int) -> Array:
    return rng.laplace(0.0, 1 / epsilon, size) + float(x)


def _log(x: Array) -> Array:
    """The C library's logarithm, as numpy's generators and Python's math call it, and scipy for
    1·ln x. np.log rounds otherwise on one processor than on the next, and what is asked here hangs
    on the last bit."""
    from scipy.special import xlogy

    return np.asarray(xlogy(1.0, x))


def numpy_noise(uniform: Array, scale: float) -> Array:
    """What Generator.laplace(0, scale) makes of a uniform m·2⁻⁵³, to the last bit, 0 < m < 2⁵³
    (numpy's random_laplace)."""
    u = np.asarray(uniform, dtype=np.float64)
    inner = np.where(u >= 0.5, 2.0 - u - u, u + u)
    log = _log(inner)
    return np.asarray(np.where(u >= 0.5, -(scale * log), scale * log))


def _numpy_reach(outputs: Array, x: int, epsilon: float) -> Mask:
    """Whether some uniform makes Generator.laplace give just this output: those next to the one
    that the inverse names."""
    scale = 1 / epsilon
    n = outputs - x
    half = np.exp(-np.abs(n) / scale) / 2
    middle = np.rint(np.where(n < 0, half, 1 - half) / _STEP)
    found = np.zeros(len(outputs), dtype=np.bool_)
    left = np.flatnonzero(reachable(outputs, float(x)))  # by any noise at all
    for step in sorted(_NEAR, key=abs):
        tried = np.clip(middle[left] + step, 1, 2**53 - 1) * _STEP
        met = numpy_noise(tried, scale) + float(x) == outputs[left]
        found[left[met]] = True
        left = left[~met]
    return found


def inverse_noise(uniform: Array, scale: float) -> Array:
    """−scale·ln u of uniforms in (0, 1]: the size of the noise by the textbook's inversion."""
    return np.asarray(-scale * _log(uniform))


def _inverse_draw(rng: np.random.Generator, x: int, epsilon: float, size: int) -> Array:
    noise = inverse_noise(1 - rng.random(size), 1 / epsilon)
    return np.asarray(np.where(rng.random(size) < 0.5, -noise, noise) + float(x))


def _inverse_reach(outputs: Array, x: int, epsilon: float) -> Mask:
    scale = 1 / epsilon
    middle = np.rint(np.exp(-np.abs(outputs - x) / scale) / _STEP)
    found = np.zeros(len(outputs), dtype=np.bool_)
    for step in _NEAR:
        noise = inverse_noise(np.clip(middle + step, 1, 2**53) * _STEP, scale)
        found |= (float(x) + noise == outputs) | (float(x) - noise == outputs)
    return found


def _studio_draw(rng: np.random.Generator, x: int, epsilon: float, size: int) -> Array:
    return LaplaceLaw(1 / epsilon).sample(rng, size) + float(x)


def _rounded_draw(rng: np.random.Generator, x: int, epsilon: float, size: int) -> Array:
    return np.asarray(np.rint(_numpy_draw(rng, x, epsilon, size) / GRID) * GRID)


def _on_grid(grid: float, outputs: Array, x: int, epsilon: float) -> Mask:
    return np.asarray(outputs == np.rint(outputs / grid) * grid)


def rational(epsilon: float) -> Fraction:
    """The fraction with which the integer sampler works: the one typed, for up to six places."""
    return Fraction(epsilon).limit_denominator(_DENOMINATOR)


def _integer_draw(rng: np.random.Generator, x: int, epsilon: float, size: int) -> Array:
    return (x + discrete_laplace(rng, rational(epsilon), size)).astype(np.float64)


def discrete_laplace(rng: np.random.Generator, rate: Fraction, size: int) -> NDArray[np.int64]:
    """Integers with P(k) ∝ e^(−rate·|k|) from uniform integers alone (Canonne, Kamath & Steinke
    2020, Algorithm 2), shape (size,): many at once, from a seed, to look at. What leaves is drawn
    by `ReleaseRandom`."""
    s, t = rate.numerator, rate.denominator
    kept: list[NDArray[np.int64]] = []
    missing = size
    while missing > 0:
        tries = 2 * missing + 64
        u = rng.integers(0, t, tries)
        u = u[_exp_coin(rng, u, t)]
        v = np.zeros(len(u), dtype=np.int64)
        going = np.arange(len(u))
        while len(going):
            going = going[_exp_coin(rng, np.ones(len(going), dtype=np.int64), 1)]
            v[going] += 1
        k = (u + t * v) // s
        negative = rng.integers(0, 2, len(k)) == 1
        fits = ~(negative & (k == 0))
        kept.append(np.where(negative, -k, k)[fits][:missing])
        missing -= len(kept[-1])
    return np.concatenate(kept)


def _exp_coin(rng: np.random.Generator, above: NDArray[np.int64], below: int) -> Mask:
    """True with probability e^(−above/below), 0 ≤ above/below ≤ 1, by comparing integers (the same
    paper, Algorithm 1)."""
    out = np.zeros(len(above), dtype=np.bool_)
    going, k = np.arange(len(above)), 1
    while len(going):
        on = rng.integers(0, below * k, len(going)) < above[going]
        out[going[~on]] = k % 2 == 1
        going, k = going[on], k + 1
    return out


SAMPLERS: dict[str, Sampler] = {
    s.key: s
    for s in (
        Sampler(
            "numpy",
            N_("numpy Laplace"),
            "laplace",
            0.0,
            _numpy_draw,
            _numpy_reach,
            "numpy Generator.laplace",
        ),
        Sampler(
            "inverse",
            N_("inverse cdf"),
            "staircase",
            0.0,
            _inverse_draw,
            _inverse_reach,
            "Mironov 2012",
        ),
        Sampler(
            "studio",
            N_("this studio’s"),
            "accent",
            0.0,
            _studio_draw,
            None,
            "ziggurat of numpy’s standard_exponential",
        ),
        Sampler(
            "integer",
            N_("exact integers"),
            "geometric",
            1.0,
            _integer_draw,
            partial(_on_grid, 1.0),
            "Canonne, Kamath & Steinke 2020",
        ),
        Sampler(
            "rounded",
            N_("grid of 2⁻¹⁰"),
            "discrete_gaussian",
            GRID,
            _rounded_draw,
            partial(_on_grid, GRID),
            "Mironov 2012",
        ),
    )
}
