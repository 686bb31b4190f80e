"""A table by a tree of two-way counts that is chosen privately (MST: McKenna, Miklau & Sheldon
2021, "Winning the NIST contest").

Every column is counted alone, the pairs that tell the most about one another are chosen by the
exponential mechanism, d − 1 of them, without a circle; those are counted too. With margins that
agree, the law of largest entropy is the product of the pairs over the inner columns, and a record
is drawn from the root outwards: exact, without a library.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.consistency import agreed, total_of
from dpstudio.privacy.synthetic.marginals import Codes, CountCallback, Measured, counted, measured

Pair = tuple[int, int]
ProgressCallback = Callable[[float], None]


def quiet(share: float) -> None:
    """Takes what progress there is, and tells nobody."""


def one_way_sigma(columns: int, rho: float) -> float:
    """The σ at which the counts of all `columns` alone cost ρ together under add/remove: one row
    is in one cell of each, L2 sensitivity √columns."""
    return math.sqrt(columns / (2 * rho))


def singles(
    codes: Codes, sizes: Sequence[int], rho: float, chance: Chance, count: CountCallback = counted
) -> list[Measured]:
    """The noisy counts of each column alone, for ρ together (add/remove)."""
    sigma = one_way_sigma(len(sizes), rho)
    return [measured(codes, sizes, (one,), sigma, chance, count) for one in range(len(sizes))]


def pair_scores(
    codes: Codes,
    sizes: Sequence[int],
    ones: Sequence[Measured],
    pairs: Sequence[Pair],
    count: CountCallback = counted,
) -> Array:
    """How far each pair's counts are from the product of the shares of its noisy margins, in people
    (L1); shape (pairs,). The margins were published, so one row added or removed moves a score by
    at most 1. It is at most as many people as there are and as the margins tell, so that rounding
    stays below what `chance.ROUNDING` pays for, however large the noise is."""
    total = max(total_of(ones), 1.0)
    flat = [np.maximum(each.counts, 0.0) for each in ones]
    shares = [counts / max(float(counts.sum()), 1.0) for counts in flat]
    return np.array(
        [
            np.sum(np.abs(count(codes, sizes, (a, b)) - total * np.outer(shares[a], shares[b])))
            for a, b in pairs
        ]
    )


def choice_epsilon(columns: int, rho: float) -> float:
    """The ε of each of the columns − 1 choices that cost ρ together: the exponential mechanism of ε
    has ε²/8 (Cesar & Rogers 2021)."""
    return math.sqrt(8 * rho / max(columns - 1, 1))


def chosen_tree(scores: Array, pairs: Sequence[Pair], epsilon: float, chance: Chance) -> list[Pair]:
    """A spanning tree: edge by edge, each by the exponential mechanism of ε among those that close
    no circle."""
    of = list(range(1 + max(max(pair) for pair in pairs)))
    edges: list[Pair] = []
    for _ in range(len(of) - 1):
        open_ = [i for i, (a, b) in enumerate(pairs) if of[a] != of[b]]
        won = pairs[open_[chance.choose(scores[open_], 1.0, epsilon)]]
        edges.append(won)
        old, new = of[won[1]], of[won[0]]
        of = [new if each == old else each for each in of]
    return edges


@dataclass(frozen=True, eq=False)
class Tree:
    """Counts that agree: `ones` of each column, `twos` of each edge of a spanning tree, and how
    many people there are by them. `noisy` are those of each column as they were measured."""

    noisy: tuple[Measured, ...]
    ones: tuple[Measured, ...]
    twos: tuple[Measured, ...]
    total: float


@dataclass(frozen=True)
class Shares:
    """How ρ is split: columns alone, choosing pairs, counting pairs; they add up to 1."""

    alone: float = 1 / 3
    choosing: float = 1 / 3
    pairs: float = 1 / 3


def grown(
    codes: Codes,
    sizes: Sequence[int],
    rho: float,
    chance: Chance,
    shares: Shares = Shares(),
    told: ProgressCallback = quiet,
    count: CountCallback = counted,
) -> Tree:
    """The measured and mended tree: ρ-zCDP under add/remove for `codes` over the public `sizes`.
    One column is a tree without edges, and all of ρ is its own. ValueError for ρ ≤ 0."""
    if rho <= 0:
        raise ValueError("ρ lies above 0")
    if len(sizes) == 1:
        (alone,) = singles(codes, sizes, rho, chance, count)
        return _mended([alone], [])
    ones = singles(codes, sizes, rho * shares.alone, chance, count)
    pairs = list(combinations(range(len(sizes)), 2))
    told(0.1)
    scores = pair_scores(codes, sizes, ones, pairs, count)
    told(0.5)
    epsilon = choice_epsilon(len(sizes), rho * shares.choosing)
    edges = chosen_tree(scores, pairs, epsilon, chance)
    sigma = math.sqrt(len(edges) / (2 * rho * shares.pairs))
    twos = [measured(codes, sizes, edge, sigma, chance, count) for edge in edges]
    told(0.7)
    return _mended(ones, twos)


def _mended(ones: list[Measured], twos: list[Measured]) -> Tree:
    total = max(total_of([*ones, *twos]), 1.0)
    even = agreed([*ones, *twos], total)
    return Tree(tuple(ones), tuple(even[: len(ones)]), tuple(even[len(ones) :]), total)


def outwards(edges: Sequence[Pair]) -> Iterator[tuple[int, int, int]]:
    """From the first edge's first column along all edges of a tree: (number of the edge, column
    that is known, column that comes)."""
    known, left = {edges[0][0]} if edges else set(), dict(enumerate(edges))
    while left:
        number, (a, b) = next(
            (i, edge) for i, edge in left.items() if (edge[0] in known) != (edge[1] in known)
        )
        del left[number]
        yield (number, a, b) if a in known else (number, b, a)
        known |= {a, b}


def drawn(tree: Tree, rows: int, rng: np.random.Generator) -> Codes:
    """Records of the tree's law of largest entropy, shape (rows, columns). Shares become whole
    numbers of rows with as little chance as can be: the rest alone is drawn."""
    # Column after column, as they are drawn and counted.
    out = np.zeros((rows, len(tree.ones)), dtype=np.int64, order="F")
    edges: list[Pair] = [(each.columns[0], each.columns[1]) for each in tree.twos]
    first = edges[0][0] if edges else 0
    out[:, first] = column_drawn(tree.ones[first].counts[None], np.zeros(rows, np.int64), rng)
    for number, known, comes in outwards(edges):
        counts = tree.twos[number].counts
        given = counts if known == edges[number][0] else counts.T
        # A value of the parent that no pair has falls back on the child alone.
        alone = tree.ones[comes].counts
        given = np.where(given.sum(1, keepdims=True) > 0, given, alone)
        out[:, comes] = column_drawn(given, out[:, known], rng)
    return out


def column_drawn(given: Array, parents: Codes, rng: np.random.Generator) -> Codes:
    """One value a row with the shares of `given`, shape (values of the parent, values), by the
    parent's value of that row."""
    # Small numbers are sorted by their digits.
    order = np.argsort(parents.astype(np.min_scalar_type(len(given))), kind="stable")
    many = np.bincount(parents, minlength=len(given))
    there, ends = np.flatnonzero(many), np.cumsum(many)
    shifts, rows = np.zeros(len(there)), np.empty_like(order)
    for place, value in enumerate(there):
        part = slice(ends[value] - many[value], ends[value])
        shifts[place] = rng.random()
        rows[part] = rng.permutation(order[part])
    whole = _rounded(given[there], many[there], shifts)
    out = np.zeros(len(parents), dtype=np.int64)
    out[rows] = np.repeat(np.tile(np.arange(given.shape[1]), len(there)), whole.ravel())
    return out


def rounded(shares: Array, rows: int, rng: np.random.Generator) -> Codes:
    """Whole numbers that add up to `rows` and lie within 1 of rows·share, shape (values,), each
    right on average."""
    (whole,) = _rounded(shares[None], np.array([rows]), np.array([rng.random()]))
    return np.asarray(whole)


def _rounded(shares: Array, rows: Codes, shifts: Array) -> Codes:
    """The same of several, shares (many, values), each moved by a uniform number of its own."""
    whole, values = shares.sum(axis=1, keepdims=True), shares.shape[1]
    even = np.full_like(shares, 1 / values)
    mean = rows[:, None] * np.divide(shares, whole, out=even, where=whole > 0)
    # Systematic sampling: one uniform number moves all steps of the distribution function.
    steps = np.zeros((len(shares), values + 1))
    steps[:, 1:-1] = np.floor(mean.cumsum(axis=1)[:, :-1] + shifts[:, None])
    steps = np.minimum(steps, rows[:, None])
    steps[:, -1] = rows
    return np.diff(steps, axis=1).astype(np.int64)
