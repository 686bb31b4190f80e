"""Histogram encoding: a person sends the one-hot vector with Laplace noise on every number, or only
which of them exceed a threshold."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.privacy.local.protocol import Protocol, Report, Support, Values, whole
from dpstudio.privacy.local.unary import Bits
from dpstudio.values.fields import choice, real
from dpstudio.values.messages import N_, Message, Num, listed, say

_SHOWN = 6


class Summation(Protocol):
    """Summation with histogram encoding (SHE): Laplace noise of scale 2/ε on each component, and
    the collector adds up.

    Two one-hot vectors are 2 apart in L1, hence the scale. The error depends neither on d nor on
    how frequent a value is.
    """

    key = "she"
    label = N_("Histogram encoding, summed (SHE)")
    short = "SHE"
    source = (
        "Wang, Blocki, Li & Jha 2017, section 4.2; Dwork, McSherry, Nissim & Smith 2006 (Laplace)"
    )
    formula = "xᵢ = 1[i = v] + Lap(2/ε)"
    ink = "she"
    pure = False

    @property
    def scale(self) -> float:
        """Of the Laplace noise on each component."""
        return 2 / self.epsilon

    def bits(self, d: int) -> float:
        return 64 * d

    def estimate(self, totals: ArrayLike, n: float) -> Array:
        """The totals themselves: the noise has mean 0."""
        return np.array(totals, dtype=np.float64)

    def limits(self, d: int) -> tuple[float, float]:
        return -math.inf, math.inf

    def variance(self, counts: ArrayLike) -> Array:
        """8n/ε² for every value."""
        counts = np.asarray(counts, dtype=np.float64)
        return np.full(len(counts), float(counts.sum()) * self.rare(len(counts)))

    def expected(self, counts: ArrayLike) -> Array:
        return np.array(counts, dtype=np.float64)

    def rare(self, d: int) -> float:
        """8/ε², the variance of one Laplace number."""
        return 2 * self.scale**2

    def draw(self, rng: np.random.Generator, counts: ArrayLike, surveys: int = 1) -> Array:
        """Exact in law, jointly too: a Laplace number is the difference of two exponentials, so n
        of them are that of two Gamma(n)."""
        people = whole(counts)
        n = people.sum(axis=-1, keepdims=True).astype(np.float64)
        up, down = rng.standard_gamma(n, size=(2, surveys, people.shape[-1]))
        return np.asarray(people + self.scale * (up - down))

    def reports(self, rng: np.random.Generator, values: Values, d: int) -> Any:
        """Noisy one-hot vectors, shape (n, d)."""
        noisy = rng.laplace(0, self.scale, size=(len(values), d))
        noisy[np.arange(len(values)), values] += 1
        return noisy

    def tally(self, reports: Any, d: int) -> Array:
        return np.asarray(np.sum(reports, axis=0, dtype=np.float64))

    def one(self, rng: np.random.Generator, value: int, labels: tuple[str, ...]) -> Report:
        sent = self.reports(rng, np.array([value]), len(labels))[0]
        # |x| − |x − 1|: how much nearer a component is to 1 than to 0 is all it says; from 1
        # upwards it says no more.
        likelihood = np.clip(2 * sent - 1, -1, 1) / self.scale
        supports = tuple(int(v) for v in np.flatnonzero(likelihood == likelihood.max()))
        return Report(likelihood, supports, _numbers(sent, labels))


def _numbers(sent: Array, labels: tuple[str, ...]) -> Message:
    """The numbers sent, largest first, at most six of them."""
    most = np.argsort(-sent, kind="stable")[:_SHOWN]
    shown = listed(f"{Num(float(sent[v]))} “{labels[v]}”" for v in most)
    more = len(sent) - len(most)
    return (
        say("{numbers} and {more} smaller {more:number|numbers}", numbers=shown, more=Num(more))
        if more
        else shown
    )


def above(x: float, scale: float) -> float:
    """P(Laplace noise > x)."""
    return 0.5 * math.exp(-x / scale) if x >= 0 else 1 - 0.5 * math.exp(x / scale)


class Thresholded(Bits):
    """Thresholding with histogram encoding (THE): as summed, but only whether each number exceeds θ
    is kept.

    The bits then show less than the numbers did: `spent` is below the claim, and symmetric unary
    encoding, whose bits are of the same form and spend all of it, has less error for rare values at
    every ε.
    """

    key = "the"
    label = N_("Histogram encoding, thresholded (THE)")
    short = "THE"
    source = "Wang, Blocki, Li & Jha 2017, section 4.2"
    formula = "p = P(1 + Lap(2/ε) > θ), q = P(Lap(2/ε) > θ)"
    ink = "the"

    threshold: str = choice(
        "best",
        N_("Threshold"),
        N_(
            "Which numbers count as 1: by the threshold of least error for rare values, or by "
            "one of your own."
        ),
        options={"best": N_("of least error"), "hand": N_("by hand")},
    )
    theta: float = real(
        1.0,
        N_("θ"),
        N_("A noisy number above it counts as 1."),
        low=-1,
        high=2,
        active_when=("threshold", "hand"),
    )

    @property
    def cut(self) -> float:
        """θ in use.

        The variance of a rare value is stationary in q = ½·e^(−εθ/2) where q² − (1 + s)q + ¾s = 0,
        s = e^(−ε/2) (own derivation). Its smaller root is the minimum and puts θ between ½ (ε → 0)
        and 1 (ε → ∞).
        """
        if self.threshold == "hand":
            return self.theta
        s = math.exp(-self.epsilon / 2)
        root = math.sqrt(1 - s + s * s)
        # θ = 1 + ln((1 + s + √(1 − s + s²))/3)·2/ε, whose logarithm is that of a number near 1 at
        # small ε; at large ε, where q is near 0, nothing is taken from 1.
        return 1 + 2 / self.epsilon * math.log1p(
            math.expm1(-self.epsilon / 2) * (1 + s / (1 + root)) / 3
        )

    def support(self, d: int) -> Support:
        """How often 1 plus noise, and noise alone, exceed θ."""
        theta, scale = self.cut, 2 / self.epsilon
        p, q, not_p, not_q = (
            above(theta - 1, scale),
            above(theta, scale),
            above(1 - theta, scale),
            above(-theta, scale),
        )
        if 0 <= theta <= 1:
            gap = -0.5 * (math.expm1((theta - 1) / scale) + math.expm1(-theta / scale))
        else:
            gap = -0.5 * math.exp(-max(theta - 1, -theta) / scale) * math.expm1(-1 / scale)
        return Support(p, q, not_p, not_q, gap)

    def spent(self, d: int) -> float:
        """ln p(1 − q)/(q(1 − p)): what two bits show."""
        s = self.support(d)
        return math.log1p(s.gap / s.q) + math.log1p(s.gap / s.not_p)

    def bits(self, d: int) -> float:
        return d
