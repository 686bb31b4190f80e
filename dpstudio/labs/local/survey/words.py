"""The survey's strip and sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.local.survey.model import percent
from dpstudio.privacy.local.coins import BiasedCoins, FairCoins, Warner
from dpstudio.privacy.local.protocol import odds_factor, sure
from dpstudio.values.messages import N_, Num, Say, say

if TYPE_CHECKING:
    from dpstudio.labs.local.survey.model import SurveyModel


def _at(model: SurveyModel) -> Num:
    return Num(model.lab.confidence, 4, "down", percent=True)


def _aim(model: SurveyModel) -> Num:
    return Num(model.lab.aim, 3, percent=True)


def facts(model: SurveyModel) -> tuple[Fact, ...]:
    """What was said, what it means, how sure that is, how many it takes, and what each pays."""
    half, (low, high) = model.half_width(), model.interval
    coins = model.half_width(sample=False)
    said = say("{yes} of {n}", yes=Num(model.seen.yes), n=Num(model.answers))
    share = say("{x}", x=Num(model.observed, 4, percent=True))
    span = say("{low} to {high}", low=percent(low, half, "down"), high=percent(high, half, "up"))
    within = say("± {x}", x=percent(half, half, "up"))
    if model.untold:
        span = within = Say("–")
    parts = say("coins alone ± {coins}", coins=percent(coins, half, "up"))
    wanted = say("for ± {aim} at {confidence}", aim=_aim(model), confidence=_at(model))
    needed = Say("–") if model.untold else say("{n}", n=Num(model.needed_here))
    factor = say("odds × {x} at most", x=odds_factor(model.total))
    return (
        Fact("said", say("Said yes"), share, said, value=model.seen.yes),
        Fact(
            "estimate",
            say("Truly yes"),
            say("{x}", x=percent(model.estimate, half)),
            span,
            "answer",
            [model.estimate, low, high],
        ),
        Fact(
            "half_width", say("At {confidence}", confidence=_at(model)), within, parts, value=half
        ),
        Fact("needed", say("People needed"), needed, wanted, "accent", model.needed_here),
        Fact(
            "epsilon",
            say("Each spends"),
            say("ε {x}", x=Num(model.total, 3, "up")),
            factor,
            value=model.total,
        ),
    )


def sentences(model: SurveyModel) -> tuple[Sentence, ...]:
    return (
        _estimate(model),
        _needed(model),
        _why(model),
        Sentence("expected", _expected(model)),
        _parts(model),
        *_deny(model),
        Sentence("channel", _channel(model)),
        _again(model),
        Sentence(
            "kept",
            say(
                "A first answer that is kept and given again costs nothing more, and teaches "
                "nothing more."
            ),
        ),
        Sentence("belief", _belief(model)),
        Sentence("coverage", _coverage(model)),
        *_few(model),
        *_outside(model),
        *_variants(model),
    )


def _estimate(model: SurveyModel) -> Sentence:
    half, (low, high) = model.half_width(), model.interval
    values = {
        "yes": Num(model.seen.yes), "n": Num(model.answers), "estimate": percent(model.estimate, half), "confidence": _at(model),
        "low": percent(low, half, "down"), "high": percent(high, half, "up"),
    }  # fmt: skip
    text = N_(
        "{yes} of {n} said yes. That means {estimate}, and at {confidence} anything from {low} to "
        "{high}."
    )
    if model.lab.asked > 1:
        text = N_(
            "{yes} of {n} answers were yes. That means {estimate}, and at {confidence} anything "
            "from {low} to {high}."
        )
    if model.untold:
        text = N_("{yes} of {n} answers were yes. That means {estimate}.")
        if model.impossible:
            text = N_(
                "{yes} of {n} answers were yes. That would mean {estimate}, which no share can be."
            )
    elif low <= 0 and high >= 1:
        text = N_(
            "{yes} of {n} answers were yes. At {confidence} anything from 0 % to 100 % goes with "
            "that: they tell nothing."
        )
    elif low > 1 or high < 0:
        text = N_(
            "{yes} of {n} answers were yes. That would mean {estimate}, which no share can be: so "
            "many hardly ever come of these coins."
        )
        if high < 0:
            text = N_(
                "{yes} of {n} answers were yes. That would mean {estimate}, which no share can be: "
                "so few hardly ever come of these coins."
            )
    return Sentence("estimate", Say(text, values), "warn" if low < 0 or high > 1 else "plain")


def _needed(model: SurveyModel) -> Sentence:
    values = {
        "needed": Num(model.needed_here),
        "coins": Num(model.needed_for_coins),
        "aim": _aim(model),
        "confidence": _at(model),
    }
    text = N_(
        "± {aim} at {confidence} takes {needed} people; for a standard error of {aim} from the "
        "coins alone, {coins} are enough."
    )
    if model.untold:
        text = N_(
            "How many people ± {aim} at {confidence} takes cannot be told from so few of one "
            "answer."
        )
    elif model.needed_for_coins == 1:
        text = N_("± {aim} at {confidence} takes {needed} people, as it would without coins.")
        if model.needed_here != model.needed(None):
            text = N_("± {aim} at {confidence} takes {needed} people; the coins hardly matter.")
    return Sentence(
        "needed",
        Say(text, values),
        "good" if model.lab.n >= model.needed_here and not model.few else "plain",
    )


def _why(model: SurveyModel) -> Sentence:
    base = model.coins.support().q * model.answers
    values = {
        "base": Num(base, 4), "n": Num(model.answers), "rest": Num(abs(model.seen.yes - base), 4),
        "truth": _chance(model.coins.truth, 4), "estimate": percent(model.estimate, model.half_width()),
    }  # fmt: skip
    text = N_(
        "Were nobody truly yes, {base} of {n} would still say it. The {rest} more come from the "
        "{truth} who tell the truth: {estimate}."
    )
    if abs(model.seen.yes - base) < 0.5:
        text = N_(
            "Were nobody truly yes, {base} of {n} would still say it, about as many as did. So the "
            "estimate is {estimate}."
        )
    elif model.seen.yes < base:
        text = N_(
            "Were nobody truly yes, {base} of {n} would still say it: {rest} more than did. So the "
            "estimate is {estimate}."
        )
    return Sentence("why", Say(text, values))


def _expected(model: SurveyModel) -> Say:
    """What the observed share would look like as a truth: the two are often taken for each
    other."""
    shown = model.observed if model.typed is not None else model.lab.share
    text = N_("If {share} were truly yes, {yes} of {n} would be expected to say it.")
    return say(
        text,
        share=Num(shown, 4, percent=True),
        yes=Num(float(model.coins.yes(shown)) * model.answers, 4),
        n=Num(model.answers),
    )


def _parts(model: SurveyModel) -> Sentence:
    half = model.half_width()
    values = {
        "half": percent(half, half, "up"), "coins": percent(model.half_width(sample=False), half, "up"),
        "sample": percent(model.half_width(coins=False), half, "up"),
    }  # fmt: skip
    return Sentence(
        "parts",
        say(
            "Of the ± {half} the coins alone make ± {coins}, and the sample alone ± {sample}.",
            **values,
        ),
    )


def _deny(model: SurveyModel) -> tuple[Sentence, ...]:
    """What hides a person. Behind answers that were typed the coins are imagined, for a share of
    yes that is a guess."""
    seen = model.seen
    yes = seen.yes_true + seen.yes_coin
    if not seen.yes_coin:
        return ()
    if model.typed is not None:
        text = N_(
            "If {share} are truly yes, some {coin} of the {yes} who said yes did so because the "
            "coin did: each can say it was the coin."
        )
    elif model.lab.asked > 1:
        text = N_(
            "The first time {coin} of the {yes} who said yes did so because the coin did: each of "
            "them can say it was the coin."
        )
    else:
        text = N_(
            "{coin} of the {yes} who said yes did so because the coin did: each of them can say it "
            "was the coin."
        )
    return (
        Sentence(
            "deny",
            say(
                text,
                coin=Num(seen.yes_coin),
                yes=Num(yes),
                share=Num(model.lab.share, 4, percent=True),
            ),
        ),
    )


def _channel(model: SurveyModel) -> Say:
    support = model.coins.support()
    text = N_("Who is yes says yes with {one}, who is no with {other}: ε = {epsilon}.")
    digits = max(3, 1 + math.ceil(-math.log10(support.gap)))
    one, other = _chance(support.p, digits), Num(support.q, digits, "up", percent=True)
    return say(text, one=one, other=other, epsilon=Num(model.coins.claim, 4, "up"))


def _chance(value: float, digits: int = 3) -> Num:
    """A chance that is never quite 100 %: coins always leave something."""
    return Num(min(value, 1 - 1e-9), digits, "down", percent=True)


def _again(model: SurveyModel) -> Sentence:
    """What asking again costs and gains, against one question that spends as much."""
    m = max(2, model.lab.asked)
    once, fresh, whole = (
        model.spread_of(model.coins),
        model.spread_of(model.coins, m),
        model.spread_of(model.whole(m)),
    )
    values = {
        "m": Num(m), "epsilon": Num(m * model.coins.claim, 3, "up"), "once": percent(once, once, "up"),
        "fresh": percent(fresh, fresh, "up"), "whole": percent(whole, whole, "up"),
    }  # fmt: skip
    text = N_(
        "Asked {m} times with fresh coins each spends ε {epsilon}, and ± {once} becomes ± {fresh}; "
        "one question at that ε gives ± {whole}."
    )
    if m == 2:
        text = N_(
            "Asked twice with fresh coins each spends ε {epsilon}, and ± {once} becomes ± {fresh}; "
            "one question at that ε gives ± {whole}."
        )
    return Sentence("again", Say(text, values), "warn" if model.lab.asked > 1 else "plain")


def _belief(model: SurveyModel) -> Say:
    prior = Num(model.lab.share, 4, percent=True)
    after = sure(float(model.belief(model.lab.share)), model.lab.share)
    if model.lab.asked > 1:
        text = N_("Who was {prior} sure of a person’s yes is {after} sure after {m} yes.")
        return say(text, prior=prior, after=after, m=Num(model.lab.asked))
    return say(
        "Who was {prior} sure of a person’s yes is {after} sure after hearing one.",
        prior=prior,
        after=after,
    )


def _coverage(model: SurveyModel) -> Say:
    """How good the normal interval is, by the exact law of the estimate."""
    text = N_("If {share} are truly yes, {x} of such intervals hold it, by the exact law.")
    return say(
        text,
        share=Num(model.lab.share, 4, percent=True),
        x=Num(model.coverage, 3, "down", percent=True),
    )


def _few(model: SurveyModel) -> list[Sentence]:
    """Where the normal law cannot be trusted, and with no yes at all would make an interval of no
    width."""
    if not model.few:
        return []
    yes = min(model.seen.yes, model.answers - model.seen.yes)
    text = N_(
        "{few} yes in {n} answers are too few for the normal law, by which the interval and the "
        "people needed are found."
    )
    if model.observed > 0.5:
        text = N_(
            "{few} no in {n} answers are too few for the normal law, by which the interval and the "
            "people needed are found."
        )
    if model.lab.asked > 1:
        text = N_(
            "{few} yes in {n} answers of {people} people are too few for the normal law, by which "
            "the interval and the people "
            "needed are found."
        )
        if model.observed > 0.5:
            text = N_(
                "{few} no in {n} answers of {people} people are too few for the normal law, by "
                "which the interval and the people "
                "needed are found."
            )
    return [
        Sentence(
            "few", say(text, few=Num(yes), n=Num(model.answers), people=Num(model.lab.n)), "warn"
        )
    ]


def _outside(model: SurveyModel) -> list[Sentence]:
    if not model.impossible:
        return []
    text = N_(
        "No share lies below 0 or above 100 %: errors and people needed are worked out at {x}."
    )
    return [Sentence("outside", say(text, x=Num(model.likely, percent=True)), "warn")]


def _variants(model: SurveyModel) -> list[Sentence]:
    """What sets these coins apart: the texts' formula, ln 2, and what Warner's would do with the
    same ε."""
    coins = model.coins
    if isinstance(coins, FairCoins):
        return [
            Sentence(
                "variant",
                say(
                    "Heads: tell the truth. Tails: flip again, heads is yes. ε = ln 3, whatever is "
                    "asked."
                ),
            )
        ]
    if isinstance(coins, Warner):
        text = N_(
            "Tell the truth with {p}, else the opposite; or the truth with {q}, else a fair coin: "
            "the same answers."
        )
        return [
            Sentence("variant", say(text, p=_chance(coins.support().p), q=_chance(coins.truth)))
        ]
    assert isinstance(coins, BiasedCoins)
    found = []
    if coins.p < 0.5:
        text = N_(
            "The texts’ ln(1 + p/(1 − p)²) claims ε = {printed} here. It forgets the yes: ε = "
            "{epsilon}, and never below ln 2."
        )
        found.append(
            Sentence(
                "variant",
                say(text, printed=Num(coins.printed), epsilon=Num(coins.claim, 3, "up")),
                "bad",
            )
        )
    better = model.needed(model.whole(1), model.lab.asked)
    if better < model.needed_here:
        text = N_("A fair second coin at the same ε needs {better} people instead of {needed}.")
        found.append(
            Sentence("better", say(text, better=Num(better), needed=Num(model.needed_here)))
        )
    return found
