"""Anonymity's sentences of the bridge from k to ε."""

import math
from collections.abc import Iterator

from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.anonymity import bridge
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.values.messages import N_, Message, Num, say


def bridge_sentences(model: AnonymityModel) -> Iterator[Sentence]:
    """What ε a k has, where it has any, and a count by either way."""
    lab = model.lab
    values = {
        "k": Num(lab.promise.k),
        "share": Num(lab.drawn, 3, percent=True),
        "delta": Num(lab.failure, 3),
        "column": lab.sensitive,
    }
    if math.isinf(bridge.bridged(model)):
        text = N_(
            "The bridge: a sample of {share} with combinations of fewer than {k} {k:row|rows} left "
            "out has no ε at δ = {delta}."
        )
        if bridge.needed(model):
            values["least"] = Num(bridge.needed(model))
            text = N_(
                "The bridge: a sample of {share} with combinations of fewer than {k} {k:row|rows} "
                "left out has no ε at δ = {delta}; from k = {least} on it has one."
            )
        yield Sentence("bridge", Message(text, values), "warn")
        return
    values["epsilon"] = Num(bridge.bridged(model), 3, "up")
    text = N_(
        "The bridge: publish a sample of {share} by heights that no row decides, and leave out "
        "every combination of class and “{column}” with fewer than {k} {k:row|rows}: that is "
        "differentially private with ε = {epsilon} at δ = {delta}."
    )
    yield Sentence("bridge", Message(text, values))
    if not bridge.named_before(model):
        text = N_(
            "Here rows decide the classes, so this table has no ε. Hierarchies written beforehand, "
            "with all heights named, would."
        )
        yield Sentence("bridge_here", say(text), "warn")
        return
    text = N_(
        "Counting “{word}” in such a table errs by {sample} {sample:person|people} on average, "
        "Laplace noise at the same ε by {laplace}."
    )
    errors = {
        "sample": Num(bridge.sample_error(model), 3),
        "laplace": Num(bridge.laplace_error(model), 3),
    }
    yield Sentence("bridge_here", say(text, word=bridge.asked(model), **errors))
