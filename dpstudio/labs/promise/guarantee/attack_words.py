"""What the best attacker reaches, in sentences, beside what ε and δ allow, or would if they were
kept."""

from dpstudio.labs.findings import Sentence
from dpstudio.labs.promise.guarantee.attack import hits, hits_allowed, right_of_100
from dpstudio.labs.promise.guarantee.model import GuaranteeModel
from dpstudio.labs.promise.guarantee.terms import share
from dpstudio.values.messages import N_, Message, Num, say


def best_test_sentence(model: GuaranteeModel) -> Sentence:
    """The best test at the chosen rate of false alarms."""
    text = N_(
        "A test with {alpha} false alarms finds at most {hits} of those who are in: no better one "
        "exists. ε and δ allow {most}."
    )
    if not model.promise.kept:
        text = N_(
            "A test with {alpha} false alarms finds at most {hits} of those who are in: no better "
            "one exists. ε and δ would allow {most}, if the promise held."
        )
    values = {
        "alpha": Num(model.lab.false_positives, 3, percent=True),
        "hits": share(hits(model)),
        "most": share(hits_allowed(model)),
    }
    return Sentence("test", Message(text, values))


def advantage_sentence(model: GuaranteeModel) -> Sentence:
    """How often the best attacker guesses right."""
    found, most = (Num(right, 4, "up") for right in right_of_100(model))
    text = N_(
        "At even odds the best attacker guesses right {right} of 100 times on average; ε and δ "
        "allow {most}, and no answer at all gives 50."
    )
    if not model.promise.kept:
        text = N_(
            "At even odds the best attacker guesses right {right} of 100 times on average; ε and δ "
            "would allow {most}, if the promise held, and no answer at all gives 50."
        )
    return Sentence("advantage", say(text, right=found, most=most))
