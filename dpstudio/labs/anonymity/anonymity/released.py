"""What leaves where something is done to a column: the classes with it, drawn by chance of the
system where it is chance; or why it does not leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.anonymity.anonymity.choices.algorithms import FullDomain
from dpstudio.labs.anonymity.anonymity.choices.operations import (
    Anatomy,
    HideRule,
    Nothing,
    Operation,
    Permute,
    Perturb,
    Pram,
    Resample,
    Suppress,
    Swap,
)
from dpstudio.labs.anonymity.anonymity.choices.promises import Presence, Size
from dpstudio.labs.anonymity.anonymity.columns import Coded, words_of
from dpstudio.labs.anonymity.anonymity.model import (
    AnonymityModel,
    risk_after,
    risk_before,
    sensitive,
    surest,
)
from dpstudio.labs.anonymity.anonymity.operated import (
    BLANK,
    anatomy,
    belief,
    operated,
    possible,
    randomised,
    swapped,
)
from dpstudio.labs.anonymity.anonymity.published_values import class_words
from dpstudio.labs.memo import once
from dpstudio.privacy.anonymity import sanitise
from dpstudio.privacy.anonymity.classes import Classes, Risk, grouped
from dpstudio.privacy.anonymity.mondrian import Quasi
from dpstudio.privacy.sampling import SystemChance
from dpstudio.values.messages import N_, Message, say

_OF_VALUES = (Swap, Pram)


def stays(model: AnonymityModel) -> Message | None:
    """Why what is done does not leave, None where it does, or nothing is done."""
    lab = model.lab
    if isinstance(lab.operation, HideRule):
        text = N_(
            "This stays here: items are deleted from single rows, and what leaves are classes, of "
            "which each shows many."
        )
    elif isinstance(lab.operation, Perturb):
        text = N_(
            "This stays here: people add their noise before there is a table. What leaves is the "
            "table as it is, in classes."
        )
    elif isinstance(lab.operation, Permute):
        text = N_(
            "What leaves is the same with it or without: rows of a class look alike, and their "
            "order tells nothing."
        )
    elif isinstance(lab.operation, _OF_VALUES) and not isinstance(lab.promise, Size | Presence):
        text = N_(
            "This stays here: what classes promise of “{column}” would be of other values. Ask for "
            "k-anonymity alone."
        )
    elif isinstance(lab.operation, _OF_VALUES):
        return None
    elif isinstance(lab.promise, Presence):
        text = N_(
            "This stays here: people would fit other classes, and δ-presence is not kept. Ask for "
            "k-anonymity alone."
        )
    elif isinstance(lab.algorithm, FullDomain) and not isinstance(lab.operation, Anatomy):
        text = N_(
            "This stays here: hierarchies have no words for what it makes. Make classes by boxes."
        )
    else:
        return None
    return say(text, column=lab.sensitive)


def by_chance(operation: Operation) -> bool:
    """Whether what leaves is drawn."""
    return isinstance(operation, Swap | Pram | Resample | Anatomy)


def leaves(model: AnonymityModel) -> bool:
    """Whether the table leaves with what is done to it."""
    done = not isinstance(model.lab.operation, Nothing) and possible(model)
    return done and stays(model) is None


def ready(model: AnonymityModel) -> bool:
    """Whether there is chance of the system, where the table is drawn."""
    return model.below is not None or not (leaves(model) and by_chance(model.lab.operation))


def chance(model: AnonymityModel) -> SystemChance:
    """Draws that nothing tells: for what promises nothing by the law of its chance."""
    assert model.below is not None
    return SystemChance(model.below)


@once
def released(model: AnonymityModel) -> AnonymityModel:
    """The table that leaves, as one that can be asked what it keeps and loses: its columns and
    classes. The same at each call."""
    return _done(model, groups, _drawn) if leaves(model) else model


@once
def seen(model: AnonymityModel) -> AnonymityModel:
    """The same as it is looked at, where chance decides: with draws that the seed of the lab tells,
    which do not leave."""
    return _done(model, anatomy, _looked_at) if leaves(model) else model


def ungrouped(model: AnonymityModel) -> bool:
    """Whether what leaves shows every row as it is, beside a group: anatomy."""
    return leaves(model) and isinstance(model.lab.operation, Anatomy)


def risk_left(model: AnonymityModel) -> Risk:
    """That somebody is found in what leaves: in rows as they are beside a group as before."""
    return risk_before(model) if ungrouped(model) else risk_after(seen(model))


def surest_left(model: AnonymityModel) -> float:
    """The most that an attacker believes of anybody of what leaves."""
    return belief(model) if ungrouped(model) else surest(seen(model))


def counts_loss(model: AnonymityModel) -> bool:
    """Whether the loss of the classes is that of the table that leaves: not where a
    quasi-identifier is changed, or none is generalised."""
    return not leaves(model) or redrawn(model)


def redrawn(model: AnonymityModel) -> bool:
    """Whether what leaves shows people values that need not be theirs."""
    return leaves(model) and isinstance(model.lab.operation, _OF_VALUES)


def beforehand(model: AnonymityModel) -> Message | None:
    """Of which table the charts of classes and the attacks are, where it is not the one that
    leaves; None where it is."""
    if not leaves(model):
        return None
    if ungrouped(model):
        return say("of classes that do not leave")
    return say("before “{column}” is changed", column=operated(model).name)


def _looked_at(model: AnonymityModel) -> Array:
    return operated(model).after


def _drawn(model: AnonymityModel) -> Array:
    """The column after what is done to it, by chance of the system."""
    operation = model.lab.operation
    if isinstance(operation, Pram):
        assert model.below is not None
        keep, below = operation.keep, model.below
        return array(randomised(model, lambda c, n: sanitise.pram_exactly(c, n, keep, below)))
    if isinstance(operation, Swap):
        return array(swapped(model, operation, chance(model)))
    if isinstance(operation, Resample):
        before = operated(model).before
        return array(sanitise.resampled(before, chance(model), fitted=operation.fitted))
    return operated(model).after


@once
def groups(model: AnonymityModel) -> sanitise.Anatomy:
    """The groups of anatomy that leave."""
    operation = model.lab.operation
    assert isinstance(operation, Anatomy)
    values = model.rows.sensitive.values
    return sanitise.anatomised(sensitive(model), values, operation.l, chance(model))


def _done(
    model: AnonymityModel,
    grouping: Callable[[AnonymityModel], sanitise.Anatomy],
    after: Callable[[AnonymityModel], Array],
) -> AnonymityModel:
    operation, column = model.lab.operation, model.rows.sensitive
    if isinstance(operation, Anatomy):
        made = grouping(model)
        return replace(model, classes=Classes(made.group, len(made.counts)))
    if isinstance(operation, _OF_VALUES):
        codes = after(model).astype(np.int64)
        column = replace(column, quasi=Quasi(codes, column.quasi.at, column.quasi.weight))
        return replace(model, rows=replace(model.rows, sensitive=column))
    columns = (_first(model, after(model)), *model.rows.columns[1:])
    return _merged(replace(model, rows=replace(model.rows, columns=columns)))


def _first(model: AnonymityModel, after: Array) -> Coded:
    """The first quasi-identifier after what is done to it. Blank cells do not widen their class,
    which is blank where all of its cells are."""
    first = model.rows.columns[0]
    if isinstance(model.lab.operation, Suppress):
        return _blanked(first, after, model.classes)
    at, codes = np.unique(after, return_inverse=True)
    at = np.array([float(f"{value:.12g}") for value in at.tolist()])  # of what is worked out
    quasi = Quasi(codes.astype(np.int64), at, first.quasi.weight)
    return Coded(first.name, quasi, (), first.whole, first.date)


def _blanked(first: Coded, after: Array, classes: Classes) -> Coded:
    words, codes = words_of(first), first.quasi.codes
    blank = np.isnan(after) if first.quasi.at is not None else after == len(words)
    there = ~blank & (classes.of >= 0)
    lowest = np.full(classes.many, len(words))
    np.minimum.at(lowest, classes.of[there], codes[there])
    out = np.where(blank, lowest[classes.of], codes)
    at = None if first.quasi.at is None else np.append(first.quasi.at, first.quasi.at[-1] + 1)
    return Coded(first.name, Quasi(out, at, first.quasi.weight), (*words, BLANK), first.whole)


def _merged(model: AnonymityModel) -> AnonymityModel:
    """The same where classes that show the same are one: they only grow."""
    told = [class_words(model, place) for place in range(len(model.rows.columns))]
    codes = [np.unique(np.array(each, dtype=object).astype(str), return_inverse=True)[1]
             for each in told]  # fmt: skip
    of, many = grouped(np.stack(codes, axis=1).astype(np.int64))
    name = np.append(of, -1)
    return replace(model, classes=Classes(name[model.classes.of], many))
