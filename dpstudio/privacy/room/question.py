"""What a room is asked, and what one phone sends."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from hashlib import sha256

from dpstudio.values.domains import ParamError
from dpstudio.values.messages import N_, Message, Num, say

COINS, CHOICE, NUMBER = "coins", "choice", "number"
KINDS = (COINS, CHOICE, NUMBER)
LN3 = math.log(3)
# What a phone's page holds, and the ε at which whole numbers of 32 bits are fine enough.
OPTIONS, LONGEST, SHORT, SPAN = 12, 300, 60, 1_000_000
LEAST, MOST, OFFERED = 0.05, 10.0, 7
BETWEEN = " | "
_NONE = "–"


@dataclass(frozen=True)
class Question:
    """One question to a room. `kind` is "coins" (two options, the second is the yes), "choice" (2
    to 12 options) or "number" (a whole number from `low` to `high`); `epsilons` are those that a
    person may choose among, in rising order. `unary` asks a choice by OUE instead of GRR. `key`
    names the question in a table. Raises ParamError for what cannot be asked."""

    key: str
    text: str
    kind: str = COINS
    options: tuple[str, ...] = ("no", "yes")
    low: int = 0
    high: int = 10
    epsilons: tuple[float, ...] = (LN3,)
    unary: bool = False

    def __post_init__(self) -> None:
        for field, sentence in _wrong(self):
            raise ParamError(field, sentence)

    @property
    def answers(self) -> int:
        """How many answers there are: the options, or the whole numbers from low to high."""
        return self.high - self.low + 1 if self.kind == NUMBER else len(self.options)

    @property
    def span(self) -> int:
        """The whole way that an answer can go: from low to high, or 1 of a share."""
        return self.high - self.low if self.kind == NUMBER else 1

    @property
    def mark(self) -> str:
        """What tells the answers that can be given from those to the same words, in a table: alike
        for all ε."""
        given = self.kind, self.words, self.unary
        return "q" + sha256(repr(given).encode()).hexdigest()[:8]

    @property
    def words(self) -> tuple[str, ...]:
        """What the parts of a report may be, in a table."""
        return self._ends if self.kind == NUMBER else (*self.options, _NONE)

    @property
    def _ends(self) -> tuple[str, str]:
        return str(self.low), str(self.high)

    def same(self, other: Question) -> bool:
        """Whether that is the same question, at whichever ε it may be answered: then reports of
        both go together."""
        return replace(self, key=other.key, epsilons=other.epsilons) == other


@dataclass(frozen=True)
class Report:
    """Exactly what one phone sent: `value` is 0 or 1 of coins and of Duchi's two ends, the place of
    an option in GRR, and in OUE the bits of all options, that of the first being the lowest.
    `round` counts how often the question was opened anew. No name, no address and no time."""

    question: str
    mechanism: str
    epsilon: float
    value: int
    round: int = 1


Reports = tuple[Report, ...]


def _wrong(asked: Question) -> list[tuple[str, Message]]:
    """Fields that cannot be asked so, each with why."""
    found = []
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", asked.key):
        found.append(("key", say("A question's key is 1 to 40 letters, digits, - or _.")))
    if not 1 <= len(asked.text.strip()) <= LONGEST:
        text = N_("A question has 1 to {most} letters.")
        found.append(("text", say(text, most=Num(LONGEST))))
    if asked.kind not in KINDS:
        found.append(("kind", say("A question is answered by coins, a choice or a number.")))
    elif asked.kind == NUMBER:
        if not 1 <= asked.high - asked.low <= SPAN or max(-asked.low, asked.high) > 1e9:
            text = N_("Low and high are whole numbers, high above low, at most {most} apart.")
            found.append(("high", say(text, most=Num(SPAN))))
    else:
        found += _wrong_options(asked)
    offered = asked.epsilons
    rising = list(offered) == sorted(set(offered)) and 1 <= len(offered) <= OFFERED
    if not rising or not all(LEAST <= epsilon <= MOST for epsilon in offered):
        text = N_("Offer 1 to {n} values of ε, each from {least} to {most}, in rising order.")
        values = {"n": Num(OFFERED), "least": Num(LEAST), "most": Num(MOST)}
        found.append(("epsilons", Message(text, values)))
    return found


def _wrong_options(asked: Question) -> list[tuple[str, Message]]:
    options = [option.strip() for option in asked.options]
    if asked.kind == COINS and len(options) != 2:
        return [("options", say("Coins need exactly two options: no and yes."))]
    # A file keeps neither more blanks than one nor who wrote an apostrophe before a word.
    kept = {" ".join(option.split()).lstrip("'") for option in options}
    if not 2 <= len(options) <= OPTIONS or len(kept) < len(options):
        text = N_("A choice has 2 to {most} options, each another one.")
        return [("options", say(text, most=Num(OPTIONS)))]
    bad = [o for o in options if not 1 <= len(o) <= SHORT or "|" in o or o == _NONE]
    if bad:
        text = N_("An option has 1 to {most} letters, no upright line, and is not just a dash.")
        return [("options", say(text, most=Num(SHORT)))]
    return []


def written(asked: Question, report: Report) -> str:
    """The report as a cell of a table: the option that was sent, those of OUE with upright lines
    between them (a dash for none), the end of the range for a number."""
    if asked.kind == NUMBER:
        return asked._ends[report.value]
    if report.mechanism != "oue":
        return asked.options[report.value]
    sent = [option for i, option in enumerate(asked.options) if report.value >> i & 1]
    return BETWEEN.join(sent) or _NONE


def read_report(asked: Question, mechanism: str, epsilon: float, cell: str) -> Report:
    """Inverse of `written`. Raises ValueError for a cell that no phone sends."""
    if asked.kind == NUMBER:
        value = asked._ends.index(cell.strip())
    else:
        names = [option.strip() for option in asked.options]
        if mechanism != "oue":
            value = names.index(cell.strip())
        else:
            sent = [] if cell.strip() == _NONE else cell.split("|")
            value = sum(1 << place for place in {names.index(part.strip()) for part in sent})
    return Report(asked.key, mechanism, epsilon, value)
