"""What stands beside the trade of the chosen way: attackers that learn from rows, and projections
that keep a promise."""

from __future__ import annotations

import math

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.compression.compress.model import (
    STREAM,
    CompressModel,
    Trade,
    commonest,
    directions,
    held,
    k_of,
    ladder,
    most,
    remember_key,
    right,
    scored,
    space,
    splits,
    tested,
    trade,
    trade_at,
    way_of,
    weighed,
)
from dpstudio.labs.compression.compress.parameters import QUICK, SLOW
from dpstudio.labs.once import once
from dpstudio.privacy.compression.adversaries import linear, logistic, neighbours
from dpstudio.privacy.compression.private import halved, noisy_directions, row_deviation, row_noise
from dpstudio.privacy.compression.projections import PRIVACY, UTILITY
from dpstudio.privacy.sampling import Looking

_KNOWN, _ASKED, _NEAREST, _FEW = 1_000, 300, 9, 5
_POINTS = 6
LEARNT_MOST = 30  # directions of which neighbours and logistic models are learnt
PRIVATE_MOST = 300  # columns whose noisy second moments are drawn for each split


def strengths(model: CompressModel) -> tuple[str, ...]:
    """The attackers that have been tried, the weakest kind first."""
    return (*QUICK, *SLOW) if model.stage == 2 else tuple(QUICK)


def told_by(model: CompressModel, attacker: str) -> tuple[tuple[int, ...], Array]:
    """How often an attacker tells the privacy label right by the number of directions of the chosen
    way: (ks, (ks, splits))."""
    if attacker in QUICK:
        found = trade(model, model.lab.way, attacker)
        return found.ks, found.right[PRIVACY]
    ks = slow_ks(model)
    return ks, array([learnt(model, attacker, k) for k in ks])


def slow_ks(model: CompressModel) -> tuple[int, ...]:
    """At how many directions attackers learn from rows: a few, and those that are looked at."""
    ks = ladder(model, most(model, model.lab.way))
    ks = tuple(k for k in ks if k <= LEARNT_MOST)
    apart = -(-len(ks) // model.effort.of_points(_POINTS, 2))
    return tuple(sorted({*ks[::apart], ks[-1], min(k_of(model), LEARNT_MOST)}))


def learnt(model: CompressModel, attacker: str, k: int) -> Array:
    """How often neighbours or logistic models, learnt from some of the rows, tell the privacy label
    right from the first k directions (or the first 30 of them), in some of the splits;
    remembered."""
    k = min(k, LEARNT_MOST)
    lab, rows, parts = model.lab, held(model), splits(model)
    codes, classes = rows.codes[PRIVACY], len(rows.labels[PRIVACY].words)

    def made() -> Array:
        found, w = [], directions(model, lab.way)[..., :k]
        for place in range(min(_FEW, model.splits)):
            model.check()
            test = parts.test[place]
            rest = np.ones(len(codes), dtype=np.bool_)
            rest[test] = False
            lot = Looking(lab.seed, STREAM + 1, place).generator
            wanted = model.effort.of_draws(_KNOWN, 100)
            known = lot.permutation(np.flatnonzero(rest))[:wanted]
            asked = test[: model.effort.of_draws(_ASKED, 50)]
            seen, z = (space(model).z[some] @ w[place] for some in (known, asked))
            if attacker == "logistic":
                told = logistic(seen, codes[known], z, classes)
            else:
                told = neighbours(seen, codes[known], z, _NEAREST, classes)
            found.append(float(scored(model, PRIVACY, told, codes[asked])))
        return array(found)

    return model.data.remember(remember_key(model, "learnt", lab.way, attacker, k), made)


@once
def by_strength(model: CompressModel) -> dict[str, float]:
    """How often each attacker tells the privacy label right at the chosen number of directions, in
    the middle of the splits."""
    k = k_of(model)
    quick = {
        name: float(trade_at(model, model.lab.way, name, (k,)).middle[PRIVACY, 0]) for name in QUICK
    }
    slow = {name: float(np.median(learnt(model, name, k))) for name in strengths(model)[4:]}
    return {**quick, **slow}


def strongest(model: CompressModel) -> tuple[str, float]:
    """Who of them tells it right most often, and how often."""
    found = by_strength(model)
    name = max(found, key=lambda name: found[name])
    return name, found[name]


def beaten(model: CompressModel) -> bool:
    """Whether one of them tells more than one answer for all does, by two standard errors at least
    of the rows that are tested in a split."""
    name, share = strongest(model)
    crowd, tested = commonest(model)[PRIVACY], splits(model).test.shape[1]
    if name in SLOW:
        tested = min(tested, model.effort.of_draws(_ASKED, 50))
    return share - crowd > 2 * math.sqrt(max(crowd * (1 - crowd), 0.0) / tested)


def weakest(model: CompressModel) -> float:
    """How often the attacker does who turns rows back by the minimum-norm inverse."""
    return by_strength(model)["inverse"]


def can_be_private(model: CompressModel) -> bool:
    """Whether there are so few columns that noisy second moments of them are drawn."""
    return len(space(model).mean) <= PRIVATE_MOST


@once
def private_directions(model: CompressModel) -> Trade:
    """The trade of PCA whose directions come from noisy second moments; rows leave as they are."""
    ks = _private_ks(model)
    lab = model.lab

    def made() -> Trade:
        w = _noisy(model, halve=False, k=max(ks), adjacency=lab.adjacency)
        told = (right(model, UTILITY, "linear", w, ks), right(model, PRIVACY, lab.attacker, w, ks))
        return Trade(ks, array(told))

    key = remember_key(model, "private", lab.mechanism, lab.adjacency, lab.attacker, ks)
    return model.data.remember(key, made)


def _private_ks(model: CompressModel) -> tuple[int, ...]:
    return trade(model, way_of(model, "pca"), model.lab.attacker).ks


def _noisy(model: CompressModel, *, halve: bool, k: int, adjacency: str) -> Array:
    """Noisy directions in the coordinates of the rows, (splits, r, k)."""
    lab, rows, turned, parts = model.lab, held(model), space(model), splits(model)
    made = halved(lab.mechanism) if halve else lab.mechanism
    scatter = parts.sums.spread * parts.sums.n[:, None, None]
    whole = turned.basis @ scatter @ turned.basis.T
    looking = (lab.seed, STREAM + 2)
    found = noisy_directions(made, whole, rows.length, k, adjacency, rows.most, looking)
    return np.asarray(turned.basis.T @ found)


@once
def private_rows(model: CompressModel) -> Trade:
    """The trade where half of ε goes to the directions and half to noise on each row along them:
    all that leaves keeps the promise. Neighbours replace a person."""
    ks = _private_ks(model)
    lab = model.lab

    def made() -> Trade:
        w = _noisy(model, halve=True, k=max(ks), adjacency="replace")
        told = np.empty((2, len(ks), model.splits))
        for place, k in enumerate(ks):
            model.check()
            told[:, place] = _of_noisy_rows(model, w[..., :k])
        return Trade(ks, array(told))

    return model.data.remember(remember_key(model, "private rows", lab.mechanism, ks), made)


def deviation(model: CompressModel, k: int) -> float:
    """The standard deviation of the noise on each of k numbers of a row."""
    rows = held(model)
    return row_deviation(halved(model.lab.mechanism), rows.length, k, rows.most)


def _of_noisy_rows(model: CompressModel, w: Array) -> Array:
    """How often both labels are told right of noisy rows along these directions, (2, splits)."""
    lab, parts, k = model.lab, splits(model), w.shape[-1]
    sigma = deviation(model, k)
    z = tested(model) @ w
    z = z + row_noise(lab.mechanism, sigma, z.shape, Looking(lab.seed, STREAM + 3))
    told = []
    for label in (UTILITY, PRIVACY):
        rule = weighed(model, linear(parts.sums, label, w, sigma**2), "linear", label)
        wanted = held(model).codes[label][parts.test]
        told.append(scored(model, label, rule.tells(z), wanted))
    return np.asarray(told)


def private_here(model: CompressModel) -> tuple[float, float, float, float]:
    """Utility and privacy told right with private directions, and with private rows, at the number
    of directions tried that is nearest to the chosen one."""
    one, two = private_directions(model), private_rows(model)
    place = int(np.abs(np.log(np.array(one.ks) / k_of(model))).argmin())
    a, b = one.middle[:, place], two.middle[:, place]
    return float(a[0]), float(a[1]), float(b[0]), float(b[1])


def private_k(model: CompressModel) -> int:
    """That number of directions."""
    ks = private_directions(model).ks
    return ks[int(np.abs(np.log(np.array(ks) / k_of(model))).argmin())]
