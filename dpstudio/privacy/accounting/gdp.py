"""Gaussian differential privacy: exact for Gaussian noise, and a limit for everything else."""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.accountant import Accountant, Delta
from dpstudio.privacy.accounting.concentrated import gaussian_ratio
from dpstudio.privacy.accounting.losses import loss_of
from dpstudio.privacy.accounting.spend import ADD_REMOVE, Spend
from dpstudio.privacy.mechanisms.gaussian import special
from dpstudio.values.messages import N_, Message, say


def log_deltas(epsilon: Array, mu: Array) -> Array:
    """ln δ(ε) of μ-GDP, μ > 0, ε ≥ 0, elementwise (Balle & Wang 2018, Theorem 8); −inf where it is
    below every float.

    With a = μ/2 − ε/μ and b = −μ/2 − ε/μ: δ = Φ(a) − e^ε Φ(b), and e^ε φ(b) = φ(a) leaves a
    difference of Mills ratios.
    """
    library = special()
    with np.errstate(over="ignore", divide="ignore"):
        a, b = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
        far = np.minimum(a, 5.0)
        gap = library.erfcx(-far / math.sqrt(2)) - library.erfcx(-b / math.sqrt(2))
        near = np.maximum(a, 5.0)
        # −b ≥ a ≥ 5, so e^ε Φ(b) ≤ Φ(−5) < e^−15. Where a < 5 this is not asked for, and where the
        # difference is all rounding (μ ≥ 1e9) it could be 0: there is no ln(1 − e^0).
        ratio = np.minimum(-15.0, epsilon + library.log_ndtr(b) - library.log_ndtr(near))
        ahead = np.log1p(-np.exp(library.log_ndtr(-near))) + np.log1p(-np.exp(ratio))
        behind = -a * a / 2 - math.log(2) + np.log(np.maximum(gap, 0.0))
    return np.asarray(np.where(a < 5, behind, ahead))


def gdp_epsilon(mu: Array, delta: Delta) -> Array:
    """The least ε ≥ 0 with δ(ε) ≤ δ for μ-GDP, elementwise, 0 < δ < 1: Newton's steps on ln δ, kept
    inside a bracket."""
    mu = np.asarray(mu, dtype=np.float64)
    target = np.log(delta)
    safe = np.maximum(mu, 1e-150)
    low, high = np.zeros(mu.shape), safe * safe / 2 + safe * np.sqrt(-2 * target)
    done = log_deltas(low, safe) <= target
    epsilon = high
    for _ in range(100):
        value = log_deltas(epsilon, safe)
        low, high = np.where(value > target, epsilon, low), np.where(value > target, high, epsilon)
        # δ′(ε) = −e^ε Φ(b)
        slope = -np.exp(
            np.clip(epsilon + special().log_ndtr(-safe / 2 - epsilon / safe) - value, -700, 700)
        )
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            step = epsilon - (value - target) / slope
        # At its end roundings may carry a step across the bracket.
        near = np.abs(step - epsilon) <= 1e-13 * high
        if np.all(done | near):
            break
        new = np.where(near | ((step > low) & (step < high)), step, (low + high) / 2)
        epsilon = new
    return np.where(done | (mu == 0), 0.0, epsilon)


class GaussianDP(Accountant):
    """Gaussian noise composes to Gaussian noise: μ² = Σ(Δ₂/σ)², and δ(ε) is exact."""

    key = "gdp"
    label = N_("Gaussian DP (exact)")
    formula = N_("δ = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), μ² = Σ(Δ₂/σ)²")
    source = "Dong, Roth & Su 2022, Corollaries 2.13 and 3.3; Balle & Wang 2018, Theorem 8"
    ink = "gdp"
    adaptive = "Smith & Thakurta 2022; Koskela, Tobaben & Honkela 2023"

    def unfit(self, spend: Spend) -> Message | None:
        if spend.sampled:
            return say(
                "Gaussian DP is exact for Gaussian noise on everybody; here is a release of a "
                "sample."
            )
        if gaussian_ratio(spend, discrete=False) is None:
            return say(
                "Gaussian DP is exact for Gaussian noise alone; here is a release with other noise."
            )
        return None

    def of_law(self, spend: Spend) -> bool:
        return True

    def mu(self, world: tuple[Spend, ...]) -> float:
        """μ of the whole."""
        return math.sqrt(math.fsum(s.count * (gaussian_ratio(s) or 0.0) ** 2 for s in world))

    def world_epsilon(self, world: tuple[Spend, ...], delta: float) -> float:
        mu = self.mu(world)
        if mu == 0 or delta <= 0:
            return 0.0 if mu == 0 else math.inf
        return float(gdp_epsilon(np.array(mu), delta))

    def world_delta(self, world: tuple[Spend, ...], epsilon: float) -> float:
        mu = self.mu(world)
        return float(np.exp(log_deltas(np.array(epsilon), np.array(mu)))) if mu > 0 else 0.0

    def curve(self, spend: Spend, k: Array, delta: Delta, adjacency: str = ADD_REMOVE) -> Array:
        mu = self.mu((spend.one,)) * np.sqrt(np.asarray(k, dtype=np.float64))
        given = np.asarray(delta, dtype=np.float64)
        least = gdp_epsilon(mu, np.where(given > 0, given, 0.5))
        return np.where((given > 0) | (mu == 0), least, np.inf)


def loss_moments(spend: Spend) -> tuple[float, float]:
    """Mean and variance of the privacy loss of one release: Gaussian, Laplace, or randomised
    response for other pure ε."""
    ratio = gaussian_ratio(spend)
    if ratio is not None:
        return ratio**2 / 2, ratio**2
    e = spend.epsilon
    if loss_of(spend.one).width == 0:
        return e * math.tanh(e / 2), (e / math.cosh(min(e, 700) / 2)) ** 2
    if e < 1e-3:
        mean, square = e**2 / 2 - e**3 / 6 + e**4 / 24, e**2 - e**3 / 3 + e**4 / 6
    else:
        mean, square = e + math.expm1(-e), e * e - 2 * e + 4 - math.exp(-e) * (2 * e + 4)
    return mean, square - mean**2


class GaussianLimit(GaussianDP):
    """The limit of many small losses: μ = 2Σ E L / √(Σ Var L). An approximation that may be below
    the truth."""

    key = "gdp_clt"
    label = N_("Gaussian limit")
    formula = N_("that of Gaussian DP at μ = 2Σ E L / √(Σ Var L), L the privacy loss")
    source = "Dong, Roth & Su 2022, Theorem 3.4"
    ink = "gdp_clt"
    approximate = True
    proven = False
    envelope = False
    adaptive = ""

    def unfit(self, spend: Spend) -> Message | None:
        if spend.sampled:
            return say("The Gaussian limit is not drawn for a release of a sample.")
        if spend.pure or gaussian_ratio(spend) is not None:
            return None
        return say("The Gaussian limit is drawn for pure ε and for Gaussian noise.")

    def mu(self, world: tuple[Spend, ...]) -> float:
        moments = [(s.count, *loss_moments(s)) for s in world]
        variance = math.fsum(n * v for n, _, v in moments)
        return (
            2 * math.fsum(n * m for n, m, _ in moments) / math.sqrt(variance)
            if variance > 0
            else 0.0
        )
