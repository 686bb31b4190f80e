"""What many answers cost together."""

import math

import numpy as np
from laws import gaussian_delta
from scipy import optimize, special


def advanced(epsilon, k, delta_prime):
    """Advanced composition (Dwork, Rothblum & Vadhan 2010, Theorem III.3)."""
    return epsilon * math.sqrt(2 * k * math.log(1 / delta_prime)) + k * epsilon * math.expm1(
        epsilon
    )


def advanced_tanh(epsilon, k, delta_prime):
    """The same with the mean loss of randomised response (Kairouz, Oh & Viswanath 2015, 3.4)."""
    drift = k * epsilon * math.tanh(epsilon / 2)
    return epsilon * math.sqrt(2 * k * math.log(1 / delta_prime)) + drift


def optimal(epsilon, k, delta_prime):
    """The least total epsilon of any k answers that keep epsilon each: that of k randomised
    responses (Kairouz, Oh & Viswanath 2015, Theorem 3.3)."""
    flips = np.arange(k + 1)
    log_chance = (
        special.gammaln(k + 1) - special.gammaln(flips + 1) - special.gammaln(k - flips + 1)
        - flips * epsilon - k * math.log1p(math.exp(-epsilon))
    )  # fmt: skip
    return least_epsilon((k - 2 * flips) * epsilon, np.exp(log_chance), delta_prime)


def least_epsilon(losses, chances, delta):
    """The least epsilon >= 0 at which a privacy loss L keeps delta: E max(0, 1 - exp(epsilon - L))
    <= delta."""

    def gap(epsilon):
        over = losses > epsilon
        return float(-chances[over] @ np.expm1(epsilon - losses[over])) - delta

    if gap(0.0) <= 0:
        return 0.0
    return optimize.brentq(gap, 0.0, float(losses.max()), xtol=1e-15, rtol=1e-14)


def gaussian_epsilon(mu, delta):
    """The least epsilon of Gaussian noise for which the norm of all that moves, in units of sigma,
    is mu: k answers have mu = sqrt(k) sensitivity / sigma (Dong, Roth & Su 2022, 3.3)."""
    if gaussian_delta(0.0, mu) <= delta:
        return 0.0
    most = mu * mu / 2 + mu * math.sqrt(-2 * math.log(delta))

    def gap(epsilon):
        return math.log(max(gaussian_delta(epsilon, mu), 1e-320)) - math.log(delta)

    return optimize.brentq(gap, 0.0, most, xtol=1e-15, rtol=1e-14)


def laplace_loss(epsilon, step):
    """The privacy loss of Laplace noise on a lattice of this step, from -epsilon to epsilon. Of
    noise at 0 against noise at its shift the loss is epsilon with chance 1/2, -epsilon with chance
    exp(-epsilon)/2, and P(L > l) = 1 - exp((l - epsilon)/2)/2 between these."""
    places = np.arange(-round(epsilon / step), round(epsilon / step) + 1)
    ends = np.minimum((places[:-1] + 0.5) * step, epsilon)
    above = 1 - np.exp((ends - epsilon) / 2) / 2
    return places, -np.diff(np.concatenate([[1.0], above, [0.0]]))


def composed_epsilon(losses, step, delta):
    """Total epsilon at delta of several kinds of answers, each (places, chances, how many) with its
    losses at places * step: the law of the sum of all losses, by Fourier transform (Koskela,
    Jalko & Honkela 2020)."""
    mean = sum(n * float(places @ p) for places, p, n in losses)
    spread = math.sqrt(sum(n * float((places**2) @ p) for places, p, n in losses))
    most = sum(n * int(places[-1]) for places, _, n in losses)
    wide = min(most, math.ceil(abs(mean) + 40 * spread)) + 1
    size = 1 << (2 * wide + 1).bit_length()
    whole = np.ones(size // 2 + 1, dtype=complex)
    for places, chances, n in losses:
        laid = np.zeros(size)
        np.add.at(laid, places % size, chances)
        whole *= np.fft.rfft(laid) ** n
    chances = np.maximum(np.fft.irfft(whole, size), 0.0)
    places = np.fft.fftfreq(size, 1 / size)
    return least_epsilon(places * step, chances, delta)
