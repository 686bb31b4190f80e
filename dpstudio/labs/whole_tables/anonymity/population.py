"""Whom of a population the classes fit: the table beside this one stands for it, or the rows that
are not published."""

from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, suppressed, task
from dpstudio.labs.whole_tables.rows.model import register
from dpstudio.privacy.anonymity.classes import Codes
from dpstudio.privacy.anonymity.presence import shares_of


@once
def fits(model: AnonymityModel) -> Codes:
    """How many people of the population each class fits, (classes,)."""
    return model.lab.algorithm.fits(task(model), model.made)


@once
def journalist_after(model: AnonymityModel) -> float:
    """The same in what is published: 1 over the people whom a class fits."""
    return float((1 / fits(model)).max(initial=0.0))


@once
def presence(model: AnonymityModel) -> tuple[float, float]:
    """The least and the largest share of the people whom a class fits that are in it: how sure one
    can be that somebody is in the table."""
    shares = shares_of(model.classes.sizes, fits(model))
    return float(shares.min(initial=1.0)), float(shares.max(initial=0.0))


@once
def others(model: AnonymityModel) -> int:
    """How many people of the population no class fits."""
    return len(register(model).people) - int(fits(model).sum())


def presence_of_others(model: AnonymityModel) -> float:
    """How sure one can be of each of them: the suppressed rows are theirs."""
    return suppressed(model) / others(model)
