"""Anonymity's charts of what classes do not protect."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Array, Axis, Columns, Dots, Figure, Layer, Line, array
from dpstudio.labs.percents import percent_ticks, shares_end
from dpstudio.labs.whole_tables.anonymity.attacked import by_columns, ruled_out
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.labs.whole_tables.anonymity.two_releases import alike_shares, laid
from dpstudio.values.messages import Num, say


def attack_charts(model: AnonymityModel) -> Iterator[Figure]:
    """Background knowledge, a second release, and many columns."""
    yield _ruled_out(model)
    if model.whole and laid(model) is not None:
        yield _twice(model)
    if model.whole and len(by_columns(model)[0]) > 1:
        yield _dimension(model)


def _ruled_out(model: AnonymityModel) -> Figure:
    share = ruled_out(model)
    x = np.arange(len(share), dtype=np.float64)
    high = shares_end(float(share.max()))
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


def _twice(model: AnonymityModel) -> Figure:
    curves = [alike_shares(model, which) for which in range(3)]
    low = min(float(x.min()) for x, _ in curves)
    high = max(float(x.max()) for x, _ in curves)
    inks = (("first", "first", say("this release")), ("again", "second", say("the second one")),
            ("both", "gaussian", say("both")))  # fmt: skip
    layers: tuple[Layer, ...] = tuple(
        Line(key, ink, name, *_stairs(x, y, low, high))
        for (key, ink, name), (x, y) in zip(inks, curves, strict=True)
    )
    k = Num(model.lab.again)
    return Figure(
        "twice",
        say("Two releases laid upon each other"),
        Axis(say("people who look alike"), log=True, range=(0.8 * low, 1.25 * high)),
        Axis(say("people of whom no more do"), range=(0.0, 1.03),
             ticks=percent_ticks(0.0, 1.0)),
        layers,
        say("to who holds this release, one with k = {k}, or both", k=k),
        exact=True,
        source="Ganta, Kasiviswanathan & Smith 2008",
    )  # fmt: skip


def _stairs(x: Array, y: Array, low: float, high: float) -> tuple[Array, Array]:
    """A share that jumps at each x, from 0 at the low end to 1 at the high one."""
    across = np.repeat(np.append(x, 1.25 * high), 2)[:-1]
    return array(np.append(0.8 * low, across)), array(np.repeat(np.append(0.0, y), 2))


def _dimension(model: AnonymityModel) -> Figure:
    loss, same = by_columns(model)
    x = np.arange(1, len(loss) + 1, dtype=np.float64)
    high = shares_end(float(max(loss.max(), same.max())))
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
