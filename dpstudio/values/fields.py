"""The four kinds of fields that most `Parameters` are made of: what they hold and what else is to
be known of them, told at once. Labels and helps are message ids."""

from collections.abc import Callable, Mapping
from typing import Any, Unpack

from dpstudio.values.domains import Choice, Flag, Integer, Real
from dpstudio.values.parameters import RoleFields, param


def real(
    default: float,
    label: str,
    help: str = "",
    *,
    low: float,
    high: float,
    log: bool = False,
    percent: bool = False,
    **role: Unpack[RoleFields],
) -> Any:
    """A number in [low, high]; `log`: a slider runs over its logarithm."""
    domain = Real(label, help, low=low, high=high, log=log, percent=percent)
    return param(default, domain, **role)


def integer(
    default: int,
    label: str,
    help: str = "",
    *,
    low: float,
    high: float,
    log: bool = False,
    **role: Unpack[RoleFields],
) -> Any:
    """A whole number in [low, high]."""
    return param(default, Integer(label, help, low=low, high=high, log=log), **role)


def choice(
    default: str,
    label: str,
    help: str = "",
    *,
    options: Mapping[str, str] | Callable[[], Mapping[str, str]],
    rows: bool = False,
    **role: Unpack[RoleFields],
) -> Any:
    """One of `options`, each with its label, which stand one below the other in `rows`."""
    domain = Choice(label, help, options=options, editor="rows" if rows else "")
    return param(default, domain, **role)


def flag(default: bool, label: str, help: str = "", **role: Unpack[RoleFields]) -> Any:
    """On or off."""
    return param(default, Flag(label, help), **role)
