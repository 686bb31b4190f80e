"""Which conditions no row can meet at once: proved from the conditions, never guessed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

from dpstudio.data.conditions import ORDERED, Value, Where, as_word
from dpstudio.privacy.queries.several import memberships
from dpstudio.values.dates import span_of
from dpstudio.values.parameters import ParamError

TYPES = ("integer", "number", "date", "category")


def disjoint(a: Where, b: Where, types: Mapping[str, str]) -> bool:
    """Whether it is proved that no row meets both, whatever its values are, missing ones among
    them. `types` are those of columns that somebody told; of others it must hold for each type that
    the conditions allow."""
    if not a or not b:
        return False
    columns = sorted({test.column for where in (a, b) for test in where.tests()})
    allowed = [_allowed(c, (a, b), types.get(c, "")) for c in columns]
    found = False
    for chosen in itertools.product(*allowed):
        try:
            sets = memberships((a, b), dict(zip(columns, chosen, strict=True)))
        except (ValueError, ParamError):
            return False
        if sets is None or (0, 1) in sets:
            return False
        found = True
    return found


def _allowed(column: str, wheres: Sequence[Where], told: str) -> list[str]:
    """The types that a column can have on which these comparisons are made; none where the one that
    was told is not among them."""
    tests = [test for where in wheres for test in where.tests() if test.column == column]
    values = [value for test in tests for value in test.values]
    ordered = any(test.operator in ORDERED for test in tests)
    kinds = [] if ordered else ["category"]
    if all(_reads(float, value) for value in values):
        kinds.append("number")
    if all(_reads(lambda v: span_of(as_word(v)), value) for value in values):
        kinds.append("date")
    if told:
        return [told] if ("number" if told == "integer" else told) in kinds else []
    return kinds


def _reads(read: Callable[[Value], object], value: Value) -> bool:
    try:
        read(value)
    except (ValueError, ParamError):
        return False
    return True


def lots(wheres: Sequence[Where], types: Mapping[str, str]) -> tuple[int | None, ...]:
    """For each condition the number of the lot that it belongs to: of one lot no two can be met by
    one row. None where it stands alone. Each joins the first lot that it fits."""
    found: list[list[int]] = []
    for i, where in enumerate(wheres):
        fits = (lot for lot in found if all(disjoint(wheres[j], where, types) for j in lot))
        lot = next(fits, None)
        if lot is None:
            found.append([i])
        else:
            lot.append(i)
    several = (lot for lot in found if len(lot) > 1)
    place = {i: n for n, lot in enumerate(several) for i in lot}
    return tuple(place.get(i) for i in range(len(wheres)))
