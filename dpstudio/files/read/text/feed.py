"""The bytes of a clean text in blocks of whole records, in memory that is used again."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dpstudio.files.read.packing import Packed, broken
from dpstudio.files.read.text.blocks import Block, look
from dpstudio.files.read.text.encodings import BAD, Encoding, text_blocks
from dpstudio.files.read.text.rows import LONGEST_RECORD, Dialect

# Bytes: the first block tells the types, and all others wait for it.
_FIRST, _BLOCK = 1 << 18, 1 << 21
_LINE_END = re.compile(rb"\r\n|\n|\r")
T = TypeVar("T")


class UncleanTextError(Exception):
    """Something in the text is not clean; the tolerant reader says what."""


@dataclass
class Feed:
    """The records of a text from line `start` on, of so many columns. Its memory is written over
    once a block is `worked` on."""

    packed: Packed
    encoding: Encoding
    dialect: Dialect
    width: int
    start: int
    rest: bytes | bytearray = b""  # of the last block, behind its last whole record
    spare: list[bytearray] = field(default_factory=list)
    over_lines: bool = False  # whether a record holds a line end within quotes

    def worked(self, work: Callable[[Block], T]) -> Callable[[Block], T]:
        """The same work, which nothing that it gives needs the block after."""

        def done(block: Block) -> T:
            part = work(block)
            if isinstance(block.data, bytearray) and len(block.data) == _BLOCK:
                self.spare.append(block.data)
            return part

        return done

    def blocks(self) -> Iterator[Block]:
        """The records as UTF-8. Raises UncleanTextError where they are not clean."""
        first, quote, sign = True, self.dialect.quote.encode(), self.dialect.sign.encode()
        for data in self._bytes():
            if first:
                data = data[_offset(data, self.start) :]
                first = False
                if not data:  # so many lines are left out that the table starts in a later block
                    raise UncleanTextError
            block = look(data, quote, sign)
            self.rest = data[block.size :]
            if len(self.rest) > LONGEST_RECORD:
                raise UncleanTextError  # a line too long, or a quote that is not closed
            if block.size:
                yield self._checked(block)
        if self.rest.strip():
            yield self._checked(look(self.rest, quote, sign, last=True))

    def _bytes(self) -> Iterator[bytes | bytearray]:
        """What the last block left over and what comes next, in one piece."""
        self.rest = b""
        if self.encoding.name == "utf-8":
            with broken(self.packed.source.name), self.packed.open() as stream:
                stream.read(self.encoding.mark)
                size = _FIRST
                while len(data := self._after(stream, size)) > len(self.rest):
                    yield data
                    size = _BLOCK
            return
        for text in text_blocks(self.packed, self.encoding, _BLOCK):
            if BAD in text:
                raise UncleanTextError
            yield self.rest + text.encode("utf-8")

    def _after(self, stream: Any, size: int) -> bytearray:
        """The rest and what the stream has next: `size` bytes in all, more where the rest is long,
        less at the end. Memory of a block that is done with need not be cleared by the system."""
        done = len(self.rest)
        size = max(size, 2 * done)
        data = self.spare.pop() if self.spare and size == _BLOCK else bytearray(size)
        data[:done] = self.rest
        with memoryview(data) as view:
            while done < size and (more := stream.readinto(view[done:])):
                done += more
        return data if done == size else data[:done]

    def _checked(self, block: Block) -> Block:
        if block.has(b"\0") or (block.has(b"\r") and not block.has(b"\n")):
            raise UncleanTextError
        if self.width == 1 and (
            block.data.startswith((b"\n", b"\r")) or block.has(b"\n\n") or block.has(b"\n\r")
        ):
            raise UncleanTextError
        if not block.fits:
            raise UncleanTextError
        self.over_lines = self.over_lines or block.breaks
        return block


def alone(block: Block) -> bool:
    """Whether a first block is all that there is: one so short needs no other thread."""
    return len(block.data) < _FIRST


def _offset(data: bytes | bytearray, start: int) -> int:
    """Where line `start`, counted from 1, begins."""
    place = 0
    for _ in range(start - 1):
        end = _LINE_END.search(data, place)
        if end is None:
            return len(data)
        place = end.end()
    return place
