"""What one answer tells of one person."""

import math

from scipy import integrate


def laplace_advantage(losses):
    """The total variation between Laplace noise and the same moved, of one number or of two with
    noise of their own, each by so many of its scales: how much more often than by a coin the best
    guess is right, times two (Neyman & Pearson 1933)."""
    a, *others = sorted((loss for loss in losses if loss > 0), reverse=True) or [0.0]
    if not others:
        return -math.expm1(-a / 2)
    (b,) = others

    def gain(x):
        """The mean of max(0, 1 − e^−(L + x)) over the loss L of the first: a with a chance of a
        half, −a with e^−a/2, and between of density e^((l − a)/2)/4."""
        if x <= -a:
            return 0.0
        low = max(-a, -x)
        found = -math.expm1(-a - x) / 2 + max(0.0, -math.expm1(a - x)) * math.exp(-a) / 2
        # The integral of (1 − e^−(l + x))·e^((l − a)/2)/4 from low to a.
        found += (1 - math.exp((low - a) / 2)) / 2
        return found - math.exp(-x - a / 2) * (math.exp(-low / 2) - math.exp(-a / 2)) / 2

    def weighed(x):
        return gain(x) * math.exp((x - b) / 2) / 4

    inner = integrate.quad(weighed, -b, b, points=[0.0], epsabs=1e-13, epsrel=1e-12, limit=200)[0]
    return gain(b) / 2 + gain(-b) * math.exp(-b) / 2 + inner
