"""What is said of linkage of one's own table."""

from collections.abc import Iterator

from dpstudio.labs.attacks.attackers.success_charts import percent
from dpstudio.labs.attacks.linkage.attackers.joining.model import JoiningModel, here
from dpstudio.labs.attacks.linkage.attackers.linkage.words import found_facts
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.values.messages import N_, Num, plain, say


def facts(model: JoiningModel) -> tuple[Fact, ...]:
    """Who is found rightly, wrongly, and by a join."""
    return found_facts(*here(model))


def sentences(model: JoiningModel) -> Iterator[Sentence]:
    """How few columns find a row, and what a join makes of false values."""
    right, wrong, exact = here(model)
    if model.second is not None:
        yield from _of_second(model, model.second.name)
        return
    assert wrong is not None
    many, false = len(model.attacker.columns), model.attacker.false
    text = N_(
        "{many} {many:column finds|columns find} {right} of the rows again, with {false} of the "
        "values false."
    )
    told = say(text, many=Num(many), right=percent(right), false=percent(false))
    yield Sentence("gain", told, "bad" if right > wrong else "warn")
    text = N_(
        "An exact join finds {exact}. {wrong} are taken for somebody else. Leaving names out has "
        "no ε."
    )
    yield Sentence("exact", say(text, exact=percent(exact), wrong=percent(wrong)))


def _of_second(model: JoiningModel, name: str) -> Iterator[Sentence]:
    """How many of the people of the table beside are found in this one."""
    right, wrong, exact = here(model)
    named = {"name": plain(name), "right": percent(right), "exact": percent(exact)}
    if wrong is None:
        text = N_("For {right} of the people of “{name}” one row fits clearly best.")
        yield Sentence("gain", say(text, **named), "warn")
        text = N_(
            "Whether it is theirs nobody knows: name a column that tells who is who. For {exact} "
            "one row alone has all the same values."
        )
        yield Sentence("exact", say(text, **named))
        return
    text = N_("{right} of the people of “{name}” are found in this table.")
    tone = "bad" if right > wrong else "warn"
    yield Sentence("gain", say(text, **named), tone)
    text = N_(
        "{wrong} are taken for somebody else. An exact join finds {exact}. Leaving names out has "
        "no ε."
    )
    yield Sentence("exact", say(text, wrong=percent(wrong), **named))
