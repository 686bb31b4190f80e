"""Draws for looking at: uniforms that are sorted without a sort, so that one set serves every
law."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.sampling import SimulationRandom


def sorted_uniforms(seed: int, trials: int) -> Array:
    """`trials` sorted uniforms: normalised cumulative exponentials, which need no sort. Shape
    (trials,)."""
    gaps = SimulationRandom(seed, 0).generator.standard_exponential(trials + 1)
    np.cumsum(gaps, out=gaps)
    return np.asarray(gaps[:-1] / gaps[-1])
