"""What a survey takes and costs: people needed, asking again, belief about one person, and ε of the
coins, as plain figures."""

import math

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.nobody.survey import asking
from dpstudio.labs.nobody.survey.model import SurveyModel, belief, half_width, half_width_of
from dpstudio.labs.percents import in_points, percent_axis, points
from dpstudio.privacy.local.coins import LN2, LN3, BiasedCoins, FairCoins, Warner
from dpstudio.privacy.local.protocol import odds_factor, sure
from dpstudio.values.messages import N_, Message, Num, say

_TIMES = 10
_STEEPEST = 6.0


def needed_chart(model: SurveyModel) -> Figure:
    """People for an interval within ± the aim, against ε."""
    lab, total = model.lab, asking.total_epsilon(model)
    least, most = 0.1 if total >= 0.1 else 0.0009, 10.0 if total < 9 else nice_above(1.2 * total)
    epsilons = np.geomspace(least, most, model.effort.of_points(121))
    curves = {kind: asking.needed_curve(model, kind, epsilons) for kind in (Warner, BiasedCoins)}
    honest = asking.needed(model, None)
    all_true = say("all tell the truth: {n}", n=Num(honest))
    layers: list[Layer] = [
        Rule("honest", "muted", all_true, honest, axis="y", dash="dot"),
        *(Line(kind.key, kind.ink, Message(kind.label), epsilons, y) for kind, y in curves.items()),
        *_here(model),
        Rule(
            "asked", "text", say("{n} {n:is|are} asked", n=Num(lab.n)), lab.n, axis="y", dash="dash"
        ),
    ]
    top = max(people for curve in curves.values() for people in curve if people < 1e300)
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
            aim=in_points(Num(lab.aim, 3, percent=True)),
            confidence=at_confidence(lab.confidence),
        ),
        source=model.coins.source,
    )


def _here(model: SurveyModel) -> tuple[Layer, ...]:
    """The people needed with the coins in use; a point to drag where these have an ε."""
    total, here, ink = asking.total_epsilon(model), asking.needed_here(model), model.coins.ink
    words = say("ε {epsilon} → {n} {n:person|people}", epsilon=Num(total, 3, "up"), n=Num(here))
    if isinstance(model.coins, Warner) and model.lab.asked == 1:
        return (Handle("here", ink, words, total, here, "coins.epsilon"),)
    return Rule("spent", ink, words, total), Dots("here", ink, "", [total], [here])


def again_chart(model: SurveyModel) -> Figure:
    """Half-width against how often each is asked: fresh coins, one question at the whole ε, and a
    first answer that is kept."""
    lab, ink = model.lab, model.coins.ink
    times = np.arange(1, max(_TIMES, lab.asked) + 1)
    fresh = [half_width_of(model, model.coins, int(m)) for m in times]
    at_once = [half_width_of(model, asking.one_question(model, int(m))) for m in times]
    sample, here = half_width(model, coins=False), fresh[lab.asked - 1]
    words = say(
        "asked {m} → ε {epsilon}, ± {x}",
        m=Num(lab.asked),
        epsilon=Num(asking.total_epsilon(model), 3, "up"),
        x=points(here, here, "up"),
    )
    kept = say("answer kept: ε {x}", x=Num(model.coins.claim, 3, "up"))
    layers: tuple[Layer, ...] = (
        Rule("sample", "muted", say("sample alone"), sample, axis="y", dash="dot"),
        Line("kept", "muted", kept, times, [fresh[0]] * len(times), dash="dash"),
        Line("fresh", ink, say("fresh coins each time"), times, fresh),
        Line("whole", "first", say("one question, all the ε"), times, at_once),
        Handle("here", ink, words, float(lab.asked), here, "asked"),
    )
    return Figure(
        "again",
        say("Asking again"),
        Axis(say("times asked: ε grows with it"), range=(0.6, float(times[-1]) + 0.4), whole=True),
        percent_axis(say("half-width"), 0.0, nice_above(1.15 * max(fresh[0], at_once[0])), 5),
        layers,
        say(
            "{n} {n:person|people}, {confidence}",
            n=Num(lab.n),
            confidence=at_confidence(lab.confidence),
        ),
        source=N_("sequential composition"),
    )


def belief_chart(model: SurveyModel) -> Figure:
    """Belief about one person before and after the answer."""
    lab = model.lab
    prior = np.linspace(0, 1, model.effort.of_points(201))
    after = float(belief(model, lab.share))
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
        Line("yes", "second", say(yes, m=Num(lab.asked)), prior, belief(model, prior)),
        Line("no", "first", say(no, m=Num(lab.asked)), prior, belief(model, prior, yes=False)),
        Handle("here", "second", words, lab.share, after, "share"),
    )
    return Figure(
        "belief",
        say("What a yes tells"),
        percent_axis(say("belief before: truly yes"), 0.0, 1.0, 5),
        percent_axis(say("belief after"), 0.0, 1.0, 5),
        layers,
        say("odds × {x} at most", x=odds_factor(asking.total_epsilon(model))),
        source="Bayes",
    )


def epsilon_chart(model: SurveyModel) -> Figure:
    """ε of the coins against p, with the formula of the texts where it is wrong."""
    p, biased, printed = asking.biased_coins(model)
    wrong = np.where(p <= 0.5, printed, np.nan)
    layers: list[Layer] = [
        Rule("least", "muted", say("never below ln 2"), LN2, axis="y", dash="dot"),
        Line("biased_coins", BiasedCoins.ink, say("both biased"), p, biased),
        Line("printed", "third", say("as printed"), p, wrong, dash="dash"),
        Line("warner", Warner.ink, say("Warner"), p, np.log1p(p) - np.log1p(-p)),
        Rule("fair_coins", FairCoins.ink, say("fair coins: ln 3"), 0.5, dash="dot"),
        Dots("ln_3", FairCoins.ink, "", [0.5], [LN3]),
    ]
    coins = model.coins
    if isinstance(coins, BiasedCoins | Warner):
        x, y = coins.truth, min(coins.claim, _STEEPEST)
        words = say("p {p} → ε {epsilon}", p=Num(x), epsilon=Num(coins.claim, 3, "up"))
        layers.append(
            Handle("here", coins.ink, words, x, y, "coins.p")
            if isinstance(coins, BiasedCoins)
            else Dots("here", coins.ink, words, [x], [y])
        )
    return Figure(
        "epsilon",
        say("ε of the coins"),
        Axis(say("p: how often the truth is told"), range=(0.0, 1.0)),
        Axis(Message("ε"), range=(0.0, _STEEPEST)),
        tuple(layers),
        say("dashed: wrong below p = ½"),
        source=BiasedCoins.source,
    )
