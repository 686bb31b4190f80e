"""Conditions on rows: parsed from text, never evaluated as code; shown back as text.

    age > 50 and (sex = "Male" or race in ("Black", "Other")) and `hours-per-week` is not missing

A row that lacks the value fails every comparison with it, also `!=` and `not in`. A date stands for
all of the year, month, day or minute that it names: 2020, 2020-03, 2020-03-31, 2020-03-31T14:30.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import Domain, ParamError

OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "is missing", "is not missing")
ORDERED = ("<", "<=", ">", ">=")
# More would be shown, compared and worked out for seconds.
LETTERS, TESTS = 100_000, 2_000
Value = float | str


@dataclass(frozen=True)
class Test:
    """One comparison of a column: `values` is one value, several for in / not in, none for is
    missing."""

    __test__ = False  # not a test case, whatever pytest thinks of the name

    column: str
    operator: str
    values: tuple[Value, ...] = ()

    def __str__(self) -> str:
        name = (
            self.column
            if re.fullmatch(r"[A-Za-z_][\w\-.]*", self.column) and self.column.lower() not in _WORDS
            else "`" + self.column.replace("`", "``") + "`"
        )
        if self.operator.startswith("is"):
            return f"{name} {self.operator}"
        if self.operator in ("in", "not in"):
            return f"{name} {self.operator} ({', '.join(map(_literal, self.values))})"
        return f"{name} {self.operator} {_literal(self.values[0])}"


@dataclass(frozen=True)
class Where:
    """Parts joined by "and" or "or"; no parts means every row. One that was `proposed` takes its
    words from rows, and does not leave: who writes it anew has chosen it."""

    joined: str = "and"
    parts: tuple[Test | Where, ...] = ()
    proposed: bool = False

    def __str__(self) -> str:
        return f" {self.joined} ".join(
            f"({p})" if isinstance(p, Where) and len(p.parts) > 1 else str(p) for p in self.parts
        )

    def __bool__(self) -> bool:
        return bool(self.parts)

    def tests(self) -> Iterator[Test]:
        """Every comparison in it, also those within brackets, from left to right."""
        for part in self.parts:
            if isinstance(part, Test):
                yield part
            else:
                yield from part.tests()


_WORDS = {"and", "or", "in", "not", "is", "missing"}
_TOKEN = re.compile(
    r"""\s*(?:(?P<date>(?a:\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d)?)?)?))(?![\w.\-])|(?P<number>[-+−]?(?a:(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?\d++)?+))(?![\w.])
          |"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^'\\]|\\.)*)'|`(?P<tick>(?:[^`]|``)+)`
          |(?P<sign><=|>=|==|!=|<>|≤|≥|≠|=|<|>|\(|\)|（|）|＝|＞|＜|[,，、])|(?P<word>[^\W\d][\w\-.]*))""",
    re.VERBOSE,
)
_SIGNS = {"==": "=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!="}
_SIGNS |= dict(zip("（）＝＞＜，、", "()=><,,", strict=True))  # as keyboards for Chinese write them


def _literal(value: Value) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _bad(text: str, at: int, what: str) -> ParamError:
    return ParamError(
        "",
        say(
            "The condition is not clear at character {at} (“{rest}”): {what}.",
            at=at + 1,
            rest=text[at : at + 20] or "…",
            what=Message(what),
        ),
    )


class _Reader:
    """Recursive descent over the tokens of one condition."""

    def __init__(self, text: str):
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if not match or match.end() == at:
                raise _bad(text, at, N_('write for example age > 50 and sex = "Male"'))
            kind = match.lastgroup or ""
            said = _SIGNS.get(match[kind], match[kind]) if kind == "sign" else match[kind]
            self.tokens.append((kind, said, match.start(kind)))
            at = match.end()
        self.next = 0

    def peek(self) -> tuple[str, str, int]:
        return (
            self.tokens[self.next] if self.next < len(self.tokens) else ("end", "", len(self.text))
        )

    def take(self) -> tuple[str, str, int]:
        token = self.peek()
        self.next += 1
        return token

    def word(self, *words: str) -> bool:
        kind, text, _ = self.peek()
        if kind == "word" and text.lower() in words:
            self.next += 1
            return True
        return False

    def either(self, depth: int = 0) -> Where:
        parts = [self.both(depth)]
        while self.word("or"):
            parts.append(self.both(depth))
        return parts[0] if len(parts) == 1 else Where("or", tuple(_flat(parts, "or")))

    def both(self, depth: int) -> Where:
        parts = [self.one(depth)]
        while self.word("and"):
            parts.append(self.one(depth))
        return Where("and", tuple(_flat(parts, "and")))

    def one(self, depth: int) -> Test | Where:
        kind, text, at = self.take()
        if kind == "sign" and text == "(":
            if depth > 40:
                raise _bad(self.text, at, N_("too many brackets"))
            inside = self.either(depth + 1)
            self.close()
            return inside
        if kind not in ("word", "tick") or (kind == "word" and text.lower() in _WORDS):
            raise _bad(self.text, at, N_("a column name was expected"))
        return self.comparison(text.replace("``", "`") if kind == "tick" else text)

    def close(self) -> None:
        kind, text, at = self.take()
        if (kind, text) != ("sign", ")"):
            raise _bad(self.text, at, N_("a closing bracket was expected"))

    def comparison(self, column: str) -> Test:
        if self.word("is"):
            negated = self.word("not")
            if not self.word("missing"):
                raise _bad(
                    self.text, self.peek()[2], N_("“is missing” or “is not missing” was expected")
                )
            return Test(column, "is not missing" if negated else "is missing")
        if self.word("not"):
            if not self.word("in"):
                raise _bad(self.text, self.peek()[2], N_("“not in” was expected"))
            return Test(column, "not in", self.several())
        if self.word("in"):
            return Test(column, "in", self.several())
        kind, sign, at = self.take()
        if kind != "sign" or sign not in OPERATORS:
            raise _bad(self.text, at, N_("a comparison such as >, = or in was expected"))
        return Test(column, sign, (self.value(),))

    def several(self) -> tuple[Value, ...]:
        kind, text, at = self.take()
        if (kind, text) != ("sign", "("):
            raise _bad(self.text, at, N_("a list in brackets was expected"))
        values = [self.value()]
        while self.peek()[:2] == ("sign", ","):
            self.take()
            values.append(self.value())
        self.close()
        return tuple(values)

    def value(self) -> Value:
        kind, text, at = self.take()
        if kind == "number":
            number = float(text.replace("−", "-")) + 0.0  # no −0: it is another word and equal
            if not math.isfinite(number):
                raise _bad(self.text, at, N_("the number is too large"))
            return number
        if kind == "date":
            return text
        if kind in ("double", "single"):
            return re.sub(r"\\(.)", r"\1", text)
        if kind == "word" and text.lower() not in _WORDS:
            return text
        raise _bad(self.text, at, N_("a number or a word was expected"))


def _flat(parts: Iterable[Test | Where], joined: str) -> Iterator[Test | Where]:
    for part in parts:
        if isinstance(part, Where) and (part.joined == joined or len(part.parts) == 1):
            yield from part.parts
        else:
            yield part


def parse(text: str) -> Where:
    """The condition a text stands for; ParamError says at which character it is not clear, or that
    it is too long."""
    if not text.strip():
        return Where()
    if len(text) > LETTERS:
        raise _long(len(text), N_("characters"), LETTERS)
    reader = _Reader(text)
    found = reader.either()
    kind, _, at = reader.peek()
    if kind != "end":
        raise _bad(text, at, N_("“and” or “or” was expected"))
    if (tests := sum(1 for _ in found.tests())) > TESTS:
        raise _long(tests, N_("comparisons"), TESTS)
    return found


def _long(count: int, what: str, most: int) -> ParamError:
    text = say(
        "The condition has {n} {what}; at most {most} can be answered. Many values of one column "
        "are written as age in (1, 2, 3).",
        n=Num(count, 9),
        what=Message(what),
        most=Num(most),
    )
    return ParamError("", text)


@dataclass(frozen=True)
class Condition(Domain):
    """A field that holds a Where; as text and in JSON it is the text, marked in JSON where it was
    proposed."""

    def check(self, value: Any) -> Where:
        if isinstance(value, Where):
            return value
        if isinstance(value, dict) and value.keys() == {"proposed"}:
            return replace(self.check(value["proposed"]), proposed=True)
        if not isinstance(value, str):
            raise ParamError("", say("A condition is a text such as age > 50."))
        return parse(value)

    def to_json(self, value: Any) -> Any:
        return {"proposed": str(value)} if value.proposed else str(value)

    def describe(self) -> Message:
        return say('a condition such as age > 50 and sex = "Male"; empty means everyone')

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "age >", "age 50", "(age > 5", "age > 5 or", "import os", "age = [x]")


@dataclass(frozen=True)
class Conditions(Domain):
    """Several conditions; as text they are separated by `|`, in JSON they are a list of texts."""

    listed = True

    most: int = 40

    def check(self, value: Any) -> tuple[Where, ...]:
        if isinstance(value, str):
            value = [part for part in apart(value) if part.strip()]
        if not isinstance(value, list | tuple):
            raise ParamError(
                "", say("Write the conditions separated by |, such as age > 50 | sex = Male.")
            )
        found = tuple(Condition("").check(part) for part in value)
        if not 1 <= len(found) <= self.most or not all(found):
            raise ParamError(
                "",
                say(
                    "Write 1 to {most} conditions separated by |, such as age > 50 | sex = Male.",
                    most=self.most,
                ),
            )
        if len(set(map(str, found))) != len(found):
            raise ParamError("", say("A condition is listed twice."))
        return found

    def show(self, value: Any) -> str:
        return " | ".join(map(str, value))

    def to_json(self, value: Any) -> Any:
        return [str(part) for part in value]

    def describe(self) -> Message:
        return say("conditions separated by |, such as age > 50 | sex = Male")

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "", "age >", "age > 5 | age > 5", [7])


def apart(text: str) -> list[str]:
    """Parts between the bars that stand outside quotes."""
    return [
        m[0]
        for m in re.finditer(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[^|])+""", text)
    ]


Cell = Mapping[str, Value | None]


def holds(where: Where, person: Cell, numbers: frozenset[str]) -> bool:
    """Whether a person with these values (None: missing) meets a condition; `numbers` names the
    columns of numbers."""
    if not where.parts:
        return True
    met = (
        _met(p, person, numbers) if isinstance(p, Test) else holds(p, person, numbers)
        for p in where.parts
    )
    return all(met) if where.joined == "and" else any(met)


def _met(test: Test, person: Cell, numbers: frozenset[str]) -> bool:
    value = person[test.column]
    if test.operator.startswith("is"):
        return (value is None) == (test.operator == "is missing")
    if value is None:
        return False
    if test.column in numbers:
        x, given = float(value), [float(v) for v in test.values]
        ordered = {"<": x < given[0], "<=": x <= given[0], ">": x > given[0], ">=": x >= given[0]}
        return ordered.get(test.operator, (x in given) == (test.operator in ("=", "in")))
    return (str(value) in [as_word(v) for v in test.values]) == (test.operator in ("=", "in"))


def as_word(value: Value) -> str:
    """A value as a word of a column of words: 1.0 is "1"."""
    return (
        value if isinstance(value, str) else f"{value:.0f}" if value == int(value) else repr(value)
    )
