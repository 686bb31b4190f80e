"""Parts of sentences about an audit that stand in its charts too."""

import math

from dpstudio.labs.promise.audit.model import AuditModel, exposed, sample
from dpstudio.privacy.attacks.audit import ABOVE
from dpstudio.values.messages import N_, Message, Num, say


def verdict_ink(model: AuditModel) -> str:
    """Not the ink of success: that nothing was found proves nothing."""
    return "bad" if exposed(model) else "first"


def exact_words(model: AuditModel) -> Message:
    """The exact ε as it stands under a chart or in a sentence."""
    return say("unlimited") if math.isinf(model.exact) else say("{x}", x=Num(model.exact, 4))


def score_words(model: AuditModel) -> Message:
    """What the event is about, as an axis."""
    if model.lab.events == "loss":
        return say("privacy loss of the output, ln P/P′")
    return Message(N_("output") if sample(model) is not None else N_("sum of the output"))


def event_words(model: AuditModel) -> Message:
    """The chosen event in words: "loss ≥ 1.5"; one that the other table never gives has no
    limit."""
    event = model.trial.event
    name = say("sum")
    if model.lab.events == "loss":
        name = say("loss")
    elif sample(model) is not None:
        name = say("output")
    if math.isinf(event.at):
        return say("{name} without limit", name=name)
    text = N_("{name} ≥ {at}") if event.tail == ABOVE else N_("{name} ≤ {at}")
    return say(text, name=name, at=Num(event.at, 4))
