"""Anonymity's sentences of what classes do not protect, and of what is printed."""

import math
from collections.abc import Iterator
from typing import Any

from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.anonymity import attacked, bridge
from dpstudio.labs.whole_tables.anonymity.bridge import named_before
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, farthest
from dpstudio.labs.whole_tables.rows.model import risk_before
from dpstudio.labs.whole_tables.rows.words import share
from dpstudio.privacy.anonymity.models import EQUAL, PRINTED
from dpstudio.values.messages import N_, Message, Num, say


def _minimality(model: AnonymityModel) -> Sentence:
    text = N_(
        "Minimality: which classes are made depends on all rows that are used, those left out too. "
        "Who knows how they are chosen may learn from the choice what no class tells (Wong, Fu, "
        "Wang & Pei 2007)."
    )
    if named_before(model):
        text = N_(
            "Minimality: heights are named, so rows decide only which classes are left out. Name "
            "them before the table is seen, else the choice may tell of rows that no class shows "
            "(Wong, Fu, Wang & Pei 2007)."
        )
    return Sentence("minimality", say(text), "warn")


def attack_sentences(model: AnonymityModel) -> Iterator[Sentence]:
    """Each attack with the numbers of the table, then what the texts print."""
    once = float(attacked.ruled_out(model)[1])
    text = N_(
        "Background knowledge: who can rule out one other “{column}” is certain of that of {share} "
        "of rows."
    )
    tone = "warn" if once > 0 else "good"
    yield Sentence("ruled_out", say(text, column=model.lab.sensitive, share=share(once)), tone)
    yield from _similar(model)
    yield _skew(model)
    if model.whole:
        yield from _twice(model)
        yield from _dimension(model)
    yield _minimality(model)
    yield from _printed(model)


def _skew(model: AnonymityModel) -> Sentence:
    word, inside_all, inside = attacked.skewed(model)
    if attacked.times_likelier(model) <= 1:
        return Sentence("skew", say("Skewness: a class tells no more than the table."), "good")
    text = N_(
        "Skewness: “{word}” is {share} of the values of the table and {inside} of those of one "
        "class, {times} times as much."
    )
    values = {
        "word": word,
        "share": share(inside_all),
        "inside": share(inside),
        "times": Num(attacked.times_likelier(model), 3),
    }
    return Sentence("skew", say(text, **values), "warn")


def _similar(model: AnonymityModel) -> Iterator[Sentence]:
    if not attacked.parents(model):
        return
    classes, people = attacked.similar(model)
    text = N_(
        "Similarity: in {classes:# class|# classes} all values are of one kind, though they "
        "differ: that is learnt of {people:# row|# rows}."
    )
    tone = "warn" if classes else "good"
    yield Sentence("similar", say(text, classes=Num(classes), people=Num(people)), tone)


def _twice(model: AnonymityModel) -> Iterator[Sentence]:
    values: dict[str, Any] = {"k": Num(model.lab.again), "column": model.lab.sensitive}
    if (laid := attacked.laid(model)) is None:
        text = N_("As a second release nothing would be published with k = {k}.")
        yield Sentence("twice", say(text, **values))
        return
    text = N_(
        "Published again with k = {k}: at least {both} {both:row’s|rows’} “{column}” is "
        "certain to who knows everybody in it and lays both upon each other, {first} and {second} "
        "from each alone; of at least {narrowed} of rows both leave fewer values possible than "
        "either."
    )
    values |= dict(zip(("first", "second", "both"), map(Num, laid.certain), strict=True))
    if attacked.shares_values(model):
        text = N_(
            "Boxes that share a value leave open in which of them somebody is. Published again "
            "with k = {k}: to who knows that of all rows at least {both:# row’s|# rows’} "
            "“{column}” is certain by both, {first} and {second:# row’s|# rows’} by one "
            "alone; to others fewer are, or as many."
        )
        yield Sentence("twice", say(text, **values), "warn")
        return
    values["narrowed"] = Num(laid.narrowed, 3, "down", percent=True)
    if laid.narrowed <= 0:
        text = N_(
            "Published again with k = {k}: at least {both} {both:row’s|rows’} “{column}” is "
            "certain to who knows everybody in it and lays both upon each other, {first} and "
            "{second} from each alone."
        )
    yield Sentence("twice", say(text, **values), "bad" if laid.narrowed > 0 else "plain")
    text = N_("To who holds both, {alone} of rows look like no other, and the k left is {least}.")
    less = laid.fewest < min(model.lab.promise.k, model.lab.again)
    told = say(text, alone=share(laid.alone), least=Num(laid.fewest))
    yield Sentence("both", told, "bad" if less else "plain")


def _dimension(model: AnonymityModel) -> Iterator[Sentence]:
    loss, same = attacked.by_columns(model)
    if len(loss) < 2:
        return
    text = N_(
        "Many columns: where {n} {n:column finds|columns find} rows, {loss} is lost, and {same} "
        "of rows are in classes of one value."
    )
    told = say(text, n=Num(len(loss)), loss=share(float(loss[-1])), same=share(float(same[-1])))
    yield Sentence("dimension", told, "warn")


def _printed(model: AnonymityModel) -> Iterator[Sentence]:
    apart, gap = farthest(model, EQUAL), farthest(model, PRINTED)
    text = N_(
        "t-closeness as printed takes the largest single gap, {gap}, where the distance is {apart}."
    )
    if gap >= apart:
        text = N_("t-closeness as printed takes the largest single gap: here it is the distance.")
    tone = "bad" if gap < apart else "plain"
    said = say(text, gap=Num(gap, 3), apart=Num(apart, 3))
    yield Sentence("printed_distance", said, tone)
    text = N_(
        "k-anonymity printed of the sensitive column would call this table {k}-anonymous as it is: "
        "the rarest “{column}” has so many rows, and {unique} of rows are alone all the same."
    )
    values = {
        "k": Num(attacked.k_of_sensitive(model)),
        "column": model.lab.sensitive,
        "unique": share(risk_before(model).unique),
    }
    yield Sentence("printed_k", say(text, **values))
    text = N_(
        "Numbers for words in alphabetical order, printed as generalisation, rename values one by "
        "one: {unique} of rows are alone before and after."
    )
    yield _first_hidden(model)
    yield Sentence("printed_labels", say(text, unique=values["unique"]))


def _first_hidden(model: AnonymityModel) -> Sentence:
    k, alone = attacked.first_hidden(model)
    text = N_(
        "A picture printed as 5-anonymous only hides the first column: here that leaves a smallest "
        "class of {k} and {alone} of rows alone."
    )
    said = say(text, k=say("{n} {n:row|rows}", n=Num(k)), alone=share(alone))
    return Sentence("printed_hidden", said, "bad" if k < model.lab.promise.k else "plain")


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
        "Counting “{word}” in such a table errs by {sample} {sample:row|rows} on average, "
        "Laplace noise at the same ε by {laplace}."
    )
    errors = {
        "sample": Num(bridge.sample_error(model), 3),
        "laplace": Num(bridge.laplace_error(model), 3),
    }
    yield Sentence("bridge_here", say(text, word=bridge.asked(model), **errors))
