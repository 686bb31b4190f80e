"""Disclosure risk's strip and sentences."""

from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.whole_tables.risk import population
from dpstudio.labs.whole_tables.risk.model import RiskModel, best_names, most_known, special
from dpstudio.labs.whole_tables.risk.population import alone_estimated, law, people
from dpstudio.labs.whole_tables.rows.model import journalist_before, risk_before
from dpstudio.labs.whole_tables.rows.words import columns_told, rows_told, share, stands
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: RiskModel) -> Iterator[Fact]:
    """Who is alone, and the risk to who looks for one person, for somebody, for all."""
    raw = risk_before(model)
    yield Fact("alone", say("Alone"), say("{share}", share=share(raw.unique)), value=raw.unique)
    note = say("to who knows who is in the table")
    highest = Num(raw.highest, 3, "up", percent=True)
    told = say("{share}", share=highest)
    yield Fact("prosecutor", say("Prosecutor’s risk"), told, note, value=raw.highest)
    if model.listed:
        worst = journalist_before(model)
        told = say("{share}", share=Num(worst, 3, "up", percent=True))
        note = say("to who knows all {people} {people:person|people}", people=Num(people(model)))
        yield Fact("journalist", say("Journalist’s risk"), told, note, value=worst)
    elif law(model) is not None:
        guess = alone_estimated(model)
        told = say("{share}", share=share(guess))
        note = say("estimated, of {people} {people:person|people}", people=Num(people(model)))
        yield Fact("population", say("Alone in the population"), told, note, value=guess)
    told, note = say("{share}", share=share(raw.marketer)), say("who says of every row whose it is")
    yield Fact("marketer", say("Marketer’s risk"), told, note, value=raw.marketer)


def sentences(model: RiskModel) -> Iterator[Sentence]:
    """Who can be found in the table as it is."""
    raw = risk_before(model)
    text = N_("{unique} of rows are alone by {columns}.")
    values = {"unique": share(raw.unique), "columns": columns_told(model.lab.quasi)}
    yield Sentence("risk", Message(text, values), "plain" if raw.highest < 1 else "bad")
    highest = Num(raw.highest, 3, "up", percent=True)
    yield Sentence("highest", say("The highest risk to be found is {risk}.", risk=highest))
    text = N_(
        "An attacker who says of every row whose it is finds {marketer} of them: the marketer’s "
        "risk."
    )
    yield Sentence("marketer", say(text, marketer=share(raw.marketer)))
    if model.done:
        yield from _known(model)
    yield from population_sentences(model)
    yield rows_told(model)


def _known(model: RiskModel) -> Iterator[Sentence]:
    found = most_known(model)
    if found is None:
        return
    text = N_("{share} are unique to somebody who knows {n} {n:column|columns}: {columns}.")
    values = {"share": share(found.most), "n": Num(found.columns)}
    columns = columns_told(best_names(model, found))
    yield Sentence("known", say(text, columns=columns, **values))
    alone, columns_, highest = special(model)
    text = N_(
        "{share} are singled out by at most {n} of these columns; the highest SUDA2 score is "
        "{highest} of the most that there can be."
    )
    if columns_ == 1:
        text = N_("{share} are singled out by this column alone.")
    values = {"share": share(alone), "highest": share(highest), "n": Num(columns_)}
    yield Sentence("suda", Message(text, values))


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
