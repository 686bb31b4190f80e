"""How far off an answer may be: a distance, or a part of a size that was typed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpstudio.plans.exact import fraction_of, written
from dpstudio.values.domains import Domain, point_told
from dpstudio.values.messages import Message, say
from dpstudio.values.parameters import ParamError


@dataclass(frozen=True)
class Target:
    """`amount` of the answer's own unit; where `relative`, that part of the size `of`, which is to
    be read from the table where it is None: in a plan for looking alone."""

    amount: Fraction
    relative: bool = False
    of: Fraction | None = None

    @property
    def distance(self) -> Fraction | None:
        """In units of the answer; None where the size is not known."""
        if not self.relative:
            return self.amount
        return None if self.of is None else self.amount * self.of

    def __str__(self) -> str:
        if not self.relative:
            return written(self.amount)
        size = "" if self.of is None else f" of {written(self.of)}"
        return f"{written(self.amount * 100)} %{size}"


@dataclass(frozen=True)
class Targets(Domain):
    """A `Target` or None; as text 25, or 5 % of 10000, or 5 % alone."""

    def parse(self, text: str) -> Target | None:
        part, _, size = text.replace("±", "").partition("of")
        point_told(part)
        point_told(size, whole=True)
        return self.check(text)

    def check(self, value: Any) -> Target | None:
        if value in (None, "") or isinstance(value, Target):
            return value or None
        text = str(value).replace("±", "").strip()
        part, of, size = (piece.strip() for piece in text.partition("of"))
        try:
            amount, whole = fraction_of(part), fraction_of(size) if of else None
            if amount <= 0 or (whole is not None and whole <= 0) or isinstance(value, bool):
                raise ValueError
            if of and not part.endswith("%"):
                raise ValueError
        except (ValueError, ZeroDivisionError):
            example = say(
                "“{value}” is no target; type one such as 25, or 5 % of 10000.", value=value
            )
            raise ParamError("", example) from None
        return Target(amount, part.endswith("%"), whole)

    def show(self, value: Any) -> str:
        return "" if value is None else str(value)

    def to_json(self, value: Any) -> Any:
        return None if value is None else str(value)

    def describe(self) -> Message:
        return say("how far off it may be, such as 25, or 5 % of 10000; empty: no target")

    def invalid_examples(self) -> Iterable[Any]:
        yield from ("near", "0", "-3", "5 of 100", "1/0", True)
