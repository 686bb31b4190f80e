"""Where a handle lands: the value that a drag or an arrow key asks for, by the parameter's domain
or by the chart's axis."""

import math

from dpstudio.charts.figure import Axis
from dpstudio.data.dataset import Dataset
from dpstudio.labs import Lab
from dpstudio.values.parameters import (
    Domain,
    Integer,
    Maybe,
    Parameters,
    Real,
    get,
    roles,
    settings,
)

_WIDEST = 10_000  # a slider over more than this, not logarithmic, hits no value that anyone wants


def slides(domain: Domain) -> bool:
    """Whether a slider over the whole domain can hit the values that people want."""
    if not isinstance(domain, Real) or not (
        math.isfinite(domain.low) and math.isfinite(domain.high)
    ):
        return False
    narrow = domain.high - domain.low <= (_WIDEST if isinstance(domain, Integer) else 1000)
    return (domain.log and domain.low > 0) or narrow


def landed(lab: Lab, path: str, value: float, axis: Axis, data: Dataset | None) -> float:
    """The value of a handle that was let go at `value` on an axis."""
    domain = _domain(lab, path)
    value = min(domain.high, max(domain.low, value))
    return (
        domain.at(domain.position(value))
        if slides(domain)
        else _rounded(value, domain, axis, _whole(lab, path, data))
    )


def nudged(
    lab: Lab, path: str, steps: int, axis: Axis | None, stands: float, data: Dataset | None
) -> float:
    """The value `steps` hundredths further along the slider, or along the axis where there is none;
    whole numbers move by one at least."""
    domain, held = _domain(lab, path), get(lab, path)
    step = 1 if steps > 0 else -1
    if slides(domain) or axis is None:
        value = domain.at(domain.position(held) + steps / 100)
        return min(domain.high, max(domain.low, value + step)) if value == held else value
    here = stands if held is None else held
    low, high = axis.range
    whole = _whole(lab, path, data)
    moved = here * 1.02**steps if axis.log else here + steps * (high - low) / 100
    value = _rounded(min(domain.high, max(domain.low, moved)), domain, axis, whole)
    return (
        min(domain.high, max(domain.low, round(here) + step)) if whole and value == here else value
    )


def _holder(lab: Lab, path: str) -> tuple[Parameters, str]:
    """The `Parameters` that has the parameter at a path, and the parameter's name there."""
    outer, _, name = path.rpartition(".")
    return get(lab, outer) if outer else lab, name


def _domain(lab: Lab, path: str) -> Real:
    holder, name = _holder(lab, path)
    domain = settings(type(holder))[name]
    real = domain.inner if isinstance(domain, Maybe) else domain
    assert isinstance(real, Real)
    return real


def _whole(lab: Lab, path: str, data: Dataset | None) -> bool:
    """Whether the parameter is a whole number: by itself, or because it belongs to a column of
    whole numbers."""
    if isinstance(_domain(lab, path), Integer):
        return True
    holder, name = _holder(lab, path)
    role = roles(type(holder)).get(name)
    columns = [getattr(holder, other) for other in role.of] if role else []
    return data is not None and any(
        data.has(column) and data.info(column).type == "integer" for column in columns
    )


def _rounded(value: float, domain: Real, axis: Axis, whole: bool) -> float:
    """About three digits of what the axis shows: of the value where it is logarithmic, of its
    length where it is not."""
    # The largest power of ten that is no more than a hundredth of the value, or half a hundredth of
    # the axis.
    size = abs(value) / 100 if axis.log else abs(axis.range[1] - axis.range[0]) / 200
    if not (size > 0 and math.isfinite(size)):
        return value
    step = 10.0 ** math.floor(math.log10(size))
    number = round(value / step) * step
    number = float(round(number)) if whole else float(f"{number:.12g}")
    return min(domain.high, max(domain.low, number))
