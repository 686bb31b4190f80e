"""How bytes stand for letters: certain for UTF-8 and byte order marks, a question for everything
else."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

from dpstudio.files.read.outcome import Doubt
from dpstudio.files.read.packing import Packed
from dpstudio.files.read.signs import ENCODINGS
from dpstudio.values.messages import say

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BLOCK = 1 << 20
_EVIDENCE = 1 << 15  # so many bytes around letters beyond ASCII go to the detector, which is slow
_ALIKE = {
    "iso8859_1": "cp1252",
    "latin_1": "cp1252",
    "shift_jis": "cp932",
    "shift_jis_2004": "cp932",
    "shift_jisx0213": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "hz": "gb18030",
    "big5hkscs": "big5",
    "euc_kr": "cp949",
    "johab": "cp949",
    "euc_jis_2004": "euc-jp",
    "euc_jisx0213": "euc-jp",
    "euc_jp": "euc-jp",
    "koi8_r": "koi8-r",
    "koi8_u": "koi8-r",
    "mac_roman": "mac-roman",
    "iso8859_15": "iso8859-15",
    "iso8859_2": "iso8859-2",
    "iso8859_5": "iso8859-5",
    "cp936": "gb18030",
}
BAD = "\udcff"  # stands for bytes that are not valid; no decoder gives it for a real letter
ERRORS = "dpstudio-bad"
_BEYOND = re.compile("[^\x00-\x7f\udcff]")
codecs.register_error(ERRORS, lambda error: (BAD, error.end))  # type: ignore[attr-defined]
_WIDE = ("gb18030", "cp932", "euc-jp", "big5", "cp949")


@dataclass(frozen=True)
class Encoding:
    """`mark` bytes at the start are no text. `bad` is the number of places that are not valid in
    this encoding."""

    name: str
    mark: int = 0
    bad: int = 0
    doubts: tuple[Doubt, ...] = ()


def mark(head: bytes) -> tuple[str, int] | None:
    """Encoding and length of a byte order mark."""
    return next(((name, len(bom)) for bom, name in _MARKS if head.startswith(bom)), None)


def unmarked_wide(head: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: zero bytes in every second (fourth) place, as text in Latin
    letters has them."""
    part = head[: 4096 - len(head[:4096]) % 4] if len(head) >= 4 else b""
    if len(part) < 8 or b"\0" not in part:
        return None
    share = [part[i::4].count(0) / (len(part) // 4) for i in range(4)]
    if share[1] > 0.9 and share[2] > 0.9 and share[3] > 0.9 and share[0] < 0.1:
        return "utf-32-le"
    if share[0] > 0.9 and share[1] > 0.9 and share[2] > 0.9 and share[3] < 0.1:
        return "utf-32-be"
    odd, even = (share[1] + share[3]) / 2, (share[0] + share[2]) / 2
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    if even > 0.4 and odd < 0.05:
        return "utf-16-be"
    return None


def detect(packed: Packed, chosen: str) -> Encoding:
    """The encoding of the whole. Reads everything once unless it begins with a mark or is
    `chosen`."""
    marked = mark(packed.head)
    if chosen != "auto":
        return Encoding(chosen, marked[1] if marked and marked[0] == chosen else 0)
    if marked:
        return Encoding(*marked)
    wide = unmarked_wide(packed.head)
    if wide:
        return Encoding(wide)
    found = _scan(packed)
    if not found.bad:
        return Encoding("utf-8")
    return _legacy(found)


@dataclass
class _Scan:
    """Of bytes that are read as UTF-8: valid letters beyond ASCII, places that are not valid, and
    lines that hold such."""

    good: int = 0
    bad: int = 0
    evidence: bytes = b""
    line: int = 0


def _scan(packed: Packed) -> _Scan:
    out, decoder, lines = _Scan(), codecs.getincrementaldecoder("utf-8")(ERRORS), 1
    for block in packed.blocks(_BLOCK):
        if block.isascii() and not decoder.getstate()[0]:
            lines += block.count(b"\n") if not out.bad else 0
            continue
        text = decoder.decode(block)
        bad = text.count(BAD)
        if bad and not out.bad:
            out.line = lines + text.count("\n", 0, text.index(BAD))
        out.good += len(_BEYOND.findall(text))
        out.bad += bad
        lines += text.count("\n")
        if bad and len(out.evidence) < _EVIDENCE:
            out.evidence += b"".join(
                line for line in block.splitlines(keepends=True) if not line.isascii()
            )[:_EVIDENCE]
    out.bad += decoder.decode(b"", final=True).count(BAD)
    if out.bad and not out.evidence:
        out.evidence = packed.head
    return out


def _legacy(found: _Scan) -> Encoding:
    """UTF-8 with a few bad bytes, or the encoding that the detector finds likeliest; a person
    decides."""
    names = _ranked(found.evidence)
    if found.good > 10 * found.bad:
        names = ["utf-8", *names]
    why = say(
        "the text is not valid UTF-8 (first in line {line}); it may be {label}",
        line=found.line or 1,
        label=ENCODINGS[names[0]],
    )
    return Encoding(
        names[0],
        bad=found.bad if names[0] == "utf-8" else 0,
        doubts=(Doubt("encoding", why, tuple(names)),),
    )


def _ranked(evidence: bytes) -> list[str]:
    """Our names of the encodings that fit, the likeliest first; at least one, since Latin 1 fits
    everything."""
    from charset_normalizer import from_bytes

    evidence = evidence[:_EVIDENCE]
    names: list[str] = []
    for match in from_bytes(evidence, steps=5, chunk_size=512, preemptive_behaviour=False):
        group = [
            _ALIKE.get(n, n.replace("_", "-") if n.startswith("iso") else n)
            for n in (match.encoding, *match.could_be_from_charset)
        ]
        # Where Western reads the same letters, it is by far the most frequent.
        group.sort(key=lambda n: n != "cp1252")
        names += [n for n in group if n in ENCODINGS and n not in names and _fits(evidence, n)]
    wide = [n for n in _WIDE if n in names or _fits(evidence, n)]
    western = [n for n in ("cp1252",) if _fits(evidence, n)]
    # Of equally likely ones the first, so in an order that is the same at every start of the
    # program.
    names = sorted(
        dict.fromkeys([*names, *western, *wide]), key=lambda n: _cost(evidence, n, names)
    )
    return [*names, *(["latin-1"] if "latin-1" not in names else [])][:8]


def _fits(evidence: bytes, name: str) -> bool:
    """Whether it decodes; a letter that was cut at the very end does not count."""
    decoder = codecs.getincrementaldecoder(name)()
    try:
        decoder.decode(evidence)
    except (UnicodeError, ValueError):
        return False
    return True


def _cost(evidence: bytes, name: str, order: list[str]) -> tuple[float, int]:
    """How unlike text the letters are: signs among letters cost, and so do rare Chinese letters,
    half-width kana and letter soup."""
    text = codecs.getincrementaldecoder(name)().decode(evidence)
    beyond = [c for c in text if ord(c) > 127]
    if not beyond:
        return 1.0, 99
    odd = 0.0
    for c in beyond:
        if name in _WIDE:
            odd += 0.0 if _expected(c, name) else 0.7
        else:
            odd += 0.0 if c.isalpha() else 0.1 if c in _USUAL else 0.5
    soup = len(_SOUP.findall(text)) / len(beyond)
    found = order.index(name) if name in order else 50
    # A single-byte reading of wide text is a run of accented letters, which no Western word has.
    return round(
        odd / len(beyond) + 2 * soup + 0.01 * min(found, 9) + _RARE.get(name, 0.0), 6
    ), found


_USUAL = "€–—‘’“”„…•™°§£®©²³½¼±·«»¿¡№\u00a0"
_RARE = {
    "cp850": 0.4,
    "cp437": 0.4,
    "mac-roman": 0.4,
    "cp866": 0.1,
    "iso8859-15": 0.05,
    "cp1250": 0.05,
    "iso8859-2": 0.06,
    "latin-1": 0.06,
}


_SOUP = re.compile(
    r"[\u0080-\u024f]{3}|[a-z][A-Z\u00c0-\u00de](?=[a-z])|[\u0400-\u044f][\u0400-\u042f](?=[\u0430-\u044f])"
)


def _expected(letter: str, name: str) -> bool:
    """Whether text in this language is made of such letters: frequent ideographs, kana but
    half-width ones, Hangul for Korean."""
    if "\uac00" <= letter <= "\ud7a3":
        return name == "cp949"
    return (
        "\u3040" <= letter <= "\u30fa"
        or letter in "ー、。・々"
        or ("\u4e00" <= letter <= "\u9fff" and _common(letter, name))
    )


def _common(letter: str, name: str) -> bool:
    """Whether a Chinese letter is of the frequent ones: level 1 of GB 2312 (or JIS X 0208, Big5)
    comes first in its code."""
    try:
        code = letter.encode(name)
    except UnicodeError:
        return False
    if len(code) != 2:
        return False
    if name == "gb18030":
        return 0xB0 <= code[0] <= 0xD7 and code[1] >= 0xA1
    if name == "big5":
        return 0xA4 <= code[0] <= 0xC6
    if name == "cp932":
        return 0x88 <= code[0] <= 0x98
    return 0xB0 <= code[0] <= 0xCF if name == "euc-jp" else True


def open_end(packed: Packed, name: str) -> bool:
    """Whether a text that was read to its end has no line end there."""
    return not packed.last().endswith(tuple(end.encode(name) for end in ("\n", "\r")))


def text_blocks(packed: Packed, encoding: Encoding, size: int = _BLOCK) -> Iterator[str]:
    """The whole as text; what is not valid comes as BAD, which the reader of rows counts and
    replaces."""
    decoder = codecs.getincrementaldecoder(encoding.name)(ERRORS)
    skip = encoding.mark
    for block in packed.blocks(size):
        yield decoder.decode(block[skip:])
        skip = 0
    yield decoder.decode(b"", final=True)
