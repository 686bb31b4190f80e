"""What it does to an answer that at most so many rows of each person are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from dpstudio.data.dataset import Dataset
from dpstudio.labs.findings import Sentence
from dpstudio.privacy.queries import contingency, grouped, histogram
from dpstudio.privacy.queries.candidates import Choosing
from dpstudio.privacy.queries.covariance import Covariance
from dpstudio.privacy.queries.query import Clipping, Query
from dpstudio.values.dates import date_text
from dpstudio.values.messages import N_, Message, Num, plain, render, say
from dpstudio.values.parameters import Parameters
from dpstudio.values.problem import Problem

Q = TypeVar("Q", bound=Parameters)
THE_ANSWER = say("the answer")


def settled(query: Q, data: Dataset) -> Q:
    """The question with every choice that it would take from the data written down, so that another
    table is asked the same."""
    if isinstance(query, grouped.Grouped):
        query = query.with_(groups=query.names(data))
        if query.statistic == "count":
            return query
    if isinstance(query, Clipping):
        low, high = query.bounds(data)
        return query.with_(low=low, high=high)
    if isinstance(query, histogram.Histogram):
        edges, words = query.parts(data)
        dated = data.info(query.column).type == "date"
        return (
            query.with_(dates=tuple(map(date_text, edges)))
            if dated
            else query.with_(edges=edges, categories=words)
        )
    if isinstance(query, contingency.Contingency):
        down, across = query.words(data)
        return query.with_(down=down, across=across)
    if isinstance(query, Choosing):
        return query.settled(data)
    return query.with_(ranges=query.bounds(data)) if isinstance(query, Covariance) else query


def kept_sentences(
    data: Dataset, query: Query | Choosing, adjacency: str, part: int, *, show_truth: bool
) -> tuple[Sentence, ...]:
    """Who a person is, and, where exact answers may be shown, what the rows left out change:
    coordinate `part` of the answer."""

    def compared() -> tuple[Message, Message, Message]:
        asked = settled(query, data)
        if isinstance(asked, Choosing):
            best, other = (asked.ask(table, adjacency) for table in (data, data.whole))
            return say("the best"), plain(best.labels[best.best]), plain(other.labels[other.best])
        here, whole = (asked.ask(table, adjacency) for table in (data, data.whole))
        what = say("“{part}”", part=here.labels[part]) if here.vector else THE_ANSWER
        return what, shown(float(here.truth[part])), shown(float(whole.truth[part]))

    return left_out(
        data,
        lambda: data.remember(("kept", query, adjacency, part), compared),
        show_truth=show_truth,
    )


def one_row_each(data: Dataset) -> Dataset:
    """The table in which each person has one row alone: in the local labs everyone sends one
    report, so that n counts persons, and ε covers all that one sends."""
    if data.contributions == 1:
        return data
    return data.described(data.codebook.with_person(data.person))


def one_report_each(data: Dataset) -> tuple[Problem, ...]:
    """What a person with several rows reports in the local labs, said of a table of one row
    each."""
    if not data.person:
        return ()
    text = N_(
        "Each “{person}” is asked once, about one row: a report of every row would cost ε for each."
    )
    return (Problem("protocol", say(text, person=data.person), stops=False),)


def shown(value: float) -> Message:
    """A value of a person with six digits."""
    return say("{x}", x=Num(value, 6))


_KEEPING = N_(
    "Keeping at most {m:# row|# rows} of each person leaves {dropped} of {rows:# row|# rows} out: "
    "with all of them {what} would be {whole} instead of {here}. This is exact: not private."
)
_OF_NOBODY = N_(
    "Keeping at most {m:# row|# rows} of each person leaves {dropped} of {rows:# row|# rows} out, "
    "{nobody} of which {nobody:names|name} no person: with all of them {what} would be {whole} "
    "instead of {here}. This is exact: not private."
)
_ALIKE = N_(
    "Keeping at most {m:# row|# rows} of each person leaves {dropped} of {rows:# row|# rows} out; "
    "{what} is {whole} with all of them too. This is exact: not private."
)
_HIDDEN = N_(
    "What leaving out the further rows of a person does to the answer is exact, and hidden."
)
_NONE = N_("Nobody has more rows than that here, so none is left out. This is exact: not private.")


def left_out(
    data: Dataset, compared: Callable[[], tuple[Message, Message, Message]], *, show_truth: bool
) -> tuple[Sentence, ...]:
    """Who a person is, and what leaving out the further rows of each does: `compared` gives what is
    compared, its value with the rows that are kept, and with all rows."""
    if not data.person:
        return ()
    text = N_(
        "A person is who “{person}” names: neighbours differ by one person with at most {m} "
        "{m:row|rows}. Both are set under “Columns and rows of this table”."
    )
    unit = Sentence("unit", say(text, person=data.person, m=Num(data.contributions)))
    if not show_truth:
        return unit, Sentence("kept", Message(_HIDDEN))
    if not data.dropped:
        return unit, Sentence("kept", Message(_NONE))
    what, here, whole = compared()
    same = render(here) == render(whole)
    text = _ALIKE if same else _OF_NOBODY if data.unowned else _KEEPING
    values = {
        "m": Num(data.contributions),
        "dropped": Num(data.dropped),
        "rows": Num(data.whole.rows),
        "nobody": Num(data.unowned),
    }
    return unit, Sentence("kept", say(text, **values, what=what, here=here, whole=whole), "warn")
