"""One number, one rounding: finds numbers of a page that come from the same value and stand there as
texts that contradict each other, as 4.221 in a sentence and 4.23 at a curve."""

import math
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal
from itertools import combinations
from typing import Any

from dpstudio.labs.findings import Findings
from dpstudio.values.messages import Num

DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
POWER = re.compile(r"(?:(?P<head>[\d.]+)·)?10(?P<power>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")


def nums(value: Any) -> Iterator[Num]:
    """Every number that is shown in a part of findings, however deep."""
    if isinstance(value, Num):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from nums(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from nums(inner)
    elif is_dataclass(value):
        for field in fields(value):
            yield from nums(getattr(value, field.name))


def read(text: str) -> Decimal:
    """A shown number without its sign, with all places that it has."""
    text = text.lstrip("+−").removesuffix(" %").replace(",", "")
    at = POWER.fullmatch(text)
    if at is None:
        return Decimal(text)
    return Decimal(f"{at['head'] or 1}e{at['power'].translate(DIGITS)}")


def contradict(one: str, other: str) -> bool:
    """Whether two texts of one value differ by more than the coarser one rounds by."""
    a, b = read(one), read(other)
    last = max(Decimal(1).scaleb(int(x.as_tuple().exponent)) for x in (a, b))
    return abs(a - b) > last / 2


def at_odds(found: Findings) -> Iterator[tuple[float, str, str]]:
    """(value, one text, other text) of every value that is shown in two ways that contradict each
    other, its sign left out."""
    shown: dict[tuple[float, bool], set[str]] = {}
    for num in nums(found):
        size = abs(float(num.value))
        if size and math.isfinite(size):
            texts = shown.setdefault((float(f"{size:.11g}"), num.percent), set())
            texts.add(str(num).lstrip("+−"))
    for (size, _), texts in shown.items():
        for one, other in combinations(sorted(texts), 2):
            if contradict(one, other):
                yield size, one, other
