"""What a Chinese text must keep of its message, and how it is written.

python tests/chinese.py FILE.po …   says what is wrong (E) and what to look at again (W)
"""

import io
import re
import string
import sys
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po
from translations import TEMPLATE

from dpstudio.files.glossary import glossary

TERMS = TEMPLATE.parent / "zh_CN/terms.toml"
Texts = str | tuple[str, str]

HAN = "\u3400-\u9fff"
WIDE = f"{HAN}，。：；？！、（）“”《》…"
SPACED = re.compile(
    rf"[{WIDE}}}] +[{HAN}，。：；？！、（）“”《》]|[{HAN}，。：；？！、（）“”《》] +\S"
)
HALF = re.compile(
    rf"[{WIDE}][,;:?!\"](?![）”])|[{HAN}”）]\.(?!\w)|(?<![（“])[,;?!\"][{WIDE}]|  +|[{HAN}]\.\.\."
)
ROUND = re.compile(rf"\([^()]*[{HAN}][^()]*\)")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
SIGNS = re.compile(r"[α-ωΑ-Ω≤≥≠√∞Σ]")
LATIN = re.compile(r"(?<![\w{.=/-])[a-z]{3,}(?![\w}.=/-])")
LONGEST, SHORT = 1.1, 10  # how wide it may be, and what is short however wide it is


def fields(text: str) -> set[tuple[str, str, str]]:
    """The fields of a message with their formats; raises ValueError where it has none that can be
    read."""
    parsed = string.Formatter().parse(text)
    return {(name, spec or "", how or "") for _, name, spec, how in parsed if name is not None}


def width(text: str) -> int:
    """How wide a text is, in Latin letters."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" or c in "“”…" else 1 for c in text)


def faults(message: Texts, text: str) -> Iterator[str]:
    """What is wrong in a text, however it is meant."""
    whole = message if isinstance(message, str) else message[1]
    if not text.strip():
        yield "no text"
        return
    try:
        known = fields(whole)
    except ValueError:
        known = None
    try:
        if known is not None and fields(text) != known:
            yield f"fields {sorted(fields(text) ^ known)} are not alike"
    except ValueError as error:
        yield f"a brace: {error}"
    if text.strip() != text and whole.strip() == whole:
        yield "a space at an end"
    if not re.search(f"[{HAN}]", text):
        return
    yield from (f"a space: “{found[0]}”" for found in SPACED.finditer(text))
    yield from (f"punctuation of English: “{found[0]}”" for found in HALF.finditer(text))
    yield from (f"brackets of English: “{found[0]}”" for found in ROUND.finditer(text))


def doubts(message: Texts, text: str) -> Iterator[str]:
    """What may be wrong."""
    whole = message if isinstance(message, str) else message[1]
    for of, pattern in (("number", NUMBER), ("sign", SIGNS)):
        for one in sorted(set(pattern.findall(whole)) - set(pattern.findall(text))):
            yield f"{of} {one} is missing"
    english = set(LATIN.findall(re.sub(r"`[^`]*`|\{[^}]*\}", "", text)))
    if left := sorted(english & set(LATIN.findall(whole))):
        yield f"English: {', '.join(left)}"
    if width(text) > max(SHORT, LONGEST * len(whole)):
        yield f"{width(text)} wide where English is {len(whole)}"
    for word, names in _words(re.sub(r"`[^`]*`|\{[^}]*\}", "", whole)):
        if not any(name in text for name in names):
            yield f"{word}: {'/'.join(names)}"


def _words(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The words of the list that a text has, the longest first, each with what it is called."""
    pattern, known = _list()
    for found in dict.fromkeys(m[0].casefold() for m in pattern.finditer(text)):
        yield found, known[found]


@cache
def _list() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    told = tomllib.loads(TERMS.read_text(encoding="utf-8"))
    known = {
        word.casefold(): (held["says"], *held.get("also", ()))
        for word, held in told["words"].items()
    }
    for term in glossary():
        named = term.name.casefold()
        if re.fullmatch(r"[a-z][a-z-]*(?: [a-z][a-z-]*)*", named) and named not in known:
            known[named] = (term.chinese, *term.called, term.chinese.removesuffix("机制"))
    longest = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])(?:{longest})(?![\w-])", re.I), known


def main() -> int:
    """As this file says at its head; 1 where something is wrong."""
    wrong = many = 0
    for path in map(Path, sys.argv[1:]):
        for each in read_po(io.BytesIO(path.read_bytes()), locale="zh_CN"):
            if not each.id:
                continue
            many += 1
            text = each.string if isinstance(each.string, str) else each.string[0]
            told = [f"E {fault}" for fault in faults(each.id, text)]
            wrong += len(told)
            told += [f"W {doubt}" for doubt in doubts(each.id, text)] if text else []
            if told:
                whole = each.id if isinstance(each.id, str) else each.id[1]
                print(f"\n{path.name}: {whole}\n    {text}", *told, sep="\n  ")
    print(f"\n{many} messages, {wrong} faults")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
