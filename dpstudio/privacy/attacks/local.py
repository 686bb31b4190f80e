"""What can be audited: local reports, right ones of the catalogues and those of the texts'
listings."""

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.lists import Listed
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.local import NUMBERS, PROTOCOLS, NumberProtocol, Protocol
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.duchi import Duchi, spread
from dpstudio.privacy.local.histogram import Thresholded
from dpstudio.privacy.local.number import Sampled
from dpstudio.privacy.local.piecewise import Piecewise
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param


def listed() -> Sequence[type[Protocol]]:
    """The protocols whose reports can be listed."""
    return [kind for kind in PROTOCOLS if kind.channel is not Protocol.channel]


class LocalReport(Listed):
    """One report of a person who holds one of d values: D and D′ are the two values that it tells
    apart best.

    Outputs are numbered by what they give away, those that speak most for D first.
    """

    key = "local"
    label = N_("Local report")
    what = N_(
        "As in the catalogue: one person’s report of a value, against the report of another value."
    )

    protocol: Protocol = param(
        Thresholded(), OneOf(N_("Protocol"), N_("How a person reports."), family=listed)
    )
    values: int = integer(
        4, N_("Values d"), N_("How many values there are; coins have two."), low=2, high=6
    )

    @property
    def claim(self) -> tuple[float, float]:
        return self.protocol.claim, 0.0

    @property
    def d(self) -> int:
        """How many values a person may report."""
        return 2 if self.protocol.refuses(self.values) else self.values

    @cached_property
    def pair(self) -> tuple[Array, Array]:
        """ln P(report) of the two values, shape (reports,) each."""
        channel = self.protocol.channel(self.d)
        pairs = [(channel[:, a], channel[:, b]) for a, b in combinations(range(self.d), 2)]
        return ranked(
            *pairs[
                int(np.argmax([round(float(np.max(np.abs(losses(*pair)))), 9) for pair in pairs]))
            ]
        )

    def log_chances(self, side: int) -> Array:
        return self.pair[side]

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        # Up to a sum of 1 that listed protocols keep to 12 digits.
        steps = np.cumsum(np.exp(self.log_chances(side)))
        return np.searchsorted(steps[:-1] / steps[-1], rng.random(size), side="right").astype(
            np.float64
        )


def losses(here: Array, there: Array) -> Array:
    """ln P/P′ of each output; 0 for what never comes."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(here == there, 0.0, here - there))


def ranked(here: Array, there: Array) -> tuple[Array, Array]:
    """Both lists in the order of falling loss."""
    order = np.argsort(-losses(here, there), kind="stable")
    return here[order], there[order]


class TwoReports(LocalReport):
    """A report and a second one with fresh noise, both of which leave: the ε of one is declared."""

    key = "two_reports"
    label = N_("Asked twice")
    what = N_(
        "A person’s value is perturbed twice with fresh noise and both reports leave, where the ε "
        "of one is declared."
    )

    protocol: Protocol = param(
        Direct(), OneOf(N_("Protocol"), N_("How a person reports."), family=listed)
    )

    @cached_property
    def pair(self) -> tuple[Array, Array]:
        here, there = super().pair
        return ranked(np.add.outer(here, here).ravel(), np.add.outer(there, there).ravel())


def ties(dims: int) -> tuple[float, float]:
    """Shares of {−1, 1}^d with z·v > 0 and with z·v ≤ 0: C(d, d/2)/2^d = 1/C(d) are tied where d is
    even."""
    tied = 0.0 if dims % 2 else 1 / spread(dims)
    return (1 - tied) / 2, (1 + tied) / 2


def real_duchi(epsilon: float, dims: int) -> float:
    """The ε of listing 5.3: an output on the small side of v lies on the large side of −v."""
    above, below = ties(dims)
    return epsilon + math.log(below / above)


class EvenDuchi(Listed):
    """Listing 5.3: uniform from z·v > 0 with probability e^ε/(e^ε + 1), else from z·v ≤ 0. D holds
    v = (1 … 1), D′ −v.

    The output is how many of the d signs are +: all that the two tell apart.
    """

    key = "even_duchi"
    label = N_("Even Duchi")
    what = N_("Duchi’s mechanism for an even number of coordinates, with all ties on one side.")

    epsilon: float = param(1.0, EPSILON)
    dims: int = integer(
        2, N_("Coordinates d"), N_("Ties exist for even d only."), low=1, high=100, log=True
    )

    def exact(self) -> float:
        return real_duchi(self.epsilon, self.dims)

    @property
    def right(self) -> float:
        """Probability of the side of v."""
        return 1 / (1 + math.exp(-self.epsilon))

    def log_chances(self, side: int) -> Array:
        d, (above, below) = self.dims, ties(self.dims)
        plus = np.arange(d + 1)
        shares = np.array(
            [math.lgamma(d + 1) - math.lgamma(k + 1) - math.lgamma(d - k + 1) for k in plus]
        ) - d * math.log(2)
        with_v = (2 * plus > d) if side == 0 else (2 * plus < d)
        other = -self.epsilon - math.log1p(math.exp(-self.epsilon)) - math.log(below)
        return np.asarray(shares + np.where(with_v, math.log(self.right) - math.log(above), other))

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        """Signs are drawn anew until they lie on the side that was chosen."""
        wanted = rng.random(size) < self.right
        plus, open_ = np.zeros(size), np.arange(size)
        while len(open_):
            drawn = rng.binomial(self.dims, 0.5, len(open_))
            fits = (2 * drawn > self.dims if side == 0 else 2 * drawn < self.dims) == wanted[open_]
            plus[open_[fits]] = drawn[fits]
            open_ = open_[~fits]
        return plus


class LocalNumber(Subject):
    """One report of a person who holds d numbers, all of them 1 (D) or all of them −1 (D′)."""

    key = "local_number"
    label = N_("Local number")
    what = N_(
        "As in the catalogue: one person’s report of numbers at one end of [−1, 1], against those "
        "at the other end."
    )
    whole = False

    protocol: NumberProtocol = param(
        Piecewise(), OneOf(N_("Protocol"), N_("How a person reports."), family=lambda: NUMBERS)
    )
    dims: int = integer(
        1, N_("Numbers d"), N_("How many numbers a person holds."), low=1, high=100, log=True
    )

    @property
    def claim(self) -> tuple[float, float]:
        return self.protocol.claim, 0.0

    def exact(self) -> float:
        return self.protocol.spent(self.dims)

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        t = np.full(size if self.dims == 1 else (size, self.dims), 1.0 - 2 * side)
        return self.protocol.reports(rng, t)

    def loss(self, outputs: Array) -> Array:
        protocol, d = self.protocol, self.dims
        if isinstance(protocol, Duchi) and protocol.whole(d):
            return np.asarray(protocol.epsilon * np.sign(outputs.sum(axis=1)))
        if d == 1 or not isinstance(protocol, Sampled):
            return log_ratio(protocol, outputs)
        # Coordinates that are not sent are 0, and which ones they are says nothing.
        told = outputs != 0
        found = np.zeros(outputs.shape)
        found[told] = log_ratio(protocol.part(d), outputs[told] * protocol.kept(d) / d)
        return np.asarray(found.sum(axis=1))


def log_ratio(protocol: NumberProtocol, x: Array) -> Array:
    """ln of how much likelier each report of one number is from t = 1 than from t = −1; shape of
    x."""
    densities = (
        np.maximum(protocol.density(x, 1.0), 1e-300),
        np.maximum(protocol.density(x, -1.0), 1e-300),
    )
    found = np.log(densities[0]) - np.log(densities[1])
    for (place, here), (_, there) in zip(protocol.atoms(1.0), protocol.atoms(-1.0), strict=True):
        # What was scaled by d/k and back need not be the same float; no other report comes that
        # near.
        found = np.where(np.abs(x - place) <= 1e-12 * abs(place), math.log(here / there), found)
    return np.asarray(found)


class Repeats(LocalNumber):
    """Listing 5.5: the piecewise mechanism on k coordinates that are drawn with replacement, where
    a repeat overwrites."""

    key = "repeats"
    label = N_("Repeats")
    what = N_(
        "The piecewise mechanism on coordinates that are drawn with replacement: biased, and "
        "private."
    )

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        assert isinstance(self.protocol, Sampled)
        k, d = self.protocol.kept(self.dims), self.dims
        which = rng.integers(0, d, (size, k))
        out = np.zeros((size, d))
        np.put_along_axis(
            out,
            which,
            d / k * self.protocol.part(d).send(rng, np.full(which.shape, 1.0 - 2 * side)),
            axis=1,
        )
        return out[:, 0] if d == 1 else out


class EqualHalves(Subject):
    """Listing 5.4: the piecewise mechanism whose outer part goes left or right of [l, r] with
    probability ½ each. D holds 1, D′ −1."""

    key = "equal_halves"
    label = N_("Equal halves")
    what = N_(
        "The piecewise mechanism with both outer parts alike: at the end of [−1, 1] one has no "
        "length, only a point."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)

    @property
    def right(self) -> Piecewise:
        """The mechanism as it should be."""
        return Piecewise(epsilon=self.epsilon)

    @property
    def mass(self) -> float:
        """Probability of each outer part, and of the point C at t = 1."""
        blank = self.right.blank
        return blank / (2 * (1 + blank))

    def outer(self, t: float) -> tuple[float, float]:
        """Densities left and right of [l, r]; infinite on no length."""
        low, left, right, high = self.right.steps(t)
        return tuple(
            self.mass / width if width > 1e-12 * high else math.inf
            for width in (left - low, high - right)
        )  # type: ignore[return-value]

    def exact(self) -> float:
        return math.inf

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        low, left, _, high = self.right.steps(1.0)
        place, u = rng.random(size), rng.random(size)
        found = np.where(
            place < self.mass,
            high,
            np.where(place < 2 * self.mass, low + (left - low) * u, left + (high - left) * u),
        )
        return np.asarray(found * (1 - 2 * side))

    def loss(self, outputs: Array) -> Array:
        _, left, _, high = self.right.steps(1.0)
        tall = math.log(self.right.heights[0] / self.outer(1.0)[0])
        size = np.abs(outputs)
        return np.asarray(
            np.sign(outputs) * np.where(size == high, np.inf, np.where(size > left, tall, 0.0))
        )
