"""A block of clean text and what stands in it: quotes, ends of records and leading zeros, found
with one bit for each byte."""

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_PIECE = 1 << 18  # bytes that stay in the cache while they are compared
_ONE, _TOP = np.uint64(1), np.uint64(63)
Bits = NDArray[np.uint64]  # the bit of byte i is bit i % 64 of word i // 64


@dataclass(frozen=True, eq=False)
class Block:
    """Whole records: data[:size].

    `quoted`: there are quotes; `breaks`: there are line ends between them; `fits`: every quote is
    where RFC 4180 has it, which is after a delimiter where it opens, before one where it closes, or
    doubled between; `zeros`: there may be digits alone with a needless zero before them.
    """

    data: bytes | bytearray
    size: int
    quoted: bool = False
    breaks: bool = False
    fits: bool = True
    zeros: bool = False

    @property
    def view(self) -> memoryview:
        """The bytes of whole records, not copied."""
        return memoryview(self.data)[: self.size]

    def has(self, part: bytes) -> bool:
        """Whether these bytes occur in the records."""
        return self.data.find(part, 0, self.size) >= 0


def look(data: bytes | bytearray, quote: bytes, sign: bytes, last: bool = False) -> Block:
    """The records of `data` up to the last line end outside quotes; all of it when nothing comes
    after it (`last`)."""
    quote = quote if quote and quote in data else b""
    seen = _Seen(data, sign, quote, last)
    for start in range(0, len(data), _PIECE):
        seen.piece(start)
        if seen.odd < seen.end:
            break
    size = len(data) if last else seen.end
    fits = seen.odd >= size and not (last and seen.inside)
    return Block(data, size, bool(quote), seen.broken < size, fits, seen.zeros)


class _Seen:
    """What was seen in the pieces so far. `end` is one past the last record, `odd` the place of the
    first quote that does not fit, `broken` of the first line end between quotes, `inside` whether
    the last piece ended between quotes."""

    def __init__(self, data: bytes | bytearray, sign: bytes, quote: bytes, last: bool):
        self.data, self.array, self.sign, self.quote, self.last = (
            data,
            np.frombuffer(data, dtype=np.uint8),
            sign,
            quote,
            last,
        )
        self.end, self.odd, self.broken, self.inside, self.zeros = (
            0,
            len(data) + 1,
            len(data) + 1,
            False,
            False,
        )
        self.near = sign + quote + b"\n\r"
        self.returns, self.blanks = b"\r" in data, b" " in data
        self.hits = np.empty(_PIECE, np.bool_)

    def piece(self, start: int) -> None:
        data = self.array[start : start + _PIECE]
        lines = self._bits(data, b"\n")
        near = lines | self._bits(data, self.sign) if self.sign else lines
        returns = self._bits(data, b"\r") if self.returns else None
        if returns is not None:
            near = near | returns
        records = lines
        if self.quote:
            quotes = self._bits(data, self.quote)
            near = near | quotes
            inside = _inside(quotes, self.inside)
            records = lines & ~inside
            breaks = (lines if returns is None else lines | returns) & inside
            self.broken = min(self.broken, _first(breaks, start))
            self._fit(start, len(data), quotes, inside, near)
            self.inside = bool(inside[-1] >> _TOP)
        if records.any():
            self.end = start + _last(records)
        if not self.zeros:
            self.zeros = self._zero_led(start, data, near)

    def _bits(self, data: NDArray[np.uint8], sign: bytes) -> Bits:
        return self._packed(np.equal(data, sign[0], out=self.hits[: len(data)]))

    def _packed(self, hits: NDArray[np.bool_]) -> Bits:
        packed = np.packbits(hits, bitorder="little")
        if len(packed) % 8:
            packed = np.concatenate([packed, np.zeros(-len(packed) % 8, np.uint8)])
        return packed.view("<u8")

    def _fit(self, start: int, size: int, quotes: Bits, inside: Bits, near: Bits) -> None:
        # The start of the block and the end of the last one are as good as line ends.
        before = near << _ONE
        before[1:] |= near[:-1] >> _TOP
        if start == 0 or self.data[start - 1] in self.near:
            before[0] |= _ONE
        after = near >> _ONE
        after[:-1] |= near[1:] << _TOP
        stop = start + size
        if self.last if stop == len(self.data) else self.data[stop] in self.near:
            after[(size - 1) // 64] |= _ONE << np.uint64((size - 1) % 64)
        # Opening quotes must follow on something, closing ones must have something after them.
        bad = quotes & ((inside & ~before) | (~inside & ~after))
        self.odd = min(self.odd, _first(bad, start))

    def _zero_led(self, start: int, data: NDArray[np.uint8], near: Bits) -> bool:
        """Whether any value of digits alone that starts here begins with a needless zero."""
        starts = near | self._bits(data, b" ") if self.blanks else near
        hits = starts << _ONE
        hits[1:] |= starts[:-1] >> _TOP
        if start == 0 or self.data[start - 1] in self.near + b" ":
            hits[0] |= _ONE
        hits &= self._bits(data, b"0")
        if not hits.any():
            return False
        # Most such values are a lone zero, or 0.5 and the like.
        lone = near | self._bits(data, b".")
        ends = lone >> _ONE
        ends[:-1] |= lone[1:] << _TOP
        hits &= ~ends
        some = np.flatnonzero(hits)
        if not len(some):
            return False
        row, bit = np.nonzero(
            np.unpackbits(hits[some].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        )
        at = some[row] * 64 + bit + start + 1
        stop = np.zeros(256, dtype=np.bool_)
        stop[[*self.near, 32]] = True
        return _digits_alone(self.array, at[at < len(self.array)], stop)


def _inside(quotes: Bits, odd: bool) -> Bits:
    """Whether the number of quotes up to and with each byte is odd, where it was `odd` before."""
    out = quotes ^ (quotes << _ONE)
    for shift in (2, 4, 8, 16, 32):
        out ^= out << np.uint64(shift)
    turned = np.bitwise_xor.accumulate(out >> _TOP)
    out[1:] ^= np.uint64(0) - turned[:-1]
    return ~out if odd else out


def _last(bits: Bits) -> int:
    """One past the last marked byte; some are."""
    word = int(np.flatnonzero(bits)[-1])
    return word * 64 + int(bits[word]).bit_length()


def _first(bits: Bits, start: int) -> int:
    """The first marked byte, counted from `start`; past all data where none is marked."""
    if not bits.any():
        return sys.maxsize
    word = int(np.argmax(bits != 0))
    value = int(bits[word])
    return start + word * 64 + (value & -value).bit_length() - 1


def _digits_alone(data: NDArray[np.uint8], at: NDArray[np.intp], stop: NDArray[np.bool_]) -> bool:
    """Whether at one of these places digits follow, at least one, and then the value ends."""
    at = at[data[at] - np.uint8(48) < 10]
    for _ in range(40):
        if not len(at):
            return False
        at = at + 1
        if bool(np.any(at >= len(data))) or bool(np.any(stop[data[at[at < len(data)]]])):
            return True
        at = at[data[at] - np.uint8(48) < 10]
    return False
