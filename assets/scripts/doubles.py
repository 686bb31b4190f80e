"""What the last bits of a noisy double tell (Mironov 2012)."""

import numpy as np


def finest(x):
    """The finest grid on which x + noise lies, of doubles: noise near -x is that of half its size,
    and the sum of both is exact there (Sterbenz)."""
    return float(np.spacing(abs(x) / 2)) if x else 5e-324


def off_grid(outputs, other):
    """Which outputs are no multiple of the finest grid of another answer, and so not its own."""
    if other == 0:
        return np.zeros(len(outputs), dtype=bool)
    steps = outputs / finest(other)
    return steps != np.rint(steps)


def unreachable(outputs, other):
    """Which outputs no double noise at all can make of another answer: neither output - other nor a
    neighbour of that gives it back."""
    noise = outputs - other
    found = other + noise == outputs
    for toward in (-np.inf, np.inf):
        found |= other + np.nextafter(noise, toward) == outputs
    return ~found
