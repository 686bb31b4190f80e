"""Clean text by Arrow, in blocks: quick, without the interpreter's lock, and given up for the
tolerant reader at the first oddity."""

from __future__ import annotations

import os
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.files.read.arrays import numpy_of
from dpstudio.files.read.blocks import Block, look
from dpstudio.files.read.encodings import BAD, Encoding, text_blocks
from dpstudio.files.read.packing import Packed, broken
from dpstudio.files.read.rows import LONGEST_RECORD, Dialect, swallows
from dpstudio.files.read.source import Watch

if TYPE_CHECKING:
    import pyarrow as pa

_FIRST, _BLOCK = (
    1 << 18,
    1 << 21,
)  # bytes; the first block tells the types, and all others wait for it
_THREADS = min(4, os.cpu_count() or 1)
_LONG = 10.0**15  # from here on a float does not hold every whole number
_SIGNED = re.compile(rb"\+\d{5}")
_LINE_END = re.compile(rb"\r\n|\n|\r")


class OddError(Exception):
    """Something in the text is not clean; the tolerant reader says what."""


@dataclass
class Clean:
    """One reading of clean text. `types` are Arrow's by column, and only ever widen; `words` are
    columns to be read again as words."""

    packed: Packed
    encoding: Encoding
    dialect: Dialect
    names: Sequence[str]
    start: int
    decimal: str
    watch: Watch
    forced: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    numeric: frozenset[int] = frozenset()  # columns that hold numbers, by the start of the text
    types: dict[str, Any] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def table(self) -> pa.Table:
        """Every column as number, date, yes/no or words, blanks missing; raises OddError."""
        import pyarrow as pa

        self.words |= self.forced
        pool = ThreadPoolExecutor(_THREADS)
        try:
            parts = list(self._over(pool, self._step))
            if not parts:
                raise OddError
            self.types = {
                n: pa.float64() if pa.types.is_null(kind) else kind
                for n, kind in self.types.items()
            }
            columns = {n: self._joined(n, parts) for n in self.names if n not in self.words}
            if self.words:
                parts.clear()
                self.watch.stage(0.93)
                again = list(self._over(pool, self._worded))
                for name in self.words:
                    columns[name] = pa.chunked_array(
                        [c for p in again for c in p.column(name).chunks], pa.string()
                    )
        finally:
            pool.shutdown(cancel_futures=True)
        return pa.table([columns[n] for n in self.names], names=list(self.names))

    def _over(
        self, pool: ThreadPoolExecutor, work: Callable[[Block], pa.Table]
    ) -> Iterator[pa.Table]:
        """`work` on every block, in order; some are parsed by Arrow while the next are read,
        unpacked and looked at."""
        ahead: deque[Future[pa.Table]] = deque()
        for number, block in enumerate(self._blocks()):
            self.watch.ask()
            ahead.append(pool.submit(work, block))
            while ahead and (number == 0 or len(ahead) > _THREADS + 1):
                yield ahead.popleft().result()
        for part in ahead:
            self.watch.ask()
            yield part.result()

    def _worded(self, block: Block) -> pa.Table:
        import pyarrow as pa

        return self._parse(block, dict.fromkeys(self.words, pa.string()), sorted(self.words))

    def _step(self, block: Block) -> pa.Table:
        part = self._typed(block)
        if block.zeros or (block.has(b"+") and _SIGNED.search(block.view)):
            self._codes(block)
        if block.breaks:
            self._whole_values(part)
        self._long(part)
        return part

    def _whole_values(self, part: pa.Table) -> None:
        """Raises OddError where a value of several lines is rows that a stray quote swallowed."""
        import pyarrow as pa
        import pyarrow.compute as pc

        width, sign = len(self.names), self.dialect.sign
        if width < 2 or not sign:
            return
        for place, column in enumerate(part.columns):
            if not pa.types.is_string(column.type):
                continue
            for cell in column.filter(pc.match_substring_regex(column, r"[\r\n]")).to_pylist():
                if cell and swallows(cell, place, width, sign, self.numeric):
                    raise OddError

    def _joined(self, name: str, parts: list[pa.Table]) -> pa.ChunkedArray:
        import pyarrow as pa

        kind = self.types[name]
        return pa.chunked_array(
            [c.cast(kind) if c.type != kind else c for p in parts for c in p.column(name).chunks],
            kind,
        )

    def _long(self, part: pa.Table) -> None:
        """Columns whose numbers are too long to be numbers are read again as words."""
        import pyarrow as pa

        for name in self.names:
            column = part.column(name)
            if name in self.words or not (
                pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
            ):
                continue
            found = numpy_of(column, 0)
            if len(found) and max(-float(np.fmin.reduce(found)), np.fmax.reduce(found)) >= _LONG:
                with self.lock:
                    self.words.add(name)

    def _blocks(self) -> Iterator[Block]:
        """The data rows as UTF-8, each block whole records."""
        rest, first = b"", True
        quote, sign = self.dialect.quote.encode(), self.dialect.sign.encode()
        for data in self._bytes():
            data = rest + data if rest else data
            if first:
                data = data[_offset(data, self.start) :]
                first = False
                if not data:  # so many lines are left out that the table starts in a later block
                    raise OddError
            block = look(data, quote, sign)
            rest = data[block.size :]
            if len(rest) > LONGEST_RECORD:
                raise OddError  # a line too long, or a quote that is not closed
            if block.size:
                yield self._checked(block)
        if rest.strip():
            yield self._checked(look(rest, quote, sign, last=True))

    def _bytes(self) -> Iterator[bytes]:
        if self.encoding.name == "utf-8":
            skip = self.encoding.mark
            with broken(self.packed.source.name), self.packed.open() as stream:
                size = _FIRST
                while block := stream.read(size):
                    yield block[skip:] if skip else block
                    skip, size = 0, _BLOCK
            return
        for text in text_blocks(self.packed, self.encoding, _BLOCK):
            if BAD in text:
                raise OddError
            yield text.encode("utf-8")

    def _checked(self, block: Block) -> Block:
        if block.has(b"\0") or (block.has(b"\r") and not block.has(b"\n")):
            raise OddError
        if len(self.names) == 1 and (
            block.data.startswith((b"\n", b"\r")) or block.has(b"\n\n") or block.has(b"\n\r")
        ):
            raise OddError
        if not block.fits:
            raise OddError
        return block

    def _typed(self, block: Block) -> pa.Table:
        """The block under the types so far, widened until they fit."""
        import pyarrow as pa

        if not self.types:
            self._widen(block)
        for _ in range(4):
            try:
                return self._parse(
                    block,
                    {n: pa.string() if n in self.words else t for n, t in list(self.types.items())},
                )
            except _TypeError:
                self._widen(block)
        raise OddError

    def _widen(self, block: Block) -> None:
        import pyarrow as pa

        try:
            found = self._parse(block, {}).schema
        except _TypeError:
            raise OddError from None
        with self.lock:
            for name in self.names:
                old, new = self.types.get(name, pa.null()), found.field(name).type
                if pa.types.is_binary(new):  # bytes that are no UTF-8
                    raise OddError
                joined = _join(old, new)
                self.types[name] = joined
                if pa.types.is_string(joined) and not (
                    pa.types.is_string(old) or pa.types.is_null(old)
                ):
                    self.words.add(name)

    def _parse(self, block: Block, types: dict[str, Any], only: Sequence[str] = ()) -> pa.Table:
        """The columns under these types; Arrow finds those that are not told from the whole
        block."""
        import pyarrow as pa
        from pyarrow import csv

        try:
            return csv.read_csv(
                pa.BufferReader(block.view),
                read_options=csv.ReadOptions(
                    column_names=list(self.names), block_size=block.size + 1, use_threads=False
                ),
                parse_options=csv.ParseOptions(
                    delimiter=self.dialect.sign or "\x1f",
                    quote_char=self.dialect.quote or False,
                    double_quote=True,
                    newlines_in_values=block.breaks,
                ),
                convert_options=csv.ConvertOptions(
                    column_types=types,
                    include_columns=list(only) or None,
                    null_values=["", *self.missing, *(("NaN", "nan") if not only else ())],
                    strings_can_be_null=True,
                    true_values=["true", "True", "TRUE"],
                    false_values=["false", "False", "FALSE"],
                    decimal_point="," if self.decimal == "comma" else ".",
                ),
            )
        except pa.ArrowInvalid as error:
            if "conversion error" in str(error) and "UTF8" not in str(error):
                raise _TypeError from None
            raise OddError from None

    def _codes(self, block: Block) -> None:
        """Numbers with a leading zero are codes, and many digits behind a plus may be: words."""
        import pyarrow as pa

        from dpstudio.files.read.evidence import has

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


def _offset(data: bytes, start: int) -> int:
    """Where line `start`, counted from 1, begins."""
    place = 0
    for _ in range(start - 1):
        end = _LINE_END.search(data, place)
        if end is None:
            return len(data)
        place = end.end()
    return place
