"""What drawing a sample of the people before each release is worth: of any release in closed
form, of known noise by its Rényi divergence.

Poisson sampling: every person is in the sample with a chance q of their own, with all of their
rows. All of this is for persons who join or leave.
"""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms.law import legendre
from dpstudio.privacy.mechanisms.loss import Loss

LARGE = 30.0  # from there on e^−ε is below the last digit of 1
TAIL = 14.0  # deviations of the noise that are integrated over on either side
EXACT = (1e-3, 1024.0)  # α − 1 between which the divergence is integrated
MOST_POINTS = 20_000
HALVED = 24  # how often the support of Laplace losses is halved towards its ends


def amplified(epsilon: float, delta: float, chance: float) -> tuple[float, float]:
    """(ln(1 + q(e^ε − 1)), qδ): what any (ε, δ) release promises who joins or leaves when everyone
    is in its sample with chance 0 < q ≤ 1 (Balle, Barthe & Gaboardi 2018, Theorem 8)."""
    if chance == 1:
        return epsilon, delta
    if epsilon < LARGE:
        return math.log1p(chance * math.expm1(epsilon)), chance * delta
    return epsilon + math.log(chance + (1 - chance) * math.exp(-epsilon)), chance * delta


def unamplified(epsilon: float, chance: float) -> float:
    """The ε without sampling that gives this one with it: ln(1 + (e^ε − 1)/q)."""
    if chance == 1:
        return epsilon
    if epsilon < LARGE:
        return math.log1p(math.expm1(epsilon) / chance)
    return epsilon - math.log(chance) + math.log1p((chance - 1) * math.exp(-epsilon))


def sampled_loss(loss: Array, chance: float) -> Array:
    """ln(1 − q + q e^ℓ): what a loss ℓ becomes when the person is there with chance q."""
    with np.errstate(over="ignore"):
        near = np.log1p(chance * np.expm1(np.minimum(loss, LARGE)))
    far = loss + np.log(chance + (1 - chance) * np.exp(-np.maximum(loss, LARGE)))
    return np.asarray(np.where(loss < LARGE, near, far))


def sampled_rdp(loss: Loss, chance: float, u: Array) -> Array:
    """Rényi divergence of order α = 1 + u of a release with this loss, of a sample: ln E_Q (1 − q +
    q e^ℓ)^α / (α − 1), of the person who leaves, which is the worse direction (Mironov, Talwar &
    Zhang 2019, Theorems 4 and 5, for every pair of laws that a reflection exchanges).

    Integrated for Gaussian and Laplace noise and summed for randomised response, to 1e-8; of small
    α − 1 it is that at 0.001, of large ones α/(α − 1) ln(1 − q + q e^((α−1)Dα/α)), which is above
    it (Minkowski). `loss` loses nothing for certain.
    """
    flat = np.clip(np.ravel(u), EXACT[0], None)
    most = EXACT[1]
    if loss.ratio > 0:
        most = min(most, MOST_POINTS * _step(1 / loss.ratio) - 2 * TAIL / loss.ratio)
    out = np.empty(flat.shape)
    far = flat > most
    out[far] = _above(loss, chance, flat[far])
    octave = np.floor(np.log2(flat))
    for one in np.unique(octave[~far]):
        here = ~far & (octave == one)
        places, log_mass = _apart(loss, float(2 ** (one + 1)) + 1)
        out[here] = _divergence(sampled_loss(places, chance), log_mass, flat[here])
    return out.reshape(np.shape(u))


def _above(loss: Loss, chance: float, u: Array) -> Array:
    """The bound by Minkowski's inequality: the norm of a mixture is at most the mixture of
    norms; each norm by the largest loss where there is one."""
    whole = u * loss.ratio**2 / 2 if loss.ratio > 0 else u / (1 + u) * max(loss.places)
    return np.asarray((1 + u) / u * sampled_loss(whole, chance))


def _step(sigma: float) -> float:
    """Step of the trapezium rule, whose error is below e^−33: from the width of the Gaussian and
    from π σ², where the logarithm has its nearest singular point."""
    return min(sigma, sigma**2) / 2


def _apart(loss: Loss, order: float) -> tuple[Array, Array]:
    """Places of the loss and ln of its masses under Q, for orders up to this one."""
    if loss.ratio > 0:
        sigma = 1 / loss.ratio
        step = _step(sigma)
        x = np.arange(-TAIL * sigma, order + TAIL * sigma + step, step)
        return (x - 0.5) / sigma**2, math.log(step / sigma) - (x / sigma) ** 2 / 2 - math.log(
            math.sqrt(2 * math.pi)
        )
    places, masses = np.array(loss.places), np.array(loss.masses)
    log_mass = np.log(masses) - places
    if loss.width == 0:
        return places, log_mass
    ends = loss.width * np.ldexp(1.0, -np.arange(HALVED))
    ends = np.unique(np.concatenate([-loss.width + ends, loss.width - ends, loss.places]))
    nodes, weights = legendre(16)
    half, middle = np.diff(ends)[:, None] / 2, (ends[1:] + ends[:-1])[:, None] / 2
    inner = (middle + half * nodes).ravel()
    log_inner = np.log((half * weights).ravel() / 4) - (inner + loss.width) / 2
    return np.concatenate([places, inner]), np.concatenate([log_mass, log_inner])


def _divergence(loss: Array, log_mass: Array, u: Array) -> Array:
    """ln Σ mass·e^(αL) / (α − 1). Near 0 the sum of masses, 1, and that of mass·(e^L − 1), 0, are
    taken off before, so that nothing cancels."""
    out = np.empty(u.shape)
    mass, linear = np.exp(log_mass), np.expm1(np.minimum(loss, 600.0))
    for i, one in enumerate(u):
        power = (1 + one) * loss
        top = float((log_mass + power).max())
        if top > 5 or power.max() > 600:
            rest = float(np.sum(np.exp(log_mass + power - top)))
            out[i] = (top + math.log(rest)) / one
        else:
            more = np.expm1(power) - (1 + one) * linear
            out[i] = math.log1p(max(float(mass @ more), 0.0)) / one
    return out
