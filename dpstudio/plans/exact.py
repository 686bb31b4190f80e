"""Numbers without rounding: what is charged is a fraction, rounded up once and added up exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from dpstudio.values.domains import Domain, point_told
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import ParamError

# What a bound worked out in doubles may be off by, in parts of it, and many times over.
SLACK = Fraction(1, 10**10)
# Of a total that is charged, and of what one question pays: few, so that a plan that is solved on
# another machine is the same to the byte.
_DIGITS, _DIGITS_EACH = 9, 6
_FEW = 4  # digits that anybody reads
_LEAST = Fraction(1, 10**307)  # doubles have all digits of what is no less
_LONGEST = 60
_READ, _READ_DIGITS = 24, 20  # signs of a number that is read, and its digits where it is longer
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?(/\d+)?", re.ASCII)


def fraction_of(value: Any) -> Fraction:
    """The number that is written: 0.1 and 0,1 are a tenth, 1/3 a third, 1,000 a thousand, 5 % a
    twentieth. Raises ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
        raise ValueError(value)
    if isinstance(value, int | Fraction):
        return Fraction(value)
    text = (repr(value) if isinstance(value, float) else value).replace("−", "-").strip()
    percent = text.endswith("%")
    text = text.removesuffix("%").strip()
    if re.fullmatch(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", text, re.ASCII):
        text = text.replace(",", "")
    elif re.fullmatch(r"[-+]?\d+,\d+", text, re.ASCII):  # as where a comma marks decimals
        text = text.replace(",", ".")
    if len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        raise ValueError(value)
    over, slash, under = text.partition("/")
    found = Fraction(over) / (Fraction(under) if slash else 1)  # 1/0: ZeroDivisionError
    return found / 100 if percent else found


def written(value: Fraction) -> str:
    """The one way a fraction is written: as a decimal where that ends soon, else as p/q."""
    twos, rest = 0, value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    fives = 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1 or max(twos, fives) > 30:
        text = f"{value.numerator}/{value.denominator}"
        short, all_of_it = _power(value, _LONGEST // 2)
        return short if all_of_it and len(text) > _LONGEST else text  # longer is not read back
    places = max(twos, fives)
    whole = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    text = f"{whole[:-places]}.{whole[-places:]}" if places else whole
    return ("-" if value < 0 else "") + text


def read_off(value: Fraction) -> str:
    """A fraction as people read it: a tiny one with its power of ten, and one that is still long
    ends in … after its first digits. What is kept is the fraction."""
    text = typed(value)
    return text if len(text) <= _READ else _power(value, _READ_DIGITS)[0] + "…"


def in_short(value: Fraction, way: str = "up") -> Num | str:
    """An amount as people read it: to the last digit where these are few, else four of them,
    rounded `up` where it is charged and `down` where it is left. What is kept is the fraction."""
    if _power(value, _FEW)[1]:
        return read_off(value)
    near = _rounded(value, _FEW, ROUND_CEILING if way == "up" else ROUND_FLOOR)
    if _LEAST <= abs(near) <= 1 / _LEAST:
        return Num(float(near), _FEW)
    return read_off(near)  # no double is so small, or so large


def typed(value: Fraction) -> str:
    """A fraction as it is typed, which is read back as the same."""
    text = written(value)
    short, whole = _power(value, _READ_DIGITS)
    return short if whole and len(short) < len(text) > _READ else text


def _power(value: Fraction, digits: int) -> tuple[str, bool]:
    """Its first digits, with a power of ten where that is short; whether they are all."""
    context = Context(prec=digits, rounding=ROUND_DOWN, Emin=-(10**6), Emax=10**6)
    cut = context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context)
    text = f"{cut:{'' if -6 < cut.adjusted() < digits else 'e'}}".replace("e+", "e")
    return text, Fraction(cut) == value


def rounded_up(value: float, digits: int = _DIGITS) -> Fraction:
    """A fraction of so many digits at or above a cost that was worked out in doubles, and above
    whatever these may have lost."""
    return _rounded(Fraction(value) * (1 + SLACK), digits, ROUND_CEILING)


def share_up(value: float) -> Fraction:
    """What a question pays, rounded up: its error only falls."""
    return rounded_up(value, _DIGITS_EACH)


def share_down(value: float) -> Fraction:
    """The same rounded down: the total only falls."""
    return _rounded(Fraction(value), _DIGITS_EACH, ROUND_FLOOR)


def _rounded(value: Fraction, digits: int, way: str) -> Fraction:
    context = Context(prec=digits, rounding=way, Emin=-(10**6), Emax=10**6)
    return Fraction(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


@dataclass(frozen=True)
class Exact(Domain):
    """A fraction in [low, high]; where `none`, it may be left empty; `whole`: of what is counted, a
    number is typed without decimals."""

    low: Fraction = Fraction(-(10**15))
    high: Fraction = Fraction(10**15)
    none: bool = False
    whole: bool = False

    def parse(self, text: str) -> Any:
        point_told(text, self.low, self.high, whole=self.whole)
        return self.check(text)

    def check(self, value: Any) -> Fraction | None:
        if self.none and value in (None, ""):
            return None
        try:
            number = fraction_of(value)
        except (ValueError, ZeroDivisionError):
            text = N_("“{value}” is not a number; type one such as 0.5 or 1/3.")
            raise ParamError("", say(text, value=value)) from None
        if not self.low <= number <= self.high:
            text = N_("{value} is outside {low} to {high}.")
            ends = {"low": written(self.low), "high": written(self.high)}
            raise ParamError("", say(text, value=written(number), **ends))
        return number

    def show(self, value: Any) -> str:
        return "" if value is None else typed(value)

    def to_json(self, value: Any) -> Any:
        return None if value is None else written(value)

    def describe(self) -> Message:
        ends = {"low": written(self.low), "high": written(self.high)}
        return say("a number from {low} to {high}, such as 0.5 or 1/3", **ends)

    def invalid_examples(self) -> Iterable[Any]:
        yield from ("abc", True, "1/0", "nan", self.low - 1, self.high + 1)
