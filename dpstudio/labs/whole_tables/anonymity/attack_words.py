"""Anonymity's sentences of what classes do not protect, and of what is printed."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.anonymity import attacked, two_releases
from dpstudio.labs.whole_tables.anonymity.bridge import named_before
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, farthest
from dpstudio.labs.whole_tables.rows.model import risk_before
from dpstudio.privacy.anonymity.models import EQUAL, PRINTED
from dpstudio.values.messages import N_, Num, say


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
    share = Num(attacked.once_ruled_out(model), 3, percent=True)
    text = N_(
        "Background knowledge: who can rule out one other “{column}” is certain of that of {share} "
        "of people."
    )
    tone = "warn" if attacked.once_ruled_out(model) > 0 else "good"
    yield Sentence("ruled_out", say(text, column=model.lab.sensitive, share=share), tone)
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
        "share": Num(inside_all, 3, percent=True),
        "inside": Num(inside, 3, percent=True),
        "times": Num(attacked.times_likelier(model), 3),
    }
    return Sentence("skew", say(text, **values), "warn")


def _similar(model: AnonymityModel) -> Iterator[Sentence]:
    if not attacked.parents(model):
        return
    classes, people = attacked.similar(model)
    text = N_(
        "Similarity: in {classes:# class|# classes} all values are of one kind, though they "
        "differ: that is learnt of {people:# person|# people}."
    )
    tone = "warn" if classes else "good"
    yield Sentence("similar", say(text, classes=Num(classes), people=Num(people)), tone)


def _twice(model: AnonymityModel) -> Iterator[Sentence]:
    values = {"k": Num(model.lab.again), "column": model.lab.sensitive}
    if two_releases.laid(model) is None:
        text = N_("As a second release nothing would be published with k = {k}.")
        yield Sentence("twice", say(text, **values))
        return
    text = N_(
        "Published again with k = {k}: at least {both} {both:person’s|people’s} “{column}” is "
        "certain to who knows all people and lays both upon each other, {first} and {second} from "
        "each alone; of at least {narrowed} of people both leave fewer values possible than either."
    )
    first, second, both = (Num(each) for each in two_releases.certain(model))
    if two_releases.shares_values(model):
        text = N_(
            "Boxes that share a value leave open in which of them somebody is. Published again "
            "with k = {k}: to who knows that of all people at least {both:# person’s|# people’s} "
            "“{column}” is certain by both, {first} and {second:# person’s|# people’s} by one "
            "alone; to others fewer are, or as many."
        )
        yield Sentence("twice", say(text, first=first, second=second, both=both, **values), "warn")
        return
    share = Num(two_releases.narrowed(model), 3, "down", percent=True)
    told = say(text, first=first, second=second, both=both, narrowed=share, **values)
    yield Sentence("twice", told, "bad" if two_releases.narrowed(model) > 0 else "plain")
    text = N_(
        "To who holds both, {alone} of people look like nobody else, and the k left is {least}."
    )
    alone = Num(two_releases.alone_in_both(model), 3, percent=True)
    tone = (
        "bad" if two_releases.fewest(model) < min(model.lab.promise.k, model.lab.again) else "plain"
    )
    yield Sentence("both", say(text, alone=alone, least=Num(two_releases.fewest(model))), tone)


def _dimension(model: AnonymityModel) -> Iterator[Sentence]:
    if len(attacked.by_columns(model)[0]) < 2:
        return
    many, loss, same = attacked.most_columns(model)
    text = N_(
        "Many columns: where {n} {n:column finds|columns find} people, {loss} is lost, and {same} "
        "of people are in classes of one value."
    )
    values = {"loss": Num(loss, 3, percent=True), "same": Num(same, 3, percent=True)}
    yield Sentence("dimension", say(text, n=Num(many), **values), "warn")


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
        "the rarest “{column}” has so many rows, and {unique} of people are alone all the same."
    )
    values = {
        "k": Num(attacked.k_of_sensitive(model)),
        "column": model.lab.sensitive,
        "unique": Num(risk_before(model).unique, 3, percent=True),
    }
    yield Sentence("printed_k", say(text, **values))
    text = N_(
        "Numbers for words in alphabetical order, printed as generalisation, rename values one by "
        "one: {unique} of people are alone before and after."
    )
    yield _first_hidden(model)
    yield Sentence("printed_labels", say(text, unique=values["unique"]))


def _first_hidden(model: AnonymityModel) -> Sentence:
    k, alone = attacked.first_hidden(model)
    text = N_(
        "A picture printed as 5-anonymous only hides the first column: here that leaves a smallest "
        "class of {k} and {alone} of people alone."
    )
    said = say(text, k=say("{n} {n:row|rows}", n=Num(k)), alone=Num(alone, 3, percent=True))
    return Sentence("printed_hidden", said, "bad" if k < model.lab.promise.k else "plain")
