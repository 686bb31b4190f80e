"""Compressed files and archives: what is inside, as a stream, with a limit on how much may come
out."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import IO, Any, cast

from dpstudio.files.read.outcome import Doubt, TableError, quoted
from dpstudio.files.read.source import Source
from dpstudio.values.messages import because, of_library, say

# A table is refused once more than the first came out of it, and more than the second times what
# went in so far; and once the third came out, whatever went in: a bomb.
BOMB_BYTES, BOMB_RATIO, MOST_BYTES = 1 << 25, 200, 1 << 37
_MAGIC = (
    (b"\x1f\x8b", "gzip"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
)
_NAMED = {".gz": "gzip", ".xz": "xz", ".zst": "zstd", ".bz2": "bzip2", ".zip": "zip"}
_IGNORED = ("__MACOSX/", ".DS_Store", "Thumbs.db")
Opened = Callable[[], IO[bytes]]


@dataclass(frozen=True)
class Packed:
    """Bytes to read, unpacked: `open` starts from the beginning each time; `plain` when they are
    the source's own bytes."""

    source: Source
    open: Opened
    head: bytes
    plain: bool = True
    part: str = ""
    doubts: tuple[Doubt, ...] = ()

    def whole(self) -> IO[bytes]:
        """All of it as a stream that can be sought in; unpacked into memory where it must be."""
        return self.open() if self.plain else io.BytesIO(b"".join(self.blocks()))

    def blocks(self, size: int = 1 << 22) -> Iterator[bytes]:
        """All of it, unpacked, in blocks of at most `size` bytes. Raises TableError where it is
        broken."""
        with broken(self.source.name), self.open() as stream:
            while block := stream.read(size):
                yield block

    def last(self) -> bytes:
        """The last bytes, at most four, of what is read already."""
        source = self.source
        return source.at(max(source.size - 4, 0), 4) if self.plain else source.last


def packing(head: bytes) -> str:
    """The name of the packing of bytes that begin so; "" where there is none."""
    return next((name for magic, name in _MAGIC if head.startswith(magic)), "")


@contextmanager
def broken(path: str) -> Iterator[None]:
    """Raises TableError, which is a sentence, for the errors of the unpackers."""
    try:
        yield
    except (
        gzip.BadGzipFile,
        lzma.LZMAError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        OSError,
        NotImplementedError,
    ) as error:
        if isinstance(error, UnicodeError):
            raise
        if isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile) and error.errno:
            raise TableError(
                say("{path} could not be read: {why}.", path=path, why=because(error))
            ) from None
        raise TableError(
            say(
                "{path} is not a whole compressed file: {why}. Fetch or pack it again.",
                path=path,
                why=of_library(error),
            )
        ) from None


def as_it_is(source: Source) -> Packed:
    """The bytes of the source, whatever they are."""
    return Packed(source, source.stream, source.head(1 << 16))


def unpacked(source: Source, part: str = "", depth: int = 2) -> Packed:
    """What is inside, through at most `depth` packings; workbooks, which are archives too, stay as
    they are. `part` names a file of an archive. Raises TableError for what is locked, broken, or
    packed more often."""
    packed = as_it_is(source)
    for _ in range(depth):
        kind = packing(packed.head)
        if not kind or (kind == "zip" and whole_archive(packed)):
            return packed
        packed = _from_zip(packed, part) if kind == "zip" else _from_stream(packed, kind)
    if packing(packed.head) and not whole_archive(packed):
        raise TableError(
            say("{path} is packed more than twice. Unpack it first.", path=source.name)
        )
    return packed


def packing_named(name: str) -> str:
    """The packing that the name of a file says; "" where it says none."""
    return _NAMED.get(name.lower()[name.rfind(".") :] if "." in name else "", "")


def unpacked_as_named(source: Source, part: str = "") -> Packed:
    """What is inside, as the names alone say it: the first bytes may be those of a row. Raises
    TableError likewise."""
    packed, name = as_it_is(source), source.name
    while kind := packing_named(name):
        if kind == "zip":
            packed = _from_zip(packed, part)
            name, part = packed.part, ""
        else:
            packed, name = _from_stream(packed, kind), name[: name.rfind(".")]
    return packed


def whole_archive(packed: Packed) -> str:
    """What an archive is that is read as a whole: a "workbook" or "arrays" of NumPy; "" for
    others."""
    try:
        with zipfile.ZipFile(packed.whole()) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return ""
    if names & {"[Content_Types].xml", "mimetype", "content.xml"}:
        return "workbook"
    return "arrays" if names and all(name.endswith(".npy") for name in names) else ""


def archived(packed: Packed) -> Iterator[Packed]:
    """Every file of an archive that is read as a whole. Raises TableError for what is locked,
    broken, or a bomb."""
    with broken(packed.source.name), zipfile.ZipFile(packed.whole()) as archive:
        names = archive.namelist()
    for name in names:
        yield _from_zip(packed, name)


def _from_stream(packed: Packed, kind: str) -> Packed:
    inner = packed.open

    def stream() -> IO[bytes]:
        return cast(IO[bytes], _Limited(_decoder(kind, inner()), packed.source))

    return replace(packed, open=stream, head=_head(packed.source, stream), plain=False)


def _decoder(kind: str, raw: IO[bytes]) -> IO[bytes]:
    if kind == "gzip":
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if kind == "xz":
        return lzma.LZMAFile(raw)
    if kind == "bzip2":
        return bz2.BZ2File(raw)
    import pyarrow as pa

    return pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")  # type: ignore[no-any-return]


def _from_zip(packed: Packed, part: str) -> Packed:
    path = packed.source.name
    with broken(path), zipfile.ZipFile(packed.whole()) as archive:
        found = [
            i
            for i in archive.infolist()
            if not i.is_dir() and not any(word in i.filename for word in _IGNORED)
        ]
    named = {i.filename: i for i in found}
    if not found:
        raise TableError(
            say("{path} is an archive that holds 0 files. Choose another file.", path=path)
        )
    if part and part not in named:
        names = quoted(", ".join(named), 200)
        raise TableError(
            say(
                "{path} holds no file {part}; it holds: {names}.", path=path, part=part, names=names
            )
        )
    # The largest is the likeliest table; a table beats a note that lies beside it.
    ranked = sorted(found, key=lambda i: (not _tabular(i.filename), -i.file_size))
    chosen = named[part] if part else ranked[0]
    if chosen.flag_bits & 1:
        raise TableError(
            say("{path} is locked with a password. Unpack it with the password first.", path=path)
        )
    refuse_bomb(packed.source, chosen.file_size, chosen.compress_size)
    whole = packed.whole

    def stream() -> IO[bytes]:
        return cast(IO[bytes], _Limited(zipfile.ZipFile(whole()).open(chosen), packed.source))

    doubts: tuple[Doubt, ...] = ()
    if len(found) > 1 and not part:
        why = say(
            "the archive holds {n} {n:file|files}: {names}",
            n=len(found),
            names=quoted(", ".join(i.filename for i in ranked[:6]), 200),
        )
        doubts = (Doubt("part", why, tuple(i.filename for i in ranked)),)
    return replace(
        packed,
        open=stream,
        head=_head(packed.source, stream),
        plain=False,
        part=chosen.filename,
        doubts=doubts,
    )


def _tabular(name: str) -> bool:
    plain = name.lower().removesuffix(".gz")
    return plain.endswith(
        (
            ".csv",
            ".tsv",
            ".txt",
            ".tab",
            ".dat",
            ".data",
            ".parquet",
            ".json",
            ".jsonl",
            ".ndjson",
            ".xlsx",
            ".xls",
        )
    )


def _head(source: Source, stream: Opened) -> bytes:
    with broken(source.name), stream() as opened:
        head = opened.read(1 << 16)
    if not head and not source.bare:
        raise TableError(
            say("{path} is empty inside (0 bytes). Choose another file.", path=source.name)
        )
    return head


def refuse_bomb(source: Source, out: int, taken: int | None = None) -> None:
    """Raises TableError where `out` bytes of so few that were `taken` are no table's; what was read
    of the source so far where that is not told. Never of one that is not `guarded`."""
    if not source.guarded:
        return
    taken = source.furthest if taken is None else taken
    if out > MOST_BYTES or (out > BOMB_BYTES and out > BOMB_RATIO * taken):
        raise TableError(
            say(
                "{path} unpacks to more than {n} times its size, which no table does. "
                "Unpack it yourself if you trust it.",
                path=source.name,
                n=BOMB_RATIO,
            )
        )


class _Limited(io.RawIOBase):
    """An unpacking stream that stops a bomb, and asks now and then whether to go on."""

    def __init__(self, inner: Any, source: Source):
        super().__init__()
        self.inner, self.source, self.out = inner, source, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        parts = []
        while size:
            self.source.watch.ask()
            part = self.inner.read(min(size, 1 << 20) if size > 0 else 1 << 20)
            if not part:
                break
            parts.append(bytes(part))
            size = size - len(part) if size > 0 else size
            self.out += len(part)
            self.source.last = (self.source.last + parts[-1][-4:])[-4:]
            refuse_bomb(self.source, self.out)
        return b"".join(parts)

    def readinto(self, into: object, /) -> int:
        view = memoryview(into).cast("B")  # type: ignore[arg-type]
        part = self.read(len(view))
        view[: len(part)] = part
        return len(part)

    def close(self) -> None:
        if not self.closed:
            self.inner.close()
        super().close()
