"""Who errs least: labs that name a winner name all that are as good."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from dpstudio.values.messages import N_, Message, Num, say

T = TypeVar("T")
# Errors within this factor are equal: three digits do not tell them apart.
LEVEL = 1.0005


def level(one: float, other: float, within: float = LEVEL) -> bool:
    """Whether two errors are equal; both ≥ 0."""
    return max(one, other) <= min(one, other) * within


def factor(ratio: float) -> Num:
    """How many times as large as the least an error is: to three digits, and to a fourth where
    three would call it level."""
    return Num(ratio, 4 if 1 < ratio < 1.01 else 3)


def share_less(least: float, other: float) -> float:
    """By what share of another > 0 the least is smaller."""
    return 1 - least / other


def times_less(least: float, other: float) -> float:
    """How many times the least > 0 another is."""
    return other / least


def by_less(least: float, other: float, digits: int = 2) -> Num | Message:
    """What stands before “less”, rounded down: a share of the other, and where less than a
    hundredth of it is left how many times, for all of these would be “99 %”."""
    if least > other / 100 or least == 0:
        return Num(share_less(least, other), digits, "down", percent=True)
    return say("{times} times", times=Num(times_less(least, other), 3, "down"))


def tiers(those: Iterable[T], error: Callable[[T], float], within: float = LEVEL) -> list[list[T]]:
    """Those with the least error, then those with the least of what is left, and so on: within a
    tier all are level with its best, and they keep the order in which they come."""
    left, found = list(those), list[list[T]]()
    while left:
        least = min(map(error, left))
        found.append([one for one in left if level(error(one), least, within)])
        left = [one for one in left if not level(error(one), least, within)]
    return found


def besides_first(those: Sequence[object]) -> int:
    """How many are left where the first stands for all of them."""
    return len(those) - 1


def listed(names: Sequence[Message]) -> Message:
    """Names after one another: “A, B and C”. Raises IndexError of none."""
    told = names[0]
    for place, name in enumerate(names[1:], 2):
        last = place == len(names)
        text = N_("{names} and {name}") if last else N_("{names}, {name}")
        told = say(text, names=told, name=name)
    return told
