"""Clean text by Arrow, in blocks: quick, without the interpreter's lock, and given up for the tolerant reader at the first oddity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dpstudio.files.reading.encodings import BAD, Encoding, text_blocks
from dpstudio.files.reading.packing import Packed
from dpstudio.files.reading.rows import Dialect
from dpstudio.files.reading.source import Watch

if TYPE_CHECKING:
    import pyarrow as pa

_BLOCK = 1 << 23
_LONGEST_RECORD = 1 << 26
_CACHE = 1 << 16
_LONG = 10.0**15  # from here on a float does not hold every whole number
_LINE_END = re.compile(rb"\r\n|\n|\r")


class OddError(Exception):
    """Something in the text is not clean; the tolerant reader says what."""


@dataclass
class Clean:
    """One reading of clean text. `types` are Arrow's by column, and only ever widen; `words` are columns to be read again as words."""

    packed: Packed
    encoding: Encoding
    dialect: Dialect
    names: Sequence[str]
    start: int
    decimal: str
    watch: Watch
    forced: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    types: dict[str, Any] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)

    def table(self) -> pa.Table:
        """Every column as number, date, yes/no or words, blanks missing; raises OddError."""
        import pyarrow as pa

        parts: list[pa.Table] = []
        self.words |= self.forced
        with ThreadPoolExecutor(1) as pool:
            # Arrow parses one block while the next is read, unpacked and looked at.
            ahead: Future[pa.Table] | None = None
            for block in self._blocks():
                self.watch.ask()
                codes = _zero_led(block, self.dialect.sign.encode(), self.dialect.quote.encode())
                if ahead is not None:
                    parts.append(ahead.result())
                ahead = pool.submit(self._step, block, codes)
            if ahead is not None:
                parts.append(ahead.result())
        if not parts:
            raise OddError
        self._settle(parts)
        columns = {n: self._joined(n, parts) for n in self.names if n not in self.words}
        if self.words:
            parts.clear()
            self.watch.stage(0.93)
            again = [self._parse(block, dict.fromkeys(self.words, pa.string()), sorted(self.words)) for block in self._blocks()]
            for name in self.words:
                columns[name] = pa.chunked_array([c for p in again for c in p.column(name).chunks], pa.string())
        return pa.table([columns[n] for n in self.names], names=list(self.names))

    def _step(self, block: bytes, codes: bool) -> pa.Table:
        part = self._typed(block)
        if codes:
            self._codes(block)
        return part

    def _joined(self, name: str, parts: list[pa.Table]) -> pa.ChunkedArray:
        import pyarrow as pa

        kind = self.types[name]
        return pa.chunked_array([c.cast(kind) if c.type != kind else c for p in parts for c in p.column(name).chunks], kind)

    def _settle(self, parts: list[pa.Table]) -> None:
        """Columns whose numbers are too long to be numbers are read again as words."""
        import pyarrow as pa
        import pyarrow.compute as pc

        for name, kind in self.types.items():
            if name in self.words:
                continue
            for part in parts:
                column = part.column(name)
                if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
                    continue
                ends = pc.min_max(column).as_py()
                if ends["max"] is not None and max(-ends["min"], ends["max"]) >= _LONG:
                    self.words.add(name)
            if pa.types.is_null(kind):
                self.types[name] = pa.float64()

    def _blocks(self) -> Iterator[bytes]:
        """The data rows as UTF-8, each block whole records."""
        rest, first, quote = b"", True, self.dialect.quote.encode()
        for data in self._bytes():
            data = rest + data if rest else data
            if first:
                data = data[_offset(data, self.start) :]
                first = False
            cut = _cut(data, quote)
            rest = data[cut:]
            if len(rest) > _LONGEST_RECORD:
                raise OddError
            if cut:
                yield self._checked(data[:cut] if rest else data, quote)
        if rest.strip():
            yield self._checked(rest, quote)

    def _bytes(self) -> Iterator[bytes]:
        if self.encoding.name == "utf-8":
            skip = self.encoding.mark
            for block in self.packed.blocks(_BLOCK):
                yield block[skip:] if skip else block
                skip = 0
            return
        for text in text_blocks(self.packed, self.encoding, _BLOCK):
            if BAD in text:
                raise OddError
            yield text.encode("utf-8")

    def _checked(self, block: bytes, quote: bytes) -> bytes:
        if b"\0" in block or (b"\n" not in block and b"\r" in block):
            raise OddError
        if len(self.names) == 1 and (block.startswith((b"\n", b"\r")) or b"\n\n" in block or b"\n\r" in block):
            raise OddError
        if quote and quote in block and not _quotes_fit(block, quote, self.dialect.sign.encode()):
            raise OddError
        return block

    def _typed(self, block: bytes) -> pa.Table:
        """The block under the types so far, widened until they fit."""
        import pyarrow as pa

        if not self.types:
            self._widen(block)
        for _ in range(4):
            try:
                return self._parse(block, {n: pa.string() if n in self.words else t for n, t in self.types.items()})
            except _TypeError:
                self._widen(block)
        raise OddError

    def _widen(self, block: bytes) -> None:
        import pyarrow as pa

        try:
            found = self._parse(block, {}, infer=True).schema
        except _TypeError:
            raise OddError from None
        for name in self.names:
            old, new = self.types.get(name, pa.null()), found.field(name).type
            if pa.types.is_binary(new):  # bytes that are no UTF-8
                raise OddError
            joined = _join(old, new)
            self.types[name] = joined
            if pa.types.is_string(joined) and not (pa.types.is_string(old) or pa.types.is_null(old)):
                self.words.add(name)

    def _parse(self, block: bytes, types: dict[str, Any], only: Sequence[str] = (), infer: bool = False) -> pa.Table:
        import pyarrow as pa
        from pyarrow import csv

        quoted = bool(self.dialect.quote) and self.dialect.quote.encode() in block
        try:
            return csv.read_csv(
                pa.BufferReader(block),
                read_options=csv.ReadOptions(column_names=list(self.names), block_size=len(block) + 1 if infer else 1 << 20),
                parse_options=csv.ParseOptions(
                    delimiter=self.dialect.sign or "\x1f",
                    quote_char=self.dialect.quote or False,
                    double_quote=True,
                    newlines_in_values=quoted,
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

    def _codes(self, block: bytes) -> None:
        """Numbers with a leading zero are codes: their columns become words."""
        import pyarrow as pa

        from dpstudio.files.reading.evidence import has

        kinds = {n: self.types[n] for n in self.names if n not in self.words}
        numeric = [n for n, kind in kinds.items() if pa.types.is_integer(kind) or pa.types.is_floating(kind)]
        if numeric:
            texts = self._parse(block, dict.fromkeys(numeric, pa.string()), numeric)
            self.words |= {n for n in numeric if has(texts.column(n), r"\s*[-+]?0\d+\s*")}


class _TypeError(Exception):
    """A value does not fit the type that its column had so far."""


def _join(old: Any, new: Any) -> Any:
    """The narrowest type that holds both without loss."""
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
    if pair == {"timestamp[s]", "timestamp[ns]"}:
        return pa.timestamp("ns")
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


def _cut(data: bytes, quote: bytes) -> int:
    """The end of the last whole record: a line end outside quotes."""
    end = data.rfind(b"\n") + 1
    if not quote or quote not in data:
        return end
    inside = data.count(quote, 0, end) % 2
    while inside and end:
        before = data.rfind(b"\n", 0, end - 1) + 1
        inside ^= data.count(quote, before, end) % 2
        end = before
    return end


def _quotes_fit(block: bytes, quote: bytes, sign: bytes) -> bool:
    """Whether every quote is where RFC 4180 has them: it opens after a delimiter, closes before one, or is doubled between.

    Counted from 0, even quotes open, or are the second of two; odd ones close, or are the first of two.
    """
    data = np.frombuffer(block, dtype=np.uint8)
    at = np.flatnonzero(data == quote[0])
    if len(at) % 2:
        return False
    ends = np.zeros(256, dtype=np.bool_)
    ends[[*sign, 10, 13]] = True
    opening, closing = at[0::2], at[1::2]
    before = data[np.maximum(opening - 1, 0)]
    after = data[np.minimum(closing + 1, len(data) - 1)]
    doubled = np.zeros(len(opening) + 1, dtype=np.bool_)  # closing[i − 1] and opening[i] side by side
    doubled[1:-1] = opening[1:] == closing[:-1] + 1
    opens = ends[before] | (opening == 0) | doubled[:-1]
    closes = ends[after] | (closing == len(data) - 1) | doubled[1:]
    return bool(opens.all() and closes.all())


def _zero_led(block: bytes, sign: bytes, quote: bytes) -> bool:
    """Whether any value of digits alone begins with a needless zero."""
    data = np.frombuffer(block, dtype=np.uint8)
    starts = [*([sign] if sign else []), b"\n", b" ", *([quote] if quote and quote in block else [])]
    before = [s[0] for s in starts]
    stop = np.zeros(256, dtype=np.bool_)
    stop[[*sign, *quote, 10, 13, 32]] = True
    # In pieces that stay in the cache, into the same arrays: a separator, a zero and a digit, one after the other.
    hits, more, over = (np.empty(_CACHE, dtype=kind) for kind in (np.bool_, np.bool_, np.uint8))
    for chunk in range(0, len(data) - 2, _CACHE):
        piece = data[chunk : chunk + _CACHE + 2]
        size = len(piece) - 2
        hit, also, digit = hits[:size], more[:size], over[:size]
        np.equal(piece[:-2], before[0], out=hit)
        for other in before[1:]:
            np.logical_or(hit, np.equal(piece[:-2], other, out=also), out=hit)
        np.logical_and(hit, np.equal(piece[1:-1], 48, out=also), out=hit)
        np.logical_and(hit, np.less(np.subtract(piece[2:], 48, out=digit), 10, out=also), out=hit)
        if hit.any() and _digits_alone(data, np.flatnonzero(hit) + chunk + 2, stop):
            return True
    head = block.lstrip(quote + b" ") if quote else block
    return re.match(rb"0\d+", head) is not None


def _digits_alone(data: Any, at: Any, stop: Any) -> bool:
    """Whether at one of these places digits follow, at least one, and then the value ends."""
    if at[-1] >= len(data):
        at = at[:-1]
    at = at[data[at] - np.uint8(48) < 10]
    for _ in range(40):
        if not len(at):
            return False
        at = at + 1
        if bool(np.any(at >= len(data))) or bool(np.any(stop[data[at[at < len(data)]]])):
            return True
        at = at[data[at] - np.uint8(48) < 10]
    return False
