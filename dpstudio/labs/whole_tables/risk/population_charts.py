"""Disclosure risk's chart of the population that a table is part of."""

from collections.abc import Iterator

from dpstudio.charts.figure import Axis, Dots, Figure, Layer, Line
from dpstudio.labs.percents import percent_axis
from dpstudio.labs.whole_tables.risk.model import RiskModel
from dpstudio.labs.whole_tables.risk.population import (
    alone,
    anybody_alone,
    by_share,
    here_share,
    law,
    stay_alone,
)
from dpstudio.labs.whole_tables.rows.model import n
from dpstudio.values.messages import Num, say


def population_charts(model: RiskModel) -> Iterator[Figure]:
    """Of those alone in the table, who is alone in a population, against how large a part of it the
    table is."""
    if law(model) is None or not anybody_alone(model):
        return
    x, y = by_share(model)
    layers: list[Layer] = [
        Line("stay", "first", say("estimated"), x, y),
        Dots("here", "first", "", [here_share(model)], [stay_alone(model)]),
    ]
    if model.listed:
        label = say("counted")
        layers.append(
            Dots("true", "truth", label, [here_share(model)], [alone(model).stay], marker="star")
        )
    yield Figure(
        "population",
        say("Alone in the population too"),
        Axis(say("the table’s share of it"), log=True, range=(0.8 * float(x.min()), 1.25)),
        percent_axis(say("of those alone here"), 0.0, 1.05),
        tuple(layers),
        say("{n} {n:row|rows} drawn by lot; class sizes by Pitman’s law", n=Num(n(model))),
        exact=True,
        source="Pitman 1995; Hoshino 2001",
    )
