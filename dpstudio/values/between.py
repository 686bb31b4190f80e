"""On the way from one state to another, where only numbers differ."""

import math
from typing import Any

from dpstudio.values.domains import Integer, ParamError, Real
from dpstudio.values.parameters import K, Parameters, domains

_NAMES = 1e12


def between(start: K, end: K, share: float) -> K | None:
    """A state `share` of the way from `start` to `end`, 0 < share < 1: numbers of reals go evenly,
    on a logarithmic domain by their logarithms. None where anything else differs, or where no such
    state can be."""
    if type(start) is not type(end):
        return None
    changes: dict[str, Any] = {}
    for name, domain in domains(type(start)).items():
        one, two = getattr(start, name), getattr(end, name)
        if one == two:
            continue
        if isinstance(one, Parameters) and isinstance(two, Parameters):
            made: Any = between(one, two, share)
        else:
            made = _number(domain, one, two, share) if isinstance(domain, Real) else None
        if made is None:
            return None
        changes[name] = made
    try:
        return start.with_(**changes)
    except ParamError:
        return None


def _number(domain: Real, one: Any, two: Any, share: float) -> float | None:
    if not all(isinstance(x, int | float) and math.isfinite(x) for x in (one, two)):
        return None
    whole = isinstance(domain, Integer)
    if whole and domain.high - domain.low > _NAMES:
        return float(two)  # it only names something, as a seed does
    if domain.log and min(one, two) > 0:
        made = math.exp(math.log(one) + share * (math.log(two) - math.log(one)))
    else:
        made = float(one + share * (two - one))
    return float(round(made)) if whole else made
