"""Lines of letters that are all as wide, where one of Chinese is as wide as two."""

import re
import unicodedata
from textwrap import wrap

# A line may begin with a word, or with a letter of Chinese; not with what closes or stops.
_PIECES = re.compile(
    r"\s+|[“‘（《【]*(?:[^\s⺀-鿿＀-￯“‘（《【，。；：、？！”’）》】]+|[⺀-鿿＀-￯])?[，。；：、？！”’）》】]*"
)


def width(text: str) -> int:
    """How wide a text is, in letters."""
    return len(text) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)


def padded(text: str, wide: int) -> str:
    """A text and spaces after it, as wide as so many letters."""
    return text + " " * (wide - width(text))


def wrapped(text: str, wide: int, first: str = "", then: str = "") -> list[str]:
    """A paragraph in lines that are no wider, indented so."""
    if width(text) == len(text):
        return wrap(text, wide, initial_indent=first, subsequent_indent=then)
    lines, line = list[str](), first
    for piece in _PIECES.findall(text):
        if width(line + piece.rstrip()) > wide and line.strip():
            lines.append(line.rstrip())
            line = then + piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines
