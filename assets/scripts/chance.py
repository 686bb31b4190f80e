"""Chance that can be had again: of one seed and stream always the same draws."""

import numpy as np


def stream(*seed):
    """A generator for a seed and the number of its stream: other numbers, other draws."""
    return np.random.Generator(np.random.SFC64(seed))


def laplace_draws(rng, size):
    """Laplace noise of scale 1: exponentials, each with a sign by a bit of chance."""
    out = rng.standard_exponential(size)
    bits = rng.bit_generator.random_raw((size + 63) // 64).view(np.uint8)
    return np.where(np.unpackbits(bits, count=size) == 1, -out, out)
