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
    from dpstudio.labs.local.survey.model import Poll


def _at(poll: Poll) -> Num:
    return Num(poll.lab.confidence, 4, "down", percent=True)


def _aim(poll: Poll) -> Num:
    return Num(poll.lab.aim, 3, percent=True)


def facts(poll: Poll) -> tuple[Fact, ...]:
    """What was said, what it means, how sure that is, how many it takes, and what each pays."""
    half, (low, high) = poll.half_width(), poll.interval
    coins = poll.half_width(sample=False)
    said = say("{yes} of {n}", yes=Num(poll.seen.yes), n=Num(poll.answers))
    share = say("{x}", x=Num(poll.observed, 4, percent=True))
    span = say("{low} to {high}", low=percent(low, half, "down"), high=percent(high, half, "up"))
    within = say("± {x}", x=percent(half, half, "up"))
    if poll.untold:
        span = within = Say("–")
    parts = say("coins alone ± {coins}", coins=percent(coins, half, "up"))
    wanted = say("for ± {aim} at {confidence}", aim=_aim(poll), confidence=_at(poll))
    needed = Say("–") if poll.untold else say("{n}", n=Num(poll.needed_here))
    factor = say("odds × {x} at most", x=odds_factor(poll.total))
    return (
        Fact("said", say("Said yes"), share, said, value=poll.seen.yes),
        Fact(
            "estimate",
            say("Truly yes"),
            say("{x}", x=percent(poll.estimate, half)),
            span,
            "answer",
            [poll.estimate, low, high],
        ),
        Fact("half_width", say("At {confidence}", confidence=_at(poll)), within, parts, value=half),
        Fact("needed", say("People needed"), needed, wanted, "accent", poll.needed_here),
        Fact(
            "epsilon",
            say("Each spends"),
            say("ε {x}", x=Num(poll.total, 3, "up")),
            factor,
            value=poll.total,
        ),
    )


def sentences(poll: Poll) -> tuple[Sentence, ...]:
    return (
        _estimate(poll),
        _needed(poll),
        _why(poll),
        Sentence("expected", _expected(poll)),
        _parts(poll),
        *_deny(poll),
        Sentence("channel", _channel(poll)),
        _again(poll),
        Sentence(
            "kept",
            say(
                "A first answer that is kept and given again costs nothing more, and teaches "
                "nothing more."
            ),
        ),
        Sentence("belief", _belief(poll)),
        Sentence("coverage", _coverage(poll)),
        *_few(poll),
        *_outside(poll),
        *_variants(poll),
    )


def _estimate(poll: Poll) -> Sentence:
    half, (low, high) = poll.half_width(), poll.interval
    values = {
        "yes": Num(poll.seen.yes), "n": Num(poll.answers), "estimate": percent(poll.estimate, half), "confidence": _at(poll),
        "low": percent(low, half, "down"), "high": percent(high, half, "up"),
    }  # fmt: skip
    text = N_(
        "{yes} of {n} said yes. That means {estimate}, and at {confidence} anything from {low} to "
        "{high}."
    )
    if poll.lab.asked > 1:
        text = N_(
            "{yes} of {n} answers were yes. That means {estimate}, and at {confidence} anything "
            "from {low} to {high}."
        )
    if poll.untold:
        text = N_("{yes} of {n} answers were yes. That means {estimate}.")
        if poll.impossible:
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


def _needed(poll: Poll) -> Sentence:
    values = {
        "needed": Num(poll.needed_here),
        "coins": Num(poll.needed_for_coins),
        "aim": _aim(poll),
        "confidence": _at(poll),
    }
    text = N_(
        "± {aim} at {confidence} takes {needed} people; for a standard error of {aim} from the "
        "coins alone, {coins} are enough."
    )
    if poll.untold:
        text = N_(
            "How many people ± {aim} at {confidence} takes cannot be told from so few of one "
            "answer."
        )
    elif poll.needed_for_coins == 1:
        text = N_("± {aim} at {confidence} takes {needed} people, as it would without coins.")
        if poll.needed_here != poll.needed(None):
            text = N_("± {aim} at {confidence} takes {needed} people; the coins hardly matter.")
    return Sentence(
        "needed",
        Say(text, values),
        "good" if poll.lab.n >= poll.needed_here and not poll.few else "plain",
    )


def _why(poll: Poll) -> Sentence:
    base = poll.coins.support().q * poll.answers
    values = {
        "base": Num(base, 4), "n": Num(poll.answers), "rest": Num(abs(poll.seen.yes - base), 4),
        "truth": _chance(poll.coins.truth, 4), "estimate": percent(poll.estimate, poll.half_width()),
    }  # fmt: skip
    text = N_(
        "Were nobody truly yes, {base} of {n} would still say it. The {rest} more come from the "
        "{truth} who tell the truth: {estimate}."
    )
    if abs(poll.seen.yes - base) < 0.5:
        text = N_(
            "Were nobody truly yes, {base} of {n} would still say it, about as many as did. So the "
            "estimate is {estimate}."
        )
    elif poll.seen.yes < base:
        text = N_(
            "Were nobody truly yes, {base} of {n} would still say it: {rest} more than did. So the "
            "estimate is {estimate}."
        )
    return Sentence("why", Say(text, values))


def _expected(poll: Poll) -> Say:
    """What the observed share would look like as a truth: the two are often taken for each
    other."""
    shown = poll.observed if poll.typed is not None else poll.lab.share
    text = N_("If {share} were truly yes, {yes} of {n} would be expected to say it.")
    return say(
        text,
        share=Num(shown, 4, percent=True),
        yes=Num(float(poll.coins.yes(shown)) * poll.answers, 4),
        n=Num(poll.answers),
    )


def _parts(poll: Poll) -> Sentence:
    half = poll.half_width()
    values = {
        "half": percent(half, half, "up"), "coins": percent(poll.half_width(sample=False), half, "up"),
        "sample": percent(poll.half_width(coins=False), half, "up"),
    }  # fmt: skip
    return Sentence(
        "parts",
        say(
            "Of the ± {half} the coins alone make ± {coins}, and the sample alone ± {sample}.",
            **values,
        ),
    )


def _deny(poll: Poll) -> tuple[Sentence, ...]:
    """What hides a person. Behind answers that were typed the coins are imagined, for a share of
    yes that is a guess."""
    seen = poll.seen
    yes = seen.yes_true + seen.yes_coin
    if not seen.yes_coin:
        return ()
    if poll.typed is not None:
        text = N_(
            "If {share} are truly yes, some {coin} of the {yes} who said yes did so because the "
            "coin did: each can say it was the coin."
        )
    elif poll.lab.asked > 1:
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
                share=Num(poll.lab.share, 4, percent=True),
            ),
        ),
    )


def _channel(poll: Poll) -> Say:
    support = poll.coins.support()
    text = N_("Who is yes says yes with {one}, who is no with {other}: ε = {epsilon}.")
    digits = max(3, 1 + math.ceil(-math.log10(support.gap)))
    one, other = _chance(support.p, digits), Num(support.q, digits, "up", percent=True)
    return say(text, one=one, other=other, epsilon=Num(poll.coins.claim, 4, "up"))


def _chance(value: float, digits: int = 3) -> Num:
    """A chance that is never quite 100 %: coins always leave something."""
    return Num(min(value, 1 - 1e-9), digits, "down", percent=True)


def _again(poll: Poll) -> Sentence:
    """What asking again costs and gains, against one question that spends as much."""
    m = max(2, poll.lab.asked)
    once, fresh, whole = (
        poll.spread_of(poll.coins),
        poll.spread_of(poll.coins, m),
        poll.spread_of(poll.whole(m)),
    )
    values = {
        "m": Num(m), "epsilon": Num(m * poll.coins.claim, 3, "up"), "once": percent(once, once, "up"),
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
    return Sentence("again", Say(text, values), "warn" if poll.lab.asked > 1 else "plain")


def _belief(poll: Poll) -> Say:
    prior = Num(poll.lab.share, 4, percent=True)
    after = sure(float(poll.belief(poll.lab.share)), poll.lab.share)
    if poll.lab.asked > 1:
        text = N_("Who was {prior} sure of a person’s yes is {after} sure after {m} yes.")
        return say(text, prior=prior, after=after, m=Num(poll.lab.asked))
    return say(
        "Who was {prior} sure of a person’s yes is {after} sure after hearing one.",
        prior=prior,
        after=after,
    )


def _coverage(poll: Poll) -> Say:
    """How good the normal interval is, by the exact law of the estimate."""
    text = N_("If {share} are truly yes, {x} of such intervals hold it, by the exact law.")
    return say(
        text,
        share=Num(poll.lab.share, 4, percent=True),
        x=Num(poll.coverage, 3, "down", percent=True),
    )


def _few(poll: Poll) -> list[Sentence]:
    """Where the normal law cannot be trusted, and with no yes at all would make an interval of no
    width."""
    if not poll.few:
        return []
    yes = min(poll.seen.yes, poll.answers - poll.seen.yes)
    text = N_(
        "{few} yes in {n} answers are too few for the normal law, by which the interval and the "
        "people needed are found."
    )
    if poll.observed > 0.5:
        text = N_(
            "{few} no in {n} answers are too few for the normal law, by which the interval and the "
            "people needed are found."
        )
    if poll.lab.asked > 1:
        text = N_(
            "{few} yes in {n} answers of {people} people are too few for the normal law, by which "
            "the interval and the people "
            "needed are found."
        )
        if poll.observed > 0.5:
            text = N_(
                "{few} no in {n} answers of {people} people are too few for the normal law, by "
                "which the interval and the people "
                "needed are found."
            )
    return [
        Sentence(
            "few", say(text, few=Num(yes), n=Num(poll.answers), people=Num(poll.lab.n)), "warn"
        )
    ]


def _outside(poll: Poll) -> list[Sentence]:
    if not poll.impossible:
        return []
    text = N_(
        "No share lies below 0 or above 100 %: errors and people needed are worked out at {x}."
    )
    return [Sentence("outside", say(text, x=Num(poll.likely, percent=True)), "warn")]


def _variants(poll: Poll) -> list[Sentence]:
    """What sets these coins apart: the texts' formula, ln 2, and what Warner's would do with the
    same ε."""
    coins = poll.coins
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
    better = poll.needed(poll.whole(1), poll.lab.asked)
    if better < poll.needed_here:
        text = N_("A fair second coin at the same ε needs {better} people instead of {needed}.")
        found.append(
            Sentence("better", say(text, better=Num(better), needed=Num(poll.needed_here)))
        )
    return found
