"""One state of Compress: splits of the rows, the directions that each way takes from what is learnt
from, and how often both labels are told right of the others."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import split
from dpstudio.data.memory import Sized
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.compress.parameters import Compress, Faces
from dpstudio.labs.whole_tables.compress.rows import Held, Space, held_of, space_of
from dpstudio.privacy.compression.adversaries import Scores, linear, nearest_centre, whole
from dpstudio.privacy.compression.inverse import decoder, inverse
from dpstudio.privacy.compression.projections import (
    PRIVACY,
    PROJECTIONS,
    UTILITY,
    Projection,
    RandomProjection,
)
from dpstudio.privacy.compression.scatter import Codes, Sums, less, sums_of
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.values.messages import Message

Check = Callable[[], None]
BAND = (0.05, 0.5, 0.95)
_STEPS = (1, 2, 3, 4, 6, 9, 14, 20, 30, 45, 70, 100, 150, 220, 300, 400)
_FEW, _LEAST = 5, 3  # splits of a first picture; at any effort
_TESTED, _SHARE = 2_000, 0.25  # at most, of the rows
_HELD = 2_000_000  # numbers of rows to test with that are remembered, 16 MB
STREAM = 71


@dataclass(frozen=True, eq=False)
class Splits(Sized):
    """Sums of the rows to learn from, stacked, and the numbers of the rows to test with, (splits,
    rows)."""

    sums: Sums
    test: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Trade:
    """How often the utility and the privacy label are told right of rows that were not learnt from,
    at each number of directions `ks`: (2, ks, splits)."""

    ks: tuple[int, ...]
    right: Array

    @property
    def middle(self) -> Array:
        """Half of the splits lie below, (2, ks)."""
        return np.asarray(np.median(self.right, axis=-1))

    @property
    def band(self) -> Array:
        """With 5, 50 and 95 % of the splits below, (3, 2, ks)."""
        return np.asarray(np.quantile(self.right, BAND, axis=-1))


@dataclass(frozen=True, eq=False)
class CompressModel:
    """One state of the lab. In stage 0 few splits of the chosen way are made, in stage 1 all, of
    every way, in stage 2 attackers learn from rows as well. In a `quick` model of stage 1 ways that
    keep a promise are drawn in few splits. `check` raises Stopped."""

    lab: Compress
    data: Dataset
    effort: Effort
    stage: int
    check: Check
    quick: bool = False

    @property
    def splits(self) -> int:
        """How many there are."""
        whole = self.effort.of_draws(self.lab.splits, _LEAST)
        return min(_FEW, whole) if self.stage == 0 else whole

    @property
    def of_table(self) -> bool:
        """Whether the rows are those of the table."""
        return self.lab.of_table


def compress_model(lab: Compress, context: Context, stage: int) -> CompressModel:
    """The state on rows that can answer it."""
    return CompressModel(lab, context.data, context.effort, stage, context.check)


@once
def held(model: CompressModel) -> Held:
    """The rows."""
    return held_of(model.lab, model.data)


@once
def space(model: CompressModel) -> Space:
    """The rows along the directions in which they vary."""
    return space_of(model.lab, model.data)


def drawn(model: CompressModel, *ways: str) -> bool:
    """Whether rows, or the directions of one of these ways, are drawn from the seed."""
    return isinstance(model.lab.points, Faces) or RandomProjection.key in ways


def label_name(model: CompressModel, which: int) -> Message | str:
    """What a label is called."""
    return held(model).labels[which].name


def remember_key(model: CompressModel, name: str, *more: Hashable) -> tuple[Hashable, ...]:
    """What is remembered of these rows in so many splits."""
    lab = model.lab
    return "compress", name, lab.points, lab.seed, lab.score, model.splits, *more


@once
def splits(model: CompressModel) -> Splits:
    """The splits, all rows of a person on one side."""
    rows, turned = held(model), space(model)
    n = len(turned.z)
    share = min(_SHARE, _TESTED / n)

    def made() -> Splits:
        tests = [
            split(n, share, model.lab.seed + place, rows.whose)[1] for place in range(model.splits)
        ]
        parts = [_sums(turned, rows, test) for test in tests]
        least = min(map(len, tests))
        return Splits(less(turned.sums, parts), np.stack([test[:least] for test in tests]))

    return model.data.remember(remember_key(model, "splits"), made)


def _sums(turned: Space, rows: Held, test: NDArray[np.int64]) -> Sums:
    return sums_of(turned.z[test], tuple((codes[test], many) for codes, many in rows.coded))


def way_of(model: CompressModel, key: str) -> Projection:
    """A projection of the catalogue; the chosen one with all that is set."""
    mine = model.lab.way
    return mine if mine.key == key else next(kind for kind in PROJECTIONS if kind.key == key)()


def shown_ways(model: CompressModel) -> tuple[str, ...]:
    """The projections that are drawn, the chosen one among them."""
    mine = model.lab.way.key
    if model.stage == 0:
        return (mine,)
    return tuple(kind.key for kind in PROJECTIONS if kind.key in (mine, *model.lab.drawn))


def most(model: CompressModel, way: Projection) -> int:
    """How many directions of a way mean anything here."""
    return max(1, way.most(len(held(model).labels[UTILITY].words), space(model).rank))


def columns(model: CompressModel) -> int:
    """How many numbers a row holds."""
    return len(space(model).mean)


def banded() -> float:
    """The share of the splits that a band keeps."""
    return round(BAND[-1] - BAND[0], 9)


def signals(model: CompressModel) -> int:
    """How many directions tell the utility classes apart at most: one fewer than there are."""
    return min(space(model).rank, len(held(model).labels[UTILITY].words) - 1)


def k_of(model: CompressModel) -> int:
    """How many directions of the chosen way are looked at."""
    return min(model.lab.k, most(model, model.lab.way))


def ladder(model: CompressModel, top: int) -> tuple[int, ...]:
    """The numbers of directions that are tried up to `top`, which is one of them; not all where
    little effort is made."""
    steps = [k for k in _STEPS if k < top] + [top]
    apart = max(1, round(len(steps) / model.effort.of_points(len(_STEPS), 4)))
    return tuple(sorted({*steps[::apart], top}))


def directions(model: CompressModel, way: Projection) -> Array:
    """The directions of a way in each split, as many as mean anything: (splits, r, K)."""
    drawn = model.lab.seed if isinstance(way, RandomProjection) else 0

    def made() -> Array:
        model.check()
        found = way.directions(splits(model).sums, SimulationRandom(model.lab.seed, STREAM, drawn))[
            1
        ]
        return array(found[..., : most(model, way)])

    return model.data.remember(remember_key(model, "directions", way), made)


def trade(model: CompressModel, way: Projection, attacker: str) -> Trade:
    """Both accuracy on labels of a way by the number of directions: the utility label by the linear
    rule, the privacy label by this attacker. Remembered."""
    ks = ladder(model, most(model, way))
    return trade_at(model, way, attacker, ks)


def trade_at(model: CompressModel, way: Projection, attacker: str, ks: tuple[int, ...]) -> Trade:
    """The same at these numbers of directions."""

    def told(label: int, by: str) -> Array:
        key = _right_key(model, way, label, by, ks)
        return model.data.remember(key, lambda: right(model, label, by, directions(model, way), ks))

    return Trade(ks, array([told(UTILITY, "linear"), told(PRIVACY, attacker)]))


def _right_key(
    model: CompressModel, way: Projection, label: int, by: str, ks: tuple[int, ...]
) -> tuple[Hashable, ...]:
    return remember_key(model, "right", way, label, by, ks)


def traded(model: CompressModel) -> bool:
    """Whether what is told of every way that is drawn, at its number of directions, is
    remembered."""
    by, ways, k = model.lab.attacker, map(partial(way_of, model), shown_ways(model)), k_of(model)
    return all(
        model.data.known(_right_key(model, way, label, rule, (min(k, most(model, way)),)))
        for way in ways
        for label, rule in ((UTILITY, "linear"), (PRIVACY, by))
    )


def right(model: CompressModel, label: int, attacker: str, w: Array, ks: tuple[int, ...]) -> Array:
    """How often a rule tells a label right from the first K of these directions, (ks, splits)."""
    made, codes = splits(model), held(model).codes[label]
    z = tested(model) @ w[..., : max(ks)]
    wanted, found = codes[made.test], []
    for k in ks:
        model.check()
        rule = weighed(model, rule_of(model, attacker, label, w[..., :k]), attacker, label)
        found.append(scored(model, label, rule.tells(z[..., :k]), wanted))
    return np.asarray(found)


def rule_of(model: CompressModel, attacker: str, label: int, w: Array) -> Scores:
    """The rule of an attacker for a label, from these directions."""
    sums = splits(model).sums
    if attacker == "linear":
        return linear(sums, label, w)
    if attacker == "centre":
        return nearest_centre(sums, label, w)
    # A rule of whole rows, for rows that are turned back first.
    back = inverse(w) if attacker == "inverse" else decoder(sums.spread, w)
    return whole_rules(model)[label].through(back)


@once
def whole_rules(model: CompressModel) -> tuple[Scores, Scores]:
    """The linear rules of rows that are not projected, for both labels."""
    sums = splits(model).sums
    return whole(sums, UTILITY), whole(sums, PRIVACY)


def weighed(model: CompressModel, rule: Scores, attacker: str, label: int) -> Scores:
    """A rule as the score in use asks for it."""
    if model.lab.score == "rows" or attacker == "centre":
        return rule
    return rule.even(splits(model).sums.shares(label))


def scored(model: CompressModel, label: int, told: Codes, wanted: Codes) -> Array:
    """The share of rows (..., n) that are told right, (...), or the mean of that over the classes
    that are there."""
    hits = told == wanted
    if model.lab.score == "rows":
        return np.asarray(np.mean(hits, axis=-1))
    total, there = np.zeros(hits.shape[:-1]), np.zeros(hits.shape[:-1])
    for code in range(len(held(model).labels[label].words)):
        some = wanted == code
        count = some.sum(axis=-1)
        total += (hits & some).sum(axis=-1) / np.maximum(count, 1)
        there += count > 0
    return np.asarray(total / np.maximum(there, 1))


@once
def tested(model: CompressModel) -> Array:
    """The rows to test with, less the mean of those that are learnt from: (splits, rows, r);
    remembered where they are not too many."""
    made, turned = splits(model), space(model)

    def less_mean() -> Array:
        return array(turned.z[made.test] - made.sums.mean[:, None, :])

    if made.test.size * turned.rank > _HELD:
        return less_mean()
    return model.data.remember(remember_key(model, "tested"), less_mean)


@once
def here(model: CompressModel) -> Trade:
    """The chosen way at the chosen number of directions."""
    return trade_at(model, model.lab.way, model.lab.attacker, (k_of(model),))


def told_here(model: CompressModel) -> tuple[float, float]:
    """How often utility and privacy are told right there, in the middle of the splits."""
    one, two = here(model).middle[:, 0]
    return float(one), float(two)


@once
def unprojected(model: CompressModel) -> tuple[float, float]:
    """The same of rows that are not projected, by the linear rule."""

    def made() -> tuple[float, float]:
        z, parts = tested(model), splits(model)
        shares = []
        for at, codes in enumerate(held(model).codes):
            rule = weighed(model, whole_rules(model)[at], "linear", at)
            shares.append(np.median(scored(model, at, rule.tells(z), codes[parts.test])))
        return float(shares[0]), float(shares[1])

    return model.data.remember(remember_key(model, "unprojected"), made)


def one_answer(model: CompressModel, label: int, wanted: Codes) -> Array:
    """How often the one answer for all rows (..., n) that is right most often is so, (...): never
    less often than a coin of two classes."""
    every = range(len(held(model).labels[label].words))
    alike = [scored(model, label, np.full(wanted.shape, code), wanted) for code in every]
    return np.asarray(np.max(alike, axis=0))


@once
def commonest(model: CompressModel) -> tuple[float, float]:
    """How often one answer for all is right of the rows that are tested, at best: that of the
    commonest class; in the middle of the splits."""
    tests = splits(model).test
    told = [one_answer(model, at, codes[tests]) for at, codes in enumerate(held(model).codes)]
    return float(np.median(told[0])), float(np.median(told[1]))


def counted(model: CompressModel) -> tuple[int, int, int]:
    """Rows, how many of them are tested in each split, and how many were left out."""
    return len(held(model).x), splits(model).test.shape[1], held(model).left_out
