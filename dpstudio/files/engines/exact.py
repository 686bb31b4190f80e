"""A table that another engine holds, with sums that are exact: what a plan releases is drawn of it.
Each row is put on a public grid there, by itself, and whole numbers are added up."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpstudio.data.conditions import Where
from dpstudio.data.exact_sums import Exact, sort_of
from dpstudio.files.engines.asking import other_type
from dpstudio.files.engines.elsewhere import Elsewhere
from dpstudio.files.engines.expressions import double, rounded, value
from dpstudio.values.parameters import ParamError

if TYPE_CHECKING:
    import ibis.expr.types as ir


class ExactElsewhere(Elsewhere, Exact):
    """`data` with exact sums. Its columns hold what the database declares: where a question takes
    one (`asked`, by name) for something else, it raises ParamError; no row decides that."""

    def __init__(self, data: Elsewhere, asked: Mapping[str, str]):
        self.__dict__.update(data.__dict__)
        for name, kind in asked.items():
            held = data.info(name).type
            if sort_of(kind) != sort_of(held) and not (kind == "category" and held != "date"):
                raise ParamError(name, other_type(name))

    def in_steps(
        self,
        column: str,
        ends: tuple[Fraction, Fraction, Fraction],
        step: Fraction,
        where: Where,
        by: str = "",
        words: tuple[str, ...] = (),
    ) -> tuple[list[int], list[int]]:
        low, middle, high = ends
        off = round((Fraction(float(middle)) - middle) / step)  # which the double is beside it
        last = math.floor((high - middle) / step)
        first = min(last, math.ceil((low - middle) / step))

        def steps(rows: ir.Table) -> Any:
            x = self._values(column)(rows).cast("float64").clip(double(low), double(high))
            y = x - double(middle)
            # PostgreSQL refuses a quotient that no double is near: a row would decide that.
            y = (y.abs() < double(step / 4)).ifelse(0.0, y)
            z = rounded(rows, y / double(step)) + double(off)
            return z.clip(double(first), double(last)).cast("int64")

        met = self._met(where)
        rows = met.select(w=value(met, by) if by else 0, z=steps(met), x=self._values(column)(met))
        both = rows.filter(lambda t: t.w.notnull() & t.x.notnull())
        found = self._ask(
            both.group_by("w").aggregate(n=lambda t: t.count(), s=lambda t: t.z.sum())
        )
        place = self._place(by, words) if by else lambda _: 0
        counts, sums = ([0] * (len(words) if by else 1) for _ in range(2))
        for word, n, s in zip(found["w"], found["n"], found["s"], strict=True):
            at = place(word)
            if at is not None:
                counts[at] += int(n)
                sums[at] += int(s)
        return counts, sums
