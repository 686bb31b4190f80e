"""Anonymity's sentences of the population that a table is part of."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.labs.anonymity.anonymity.model import AnonymityModel, n
from dpstudio.labs.anonymity.anonymity.population import (
    alone,
    alone_estimated,
    anybody_alone,
    journalist_after,
    journalist_before,
    law,
    others,
    overlaps,
    people,
    presence,
    presence_of_others,
    stay_alone,
)
from dpstudio.labs.findings import Sentence
from dpstudio.values.messages import N_, Message, Num, plain, say


def _share(value: float) -> Num:
    return Num(value, 3, percent=True)


def population_sentences(model: AnonymityModel) -> Iterator[Sentence]:
    """What a register adds, where there is one, and what is estimated without."""
    yield _stands(model)
    if model.listed:
        yield _journalist(model)
        yield _presence(model)
    if law(model) is None:
        return
    yield _estimate(model)


def _stands(model: AnonymityModel) -> Sentence:
    """What stands for the population."""
    if model.second is not None:
        text = N_(
            "“{name}”, beside this table, is the population: {people} people, of whom {n} are "
            "published."
        )
        named = {"name": plain(model.second.name), "people": Num(people(model)), "n": Num(n(model))}
        return Sentence("stands", Message(text, named))
    text = N_("A second table, opened beside this one from the table’s menu, is its population.")
    return Sentence("stands", say(text))


def _journalist(model: AnonymityModel) -> Sentence:
    text = N_(
        "The journalist’s risk: who has all {people} people but does not know who is published "
        "finds nobody with a chance above {after}, {before} before."
    )
    after = Num(journalist_after(model), 3, "up", percent=True)
    before = Num(journalist_before(model), 3, "up", percent=True)
    return Sentence("journalist", say(text, people=Num(people(model)), after=after, before=before))


def _presence(model: AnonymityModel) -> Sentence:
    if overlaps(model):
        text = N_(
            "Presence (δ): boxes that share a value overlap, so that a class alone does not say "
            "how sure anybody is that somebody is in the table."
        )
        return Sentence("presence", say(text), "warn")
    low, high = presence(model)
    values = {"low": Num(low, 3, "down", percent=True), "high": Num(high, 3, "up", percent=True)}
    text = N_(
        "Presence (δ): somebody whom a class fits is in the table with a chance from {low} to "
        "{high}."
    )
    if others(model):
        text = N_(
            "Presence (δ): somebody whom a class fits is in the table with a chance from {low} to "
            "{high}; of {n} people whom none fits, each is with {rest}."
        )
        values |= {"n": Num(others(model)), "rest": _share(presence_of_others(model))}
    return Sentence("presence", Message(text, values), "bad" if high == 1 else "plain")


def _estimate(model: AnonymityModel) -> Sentence:
    values = {"all": _share(alone_estimated(model)), "people": Num(people(model))}
    if not anybody_alone(model):
        text = N_("Of {people} people an estimated {all} are alone.")
        return Sentence("population", say(text, **values))
    values["stay"] = _share(stay_alone(model))
    text = N_(
        "If these rows are drawn by lot from {people} people, an estimated {all} of those are "
        "alone, and {stay} of those alone here. This takes sizes of classes to follow Pitman’s "
        "law; by few columns it comes out too high."
    )
    if model.listed:
        true = alone(model)
        values |= {"true": _share(true.all), "there": _share(true.stay)}
        text = N_(
            "The published rows alone let one think that {all} of {people} people are alone, and "
            "{stay} of those alone here (Pitman’s law, rows drawn by lot); it is {true} and "
            "{there}."
        )
    return Sentence("population", Message(text, values))
