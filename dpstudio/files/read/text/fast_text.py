"""Clean text by Arrow, in blocks: quick, without the interpreter's lock, and given up for the
tolerant reader at the first oddity."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.files.read.source import Watch
from dpstudio.files.read.text.blocks import Block
from dpstudio.files.read.text.feed import Feed, UncleanTextError, alone
from dpstudio.files.read.text.parallel import Pool
from dpstudio.files.read.text.rows import swallows
from dpstudio.files.read.typing.arrays import no_value, numpy_of

if TYPE_CHECKING:
    import pyarrow as pa

_LONG = 10.0**15  # from here on a float does not hold every whole number
_SIGNED = re.compile(rb"\+\d{5}")


@dataclass
class FastReading:
    """One reading of clean text. `types` are Arrow's by column, and only ever widen; `words` are
    columns to be read again as words."""

    feed: Feed
    names: Sequence[str]
    decimal: str
    watch: Watch
    forced: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    numeric: frozenset[int] = frozenset()  # columns that hold numbers, by the start of the text
    types: dict[str, Any] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    # NaN is no value in any column; or in those alone that hold no words, which are parsed apart.
    nan: bool = False
    apart: bool = False

    def table(self) -> pa.Table:
        """Every column as number, date, yes/no or words, blanks missing; raises
        UncleanTextError."""
        import pyarrow as pa

        self.words |= self.forced
        pool: Pool[Block, pa.Table] = Pool(self.watch)
        try:
            parts = list(pool.over(self.feed.blocks(), self.feed.worked(self._step), alone))
            if not parts:
                raise UncleanTextError
            self.types = {
                n: pa.float64() if pa.types.is_null(kind) else kind
                for n, kind in self.types.items()
            }
            columns = {n: self._joined(n, parts) for n in self.names if n not in self.words}
            if self.words:
                parts.clear()
                self.watch.stage(0.93)
                again = list(pool.over(self.feed.blocks(), self.feed.worked(self._worded), alone))
                for name in self.words:
                    columns[name] = pa.chunked_array(
                        [c for p in again for c in p.column(name).chunks], pa.string()
                    )
        finally:
            pool.close()
        return pa.table([columns[n] for n in self.names], names=list(self.names))

    def _worded(self, block: Block) -> pa.Table:
        import pyarrow as pa

        words = dict.fromkeys(self.words, pa.string())
        return self._parse(block, words, sorted(words))

    def _step(self, block: Block) -> pa.Table:
        part = self._typed(block)
        if block.zeros or (block.has(b"+") and _SIGNED.search(block.view)):
            self._codes(block)
        if block.breaks:
            self._whole_values(part)
        return self._numbered(part)

    def _whole_values(self, part: pa.Table) -> None:
        """Raises UncleanTextError where a value of several lines is rows that a stray
        quote swallowed."""
        import pyarrow as pa
        import pyarrow.compute as pc

        width, sign = len(self.names), self.feed.dialect.sign
        if width < 2 or not sign:
            return
        for place, column in enumerate(part.columns):
            if not pa.types.is_string(column.type):
                continue
            for cell in column.filter(pc.match_substring_regex(column, r"[\r\n]")).to_pylist():
                if cell and swallows(cell, place, width, sign, self.numeric):
                    raise UncleanTextError

    def _joined(self, name: str, parts: list[pa.Table]) -> pa.ChunkedArray:
        import pyarrow as pa

        kind = self.types[name]
        return pa.chunked_array(
            [c.cast(kind) if c.type != kind else c for p in parts for c in p.column(name).chunks],
            kind,
        )

    def _numbered(self, part: pa.Table) -> pa.Table:
        """Without the NaN that Arrow takes for numbers; columns whose numbers are too long to be
        numbers are to be read again as words."""
        import pyarrow as pa

        for place, name in enumerate(self.names):
            column = part.column(name)
            if name in self.words or not (
                pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
            ):
                continue
            found = numpy_of(column, 0)
            if not len(found):
                continue
            low, high = found.min(), found.max()
            if np.isnan(low):
                import pyarrow.compute as pc

                gone = pc.if_else(pc.is_nan(column), no_value(column.type), column)
                part = part.set_column(place, name, gone)
                low, high = np.fmin.reduce(found), np.fmax.reduce(found)
            if max(-float(low), high) >= _LONG:
                with self.lock:
                    self.words.add(name)
        return part

    def _typed(self, block: Block) -> pa.Table:
        """The block under the types so far, widened until they fit."""
        import pyarrow as pa

        if not self.types:
            self._widen(block)
            self.nan = any(map(pa.types.is_null, self.types.values()))
        for _ in range(5):
            types = self._types_now()
            try:
                return self._under(block, types)
            except _TypeError:
                self._widen(block)
                self.apart = self.apart or types == self._types_now()
        raise UncleanTextError

    def _types_now(self) -> dict[str, Any]:
        import pyarrow as pa

        return {n: pa.string() if n in self.words else t for n, t in list(self.types.items())}

    def _under(self, block: Block, types: dict[str, Any]) -> pa.Table:
        """The block under these types. Raises _TypeError where a value does not fit its own."""
        import pyarrow as pa

        words = {n: t for n, t in types.items() if pa.types.is_string(t)}
        others = {n: t for n, t in types.items() if n not in words}
        if self.nan or not self.apart or not others:
            return self._parse(block, types, nan=self.nan)
        part = self._parse(block, others, list(others), nan=True)
        held = dict(zip(others, part.columns, strict=True))
        if words:
            part = self._parse(block, words, list(words))
            held |= zip(words, part.columns, strict=True)
        return pa.table([held[n] for n in self.names], names=list(self.names))

    def _widen(self, block: Block) -> None:
        import pyarrow as pa

        try:
            found = self._parse(block, {}, nan=True).schema
        except _TypeError:
            raise UncleanTextError from None
        with self.lock:
            for name in self.names:
                old, new = self.types.get(name, pa.null()), found.field(name).type
                if pa.types.is_binary(new):  # bytes that are no UTF-8
                    raise UncleanTextError
                joined = _join(old, new)
                self.types[name] = joined
                if pa.types.is_string(joined) and not (
                    pa.types.is_string(old) or pa.types.is_null(old)
                ):
                    self.words.add(name)

    def _parse(
        self, block: Block, types: dict[str, Any], only: Sequence[str] = (), nan: bool = False
    ) -> pa.Table:
        """The columns under these types; Arrow finds those that are not told from the whole block.
        With `nan` no value stands where NaN does, of which every short value must be asked."""
        import pyarrow as pa
        from pyarrow import csv

        try:
            return csv.read_csv(
                pa.BufferReader(block.view),
                read_options=csv.ReadOptions(
                    column_names=list(self.names), block_size=block.size + 1, use_threads=False
                ),
                parse_options=csv.ParseOptions(
                    delimiter=self.feed.dialect.sign or "\x1f",
                    quote_char=self.feed.dialect.quote or False,
                    double_quote=True,
                    newlines_in_values=block.breaks,
                ),
                convert_options=csv.ConvertOptions(
                    column_types=types,
                    include_columns=list(only) or None,
                    null_values=["", *self.missing, *(("NaN", "nan") if nan else ())],
                    strings_can_be_null=True,
                    true_values=["true", "True", "TRUE"],
                    false_values=["false", "False", "FALSE"],
                    decimal_point="," if self.decimal == "comma" else ".",
                ),
            )
        except pa.ArrowInvalid as error:
            if "conversion error" in str(error) and "UTF8" not in str(error):
                raise _TypeError from None
            raise UncleanTextError from None

    def _codes(self, block: Block) -> None:
        """Numbers with a leading zero are codes, and many digits behind a plus may be: words."""
        import pyarrow as pa

        from dpstudio.files.read.typing.evidence import has

        kinds = {n: self.types[n] for n in self.names if n not in self.words}
        numeric = [
            n
            for n, kind in kinds.items()
            if pa.types.is_integer(kind) or pa.types.is_floating(kind)
        ]
        if numeric:
            texts = self._parse(block, dict.fromkeys(numeric, pa.string()), numeric)
            codes = {n for n in numeric if has(texts.column(n), r"\s*([-+]?0\d+|\+\d{5,15})\s*")}
            with self.lock:
                self.words |= codes


class _TypeError(Exception):
    """A value does not fit the type that its column had so far."""


def _join(old: Any, new: Any) -> Any:
    """The narrowest type that holds both without loss, which Arrow would have found had they stood
    in one block."""
    import pyarrow as pa

    if pa.types.is_time(new):
        new = pa.string()
    if old == new or pa.types.is_null(new):
        return old
    if pa.types.is_null(old):
        return new
    pair = {str(old), str(new)}
    if pair == {"int64", "double"}:
        return pa.float64()
    if pair == {"timestamp[s]", "timestamp[ns]"} or pair == {"date32[day]", "timestamp[ns]"}:
        return pa.timestamp("ns")
    if pair == {"date32[day]", "timestamp[s]"}:
        return pa.timestamp("s")
    return pa.string()
