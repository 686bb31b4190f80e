"""The losses of mechanisms as OpenDP's proofs have them: an extra, asked in a process of its own,
since a call of the library can end its process."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.metadata import distributions, version
from typing import Any

from dpstudio.values.workers import apart

LAPLACE, GAUSSIAN, GUMBEL = "laplace", "gaussian", "gumbel"
_INTEGERS = 62  # bits of a distance that OpenDP takes as a whole number


@dataclass(frozen=True)
class Measured:
    """Noise of that scale (a double, as a fraction) on numbers that one person moves by `distance`:
    in L1 for geometric noise on integers, in L2 for Gaussian noise on them, and each by so much for
    Gumbel noise on scores, of which the largest is told."""

    kind: str
    scale: Fraction
    distance: Fraction
    monotone: bool = False


def there() -> bool:
    """Whether the extra is installed; a folder of that name where one works is not it."""
    return any(True for _ in distributions(name="opendp"))


def named() -> str:
    """The library and its version."""
    return f"OpenDP {version('opendp')}"


def losses(asked: Sequence[Measured]) -> list[float]:
    """ε of geometric noise and ρ of all other, in their order. RuntimeError with what the library
    says where it has none."""
    found: list[float] = apart(mapped, list(asked))
    return found


def mapped(asked: Sequence[Measured]) -> list[float]:
    """The same, in this process."""
    import_module("opendp.mod").enable_features("contrib")
    return [_mapped(each) for each in asked]


def _mapped(asked: Measured) -> float:
    made, metrics, domains, measures = (
        import_module(f"opendp.{name}")
        for name in ("measurements", "metrics", "domains", "measures")
    )
    whole: Any = domains.vector_domain(domains.atom_domain(T="i64"))
    scale, far = asked.scale, asked.distance
    if asked.kind == LAPLACE:
        # The loss is distance over scale: of more bits than an integer has, both lose some.
        cut = Fraction(2) ** max(0, int(far).bit_length() - _INTEGERS)
        noise = made.make_laplace(whole, metrics.l1_distance(T="i64"), float(scale / cut))
        return float(noise.map(-int(-far // cut)))
    if asked.kind == GAUSSIAN:
        noise = made.make_gaussian(whole, metrics.l2_distance(T="f64"), float(scale))
        return float(noise.map(above(far)))
    scores = domains.vector_domain(domains.atom_domain(T="f64", nan=False))
    metric = metrics.linf_distance(T="f64", monotonic=asked.monotone)
    choice = made.make_noisy_max(
        scores, metric, measures.zero_concentrated_divergence(), float(scale)
    )
    return float(choice.map(above(far)))


def above(value: Fraction) -> float:
    """The least double that is not below it."""
    found = float(value)
    return found if Fraction(found) >= value else math.nextafter(found, math.inf)
