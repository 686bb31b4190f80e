"""Anonymity's sentences of the population that a table is part of."""

from collections.abc import Iterator

from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.anonymity import population
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.labs.whole_tables.rows.model import journalist_before, register
from dpstudio.labs.whole_tables.rows.words import share, stands
from dpstudio.values.messages import N_, Message, Num, say


def population_sentences(model: AnonymityModel) -> Iterator[Sentence]:
    """What a register adds, where there is one."""
    yield stands(model)
    if model.listed:
        yield _journalist(model)
        yield _presence(model)


def _journalist(model: AnonymityModel) -> Sentence:
    text = N_(
        "The journalist’s risk: who has all {people} {people:person|people} but does not know who "
        "is published finds nobody with a chance above {after}, {before} before."
    )
    after = Num(population.journalist_after(model), 3, "up", percent=True)
    before = Num(journalist_before(model), 3, "up", percent=True)
    return Sentence(
        "journalist", say(text, people=Num(len(register(model).people)), after=after, before=before)
    )


def _presence(model: AnonymityModel) -> Sentence:
    if model.lab.algorithm.overlaps:
        text = N_(
            "Presence (δ): boxes that share a value overlap, so that a class alone does not say "
            "how sure anybody is that somebody is in the table."
        )
        return Sentence("presence", say(text), "warn")
    low, high = population.presence(model)
    values = {"low": Num(low, 3, "down", percent=True), "high": Num(high, 3, "up", percent=True)}
    text = N_(
        "Presence (δ): somebody whom a class fits is in the table with a chance from {low} to "
        "{high}."
    )
    if population.others(model):
        text = N_(
            "Presence (δ): somebody whom a class fits is in the table with a chance from {low} to "
            "{high}; of {n} {n:person|people} whom none fits, each is with {rest}."
        )
        values |= {
            "n": Num(population.others(model)),
            "rest": share(population.presence_of_others(model)),
        }
    return Sentence("presence", Message(text, values), "bad" if high == 1 else "plain")
