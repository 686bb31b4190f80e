"""δ-presence as a promise: how sure it may be that somebody of a population is in a table that is
published (Nergiz, Atzori & Clifton 2007)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.anonymity.classes import Codes, Mask, grouped

_SLACK = 1e-12


@dataclass(frozen=True)
class Bounds:
    """Of everybody of the population the chance to be in the table is `least` to `most`, 0 to 1."""

    least: float
    most: float

    def kept(self, rows: Codes, people: Codes) -> Mask:
        """Whether parts of the population keep this of whose `people` so many are `rows` of the
        table, shape (parts,). A part without anybody does."""
        share = rows / np.maximum(people, 1)
        low, high = self.least - _SLACK, self.most + _SLACK
        return np.asarray((people == 0) & (rows == 0) | (low <= share) & (share <= high))


@dataclass(frozen=True, eq=False)
class Crowd:
    """Everybody, by the quasi-identifiers: `here` (n, columns) of the rows of a table and `people`
    (people, columns) in codes that both share. Of an `ordered` column what is published of a class
    is from its lowest to its highest code, of another one the codes themselves. Boxes that share no
    row fit nobody twice where some column tells them apart, as halves below a value do."""

    here: Codes
    people: Codes
    ordered: tuple[bool, ...]
    bounds: Bounds

    def inside(self, rows: Codes, of: Codes, many: int, people: Codes, asked: Codes) -> Mask:
        """Whether each of these `people` fits the box that it is `asked` for, (people,): `many`
        boxes, of which the one with number `of` holds each of these `rows`."""
        out = np.ones(len(people), dtype=np.bool_)
        for column, ordered in enumerate(self.ordered):
            mine, theirs = self.here[rows, column], self.people[people, column]
            size = 1 + int(max(mine.max(initial=0), theirs.max(initial=0)))
            if ordered:
                low, high = np.full(many, size), np.full(many, -1)
                np.minimum.at(low, of, mine)
                np.maximum.at(high, of, mine)
                out &= (low[asked] <= theirs) & (theirs <= high[asked])
            else:
                out &= np.isin(asked * size + theirs, of * size + mine)
        return out

    def first(self) -> Codes:
        """Who fits the box of all rows: 0, and −1 who does not, (people,)."""
        rows, all_ = np.arange(len(self.here)), np.arange(len(self.people))
        return np.where(self.inside(rows, 0 * rows, 1, all_, 0 * all_), 0, -1)

    @property
    def one_kept(self) -> bool:
        """Whether all rows as one class keep the bounds, and those whom it does not fit."""
        fit = np.count_nonzero(self.first() >= 0)
        sizes = np.array([len(self.here), 0]), np.array([fit, len(self.people) - fit])
        return bool(self.bounds.kept(*sizes).all())


class Standing:
    """Which class each of a crowd fits while classes are halved: `where` (people,), −1 for none."""

    def __init__(self, crowd: Crowd):
        self.crowd, self.where = crowd, crowd.first()

    def kept(self, names: Codes, rows: Codes, half: Codes) -> Mask:
        """Whether the classes `names`, (cut,), may be cut so that `rows` go to their halves `half`,
        2i and 2i + 1 of the i-th: both keep the bounds, and where somebody must be in the table
        with some chance, nobody falls between them."""
        place = np.full(int(max(self.where.max(initial=0), names.max(initial=0))) + 1, -1)
        place[names] = np.arange(len(names))
        people = np.flatnonzero(self.where >= 0)
        people = people[place[self.where[people]] >= 0]
        of, fit = place[self.where[people]], np.zeros(2 * len(names), dtype=np.int64)
        for side in (0, 1):
            inside = self.crowd.inside(rows, half, len(fit), people, 2 * of + side)
            fit += np.bincount(2 * of[inside] + side, minlength=len(fit))
        sizes = np.bincount(half, minlength=len(fit))
        good = self.crowd.bounds.kept(sizes, fit).reshape(-1, 2).all(1)
        if self.crowd.bounds.least > 0:
            good &= fit.reshape(-1, 2).sum(1) == np.bincount(of, minlength=len(names))
        return np.asarray(good)

    def move(self, cut: Mask, new: Codes, of: Codes, many: int) -> None:
        """Go to the halves of the classes that were `cut`, whose right ones have the numbers `new`;
        `of` is the class of each row now, (n,), of `many`."""
        people = np.flatnonzero(self.where >= 0)
        people = people[cut[self.where[people]]]
        before, rows = self.where[people], np.arange(len(of))
        self.where[people] = -1
        for asked in (before, new[before]):
            inside = self.crowd.inside(rows, of, many, people, asked)
            self.where[people[inside]] = asked[inside]


@dataclass(frozen=True, eq=False)
class Heights:
    """Everybody as full-domain generalisation takes them: `people` (people, columns), and of each
    column and height the ancestor of each of their values, in the codes that a table's own
    ancestors have, `all[column][height]` (values,); −1 for a value of which nothing is known
    there, which fits no class."""

    people: Codes
    all: tuple[tuple[Codes, ...], ...]
    bounds: Bounds

    @property
    def nested(self) -> bool:
        """Whether who is alike at a height is so above it, so that parts of the population only
        join: the share of two lies between theirs."""
        pairs = (pair for column in self.all for pair in pairwise(column))
        return all(_follows(low, high) for low, high in pairs)

    def held(self, heights: Mapping[int, int]) -> Heights:
        """The same where some columns, by their place, stand at one height alone."""
        told = tuple(
            (each[heights[i]],) if i in heights else each for i, each in enumerate(self.all)
        )
        return replace(self, all=told)

    def fits(
        self, node: Sequence[int], published: Sequence[Codes], label: Codes, many: int
    ) -> Codes:
        """How many people each of `many` classes fits: kinds of rows have the words `published`,
        (kinds,) a column, at this node, and the class `label`, (kinds,)."""
        told = [self.all[i][height][self.people[:, i]] for i, height in enumerate(node)]
        there = np.stack(told, axis=1)
        there = there[np.all(there >= 0, axis=1)]
        kinds = np.stack(published, axis=1)
        of, groups = grouped(np.concatenate((kinds, there)))
        held = np.bincount(of[len(kinds) :], minlength=groups)
        out = np.zeros(many, dtype=np.int64)
        out[label] = held[of[: len(kinds)]]
        return out


def _follows(low: Codes, high: Codes) -> bool:
    """Whether each word of a height has one word above it, and none loses it."""
    above: dict[int, int] = {}
    pairs = zip(low.tolist(), high.tolist(), strict=True)
    return all(above.setdefault(a, b) == b >= 0 for a, b in pairs if a >= 0)


def shares_of(sizes: Codes, people: Codes) -> Array:
    """Of each class the share of the people whom it fits that is in it, (classes,): how sure
    somebody is that a person is in the table."""
    return np.asarray(sizes / np.maximum(people, 1), dtype=np.float64)
