"""The survey's strip and sentences."""

from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.nobody.survey import asking, coin_words
from dpstudio.labs.nobody.survey import model as survey
from dpstudio.labs.percents import in_points, percent, points
from dpstudio.privacy.local.protocol import odds_factor
from dpstudio.values.messages import N_, Message, Num, say


def _at(model: survey.SurveyModel) -> Num:
    return at_confidence(model.lab.confidence)


def _aim(model: survey.SurveyModel) -> Message:
    return in_points(Num(model.lab.aim, 3, percent=True))


def facts(model: survey.SurveyModel) -> tuple[Fact, ...]:
    """What was said, what it means, how sure that is, how many it takes, and what each pays."""
    half, (low, high) = survey.half_width(model), survey.interval(model)
    coins, total, here = (
        survey.half_width(model, sample=False),
        asking.total_epsilon(model),
        asking.needed_here(model),
    )
    said = say("{yes} of {n}", yes=Num(model.seen.yes), n=Num(model.answers))
    share = say("{x}", x=Num(model.observed, 4, percent=True))
    means = say("{x}", x=percent(model.estimate, half))
    span = say("{low} to {high}", low=percent(low, half, "down"), high=percent(high, half, "up"))
    within = say("± {x}", x=points(half, half, "up"))
    people = say("{n}", n=Num(here))
    if asking.untold(model):
        span = within = people = Message("–")
    sure_at = say("At {confidence}", confidence=_at(model))
    parts = say("coins alone ± {coins}", coins=points(coins, half, "up"))
    wanted = say("for ± {aim} at {confidence}", aim=_aim(model), confidence=_at(model))
    spends = say("ε {x}", x=Num(total, 3, "up"))
    factor = say("odds × {x} at most", x=odds_factor(total))
    found = [model.estimate, low, high]
    return (
        Fact("said", say("Said yes"), share, said, value=model.seen.yes),
        Fact("estimate", say("Truly yes"), means, span, "answer", found),
        Fact("half_width", sure_at, within, parts, value=half),
        Fact("needed", say("People needed"), people, wanted, "accent", here),
        Fact("epsilon", say("Each spends"), spends, factor, value=total),
    )


def sentences(model: survey.SurveyModel) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    return (
        _estimate(model),
        _needed(model),
        _why(model),
        Sentence("expected", _expected(model)),
        _parts(model),
        *coin_words.denial(model),
        Sentence("channel", coin_words.channel(model)),
        coin_words.again(model),
        Sentence(
            "kept",
            say(
                "A first answer that is kept and given again costs nothing more, and teaches "
                "nothing more."
            ),
        ),
        Sentence("belief", coin_words.beliefs(model)),
        Sentence("coverage", coin_words.held(model)),
        *_few(model),
        *_outside(model),
        *coin_words.variants(model),
    )


def _estimate(model: survey.SurveyModel) -> Sentence:
    half, (low, high) = survey.half_width(model), survey.interval(model)
    values = {
        "yes": Num(model.seen.yes),
        "n": Num(model.answers),
        "estimate": percent(model.estimate, half),
        "confidence": _at(model),
        "low": percent(low, half, "down"),
        "high": percent(high, half, "up"),
    }
    text = N_(
        "{yes} of {n} said yes. That means {estimate}, at {confidence} between {low} and {high}."
    )
    if model.lab.asked > 1:
        text = N_(
            "{yes} of {n:# answer|# answers} {yes:was|were} yes. That means {estimate}, at "
            "{confidence} between {low} and {high}."
        )
    if asking.untold(model):
        text = N_("{yes} of {n:# answer|# answers} {yes:was|were} yes. That means {estimate}.")
        if survey.impossible(model):
            text = N_(
                "{yes} of {n:# answer|# answers} {yes:was|were} yes. That would mean {estimate}, "
                "which no share can be."
            )
    elif low <= 0 and high >= 1:
        text = N_(
            "{yes} of {n:# answer|# answers} {yes:was|were} yes. At {confidence} anything from 0 % "
            "to 100 % goes with that: they tell nothing."
        )
    elif low > 1 or high < 0:
        text = N_(
            "{yes} of {n:# answer|# answers} {yes:was|were} yes. That would mean {estimate}, which "
            "no share can be: so many hardly ever come of these coins."
        )
        if high < 0:
            text = N_(
                "{yes} of {n:# answer|# answers} {yes:was|were} yes. That would mean {estimate}, "
                "which no share can be: so few hardly ever come of these coins."
            )
    return Sentence("estimate", Message(text, values), "warn" if low < 0 or high > 1 else "plain")


def _needed(model: survey.SurveyModel) -> Sentence:
    values = {
        "needed": Num(asking.needed_here(model)),
        "coins": Num(asking.needed_for_coins(model)),
        "aim": _aim(model),
        "confidence": _at(model),
    }
    text = N_(
        "± {aim} at {confidence} takes {needed:# person|# people}; for a standard error of {aim} "
        "from the coins alone, {coins} {coins:is|are} enough."
    )
    if asking.untold(model):
        text = N_(
            "How many people ± {aim} at {confidence} takes cannot be told from so few of one "
            "answer."
        )
    elif asking.needed_for_coins(model) == 1:
        text = N_(
            "± {aim} at {confidence} takes {needed} {needed:person|people}, as it would without "
            "coins."
        )
        if asking.needed_here(model) != asking.needed(model, None):
            text = N_(
                "± {aim} at {confidence} takes {needed} {needed:person|people}; the coins hardly "
                "matter."
            )
    return Sentence(
        "needed",
        Message(text, values),
        "good" if model.lab.n >= asking.needed_here(model) and not survey.few(model) else "plain",
    )


def _why(model: survey.SurveyModel) -> Sentence:
    base, apart = survey.yes_of_nobody(model), survey.yes_apart(model)
    values = {
        "base": Num(base, 4),
        "n": Num(model.answers),
        "rest": Num(apart, 4),
        "truth": coin_words.chance(model.coins.truth, 4),
        "estimate": percent(model.estimate, survey.half_width(model)),
    }
    text = N_(
        "Were nobody truly yes, {base} of {n} would still say it. The {rest} more "
        "{rest:comes|come} from the {truth:# who tells|# who tell} the truth: {estimate}."
    )
    if apart < 0.5:
        text = N_(
            "Were nobody truly yes, {base} of {n} would still say it, about as many as did. So the "
            "estimate is {estimate}."
        )
    elif model.seen.yes < base:
        text = N_(
            "Were nobody truly yes, {base} of {n} would still say it: {rest} more than did. So the "
            "estimate is {estimate}."
        )
    return Sentence("why", Message(text, values))


def _expected(model: survey.SurveyModel) -> Message:
    """What the observed share would look like as a truth: the two are often taken for each
    other."""
    shown = model.observed if model.typed else model.lab.share
    text = N_("If {share} were truly yes, {yes} of {n} would be expected to say it.")
    return say(
        text,
        share=Num(shown, 4, percent=True),
        yes=Num(survey.expected_yes(model, shown), 4),
        n=Num(model.answers),
    )


def _parts(model: survey.SurveyModel) -> Sentence:
    half = survey.half_width(model)
    text = N_("Of the ± {half} the coins alone make ± {coins}, and the sample alone ± {sample}.")
    values = {
        "half": points(half, half, "up"),
        "coins": points(survey.half_width(model, sample=False), half, "up"),
        "sample": points(survey.half_width(model, coins=False), half, "up"),
    }
    return Sentence("parts", Message(text, values))


def _few(model: survey.SurveyModel) -> list[Sentence]:
    """Where the normal law cannot be trusted, and with no yes at all would make an interval of no
    width."""
    if not survey.few(model):
        return []
    yes = min(model.seen.yes, model.answers - model.seen.yes)
    text = N_(
        "{few} yes in {n:# answer|# answers} {few:is|are} too few for the normal law, by which the "
        "interval and the people needed are found."
    )
    if model.observed > 0.5:
        text = N_(
            "{few} no in {n:# answer|# answers} {few:is|are} too few for the normal law, by which "
            "the interval and the people needed are found."
        )
    if model.lab.asked > 1:
        text = N_(
            "{few} yes in {n:# answer|# answers} of {people:# person|# people} {few:is|are} too "
            "few for the normal law, by which the interval and the people needed are found."
        )
        if model.observed > 0.5:
            text = N_(
                "{few} no in {n:# answer|# answers} of {people:# person|# people} {few:is|are} too "
                "few for the normal law, by which the interval and the people needed are found."
            )
    return [
        Sentence(
            "few", say(text, few=Num(yes), n=Num(model.answers), people=Num(model.lab.n)), "warn"
        )
    ]


def _outside(model: survey.SurveyModel) -> list[Sentence]:
    if not survey.impossible(model):
        return []
    text = N_(
        "No share lies below 0 or above 100 %: errors and people needed are worked out at {x}."
    )
    return [Sentence("outside", say(text, x=Num(model.likely, percent=True)), "warn")]
