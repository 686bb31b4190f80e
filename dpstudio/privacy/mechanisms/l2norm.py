"""The L2-norm mechanism: pure ε-DP noise for a vector by its L2 sensitivity (Hardt & Talwar 2010,
the K-norm mechanism, K a ball)."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.privacy.mechanisms.additive import OverEpsilon, Sensitivity
from dpstudio.privacy.mechanisms.gaussian import special
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Array, Law, density_of_all, legendre
from dpstudio.privacy.mechanisms.loss import Worst, laplace
from dpstudio.values.messages import N_
from dpstudio.values.roots import root

_NODES = 260
_FALL = 42.0
_SQRT_2PI = math.sqrt(2 * math.pi)


@lru_cache(maxsize=64)
def _mixture(dims: int) -> tuple[Array, Array]:
    """Standard deviations and weights with Σ wᵢ N(0, sᵢ²) the law of a coordinate for Δ₂ = ε = 1.

    Shape (260,) each. A vector with density ∝ e^−‖b‖ is √(2W)·Z with Z normal and W ~ Gamma((d +
    1)/2). The integral over ln W has a smooth integrand that falls off on both sides, so equal
    steps integrate it to the last digits.
    """
    shape = (dims + 1) / 2

    def fall(t: float, power: float) -> float:
        # How far ln of the weight at ln W = t lies below its peak, less what is cut off.
        return power * (math.log(power) - 1) - (power * t - math.exp(t)) - _FALL

    low = root(
        lambda t: -fall(t, shape - 0.5),
        math.log(shape - 0.5) - 2 * _FALL / (shape - 0.5) - 3,
        math.log(shape - 0.5),
    )
    high = root(
        lambda t: fall(t, shape), math.log(shape), math.log(shape + 80 + 12 * math.sqrt(shape))
    )
    t = np.linspace(low, high, _NODES)
    weights = np.exp(shape * t - np.exp(t) - math.lgamma(shape))
    weights /= weights.sum()
    return np.sqrt(2 * np.exp(t)), weights


@lru_cache(maxsize=64)
def _tails(dims: int) -> tuple[Array, Array, Array]:
    """(x, ln P(X > x), its slope) for Δ₂ = ε = 1 on a grid from 0 far into the tail."""
    deviations, weights = _mixture(dims)
    x = 60 * math.sqrt(dims + 1) * np.linspace(0, 1, 1200) ** 2
    tail = special().ndtr(-x[:, None] / deviations) @ weights
    x, tail = x[tail > 1e-30], tail[tail > 1e-30]
    density = np.exp(-((x[:, None] / deviations) ** 2) / 2) @ (weights / (deviations * _SQRT_2PI))
    return x, np.log(tail), -density / tail


def _tail(dims: int, x: Array) -> Array:
    """P(X > x), x ≥ 0, for Δ₂ = ε = 1: cubic in ln P between grid points whose slopes are exact.
    Relative error below 1e-9."""
    at, logs, slopes = _tails(dims)
    place = np.clip(np.searchsorted(at, x) - 1, 0, len(at) - 2)
    width = at[place + 1] - at[place]
    t = (np.minimum(x, at[-1]) - at[place]) / width
    left, right = logs[place], logs[place + 1]
    bend_left, bend_right = slopes[place] * width, slopes[place + 1] * width
    cubic = left + t * (
        bend_left
        + t
        * (
            3 * (right - left)
            - 2 * bend_left
            - bend_right
            + t * (2 * (left - right) + bend_left + bend_right)
        )
    )
    return np.asarray(np.exp(cubic + slopes[-1] * np.maximum(x - at[-1], 0)))


@dataclass(frozen=True)
class NormLaw(Law):
    """One coordinate of a vector of `dims` ≥ 2 with density ∝ e^(−‖b‖₂/scale): the symmetric
    variance-gamma law.

    All coordinates share their length, so they are uncorrelated but not independent.
    """

    dims: int
    scale: float

    def _parts(self) -> tuple[Array, Array]:
        deviations, weights = _mixture(self.dims)
        return deviations * self.scale, weights

    def density(self, x: ArrayLike) -> Array:
        deviations, weights = self._parts()
        z = np.asarray(x, dtype=np.float64)[..., None] / deviations
        return np.asarray(np.exp(-z * z / 2) @ (weights / (deviations * _SQRT_2PI)))

    def cdf(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        tail = _tail(self.dims, np.abs(x) / self.scale)
        return np.asarray(np.where(x < 0, tail, 1 - tail))

    def quantile(self, u: ArrayLike) -> Array:
        u = np.asarray(u, dtype=np.float64)
        target = np.log(np.maximum(np.minimum(u, 1 - u), 1e-28))
        at, log_tails, _ = _tails(self.dims)
        x = np.interp(-target, -log_tails, at)
        unit = NormLaw(self.dims, 1.0)
        for _ in range(5):  # Newton on ln of the tail, which is nearly straight
            tail = np.maximum(_tail(self.dims, x), 1e-300)
            x = np.maximum(
                0.0, x + (np.log(tail) - target) * tail / np.maximum(unit.density(x), 1e-300)
            )
        return np.asarray(np.where(u < 0.5, -x, x) * self.scale + 0.0)

    @property
    def mean_abs(self) -> float:
        shape = (self.dims + 1) / 2
        return (
            self.scale
            * 2
            / math.sqrt(math.pi)
            * math.exp(math.lgamma(shape + 0.5) - math.lgamma(shape))
        )

    @property
    def variance(self) -> float:
        return (self.dims + 1) * self.scale**2

    def half_width(self, confidence: float) -> float:
        return float(self.quantile(np.array([(1 - confidence) / 2]))[0]) * -1

    def all_inside(self, x: Array, count: ArrayLike, below: ArrayLike = 0) -> Array:
        inside, under, _, weights = self._normals(x)
        out = inside ** np.asarray(count)[..., None]
        if np.any(below):
            out = out * under ** np.asarray(below)[..., None]
        return np.asarray(out @ weights)

    def all_density(self, x: Array, count: ArrayLike, below: ArrayLike = 0) -> Array:
        inside, under, slope, weights = self._normals(x)
        counts = np.asarray(count)[..., None], np.asarray(below)[..., None]
        at = np.asarray(x, dtype=np.float64)[..., None]
        return density_of_all(slope, slope, inside, under, counts, at) @ weights

    def _normals(self, x: Array) -> tuple[Array, Array, Array, Array]:
        """(P(|Z| ≤ x), P(Z ≤ x), density at x) of every normal of the mixture, x ≥ 0, shape of `x`
        and one more axis; and the weights of that axis."""
        deviations, weights = self._parts()
        z = np.maximum(np.asarray(x, dtype=np.float64), 0)[..., None] / deviations
        inside = special().erf(z / math.sqrt(2))
        return inside, (1 + inside) / 2, np.exp(-z * z / 2) / (deviations * _SQRT_2PI), weights

    def all_half_width(self, confidence: float, count: int) -> float:
        """By the root of `all_inside`: the coordinates share their length."""
        high = self.half_width(math.exp(math.log(confidence) / count))
        while float(self.all_inside(np.array([high]), count)[0]) < confidence:
            high *= 1.5
        return root(
            lambda w: float(self.all_inside(np.array([w]), count)[0]) - confidence, 0.0, high
        )

    def delta(self, epsilon: float, shift: float) -> float:
        """Raises NotImplementedError: a coordinate alone does not tell how far its vector can move;
        `L2Norm.delta_at` knows."""
        raise NotImplementedError(
            "the hockey stick of an L2-norm vector is that of all its coordinates: L2Norm.delta_at"
        )

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        """√(2W)·Z: draws of one coordinate, each of a vector of its own."""
        return np.asarray(
            np.sqrt(2 * rng.standard_gamma((self.dims + 1) / 2, size))
            * rng.standard_normal(size)
            * self.scale
        )


class L2Norm(OverEpsilon):
    """Noise with density ∝ e^(−ε‖b‖₂/Δ₂): length Gamma(d, Δ₂/ε), direction uniform. ε-DP by the
    triangle inequality.

    For one coordinate it is the Laplace mechanism. (Chaudhuri, Monteleoni & Sarwate 2011, Algorithm
    1, uses it for models.)
    """

    key = "l2norm"
    label = N_("L2 norm")
    formula = "∝ exp(−ε‖b‖₂/Δ₂)"
    source = N_("Hardt & Talwar 2010 (K-norm mechanism)")
    norm = "l2"
    ink = "l2norm"

    @classmethod
    def sketch(cls) -> Law:
        """One coordinate: Laplace noise."""
        return LaplaceLaw(1.0)

    def law(self, sensitivity: Sensitivity) -> NormLaw | LaplaceLaw:
        """One coordinate of a vector of `dims` of them with scale Δ₂/ε."""
        scale = sensitivity.l2 / self.epsilon
        return NormLaw(sensitivity.dims, scale) if sensitivity.dims > 1 else LaplaceLaw(scale)

    def noise(
        self, rng: np.random.Generator, sensitivity: Sensitivity, answers: int, dims: int
    ) -> Array:
        """Noise vectors, shape (answers, dims): a uniform direction times a Gamma length."""
        direction = rng.standard_normal((answers, dims))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        return np.asarray(
            direction * rng.standard_gamma(dims, (answers, 1)) * (sensitivity.l2 / self.epsilon)
        )

    def worst(self, sensitivity: Sensitivity, people: int = 1) -> Worst | None:
        """In one coordinate that of Laplace noise; in more it loses less than ε allows."""
        return Worst(laplace(people * self.epsilon)) if sensitivity.dims == 1 else None

    def delta_at(self, epsilon: float, sensitivity: Sensitivity) -> float:
        """Exact δ(ε) of the whole vector moved by Δ₂ (`ball_delta`)."""
        return ball_delta(epsilon, self.epsilon, sensitivity.dims)


def radius_edges(dims: int) -> Array:
    """Ends of panels in which the law Gamma(`dims`) of the radius is smooth, ascending from 0 to
    where 1e-13 of it lies beyond."""
    shares = [1e-9, 1e-6, 1e-3, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999, 1 - 1e-7, 1 - 1e-13]
    return np.append(0.0, special().gammaincinv(dims, np.array(shares)))


def ball_delta(epsilon: float, full: float, dims: int) -> float:
    """Exact δ(ε), ε ≥ 0, of noise with density ∝ e^(−full·‖b‖₂) on `dims` ≥ 1 coordinates against
    its shift by a vector of length 1; `full` is the largest loss.

    In polar coordinates about the shift: the loss full·(‖b + s‖ − ‖b‖) exceeds ε within a cone that
    depends on the radius.
    """
    if epsilon >= full:
        return 0.0
    if dims == 1:
        return LaplaceLaw(1 / full).delta(epsilon, 1.0)
    nodes, weights = legendre(48)
    unit, mass = (nodes + 1) / 2, weights / 2
    # The cone opens like a root at this radius: a panel ends there, and all are entered as squares.
    edges = radius_edges(dims)
    edges = np.unique(np.append(edges, min((full - epsilon) / 2, edges[-1])))
    radius = (edges[:-1, None] + np.diff(edges)[:, None] * unit**2).ravel()
    radial = (np.diff(edges)[:, None] * 2 * unit * mass).ravel() * np.exp(
        (dims - 1) * np.log(radius) - radius - math.lgamma(dims)
    )
    return float(radial @ _cone_delta(epsilon, full, dims, radius / full))


def _cone_delta(epsilon: float, full: float, dims: int, r: Array) -> Array:
    """Σ (1 − e^(ε − loss)) over the directions in the cone where the loss exceeds ε, at each radius
    `r`: over the angle, in four panels."""
    nodes, weights = legendre(48)
    unit, mass = (nodes + 1) / 2, weights / 2
    kappa = epsilon / full
    most = np.arccos(np.clip(kappa + (kappa * kappa - 1) / (2 * r), -1, 1))
    least = max(0.0, math.pi / 2 - 13 / math.sqrt(dims))
    total = np.zeros_like(r)
    log_norm = math.lgamma(dims / 2) - math.lgamma((dims - 1) / 2) - math.log(math.pi) / 2
    for part in range(4):
        span = np.maximum(most - least, 0) / 4
        theta = least + span[:, None] * (part + unit)
        loss = full * (np.sqrt(r[:, None] ** 2 + 2 * r[:, None] * np.cos(theta) + 1) - r[:, None])
        with np.errstate(divide="ignore"):
            angular = np.exp(log_norm + (dims - 2) * np.log(np.sin(theta)))
        total += (np.maximum(-np.expm1(epsilon - loss), 0) * angular) @ mass * span
    return total
