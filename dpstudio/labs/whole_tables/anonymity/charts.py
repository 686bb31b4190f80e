"""Anonymity's charts: classes in the plane, who can be found, what is learnt of them, what is
lost."""

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Heat, Layer, Line, Ribbon, Rule, nice_above
from dpstudio.labs.percents import percent_axis
from dpstudio.labs.whole_tables.anonymity.curves import Point, by_dial, by_k, here, questions
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, task
from dpstudio.labs.whole_tables.anonymity.plane import boxed, mosaic, outlines, sureness
from dpstudio.labs.whole_tables.rows import plane
from dpstudio.labs.whole_tables.rows.model import before, n, prior
from dpstudio.values.messages import Num, plain, say

_INKS = ("first", "second", "third", "staircase", "discrete_gaussian", "l2norm")
_MOST = 500  # boxes beyond which their edges would hide all else
_EPSILONS = (0.01, 0.1, 1.0)


def source(model: AnonymityModel) -> str:
    """Where the promise and the algorithm come from."""
    return f"{model.lab.promise.source}; {model.lab.algorithm.source}"


def plane_chart(model: AnonymityModel) -> Figure:
    """Classes over the first two quasi-identifiers, coloured by how sure an attacker is."""
    across, up = plane.sides(model)
    heat = Heat(
        "sure", "gaussian", "", across.edges, up.edges, sureness(model), prior(model), 1.0
    )  # fmt: skip
    layers: list[Layer] = [heat]
    if boxed(model) and model.classes.many <= _MOST:
        x, y = outlines(model)
        layers.append(Line("boxes", "surface", "", x, y, dash="solid", width=0.5))
    layers += plane.somebody(model, model.classes)
    text = say(
        "coloured where an attacker is surer of “{column}” than {prior}, as of anybody",
        column=model.lab.sensitive,
        prior=Num(prior(model), 3, percent=True),
    )
    return Figure(
        "plane",
        say("{classes} {classes:class|classes}", classes=Num(model.classes.many)),
        plane.axis_of(across),
        plane.axis_of(up),
        tuple(layers),
        text,
        exact=True,
        source=source(model),
    )


def sizes_chart(model: AnonymityModel) -> Figure:
    """How many people share their quasi-identifiers, before and after."""
    raw, after = (plane.by_size(each, n(model)) for each in (before(model), model.classes))
    return plane.sizes_figure(
        (("before", "truth", say("as it is"), raw), ("after", "first", say("published"), after))
    )


def mosaic_chart(model: AnonymityModel) -> Figure:
    """The sensitive values of each class, stacked, classes as wide as they have people."""
    ends, stacked, sure = mosaic(model)
    x = np.repeat(np.concatenate([[0.0], ends]), 2)[1:-1]
    step = np.repeat(stacked, 2, axis=1)
    words = model.rows.sensitive.words
    shares = np.round(np.diff(stacked, axis=0) @ np.diff(ends, prepend=0.0), 12)
    named = np.argsort(-shares, kind="stable")[: len(_INKS)]
    layers: list[Layer] = []
    for value, word in enumerate(words):
        place = np.flatnonzero(named == value)
        ink = _INKS[int(place[0])] if len(place) else "muted"
        label = plain(word) if len(place) else ""
        low, high = step[value], step[value + 1]
        layers.append(Ribbon(f"value{value}", ink, label, x, low, high, opacity=0.5))
    layers.append(Line("sure", "text", say("most certain guess"), x, np.repeat(sure, 2), width=2.0))
    layers.append(Rule("prior", "muted", say("of anybody"), prior(model), axis="y", dash="dash"))
    return Figure(
        "mosaic",
        say("What a class tells"),
        percent_axis(say("rows, most certain first"), 0.0, 1.0),
        percent_axis(plain(model.lab.sensitive), 0.0, 1.02),
        tuple(layers),
        say("shares of “{column}” in each class", column=model.lab.sensitive),
        exact=True,
        source="Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam 2007",
    )


def way_charts(model: AnonymityModel) -> Iterable[Figure]:
    """What is drawn of a way alone."""
    return model.lab.algorithm.charts(task(model), model.made)


def loss_charts(model: AnonymityModel) -> Iterator[Figure]:
    """What is lost against k, and against l or t."""
    yield _loss_chart(model, "k", by_k(model), log=True)
    if key := model.lab.promise.dial:
        yield _loss_chart(model, key, by_dial(model), log=key != "t")


def _loss_chart(model: AnonymityModel, key: str, points: Sequence[Point], *, log: bool) -> Figure:
    x, rows = [point.at for point in points], float(len(model.rows.kept))
    at = float(getattr(model.lab.promise, key))
    layers: tuple[Layer, ...] = (
        Line("loss", "first", say("width lost (NCP)"), x, [point.loss for point in points]),
        Line("dm", "second", say("discernibility / n²"), x, [p.dm / rows**2 for p in points]),
        Line("same", "gaussian", say("rows in classes of one value"), x,
             [point.same / rows for point in points]),
        Rule("here", "text", say("{key} = {at}", key=key, at=Num(at)), at, dash="dot"),
    )  # fmt: skip
    ends = (min(x) * 0.9, max(x) * 1.1) if len(x) > 1 else (at * 0.5, at * 2)
    return Figure(
        f"loss_{key}",
        say("What {key} costs", key=key),
        Axis(say("{key}", key=key), log=log, range=ends),
        Axis(say("share, 1 at worst"), log=True, range=(1e-5, 1.3), floored=True),
        layers,
        exact=True,
        source="Xu, Wang, Pei, Wang, Shi & Fu 2006; Bayardo & Agrawal 2005",
    )


def count_chart(model: AnonymityModel) -> Figure | None:
    """The error of counts against k, beside that of Laplace noise."""
    points, point = by_k(model), here(model)
    if point is None or not points or math.isnan(point.error):
        return None
    x, y = [p.at for p in points], [p.error for p in points]
    layers: list[Layer] = [
        Line("classes", "first", say("from classes"), x, y),
        Dots("here", "first", "", [point.at], [point.error]),
    ]
    layers += [
        Rule(f"laplace{i}", "laplace" if i else "target", say("Laplace, ε = {e}", e=Num(epsilon)),
             1 / epsilon, axis="y", dash="dash")
        for i, epsilon in enumerate(_EPSILONS)
    ]  # fmt: skip
    high = nice_above(1.3 * max(*y, 1 / min(_EPSILONS)))
    return Figure(
        "counts",
        say("Wrong counts, beside noise"),
        Axis(say("k"), log=True, range=(min(x) * 0.9, max(x) * 1.1)),
        Axis(say("mean error of a count"), log=True, range=(0.3, high), floored=True),
        tuple(layers),
        say(
            "{many} {many:range|ranges} drawn by lot; noise is for one of them",
            many=Num(questions(model)),
        ),
        exact=True,
        simulated=True,
        source="LeFevre, DeWitt & Ramakrishnan 2006",
    )
