"""Domains: what a field may hold, how it is typed and shown, and which values it refuses."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar

from dpstudio.values.messages import N_, Message, listed, plain, render, say


class ParamError(ValueError):
    """A value that a field cannot hold: `field` is the dotted name, `sentence` says what to do."""

    def __init__(self, field: str, sentence: Message | str):
        self.field = field
        self.sentence = sentence if isinstance(sentence, Message) else Message(sentence)
        super().__init__(field, self.sentence.text)

    def within(self, outer: str) -> ParamError:
        """The same error of a field inside the field `outer`."""
        return ParamError(f"{outer}.{self.field}" if self.field else outer, self.sentence)

    def __str__(self) -> str:
        return f"{self.field}: {render(self.sentence)}" if self.field else render(self.sentence)


@dataclass(frozen=True)
class Domain:
    """What a field may hold. `label` and `help` are message ids."""

    # Whether a value is a list of entries, one of which is a line where there is room; as text they
    # are separated by `|`.
    listed: ClassVar[bool] = False
    # The kinds of files that can be read into it, as dialogs for files name them; none where "".
    loads: ClassVar[str] = ""

    label: str
    help: str = ""
    unit: str = ""
    # What stands in a field that is left empty, as a message id.
    empty: str = field(default="", kw_only=True)
    # How it is set, where that does not follow from what it may hold: the "budget" ε, the "failure"
    # probability δ, a "coordinate" of the answer, a choice in "rows", or "elsewhere" than among the
    # other parameters.
    editor: str = field(default="", kw_only=True)
    # What the columns of a table that it names are for, as the ranking of columns names it; where
    # it is a role, those that were told to have it are taken first.
    purpose: str = field(default="", kw_only=True)

    def check(self, value: Any) -> Any:
        """The value in its normal form; raises ParamError (field left blank) when it is outside."""
        raise NotImplementedError

    def loaded(self, value: Any, name: str, text: str) -> Any:
        """The value after a file of this text was read into it; `name` is its name without what
        its kind adds. Raises ParamError as `check` does."""
        raise NotImplementedError

    def parse(self, text: str) -> Any:
        """The value that a typed text stands for."""
        return self.check(text)

    def show(self, value: Any) -> str:
        """The text that `parse` reads back."""
        return str(value)

    def told(self, value: Any) -> str:
        """The value in a line of words, as below a chart; empty where nothing is to be said."""
        return self.show(value)

    def said(self, value: Any) -> Message:
        """The value as a box shows it: that text, or words of ours in any language."""
        return plain(self.show(value))

    def to_json(self, value: Any) -> Any:
        """The value as JSON holds it, which `check` takes back."""
        return value

    def describe(self) -> Message:
        """The domain in words, for help texts."""
        raise NotImplementedError

    def invalid_examples(self) -> Iterable[Any]:
        """Values that must be refused; the contract tests try each."""
        return ()


_WHOLE = re.compile(r"[-+]?\d{1,30}", re.ASCII)
_ANY = 1e15  # an end as far out is there for computers, and not for people
_PLAIN = re.compile(r"[-+]?((\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|inf|nan)", re.ASCII)


def number_of(text: str) -> float:
    """The number in a text; raises ValueError for what `float` takes and nobody means: digits of
    other scripts, and 1_000."""
    if not _PLAIN.fullmatch(text):
        raise ValueError(text)
    return float(text)


def _digits(text: str) -> str:
    """A typed number as Python reads it: 1,000 is a thousand, 0,5 a half."""
    text = text.replace("−", "-").strip()
    if re.fullmatch(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", text, re.ASCII):
        return text.replace(",", "")
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


EITHER = N_("“{value}” may mean {one} or {many}: type it as one of the two.")
_POINTED = re.compile(r"[-+−]?[1-9]\d{0,2}\.\d\d\d", re.ASCII)


def point_told(
    text: str, low: Any = -math.inf, high: Any = math.inf, *, whole: bool = False
) -> None:
    """Raises ParamError for a typed number whose point may part thousands, where both readings lie
    in [low, high]: 60.000, and of what is `whole` 16.594 too. No number that is shown ends so."""
    text = text.strip()
    if _POINTED.fullmatch(text) and (whole or text.endswith("0")):
        many, one = text.replace(".", ""), text.rstrip("0").removesuffix(".")
        if all(low <= float(each.replace("−", "-")) <= high for each in (one, many)):
            said = EITHER
            if whole and "." in one:
                said = N_(
                    "“{value}” is not a whole number: if its point marks thousands, type {many}."
                )
            held = {"value": text, "one": one, "many": many}
            raise ParamError(
                "", Message(said, {k: v for k, v in held.items() if f"{{{k}}}" in said})
            )


def _typed(number: float) -> str:
    """A number as a person types it: 1,000,000 and not 1e+06, 0.000001 and not 1e-06."""
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    if number == int(number) and abs(number) < 1e21:
        return f"{int(number):,}"
    return f"{Decimal(repr(number)):,f}" if 1e-7 < abs(number) < 1e16 else repr(number)


@dataclass(frozen=True)
class Real(Domain):
    """A finite number in [low, high]; `log`: a slider runs over its logarithm."""

    # A share that is typed and shown in percent.
    percent: bool = field(default=False, kw_only=True)
    # 0 may be typed as well, for which a logarithm has no place: there a slider stands at its low
    # end.
    zero: bool = field(default=False, kw_only=True)
    low: float = -math.inf
    high: float = math.inf
    log: bool = False

    def check(self, value: Any) -> float:
        number = self._number(value)
        if self.zero and number == 0:
            return 0.0
        if math.isnan(number):
            raise self._refused(value)
        if not self.low <= number <= self.high or math.isinf(number):
            raise self._outside(number)
        return number

    def parse(self, text: str) -> Any:
        point_told(text, self.low, self.high)
        return self.check(text)

    def _outside(self, number: float) -> ParamError:
        ends = {"low": _typed(self.low), "high": _typed(self.high)}
        if not math.isinf(number):
            text = N_("{value} is outside {low} to {high}.")
            return ParamError("", Message(text, {"value": _typed(number), **ends}))
        if math.isinf(self.high) or math.isinf(self.low):
            return ParamError("", say("This number is beyond what a computer holds."))
        large = N_("This number is too large; it may be from {low} to {high}.")
        small = N_("This number is too small; it may be from {low} to {high}.")
        return ParamError("", Message(large if number > 0 else small, ends))

    def _number(self, value: Any) -> float:
        # True is an int to Python, not a number to a person.
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self._refused(value)
        try:
            return number_of(_digits(value)) if isinstance(value, str) else float(value)
        except OverflowError:  # a whole number of hundreds of digits
            return math.inf if int(value) > 0 else -math.inf
        except ValueError:
            raise self._refused(value) from None

    def _refused(self, value: Any) -> ParamError:
        return ParamError("", say("“{value}” is not a number; type one such as 0.5.", value=value))

    def show(self, value: Any) -> str:
        return re.sub(r"e([+-])0*", lambda m: "e-" if m[1] == "-" else "e", f"{value:.12g}")

    def describe(self) -> Message:
        if -self.low >= _ANY <= self.high:
            return say("any number")
        ends = say("a number from {low} to {high}", low=_typed(self.low), high=_typed(self.high))
        return say("{ends}, or 0", ends=ends) if self.zero else ends

    def invalid_examples(self) -> Iterable[Any]:
        yield from (math.nan, math.inf, "abc", "", None, True)
        if math.isfinite(self.low):
            yield from (self.low - 1, -abs(self.low) - 1)
        if math.isfinite(self.high):
            yield self.high * 2 + 1

    def position(self, value: float) -> float:
        """Where a slider stands for `value`, 0 to 1."""
        if self.zero and value == 0:
            return 0.0
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def at(self, position: float) -> float:
        """The value of a slider position, to three significant digits so that labels stay
        readable."""
        position = min(1.0, max(0.0, position))
        value = self.low + position * (self.high - self.low)
        if self.log:
            value = self.low * (self.high / self.low) ** position
        return min(self.high, max(self.low, float(f"{value:.3g}")))


@dataclass(frozen=True)
class Integer(Real):
    """A whole number in [low, high]."""

    def parse(self, text: str) -> Any:
        point_told(text, self.low, self.high, whole=True)
        return self.check(text)

    def check(self, value: Any) -> int:
        if isinstance(value, str):
            # Not by way of a float: a seed has more digits than a float holds.
            digits = _digits(value)
            value = int(digits) if _WHOLE.fullmatch(digits) else digits
        number = super().check(value)
        if number != int(number):
            raise self._refused(value)
        whole = value if isinstance(value, int) else int(number)
        if not self.low <= whole <= self.high:  # Python compares int and float exactly
            raise self._outside(whole)
        return whole

    def _refused(self, value: Any) -> ParamError:
        return ParamError("", say("{value} is not a whole number.", value=value))

    def show(self, value: Any) -> str:
        return str(value)

    def describe(self) -> Message:
        return say(
            "a whole number from {low} to {high}", low=_typed(self.low), high=_typed(self.high)
        )

    def invalid_examples(self) -> Iterable[Any]:
        yield from super().invalid_examples()
        yield 1.5

    def at(self, position: float) -> int:
        """The whole number nearest to what Real has at this place of a slider."""
        return round(super().at(position))


@dataclass(frozen=True)
class Share(Real):
    """A share; it may be typed as a count, such as 30/100, or in percent."""

    def _number(self, value: Any) -> float:
        if isinstance(value, str) and value.rstrip().endswith("%"):
            return super()._number(value.rstrip()[:-1]) / 100
        if isinstance(value, str) and value.count("/") == 1:
            over, under = (super(Share, self)._number(part) for part in value.split("/"))
            return over / under if under else math.nan
        return super()._number(value)


@dataclass(frozen=True)
class Choice(Domain):
    """One of a few words; `options` maps the word to its label, or is called for the mapping when
    it is needed."""

    options: Mapping[str, str] | Callable[[], Mapping[str, str]] = field(default_factory=dict)

    @property
    def words(self) -> Mapping[str, str]:
        """The keys of the options and what people call them, as message ids."""
        return self.options() if callable(self.options) else self.options

    def check(self, value: Any) -> Any:
        if not isinstance(value, str) or value not in self.words:
            text = N_("“{value}” is not one of: {options}.")
            raise ParamError("", say(text, value=value, options=self._listed()))
        return value

    def describe(self) -> Message:
        return say("one of: {options}", options=self._listed())

    def _listed(self) -> Message:
        return listed(filter(None, self.words))

    def invalid_examples(self) -> Iterable[Any]:
        yield from ("no such choice", 7, None)


@dataclass(frozen=True)
class Flag(Domain):
    """Yes or no; as text also on, off, true, false."""

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

    def describe(self) -> Message:
        return say("yes or no")

    def invalid_examples(self) -> Iterable[Any]:
        yield from ("perhaps", 2, None)


@dataclass(frozen=True)
class Column(Domain):
    """The name of a column. `numeric` or `words` say what the query needs; the table itself is
    checked by `problems`."""

    numeric: bool = False
    words: bool = False

    @property
    def serves(self) -> str:
        """Its purpose; where none is said, a number or words as the query needs them."""
        needed = "measure" if self.numeric else "group" if self.words else "feature"
        return self.purpose or needed

    def check(self, value: Any) -> str:
        if not isinstance(value, str) or not value.strip():
            raise ParamError("", say("Name a column of the table."))
        return value

    def describe(self) -> Message:
        if self.words:
            return say("the name of a column of words")
        return Message(
            N_("the name of a numeric column") if self.numeric else N_("the name of a column")
        )

    def invalid_examples(self) -> Iterable[Any]:
        yield from ("", "   ", 3, None)


@dataclass(frozen=True)
class Maybe(Domain):
    """A number, or None for "propose it from the data"."""

    inner: Real = field(default_factory=lambda: Real("", low=-1e15, high=1e15))

    def check(self, value: Any) -> float | None:
        text = value.strip().lower() if isinstance(value, str) else value
        if text in (None, "", "data", "from data"):
            return None
        return self.inner.check(value)

    def show(self, value: Any) -> str:
        return "" if value is None else self.inner.show(value)

    def describe(self) -> Message:
        held, text = self.inner.describe(), N_("{inner}; empty: {empty}")
        if self.empty in ("", "from the data"):
            text = N_("{inner}; empty: proposed from the data, which is not private")
        return say(text, inner=held, empty=Message(self.empty))

    def invalid_examples(self) -> Iterable[Any]:
        yield from (value for value in self.inner.invalid_examples() if value not in ("", None))


@dataclass(frozen=True)
class Solved:
    """A setting that a `Parameters` does not keep: typing it sets parameters from which it follows,
    and the attribute of its name reads it back. `solve(kind, value)` gives these parameters by
    name; it raises ParamError (field left blank) where none will do."""

    domain: Domain
    solve: Callable[[Any, Any], Mapping[str, Any]]
