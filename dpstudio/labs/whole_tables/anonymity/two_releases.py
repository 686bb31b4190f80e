"""Two releases of one table, laid upon each other: what who holds both knows of somebody (Ganta,
Kasiviswanathan & Smith 2008, the intersection attack)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity import heights, parameters, weighed
from dpstudio.labs.whole_tables.anonymity.choices.algorithms import Algorithm, FullDomain, Mondrian
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, keeps, made, told
from dpstudio.labs.whole_tables.anonymity.presence_population import hides
from dpstudio.labs.whole_tables.rows.model import n, sensitive
from dpstudio.labs.whole_tables.rows.table import SensitiveRows
from dpstudio.privacy.anonymity.classes import Classes, Codes, grouped
from dpstudio.privacy.anonymity.mondrian import RELAXED, STRICT, TIES
from dpstudio.privacy.anonymity.together import fitting
from dpstudio.values.parameters import ParamError


@dataclass(frozen=True, eq=False)
class Release:
    """A second release: the class of each row of the first one, (n,), −1 where it has none, how
    many rows each class has, and how often each sensitive value occurs in it, (classes, values)."""

    of: Codes
    sizes: Codes
    told: Codes


def second_lab(lab: parameters.Anonymity) -> parameters.Anonymity:
    """The lab of the second release."""
    promise = lab.promise.with_(k=lab.again)
    quasi = lab.again_quasi or lab.quasi
    return lab.with_(quasi=quasi, promise=promise, algorithm=_algorithm(lab))


def _algorithm(lab: parameters.Anonymity) -> Algorithm:
    boxes = isinstance(lab.algorithm, Mondrian)
    if lab.again_by == parameters.ANOTHER:
        return FullDomain() if boxes else Mondrian(way=TIES)
    if isinstance(lab.algorithm, Mondrian) and lab.again_by == parameters.SIDE:
        return Mondrian(way=TIES if lab.algorithm.way == STRICT else STRICT)
    if isinstance(lab.algorithm, FullDomain) and lab.again_quasi:
        return lab.algorithm.with_(heights=())  # those of other columns
    return lab.algorithm


def shares_values(model: AnonymityModel) -> bool:
    """Whether boxes of one of the releases may hold the same values: who knows these of somebody
    does not know her box then, and what is counted here is for who does."""
    both = model.lab.algorithm, second_lab(model.lab).algorithm
    return any(isinstance(each, Mondrian) and each.way == RELAXED for each in both)


@once
def again(model: AnonymityModel) -> Release | None:
    """The second release; None where the table cannot be published so, all rows would be left out,
    or the population lacks one of its columns."""
    lab, data = second_lab(model.lab), model.data
    try:
        rows = weighed.rows_of(lab, data)
        if heights.too_many(lab, data, rows):
            return None
        if not (keeps(lab.promise, rows) and hides(lab, data, lab.promise, model.second)):
            return None
    except ParamError:
        return None
    classes = made(lab, data, lab.promise, model.check, model.second).classes
    if not classes.many:
        return None
    place = np.full(data.rows, -1, dtype=np.int64)
    place[rows.kept] = classes.of
    return Release(place[model.rows.kept], classes.sizes, _in_words(model.rows, rows, classes))


def _in_words(first: SensitiveRows, rows: SensitiveRows, classes: Classes) -> Codes:
    """The counts of other `rows` for the sensitive values of the `first` ones: those of each are
    what is frequent among them."""
    held, mine = rows.told(classes), first.sensitive.words[: first.sensitive.values]
    found = {word: place for place, word in enumerate(rows.sensitive.words[: held.shape[1]])}
    none = np.zeros((len(held), 1), dtype=np.int64)
    return np.column_stack([held, none])[:, [found.get(word, -1) for word in mine]]


@dataclass(frozen=True, eq=False)
class Laid:
    """People who share a class in both releases, as groups: how many they are, and how many of them
    have a sensitive value, (groups,); how many look alike and how many sensitive values are
    possible to who holds the first release, the second, and, at most, both, (groups, 3). A release
    that leaves somebody out tells nothing of her."""

    people: Codes
    valued: Codes
    alike: Codes
    possible: Codes


@once
def laid(model: AnonymityModel) -> Laid | None:
    """Both releases upon each other; None without a second."""
    other = again(model)
    if other is None:
        return None
    pairs = np.stack([model.classes.of, other.of], axis=1)
    of, many = grouped(pairs + 1)
    first = np.zeros(many, dtype=np.int64)
    first[of[::-1]] = np.arange(len(of))[::-1]
    people = np.bincount(of, minlength=many)
    alike, sets = [], []
    both = Release(model.classes.of, model.classes.sizes, told(model)), other
    for place, each in zip(pairs[first].T, both, strict=True):
        there, held = place >= 0, each.told
        sizes, possible = np.full(many, n(model)), np.ones((many, held.shape[1]), dtype=np.bool_)
        # A class without any value rules none out.
        left = (held > 0) | (held.sum(1, keepdims=True) == 0)
        sizes[there], possible[there] = each.sizes[place[there]], left[place[there]]
        alike.append(sizes)
        sets.append(possible)
    out = np.any(pairs[first] < 0, axis=1)
    alike.append(np.where(out, np.minimum(*alike), people))
    sets.append(_fitting(people, pairs[first], both, sets[0] & sets[1]))
    left = [each.sum(1) for each in sets]
    has_one = sensitive(model) < model.rows.sensitive.values
    valued = np.bincount(of[has_one], minlength=many)
    return Laid(people, valued, np.stack(alike, axis=1), np.stack(left, axis=1))


def _fitting(
    people: Codes, places: Codes, both: tuple[Release, ...], possible: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Of the values that the sets of both leave possible, those that fit their counts; a missing
    value is one among them there, and rules none out."""
    held = [np.column_stack([each.told, each.sizes - each.told.sum(1)]) for each in both]
    missing = [(p < 0) | (h[p, -1] > 0) for p, h in zip(places.T, held, strict=True)]
    left = fitting(people, places, held, np.column_stack([possible, missing[0] & missing[1]]))
    fits = possible & left[:, :-1]
    return np.where(fits.any(axis=1, keepdims=True), fits, possible)


def _laid(model: AnonymityModel) -> Laid:
    found = laid(model)
    assert found is not None
    return found


def certain(model: AnonymityModel) -> tuple[int, int, int]:
    """People whose value is certain from the first release, from the second, and, at least, from
    both."""
    found = _laid(model)
    sure = [int(found.valued[each == 1].sum()) for each in found.possible.T]
    return sure[0], sure[1], sure[2]


def narrowed(model: AnonymityModel) -> float:
    """The share of people of whom both releases leave fewer values possible than either alone, at
    least."""
    found = _laid(model)
    fewer = found.possible[:, 2] < found.possible[:, :2].min(1)
    return int(found.people[fewer].sum()) / n(model)


def fewest(model: AnonymityModel) -> int:
    """The fewest people who look alike to who holds both: the k that is left."""
    return int(_laid(model).alike[:, 2].min())


def alone_in_both(model: AnonymityModel) -> float:
    """The share of people whom nobody else looks like in both."""
    found = _laid(model)
    return int(found.people[found.alike[:, 2] == 1].sum()) / n(model)


def alike_shares(model: AnonymityModel, which: int) -> tuple[Array, Array]:
    """Each number of people who look alike to who holds the first release, the second or both (0, 1
    or 2), and the share of people of whom no more do."""
    found = _laid(model)
    values, place = np.unique(found.alike[:, which], return_inverse=True)
    held = np.bincount(place, weights=found.people)
    return array(values), array(np.cumsum(held) / n(model))
