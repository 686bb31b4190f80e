"""Who is asked in Local counts: how many hold each value, in truth or as the reader of one survey
takes it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.query import ADD_REMOVE, Query
from dpstudio.values.messages import N_, Say, plain, say


@dataclass(frozen=True, eq=False)
class Population:
    """The people who are asked: how many hold each of the d values, shape (d,), and how to name the
    values.

    `edges` are those of intervals of numbers. `openness` says which choices come from the data;
    `notes` also hold exact counts.
    """

    counts: Array
    labels: tuple[str, ...]
    across: Say
    edges: tuple[float, ...] = ()
    notes: tuple[Say, ...] = ()
    openness: tuple[Say, ...] = ()

    @property
    def n(self) -> int:
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
        (N_("no"), N_("yes")),
        plain(query.where) if query.where else say("everyone"),
    )


def likely(estimates: Array, n: int) -> Array:
    """Whole counts ≥ 0 that add up to n and are near the estimates: what a reader takes for the
    population."""
    kept = np.maximum(estimates, 0.0)
    kept = kept * (n / kept.sum()) if kept.sum() > 0 else np.full(len(kept), n / len(kept))
    counts = np.floor(kept)
    left = n - int(counts.sum())
    counts[np.argsort(counts - kept, kind="stable")[:left]] += 1
    return array(counts)
