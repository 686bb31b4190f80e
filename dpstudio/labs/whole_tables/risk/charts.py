"""Disclosure risk's charts: where people are found, who looks like whom, who is unique by what is
known."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Heat, Layer, Line, Ribbon
from dpstudio.labs.percents import percent_axis, shares_axis
from dpstudio.labs.whole_tables.risk.model import RiskModel, found, known_by, suda_steps
from dpstudio.labs.whole_tables.risk.population import (
    alone,
    anybody_alone,
    by_share,
    here_share,
    law,
    stay_alone,
)
from dpstudio.labs.whole_tables.rows import plane
from dpstudio.labs.whole_tables.rows.model import before, n
from dpstudio.values.messages import Num, say


def plane_chart(model: RiskModel) -> Figure:
    """The chance to be found over the first two quasi-identifiers."""
    across, up = plane.sides(model)
    return Figure(
        "plane",
        say("Where rows are found"),
        plane.axis_of(across),
        plane.axis_of(up),
        (
            Heat("found", "gaussian", say("alone"), across.edges, up.edges, found(model), 0.0, 1.0),
            *plane.somebody(model, before(model)),
        ),
        say("coloured by the chance to be found: 1 over those who look alike"),
        exact=True,
        source="Dankar & El Emam 2010",
    )


def sizes_chart(model: RiskModel) -> Figure:
    """How many people share their quasi-identifiers."""
    return plane.sizes_figure(
        (("before", "truth", say("as it is"), plane.by_size(before(model), n(model))),)
    )


def known_chart(model: RiskModel) -> Figure | None:
    """The share of unique rows by how many columns are known."""
    known = known_by(model)
    if not known:
        return None
    at = [float(each.columns) for each in known]
    most = np.array([each.most for each in known])
    layers = (
        Ribbon("spread", "first", "", at, [each.least for each in known], most),
        Line("mean", "first", say("on average"), at, [each.mean for each in known]),
        Line("most", "gaussian", say("the most telling"), at, most),
        Dots("marks", "gaussian", "", at, most),
    )
    return Figure(
        "known",
        say("Unique by what is known"),
        Axis(say("columns that are known"), range=(0.7, max(at) + 0.3), whole=True),
        shares_axis(say("share of unique rows"), most),
        layers,
        say("in the table as it is, over all sets of so many columns"),
        exact=True,
        source="Sweeney 2000",
    )


def suda_chart(model: RiskModel) -> Figure | None:
    """How many people small sets of columns single out, by their SUDA2 score."""
    x, y = suda_steps(model)
    if not len(x):
        return None
    low, top = 0.8 * float(x.min()), max(1.1, 1.2 * float(x.max()))
    return Figure(
        "suda",
        say("Singled out by few columns"),
        Axis(say("SUDA2 score, 1 at most"), log=True, range=(low, top)),
        shares_axis(say("rows with at least this"), y),
        (Line("people", "gaussian", "", x, y), Dots("scores", "gaussian", "", x, y)),
        say("sets of at most 3 of the columns that might be known"),
        exact=True,
        source="Elliot, Manning & Ford 2002",
    )


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
