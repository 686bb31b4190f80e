"""Side panels as data: cards with a title and rows, arranged by hand beside each lab."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dpstudio.values.messages import N_, Message


@dataclass(frozen=True)
class Says:
    """A line with the sentence `key` of the findings, in the colour of its tone (`style` where that
    is plain).

    With `sets` a button beside it sets that parameter to the value `value` of the sentence,
    where that plays a part. Both are there while the sentence is said. `tip` is the formula of its
    number, and whose it is.
    """

    key: str
    style: str = ""
    sets: str = ""
    value: str = ""
    tip: str = ""


@dataclass(frozen=True)
class Line:
    """Small editors side by side: (words before it, path of the parameter, letters of its box or 0)
    each."""

    parts: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True)
class Hands:
    """A button that adds what is set here to another lab, which stays where it is."""

    to: str
    text: str
    tip: str


@dataclass(frozen=True)
class OpensRoom:
    """A button that opens a room in which people answer what the lab asks, or `shows` the one that
    is open."""

    text: str
    shows: str
    tip: str


@dataclass(frozen=True)
class Stages:
    """A slider of that name over the stages of a chart, of which answer 0 is number `first`."""

    name: str
    first: Callable[[int], int]


@dataclass(frozen=True)
class Makes:
    """A button that makes another state of the lab by `make`, which raises ParamError; then a
    person goes to the parameter `then`, to fill it in."""

    text: str
    tip: str
    make: Callable[[Any], Any]
    then: str = ""


@dataclass(frozen=True)
class Lack:
    """What keeps a lab from going out, and the way there: the lab as it is then, and the path of
    the parameter that is to be filled in."""

    why: Message
    lab: Any
    path: str


@dataclass(frozen=True)
class OwnFile:
    """A button by which a lab goes out as a file called `name`, where `write` gives its text, or
    comes in, where `read` gives the lab with what stands in one. Both raise ParamError. Without a
    name the text goes to the release desk, and with both it comes back from who approves it.
    `lacks`: all that keeps it from going out, known before."""

    text: str
    tip: str
    name: str
    write: Callable[[Any], str] | None = None
    read: Callable[[Any, str], Any] | None = None
    lacks: Callable[[Any], Iterable[Lack]] | None = None


TO_PLAN = Hands(
    "plan",
    N_("Add to the plan"),
    N_("This question becomes one more of the plan, where it is given a target and its share"),
)

TO_DECIDE = Hands(
    "decide",
    N_("What this ε means, and what others chose"),
    N_("The lab Decide, with its dial at what the plan is charged"),
)

TO_EXPLORE = Hands(
    "explore",
    N_("Use these bounds in Explore"),
    N_(
        "The lab Explore asks this question, clipped to these bounds; by group where it does so "
        "already"
    ),
)

Row = str | Says | Line | Hands | OpensRoom | Stages | Makes | OwnFile


@dataclass(frozen=True)
class Section:
    """One card. A row that is a text is the dotted path of a parameter and becomes its editor.

    A card about what is `drawn` from a seed is there only while anything is, and one that `needs`
    something only while the lab says so by a property of that name. One that is `pinned`
    stands above the others and never leaves the screen: it holds the budget. One that is `folded`
    opens at its name: what matters first fits on one screen.
    """

    title: str
    rows: tuple[Row, ...]
    drawn: bool = False
    pinned: bool = False
    needs: str = ""
    folded: bool = False


Design = tuple[Section, ...]


# Who a person is where that is not each row, and what leaving out the rest of their rows changes.
PERSONS = (Says("unit", "muted"), Says("kept"))

# The sentence that stands below a question: why one person moves its answer no further.
WHY = "sensitivity"
