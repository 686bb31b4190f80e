"""What is said of inversion."""

from collections.abc import Iterator

from dpstudio.labs.attacks.attackers.success_charts import percent
from dpstudio.labs.attacks.inversion.model import InversionModel, accuracy, exact_and_coarse
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.values.messages import N_, Num, say

_WHAT = say(
    "Asks a classifier of handwritten digits how sure it is of one digit, starts from grey, "
    "and changes every pixel the way that makes it surer. It may round what it tells."
)


def facts(model: InversionModel) -> tuple[Fact, ...]:
    """How alike pictures are by exact confidences and by rounded ones, and how good the classifier
    is."""
    exact, coarse, label = exact_and_coarse(model)
    right = accuracy(model)
    return (
        Fact("off", say("correlation, exact"), say("{x}", x=Num(exact, 2)), "", "answer", exact),
        Fact("best", say("rounded to 0.1"), say("{x}", x=Num(coarse, 2)), "", "text", coarse),
        Fact("promised", say("label alone"), say("{x}", x=Num(label, 2)), "", "text", label),
        Fact("attack", say("accuracy on digits"), say("{x}", x=percent(right)), "", "text", right),
    )


def sentences(model: InversionModel) -> Iterator[Sentence]:
    """What confidences give away, and what rounding costs."""
    exact, coarse, label = exact_and_coarse(model)
    values = {"exact": Num(exact, 2), "coarse": Num(coarse, 2), "label": Num(label, 2)}
    text = N_("Exact confidences give away a picture {exact} like the mean of its class.")
    yield Sentence("gain", say(text, **values), "bad")
    text = N_(
        "That is on average; 1 is the same. Rounded to 0.1 it is {coarse}, from the label alone "
        "{label}; rounding leaves the accuracy on digits at {right}. Rounding has no "
        "ε: it promises nothing."
    )
    yield Sentence("exact", say(text, **values, right=percent(accuracy(model))))
    yield Sentence("what", _WHAT)
