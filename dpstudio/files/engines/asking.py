"""A table that another engine holds, and how it is asked: by statements that are sent to it; no row
comes here but for a look, or in a sample that is drawn once."""

from __future__ import annotations

import itertools
import math
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import UTC, datetime
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.aggregates import Asked, Cost
from dpstudio.data.codebook import EMPTY, IDENTIFIER, Codebook
from dpstudio.data.columns import Columns, Mask
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import _KEEP_BYTES, NO_PERSON, Dataset
from dpstudio.data.exact_sums import sort_of
from dpstudio.data.held_columns import HeldColumns
from dpstudio.data.memory import Memory
from dpstudio.files.engines.costs import MUCH, CostlyError, Costs, Tell, here, reaches, too_much
from dpstudio.files.engines.expressions import Conditions, drawn_by, in_numbers, kept_of, type_of
from dpstudio.files.engines.refused import broken
from dpstudio.files.engines.spark import collected, is_lost
from dpstudio.files.read.outcome import CancelledError, TableError
from dpstudio.values.messages import N_, Message, plain, say
from dpstudio.values.parameters import ParamError
from dpstudio.values.stopping import interrupting, wanted

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

SAMPLE = 50_000  # rows
_LOOK_S = 0.05
SLOW_S = 2.0  # from which on it is said of a statement over little, too
KEPT = 50  # statements
MAY_CHANGE = "yes: the table stays there"
HELD = 300_000_000  # cells of the rows that are kept of persons; of more they are ranked each time
_NUMBERS = itertools.count(1)
# How an engine holds them, and lets them go, and where it has them. Spark would take what it holds
# for whatever is chosen alike, of the same files as they were before: the name makes it another.
_KEEP: dict[str, tuple[str, str, tuple[str, str] | None]] = {
    "duckdb": ("CREATE TEMP TABLE {name} AS {sql}", "DROP TABLE temp.{name}", ("temp", "main")),
    "pyspark": (
        "CACHE LAZY TABLE {name} AS SELECT * FROM ({sql}) WHERE '{name}' <> ''",
        "DROP VIEW {name}",
        None,
    ),
}
Answer = dict[str, list[Any]]


class NeedsRowsError(ParamError):
    """What cannot be worked out of aggregates: `column` names what was asked for."""


class _Names(Columns):
    """The columns of a table of which no row is here."""

    lazy = True

    def __init__(self, table: ir.Table, rows: int):
        self.names = tuple(table.columns)
        self.types = tuple(type_of(dtype) for dtype in table.schema().values())
        self.rows = rows

    def _refuse(self, place: int) -> NeedsRowsError:
        text = N_(
            "This reads “{column}” row by row, and the table stays in its database: it works on a "
            "sample of rows."
        )
        return NeedsRowsError("column", say(text, column=self.names[place]))

    def numbers(self, place: int) -> NDArray[Any]:
        raise self._refuse(place)

    def codes(self, place: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        raise self._refuse(place)

    def absent(self, place: int) -> Mask:
        raise self._refuse(place)

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        raise self._refuse(0)


class Asking(Dataset):
    """A table of Ibis. `snapshot` names its state where no digest of its rows can be had; `asked`
    holds the last statements."""

    asked: list[Asked]

    def __init__(self, table: ir.Table, name: str, origin: str, costs: Costs):
        self._there, self.asked, self.costs = table, list[Asked](), costs
        self.origin = origin
        # What names its state in a release: nothing of its rows.
        engine = f"{self.engine} {table.get_backend().version}"
        opened = datetime.now(UTC).isoformat(timespec="seconds")
        self.snapshot = {"table": name, "engine": engine, "opened": opened}
        self._turn = RLock()
        self.watched: Callable[[], bool] | None = None  # whether it changed, where that is told
        self.stays: Message | None = None  # why nothing leaves of it, whatever is told
        self.lost: Sequence[ir.Table] = ()  # how many values of each part are not as told
        # The tables of kept rows, each with who asks it.
        self._made: list[tuple[weakref.ref[Asking], str]] = []
        # Where the table goes, so does its connection.
        self.close = weakref.finalize(self, table.get_backend().disconnect)
        rows = int(self._single(table.aggregate(n=table.count()))["n"])
        super().__init__(_Names(table, rows), name, origin)
        self._conditions = Conditions(table, self._held.info)

    def _describe(self, codebook: Codebook) -> Dataset:
        """The same table with bounds, words and roles that are told of it. Raises ParamError for
        what would read its rows otherwise."""
        for name, about in codebook.columns:
            named = about.type == IDENTIFIER  # whose row it is, by what it holds
            held = sort_of(self.info(name).type) if about.type and self.has(name) else ""
            if about.type and not named and sort_of(about.type) != held:
                raise ParamError("type", other_type(name))
        kept = EMPTY.with_person(codebook.person, codebook.most)
        rows_of = self.described(kept) if codebook != kept else None
        made = copy(rows_of or self)
        assert isinstance(made, Asking)
        made._memory, made.codebook, made._file = Memory(_KEEP_BYTES), codebook, self
        made._whole = self.described(codebook.with_person("")) if codebook.person else made
        made._rows_of = rows_of or made
        made.__dict__.pop("drawn", None)
        if rows_of is None:
            made._keep(codebook.person, codebook.most)
        return made

    def _keep(self, person: str, most: int) -> None:
        """Ask of at most so many rows of each person."""
        if not self.has(person) or self.info(person).type == "other":
            raise ParamError("person", say(NO_PERSON, column=person))
        self._there = self._once(kept_of(self._there, person, most))
        self.rows = int(self._single(self._there.aggregate(n=self._there.count()))["n"])
        self._table = _Names(self._there, self.rows)
        self._table.spelling = self.spelling
        self._held = HeldColumns(self._table, self._about_rows)
        self._conditions = Conditions(self._there, self._held.info)

    def _once(self, kept: ir.Table) -> ir.Table:
        """Rows that are chosen by ranking all: once, into what DuckDB or Spark holds of its own and
        passes with the connection, unless they are too many; nothing is written to the user's
        files. PostgreSQL has no such place for who only reads."""
        backend = kept.get_backend()
        if backend.name not in _KEEP or self.rows * len(kept.columns) > HELD:
            return kept
        keep, drop, where = _KEEP[backend.name]
        gone = [name for owner, name in self._made if owner() is None]
        self._made[:] = [(owner, name) for owner, name in self._made if name not in gone]
        name = f"dpstudio_kept_{next(_NUMBERS)}"
        with self._own_turn():
            for old in gone:
                self._sent(drop.format(name=old))
            self._sent(keep.format(name=name, sql=backend.compile(kept)))
        self._made.append((weakref.ref(self), name))
        return backend.table(name, database=where)

    def known_by(self, mark: str, **told: str) -> None:
        """What stands for a digest of the rows; and what else a session keeps of their state, of
        which none is how many there are."""
        self._digest = mark
        self.state = {**self.snapshot, **told, "may_change": MAY_CHANGE}

    def _ask(self, expression: ir.Table) -> Answer:
        """The answer to one statement: its columns, by name. One is asked at a time, since
        a connection has one answer."""
        backend = expression.get_backend()
        sql, began = backend.compile(expression), time.perf_counter()
        with self._own_turn():
            cursor, rows, cost = self._sent(sql)
            if hasattr(cursor, "closed"):  # DuckDB's is its connection
                cursor.close()
            number = self.asked[-1].number + 1 if self.asked else 1
            self.asked.append(Asked(number, sql, time.perf_counter() - began, len(rows), cost))
            del self.asked[:-KEPT]
        # Spark adds a number of rows, as the last, where it skips some.
        return {name: [row[i] for row in rows] for i, name in enumerate(expression.columns)}

    @contextmanager
    def _own_turn(self) -> Iterator[None]:
        """While no other thread asks; who waits long for its answer is told. Raises CancelledError
        where nobody waits any more."""
        began, tell = time.monotonic(), here().tell
        while not self._turn.acquire(timeout=_LOOK_S):
            if not wanted():
                raise CancelledError
            if tell is not None and (seconds := time.monotonic() - began) >= SLOW_S:
                tell(self.engine, Cost(), None, seconds)
        try:
            yield
        finally:
            self._turn.release()

    def _sent(self, sql: str) -> Any:
        """The cursor of a statement, its rows, and what it may have read; it is stopped where
        nobody waits for it. Raises TableError where the engine answers none, and CostlyError where
        it would read more than is spent here."""
        backend, now = self._there.get_backend(), here()
        stop, cost = stopping(backend), Cost()
        if self.costs.much:  # which a lock can hold up as well
            with interrupting(stop, self._telling(now.tell, cost) if now.tell else None):
                cost = self.costs.of(sql)
        if now.most is not None and reaches(cost, now.most):
            raise CostlyError(too_much(self.engine, self.name, cost))
        tell = self._telling(now.tell, cost) if now.tell else None
        try:
            if backend.name == "pyspark":
                return None, collected(backend, sql, tell), cost
            with interrupting(stop, tell):
                cursor = backend.raw_sql(sql)
                return cursor, cursor.fetchall(), cost
        except Exception as error:
            raise TableError(self._unanswered(error)) from error

    def _telling(self, tell: Tell, cost: Cost) -> Callable[[], None]:
        """Of one over little only where it is slow all the same: a view that works much out, or a
        table that somebody has locked."""
        began, much = time.monotonic(), reaches(cost, MUCH)
        if much:
            tell(self.engine, cost, None, 0.0)

        def again() -> None:
            seconds = time.monotonic() - began
            if much or seconds >= SLOW_S:
                tell(self.engine, cost, self.costs.share() if much else None, seconds)

        return again

    def _unanswered(self, error: Exception) -> Message:
        """By the kind of its error alone, for its words may quote a cell."""
        backend = self._there.get_backend()
        if backend.name == "pyspark":
            lost = is_lost(backend._session.sparkContext)
        else:
            lost = bool(getattr(backend.con, "closed", False))
        known = broken(self.engine, self.origin.partition("#")[0], error, lost=lost)
        text = N_(
            "{engine} did not answer ({kind}). Ask for all rows of this table there, mend what it "
            "says, and open the table anew."
        )
        kind = plain(type(error).__name__)
        return known or say(text, engine=self.engine, kind=kind)

    def _one(self, where: Where, **wanted: Any) -> dict[str, Any]:
        """Aggregates of the rows that meet a condition, in one statement; a sum of none is 0."""
        rows = self._met(where)
        return self._single(rows.aggregate(**{key: make(rows) for key, make in wanted.items()}))

    def _single(self, expression: ir.Table) -> dict[str, Any]:
        """The one row of an answer."""
        return {key: column[0] or 0 for key, column in self._ask(expression).items()}

    def lost_as_told(self) -> dict[str, int]:
        """How many values of each column are none of what it is told to hold: they are missing."""
        found = Counter[str]()
        for part in self.lost:
            found.update(self._single(part))
        return {name: int(n) for name, n in found.items() if n}

    def _met(self, where: Where) -> ir.Table:
        holds = self._conditions.holds(where)
        return self._there if holds is None else self._there.filter(holds)

    def _values(self, column: str) -> Callable[[ir.Table], Any]:
        """A column that has an order, as numbers. Raises ParamError for another."""
        self._held.at(column)
        return lambda table: in_numbers(table, column)

    def cells(self, start: int, stop: int) -> list[tuple[Any, ...]]:
        """Some rows for a look, in the order in which the engine gives them."""
        found = self._ask(self._there.limit(max(0, stop - start), offset=max(0, start)))
        return [tuple(map(_shown, row)) for row in zip(*found.values(), strict=True)]

    def changed(self) -> bool:
        with self._own_turn():
            return self.watched is not None and self.watched()

    @property
    def content(self) -> str:
        """What stands for a digest of the values: the mark of its state."""
        return self.digest

    @cached_property
    def drawn(self) -> Dataset:
        """A sample of at most SAMPLE rows for what must read them, the same each time: those with
        the smallest MD5, which stands for a lot that is cast once."""
        from dpstudio.files.arrow_columns import from_table

        there = self._there
        if self.rows > SAMPLE:
            there = there.mutate(dpstudio_lot=drawn_by(there)).order_by("dpstudio_lot")
            there = there.limit(SAMPLE).drop("dpstudio_lot")
        made = Dataset(from_table(self._arrow(there)), self.name, self.origin, self._digest)
        made.codebook, made.documented = self.codebook, self.documented
        made.drawn_of = self.rows
        return made

    def glimpse(self) -> Dataset | None:
        """About as many rows of a few places of the table, which are there at once; nothing where
        the engine gives no such."""
        whole = self._file
        assert isinstance(whole, Asking)
        found = whole.remember(("glimpse",), lambda: (whole._glimpsed(),))[0]
        if found is None:
            return None
        found.documented = whole.documented
        made = found.described(self.codebook)
        made.glimpse_of = self.rows
        return made

    def _glimpsed(self) -> Dataset | None:
        import ibis.expr.operations as ops

        from dpstudio.files.arrow_columns import from_table

        there = self._there
        bases = there.op().find(ops.DatabaseTable)
        if self.costs.name == "pyspark" or len(bases) != 1:
            return None
        share = min(1.0, 2 * SAMPLE / max(1, self.rows))
        few = bases[0].to_expr().sample(share, method="block", seed=1)
        try:
            rows = self._arrow(there.op().replace({bases[0]: few.op()}).to_expr().limit(SAMPLE))
        except TableError:  # a view of PostgreSQL has no blocks
            return None
        return Dataset(from_table(rows), self.name, self.origin) if rows.num_rows else None

    @property
    def engine(self) -> str:
        """What holds the table, as people call it."""
        return self.costs.engine

    def first(self, rows: int) -> pa.Table:
        """Some rows, for a look."""
        return self._arrow(self._there.limit(rows))

    def _arrow(self, expression: ir.Table) -> pa.Table:
        import pyarrow as pa

        found, schema = self._ask(expression), expression.schema().to_pyarrow()
        columns = [pa.array(found[field.name], type=field.type) for field in schema]
        return pa.table(columns, schema=schema)


def stopping(backend: Any) -> Callable[[], object]:
    """What stops that which is asked of a connection; jobs of Spark are stopped by their tags."""
    if backend.name == "pyspark":
        return lambda: None
    found: Callable[[], object] = getattr(backend.con, "interrupt", None) or backend.con.cancel
    return found


def other_type(column: str) -> Message:
    """That a column holds what its database declares."""
    text = N_(
        "A table in a database is read by the types that its columns have there. Make a view in "
        "which “{column}” has the type that you want, and open that."
    )
    return say(text, column=column)


def _shown(cell: Any) -> Any:
    """A value for a look; what is no number is missing."""
    return None if isinstance(cell, float) and math.isnan(cell) else cell
