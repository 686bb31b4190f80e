"""How far off a sum of several noises is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.plans.convolved import LOST, alike, half_width
from dpstudio.plans.laws import Noise
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw

Floats = NDArray[np.float64]
_SHARES = (0.01, 0.03, 0.1, 0.3)  # of what is missed that is left to all but the widest noise
_ALIKE = 500  # noises of one scale, of whose sum the law is worked out
_RATES = np.geomspace(0.1, 10, 64)


@dataclass(frozen=True)
class Weighed:
    """`laws` in their order, each of whose noises is taken so many times (`by`)."""

    laws: tuple[Noise, ...]
    by: tuple[Floats, ...]

    def half_width(self, confidence: float) -> float:
        """What the sum keeps with this confidence: exact of Gaussian noise alone; else a bound, by
        Chernoff, by the law of the widest noise and Chernoff for the rest, or by that of as many
        Laplace noises where all are alike."""
        gaussian, wide, of = 0.0, list[Any](), list[Any]()
        for place, (law, by) in enumerate(zip(self.laws, self.by, strict=True)):
            if law.gaussian:
                gaussian += float(law.size) * float(by @ by)
            else:
                wide.append(np.abs(by) * float(law.size))
                of.append(np.full(len(by), place))
        scales, missed = np.concatenate([np.zeros(0), *wide]), 1 - confidence
        if not scales.any():
            return GaussianLaw(math.sqrt(gaussian)).half_width(confidence) if gaussian else 0.0
        most = int(scales.argmax())
        law = self.laws[int(np.concatenate(of)[most])]
        rest = np.delete(scales, most)
        if not rest.any() and not gaussian:
            return _one(law, float(scales[most]), confidence)
        found = [_chernoff(scales, gaussian, missed)]
        if not gaussian and scales.min() == scales.max() and len(scales) <= _ALIKE:
            # Each noise is within a step of a Laplace noise: of two exponential ones, rounded down.
            pairs = zip(self.laws, self.by, strict=True)
            steps = math.fsum(float(np.abs(by).sum()) * float(law.step) for law, by in pairs)
            found.append(float(scales[0]) * _alike(len(scales), missed) + steps)
        for share in _SHARES:
            one = _one(law, float(scales[most]), 1 - missed * (1 - share))
            found.append(one + _chernoff(rest, gaussian, missed * share))
        far = _chernoff(scales, gaussian, LOST)
        ends = (float(f"{each:.6g}") for each in (min(found), far))  # alike for what is alike
        found.append(half_width(tuple(self._parts()), gaussian, *ends, missed))
        return min(found)

    def _parts(self) -> Iterator[tuple[float, float, int]]:
        """The noise that is not Gaussian, and how often it is alike."""
        for law, by in zip(self.laws, self.by, strict=True):
            for each, times in () if law.gaussian else alike(by):
                yield float(law.size) * each, float(law.step) * each, times


def _one(law: Noise, scale: float, confidence: float) -> float:
    if law.step != 1:
        return LaplaceLaw(scale).half_width(confidence)
    times = scale / float(law.size)
    return DiscreteLaplaceLaw(1 / float(law.size)).half_width(confidence) * times


def _alike(count: int, missed: float) -> float:
    """What a sum of so many Laplace noises of scale 1 exceeds with that chance: a difference of two
    gamma variables, of which the tail is a mixture of those of Erlang's law."""
    places = np.arange(count)
    parts = [math.comb(count - 1 + k, k) / 2 ** (count - 1 + k) for k in range(count)]
    held = np.cumsum(parts)[::-1]
    logs = np.concatenate([[0.0], np.cumsum(np.log(places[1:]))])

    def tail(far: float) -> float:
        return float(np.exp(places * math.log(far) - far - logs) @ held)

    low, high = 1e-9, 1.0
    while tail(high) > missed:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) > missed else (low, middle)
    return high


def _chernoff(scales: Floats, gaussian: float, missed: float) -> float:
    """E[e^(λX)] of geometric noise is at most 1/(1 − b²λ²), as of Laplace noise."""
    log = math.log(2 / missed)
    held, counts = np.unique(scales[scales > 0], return_counts=True)
    if not len(held) and not gaussian:
        return 0.0
    rates = _RATES * math.sqrt(2 * log / (gaussian + 2 * float(counts @ held**2)))
    if len(held):
        rates = np.minimum(rates, 0.999 / held.max())
    moments = rates**2 * gaussian / 2 - np.log1p(-(np.outer(rates, held) ** 2)) @ counts
    return float(((log + moments) / rates).min())
