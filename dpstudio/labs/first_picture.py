"""The first picture of the day does not wait for a library that only some of its curves need."""

from collections.abc import Iterable

from dpstudio.privacy.mechanisms.gaussian import library_loaded

# Mechanisms whose laws need scipy.special, which takes 0.2 s to import.
LATE = ("gaussian", "discrete_gaussian", "textbook", "l2norm")


def at_once(mechanisms: Iterable[str]) -> tuple[str, ...]:
    """Those of these keys of mechanisms that never need the library."""
    return tuple(key for key in mechanisms if key not in LATE)


def waits_for_library(whole: Iterable[str], first: Iterable[str]) -> bool:
    """Whether the picture with the mechanisms `whole` would wait for the library, while one with
    only those of `first` (at least one) can be drawn without it. Both are keys of mechanisms."""
    late, early = not set(whole).isdisjoint(LATE), tuple(first)
    return bool(early) and at_once(early) == early and late and not library_loaded()
