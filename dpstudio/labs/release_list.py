"""A list of different releases as one typed line: how often, which mechanism, its ε and δ, of what
sample; brackets for disjoint parts; locks."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpstudio.privacy.accounting.amplified import amplified
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.additive import DELTA, EPSILON
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import Integer, Lockable, ParamError, Real, find

MOST_LINES = 100
TIMES = Integer(N_("number"), low=1, high=1_000_000)
CHANCE = Real(N_("chance"), low=1e-6, high=1.0, log=True)
_TIMES = re.compile(r"([^\s(]+)\s*[x×*]\s+(.*)|(\d[\d,]*)\s*[x×*]\s*(.*)", re.DOTALL)
_SAMPLE = "3 x laplace 0.1 | gaussian 0.5 1e-6"
# A word, not a sign: shells and spreadsheets have uses of their own for ! and =, and it says what
# it means.
LOCKED = "locked"
SAMPLED = "sampled"
_LOCK = re.compile(rf"(.*\)|.*\s|)\s*{LOCKED}", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """`times` answers of one mechanism. What is `locked` is published or promised: it stays as it
    is until it is unlocked. Below 1 everybody is in the sample that it is about with that
    `chance`, drawn anew for each answer."""

    times: int
    mechanism: Additive
    locked: bool = False
    chance: float = 1.0

    def __str__(self) -> str:
        m = self.mechanism
        return _said(
            self,
            f"{m.key} {EPSILON.show(m.epsilon)}"
            + ("" if m.pure else f" {DELTA.show(m.total_delta)}")
            + ("" if self.chance == 1 else f" {SAMPLED} {CHANCE.show(self.chance)}"),
        )

    @property
    def epsilon(self) -> float:
        """The ε of one answer to who joins or leaves."""
        return amplified(self.mechanism.epsilon, 0.0, self.chance)[0]


@dataclass(frozen=True)
class Parts:
    """Answers on disjoint parts of the table, so that every person is in one part only; the whole
    is asked `times` times."""

    times: int
    lines: tuple[Line, ...]
    locked: bool = False

    def __str__(self) -> str:
        return _said(self, f"({' + '.join(map(str, self.lines))})")


Entry = Line | Parts


def _said(entry: Entry, inner: str) -> str:
    return (
        ("" if entry.times == 1 else f"{entry.times} x ")
        + inner
        + (f" {LOCKED}" if entry.locked else "")
    )


@dataclass(frozen=True)
class Releases(Lockable):
    """Entries in order; as text they are separated by `|`, as JSON they are a list of such
    texts."""

    lock = LOCKED

    def check(self, value: Any) -> tuple[Entry, ...]:
        if isinstance(value, str):
            value = [part for part in value.split("|") if part.strip()]
        if not isinstance(value, list | tuple) or not all(
            isinstance(each, str | Line | Parts) for each in value
        ):
            raise ParamError("", say("Write releases such as: {sample}.", sample=_SAMPLE))
        if not value:
            raise ParamError(
                "", say("There is no release yet; write some, such as: {sample}.", sample=_SAMPLE)
            )
        entries = tuple(_entry(each.strip()) if isinstance(each, str) else each for each in value)
        if sum(len(lines(entry)) for entry in entries) > MOST_LINES:
            raise ParamError(
                "",
                say(
                    "At most {most} different {most:release|releases}; write equal ones as 3 x "
                    "laplace 0.1.",
                    most=MOST_LINES,
                ),
            )
        return entries

    def show(self, value: Any) -> str:
        return " | ".join(map(str, value))

    def to_json(self, value: Any) -> Any:
        return [str(entry) for entry in value]

    def describe(self) -> Message:
        text = N_(
            "releases separated by |, such as {sample}; “{sampled} 0.01” behind one draws "
            "everybody with that chance first; brackets hold disjoint parts joined by +; "
            "“{word}” at the end keeps one as it is"
        )
        return say(text, sample=_SAMPLE, sampled=SAMPLED, word=LOCKED)

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "", [], [7], "laplace", "0 x laplace 1", "nonsense 1")
        yield from (
            "laplace 0.1 1e-5",
            "gaussian 1",
            "laplace nan",
            "laplace 1 2 3",
            "laplace 1000",
        )
        yield from ("(laplace 1 + laplace 2", "laplace 1 + laplace 2", "(laplace 1)")
        yield from ("(laplace 1 + (laplace 2 + laplace 3))", "(laplace 1 locked + laplace 2)")
        yield from ("locked", "locked laplace 1")
        yield from ("laplace 1 sampled", "laplace 1 sampled 0", "laplace 1 sampled 2")
        yield from ("sampled 0.1", "laplace sampled 0.1 1", "(laplace 1 + laplace 2) sampled 0.1")

    def says_locked(self, text: str) -> bool:
        return _LOCK.fullmatch(text.strip()) is not None

    def toggled(self, entry: Entry) -> Entry:
        return replace(entry, locked=not entry.locked)

    def broken(self, before: Sequence[Entry], after: Sequence[Entry]) -> Entry | None:
        left = Counter(replace(entry, locked=False) for entry in after)
        for entry in before:
            bare = replace(entry, locked=False)
            if entry.locked and left[bare] == 0:
                return entry
            left[bare] -= entry.locked
        return None


def lines(entry: Entry) -> tuple[Line, ...]:
    """The lines of an entry: its parts, or itself."""
    return entry.lines if isinstance(entry, Parts) else (entry,)


def refitted(entry: Entry, change: Callable[[Additive], Additive]) -> Entry:
    """The entry with each of its mechanisms changed; a locked one as it is."""
    if entry.locked:
        return entry
    if isinstance(entry, Parts):
        return replace(
            entry,
            lines=tuple(replace(line, mechanism=change(line.mechanism)) for line in entry.lines),
        )
    return replace(entry, mechanism=change(entry.mechanism))


def _entry(text: str) -> Entry:
    found = _LOCK.fullmatch(text)
    if not found:
        return _unlocked(text)
    if not found[1].strip():
        raise ParamError(
            "",
            say(
                "“{word}” stands behind the release that it locks, such as: laplace 0.1 {word}.",
                word=LOCKED,
            ),
        )
    return replace(_unlocked(found[1].strip()), locked=True)


def _unlocked(text: str) -> Entry:
    times, rest = _times(text)
    if not rest.startswith("("):
        if "+" in re.sub(r"e\+\d", "", rest) or ")" in rest:
            raise ParamError(
                "",
                say(
                    "In “{entry}” put brackets around the disjoint parts: (laplace 0.2 + laplace "
                    "0.3).",
                    entry=text,
                ),
            )
        return _line(times, rest)
    inner = rest[1:-1]
    if not rest.endswith(")") or "(" in inner or ")" in inner:
        raise ParamError(
            "", say("In “{entry}” the brackets do not match, or hold brackets.", entry=text)
        )
    members = [part.strip() for part in re.split(r"(?<!\de)\+", inner)]
    if len(members) < 2 or not all(members):
        raise ParamError(
            "",
            say("In “{entry}” brackets hold two or more disjoint parts, joined by +.", entry=text),
        )
    return Parts(times, tuple(_line(n, said) for n, said in map(_times, members)))


def _times(text: str) -> tuple[int, str]:
    found = _TIMES.fullmatch(text)
    if not found:
        return 1, text
    count, rest = (found[1], found[2]) if found[1] is not None else (found[3], found[4])
    return _number(TIMES, count, text), rest.strip()


def _number(domain: Real, typed: str, text: str) -> Any:
    try:
        return domain.check(typed)
    except ParamError as error:
        raise ParamError(
            "",
            say(
                "In “{entry}”, {name}: {why}",
                entry=text,
                name=Message(domain.label),
                why=error.sentence,
            ),
        ) from None


def _line(times: int, text: str) -> Line:
    words = text.split()
    lower = [word.casefold() for word in words]
    if SAMPLED not in lower:
        return Line(times, _mechanism(text))
    at = lower.index(SAMPLED)
    if at != len(words) - 2:
        message = N_(
            "In “{entry}” write “{word}” behind the release and the chance of everybody to be in "
            "the sample behind it: {word} 0.01."
        )
        raise ParamError("", say(message, entry=text, word=SAMPLED))
    chance = _number(CHANCE, words[-1], text)
    return Line(times, _mechanism(" ".join(words[:at])), chance=chance)


def _mechanism(text: str) -> Additive:
    words = text.split()
    if LOCKED in map(str.casefold, words):
        message = N_(
            "In “{entry}” write “{word}” once, at the end, behind the brackets where there are any."
        )
        raise ParamError("", say(message, entry=text, word=LOCKED))
    if len(words) < 2:
        raise ParamError(
            "", say("In “{entry}” write a mechanism and its ε, such as laplace 0.1.", entry=text)
        )
    kind = find(MECHANISMS, words[0])
    most = 2 if kind.pure else 3
    if len(words) != most:
        message = (
            N_("In “{entry}” write the mechanism and its ε only: its δ is 0.")
            if kind.pure
            else N_("In “{entry}” write the mechanism, its ε and its δ, such as gaussian 0.5 1e-6.")
        )
        raise ParamError("", say(message, entry=text))
    epsilon = _number(EPSILON, words[1], text)
    if kind.pure:
        return kind(epsilon=epsilon)
    return kind(epsilon=epsilon, delta=_number(DELTA, words[2], text))  # type: ignore[call-arg]
