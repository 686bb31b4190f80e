"""A survey in the room: what is asked, at which ε, and where the reports come from."""

import math
from hashlib import sha256
from typing import Any, ClassVar

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.nobody.room import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.room import Question
from dpstudio.privacy.room.question import CHOICE, COINS, LEAST, LONGEST, MOST, NUMBER
from dpstudio.values.fields import choice, flag, integer
from dpstudio.values.lists import Several, WordLines
from dpstudio.values.messages import N_, Message, enumerated, named
from dpstudio.values.parameters import Column, Maybe, OneOf, Parameters, Real, Share, param
from dpstudio.values.texts import Text

# What a person may be offered. That of two fair coins is ln 3.
EPSILONS = {"0.25": 0.25, "0.5": 0.5, "1": 1.0, "ln3": math.log(3), "2": 2.0, "4": 4.0}

# Roles as the texts have them; one person may hold several.
ROLES: dict[str, str] = {
    "owner": N_("data owner"),
    "provider": N_("data provider"),
    "user": N_("data user"),
    "maker": N_("algorithm provider"),
}
OPERATIONS: dict[str, str] = {
    "answer": N_("send own reports"),
    "grant": N_("grant and withdraw rights"),
    "watch": N_("control and watch algorithms"),
    "query": N_("run a query"),
    "run": N_("run an algorithm"),
    "submit": N_("submit an algorithm"),
    "rows": N_("read the rows"),
}
RULES: dict[str, str] = {
    "owners": N_("owners alone grant"),
    "texts": N_("providers grant, too (the texts)"),
}


class Asked(Text):
    """What is asked: words of ours until others are typed."""

    def said(self, value: Any) -> Message:
        return named(value)


class Options(WordLines):
    """What there is to choose from, as what is asked."""

    def said(self, value: Any) -> Message:
        return enumerated(map(named, value))


def _text(default: str) -> Any:
    return param(
        default,
        Asked(N_("Question asked"), N_("What each person reads on the phone."), most=LONGEST),
        own=True,
    )


class RoomQuestion(Parameters):
    """Base of what a room can be asked."""

    kind: ClassVar[str] = ""
    text: str = ""

    def question(self, epsilons: tuple[float, ...]) -> Question:
        """The question, with the ε that may be chosen. Its key follows from what is asked, so that
        reports of another question are never taken for its own. Raises ParamError."""
        asked = self.asks()
        words = repr((self.kind, self.text, sorted(asked.items()), epsilons))
        key = sha256(words.encode()).hexdigest()[:12]
        return Question(key, self.text, self.kind, epsilons=epsilons, **asked)

    def asks(self) -> dict[str, Any]:
        """What the question has besides its text."""
        return {}

    def agree(self) -> None:
        self.question((1.0,))


class YesNo(RoomQuestion):
    """A yes or a no, by coins."""

    key = "yes_no"
    label = N_("Yes or no")
    kind = COINS

    text: str = _text(N_("Have you ever cheated in an exam?"))


class OneOption(RoomQuestion):
    """One of several options."""

    key = "option"
    label = N_("One of several")
    kind = CHOICE

    text: str = _text(N_("How did you come here today?"))
    options: tuple[str, ...] = param(
        (N_("on foot"), N_("by bicycle"), N_("by bus or train"), N_("by car")),
        Options(N_("Options"), N_("Two to twelve, one a line.")),
    )
    unary: bool = flag(
        False,
        N_("A bit for each option"),
        N_("Unary encoding (OUE): less error where there are many options."),
    )

    def asks(self) -> dict[str, Any]:
        return {"options": self.options, "unary": self.unary}


class AnyNumber(RoomQuestion):
    """A whole number between public bounds."""

    key = "number"
    label = N_("A number")
    kind = NUMBER

    text: str = _text(N_("How many hours did you sleep last night?"))
    low: int = integer(0, N_("From"), N_("The least that can be answered."), low=-1e9, high=1e9)
    high: int = integer(12, N_("To"), N_("The most that can be answered."), low=-1e9, high=1e9)

    def asks(self) -> dict[str, Any]:
        return {"low": self.low, "high": self.high}


ASKED: list[type[RoomQuestion]] = [YesNo, OneOption, AnyNumber]


class Source(Parameters):
    """Base of where reports come from."""


class Invented(Source):
    """Reports of people who are not there."""

    key = "invented"
    label = N_("Invented")

    people: int = integer(
        200,
        N_("People"),
        N_("How many answers are invented."),
        low=10,
        high=5_000,
        log=True,
        leads=True,
    )
    share: float = param(
        0.3,
        Share(
            N_("Truly so"),
            N_("The share who are yes or hold the first option; of a number, how far up it is."),
            low=0,
            high=1,
            percent=True,
        ),
    )
    by_answer: bool = flag(
        False,
        N_("ε follows the answer"),
        N_("Who has something to hide chooses the smallest ε, everyone else the largest."),
    )


class OpenTable(Source):
    """Reports in the table that is open, as a room's are saved."""

    key = "table"
    label = N_("This table")

    column: str = param("report", Column(N_("Reports"), N_("The column of noisy reports.")))


class LiveRoom(Source):
    """Reports as they arrive in the room that is open."""

    key = "room"
    label = N_("The room")


SOURCES: list[type[Source]] = [Invented, OpenTable, LiveRoom]


class RoomSurvey(Lab, about=ABOUT):
    """One question to a room; the reports that arrived, and what they say together."""

    own_budget = True

    asked: RoomQuestion = param(
        YesNo(), OneOf(N_("Answer"), N_("What can be answered."), family=lambda: ASKED, apart=True)
    )
    offered: tuple[str, ...] = param(
        ("0.5", "1", "2"),
        Several(
            N_("ε to choose from"),
            N_("Each person takes one of these: a smaller one hides more and tells less."),
            options={
                key: N_("ln 3: fair coins") if key == "ln3" else f"ε {key}" for key in EPSILONS
            },
        ),
    )
    also: float | None = param(
        None,
        Maybe(
            N_("Another ε"),
            N_("One more to choose from."),
            # 0 was none in sessions of before.
            inner=Real("", low=LEAST, high=MOST, zero=True),
            empty=N_("none"),
        ),
    )
    reports: Source = param(
        Invented(),
        OneOf(N_("Reports"), N_("Where reports come from."), family=lambda: SOURCES, apart=True),
    )
    part: int = shared.part(
        N_("Which option is looked at closely, counted from 0; −1 is the largest.")
    )
    confidence: float = shared.confidence(N_("The share of surveys whose interval holds the room."))
    aim: float = param(
        0.05,
        Share(
            N_("Within ±"),
            N_(
                "The half-width that is wanted, in points of the percentage; of a number, in "
                "percent of all from low to high."
            ),
            low=0.001,
            high=0.5,
            log=True,
            percent=True,
        ),
        own=True,
    )
    role: str = choice("user", N_("Who"), N_("A role on a platform of many owners."), options=ROLES)
    operation: str = choice(
        "rows",
        N_("Wants to"),
        N_("What is to be done with a table there."),
        options=OPERATIONS,
        own=True,
    )
    rule: str = choice(
        "owners",
        N_("Rule"),
        N_("Who sets rights: owners alone, or with them who hands rows in, as the texts have it."),
        options=RULES,
    )
    seed: int = shared.seed(N_("The same seed invents the same reports."))

    @property
    def question(self) -> Question:
        """What is asked, with the ε that may be chosen."""
        values = {EPSILONS[key] for key in self.offered} | {self.also or 0.0}
        return self.asked.question(tuple(sorted(values - {0.0})))
