"""The survey's people, what their answers mean, and how that varies from survey to survey, as plain
figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import (
    Area,
    Array,
    Axis,
    Band,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.local.survey.model import percent
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.local.survey.model import SurveyModel

MOST_DOTS = 200
_CELLS = 160
_REACH = 4.2


def percent_ticks(low: float, high: float, about: int = 7) -> tuple[tuple[float, str], ...]:
    """Shares as percentages on the 1-2-5 ladder."""
    least = (high - low) / about
    power = 10.0 ** math.floor(math.log10(least))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))
    places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return tuple((k * step, str(Num(float(f"{k * step:.12g}"), 4, percent=True))) for k in places)


def percent_axis(label: Say, low: float, high: float, about: int = 7) -> Axis:
    return Axis(label, range=(low, high), ticks=percent_ticks(low, high, about))


def people_chart(model: SurveyModel) -> Figure:
    """Each person a dot, by what was said and why; of large surveys a hundred dots."""
    lab, seen = model.lab, model.seen
    rows = (
        ("yes_true", "bad", N_("{x} yes: the truth"), seen.yes_true),
        ("yes_coin", "warn", N_("{x} yes: the coin"), seen.yes_coin),
        ("no_coin", "accent", N_("{x} no: the coin"), seen.no_coin),
        ("no_true", "muted", N_("{x} no: the truth"), seen.no_true),
    )
    dots = (
        [count for *_, count in rows]
        if lab.n <= MOST_DOTS
        else hundred([count for *_, count in rows])
    )
    wide = 25 if sum(dots) <= 100 else 50
    layers: list[Layer] = []
    y = 0.0
    for (key, ink, text, count), shown in zip(rows, dots, strict=True):
        places = np.arange(shown)
        layers.append(Dots(key, ink, "", places % wide + 1.0, y - 0.5 - places // wide, 0.86))
        y -= max(1, math.ceil(shown / wide)) + 0.1
        # The dots stand on a line whose words come after them.
        layers.append(Rule(f"{key}_line", ink, say(text, x=Num(count)), y, axis="y", dash="dot"))
        y -= 0.35
    words = say(
        "{coin} of the {yes} yes are the coin’s, if {share} are truly yes",
        coin=Num(seen.yes_coin),
        yes=Num(seen.yes_true + seen.yes_coin),
        share=Num(lab.share, 4, percent=True),
    )
    if not seen.yes_true + seen.yes_coin:
        words = say("nobody said yes")
    title = say("{n} people and their coins", n=Num(lab.n))
    if lab.n > MOST_DOTS:
        title = say("{n} people, {k} a dot", n=Num(lab.n), k=Num(lab.n / 100))
    return Figure(
        "people",
        title,
        Axis("", range=(0.0, 1.5 * wide), hidden=True, ticks=((0.0, ""),)),
        Axis("", range=(y + 0.2, 0.2), hidden=True),
        tuple(layers),
        words,
        simulated=True,
        source=model.coins.source,
    )


def hundred(counts: list[int]) -> list[int]:
    """A hundred dots shared in proportion to the counts, the largest remainders rounded up."""
    exact = np.array(counts) * 100 / sum(counts)
    shown = np.floor(exact).astype(int)
    for place in np.argsort(shown - exact, kind="stable")[: 100 - int(shown.sum())]:
        shown[place] += 1
    return [int(count) for count in shown]


def reading_chart(model: SurveyModel) -> Figure:
    """Observed → estimate, with the interval and what the coins and the sample alone would make of
    it."""
    lab, half = model.lab, model.half_width()
    low, high = _reach(model)
    coins, sample = model.half_width(sample=False), model.half_width(coins=False)
    layers: list[Layer] = [Band("never", "band", say("below 0"), low, 0.0)]
    if high > 1:
        layers.append(Band("more", "band", "", 1.0, high))
    layers.append(
        Line("turn", "muted", "", [model.observed, model.estimate], [4, 3], dash="dot", width=1.5)
    )
    ends = [
        percent(end, half, way) for end, way in zip(model.interval, ("down", "up"), strict=True)
    ]
    bars = (
        (
            "estimate",
            model.coins.ink,
            say("{low} to {high}", low=ends[0], high=ends[1]),
            3,
            half,
            5.0,
        ),
        ("coins", "warn", say("± {x}", x=percent(coins, half, "up")), 2, coins, 3.0),
        ("sample", "accent", say("± {x}", x=percent(sample, half, "up")), 1, sample, 3.0),
    )
    for key, ink, label, y, size, width in bars:
        x = array([model.estimate - size, model.estimate + size])
        layers.append(Line(key, ink, label, x, [y, y], width=width))
        layers.append(Dots(f"{key}_middle", ink, "", [model.estimate], [y]))
    words = say(
        "{x} said yes → {estimate}",
        x=Num(model.observed, 4, percent=True),
        estimate=percent(model.estimate, half),
    )
    if model.typed is not None:
        layers.append(Handle("here", "text", words, model.observed, 4.0, "observed.yes"))
    else:
        layers.append(Dots("here", "text", words, [model.observed], [4.0]))
        layers.append(
            Dots(
                "truth", "truth", say("{x}", x=Num(lab.share, 4, percent=True)), [lab.share], [0.0]
            )
        )
    names = [
        (3.0, N_("estimate")),
        (4.0, N_("observed")),
        (2.0, N_("coins alone")),
        (1.0, N_("sample alone")),
    ]
    names += [] if model.typed is not None else [(0.0, N_("truth"))]
    return Figure(
        "reading",
        say("What the answers mean"),
        percent_axis(say("share of yes"), low, high, 5),
        Axis("", range=(min(y for y, _ in names) - 0.6, 5.0), ticks=tuple(names)),
        tuple(layers),
        say(
            "± {x} at {confidence}",
            x=percent(half, half, "up"),
            confidence=Num(lab.confidence, 4, "down", percent=True),
        ),
        simulated=model.typed is None,
        source=model.coins.source,
    )


def _reach(model: SurveyModel) -> tuple[float, float]:
    """A little below −20 % to 60 %, and further only where the interval is."""
    low, high = min(model.interval[0], model.observed), max(model.interval[1], model.observed)
    return (-0.25 if low > -0.24 else -nice_above(-1.05 * low)), (
        0.6 if high < 0.58 else nice_above(1.05 * high)
    )


def law_chart(model: SurveyModel) -> Figure:
    """The exact law of the estimate over many surveys, the normal beside it."""
    lab = model.lab
    at, chances = model.law
    reach = nice_above(_REACH * model.deviation)
    low, high = lab.share - reach, lab.share + reach
    edges, heights = cells(at, chances, low, high)
    width = edges[1] - edges[0]
    x = np.linspace(low, high, 241)
    normal = (
        np.exp(-(((x - lab.share) / model.deviation) ** 2) / 2)
        / (model.deviation * math.sqrt(2 * math.pi))
        * width
    )
    ink, half = model.coins.ink, model.z * model.deviation
    layers: list[Layer] = []
    if low < 0:
        layers.append(Band("never", "band", say("below 0"), low, 0.0))
    layers += [
        Area(
            "law",
            ink,
            Say(N_("exact (binomial)") if lab.asked == 1 else N_("exact")),
            edges,
            heights,
        ),
        Line("normal", "muted", say("normal"), x, normal, dash="dash"),
        Rule("truth", "truth", say("true: {x}", x=Num(lab.share, 4, percent=True)), lab.share),
    ]
    return Figure(
        "law",
        say("Survey after survey"),
        percent_axis(say("estimated share of yes"), low, high, 5),
        Axis(
            say("share of surveys"),
            range=(0.0, nice_above(1.12 * float(max(heights.max(), normal.max())))),
            hidden=True,
        ),
        tuple(layers),
        say(
            "{confidence} lie within ± {x}",
            confidence=Num(lab.confidence, 4, "down", percent=True),
            x=percent(half, half, "up"),
        ),
        source="binomial",
    )


def cells(at: Array, chances: Array, low: float, high: float) -> tuple[Array, Array]:
    """(edges, probabilities) of a law on evenly spaced values, in at most so many cells between two
    ends."""
    step = float(at[1] - at[0]) if len(at) > 1 else high - low
    group = max(1, math.ceil((high - low) / step / _CELLS))
    first = int(np.searchsorted(at, low - group * step))
    last = int(np.searchsorted(at, high + group * step))
    last += -(last - first) % group
    kept = chances[first:last]
    kept = np.append(kept, np.zeros(-len(kept) % group))
    heights = kept.reshape(-1, group).sum(axis=1)
    return at[first] - step / 2 + group * step * np.arange(len(heights) + 1), heights
