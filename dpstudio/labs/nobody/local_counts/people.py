"""Who is asked in Local counts: how many hold each value, in truth or as the reader of one survey
takes it."""

from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.query import ADD_REMOVE, Query
from dpstudio.values.messages import N_, Message, plain, say

# To a question that is a condition.
ANSWERS = (N_("no"), N_("yes"))


@dataclass(frozen=True, eq=False)
class Population:
    """The people who are asked: how many hold each of the d values, shape (d,), and how to name the
    values.

    `edges` are those of intervals of numbers. `openness` says which choices come from the data;
    `notes` also hold exact counts.
    """

    counts: Array
    labels: tuple[str, ...]
    across: Message
    edges: tuple[float, ...] = ()
    notes: tuple[Message, ...] = ()
    openness: tuple[Message, ...] = ()

    @property
    def n(self) -> int:
        """How many people there are."""
        return int(self.counts.sum())


def population(query: Query, data: Dataset) -> Population:
    """The people whom a table asks; remembered by it."""
    return data.remember(("population", query), lambda: asked_of(query, data))


def asked_of(query: Query, data: Dataset) -> Population:
    """Who is asked, and what each holds: the parts of a histogram, or whether a condition is
    met."""
    if isinstance(query, Histogram):
        asked = query.ask(data, ADD_REMOVE)
        return Population(
            asked.truth, asked.labels, plain(query.column), asked.edges, asked.notes, asked.openness
        )
    yes = float(data.count(query.where))
    return Population(
        array([data.rows - yes, yes]),
        ANSWERS,
        plain(query.where) if query.where else say("everyone"),
    )


def with_none(people: Population, rows: int) -> Population:
    """All `rows` people of a table: those who hold none of the values, or do not meet the
    condition, say so in their report. How many meet it is no public number. Nobody is added where
    the question is a yes or a no."""
    if people.labels == ANSWERS:
        return people
    counts = array([*people.counts, rows - people.counts.sum()])
    labels = (*people.labels, N_("none of these"))
    return replace(people, counts=counts, labels=labels, edges=(), notes=people.openness)


def likely(estimates: Array, n: int) -> Array:
    """Whole counts ≥ 0 that add up to n and are near the estimates: what a reader takes for the
    population."""
    kept = np.maximum(estimates, 0.0)
    kept = kept * (n / kept.sum()) if kept.sum() > 0 else np.full(len(kept), n / len(kept))
    counts = np.floor(kept)
    left = n - int(counts.sum())
    counts[np.argsort(counts - kept, kind="stable")[:left]] += 1
    return array(counts)
