"""Multiplicative weights with the exponential mechanism (MWEM: Hardt, Ligett & McSherry 2012)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.marginals import Codes

_PASSES = 4  # over all that is known, after each turn
_MOST = 50.0  # of an exponent, so that no weight overflows


def questions(sizes: Sequence[int]) -> Array:
    """The questions that are asked, 0 or 1 for each cell of all columns together: how many lie
    below each cell of a column, and how many in each cell of a pair; shape (questions, cells)."""
    places = np.indices(tuple(sizes)).reshape(len(sizes), -1)
    rows = [places[c] <= last for c, size in enumerate(sizes) for last in range(size - 1)]
    for a, b in combinations(range(len(sizes)), 2):
        pair = places[a] * sizes[b] + places[b]
        rows += [pair == cell for cell in range(sizes[a] * sizes[b])]
    if not rows:
        rows = [np.ones(places.shape[1], dtype=bool)]
    return np.array(rows, dtype=np.float64)


def many_questions(sizes: Sequence[int]) -> int:
    """How many questions there are."""
    pairs = sum(a * b for a, b in combinations(sizes, 2))
    return max(1, sum(size - 1 for size in sizes) + pairs)


Answered = tuple[Codes, Array]


@dataclass(frozen=True, eq=False)
class Turn:
    """After one turn: the mean of the counts so far, shape (cells,), which question was asked, and
    its noisy answer."""

    counts: Array
    asked: int
    answer: float


def weighted(
    truth: Array, queries: Array, people: float, epsilon: float, turns: int, chance: Chance
) -> Iterator[Turn]:
    """ε-DP in all for the `turns` together, under replace-one with a public number of `people`
    (add/remove too, as long as `people` is public or paid).

    `truth` are counts, shape (cells,), `queries` weights in [0, 1], shape (queries, cells): one
    person moves an answer by at most 1. Each turn spends ε/2T on choosing the worst answered
    question and ε/2T on its noisy answer (Figure 1 of the paper); the update is
    e^(q(x)(m − q·D)/2n). Questions may come again. ValueError for weights outside [0, 1].
    """
    if queries.min() < 0 or queries.max() > 1:
        raise ValueError("weights of a question lie between 0 and 1")
    part = epsilon / (2 * turns)
    exact = queries @ truth
    now = np.full(len(truth), people / len(truth))
    total, known = np.zeros(len(truth)), list[Answered]()
    for turn in range(turns):
        asked = chance.choose(misses(exact, queries, now), 1.0, part)
        answer = float(exact[asked] + chance.laplace(1 / part, 1)[0])
        known.append((np.array(asked), np.array(answer)))
        now = reweighted(now, queries, known, people)
        total += now
        yield Turn(total / (turn + 1), asked, answer)


def misses(exact: Array, queries: Array, now: Array) -> Array:
    """How far each answer of the counts `now`, shape (…, cells), is off, less nothing: one person
    moves each by at most 1. Shape (…, queries)."""
    return np.asarray(np.abs(exact - now @ queries.T))


def reweighted(now: Array, queries: Array, known: Sequence[Answered], people: float) -> Array:
    """The counts `now`, shape (…, cells), moved towards all answers that are known, each a number
    and an answer of shape (…). What is known already is used again (section 3.3): it costs
    nothing."""
    for _ in range(_PASSES):
        for number, told in known:
            query = queries[number]
            off = told - (query * now).sum(-1)
            step = query * off[..., None] / (2 * people)
            now = now * np.exp(np.clip(step, -_MOST, _MOST))
            now = now * (people / now.sum(-1, keepdims=True))
    return now
