"""A table whose records are changed until their two-way counts match noisy ones (PrivSyn: Zhang,
Wang, Li, Honorio, Backes, He, Chen & Zhang 2021)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.consistency import agreed, total_of
from dpstudio.privacy.synthetic.marginals import Codes, Measured, cells, counted, measured
from dpstudio.privacy.synthetic.tree import Pair, column_drawn, singles

# Differences are rounded to a public grid, so that noise in whole steps of it tells nothing by what
# is left over.
STEPS = 1024
# One row added or removed moves Σ|n_ab − n_a n_b/n| by at most 4 (Zhang et al. 2021, Lemma 2), on
# the grid by one step more.
DIFFERENCE_MOVES = 4 + 1 / STEPS
SHARES = (0.1, 0.1, 0.8)  # choosing pairs, columns alone, pairs (section 5.1 has 0.1, 0.1, 0.8)


def differences(codes: Codes, sizes: Sequence[int], pairs: Sequence[Pair]) -> Array:
    """How far each pair is from independent columns: Σ|n_ab − n_a n_b/n|, in people; shape
    (pairs,). 0 for a table without rows."""
    n = max(len(codes), 1)
    alone = [counted(codes, sizes, (column,)) for column in range(len(sizes))]
    return np.array(
        [
            np.sum(np.abs(counted(codes, sizes, (a, b)) - np.outer(alone[a], alone[b]) / n))
            for a, b in pairs
        ]
    )


def difference_sigma(pairs: int, rho: float) -> float:
    """The σ at which all differences cost ρ together: each moves by DIFFERENCE_MOVES at most."""
    return DIFFERENCE_MOVES * math.sqrt(pairs / (2 * rho))


def chosen_pairs(
    noisy: Array, pairs: Sequence[Pair], sizes: Sequence[int], rho: float
) -> list[int]:
    """Which pairs to count with ρ in all: greedily the next one that lessens most what is lost, by
    what is not counted (its noisy difference) and by the noise of what is (DenseMarg, Zhang et al.
    2021, Algorithm 1). Numbers of pairs."""
    many = np.array([float(cells(sizes, pair)) for pair in pairs])
    left, chosen = [int(i) for i in np.argsort(-noisy, kind="stable")], list[int]()
    lost = float(np.sum(np.maximum(noisy, 0.0)))
    sum_thirds = 0.0
    while left:
        # With ρᵢ ∝ cᵢ^(2/3), which is best, the noise of all adds up to (Σc^(2/3))^(3/2)/√(πρ).
        noise = (sum_thirds + many[left] ** (2 / 3)) ** 1.5 / math.sqrt(math.pi * rho)
        gain = np.maximum(noisy[left], 0.0) - (noise - sum_thirds**1.5 / math.sqrt(math.pi * rho))
        best = int(np.argmax(gain))
        if gain[best] <= 0:
            break
        chosen.append(left.pop(best))
        sum_thirds += float(many[chosen[-1]] ** (2 / 3))
        lost -= float(max(noisy[chosen[-1]], 0.0))
    return chosen


def split_of(counts: Array, rho: float) -> Array:
    """How ρ is split over tables of so many cells: ∝ c^(2/3), which makes the sum of absolute
    errors least (Zhang et al. 2021, section 4.1)."""
    weights = counts ** (2 / 3)
    return np.asarray(rho * weights / weights.sum())


@dataclass(frozen=True, eq=False)
class Aims:
    """Counts that agree: of each column alone and of the pairs that were chosen; and how many
    people there are by them. `noisy` are those of each column as they were measured."""

    noisy: tuple[Measured, ...]
    ones: tuple[Measured, ...]
    twos: tuple[Measured, ...]
    total: float


def aims(codes: Codes, sizes: Sequence[int], rho: float, chance: Chance) -> Aims:
    """What the records are to match: ρ-zCDP under add/remove for `codes` over the public `sizes`.
    ValueError for ρ ≤ 0."""
    if rho <= 0:
        raise ValueError("ρ lies above 0")
    pairs = list(combinations(range(len(sizes)), 2))
    if not pairs:
        ones = singles(codes, sizes, rho, chance)
        return _agreed(ones, [])
    sigma = difference_sigma(len(pairs), rho * SHARES[0])
    noise = chance.gaussian(sigma * STEPS, len(pairs))
    noisy = (np.rint(differences(codes, sizes, pairs) * STEPS) + noise) / STEPS
    ones = singles(codes, sizes, rho * SHARES[1], chance)
    chosen = [pairs[i] for i in chosen_pairs(noisy, pairs, sizes, rho * SHARES[2])]
    many = np.array([float(cells(sizes, pair)) for pair in chosen])
    parts = split_of(many, rho * SHARES[2]) if chosen else many
    twos = [
        measured(codes, sizes, pair, math.sqrt(1 / (2 * part)), chance)
        for pair, part in zip(chosen, parts, strict=True)
    ]
    return _agreed(ones, twos)


def _agreed(ones: list[Measured], twos: list[Measured]) -> Aims:
    total = max(total_of([*ones, *twos]), 1.0)
    even = agreed([*ones, *twos], total)
    return Aims(tuple(ones), tuple(even[: len(ones)]), tuple(even[len(ones) :]), total)


def updated(aim: Aims, rows: int, rng: np.random.Generator, rounds: int = 15) -> Iterator[Codes]:
    """Records after each round, shape (rows, columns), the first drawn column by column: in every
    round each pair moves what it has too many of to where it has too few, by copying a record or by
    changing it in these columns alone, each half of the time; by less and less (the gradual update
    of Zhang et al. 2021, Algorithm 3). The same array is changed: copy it to keep it."""
    none = np.zeros(rows, np.int64)
    table = np.stack([column_drawn(each.counts[None], none, rng) for each in aim.ones], axis=1)
    yield table
    for turn in range(rounds):
        step = 0.84**turn  # their rate of decay
        for number in rng.permutation(len(aim.twos)):
            _move(table, aim.twos[number], max(step, 0.05), rng)
        yield table


def _move(table: Codes, aim: Measured, step: float, rng: np.random.Generator) -> None:
    """Bring one pair of columns nearer to what is aimed at, in place."""
    (a, b), (high, wide) = aim.columns, aim.counts.shape
    cell = table[:, a] * wide + table[:, b]
    have = np.bincount(cell, minlength=high * wide).astype(np.float64)
    want = aim.counts.ravel() * (len(table) / max(float(aim.counts.sum()), 1e-9))
    over = np.maximum(have - want, 0.0)
    under = np.maximum(want - have, 0.0)
    if not under.sum() or not over.sum():
        return
    chance = np.divide(step * over, have, out=np.zeros_like(have), where=have > 0)
    leave = np.flatnonzero(rng.random(len(table)) < chance[cell])
    if not len(leave):
        return
    goal = rng.choice(len(under), size=len(leave), p=under / under.sum())
    copy = (rng.random(len(leave)) < 0.5) & (have[goal] > 0)
    order = np.argsort(cell.astype(np.uint32), kind="stable")
    starts = np.concatenate(([0], np.cumsum(have)[:-1])).astype(np.int64)
    within = (rng.random(copy.sum()) * have[goal[copy]]).astype(np.int64)
    source = order[starts[goal[copy]] + within]
    table[leave[copy]] = table[source]
    table[leave[~copy], a] = goal[~copy] // wide
    table[leave[~copy], b] = goal[~copy] % wide
