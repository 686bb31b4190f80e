"""Anonymity's sentences of what is done to a column."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpstudio.labs.anonymity.anonymity.choices.operations import (
    Anatomy,
    HideRule,
    MicroAggregate,
    Nothing,
    Permute,
    Perturb,
    Pram,
    Suppress,
)
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel, prior, risk_before
from dpstudio.labs.anonymity.anonymity.operated import (
    belief,
    blanked,
    changed,
    operated,
    possible,
    pram_epsilon,
    tie,
)
from dpstudio.labs.anonymity.anonymity.perturbed_words import perturbed_sentences
from dpstudio.labs.anonymity.anonymity.released import by_chance, stays
from dpstudio.labs.anonymity.anonymity.rule_words import rule_sentences
from dpstudio.labs.findings import Sentence
from dpstudio.values.messages import N_, Num, say


def operation_sentences(model: AnonymityModel) -> Iterator[Sentence]:
    """How many values changed, what is left of a tie, and the promise there is, if any."""
    if isinstance(model.lab.operation, Nothing):
        return
    if not possible(model):
        yield _impossible(model)
        if stays(model) is None:
            text = N_("No table leaves: it would be another one than is asked for.")
            yield Sentence("leaves", say(text), "warn")
        return
    yield _leaving(model)
    if isinstance(model.lab.operation, Perturb):
        yield from perturbed_sentences(model)
        return
    if isinstance(model.lab.operation, HideRule):
        yield from rule_sentences(model)
        return
    before, after = tie(model)
    text = N_(
        "{changed} of rows have another “{column}”; its tie to the other column, Cramér’s V, goes "
        "from {before} to {after}."
    )
    if isinstance(model.lab.operation, Anatomy):
        text = N_(
            "Drawn from its group, {changed} of rows have another “{column}”; its tie to the other "
            "column, Cramér’s V, goes from {before} to {after}."
        )
    values = {"before": Num(before, 3), "after": Num(after, 3)}
    share = Num(changed(model), 3, percent=True)
    yield Sentence("operated", say(text, changed=share, column=operated(model).name, **values))
    yield _promise(model)


def _leaving(model: AnonymityModel) -> Sentence:
    """Whether and how it is in the table that leaves."""
    why, operation = stays(model), model.lab.operation
    if why is not None:
        return Sentence("leaves", why, "plain" if isinstance(operation, Permute) else "warn")
    text = N_(
        "It leaves so, and what stands first is of it; charts of classes and attacks are of the "
        "column before this."
    )
    if isinstance(operation, Anatomy):
        text = N_(
            "What leaves are these two tables, and no classes: every row as it is, beside a group "
            "that is drawn by chance of the system. {unique} of people are alone in them. Charts "
            "of classes and attacks are of classes that do not leave."
        )
        unique = Num(risk_before(model).unique, 3, percent=True)
        return Sentence("leaves", say(text, unique=unique), "plain")
    if by_chance(operation):
        text = N_(
            "What leaves is drawn anew by chance of the system, and not as it is seen here: no "
            "seed tells it. What stands first is of one such draw; charts of classes and attacks "
            "are of the column before this."
        )
    if isinstance(operation, Suppress) and blanked(model)[1]:
        text = N_(
            "It leaves so, and what stands first is of it: a row whose cell is blank shows what is "
            "left of its class. Charts of classes and attacks are of the column before this."
        )
    return Sentence("leaves", say(text))


def _impossible(model: AnonymityModel) -> Sentence:
    operation = model.lab.operation
    if isinstance(operation, Anatomy):
        text = N_(
            "No groups of {l} different values exist: one “{column}” has {share} of all rows, more "
            "than 1/{l}."
        )
        share = Num(prior(model), 3, percent=True)
        said = say(text, l=Num(operation.l), column=model.lab.sensitive, share=share)
    elif isinstance(operation, MicroAggregate):
        said = say("There are not so many rows, or the first quasi-identifier holds words.")
    elif isinstance(operation, HideRule):
        said = say("No rule is found: ask for less support or confidence, or other columns.")
    elif isinstance(operation, Perturb) and operation.times:
        said = say("Only numbers above 0 are multiplied: name a column of such numbers first.")
    else:
        said = say("This is done to numbers: name a column of numbers first.")
    return Sentence("operated", said, "warn")


def _promise(model: AnonymityModel) -> Sentence:
    if isinstance(model.lab.operation, Pram):
        text = N_(
            "PRAM is a local protocol: its matrix has ε = {epsilon} for this column, whatever else "
            "is published exactly."
        )
        epsilon = pram_epsilon(model)
        if math.isinf(epsilon):
            text = N_("PRAM that keeps every value promises nothing: what is read is the truth.")
            return Sentence("promise", say(text), "warn")
        return Sentence("promise", say(text, epsilon=Num(epsilon, 4, "up")))
    if isinstance(model.lab.operation, Anatomy):
        text = N_("Who knows somebody’s row believes no value of it more than {belief}.")
        return Sentence("promise", say(text, belief=Num(belief(model), 3, "up", percent=True)))
    if isinstance(model.lab.operation, MicroAggregate):
        text = N_("At least {k} rows share each “{column}”: k-anonymous in this column alone.")
        k = Num(model.lab.operation.rows)
        return Sentence("promise", say(text, k=k, column=operated(model).name))
    if isinstance(model.lab.operation, Suppress):
        return _blanked(model)
    return Sentence("promise", say("This keeps no promise of any kind."), "warn")


def _blanked(model: AnonymityModel) -> Sentence:
    share, rows = blanked(model)
    column = operated(model).name
    if not rows:
        return Sentence("promise", say("Nothing of “{column}” is left.", column=column))
    text = N_(
        "{share} of its cells are blank; every “{column}” that is left has {rows} rows or more: "
        "k-anonymous in this column alone."
    )
    share_ = Num(share, 3, percent=True)
    return Sentence("promise", say(text, share=share_, column=column, rows=Num(rows)))
