"""What a table can answer: the nearest query that it can, and the choices that it cannot, each with
the reason."""

from collections.abc import Callable
from typing import Any

from dpstudio.data.column_roles import MEASURE, columns_for
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.data.proposed_condition import proposed_condition
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.queries import QUERIES, covariance, several
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.query import MeasuredQuestion, Query, condition_problems
from dpstudio.values.messages import Message, say
from dpstudio.values.parameters import Column, domains

# What belonged to a column goes with it.
_BOUND = (
    "low",
    "high",
    "edges",
    "dates",
    "categories",
    "groups",
    "down",
    "across",
    "ranges",
    "attested",
)


def answerable(query: Query, data: Dataset, adjacency: str) -> Query:
    """`query` with columns that the table has, conditions that it can answer; Count where no column
    fits. A count has a condition that is proposed in the place of one of another table."""
    if list(condition_problems(query.where, data)):
        query = query.with_(where=Where())
        if isinstance(query, Count):
            query = query.with_(where=proposed_condition(data))
    made = _columns(query, data)
    made = (
        _several(made, data)
        if isinstance(made, several.Counts)
        else _matrix(made, data)
        if isinstance(made, covariance.Covariance)
        else made
    )
    if made is not None and made != query == type(query)():
        made = made.with_(where=Where())  # nobody asked for the rows of another table
    for tried in () if made is None else (made, made.with_(where=Where())):
        # Whether n is public is for the person to say, at its field.
        if not any(
            p.stops and p.field != "query.n_public" for p in tried.problems(data, adjacency)
        ):
            return tried
    return Count(where=query.where or proposed_condition(data))


def refused_mechanisms(asked: MeasuredQuestion | None) -> dict[str, Message]:
    """Mechanisms that cannot answer this question, each with the reason."""
    if asked is None or all(m.whole for m in asked.measurements):
        return {}
    reason = say(
        "Integer noise needs integer answers, such as counts, or sums of integers with integer "
        "bounds. Choose Laplace instead."
    )
    return {m.key: reason for m in MECHANISMS if m.integers}


def refused_queries(data: Dataset) -> dict[str, Message]:
    """Kinds of question that no column of this table can answer, each with the reason."""
    return data.remember("refused queries", lambda: _refused_queries(data))


def _refused_queries(data: Dataset) -> dict[str, Message]:
    numbers = sum(column.numeric for column in data.columns)
    words = sum(column.type == "category" for column in data.columns)
    why: dict[str, Message] = {}
    for kind in QUERIES:
        needed = [d for d in domains(kind).values() if isinstance(d, Column)]
        if any(d.numeric for d in needed) and numbers == 0:
            why[kind.key] = say("This table has no column of numbers. Count rows instead.")
        elif sum(d.words for d in needed) > words:
            why[kind.key] = say("This table has too few columns of words.")
    if numbers < 2:
        why[covariance.Covariance.key] = say("A covariance needs two columns of numbers.")
    return why


def _columns(query: Query, data: Dataset) -> Query | None:
    """Every missing column replaced by the likeliest that fits and is not yet taken."""
    changes: dict[str, Any] = {}
    for name, domain in domains(type(query)).items():
        if not isinstance(domain, Column):
            continue
        fits = _fits(domain, data)
        held = getattr(query, name)
        if data.has(held) and fits(data.info(held)):
            continue
        taken = {
            getattr(query, n)
            for n in domains(type(query))
            if n != name and isinstance(domains(type(query))[n], Column)
        }
        taken |= set(changes.values())
        free = [c.name for c in data.columns if fits(c) and c.name not in taken]
        likely = columns_for(data, domain.serves, free)
        if not likely:
            return None
        changes[name] = likely[0]
    if not changes:
        return query
    start = type(query)()
    return query.with_(
        **changes, **{name: getattr(start, name) for name in _BOUND if hasattr(query, name)}
    )


def _fits(domain: Column, data: Dataset) -> Callable[[Any], bool]:
    def fits(column: Any) -> bool:
        held = (
            column.numeric
            if domain.numeric
            else column.type == "category"
            if domain.words
            else column.type != "other"
        )
        return bool(held) and data.missing(column.name) < data.rows

    return fits


def _several(query: several.Counts, data: Dataset) -> Query | None:
    known = [where for where in query.conditions if not list(Count(where=where).problems(data, ""))]
    return query.with_(conditions=tuple(known)) if known else None


def _matrix(query: covariance.Covariance, data: Dataset) -> Query | None:
    numeric = [
        column.name for column in data.columns if column.numeric and data.extent(column.name)
    ]
    if len(query.columns) > 1 and all(name in numeric for name in query.columns):
        return query
    return (
        query.with_(
            columns=tuple(columns_for(data, MEASURE, numeric)[:3]), ranges=(), attested=False
        )
        if len(numeric) > 1
        else None
    )
