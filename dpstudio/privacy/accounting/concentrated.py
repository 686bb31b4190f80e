"""Zero-concentrated differential privacy: ρ adds up, and two ways back to (ε, δ)."""

import math
from functools import lru_cache

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.accountant import Accountant, Delta
from dpstudio.privacy.accounting.spend import ADD_REMOVE, Spend
from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussianLaw
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.values.messages import N_, Message, Num, say


@lru_cache(maxsize=256)
def gaussian_ratio(spend: Spend, *, discrete: bool = True) -> float | None:
    """Δ₂/σ of a release with Gaussian noise (or discrete Gaussian, where that is asked for), None
    for any other, and for one of a sample."""
    if spend.mechanism is None or spend.sampled:
        return None
    # Only the Gaussian kinds pay δ for noise of their own; others need no law here, and some are
    # slow to calibrate.
    if spend.mechanism.key not in ("gaussian", "textbook", "discrete_gaussian"):
        return None
    law = spend.mechanism.law(spend.sensitivity)
    if isinstance(law, GaussianLaw) or (discrete and isinstance(law, DiscreteGaussianLaw)):
        return spend.people * spend.sensitivity.l2 / law.sigma
    return None


def rho(spend: Spend) -> float | None:
    """ρ of one release: Δ₂²/2σ² for Gaussian noise (Bun & Steinke 2016, Proposition 1.6; Canonne,
    Kamath & Steinke 2020, Theorem 4 for integers), ε²/2 for pure ε (Proposition 1.4), None where no
    ρ is known."""
    ratio = gaussian_ratio(spend)
    if ratio is not None:
        return ratio**2 / 2
    return spend.epsilon**2 / 2 if spend.pure else None


class Concentrated(Accountant):
    """Σρ and a conversion."""

    adaptive = "Feldman & Zrnic 2021; Lécuyer 2021"

    def unfit(self, spend: Spend) -> Message | None:
        if rho(spend) is not None:
            return None
        if spend.sampled:
            return say(
                "Sampling does not lessen the ρ of Gaussian noise: zCDP has nothing to say of a "
                "sample that it does not say of everybody."
            )
        return say(
            "No ρ is known of a release of which only ({epsilon}, {delta}) is.",
            epsilon=Num(spend.epsilon),
            delta=Num(spend.delta, 3, "up"),
        )

    def of_law(self, spend: Spend) -> bool:
        return gaussian_ratio(spend) is not None

    def of_rho(self, total: Array, delta: Array) -> Array:
        """ε that total ρ > 0 gives at 0 < δ < 1."""
        raise NotImplementedError

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        total = math.fsum(s.count * (rho(s) or 0.0) for s in world)
        return float(self._at(np.array(total), delta))

    def curve(self, spend: Spend, k: Array, delta: Delta, adjacency: str = ADD_REMOVE) -> Array:
        return self._at(np.asarray(k, dtype=np.float64) * (rho(spend) or 0.0), delta)

    def _at(self, total: Array, delta: Delta) -> Array:
        given = np.asarray(delta, dtype=np.float64)
        least = self.of_rho(np.maximum(total, 1e-300), np.where(given > 0, given, 0.5))
        promised = np.where(given > 0, np.maximum(0.0, least), np.inf)
        return np.where(total > 0, promised, 0.0)


class ZCDP(Concentrated):
    """ε = ρ + 2√(ρ ln 1/δ) (Bun & Steinke 2016, Proposition 1.3)."""

    key = "zcdp"
    label = N_("zCDP (Bun & Steinke)")
    formula = N_("ρ + 2√(ρ ln 1/δ), ρ the sum of ε²/2 or Δ₂²/2σ²")
    source = "Bun & Steinke 2016, Propositions 1.3, 1.4 and 1.6"
    ink = "zcdp"

    def of_rho(self, total: Array, delta: Array) -> Array:
        return np.asarray(total + 2 * np.sqrt(total * -np.log(delta)))

    def world_delta(self, world: tuple[Spend, ...], epsilon: float) -> float:
        total = math.fsum(s.count * (rho(s) or 0.0) for s in world)
        if total == 0:
            return 0.0
        return math.exp(-((epsilon - total) ** 2) / (4 * total)) if epsilon > total else 1.0


class ZCDPTight(Concentrated):
    """ε = inf over α > 1 of ρα + ln(1 − 1/α) + (ln 1/δ − ln α)/(α − 1) (Canonne, Kamath & Steinke
    2020, Corollary 13)."""

    key = "zcdp_tight"
    label = N_("zCDP (tight conversion)")
    formula = N_("the least over α > 1 of ρα + ln(1 − 1/α) + (ln 1/δ − ln α)/(α − 1)")
    source = "Canonne, Kamath & Steinke 2020, Corollary 13"
    ink = "zcdp_tight"

    def of_rho(self, total: Array, delta: Array) -> Array:
        u = best_order(total, -np.log(delta))
        return np.asarray(total * (1 + u) + converted(u, delta))

    def world_delta(self, world: tuple[Spend, ...], epsilon: float) -> float:
        """The least over α of e^((α−1)(αρ−ε)) (1 − 1/α)^α / (α − 1): its logarithm has one
        stationary point."""
        total = math.fsum(s.count * (rho(s) or 0.0) for s in world)
        if total == 0:
            return 0.0
        u = _stationary(total, epsilon)
        if u == 0:
            return 1.0
        # In parts of which none is large beside the whole.
        log_delta = u * (u * total + (total - epsilon)) - math.log1p(u) - u * math.log1p(1 / u)
        return math.exp(min(0.0, log_delta))


def _stationary(total: float, epsilon: float) -> float:
    """u = α − 1 > 0 at which δ is least: (2u + 1)ρ − ε = ln(1 + 1/u); 0 where it is below every
    float. The difference of both sides rises and is concave: from below Newton's steps rise to its
    root."""
    over = total - epsilon
    # ln(1 + 1/u) < 1/u, so that the root lies below that of 2ρu² + (ρ − ε)u = 1.
    root = math.hypot(over, math.sqrt(8 * total))
    most = 2 / (over + root) if over > 0 else (root - over) / (4 * total)
    # ln(1 + 1/u) > −ln u, so that it lies above W(x)/2ρ where ln x = ln 2ρ + ε − ρ, and W(x), at
    # which we^w = x, above ln(1 + x)/2.
    lambert = float(np.logaddexp(0.0, math.log(2 * total) - over)) / 2
    u = max(-over / (2 * total), -math.exp(-1 / most) / math.expm1(-1 / most), lambert / total / 2)
    if u == 0:
        return 0.0
    for _ in range(80):
        gap = 2 * u * total + over - math.log1p(1 / u)
        step = -gap / (2 * total + 1 / (u * (1 + u)))
        u += step
        if step <= 1e-12 * u:
            break
    return u


def converted(u: Array, delta: Delta) -> Array:
    """What a Rényi divergence of order α = 1 + u pays at δ: ln(1 − 1/α) + (ln 1/δ − ln α)/(α − 1).

    (Canonne, Kamath & Steinke 2020, Proposition 12; also Balle, Barthe, Gaboardi, Hsu & Sato 2020,
    Theorem 21.)
    """
    return np.asarray((-np.log(delta) - np.log1p(u)) / u - np.log1p(1 / u))


def best_order(total: Array, log_one: Array) -> Array:
    """u = α − 1 at which the conversion is least: ρu² + ln(1 + u) = ln 1/δ, whose left side rises.
    Newton's steps, kept inside."""
    low, high = np.zeros(total.shape), np.sqrt(log_one / total)
    u = high
    for _ in range(80):
        value = total * u * u + np.log1p(u) - log_one
        low, high = np.where(value < 0, u, low), np.where(value < 0, high, u)
        step = u - value / (2 * total * u + 1 / (1 + u))
        inside = (step >= low) & (step <= high)  # at its end it stays there
        new = np.where(inside, step, (low + high) / 2)
        if np.all(np.abs(new - u) <= 1e-13 * u):
            break
        u = new
    return np.maximum(u, 1e-300)
