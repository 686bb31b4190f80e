"""What a survey takes and costs: people needed, asking again, belief about one person, and ε of the
coins, as plain figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.charts.figure import (
    Array,
    Axis,
    Dots,
    Figure,
    Handle,
    Layer,
    Line,
    Rule,
    array,
    nice_above,
)
from dpstudio.labs.local.survey.charts import percent_axis
from dpstudio.labs.local.survey.model import percent
from dpstudio.privacy.local.coins import LN2, LN3, BiasedCoins, Coins, FairCoins, Warner
from dpstudio.privacy.local.protocol import odds_factor, sure
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.local.survey.model import SurveyModel

_TIMES = 10
_STEEPEST = 6.0


def needed_chart(model: SurveyModel) -> Figure:
    """People for an interval within ± the aim, against ε."""
    lab, aim = model.lab, model.lab.aim
    most = 10.0 if model.total < 9 else nice_above(1.2 * model.total)
    least = 0.1 if model.total >= 0.1 else 0.0009
    epsilons = np.geomspace(least, most, 121)
    curves: dict[type[Coins], list[float]] = {Warner: [], BiasedCoins: []}
    for kind, people in curves.items():
        for epsilon in epsilons:
            coins = kind().at(float(epsilon))
            people.append(model.needed(coins) if coins else math.nan)
    honest, here = model.needed(None), model.needed_here
    top = max(people for curve in curves.values() for people in curve if people < 1e300)
    layers: list[Layer] = [
        Rule(
            "honest",
            "muted",
            say("all tell the truth: {n}", n=Num(honest)),
            honest,
            axis="y",
            dash="dot",
        )
    ]
    for kind, people in curves.items():
        layers.append(Line(kind.key, kind.ink, Say(kind.label), epsilons, people))
    words = say("ε {epsilon} → {n} people", epsilon=Num(model.total, 3, "up"), n=Num(here))
    if isinstance(model.coins, Warner) and lab.asked == 1:
        layers.append(Handle("here", model.coins.ink, words, model.total, here, "coins.epsilon"))
    else:
        layers.append(Rule("spent", model.coins.ink, words, model.total))
        layers.append(Dots("here", model.coins.ink, "", [model.total], [here]))
    layers.append(
        Rule("asked", "text", say("{n} are asked", n=Num(lab.n)), lab.n, axis="y", dash="dash")
    )
    low = 10 ** math.floor(math.log10(min(honest, lab.n) * 0.8))
    high = 10 ** math.ceil(math.log10(max(top, lab.n) * 1.25))
    return Figure(
        "needed",
        say("How many people it takes"),
        Axis(say("ε of one person"), log=True, range=(least, most)),
        Axis(say("people"), log=True, range=(float(low), float(high))),
        tuple(layers),
        say(
            "for ± {aim} at {confidence}",
            aim=Num(aim, 3, percent=True),
            confidence=Num(lab.confidence, 4, "down", percent=True),
        ),
        source=model.coins.source,
    )


def again_chart(model: SurveyModel) -> Figure:
    """Half-width against how often each is asked: fresh coins, one question at the whole ε, and a
    first answer that is kept."""
    lab, once = model.lab, model.coins.claim
    times = np.arange(1, max(_TIMES, lab.asked) + 1)
    fresh = [model.spread_of(model.coins, int(m)) for m in times]
    spent = [model.spread_of(model.whole(int(m))) for m in times]
    here = fresh[lab.asked - 1]
    words = say(
        "asked {m} → ε {epsilon}, ± {x}",
        m=Num(lab.asked),
        epsilon=Num(model.total, 3, "up"),
        x=percent(here, here, "up"),
    )
    layers: tuple[Layer, ...] = (
        Rule(
            "sample",
            "muted",
            say("sample alone"),
            model.half_width(coins=False),
            axis="y",
            dash="dot",
        ),
        Line(
            "kept",
            "muted",
            say("answer kept: ε {x}", x=Num(once, 3, "up")),
            times,
            [fresh[0]] * len(times),
            dash="dash",
        ),
        Line("fresh", model.coins.ink, say("fresh coins each time"), times, fresh),
        Line("whole", "accent", say("one question, all the ε"), times, spent),
        Handle("here", model.coins.ink, words, float(lab.asked), here, "asked"),
    )
    top = nice_above(1.15 * max(fresh[0], spent[0]))
    return Figure(
        "again",
        say("Asking again"),
        Axis(say("times asked: ε grows with it"), range=(0.6, float(times[-1]) + 0.4), whole=True),
        percent_axis(say("half-width"), 0.0, top, 5),
        layers,
        say(
            "{n} people, {confidence}",
            n=Num(lab.n),
            confidence=Num(lab.confidence, 4, "down", percent=True),
        ),
        source="sequential composition",
    )


def belief_chart(model: SurveyModel) -> Figure:
    """Belief about one person before and after the answer."""
    lab = model.lab
    prior = np.linspace(0, 1, 201)
    after = float(model.belief(lab.share))
    words = say(
        "{prior} → {after}", prior=Num(lab.share, 4, percent=True), after=sure(after, lab.share)
    )
    yes, no = (
        (N_("after a yes"), N_("after a no"))
        if lab.asked == 1
        else (N_("after {m} yes"), N_("after {m} no"))
    )
    layers: tuple[Layer, ...] = (
        Line("same", "muted", "", [0, 1], [0, 1], dash="dot", width=1.5),
        Line("yes", "answer", say(yes, m=Num(lab.asked)), prior, model.belief(prior)),
        Line("no", "accent", say(no, m=Num(lab.asked)), prior, model.belief(prior, yes=False)),
        Handle("here", "answer", words, lab.share, after, "share"),
    )
    return Figure(
        "belief",
        say("What a yes tells"),
        percent_axis(say("belief before: truly yes"), 0.0, 1.0, 5),
        percent_axis(say("belief after"), 0.0, 1.0, 5),
        layers,
        say("odds × {x} at most", x=odds_factor(model.total)),
        source="Bayes",
    )


def _biased() -> Array:
    """p, ε and the ε of the texts' formula, shape (3, points)."""
    p = np.linspace(0.001, 0.999, 333)
    coins = [BiasedCoins(float(x)) for x in p]
    return array(np.stack([p, [c.claim for c in coins], [c.printed for c in coins]]))


def epsilon_chart(model: SurveyModel) -> Figure:
    """ε of the coins against p, with the formula of the texts where it is wrong."""
    p, biased, printed = model.data.remember(("survey", "biased coins"), _biased)
    layers: list[Layer] = [
        Rule("least", "muted", say("never below ln 2"), LN2, axis="y", dash="dot"),
        Line("biased_coins", BiasedCoins.ink, say("both biased"), p, biased),
        Line(
            "printed", "bad", say("as printed"), p, np.where(p <= 0.5, printed, np.nan), dash="dash"
        ),
        Line("warner", Warner.ink, say("Warner"), p, np.log1p(p) - np.log1p(-p)),
        Rule("fair_coins", FairCoins.ink, say("fair coins: ln 3"), 0.5, dash="dot"),
        Dots("ln_3", FairCoins.ink, "", [0.5], [LN3]),
    ]
    coins = model.coins
    if isinstance(coins, BiasedCoins):
        words = say("p {p} → ε {epsilon}", p=Num(coins.p), epsilon=Num(coins.claim, 3, "up"))
        layers.append(
            Handle("here", coins.ink, words, coins.p, min(coins.claim, _STEEPEST), "coins.p")
        )
    elif isinstance(coins, Warner):
        words = say("p {p} → ε {epsilon}", p=Num(coins.truth), epsilon=Num(coins.claim, 3, "up"))
        layers.append(Dots("here", coins.ink, words, [coins.truth], [min(coins.claim, _STEEPEST)]))
    return Figure(
        "epsilon",
        say("ε of the coins"),
        Axis(say("p: how often the truth is told"), range=(0.0, 1.0)),
        Axis(Say("ε"), range=(0.0, _STEEPEST)),
        tuple(layers),
        say("dashed: wrong below p = ½"),
        source=BiasedCoins.source,
    )
