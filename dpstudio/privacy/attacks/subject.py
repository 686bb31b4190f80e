"""What can be audited: a mechanism between two neighbours; here those that add noise, right ones
and wrong ones."""

import math
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.guessing import log_ratio
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.additive import EPSILON, Additive, Sensitivity
from dpstudio.privacy.mechanisms.gaussian import TextbookGaussian
from dpstudio.privacy.mechanisms.laplace import Laplace, LaplaceLaw
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, Parameters, param

_LOSS_DIGITS = 10  # a loss that is the same at many outputs must not be torn apart by rounding


class Subject(Parameters):
    """A mechanism run on D (side 0) and on its neighbour D′ (side 1). `what` says what is right or
    wrong with it."""

    what: ClassVar[str] = ""
    whole: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """What it is called among all subjects."""
        return self.label

    @property
    def claim(self) -> tuple[float, float]:
        """The declared (ε, δ)."""
        return float(getattr(self, "epsilon", 0.0)), 0.0

    def exact(self) -> float:
        """The smallest ε that is true at the declared δ between these two neighbours; ∞ where none
        is."""
        raise NotImplementedError

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        """Outputs of the mechanism as it is written, shape (size,), or (size, d) for vectors."""
        raise NotImplementedError

    def loss(self, outputs: Array) -> Array:
        """ln P(output | D)/P(output | D′) by the exact law, shape (size,); ±∞ where only one of
        them can give it."""
        raise NotImplementedError

    @property
    def integers(self) -> bool:
        """Whether outputs are whole numbers."""
        return self.whole

    @property
    def broken(self) -> bool:
        """Whether the exact ε lies above the declared one."""
        return self.exact() > self.claim[0] * (1 + 1e-9)


def score(subject: Subject, events: str, outputs: Array) -> Array:
    """The number by whose size events are formed: the privacy loss ("loss"), or the output, of
    vectors the sum ("lines")."""
    if events == "loss":
        return np.asarray(np.round(subject.loss(outputs), _LOSS_DIGITS) + 0.0)
    return np.asarray(outputs.sum(axis=1) if outputs.ndim > 1 else outputs)


class Catalogued(Subject):
    """Noise of the catalogue on d numbers, each of which one person moves by 1."""

    key = "mechanism"
    label = N_("Added noise")
    what = N_("As in the catalogue: every one of the numbers moves by 1 between D and D′.")

    mechanism: Additive = param(
        Laplace(), OneOf(N_("Mechanism"), N_("Which noise is audited."), family=lambda: MECHANISMS)
    )
    dims: int = integer(
        1,
        N_("Numbers d"),
        N_("How many numbers one answer holds; one person moves each by 1."),
        low=1,
        high=20,
    )

    @property
    def name(self) -> str:
        return self.mechanism.label

    @property
    def claim(self) -> tuple[float, float]:
        return self.mechanism.epsilon, self.mechanism.total_delta

    @property
    def integers(self) -> bool:
        return self.mechanism.integers

    @property
    def sensitivity(self) -> Sensitivity:
        """Of one row that enters or leaves, in three norms."""
        return Sensitivity(
            float(self.dims),
            math.sqrt(self.dims),
            1.0,
            l0=self.dims,
            dims=self.dims,
            moves=((1.0,) * self.dims,),
        )

    def exact(self) -> float:
        return epsilon_at(self.mechanism, self.sensitivity, self.mechanism.total_delta)

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        noise = self.mechanism.noise(rng, self.sensitivity, size, self.dims) + side
        return noise[:, 0] if self.dims == 1 else noise

    def loss(self, outputs: Array) -> Array:
        law = self.mechanism.law(self.sensitivity)
        x = outputs.reshape(len(outputs), -1)
        if (
            self.mechanism.key == "l2norm"
        ):  # coordinates that share their length: the density is e^(−ε‖x‖/Δ₂)
            return np.asarray(
                (np.linalg.norm(x - 1, axis=1) - np.linalg.norm(x, axis=1))
                * self.mechanism.epsilon
                / self.sensitivity.l2
            )
        losses = log_ratio(law, x, 1.0).sum(axis=1)
        if law.atoms:  # a leak shows the whole exact vector, which the neighbour never gives
            losses = np.where(
                (x == 0).all(axis=1), np.inf, np.where((x == 1).all(axis=1), -np.inf, losses)
            )
        return np.asarray(losses)


def epsilon_at(mechanism: Additive, sensitivity: Sensitivity, delta: float) -> float:
    """The smallest ε with δ(ε) ≤ `delta` for the exact curve of the mechanism, to 12 digits."""

    def kept(epsilon: float) -> bool:
        return mechanism.delta_at(epsilon, sensitivity) <= delta * (1 + 1e-12)

    low, high = 0.0, mechanism.epsilon
    if kept(low):
        return 0.0
    while not kept(high):
        low, high = high, 2 * high
    for _ in range(48):
        middle = (low + high) / 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    return high


class LargeTextbook(Catalogued):
    """The textbook's Gaussian above the ε up to which it keeps its promise, at a δ so large that
    draws can show it."""

    key = "large_textbook"
    label = N_("Large textbook")
    what = N_(
        "Gaussian noise by the textbook formula σ = √(2 ln(1.25/δ))/ε, which is proven for ε < 1 "
        "only."
    )

    mechanism: Additive = param(
        TextbookGaussian(epsilon=6.0, delta=0.5),
        OneOf(N_("Mechanism"), N_("Which noise is audited."), family=lambda: [TextbookGaussian]),
    )

    @property
    def name(self) -> str:
        return self.label


class L2Laplace(Subject):
    """Lap(Δ₂/ε) on each of d numbers, all of which move by Δ₂/√d: the real ε is √d·ε."""

    key = "l2_laplace"
    label = N_("L2 Laplace")
    what = N_(
        "Independent Laplace noise is scaled by the L2 sensitivity; it needs the L1 one, √d times "
        "as large."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)
    dims: int = integer(
        10, N_("Numbers d"), N_("How many numbers the answer holds."), low=1, high=64, log=True
    )

    def exact(self) -> float:
        return math.sqrt(self.dims) * self.epsilon

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        noise = LaplaceLaw(1 / self.epsilon).sample(rng, size * self.dims) + side / math.sqrt(
            self.dims
        )
        return noise if self.dims == 1 else noise.reshape(size, self.dims)

    def loss(self, outputs: Array) -> Array:
        x = outputs.reshape(len(outputs), -1)
        return np.asarray(
            self.epsilon * (np.abs(x - 1 / math.sqrt(self.dims)) - np.abs(x)).sum(axis=1)
        )


class HalfNoise(Subject):
    """Laplace noise of which a share is added only, as where the sensitivity of replacing a row is
    taken for that of adding one."""

    key = "half_noise"
    label = N_("Half noise")
    what = N_("Laplace noise of less than the scale Δ/ε, as where one person counts twice.")
    whole = False

    epsilon: float = param(1.0, EPSILON)
    share: float = real(
        0.5,
        N_("Share of the noise"),
        N_("The scale that is used, as a part of Δ/ε."),
        low=0.1,
        high=1.0,
    )

    @property
    def law(self) -> LaplaceLaw:
        """The noise as it is drawn."""
        return LaplaceLaw(self.share / self.epsilon)

    def exact(self) -> float:
        return self.epsilon / self.share

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        return self.law.sample(rng, size) + side

    def loss(self, outputs: Array) -> Array:
        return np.asarray((np.abs(outputs - 1) - np.abs(outputs)) / self.law.b)


class IgnoredEpsilon(Subject):
    """A bar of a histogram that costs ε by its argument and gets ⌊count + Lap(1)⌋ whatever that
    is."""

    key = "ignored_epsilon"
    label = N_("Ignored ε")
    what = N_(
        "The histogram takes an ε and then adds Laplace noise at ε = 1, cut to whole numbers."
    )

    # Not `epsilon`: see HistogramEpsilon.
    asked: float = real(
        0.1, N_("ε asked for"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True
    )

    @property
    def claim(self) -> tuple[float, float]:
        return self.asked, 0.0

    def exact(self) -> float:
        return 1.0

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        return np.floor(LaplaceLaw(1.0).sample(rng, size) + side)

    def loss(self, outputs: Array) -> Array:
        # P(k) = e^(−max(k, −k − 1))·(1 − 1/e)/2 for a count of 0.
        return np.asarray(np.maximum(outputs - 1, -outputs) - np.maximum(outputs, -outputs - 1))
