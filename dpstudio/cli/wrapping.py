"""Lines of a terminal, where a letter of Chinese is as wide as two."""

import argparse
import re
import unicodedata
from textwrap import wrap

from dpstudio.files.language import tr

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


def headed(heading: str) -> str:
    """The line above a list."""
    return tr("%(heading)s:") % {"heading": heading}


class Lines(argparse.HelpFormatter):
    """Help in such lines."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(wrapped(" ".join(text.split()), width, indent, indent))
