"""Multiplicative weights with the exponential mechanism (MWEM: Hardt, Ligett & McSherry 2012)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.synthetic.chance import Chance


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
    total, known = np.zeros(len(truth)), list[tuple[int, float]]()
    for turn in range(turns):
        # How far the answers are off, less nothing: one person moves each by at most 1.
        scores = np.abs(exact - queries @ now)
        asked = chance.choose(scores, 1.0, part)
        answer = float(exact[asked] + chance.laplace(1 / part, 1)[0])
        known.append((asked, answer))
        # What is known already is used again (section 3.3): it costs nothing.
        for _ in range(4):
            for number, told in known:
                off = told - float(queries[number] @ now)
                now = now * np.exp(np.clip(queries[number] * off / (2 * people), -50, 50))
                now *= people / now.sum()
        total += now
        yield Turn(total / (turn + 1), asked, answer)
