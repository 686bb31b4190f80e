"""What concentrated DP says of (ε, δ), for noise whose own δ is not worked out."""

import math
from functools import lru_cache

import numpy as np

from dpstudio.values.roots import root

_ALPHAS = 1 + np.geomspace(1e-6, 1e9, 4001)
_LOGS, _RATIOS = np.log(_ALPHAS - 1), _ALPHAS * np.log1p(-1 / _ALPHAS)


def concentrated_log_delta(epsilon: float, rho: float) -> float:
    """ln of a δ that ρ-zCDP gives at ε, which may be above 0 (Canonne, Kamath & Steinke 2020,
    Corollary 13, the least over a grid of α: a bound at any)."""
    bound = (_ALPHAS - 1) * (_ALPHAS * rho - epsilon) - _LOGS + _RATIOS
    return float(np.min(bound))


@lru_cache(maxsize=4096)
def concentrated_rho(epsilon: float, delta: float) -> float:
    """The largest ρ for which `concentrated_log_delta` gives (ε, δ). Raises ValueError where it
    lies outside 1e-30 to 1e6."""
    target = math.log(delta)
    return math.exp(
        root(
            lambda log_rho: concentrated_log_delta(epsilon, math.exp(log_rho)) - target,
            math.log(1e-30),
            math.log(1e6),
            1e-12,
        )
    )
