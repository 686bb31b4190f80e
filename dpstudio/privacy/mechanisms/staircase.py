"""The staircase mechanism (Geng & Viswanath 2016): steps instead of an exponential, and the least
noise there is for one number."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.privacy.mechanisms.additive import Additive, Sensitivity
from dpstudio.privacy.mechanisms.law import Array, Law, power_of, turn
from dpstudio.privacy.mechanisms.loss import Loss, Worst
from dpstudio.privacy.sampling import ReleaseRandom, at_most, exponential_above
from dpstudio.values.fields import choice, real
from dpstudio.values.messages import N_

_STEPS = 20_000
# From this ε on floats cannot tell the noise from none; a smaller ε than asked for is always safe.
_MOST = 500.0


@dataclass(frozen=True)
class StaircaseLaw(Law):
    """Steps of width `width` that fall by e^−ε from one to the next; the first part `gamma` of each
    step is the high one.

    Density c·e^(−kε)/width on [k, k + γ)·width and c·e^(−(k+1)ε)/width on [k + γ, k + 1)·width,
    mirrored about 0.
    """

    flat = True

    width: float
    epsilon: float
    gamma: float

    @property
    def _b(self) -> float:
        return math.exp(-self.epsilon)

    @property
    def _mean_level(self) -> float:
        return self.gamma + self._b * (1 - self.gamma)

    @property
    def _c(self) -> float:
        return -math.expm1(-self.epsilon) / (2 * self._mean_level)

    def density(self, x: ArrayLike) -> Array:
        size = np.abs(np.asarray(x, dtype=np.float64)) / self.width
        step = np.floor(size)
        low = size - step >= self.gamma
        return np.asarray(self._c / self.width * np.exp(-self.epsilon * (step + low)))

    def _tail(self, size: Array) -> Array:
        """P(X > size·width), size ≥ 0."""
        step = np.floor(size)
        part = size - step
        # From the end of the step down, so that the low part of a steep step keeps its digits.
        high = 0.5 - self._c * part
        low = self._b * (0.5 + self._c * (1 - part))
        return np.asarray(np.exp(-self.epsilon * step) * np.where(part < self.gamma, high, low))

    def cdf(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        tail = self._tail(np.abs(x) / self.width)
        return np.where(x < 0, tail, 1 - tail)

    def quantile(self, u: ArrayLike) -> Array:
        u = np.asarray(u, dtype=np.float64)
        tail = np.maximum(np.minimum(u, 1 - u), 1e-300)
        step = np.maximum(0.0, np.floor(np.log(2 * tail) / -self.epsilon))
        inside = tail * np.exp(self.epsilon * step)
        high = (0.5 - inside) / self._c
        low = 1 - (inside / self._b - 0.5) / self._c
        part = np.where(high < self.gamma, high, np.maximum(low, self.gamma))
        return np.asarray(np.where(u < 0.5, -1.0, 1.0) * (step + np.clip(part, 0, 1)) * self.width)

    def half_width(self, confidence: float) -> float:
        # The lower tail keeps its digits when confidence is close to 1.
        return abs(float(self.quantile((1 - confidence) / 2)))

    def kinks(self, low: float, high: float) -> Array:
        """The edges of the steps, those of the first 20,000 on either side."""
        reach = min(_STEPS, math.ceil(max(abs(low), abs(high)) / self.width) + 1)
        steps = np.arange(reach, dtype=np.float64)
        ends = np.concatenate([steps, steps + self.gamma]) * self.width
        both = np.unique(np.concatenate([-ends, ends]))
        return both[(both >= low) & (both <= high)]

    @property
    def mean_abs(self) -> float:
        b, g = self._b, self.gamma
        return self.width * (
            b / -math.expm1(-self.epsilon) + (g**2 + b * (1 - g**2)) / (2 * self._mean_level)
        )

    @property
    def variance(self) -> float:
        b, g, gap = self._b, self.gamma, -math.expm1(-self.epsilon)
        second, third = g**2 + b * (1 - g**2), (g**3 + b * (1 - g**3)) / 3
        return self.width**2 * (
            b * (1 + b) / gap**2 + (second * b / gap + third) / self._mean_level
        )

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        """The step, its high or low part, the place within that, the sign (Geng & Viswanath 2016,
        Algorithm 1)."""
        out = rng.standard_exponential(size)
        np.floor(np.divide(out, self.epsilon, out=out), out=out)
        place, side = rng.random(size), rng.random(size)
        # One uniform tells the sign and, what is left of it being uniform again, the part.
        negative = side < 0.5
        side *= 2
        side -= ~negative
        high = side * self._mean_level < self.gamma
        place *= np.where(high, self.gamma, 1 - self.gamma)
        out += place
        out += np.where(high, 0.0, self.gamma)
        out *= self.width
        turn(out, negative)
        return out

    def leave(
        self, chance: ReleaseRandom, count: int, step: Fraction, wider: Fraction
    ) -> list[int]:
        """Stairs of whole steps of the grid, as wide as `wider`·width at least, with odds that are
        fractions at e^−ε or a hair above, since parts of an ε are rounded: a move of one width
        crosses one stair at most."""
        width = math.ceil(Fraction(self.width) * wider / step)
        high = min(width, round(Fraction(self.gamma) * width))
        fall = exponential_above(at_most(self.epsilon) / wider)
        first = Fraction(high) / (high + (width - high) * fall)

        def one() -> int:
            while True:
                size = 0
                while chance.chance(fall):
                    size += width
                size += (
                    chance.randbelow(high)
                    if chance.chance(first)
                    else high + chance.randbelow(width - high)
                )
                negative = chance.randbelow(2) == 1
                if size or not negative:
                    return -size if negative else size

        return [one() for _ in range(count)]

    def delta(self, epsilon: float, shift: float) -> float:
        """For a shift by one whole step the loss takes three values only, ε₀, 0 and −ε₀; other
        shifts are integrated."""
        if not math.isclose(shift, self.width, rel_tol=1e-12):
            return super().delta(epsilon, shift)
        return self.joint_delta(epsilon, 1)

    def joint_delta(self, epsilon: float, count: int) -> float:
        """δ(ε) where `count` ≥ 1 independent coordinates are shifted by a whole step each: their
        losses, each ε₀, 0 or −ε₀, add up."""
        losses, masses = self.joint_losses(count)
        return float(np.sum(masses * np.maximum(-np.expm1(np.minimum(epsilon - losses, 0.0)), 0.0)))

    def joint_losses(self, count: int) -> tuple[Array, Array]:
        """The losses that `count` coordinates can add up to, ascending by ε₀, and their masses."""
        most = 0.5 + self._c * min(self.gamma, 1 - self.gamma)
        one = np.array([most * self._b, max(0.0, 1 - most - most * self._b), most])
        masses = power_of(one, count)
        losses = np.asarray(self.epsilon * (np.arange(len(masses)) - (len(masses) - 1) / 2))
        return losses, masses


LOSSES = {"l1": N_("least mean absolute error"), "l2": N_("least variance"), "hand": N_("by hand")}


def best_gamma(epsilon: float, loss: str) -> float:
    """γ of least E|X| (`loss` "l1") or least E X² ("l2"; Geng & Viswanath 2016), in
    (0, 1/2] for ε > 0."""
    if loss == "l1":
        return math.exp(-epsilon / 2) / (1 + math.exp(-epsilon / 2))
    b = math.exp(-epsilon)
    return float(((b * (1 + b) / 2) ** (1 / 3) - b) / -math.expm1(-epsilon))


class Staircase(Additive):
    """ε-DP for real answers. Every coordinate that one person can move gets an equal part of ε and
    steps as wide as its move.

    The steps of several coordinates may all be crossed by small moves at once, so an L1 sensitivity
    would not do here.
    """

    key = "staircase"
    label = N_("Staircase")
    formula = N_("steps of Δ∞, each e⁻ᵋ of the last")
    source = "Geng & Viswanath 2016"
    norm = "linf"
    ink = "staircase"

    loss: str = choice(
        "l1",
        N_("Shape"),
        N_("What the width γ of the high part of a step is chosen for."),
        options=LOSSES,
    )
    gamma: float = real(
        0.5,
        N_("γ"),
        N_("The high part of each step, when chosen by hand."),
        low=0,
        high=1,
        active_when=("loss", "hand"),
    )

    def of_least_deviation(self) -> Self:
        return replace(self, loss="l2")

    def delta_at(self, epsilon: float, sensitivity: Sensitivity) -> float:
        """Exact δ(ε) where one person moves `l0` coordinates by Δ∞ each."""
        return self.law(sensitivity).joint_delta(epsilon, sensitivity.l0)

    def worst(self, sensitivity: Sensitivity, people: int = 1) -> Worst | None:
        """Every coordinate that one person can move, each by a whole step: a smaller move crosses
        fewer steps, and loses ε less often. Beyond one step the worst move is not known."""
        if people > 1:
            return None
        law = self.law(sensitivity)
        places, masses = law.joint_losses(sensitivity.l0)
        full = (sensitivity.linf,) * sensitivity.l0
        loss = Loss(tuple(places.tolist()), tuple(masses.tolist()), law.epsilon)
        return Worst(loss, full in sensitivity.patterns)

    def law(self, sensitivity: Sensitivity) -> StaircaseLaw:
        """Steps as wide as Δ∞ with ε/l0 for each coordinate; γ by `loss`."""
        epsilon = min(_MOST, self.epsilon / sensitivity.l0)
        gamma = self.gamma if self.loss == "hand" else best_gamma(epsilon, self.loss)
        return StaircaseLaw(sensitivity.linf, epsilon, gamma)
