"""Anonymity's charts of what classes do not protect."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Axis, Columns, Dots, Figure, Line, nice_above
from dpstudio.labs.anonymity.anonymity.attacked import by_columns, ruled_out
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel
from dpstudio.labs.percents import percent_ticks
from dpstudio.values.messages import Num, say


def attack_charts(model: AnonymityModel) -> Iterator[Figure]:
    """Background knowledge, and many columns."""
    yield _ruled_out(model)
    if model.whole and len(by_columns(model)[0]) > 1:
        yield _dimension(model)


def _ruled_out(model: AnonymityModel) -> Figure:
    share = ruled_out(model)
    x = np.arange(len(share), dtype=np.float64)
    high = nice_above(max(1.05 * float(share.max()), 0.01))
    return Figure(
        "ruled_out",
        say("What is known besides"),
        Axis(say("other values that are ruled out"), range=(-0.6, len(share) - 0.4), whole=True),
        Axis(say("people whose value is certain"), range=(0.0, high),
             ticks=percent_ticks(0.0, high)),
        (Columns("certain", "gaussian", "", x, share, 0.6),),
        exact=True,
        source="Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam 2007",
    )  # fmt: skip


def _dimension(model: AnonymityModel) -> Figure:
    loss, same = by_columns(model)
    x = np.arange(1, len(loss) + 1, dtype=np.float64)
    high = nice_above(max(1.05 * float(max(loss.max(), same.max())), 0.01))
    return Figure(
        "dimension",
        say("Many columns"),
        Axis(say("quasi-identifiers"), range=(0.7, len(loss) + 0.3), whole=True),
        Axis(say("share"), range=(0.0, high), ticks=percent_ticks(0.0, high)),
        (
            Line("loss", "first", say("width lost (NCP)"), x, loss),
            Dots("marks", "first", "", x, loss),
            Line("same", "gaussian", say("people in classes of one value"), x, same),
        ),
        say("at k = {k}, of what might be known", k=Num(model.lab.promise.k)),
        exact=True,
        source="Aggarwal 2005",
    )
