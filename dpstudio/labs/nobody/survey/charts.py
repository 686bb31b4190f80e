"""The survey's people, what their answers mean, and how that varies from survey to survey, as plain
figures."""

import math
from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Axis,
    Band,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    Words,
    nice_above,
)
from dpstudio.labs.local_curves import at_confidence, normal_density
from dpstudio.labs.nobody.survey.law import cells, deviation, law, sure_within
from dpstudio.labs.nobody.survey.model import DOTS, SurveyModel, half_width, interval, people_a_dot
from dpstudio.labs.percents import percent, percent_axis, points
from dpstudio.values.messages import N_, Message, Num, say, worded

MOST_DOTS = 200
_ROWS = (
    ("yes_true", "second", N_("{x} true")),
    ("yes_coin", "third", N_("{x} coin")),
    ("no_coin", "first", N_("{x} coin")),
    ("no_true", "muted", N_("{x} true")),
)
_WIDE, _WIDER = 13, 20  # dots in a row, of a hundred and of more: all fill a hero
_NAMES, _SAID, _GAP = 4.4, 5.0, 0.45  # room for names beside them, twice; and between two kinds
_REACH = 4.2


def people_chart(model: SurveyModel) -> Figure:
    """Each person a dot, by what was said and why; of large surveys a hundred dots."""
    lab, seen = model.lab, model.seen
    counts = [seen.yes_true, seen.yes_coin, seen.no_coin, seen.no_true]
    dots = counts if lab.n <= MOST_DOTS else hundred(counts)
    wide = _WIDE if sum(dots) <= 100 else _WIDER
    layers: list[Layer] = []
    edges = [0.0]
    for (key, ink, text), count, shown in zip(_ROWS, counts, dots, strict=True):
        layers += _kind(key, ink, say(text, x=Num(count)), shown, wide, edges)
    yes, no = say("{x} said yes", x=Num(seen.yes_first)), say("{x} said no", x=Num(seen.no_first))
    for name, first in ((yes, 0), (no, 2)):
        key, at = "no" if first else "yes", wide + 1.2 + _NAMES
        top, foot = edges[first], edges[first + 2] + _GAP
        layers.append(Line(key, "text", "", *_bracket(at, top, foot), "solid", 1.5))
        place = [at + 1.2], [(top + foot) / 2]
        layers.append(Words(f"{key}_said", "text", "", (name,), *place, "start", 0.0, _SAID, True))
    title = say("{n} {n:person with a coin|people and their coins}", n=Num(lab.n))
    if lab.n > MOST_DOTS:
        title = say("{n} {n:person|people}, {k} a dot", n=Num(lab.n), k=Num(people_a_dot(model)))
    return Figure(
        "people",
        title,
        Axis("", range=(0.3, wide + 2.4 + _NAMES + _SAID), hidden=True),
        Axis("", range=(edges[-1] + 0.2, 0.2), hidden=True),
        tuple(layers),
        _of_the_coin(model),
        square=True,
        simulated=True,
        source=model.coins.source,
    )


def _kind(
    key: str, ink: str, name: Message, shown: int, wide: int, edges: list[float]
) -> Iterator[Layer]:
    """The dots of one kind, in rows below the last of the `edges`, to which theirs is added."""
    top, places, high = edges[-1], np.arange(shown), max(1, math.ceil(shown / wide))
    yield Dots(key, ink, "", places % wide + 1.0, top - 0.5 - places // wide, 0.86)
    x, y, tall = [wide + 1.0], [top - high / 2], high + _GAP
    yield Words(f"{key}_name", ink, "", (name,), x, y, "start", 0.0, _NAMES, lines=1, tall=tall)
    edges.append(top - tall)


def _bracket(x: float, top: float, foot: float) -> tuple[list[float], list[float]]:
    """A bracket that opens to the left, with a tip in its middle."""
    top, foot, middle, right = top - 0.1, foot + 0.1, (top + foot) / 2, x + 0.4
    return [x, right, right, x + 0.8, right, right, x], [top, top, *[middle] * 3, foot, foot]


def _of_the_coin(model: SurveyModel) -> Message:
    """How many of the yes hide nothing."""
    if not model.seen.yes_first:
        return say("nobody said yes")
    return say(
        "{coin} of the {yes} yes {coin:is|are} the coin’s, if {share} are truly yes",
        coin=Num(model.seen.yes_coin),
        yes=Num(model.seen.yes_first),
        share=Num(model.lab.share, 4, percent=True),
    )


def hundred(counts: list[int]) -> list[int]:
    """A hundred dots shared in proportion to the counts, the largest remainders rounded up."""
    exact = np.array(counts) * DOTS / sum(counts)
    shown = np.floor(exact).astype(int)
    for place in np.argsort(shown - exact, kind="stable")[: DOTS - int(shown.sum())]:
        shown[place] += 1
    return [int(count) for count in shown]


def reading_chart(model: SurveyModel) -> Figure:
    """Observed → estimate, with the interval and what the coins and the sample alone would make of
    it."""
    lab, half = model.lab, half_width(model)
    low, high = _reach(model)
    layers: list[Layer] = [Band("never", "band", say("below 0"), low, 0.0)]
    if high > 1:
        layers.append(Band("more", "band", "", 1.0, high))
    turned = [model.observed, model.estimate]
    layers += [Line("turn", "muted", "", turned, [4, 3], dash="dot", width=1.5), *_bars(model)]
    words = say(
        "{x} said yes → {estimate}",
        x=Num(model.observed, 4, percent=True),
        estimate=percent(model.estimate, half),
    )
    names = [
        (3.0, worded(N_("estimate"))),
        (4.0, worded(N_("observed"))),
        (2.0, worded(N_("coins alone"))),
        (1.0, worded(N_("sample alone"))),
    ]
    if model.typed:
        layers.append(Handle("here", "text", words, model.observed, 4.0, "observed.yes"))
    else:
        layers.append(Dots("here", "text", words, [model.observed], [4.0]))
        truth = say("{x}", x=Num(lab.share, 4, percent=True))
        layers.append(Dots("truth", "truth", truth, [lab.share], [0.0]))
        names.append((0.0, worded(N_("truth"))))
    return Figure(
        "reading",
        say("What the answers mean"),
        percent_axis(say("share of yes"), low, high, 5),
        Axis(
            "",
            range=(min(y for y, _ in names) - 0.6, 5.0),
            ticks=tuple((y, worded(name)) for y, name in names),
        ),
        tuple(layers),
        say(
            "± {x} at {confidence}",
            x=points(half, half, "up"),
            confidence=at_confidence(lab.confidence),
        ),
        simulated=not model.typed,
        source=model.coins.source,
    )


def _bars(model: SurveyModel) -> list[Layer]:
    """The interval of the estimate, and those that coins and sample alone would leave."""
    half, (low, high) = half_width(model), interval(model)
    coins, sample = half_width(model, sample=False), half_width(model, coins=False)
    span = say("{low} to {high}", low=percent(low, half, "down"), high=percent(high, half, "up"))
    bars = (
        ("estimate", model.coins.ink, span, 3, half, 3.5),
        ("coins", "third", say("± {x}", x=points(coins, half, "up")), 2, coins, 2.0),
        ("sample", "first", say("± {x}", x=points(sample, half, "up")), 1, sample, 2.0),
    )
    layers: list[Layer] = []
    for key, ink, label, y, size, width in bars:
        x = [model.estimate - size, model.estimate + size]
        layers.append(Line(key, ink, label, x, [y, y], "solid", width=width))
        layers.append(Dots(f"{key}_middle", ink, "", [model.estimate], [y]))
    return layers


def _reach(model: SurveyModel) -> tuple[float, float]:
    """A little below −20 % to 60 %, and further only where the interval is."""
    low, high = interval(model)
    low, high = min(low, model.observed), max(high, model.observed)
    return (-0.25 if low > -0.24 else -nice_above(-1.05 * low)), (
        0.6 if high < 0.58 else nice_above(1.05 * high)
    )


def law_chart(model: SurveyModel) -> Figure:
    """The exact law of the estimate over many surveys, the normal beside it."""
    lab, sd = model.lab, deviation(model)
    reach = nice_above(_REACH * sd)
    low, high = lab.share - reach, lab.share + reach
    edges, heights = cells(*law(model), low, high)
    x = np.linspace(low, high, model.effort.of_points(241))
    normal = normal_density(x, lab.share, sd) * (edges[1] - edges[0])
    exact = Message(N_("exact (binomial)") if lab.asked == 1 else N_("exact"))
    truth = say("true: {x}", x=Num(lab.share, 4, percent=True))
    layers: tuple[Layer, ...] = (
        *((Band("never", "band", say("below 0"), low, 0.0),) if low < 0 else ()),
        Area("law", model.coins.ink, exact, edges, heights),
        Line("normal", "muted", say("normal"), x, normal, dash="dash"),
        Rule("truth", "truth", truth, lab.share),
    )
    half = sure_within(model)
    return Figure(
        "law",
        say("Survey after survey"),
        percent_axis(say("estimated share of yes"), low, high, 5),
        Axis(say("share of surveys"), room=1.12, hidden=True),
        layers,
        say(
            "{confidence} lie within ± {x}",
            confidence=at_confidence(lab.confidence),
            x=points(half, half, "up"),
        ),
        source=N_("binomial"),
    )
