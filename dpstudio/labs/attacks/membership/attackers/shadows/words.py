"""What is said of membership in what a model learnt from."""

from collections.abc import Iterator

from dpstudio.labs.attacks.attackers.attacker import of_100
from dpstudio.labs.attacks.attackers.success_charts import nobody_more, percent, shown
from dpstudio.labs.attacks.membership.attackers.shadows import model as shadows
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.privacy.attacks.guessing import Guesses
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: shadows.ShadowsModel) -> tuple[Fact, ...]:
    """How many members are found with few false alarms, without noise and with, and what the noise
    costs the model."""
    exact, noisy = (each.few for each in shadows.rocs(model))
    score = shadows.accuracy(model)[1]
    told = say("of others")
    return (
        Fact("off", say("members found, no noise"), *_few(exact), "truth", float(exact.share)),
        Fact("best", say("members found at this ε"), *_few(noisy), "answer", float(noisy.share)),
        Fact("promised", say("accuracy on labels"), shown(score), told, "target", score),
    )


def _few(told: Guesses) -> tuple[Message, Message]:
    """A share with what it is between."""
    low, high = percent(float(told.low), "down"), percent(float(told.high), "up")
    note = say("with 1 % false alarms; {low} to {high}", low=low, high=high)
    return shown(float(told.share)), note


def sentences(model: shadows.ShadowsModel) -> Iterator[Sentence]:
    """What shadow models gain without noise and with, and at what cost."""
    exact, noisy, within, best = shadows.here(model)
    values = {
        "epsilon": Num(model.asked.mechanism.epsilon, 5),
        "exact": Num(of_100(exact), 3),
        "noisy": Num(of_100(noisy), 3),
        "within": Num(within, 2, "up"),
    }
    text = N_(
        "At ε = {epsilon}, shadow models guess {noisy} ± {within} of 100 right (50 is a coin)."
    )
    yield Sentence("gain", say(text, **values))
    yield nobody_more(noisy, best)
    text = N_("Of a model without noise they tell {exact} of 100 members and others apart.")
    yield Sentence("exact", say(text, **values), "bad")
    score, private = shadows.accuracy(model)
    text = N_(
        "Its accuracy on others is {score}, at this ε {private}: on so few people "
        "the noise costs nearly all that was learnt."
    )
    if private > 0.9 * score:
        text = N_("Its accuracy on others is {score}, at this ε {private}.")
    yield Sentence("ground", say(text, score=percent(score), private=percent(private)))
