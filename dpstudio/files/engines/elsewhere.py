"""What a table that another engine holds answers: all that a Dataset does."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.aggregates import Clipped, Extent, Ordered
from dpstudio.data.column_counts import COMMON, Persons, Spread, spread_of_ordered
from dpstudio.data.conditions import Where
from dpstudio.files.engines.asking import Answer, Asking
from dpstudio.files.engines.expressions import finite, floor, value
from dpstudio.files.engines.intervals import digits, place, with_ends
from dpstudio.values.domains import number_of
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

if TYPE_CHECKING:
    import ibis.expr.types as ir

# A column of at most so many different values is asked for each with its rows, once; all its sums
# follow from these. Of more, each sum is asked for.
FEW = 100_000
# Of a column of more, the numbers in order are those of its first digits.
MANY = 1_000_000
_FIRST = 120_000  # rows of a first look, which often says enough
_CHANCE = 9  # pairs of like numbers that a first look may have missed


class Elsewhere(Asking):
    """A table that stays where it is."""

    def few(self, column: str) -> bool:
        """Whether a column has so few different values that each is asked for with its rows."""
        return self._each(column) is not None

    def _each(self, column: str) -> Ordered | None:
        """The numbers of all rows in order; None where a first look, or the answer, has more than
        few."""
        return self._about_rows(("each", column), lambda: self._counted(column))

    def _counted(self, column: str) -> Ordered | None:
        self._values(column)
        if self.rows > _FIRST and self._first_apart(column)[1] > FEW:
            return None
        found = self._ask(self._sizes(column, Where()).limit(FEW + 1))
        return None if len(found["x"]) > FEW else _in_order(found)

    def _sizes(self, column: str, where: Where) -> ir.Table:
        """The different numbers of the rows that meet a condition, and how often each is there."""
        rows = self._met(where)
        x = rows.select(x=self._values(column)(rows)).filter(lambda t: t.x.notnull())
        return x.group_by("x").aggregate(n=lambda t: t.count())

    def missing(self, column: str) -> int:
        """How many rows have no value in this column."""
        self._held.at(column)
        return self._about_rows(
            ("missing", column),
            lambda: int(self._one(Where(), n=lambda t: value(t, column).isnull().sum())["n"]),
        )

    def count(self, where: Where) -> int:
        """How many rows meet the condition."""
        if not where:
            return self.rows
        return self._about_rows(
            ("count", where), lambda: int(self._one(where, n=lambda t: t.count())["n"])
        )

    def ordered(self, column: str, where: Where) -> Ordered:
        """The distinct numbers of the rows that meet the condition, in order."""
        return self._about_rows(("ordered", column, where), lambda: self._ordered(column, where))

    def _ordered(self, column: str, where: Where) -> Ordered:
        each = None if where else self._each(column)
        if each is not None:
            return each
        if self.rounded(column):
            return self._by_digits(column, where)
        return _in_order(self._ask(self._sizes(column, where)))

    def rounded(self, column: str) -> bool:
        """Whether the numbers in order are those of their first digits: each stands for its mean,
        so counts and sums are those of the rows, as are the ends."""
        if self.rows <= MANY or self.few(column):
            return False
        present, distinct = self._first_apart(column)
        # Where so few of so many are alike: each pair of MANY is with a chance of 1 in MANY.
        if 2 * MANY * (present - distinct + _CHANCE) < present * distinct:
            return True
        return self._about_rows(("about", column), lambda: self._about(column)) > MANY

    def _about(self, column: str) -> int:
        """About how many numbers of a column are different."""
        at = self._values(column)
        return int(self._one(Where(), n=lambda t: at(t).approx_nunique())["n"])

    def _by_digits(self, column: str, where: Where) -> Ordered:
        met, told = self._met(where), self._measured(column)
        x = met.select(x=self._values(column)(met).cast("float64"))
        cut = (x.filter(finite(x.x)) if told["infinite"] else x.drop_null()).select(
            "x", k=digits(x.x, told["low"], told["high"])
        )
        found = self._ask(
            cut.group_by("k").aggregate(
                n=lambda t: t.count(),
                mean=lambda t: t.x.mean(),
                low=lambda t: t.x.min(),
                high=lambda t: t.x.max(),
            )
        )
        if told["infinite"]:
            ends = self._ask(
                x.filter(x.x.abs() == math.inf).group_by("x").aggregate(n=lambda t: t.count())
            )
            for name, key in (("n", "n"), ("mean", "x"), ("low", "x"), ("high", "x")):
                found[name] += ends[key]
        names = ("mean", "n", "low", "high")
        return with_ends(*(np.array(found[name], dtype=np.float64) for name in names))

    def extent(self, column: str) -> Extent | None:
        """Smallest and largest value; None where there is none, or they have no order."""
        if not self.info(column).ordered:
            return None
        return self._about_rows(("extent", column), lambda: self._extent(column))

    def _measured(self, column: str) -> dict[str, Any]:
        """Of the finite numbers of a column: the ends and how many there are; and how many others
        there are."""
        return self._about_rows(("measured", column), lambda: self._ends(column))

    def _ends(self, column: str) -> dict[str, Any]:
        rows = self._there.select(x=self._values(column)(self._there))
        told = {"low": rows.x.min(), "high": rows.x.max(), "n": rows.x.count()}
        found = self._single(rows.aggregate(**told))
        if math.isfinite(found["low"]) and math.isfinite(found["high"]):
            return {**found, "infinite": 0}
        kept = rows.filter(finite(rows.x))
        ends = kept.aggregate(low=kept.x.min(), high=kept.x.max(), n=kept.x.count())
        of_finite = self._single(ends)
        return {**found, **of_finite, "infinite": found["n"] - of_finite["n"]}

    def _extent(self, column: str) -> Extent | None:
        each = self._each(column)
        if each is not None:
            x, n = each.values[(kept := np.isfinite(each.values))], each.counts[kept]
            whole = bool(np.all(x == np.floor(x)))
            return Extent(float(x[0]), float(x[-1]), int(n.sum()), whole) if len(x) else None
        found = self._measured(column)
        if not found["n"]:
            return None
        whole = not self._in_parts(column)
        return Extent(float(found["low"]), float(found["high"]), int(found["n"]), whole)

    def _in_parts(self, column: str) -> bool:
        """Whether some numbers of a column are not whole, as one is said to be that is found
        first; none that is infinite."""
        rows = self._there.select(x=self._values(column)(self._there))
        if not rows.x.type().is_floating():
            return False
        return bool(self._ask(rows.filter(rows.x != floor(rows.x)).limit(1))["x"])

    def more_than(self, column: str, limit: int) -> bool:
        """Whether a column holds more than `limit` different values."""
        self._held.at(column)
        return self._about_rows(
            ("more than", column, limit),
            lambda: self._first_apart(column)[1] > limit or self._apart(column)[1] > limit,
        )

    def repeats(self, column: str) -> tuple[int, int]:
        """How many rows have a value, and how many different ones these are; of the first rows
        alone, where some of these already have the same."""

        def found() -> tuple[int, int]:
            present, distinct = self._first_apart(column)
            return (present, distinct) if present > distinct else self._apart(column)

        return self._about_rows(("repeats", column), found)

    def _first_apart(self, column: str) -> tuple[int, int]:
        """The same of the first rows."""
        return self._about_rows(("first", column), lambda: self._apart(column, first=True))

    def _apart(self, column: str, *, first: bool = False) -> tuple[int, int]:
        """How many rows have a value, and how many different ones; of the first rows, or of all."""
        rows = self._there.limit(_FIRST) if first and self.rows > _FIRST else self._there
        at = value(rows, column)
        found = self._single(rows.aggregate(n=at.count(), d=at.nunique()))
        return int(found["n"]), int(found["d"])

    def _words(self, column: str, where: Where) -> dict[Any, int]:
        """Rows of each word."""
        if self.info(column).type == "other":
            text = N_("“{column}” holds neither numbers nor words.")
            raise ParamError("column", say(text, column=column))
        rows = self._met(where)
        words = rows.select(w=value(rows, column)).filter(lambda t: t.w.notnull())
        found = self._ask(words.group_by("w").aggregate(n=lambda t: t.count()))
        return dict(zip(found["w"], found["n"], strict=True))

    def distinct(self, column: str, limit: int = 200) -> tuple[tuple[str, int], ...]:
        """The words of a column with their counts, most frequent first."""
        return self._about_rows(("distinct", column, limit), lambda: self._distinct(column, limit))

    def _distinct(self, column: str, limit: int) -> tuple[tuple[str, int], ...]:
        rows = self._there
        self._words_of(column)
        words = rows.select(w=value(rows, column)).filter(lambda t: t.w.notnull())
        counted = words.group_by("w").aggregate(n=lambda t: t.count())
        import ibis

        found = self._ask(counted.order_by([ibis.desc("n"), counted.w.cast("string")]).limit(limit))
        pairs = zip(map(str, found["w"]), found["n"], strict=True)
        return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

    def _words_of(self, column: str) -> None:
        if self.info(column).type == "other":
            text = N_("“{column}” holds neither numbers nor words.")
            raise ParamError("column", say(text, column=column))

    def clipped(
        self, column: str, low: float, high: float, where: Where, middle: float = 0.0
    ) -> Clipped:
        """Sum of min(max(x, low), high) − middle over the rows that meet the condition and have a
        value."""
        return self._about_rows(
            ("clipped", column, low, high, where, middle),
            lambda: self._clipped(column, low, high, where, middle),
        )

    def _clipped(
        self, column: str, low: float, high: float, where: Where, middle: float
    ) -> Clipped:
        if self.few(column):
            held = self.ordered(column, where)
            x, n = held.values, held.counts
            used = int(n.sum())
            total = float(np.dot(np.clip(x, low, high) - middle, n)) if used else 0.0
            below, above = int(n[x < low].sum()), int(n[x > high].sum())
            return Clipped(total, used, below, above, self.count(where) - used)
        at = self._values(column)
        found = self._one(
            where,
            rows=lambda t: t.count(),
            used=lambda t: at(t).count(),
            total=lambda t: (at(t).clip(low, high) - middle).sum(),
            below=lambda t: (at(t) < low).sum(),
            above=lambda t: (at(t) > high).sum(),
        )
        used, below, above = (int(found[key]) for key in ("used", "below", "above"))
        return Clipped(float(found["total"]), used, below, above, int(found["rows"]) - used)

    def powers(
        self, column: str, low: float, high: float, where: Where
    ) -> tuple[float, float, float, int]:
        """(Σ z, Σ z², Σ (z − z̄)², rows used) of z = min(max(x, low), high) − (low + high)/2."""
        return self._about_rows(
            ("powers", column, low, high, where), lambda: self._powers(column, low, high, where)
        )

    def _powers(
        self, column: str, low: float, high: float, where: Where
    ) -> tuple[float, float, float, int]:
        middle = (low + high) / 2
        if self.few(column):
            held = self.ordered(column, where)
            z, n = np.clip(held.values, low, high) - middle, int(held.counts.sum())
            total = float(np.dot(z, held.counts))
            apart = z - total / max(1, n)
            square, spread = (float(np.dot(part * part, held.counts)) for part in (z, apart))
            return total, square, spread, n
        at = self._values(column)

        def z_of(table: ir.Table) -> Any:
            return at(table).cast("float64").clip(low, high) - middle  # Spark's 1.5 is a decimal

        found = self._one(
            where,
            n=lambda t: at(t).count(),
            total=lambda t: z_of(t).sum(),
            square=lambda t: (z_of(t) * z_of(t)).sum(),
            spread=lambda t: z_of(t).var(how="pop"),
        )
        n = int(found["n"])
        return float(found["total"]), float(found["square"]), float(found["spread"]) * n, n

    def histogram(self, column: str, edges: tuple[float, ...], where: Where) -> NDArray[np.int64]:
        """Rows per interval [eᵢ, eᵢ₊₁), the last one closed, but of dates."""
        return self._about_rows(
            ("histogram", column, edges, where), lambda: self._histogram(column, edges, where)
        )

    def _histogram(self, column: str, edges: tuple[float, ...], where: Where) -> NDArray[np.int64]:
        ends = np.array(edges, dtype=np.float64)
        if self.info(column).type == "date":
            ends[-1] = np.nextafter(ends[-1], -np.inf)
        if self.few(column):
            held = self.ordered(column, where)
            kept = np.isfinite(held.values)
            counts = np.histogram(held.values[kept], bins=ends, weights=held.counts[kept])[0]
            return np.asarray(counts.astype(np.int64))
        rows = self._met(where)
        raw = rows[column]  # of which NaN is above all ends, in all engines
        x = rows.select(x=raw if raw.type().is_floating() else self._values(column)(rows))
        x = x.select(x=x.x.cast("float64"))
        x = x.filter((x.x >= float(ends[0])) & (x.x <= float(ends[-1])))
        found = self._ask(
            x.select(b=place(x.x, ends)).group_by("b").aggregate(n=lambda t: t.count())
        )
        out = np.zeros(len(edges) - 1, dtype=np.int64)
        out[np.array(found["b"], dtype=np.int64)] = found["n"]
        return out

    def tally(self, column: str, words: tuple[str, ...], where: Where) -> NDArray[np.int64]:
        """Rows per category; rows with another word, or none, are in none."""
        return self._about_rows(
            ("tally", column, words, where), lambda: self._tally(column, words, where)
        )

    def _tally(self, column: str, words: tuple[str, ...], where: Where) -> NDArray[np.int64]:
        held = self._about_rows(("words", column, where), lambda: self._words(column, where))
        out = np.zeros(len(words), dtype=np.int64)
        for found, n in held.items():
            place = self._place(column, words)(found)
            if place is not None:
                out[place] += n
        return out

    def _place(self, column: str, words: tuple[str, ...]) -> Callable[[Any], int | None]:
        """For a value of the column its place in words: the first of those that mean it."""
        by_word: dict[Any, int] = {}
        numeric = self.info(column).numeric
        for i, word in enumerate(words):
            key: Any = word
            if numeric:
                try:
                    key = number_of(word)
                except ValueError:
                    continue
            by_word.setdefault(key, i)
        return lambda found: by_word.get(float(found) if numeric else str(found))

    def grouped(
        self, by: str, words: tuple[str, ...], column: str, low: float, high: float, where: Where
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(rows used, clipped sum) for each of the words of `by`."""
        return self._about_rows(
            ("grouped", by, words, column, low, high, where),
            lambda: self._grouped(by, words, column, low, high, where),
        )

    def _grouped(
        self, by: str, words: tuple[str, ...], column: str, low: float, high: float, where: Where
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        self._words_of(by)
        rows, at = self._met(where), self._values(column)
        both = rows.select(w=value(rows, by), x=at(rows)).filter(
            lambda t: t.w.notnull() & t.x.notnull()
        )
        found = self._ask(
            both.group_by("w").aggregate(
                n=lambda t: t.count(), s=lambda t: t.x.clip(low, high).cast("float64").sum()
            )
        )
        counts, sums = np.zeros(len(words), dtype=np.int64), np.zeros(len(words))
        place = self._place(by, words)
        for word, n, s in zip(found["w"], found["n"], found["s"], strict=True):
            at_word = place(word)
            if at_word is not None:
                counts[at_word] += n
                sums[at_word] += s
        return counts, sums

    def crossed(
        self, first: str, rows: tuple[str, ...], second: str, columns: tuple[str, ...], where: Where
    ) -> NDArray[np.int64]:
        """Rows for each pair of words, shape (len(rows), len(columns))."""
        return self._about_rows(
            ("crossed", first, rows, second, columns, where),
            lambda: self._crossed(first, rows, second, columns, where),
        )

    def _crossed(
        self, first: str, rows: tuple[str, ...], second: str, columns: tuple[str, ...], where: Where
    ) -> NDArray[np.int64]:
        self._words_of(first)
        self._words_of(second)
        met = self._met(where)
        pairs = met.select(a=value(met, first), b=value(met, second)).filter(
            lambda t: t.a.notnull() & t.b.notnull()
        )
        found = self._ask(pairs.group_by(["a", "b"]).aggregate(n=lambda t: t.count()))
        out = np.zeros((len(rows), len(columns)), dtype=np.int64)
        down, across = self._place(first, rows), self._place(second, columns)
        for a, b, n in zip(found["a"], found["b"], found["n"], strict=True):
            i, j = down(a), across(b)
            if i is not None and j is not None:
                out[i, j] += n
        return out

    def moments(
        self, columns: tuple[str, ...], bounds: tuple[tuple[float, float], ...], where: Where
    ) -> NDArray[np.float64]:
        """Z Zᵀ of the rows z = (1, z₁ … z_p) that have every value, each zᵢ clipped and scaled."""
        return self._about_rows(
            ("moments", columns, bounds, where), lambda: self._moments(columns, bounds, where)
        )

    def _moments(
        self, columns: tuple[str, ...], bounds: tuple[tuple[float, float], ...], where: Where
    ) -> NDArray[np.float64]:
        import ibis

        met = self._met(where)
        scaled = {
            f"z{i}": (self._values(name)(met).cast("float64").clip(low, high) - (low + high) / 2)
            / ((high - low) / 2)
            for i, (name, (low, high)) in enumerate(zip(columns, bounds, strict=True), 1)
        }
        rows = met.select(z0=ibis.literal(1.0), **scaled).drop_null()
        size = len(columns) + 1
        sums = {
            f"s{i}_{j}": (rows[f"z{i}"] * rows[f"z{j}"]).sum()
            for i in range(size)
            for j in range(i, size)
        }
        found = self._single(rows.aggregate(**sums))
        out = np.zeros((size, size))
        for i in range(size):
            for j in range(i, size):
                out[i, j] = out[j, i] = float(found[f"s{i}_{j}"])
        return out

    def spread(self, column: str) -> Spread:
        """How many different values there are, where they lie, and how often. Rows have no order
        there: `runs` is how many there are."""
        return self._about_rows(("spread", column), lambda: self._spread(column))

    def _spread(self, column: str) -> Spread:
        if self.info(column).ordered:
            held = self.ordered(column, Where())
            kept = np.isfinite(held.values)
            present, dates = int(held.counts.sum()), self.info(column).type == "date"
            if not kept.any():
                return Spread(present, 0, 0, 0, infinite=present)
            found = spread_of_ordered(held.values[kept], held.counts[kept], dates=dates)
            found = replace(found, present=present, infinite=present - found.present)
            return self._of_all(column, found) if self.rounded(column) else found
        self._words_of(column)
        at = value(self._there, column)
        words = self._there.select(w=at).filter(lambda t: t.w.notnull())
        told = self._single(words.aggregate(n=words.count(), d=words.w.nunique()))
        common = self.distinct(column, COMMON)
        most = common[0][1] if common else 0
        return Spread(int(told["n"]), int(told["d"]), int(told["n"]), most, common=common)

    def _of_all(self, column: str, known: Spread) -> Spread:
        """What numbers in order do not say where they are those of first digits."""
        at = self._values(column)
        rows = self._there.select(x=at(self._there)).filter(lambda t: finite(t.x))
        sizes = rows.group_by("x").aggregate(n=lambda t: t.count())
        told = self._single(sizes.aggregate(d=sizes.count(), most=sizes.n.max()))
        counts = self.histogram(column, known.edges, Where())
        return replace(known, distinct=int(told["d"]), most=int(told["most"]), counts=counts)

    def persons(self, person: str) -> Persons:
        """How many rows the persons have whom a column names, before any row is left out."""
        whole = self._whole
        assert isinstance(whole, Elsewhere)
        return whole._about_rows(("persons", person), lambda: whole._persons(person))

    def _persons(self, person: str) -> Persons:
        self._words_of(person)
        who = self._there.select(w=value(self._there, person)).filter(lambda t: t.w.notnull())
        sizes = who.group_by("w").aggregate(n=lambda t: t.count())
        found = self._ask(sizes.group_by("n").aggregate(people=lambda t: t.count()))
        sized = np.array(found["n"], dtype=np.int64)
        having = np.zeros(int(sized.max(initial=0)), dtype=np.int64)
        having[sized - 1] = found["people"]
        return Persons(self.rows, np.cumsum(np.cumsum(having[::-1])[::-1]))


def _in_order(found: Answer) -> Ordered:
    """Numbers and how often each is there, as an engine gives them."""
    x, n = np.array(found["x"], dtype=np.float64), np.array(found["n"], dtype=np.int64)
    order = np.argsort(x, kind="stable")
    return Ordered(x[order], n[order])
