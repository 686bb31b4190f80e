"""What the coins do, in sentences: how they hide, what they cost, and how they compare."""

import math

from dpstudio.labs.findings import Sentence
from dpstudio.labs.nobody.survey import asking, law
from dpstudio.labs.nobody.survey.model import SurveyModel, belief, half_width_of
from dpstudio.labs.percents import points
from dpstudio.privacy.local.coins import BiasedCoins, FairCoins, Warner
from dpstudio.privacy.local.protocol import sure
from dpstudio.values.messages import N_, Message, Num, say


def denial(model: SurveyModel) -> tuple[Sentence, ...]:
    """What hides a person. Behind answers that were typed the coins are imagined, for a share of
    yes that is a guess."""
    seen = model.seen
    if not seen.yes_coin:
        return ()
    if model.typed:
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
                yes=Num(seen.yes_first),
                share=Num(model.lab.share, 4, percent=True),
            ),
        ),
    )


def channel(model: SurveyModel) -> Message:
    """How often a yes is said by who is yes and by who is no, which is where ε comes from."""
    support = model.coins.support()
    text = N_("Who is yes says yes with {one}, who is no with {other}: ε = {epsilon}.")
    digits = max(3, 1 + math.ceil(-math.log10(support.gap)))
    one, other = chance(support.p, digits), Num(support.q, digits, "up", percent=True)
    return say(text, one=one, other=other, epsilon=Num(model.coins.claim, 3, "up"))


def chance(value: float, digits: int = 3) -> Num:
    """A chance that is never quite 100 %: coins always leave something."""
    return Num(min(value, 1 - 1e-9), digits, "down", percent=True)


def again(model: SurveyModel) -> Sentence:
    """What asking again costs and gains, against one question that spends as much."""
    m = max(2, model.lab.asked)
    once, fresh, at_once = (
        half_width_of(model, model.coins),
        half_width_of(model, model.coins, m),
        half_width_of(model, asking.one_question(model, m)),
    )
    values = {
        "m": Num(m),
        "epsilon": Num(asking.total_epsilon(model, m), 3, "up"),
        "once": points(once, once, "up"),
        "fresh": points(fresh, fresh, "up"),
        "whole": points(at_once, at_once, "up"),
    }
    text = N_(
        "Asked {m} times with fresh coins each spends ε {epsilon}, and ± {once} becomes ± {fresh}; "
        "one question at that ε gives ± {whole}."
    )
    if m == 2:
        text = N_(
            "Asked twice with fresh coins each spends ε {epsilon}, and ± {once} becomes ± {fresh}; "
            "one question at that ε gives ± {whole}."
        )
    return Sentence("again", Message(text, values), "warn" if model.lab.asked > 1 else "plain")


def beliefs(model: SurveyModel) -> Message:
    """What hearing a yes does to the belief in one."""
    prior = Num(model.lab.share, 4, percent=True)
    after = sure(float(belief(model, model.lab.share)), model.lab.share)
    if model.lab.asked > 1:
        text = N_("Who was {prior} sure of a person’s yes is {after} sure after {m} yes.")
        return say(text, prior=prior, after=after, m=Num(model.lab.asked))
    return say(
        "Who was {prior} sure of a person’s yes is {after} sure after hearing one.",
        prior=prior,
        after=after,
    )


def held(model: SurveyModel) -> Message:
    """How good the normal interval is, by the exact law of the estimate."""
    text = N_("If {share} are truly yes, {x} of such intervals hold it, by the exact law.")
    return say(
        text,
        share=Num(model.lab.share, 4, percent=True),
        x=Num(law.coverage(model), 3, "down", percent=True),
    )


def variants(model: SurveyModel) -> list[Sentence]:
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
            Sentence("variant", say(text, p=chance(coins.support().p), q=chance(coins.truth, 4)))
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
    better = asking.better_coins(model)
    if better < asking.needed_here(model):
        text = N_(
            "A fair second coin at the same ε needs {better} {better:person|people} instead of "
            "{needed}."
        )
        found.append(
            Sentence("better", say(text, better=Num(better), needed=Num(asking.needed_here(model))))
        )
    return found
