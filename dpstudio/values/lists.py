"""Domains of lists: several words, numbers or pairs in one field."""

import re
from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from dpstudio.values.domains import EITHER, Choice, Domain, ParamError, Real, point_told
from dpstudio.values.messages import N_, Message, Num, listed, say

MOST = 10_000
COMMAS = ",;，；、"  # what stands between the parts of a typed list, also on keyboards for Chinese
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d.]|,\d)")
_BETWEEN = re.compile(f"[{COMMAS}]")


def parts(text: str) -> list[str]:
    """The parts of a typed list."""
    return [part.strip() for part in _BETWEEN.split(text) if part.strip()]


def parted(text: str) -> tuple[str, str]:
    """What stands before the last colon, and what after it; all after it where there is none."""
    found = re.fullmatch(r"(.*)[:：](.*)", text, re.DOTALL)
    return (found[1].strip(), found[2].strip()) if found else ("", text.strip())


@dataclass(frozen=True)
class Several(Choice):
    """Some of a few words, at least `least` of them, in the order of the options; as text they are
    separated by commas."""

    least: int = 1
    # What more can be told of an option: its formula and its source.
    tips: Callable[[], Mapping[str, tuple[str, Message]]] = dict

    def check(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            value = parts(value.replace("|", ","))
        if not isinstance(value, list | tuple):
            raise ParamError(
                "", say("Name some of: {options}.", options=listed(filter(None, self.words)))
            )
        chosen = {super(Several, self).check(word) for word in value}
        if len(chosen) < self.least:
            raise ParamError(
                "",
                say(
                    "Name at least {least} of: {options}.",
                    least=self.least,
                    options=listed(filter(None, self.words)),
                ),
            )
        return tuple(word for word in self.words if word in chosen)

    def show(self, value: Any) -> str:
        return ", ".join(value)

    def to_json(self, value: Any) -> Any:
        return list(value)

    def describe(self) -> Message:
        return say("some of: {options}", options=listed(filter(None, self.words)))

    def invalid_examples(self) -> Iterable[Any]:
        yield from ("no such choice", 7, None, ["no such choice"])
        if self.least:
            yield from ("", [])


def _not_too_many(entries: Sized) -> None:
    """Raises ParamError for a list that no page could show."""
    if len(entries) > MOST:
        text = N_("The list has {n} {n:entry|entries}; at most {most} can be shown.")
        raise ParamError("", say(text, n=Num(len(entries), 9), most=Num(MOST, 9)))


_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def separated(text: str, opens: str = "|") -> list[str]:
    """The parts of a text between marks `|`. One that stands in quotes separates nothing; quotes
    begin a part, or what comes after one of `opens`."""
    out, begin, at, last = list[str](), 0, 0, "|"
    while at < len(text):
        quoted = _QUOTED.match(text, at) if last in opens else None
        if quoted is not None:
            at, last = quoted.end(), '"'
            continue
        if text[at] == "|":
            out.append(text[begin:at].strip())
            begin = at + 1
        last = last if text[at].isspace() else text[at]
        at += 1
    return [*out, text[begin:].strip()]


def quoted(word: str, marks: str) -> str:
    """A word as it is written among such `marks`: in quotes, its own doubled, where it holds one of
    them, a space at an end, or begins with a quote."""
    plain = word == word.strip() and not word.startswith('"') and not set(word) & set(marks)
    return word if plain else '"' + word.replace('"', '""') + '"'


def unquoted(text: str) -> str:
    """The word that was written so."""
    return text[1:-1].replace('""', '"') if _QUOTED.fullmatch(text) else text


@dataclass(frozen=True)
class Words(Domain):
    """Several distinct words, in order; as text they are separated by `|`, and one that holds it
    stands in quotes. Empty means: read from the data."""

    def check(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [unquoted(word) for word in separated(value)] if value.strip() else []
        if not isinstance(value, list | tuple) or not all(
            isinstance(word, str) and word for word in value
        ):
            raise ParamError("", say("Write the categories separated by |."))
        _not_too_many(value)
        if len(set(value)) != len(value):
            raise ParamError("", say("A category is listed twice; parts must not overlap."))
        return tuple(value)

    def show(self, value: Any) -> str:
        return " | ".join(quoted(word, "|") for word in value)

    def to_json(self, value: Any) -> Any:
        return list(value)

    def describe(self) -> Message:
        return say("words separated by |")

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "a||b", "a|a")


@dataclass(frozen=True)
class WordLines(Words):
    """The same, each word on a line of its own where there is room."""

    listed = True


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
        _not_too_many(value)
        inner = Real("", low=-1e15, high=1e15)
        pairs = tuple((inner.check(low), inner.check(high)) for low, high in value)
        if any(low >= high for low, high in pairs):
            raise ParamError("", say("In each pair the highest value must lie above the lowest."))
        return pairs

    def show(self, value: Any) -> str:
        return " | ".join(f"{low:.12g}..{high:.12g}" for low, high in value)

    def to_json(self, value: Any) -> Any:
        return [list(pair) for pair in value]

    def describe(self) -> Message:
        return say("pairs lowest..highest separated by |")

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "5", "2..1", "a..b", [[1, 1]], [1, 2])


@dataclass(frozen=True)
class Edges(Domain):
    """Increasing numbers, as text separated by commas; empty where they follow from other
    parameters."""

    def parse(self, text: str) -> Any:
        found = _THOUSANDS.search(text)
        if found is not None and re.search(r"[;；，、]|,\s", text):  # another mark parts the others
            one, many = found[0].replace(",", ", "), found[0].replace(",", "")
            raise ParamError("", say(EITHER, value=found[0], one=one, many=many))
        for part in parts(text):
            point_told(part)
        return self.check(text)

    def check(self, value: Any) -> tuple[float, ...]:
        if isinstance(value, str):
            value = parts(value)
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

    def describe(self) -> Message:
        return say("increasing numbers separated by commas")

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "5", "2, 1", "a, b", [1, 1])


@dataclass(frozen=True)
class Lockable(Domain):
    """A list of entries, one a line, each of which may be locked: then it is neither changed nor
    taken out before it is unlocked. As text a locked one ends with the word `lock`."""

    listed = True
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
