"""What many answers cost together."""

import math

import numpy as np
from laws import gaussian_delta, staircase_height
from scipy import optimize, special


def advanced(epsilon, k, delta_prime):
    """Advanced composition (Dwork, Rothblum & Vadhan 2010, Theorem III.3)."""
    drift = k * epsilon * math.expm1(min(epsilon, 700.0))
    return epsilon * math.sqrt(2 * k * math.log(1 / delta_prime)) + drift


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


def optimal_as_printed(epsilon, k, delta_prime):
    """The same at total epsilons of (k - 2i) epsilon alone, as the theorem is printed."""
    steps = optimal(epsilon, k, delta_prime) / epsilon
    return (math.ceil((steps - k) / 2 - 1e-9) * 2 + k) * epsilon


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


def laplace_loss(epsilon, cells=100):
    """(losses, chances) of Laplace noise against its shift: epsilon with chance 1/2, -epsilon with
    chance exp(-epsilon)/2, and P(L > l) = 1 - exp((l - epsilon)/2)/2 between, in cells."""
    places = np.linspace(-epsilon, epsilon, 2 * cells + 1)
    above = 1 - np.exp(((places[1:] + places[:-1]) / 2 - epsilon) / 2) / 2
    return places, -np.diff(np.concatenate([[1.0], above, [0.0]]))


def response_loss(epsilon):
    """The same of randomised response, the most that epsilon allows."""
    keep = 1 / (1 + math.exp(-epsilon))
    return np.array([-epsilon, epsilon]), np.array([1 - keep, keep])


def geometric_loss(loss, shift):
    """The same of geometric noise that loses so much for each of `shift` steps; of very many, what
    their sum allows."""
    if shift > 40_000:
        return response_loss(loss * shift)
    k = np.arange(shift + 1)
    chances = math.tanh(loss / 2) * np.exp(-loss * k)
    chances[0] = 1 / (1 + math.exp(-loss))
    chances[-1] = math.exp(-loss * shift) / (1 + math.exp(-loss))
    return loss * (shift - 2.0 * k), chances


def staircase_loss(epsilon, gamma, moved):
    """The same of staircase noise, of which so many coordinates move by a whole step each: each
    loses epsilon, nothing or -epsilon."""
    b = math.exp(-epsilon)
    most = 0.5 + staircase_height(epsilon, gamma) * min(gamma, 1 - gamma)
    one = np.array([most * b, max(0.0, 1 - most - most * b), most])
    chances = np.ones(1)
    for _ in range(moved):
        chances = np.convolve(chances, one)
    return epsilon * (np.arange(len(chances)) - moved), chances


def composed_epsilon(kinds, k, delta, lost=0.0):
    """Total epsilon at delta of k answers of several kinds each, with (losses, chances) of each:
    the law of the sum of all losses on a lattice, by Fourier transform (Koskela, Jalko & Honkela
    2020). With probability `lost` nothing is hidden."""
    if lost >= delta:
        return math.inf
    delta = (delta - lost) / (1 - lost)
    step = min(float(losses.max()) for losses, _ in kinds) / 100
    laws = [on_lattice(losses, chances, step) for losses, chances in kinds]
    # Each loss is weighed by exp(tilt * loss), and the sums by its inverse, so that the tail that
    # delta asks for keeps its digits: by Chernoff's tilt, but no more than delta needs.
    tilts = np.geomspace(1e-4, 1e4, 401) / (100 * math.sqrt(k))
    moments = np.array([k * log_moment(laws, tilt) for tilt in tilts])
    costs = np.where(moments <= -1.5 * math.log(delta), (moments - math.log(delta)) / tilts, np.inf)
    tilt = float(tilts[int(np.argmin(costs))]) if delta < 1e-7 else 0.0
    most, mean, spread, whole = 0, 0.0, 0.0, []
    for places, chances in laws:
        chances = chances * np.exp(tilt * places - log_moment([(places, chances)], tilt))
        whole.append((places, chances))
        mean += k * float(places @ chances)
        spread += k * float((places**2) @ chances) - k * float(places @ chances) ** 2
        most += k * int(places.max())
    size = (
        1
        << (2 * min(most, math.ceil(abs(mean) + 40 * math.sqrt(max(0.0, spread)))) + 3).bit_length()
    )
    transform = np.ones(size // 2 + 1, dtype=complex)
    for places, chances in whole:
        laid = np.zeros(size)
        np.add.at(laid, places % size, chances)
        transform *= np.fft.rfft(laid) ** k
    sums = np.fft.fftfreq(size, 1 / size)
    chances = np.maximum(np.fft.irfft(transform, size), 0.0)
    chances *= np.exp(np.minimum(k * log_moment(laws, tilt) - tilt * sums, 700.0))
    return least_epsilon(sums * step, chances, delta)


def log_moment(laws, tilt):
    """The sum of ln E exp(tilt * place) of several kinds."""
    return sum(float(special.logsumexp(tilt * places, b=chances)) for places, chances in laws)


def on_lattice(losses, chances, step):
    """(places, chances) on whole steps, each loss shared by its two neighbours."""
    at = losses / step
    at = np.where(np.abs(at - np.rint(at)) < 1e-9 * np.maximum(1, np.abs(at)), np.rint(at), at)
    low = np.floor(at).astype(int)
    up = at - low
    return np.concatenate([low, low + 1]), np.concatenate([chances * (1 - up), chances * up])


def prime_left(delta, each, k):
    """The delta' for which 1 - (1 - delta')(1 - each)^k is delta (Kairouz, Oh & Viswanath 2015)."""
    return -math.expm1(math.log1p(-delta) - k * math.log1p(-each))


def kov35(epsilon, k, delta_prime):
    """The least of adding up, the tanh form, and that with ln(e + sqrt(k epsilon^2) / delta') for
    ln(1/delta') (Kairouz, Oh & Viswanath 2015, Theorem 3.5)."""
    logs = min(math.log(1 / delta_prime), math.log(math.e + math.sqrt(k) * epsilon / delta_prime))
    drift = k * epsilon * math.tanh(epsilon / 2)
    return min(k * epsilon, drift + epsilon * math.sqrt(2 * k * logs))


def zcdp(rho, delta):
    """rho + 2 sqrt(rho ln 1/delta) (Bun & Steinke 2016, Proposition 1.3)."""
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def zcdp_tight(rho, delta):
    """The least over a > 1 of rho a + ln(1 - 1/a) + (ln 1/delta - ln a) / (a - 1) (Canonne, Kamath
    & Steinke 2020, Corollary 13)."""
    return divergence_epsilon(lambda u: rho * (1 + u), delta)


def divergence_epsilon(divergence, delta):
    """The same of any Renyi divergence of order 1 + u (Mironov 2017)."""

    def cost(log_u):
        u = math.exp(log_u)
        return divergence(u) + (-math.log(delta) - math.log1p(u)) / u - math.log1p(1 / u)

    at = min(np.linspace(-14, 27, 400), key=cost)
    found = optimize.minimize_scalar(cost, bounds=(at - 0.2, at + 0.2), method="bounded",
                                     options={"xatol": 1e-9})  # fmt: skip
    return max(0.0, float(found.fun))


def laplace_divergence(epsilon, u):
    """ln(((1 + u) exp(u e) + u exp(-(1 + u) e)) / (2u + 1)) / u (Mironov 2017, Proposition 6)."""
    logs = np.array([math.log1p(u) + u * epsilon, math.log(u) - (1 + u) * epsilon])
    return float(special.logsumexp(logs) - math.log(2 * u + 1)) / u


def response_divergence(epsilon, u):
    """That of randomised response, the most that epsilon allows (Mironov 2017, Proposition 5)."""
    keep, lie = -math.log1p(math.exp(-epsilon)), -epsilon - math.log1p(math.exp(-epsilon))
    logs = np.array([(1 + u) * keep - u * lie, (1 + u) * lie - u * keep])
    return float(special.logsumexp(logs)) / u
