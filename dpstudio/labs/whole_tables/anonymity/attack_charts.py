"""Anonymity's charts of what classes do not protect."""

import numpy as np

from dpstudio.charts.figure import Array, Axis, Columns, Dots, Figure, Layer, Line, array
from dpstudio.labs.percents import percent_axis, shares_axis
from dpstudio.labs.whole_tables.anonymity.attacked import by_columns, laid, ruled_out
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.values.messages import Num, say


def ruled_out_chart(model: AnonymityModel) -> Figure:
    """Background knowledge."""
    share = ruled_out(model)
    return Figure(
        "ruled_out",
        say("What is known besides"),
        Axis(say("other values that are ruled out"), range=(-0.6, len(share) - 0.4), whole=True),
        shares_axis(say("people whose value is certain"), share),
        (Columns("certain", "gaussian", "", range(len(share)), share, 0.6),),
        exact=True,
        source="Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam 2007",
    )


def twice_chart(model: AnonymityModel) -> Figure | None:
    """A second release, where there is one."""
    if (both := laid(model)) is None:
        return None
    curves = [both.alike_shares(which) for which in range(3)]
    low = 0.8 * min(float(x.min()) for x, _ in curves)
    high = 1.25 * max(float(x.max()) for x, _ in curves)
    inks = (("first", "first", say("this release")), ("again", "second", say("the second one")),
            ("both", "gaussian", say("both")))  # fmt: skip
    layers: tuple[Layer, ...] = tuple(
        Line(key, ink, name, *_stairs(x, y, low, high))
        for (key, ink, name), (x, y) in zip(inks, curves, strict=True)
    )
    return Figure(
        "twice",
        say("Two releases laid upon each other"),
        Axis(say("people who look alike"), log=True, range=(low, high)),
        percent_axis(say("people of whom no more do"), 0.0, 1.03),
        layers,
        say("to who holds this release, one with k = {k}, or both", k=Num(model.lab.again)),
        exact=True,
        source="Ganta, Kasiviswanathan & Smith 2008",
    )


def _stairs(x: Array, y: Array, low: float, high: float) -> tuple[Array, Array]:
    """A share that jumps at each x, from 0 at the low end to 1 at the high one."""
    across = np.repeat(np.append(x, high), 2)[:-1]
    return array(np.append(low, across)), array(np.repeat(np.append(0.0, y), 2))


def dimension_chart(model: AnonymityModel) -> Figure | None:
    """Many columns, where there are two at least."""
    loss, same = by_columns(model)
    if len(loss) < 2:
        return None
    x = range(1, len(loss) + 1)
    return Figure(
        "dimension",
        say("Many columns"),
        Axis(say("quasi-identifiers"), range=(0.7, len(loss) + 0.3), whole=True),
        shares_axis(say("share"), loss, same),
        (
            Line("loss", "first", say("width lost (NCP)"), x, loss),
            Dots("marks", "first", "", x, loss),
            Line("same", "gaussian", say("people in classes of one value"), x, same),
        ),
        say("at k = {k}, of what might be known", k=Num(model.lab.promise.k)),
        exact=True,
        source="Aggarwal 2005",
    )
