"""A quoted value longer than any cell, of whichever lines: found before each of its lines is read
as a row."""

from collections.abc import Iterator

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import TableError
from dpstudio.files.read.packing import Packed, broken
from dpstudio.files.read.source import Watch
from dpstudio.files.read.text.encodings import Encoding
from dpstudio.files.read.text.rows import LONGEST_RECORD, Dialect
from dpstudio.values.messages import N_, say

_BLOCK = 1 << 20
_BYTES = 4  # of a letter, at most
_COMMON = b",;\t|\r\n"  # what stands between values nearly everywhere


def too_long(packed: Packed, line: int) -> TableError:
    """What is said of a line, or of a value in it, that is longer than any."""
    text = N_(
        "{path}: line {line}, or a value that begins there, is longer than {n} million letters, "
        "which no row of a table is. Choose another file."
    )
    return TableError(say(text, path=packed.source.name, line=line, n=LONGEST_RECORD >> 20))


def giant_line(
    packed: Packed, encoding: Encoding, dialect: Dialect, choices: Choices, watch: Watch
) -> int | None:
    """The line in which a value of more letters than a cell has begins: between a quote that opens
    where a value begins, and the next quote of the file, which closes where one ends; or the line
    that alone has more, behind which nothing is read. None where there is none; letters of several
    bytes but UTF-8 are not looked at."""
    # A start that is all of one value shows neither quotes nor the delimiter of the table.
    sign = dialect.quote or ('"' if choices.quote == "auto" else "\0")
    if encoding.name.startswith(("utf-16", "utf-32")):
        return None
    quote, ends = sign.encode(), dialect.sign.encode() + _COMMON
    opened: int | None = None  # where the last quote stands, if it opens a value; counted from 0
    line = lines = past = 0
    before = b"\n"  # the byte before the block
    ended = 0  # one past the last line end
    for data, after in _blocks(packed):
        watch.ask()
        ends_at = [place for end in (b"\n", b"\r") if (place := data.find(end)) >= 0]
        if past + min(ends_at, default=len(data)) - ended > _BYTES * LONGEST_RECORD:
            return 1 + lines
        if ends_at:
            ended = past + 1 + max(data.rfind(b"\n"), data.rfind(b"\r"))
        first, last = data.find(quote), data.rfind(quote)
        if first >= 0:
            closes = (data[first + 1 : first + 2] or after or b"\n") in ends
            if opened is not None and past + first - opened > LONGEST_RECORD and closes:
                return line
            begins = (data[last - 1 : last] if last else before) in ends
            ended = (data[last + 1 : last + 2] or after or b"\n") in ends + quote
            opened = past + last if begins and not ended else None
            if opened is not None:
                line = 1 + lines + data.count(b"\n", 0, last)
        past, lines, before = past + len(data), lines + data.count(b"\n"), data[-1:]
    return None


def giant_value(packed: Packed, watch: Watch) -> int | None:
    """The line of JSON in which a value of more letters than a cell has goes on; None where there
    is none. Nothing is read behind it."""
    lines, since = 1, 0
    for data, _ in _blocks(packed):
        watch.ask()
        end = max(map(data.rfind, (b'"', b",", b"[", b"]", b"{", b"}")))
        since = len(data) - end if end >= 0 else since + len(data)
        if since > _BYTES * LONGEST_RECORD:
            return lines
        lines += data.count(b"\n")
    return None


def _blocks(packed: Packed) -> Iterator[tuple[bytes, bytes]]:
    """Every block of the file with the byte after it."""
    with broken(packed.source.name), packed.open() as stream:
        data = stream.read(_BLOCK)
        while data:
            more = stream.read(_BLOCK)
            yield data, more[:1]
            data = more
