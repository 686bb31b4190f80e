"""Domains of plain text: what is typed as it is read."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dpstudio.values.domains import Domain, ParamError
from dpstudio.values.messages import Message, Num, say


@dataclass(frozen=True)
class Text(Domain):
    """A line of 1 to `most` letters; blanks at its ends are left out."""

    most: int = 300

    def check(self, value: Any) -> str:
        text = value.strip() if isinstance(value, str) else ""
        if not 1 <= len(text) <= self.most or not text.isprintable():
            raise ParamError("", say("Type 1 to {most} letters in one line.", most=Num(self.most)))
        return text

    def describe(self) -> Message:
        return say("a text of 1 to {most} letters", most=Num(self.most))

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "", " ", "x" * (self.most + 1), "two\nlines")
