"""Roots: ends that keep the signs and close, in few steps where a function is smooth and in so many
that it stops where it is not."""

import math
from collections.abc import Callable

import pytest

from dpstudio.values.roots import bracket

# A function, its ends, its root, and how often it may be asked.
CASES: list[tuple[Callable[[float], float], float, float, float, int]] = [
    (lambda x: x * x - 2, 0.0, 10.0, math.sqrt(2), 14),
    (lambda x: 2 - math.exp(x), -20.0, 20.0, math.log(2), 20),
    (lambda x: math.tanh(x - 3), -14.0, 9.0, 3.0, 16),
    (lambda x: (x - 1) ** 9, 0.0, 5.0, 1.0, 70),
    (lambda x: math.atan(1e6 * (x - 0.3)), 0.0, 1.0, 0.3, 40),
    (lambda x: -1.0 if x < math.pi else 1.0, 0.0, 1e6, math.pi, 70),
    (lambda x: -math.inf if x < math.e else x, 0.0, 1e9, math.e, 80),
    (lambda x: 1e-300 * (x - 7), 0.0, 20.0, 7.0, 10),
    (lambda x: x**3, -1.0, 3.0, 0.0, 200),  # at 0 no end is near in units of itself
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("rtol", [1e-13, 1e-6])
def test_the_root_is_between_two_near_ends(
    case: tuple[Callable[[float], float], float, float, float, int], rtol: float
) -> None:
    f, low, high, at, most = case
    asked = list[float]()
    a, b = bracket(lambda x: asked.append(x) or f(x), low, high, rtol)  # type: ignore[func-returns-value]
    assert a <= at <= b or abs(a - at) <= 1e-15 * abs(at)
    assert f(a) == f(b) == 0 or (f(a) < 0) == (f(low) < 0) != (f(b) < 0)
    assert b - a <= 2 * rtol * (max(abs(a), abs(b)) if at else max(abs(low), abs(high)))
    assert len(asked) <= most
    assert all(low <= x <= high for x in asked)


def test_ends_of_one_sign_hold_no_root_that_is_known() -> None:
    with pytest.raises(ValueError, match="no sign change"):
        bracket(lambda x: x * x + 1, -1.0, 1.0)
    assert bracket(lambda x: x, 0.0, 1.0) == (0.0, 0.0)
