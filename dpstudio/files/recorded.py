"""What a figure that the program wrote says of itself: how its page was set, of which table, and a
mark of its numbers, by which it can be made again and compared."""

import json
import re
import stat
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from dpstudio.data.codebook import EMPTY, Codebook, codebook_from_json, of_first_rows
from dpstudio.files.session import SessionError
from dpstudio.labs import Lab
from dpstudio.labs.carry_over import TRUTH
from dpstudio.labs.naming import lab_from_json
from dpstudio.labs.question import reads_table
from dpstudio.values.messages import N_, because, say
from dpstudio.values.parameters import ParamError

_LONGEST = 64_000_000  # bytes of a figure
_MOST = 4_000_000  # of what it says of itself
_DIGEST = re.compile(r", (?:sha256|snapshot) ([0-9a-f]{64})(?:,|$)")


@dataclass(frozen=True)
class Recorded:
    """A figure: the `version` that wrote it, its `title`, the lab, what was told of columns, and of
    its table the name and the digest, "" where it says none; the curves that are `hidden` in it,
    and a mark of its `numbers`."""

    version: str
    title: str
    lab: Lab
    table: str = ""
    digest: str = ""
    codebook: Codebook = EMPTY
    hidden: frozenset[str] = frozenset()
    numbers: str = ""
    beside: str = ""
    first_rows: bool = False  # as of a session

    @property
    def leaves(self) -> bool:
        """Whether it was drawn to leave, without the exact answer."""
        return reads_table(self.lab) and not getattr(self.lab, TRUTH, True)


def recorded(path: Path) -> Recorded:
    """What a figure says of itself. Raises SessionError for what cannot be read, is none of ours,
    or is of a page or a parameter that this version does not know."""
    try:
        held = path.stat()
        # A pipe would be waited for without end.
        if not stat.S_ISREG(held.st_mode) or held.st_size > _LONGEST:
            raise _foreign(path)
        told = READERS[path.suffix.lower()](path.read_bytes())
    except OSError as error:
        why = because(error)
        raise SessionError(say("{path} could not be read: {why}.", path=path, why=why)) from None
    except (KeyError, ValueError, RecursionError, struct.error, zlib.error):
        raise _foreign(path) from None
    if not told.get("Software", "").startswith("dpstudio ") or "Parameters" not in told:
        raise _foreign(path)
    version = told["Software"].removeprefix("dpstudio ")
    try:
        lab = lab_from_json(json.loads(told["Parameters"]))
        known = json.loads(told.get("Codebook", "{}"))
        book = codebook_from_json(known)
    except (ParamError, ValueError, RecursionError):
        text = N_(
            "{path} was written by dpstudio {version}, and its page is not known here as it was "
            "set. Open it with that version."
        )
        raise SessionError(say(text, path=path, version=version)) from None
    table = told.get("Table", "")
    name = re.split(", (?:rows|sha256|snapshot) ", table, maxsplit=1)[0].removeprefix("name ")
    digest = _DIGEST.search(table)
    return Recorded(
        version,
        told.get("Title", "") or told.get("title", ""),
        lab,
        name,
        digest[1] if digest is not None else "",
        book,
        frozenset(filter(None, told.get("Hidden", "").split("; "))),
        told.get("Numbers", ""),
        told.get("Second table", ""),
        of_first_rows(known),
    )


def _foreign(path: Path) -> SessionError:
    text = N_(
        "{path} is no figure that dpstudio wrote, or what it says of itself was taken out of it."
    )
    return SessionError(say(text, path=path))


def _svg(content: bytes) -> dict[str, str]:
    _, _, rest = content.partition(b"<metadata>")
    text, end, _ = rest[:_MOST].partition(b"</metadata>")
    return _words(json.loads(unescape(text.decode())) if end else {})


def _pdf(content: bytes) -> dict[str, str]:
    """The entries of `write.xmp`."""
    start = content.find(b"<x:xmpmeta")
    packet = content[start : content.find(b"</x:xmpmeta>", start)][:_MOST] if start >= 0 else b""
    found = re.findall(r"<dpstudio:(\w+)>([^<]*)</dpstudio:\1>", packet.decode())
    told = {name: unescape(text) for name, text in found}
    # An element of XML is named by one word.
    return told | {"Second table": told["Second_table"]} if "Second_table" in told else told


def _png(content: bytes) -> dict[str, str]:
    """The chunks of text (PNG, 11.3.4)."""
    if not content.startswith(b"\x89PNG\r\n\x1a\n"):
        raise ValueError
    return dict(_chunks(content))


def _chunks(content: bytes) -> Iterator[tuple[str, str]]:
    at, room = 8, _MOST
    while at + 8 <= len(content):
        length, kind = struct.unpack(">I4s", content[at : at + 8])
        body, at = content[at + 8 : at + 8 + length], at + 12 + length
        if kind not in (b"tEXt", b"zTXt", b"iTXt"):
            continue
        name, _, text = body.partition(b"\0")
        if kind == b"iTXt":
            packed, text = text[:1] == b"\1", text[2:].partition(b"\0")[2].partition(b"\0")[2]
        else:
            packed, text = kind == b"zTXt", text[1:] if kind == b"zTXt" else text
        text = zlib.decompressobj().decompress(text, room + 1) if packed else text
        room -= len(text)
        if room < 0:
            raise ValueError
        yield name.decode("latin-1"), text.decode("utf-8" if kind == b"iTXt" else "latin-1")


def _csv(content: bytes) -> dict[str, str]:
    """The comments at its head."""
    told = dict[str, str]()
    for line in content[:_MOST].decode("utf-8-sig", "replace").splitlines():
        if not line.startswith("# "):
            break
        name, _, text = line[2:].partition(": ")
        told.setdefault(name, text)
    return told


def _words(found: object) -> dict[str, str]:
    if not isinstance(found, Mapping):
        raise ValueError
    return {str(name): text for name, text in found.items() if isinstance(text, str)}


READERS: dict[str, Callable[[bytes], dict[str, str]]] = {
    ".svg": _svg,
    ".pdf": _pdf,
    ".png": _png,
    ".csv": _csv,
}
