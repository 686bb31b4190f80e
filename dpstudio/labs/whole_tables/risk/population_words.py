"""Disclosure risk's sentences of the population that a table is part of."""

from collections.abc import Iterator

from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.risk import population
from dpstudio.labs.whole_tables.risk.model import RiskModel
from dpstudio.labs.whole_tables.rows.model import journalist_before
from dpstudio.labs.whole_tables.rows.words import share, stands
from dpstudio.values.messages import N_, Message, Num, say


def population_sentences(model: RiskModel) -> Iterator[Sentence]:
    """What a register adds, where there is one, and what is estimated without."""
    yield stands(model)
    if model.listed:
        yield _journalist(model)
    if population.law(model) is not None:
        yield _estimate(model)


def _journalist(model: RiskModel) -> Sentence:
    text = N_(
        "The journalist’s risk: who has all {people} {people:person|people} but does not know who "
        "is published finds nobody with a chance above {before}."
    )
    before = Num(journalist_before(model), 3, "up", percent=True)
    return Sentence("journalist", say(text, people=Num(population.people(model)), before=before))


def _estimate(model: RiskModel) -> Sentence:
    values = {
        "all": share(population.alone_estimated(model)),
        "people": Num(population.people(model)),
    }
    if not population.anybody_alone(model):
        text = N_("Of {people} {people:person|people} an estimated {all} are alone.")
        return Sentence("population", say(text, **values))
    values["stay"] = share(population.stay_alone(model))
    text = N_(
        "If these rows are drawn by lot from {people} {people:person|people}, an estimated {all} "
        "of those are alone, and {stay} of those alone here. This takes sizes of classes to follow "
        "Pitman’s law; by few columns it comes out too high."
    )
    if model.listed:
        true = population.alone(model)
        values |= {"true": share(true.all), "there": share(true.stay)}
        text = N_(
            "The published rows alone let one think that {all} of {people:# person|# people} "
            "{all:is|are} alone, and {stay} of those alone here (Pitman’s law, rows drawn by lot); "
            "it is {true} and {there}."
        )
    return Sentence("population", Message(text, values))
