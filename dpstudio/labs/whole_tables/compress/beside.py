"""What stands beside the trade of the chosen way: attackers that learn from rows, and projections
that keep a promise."""

from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.compress import model as compress
from dpstudio.labs.whole_tables.compress.parameters import QUICK, SLOW
from dpstudio.privacy.compression.adversaries import Nearest, linear, logistic, tuned
from dpstudio.privacy.compression.private import halved, noisy_directions, row_deviation, row_noise
from dpstudio.privacy.compression.projections import PRIVACY, UTILITY
from dpstudio.privacy.compression.scatter import Codes
from dpstudio.privacy.sampling import SimulationRandom

KNOWN, ASKED = 1_000, 1_000  # rows that are learnt from and asked about at most
_TRIED = 20  # splits at most
_POINTS = 6
_CLEARLY = 0.95
LEARNT_MOST = 30  # directions that attackers learn from rows of
PRIVATE_MOST = 300  # columns whose noisy second moments are drawn for each split


def strengths(model: compress.CompressModel) -> tuple[str, ...]:
    """The attackers that have been tried, the weakest kind first."""
    return (*QUICK, *SLOW) if model.stage == 2 else tuple(QUICK)


def told_by(model: compress.CompressModel, attacker: str) -> tuple[tuple[int, ...], Array]:
    """How often an attacker tells the privacy label right by the number of directions of the chosen
    way: (ks, (ks, splits))."""
    if attacker in QUICK:
        found = compress.trade(model, model.lab.way, attacker)
        return found.ks, found.right[PRIVACY]
    ks = slow_ks(model)
    return ks, array([learnt(model, attacker, k) for k in ks])


def slow_ks(model: compress.CompressModel) -> tuple[int, ...]:
    """At how many directions attackers learn from rows: a few, and those that are looked at."""
    ks = compress.ladder(model, compress.most(model, model.lab.way))
    ks = tuple(k for k in ks if k <= LEARNT_MOST)
    apart = -(-len(ks) // model.effort.of_points(_POINTS, 2))
    return tuple(sorted({*ks[::apart], ks[-1], min(compress.k_of(model), LEARNT_MOST)}))


def tried(model: compress.CompressModel) -> int:
    """In how many splits attackers learn from rows: the first."""
    return min(_TRIED, model.splits)


def sizes(model: compress.CompressModel) -> tuple[int, int]:
    """How many rows they learn from, and how many are asked about, in each of them."""
    tests = compress.splits(model).test.shape[1]
    known = min(model.effort.of_draws(KNOWN, 100), len(compress.space(model).z) - tests)
    return known, min(model.effort.of_draws(ASKED, 100), tests)


def _known(model: compress.CompressModel, place: int, lot: np.random.Generator) -> Codes:
    """The rows of a split that they learn from, in any order: as many of each class where classes
    count alike, some of them twice, or else who always says the commonest would be learnt."""
    codes, (many, _) = compress.held(model).codes[PRIVACY], sizes(model)
    test, whose = compress.splits(model).test[place], compress.held(model).whose
    every = np.arange(len(codes))
    tested = np.isin(every, test) if whose is None else np.isin(whose, whose[test])
    rows = lot.permutation(every[~tested])
    if model.lab.score == "rows":
        return np.asarray(rows[:many])
    there = [rows[codes[rows] == code] for code in np.unique(codes[rows])]
    alike = [np.resize(some, -(-many // len(there))) for some in there]
    return np.asarray(lot.permutation(np.concatenate(alike)))


def learnt(model: compress.CompressModel, attacker: str, k: int) -> Array:
    """How often an attacker who learns from some of the rows tells the privacy label right from the
    first k directions (or the first 30 of them), in those splits that are tried; remembered."""
    k = min(k, LEARNT_MOST)
    lab, rows, parts = model.lab, compress.held(model), compress.splits(model)
    codes, classes = rows.codes[PRIVACY], len(rows.labels[PRIVACY].words)

    def made() -> Array:
        found, w = [], compress.directions(model, lab.way)[..., :k]
        near: Nearest | None = None
        for place in range(tried(model)):
            model.check()
            known = _known(
                model, place, SimulationRandom(lab.seed, compress.STREAM + 1, place).generator
            )
            asked = parts.test[place][: sizes(model)[1]]
            seen, z = (compress.space(model).z[some] @ w[place] for some in (known, asked))
            if attacker == "logistic":
                told = logistic(seen, codes[known], z, classes)
            else:
                near = near or tuned(seen, codes[known], classes)
                told = near.tells(seen, codes[known], z, classes)
            found.append(float(compress.scored(model, PRIVACY, told, codes[asked])))
        return array(found)

    return model.data.remember(compress.remember_key(model, "learnt", lab.way, attacker, k), made)


def each_split(model: compress.CompressModel, attacker: str) -> Array:
    """How often an attacker tells the privacy label right at the chosen number of directions, in
    each split that it is tried in, (splits,)."""
    k = compress.k_of(model)
    if attacker in QUICK:
        return np.asarray(compress.trade_at(model, model.lab.way, attacker, (k,)).right[PRIVACY, 0])
    return learnt(model, attacker, k)


@once
def by_strength(model: compress.CompressModel) -> dict[str, float]:
    """The same in the middle of the splits, by attacker."""
    return {name: float(np.median(each_split(model, name))) for name in strengths(model)}


def strongest(model: compress.CompressModel) -> tuple[str, float]:
    """Who of them tells it right most often, and how often."""
    found = by_strength(model)
    name = max(found, key=lambda name: found[name])
    return name, found[name]


@once
def better(model: compress.CompressModel) -> dict[str, float]:
    """By attacker the share of the splits in which it is right more often than one answer for all,
    of the same rows."""
    wanted = compress.held(model).codes[PRIVACY][compress.splits(model).test]
    crowds = {False: compress.one_answer(model, PRIVACY, wanted)}
    crowds[True] = compress.one_answer(model, PRIVACY, wanted[: tried(model), : sizes(model)[1]])
    return {
        name: float(np.mean(each_split(model, name) > crowds[name in SLOW]))
        for name in strengths(model)
    }


def clearly() -> float:
    """The share of splits from which on who does better than one answer for all clearly does."""
    return _CLEARLY


def beaten(model: compress.CompressModel) -> bool:
    """Whether one of them does so in nearly all splits."""
    return max(better(model).values()) >= clearly()


def above(model: compress.CompressModel) -> tuple[float, float]:
    """How far utility, and privacy by the strongest attacker tried, are told above one answer for
    all, of the way that the linear rule of whole rows goes, in [0, 1] where it helps and does not
    harm; 0 where whole rows tell no more."""
    both = compress.told_here(model)[UTILITY], strongest(model)[1]
    one, two = (
        float(np.clip((told - crowd) / (full - crowd), 0, 1)) if full > crowd else 0.0
        for told, crowd, full in zip(
            both, compress.commonest(model), compress.unprojected(model), strict=True
        )
    )
    return one, two


def weakest(model: compress.CompressModel) -> float:
    """How often the attacker does who turns rows back by the minimum-norm inverse."""
    return by_strength(model)["inverse"]


def can_be_private(model: compress.CompressModel) -> bool:
    """Whether there are so few columns that noisy second moments of them are drawn."""
    return len(compress.space(model).mean) <= PRIVATE_MOST


@once
def _drawn(model: compress.CompressModel) -> compress.CompressModel:
    """The state in whose splits ways that keep a promise are drawn."""
    return replace(model, stage=0, quick=False) if model.quick else model


def _directions_key(model: compress.CompressModel) -> tuple[Hashable, ...]:
    lab, ks = model.lab, _private_ks(model)
    return compress.remember_key(model, "private", lab.mechanism, lab.adjacency, lab.attacker, ks)


def _rows_key(model: compress.CompressModel, ks: tuple[int, ...]) -> tuple[Hashable, ...]:
    return compress.remember_key(model, "private rows", model.lab.mechanism, ks)


def private_known(model: compress.CompressModel) -> bool:
    """Whether both trades that keep a promise are remembered."""
    keys = _directions_key(model), _rows_key(model, _private_ks(model))
    return all(map(model.data.known, keys))


@once
def private_directions(model: compress.CompressModel) -> compress.Trade:
    """The trade of PCA whose directions come from noisy second moments; rows leave as they are."""
    model = _drawn(model)
    ks = _private_ks(model)
    lab = model.lab

    def made() -> compress.Trade:
        w = _noisy(model, halve=False, k=max(ks), adjacency=lab.adjacency)
        told = (
            compress.right(model, UTILITY, "linear", w, ks),
            compress.right(model, PRIVACY, lab.attacker, w, ks),
        )
        return compress.Trade(ks, array(told))

    return model.data.remember(_directions_key(model), made)


def _private_ks(model: compress.CompressModel) -> tuple[int, ...]:
    return compress.ladder(model, compress.most(model, compress.way_of(model, "pca")))


def _noisy(model: compress.CompressModel, *, halve: bool, k: int, adjacency: str) -> Array:
    """Noisy directions in the coordinates of the rows, (splits, r, k)."""
    lab, rows, turned, parts = (
        model.lab,
        compress.held(model),
        compress.space(model),
        compress.splits(model),
    )
    made = halved(lab.mechanism) if halve else lab.mechanism
    scatter = parts.sums.spread * parts.sums.n[:, None, None]
    whole = turned.basis @ scatter @ turned.basis.T
    looking = (lab.seed, compress.STREAM + 2)
    found = noisy_directions(made, whole, rows.length, k, adjacency, rows.most, looking)
    return np.asarray(turned.basis.T @ found)


@once
def private_rows(model: compress.CompressModel) -> compress.Trade:
    """The trade where half of ε goes to the directions and half to noise on each row along them:
    all that leaves keeps the promise. Neighbours replace a person."""
    model = _drawn(model)
    return _rows_at(model, _private_ks(model))


def _rows_at(model: compress.CompressModel, ks: tuple[int, ...]) -> compress.Trade:
    """The same at some of these numbers of directions; remembered."""

    def made() -> compress.Trade:
        w = _noisy(model, halve=True, k=max(ks), adjacency="replace")
        z, unit, told = compress.tested(model) @ w, _unit(model), list[Array]()
        for k in ks:
            model.check()
            noisy = z[..., :k] + deviation(model, k) * unit[: z[..., :k].size].reshape(
                *z.shape[:-1], k
            )
            told.append(_of_noisy_rows(model, w[..., :k], noisy))
        return compress.Trade(ks, array(np.stack(told, axis=1)))

    return model.data.remember(_rows_key(model, ks), made)


def _unit(model: compress.CompressModel) -> Array:
    """Noise of deviation 1 for as many numbers of rows as are ever let out, in a row; that of few
    splits is remembered."""
    way, lot = model.lab.mechanism, SimulationRandom(model.lab.seed, compress.STREAM + 3)
    size = compress.splits(model).test.size * max(_private_ks(model))

    def made() -> Array:
        return array(row_noise(way, 1.0, (size,), lot))

    key = compress.remember_key(model, "row noise", way.pure, size)
    return made() if model.stage else model.data.remember(key, made)


def deviation(model: compress.CompressModel, k: int) -> float:
    """The standard deviation of the noise on each of k numbers of a row."""
    rows = compress.held(model)
    return row_deviation(halved(model.lab.mechanism), rows.length, k, rows.most)


def _of_noisy_rows(model: compress.CompressModel, w: Array, z: Array) -> Array:
    """How often both labels are told right of noisy rows z along these directions, (2, splits)."""
    parts, told, sigma = compress.splits(model), [], deviation(model, w.shape[-1])
    for label in (UTILITY, PRIVACY):
        rule = compress.weighed(model, linear(parts.sums, label, w, sigma**2), "linear", label)
        wanted = compress.held(model).codes[label][parts.test]
        told.append(compress.scored(model, label, rule.tells(z), wanted))
    return np.asarray(told)


def private_here(model: compress.CompressModel) -> tuple[float, float, float, float]:
    """Utility and privacy told right with private directions, and with private rows, at the number
    of directions tried that is nearest to the chosen one."""
    one, two = private_directions(model), private_rows(model)
    place = one.ks.index(private_k(model))
    a, b = one.middle[:, place], two.middle[:, place]
    return float(a[0]), float(a[1]), float(b[0]), float(b[1])


@once
def private_rows_here(model: compress.CompressModel) -> tuple[float, float]:
    """Of these what private rows tell, which is known before all else is."""
    if model.data.known(_rows_key(_drawn(model), _private_ks(model))):
        return private_here(model)[2:]
    one, two = _rows_at(_drawn(model), (private_k(model),)).middle[:, 0]
    return float(one), float(two)


def private_k(model: compress.CompressModel) -> int:
    """That number of directions."""
    ks = _private_ks(model)
    return ks[int(np.abs(np.log(np.array(ks) / compress.k_of(model))).argmin())]
