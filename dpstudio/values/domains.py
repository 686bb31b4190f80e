"""Domains: what a field may hold, how it is typed and shown, and which values it refuses."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

from dpstudio.values.messages import N_, Say, render, say


class ParamError(ValueError):
    """A value that a field cannot hold: `field` is the dotted name, `sentence` says what to do."""

    def __init__(self, field: str, sentence: Say | str):
        self.field = field
        self.sentence = sentence if isinstance(sentence, Say) else Say(sentence)
        super().__init__(field, self.sentence.text)

    def within(self, outer: str) -> ParamError:
        return ParamError(f"{outer}.{self.field}" if self.field else outer, self.sentence)

    def __str__(self) -> str:
        return f"{self.field}: {render(self.sentence)}" if self.field else render(self.sentence)


@dataclass(frozen=True)
class Domain:
    """What a field may hold. `label` and `help` are message ids."""

    # Whether a value is a list of entries, one of which is a line where there is room; as text they
    # are separated by `|`.
    listed: ClassVar[bool] = False

    label: str
    help: str = ""
    unit: str = ""
    # What stands in a field that is left empty, as a message id.
    empty: str = field(default="", kw_only=True)
    # How it is set, where that does not follow from what it may hold: the "budget" ε, the "failure"
    # probability δ, a "coordinate" of the answer, or "elsewhere" than among the other parameters.
    editor: str = field(default="", kw_only=True)

    def check(self, value: Any) -> Any:
        """The value in its normal form; raises ParamError (field left blank) when it is outside."""
        raise NotImplementedError

    def parse(self, text: str) -> Any:
        """The value that a typed text stands for."""
        return self.check(text)

    def show(self, value: Any) -> str:
        """The text that `parse` reads back."""
        return str(value)

    def to_json(self, value: Any) -> Any:
        return value

    def describe(self) -> Say:
        """The domain in words, for help texts."""
        raise NotImplementedError

    def bad(self) -> Iterable[Any]:
        """Values that must be refused; the contract tests try each."""
        return ()


def _digits(text: str) -> str:
    """A typed number as Python reads it: 1,000 is a thousand, 0,5 a half."""
    text = text.replace("−", "-").strip()
    if re.fullmatch(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", text):
        return text.replace(",", "")
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


def _typed(number: float) -> str:
    """A number as a person types it: 1,000,000 and not 1e+06."""
    return f"{number:,.0f}" if abs(number) < 1e7 and number == int(number) else f"{number:g}"


@dataclass(frozen=True)
class Real(Domain):
    # A share that is typed and shown in percent.
    percent: bool = field(default=False, kw_only=True)
    low: float = -math.inf
    high: float = math.inf
    log: bool = False

    def check(self, value: Any) -> float:
        number = self._number(value)
        if math.isnan(number):
            raise self._refused(value)
        if not self.low <= number <= self.high or math.isinf(number):
            raise ParamError(
                "",
                say(
                    "{value} is outside {low} to {high}.",
                    value=_typed(number),
                    low=_typed(self.low),
                    high=_typed(self.high),
                ),
            )
        return number

    def _number(self, value: Any) -> float:
        # True is an int to Python, not a number to a person.
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self._refused(value)
        try:
            return float(_digits(value)) if isinstance(value, str) else float(value)
        except (ValueError, OverflowError):
            raise self._refused(value) from None

    def _refused(self, value: Any) -> ParamError:
        return ParamError("", say("“{value}” is not a number; type one such as 0.5.", value=value))

    def show(self, value: Any) -> str:
        return re.sub(r"e([+-])0*", lambda m: "e-" if m[1] == "-" else "e", f"{value:.12g}")

    def describe(self) -> Say:
        return say("a number from {low} to {high}", low=f"{self.low:g}", high=f"{self.high:g}")

    def bad(self) -> Iterable[Any]:
        yield from (math.nan, math.inf, "abc", "", None, True)
        if math.isfinite(self.low):
            yield from (self.low - 1, -abs(self.low) - 1)
        if math.isfinite(self.high):
            yield self.high * 2 + 1

    def position(self, value: float) -> float:
        """Where a slider stands for `value`, 0 to 1."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def at(self, position: float) -> float:
        """The value of a slider position, to three significant digits so that labels stay
        readable."""
        position = min(1.0, max(0.0, position))
        value = (
            self.low * (self.high / self.low) ** position
            if self.log
            else self.low + position * (self.high - self.low)
        )
        return min(self.high, max(self.low, float(f"{value:.3g}")))


@dataclass(frozen=True)
class Integer(Real):
    """A whole number in [low, high]."""

    def check(self, value: Any) -> int:
        if isinstance(value, str):
            # Not by way of a float: a seed has more digits than a float holds.
            digits = _digits(value)
            value = int(digits) if re.fullmatch(r"[-+]?\d{1,30}", digits) else digits
        number = super().check(value)
        if number != int(number):
            raise ParamError("", say("{value} is not a whole number.", value=f"{number:g}"))
        whole = value if isinstance(value, int) else int(number)
        if not self.low <= whole <= self.high:  # Python compares int and float exactly
            raise ParamError(
                "",
                say(
                    "{value} is outside {low} to {high}.",
                    value=whole,
                    low=f"{self.low:.0f}",
                    high=f"{self.high:.0f}",
                ),
            )
        return whole

    def show(self, value: Any) -> str:
        return str(value)

    def describe(self) -> Say:
        return say(
            "a whole number from {low} to {high}", low=f"{self.low:.0f}", high=f"{self.high:.0f}"
        )

    def bad(self) -> Iterable[Any]:
        yield from super().bad()
        yield 1.5

    def at(self, position: float) -> int:
        return round(super().at(position))


@dataclass(frozen=True)
class Choice(Domain):
    """One of a few words; `options` maps the word to its label, or is called for the mapping when
    it is needed."""

    options: Mapping[str, str] | Callable[[], Mapping[str, str]] = field(default_factory=dict)

    @property
    def words(self) -> Mapping[str, str]:
        return self.options() if callable(self.options) else self.options

    def check(self, value: Any) -> Any:
        if not isinstance(value, str) or value not in self.words:
            raise ParamError(
                "",
                say(
                    "“{value}” is not one of: {options}.",
                    value=value,
                    options=", ".join(filter(None, self.words)),
                ),
            )
        return value

    def describe(self) -> Say:
        return say("one of: {options}", options=", ".join(filter(None, self.words)))

    def bad(self) -> Iterable[Any]:
        yield from ("no such choice", 7, None)


@dataclass(frozen=True)
class Several(Choice):
    """Some of a few words, at least `least` of them, in the order of the options; as text they are
    separated by commas."""

    least: int = 1

    def check(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [word.strip() for word in value.replace("|", ",").split(",") if word.strip()]
        if not isinstance(value, list | tuple):
            raise ParamError(
                "", say("Name some of: {options}.", options=", ".join(filter(None, self.words)))
            )
        chosen = {super(Several, self).check(word) for word in value}
        if len(chosen) < self.least:
            raise ParamError(
                "",
                say(
                    "Name at least {least} of: {options}.",
                    least=self.least,
                    options=", ".join(filter(None, self.words)),
                ),
            )
        return tuple(word for word in self.words if word in chosen)

    def show(self, value: Any) -> str:
        return ", ".join(value)

    def to_json(self, value: Any) -> Any:
        return list(value)

    def describe(self) -> Say:
        return say("some of: {options}", options=", ".join(filter(None, self.words)))

    def bad(self) -> Iterable[Any]:
        yield from ("no such choice", 7, None, ["no such choice"])
        if self.least:
            yield from ("", [])


@dataclass(frozen=True)
class Flag(Domain):
    def check(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        word = str(value).strip().lower()
        if word in ("yes", "true", "on", "1"):
            return True
        if word in ("no", "false", "off", "0"):
            return False
        raise ParamError("", say("“{value}” is neither yes nor no.", value=value))

    def show(self, value: Any) -> str:
        return "yes" if value else "no"

    def describe(self) -> Say:
        return say("yes or no")

    def bad(self) -> Iterable[Any]:
        yield from ("perhaps", 2, None)


@dataclass(frozen=True)
class Column(Domain):
    """The name of a column. `numeric` or `words` say what the query needs; the table itself is
    checked by `problems`."""

    numeric: bool = False
    words: bool = False

    def check(self, value: Any) -> str:
        if not isinstance(value, str) or not value.strip():
            raise ParamError("", say("Name a column of the table."))
        return value

    def describe(self) -> Say:
        if self.words:
            return say("the name of a column of words")
        return Say(
            N_("the name of a numeric column") if self.numeric else N_("the name of a column")
        )

    def bad(self) -> Iterable[Any]:
        yield from ("", "   ", 3, None)


@dataclass(frozen=True)
class Words(Domain):
    """Several distinct words, in order; as text they are separated by `|`. Empty means: read from
    the data."""

    empty: str = field(default=N_("all in the data"), kw_only=True)

    def check(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [word.strip() for word in value.split("|")] if value.strip() else []
        if not isinstance(value, list | tuple) or not all(
            isinstance(word, str) and word for word in value
        ):
            raise ParamError("", say("Write the categories separated by |."))
        if len(set(value)) != len(value):
            raise ParamError("", say("A category is listed twice; parts must not overlap."))
        return tuple(value)

    def show(self, value: Any) -> str:
        return " | ".join(value)

    def to_json(self, value: Any) -> Any:
        return list(value)

    def describe(self) -> Say:
        return say("words separated by |")

    def bad(self) -> Iterable[Any]:
        yield from (3, None, "a||b", "a|a")


@dataclass(frozen=True)
class Ranges(Domain):
    """Pairs lowest..highest, one a column; as text they are separated by `|`. Empty: proposed from
    the data."""

    def check(self, value: Any) -> tuple[tuple[float, float], ...]:
        if isinstance(value, str):
            value = [part.split("..") for part in value.split("|")] if value.strip() else []
        if not isinstance(value, list | tuple) or not all(
            isinstance(pair, list | tuple) and len(pair) == 2 for pair in value
        ):
            raise ParamError(
                "", say("Write the bounds of each column as lowest..highest, separated by |.")
            )
        inner = Real("", low=-1e15, high=1e15)
        pairs = tuple((inner.check(low), inner.check(high)) for low, high in value)
        if any(low >= high for low, high in pairs):
            raise ParamError("", say("In each pair the highest value must lie above the lowest."))
        return pairs

    def show(self, value: Any) -> str:
        return " | ".join(f"{low:.12g}..{high:.12g}" for low, high in value)

    def to_json(self, value: Any) -> Any:
        return [list(pair) for pair in value]

    def describe(self) -> Say:
        return say("pairs lowest..highest separated by |")

    def bad(self) -> Iterable[Any]:
        yield from (3, None, "5", "2..1", "a..b", [[1, 1]], [1, 2])


@dataclass(frozen=True)
class Lockable(Domain):
    """A list of entries, one a line, each of which may be locked: then it is neither changed nor
    taken out before it is unlocked. As text a locked one ends with the word `lock`."""

    listed: ClassVar[bool] = True
    lock: ClassVar[str] = "locked"

    def says_locked(self, text: str) -> bool:
        """Whether an entry, as it is being typed, ends with the word that locks it."""
        raise NotImplementedError

    def toggled(self, entry: Any) -> Any:
        """The entry unlocked if it was locked, and the other way round."""
        raise NotImplementedError

    def broken(self, before: Any, after: Any) -> Any | None:
        """The first locked entry of a value that another one has not as it is; to stand elsewhere
        or to be unlocked is no change."""
        raise NotImplementedError


@dataclass(frozen=True)
class Maybe(Domain):
    """A number, or None for "propose it from the data"."""

    empty: str = field(default=N_("from the data"), kw_only=True)
    inner: Real = field(default_factory=lambda: Real("", low=-1e15, high=1e15))

    def check(self, value: Any) -> float | None:
        if value is None or (
            isinstance(value, str) and value.strip().lower() in ("", "data", "from data")
        ):
            return None
        return self.inner.check(value)

    def show(self, value: Any) -> str:
        return "" if value is None else self.inner.show(value)

    def describe(self) -> Say:
        return say(
            "{inner}; empty: proposed from the data, which is not private",
            inner=self.inner.describe(),
        )

    def bad(self) -> Iterable[Any]:
        yield from (value for value in self.inner.bad() if value not in ("", None))


@dataclass(frozen=True)
class Edges(Domain):
    """Increasing numbers, as text separated by commas; empty where they follow from other
    parameters."""

    def check(self, value: Any) -> tuple[float, ...]:
        if isinstance(value, str):
            value = [part for part in value.replace(";", ",").split(",") if part.strip()]
        if not isinstance(value, list | tuple):
            raise ParamError("", say("Write the edges as increasing numbers separated by commas."))
        inner = Real("", low=-1e15, high=1e15)
        numbers = tuple(inner.check(part) for part in value)
        if len(numbers) == 1 or len(numbers) > 1001 or any(b <= a for a, b in pairwise(numbers)):
            raise ParamError(
                "", say("Edges must be 2 to 1,001 increasing numbers, such as 0, 10, 20.")
            )
        return numbers

    def show(self, value: Any) -> str:
        return ", ".join(f"{edge:.12g}" for edge in value)

    def to_json(self, value: Any) -> Any:
        return list(value)

    def describe(self) -> Say:
        return say("increasing numbers separated by commas")

    def bad(self) -> Iterable[Any]:
        yield from (3, None, "5", "2, 1", "a, b", [1, 1])
