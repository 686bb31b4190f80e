"""What can be audited: principal components of a few rows and of one row more, in every way of the
catalogue and with noise as printed."""

import math
from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.gdp import gdp_epsilon
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.learning import bingham, components, power, printed
from dpstudio.privacy.learning.ways import WAYS, ExponentialSubspace, MatrixWay, NoisyPower, Way
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.privacy.mechanisms.gaussian import special, textbook_factor
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param

_UPPER = np.triu_indices(2)


class NoisyComponents(Subject):
    """Components of rows of two columns about 0; D′ has a row of length 1 more. What is looked at
    is the noisy matrix, every noisy product, or the first direction that is drawn."""

    key = "noisy_components"
    label = N_("Noisy components")
    what = N_(
        "Principal components of two columns about 0: a row of length 1 enters between D and D′. "
        "Looked at is the noisy matrix, every noisy product, or the direction that is drawn."
    )
    whole = False

    way: Way = param(
        ExponentialSubspace(), OneOf(N_("Way"), N_("Where the noise goes."), family=lambda: WAYS)
    )

    @property
    def claim(self) -> tuple[float, float]:
        return self.way.epsilon, float(getattr(self.way, "delta", 0.0))

    @property
    def row(self) -> Array:
        """The row that enters: its entries are alike where their sizes add up, as for Laplace."""
        alike = self.way.key == "laplace_matrix"
        return np.array([math.sqrt(0.5)] * 2 if alike else [1.0, 0.0])

    def moments(self, side: int) -> Array:
        """Those of three rows along one column, and of the row that enters."""
        return np.diag([3.0, 0.0]) + side * np.outer(self.row, self.row)

    @cached_property
    def scale(self) -> float:
        """Of the noise, as the way has it."""
        return self.way.scale(components.moved(False, ADD_REMOVE), 2, self.kept)

    @property
    def kept(self) -> int:
        """How many directions are asked: of a draw one, so that its law is known."""
        return 1 if isinstance(self.way, ExponentialSubspace) else 2

    def exact(self) -> float:
        """Added noise is calibrated to this very move; of a draw by its two constants."""
        if not isinstance(self.way, ExponentialSubspace):
            return self.way.epsilon
        rise = self._log_constant(1) - self._log_constant(0)
        return max(rise, 1 / self.scale - rise)

    def _log_constant(self, side: int) -> float:
        """ln ∫ exp(c·vᵀAv) over the circle, over its length: c·tr A/2 + ln I₀(c(λ₁ − λ₂)/2)."""
        c = bingham.strength(self.way.epsilon, components.moved(False, ADD_REMOVE))
        low, high = np.linalg.eigvalsh(self.moments(side))
        half = c * (high - low) / 2
        return float(c * (low + high) / 2 + math.log(special().ive(0, half)) + half)

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        a, way = self.moments(side), self.way
        if isinstance(way, MatrixWay):
            return np.asarray(a[_UPPER] + self.scale * way.unit_noise(rng, (size, 3)))
        if isinstance(way, NoisyPower):
            noise = self.scale * rng.standard_normal((way.steps, size, 2, 2))
            told = power.power_products(a, self._start(size), noise)
            return np.moveaxis(told, 0, 1).reshape(size, -1)
        far = components.moved(False, ADD_REMOVE)
        return np.asarray(bingham.exponential_subspaces(a, 1, way.epsilon, far, size, rng)[..., 0])

    def _start(self, size: int) -> Array:
        """Where the power method starts, which no row has a part in."""
        return np.broadcast_to(np.eye(2), (size, 2, 2))

    def loss(self, outputs: Array) -> Array:
        step = self.moments(1) - self.moments(0)
        if isinstance(self.way, NoisyPower):
            return self._loss_of_products(outputs)
        if isinstance(self.way, ExponentialSubspace):
            rise = self._log_constant(1) - self._log_constant(0)
            return np.asarray(rise - (outputs @ self.row) ** 2 / self.scale)
        far = outputs - self.moments(0)[_UPPER]
        if self.way.key == "laplace_matrix":
            apart = np.abs(far - step[_UPPER]).sum(axis=1) - np.abs(far).sum(axis=1)
            return np.asarray(apart / self.scale)
        shift = step[_UPPER]
        return np.asarray((shift @ shift / 2 - far @ shift) / self.scale**2)

    def _loss_of_products(self, outputs: Array) -> Array:
        """Each product with the basis that the one before it gave."""
        told = np.moveaxis(outputs.reshape(len(outputs), -1, 2, 2), 1, 0)
        x, total = self._start(len(outputs)), np.zeros(len(outputs))
        for place, product in enumerate(told):
            if place:
                x = np.linalg.qr(told[place - 1])[0]
            far = [((product - self.moments(s) @ x) ** 2).sum(axis=(1, 2)) for s in (0, 1)]
            total += (far[1] - far[0]) / (2 * self.scale**2)
        return total


class _Shifted(Subject):
    """Base of a number with Gaussian noise as printed."""

    whole = False

    epsilon: float = param(1.0, EPSILON)
    delta: float = param(1e-5, DELTA)

    @property
    def claim(self) -> tuple[float, float]:
        return self.epsilon, self.delta

    @property
    def shift(self) -> float:
        """By how much the row that enters moves the number."""
        return 1.0

    @property
    def sigma(self) -> float:
        """Of the noise."""
        raise NotImplementedError

    def exact(self) -> float:
        return float(gdp_epsilon(np.array(self.shift / self.sigma), self.delta))

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        return side * self.shift + self.sigma * rng.standard_normal(size)

    def loss(self, outputs: Array) -> Array:
        return np.asarray((self.shift / 2 - outputs) * self.shift / self.sigma**2)


class CentredMoments(_Shifted):
    """Moments about the mean with the noise of those about 0: 100 rows −1, and in D′ a 1."""

    key = "centred_moments"
    label = N_("Mean forgotten")
    what = N_(
        "Second moments about the mean with noise for Δ₂ = 1: a row opposite to 100 others moves "
        "them by nearly 4."
    )

    @property
    def shift(self) -> float:
        """n/(n + 1)·(x − x̄)² of 100 rows −1 and of 1."""
        return 4 * 100 / 101

    @property
    def sigma(self) -> float:
        """Of the noise, at sensitivity 1."""
        return textbook_factor(self.delta) / self.epsilon


class EntryPower(_Shifted):
    """A step of the power method with noise by the largest entry of X, which protects one entry of
    the matrix; a row that lies along X, whose entries are alike, moves the product by 1."""

    key = "entry_power"
    label = N_("Noise by entries")
    what = N_(
        "A step of the power method with noise by the largest entry of X: meant for one entry of "
        "the matrix, where a whole row enters. Looked at is the product along X."
    )

    columns: int = integer(
        20, N_("Columns p"), N_("How many numbers a row holds."), low=2, high=100, log=True
    )

    @property
    def sigma(self) -> float:
        """Of the noise on the product along X."""
        noise = printed.power_sigma(np.array(self.epsilon), self.delta, 1)
        return float(noise) / math.sqrt(self.columns)
