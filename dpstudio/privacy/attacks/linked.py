"""Linkage: a table without names is joined to one with names; a few known ratings find a person; a
column that is encrypted word by word is read by its frequencies."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.anonymity.classes import Codes, grouped


@dataclass(frozen=True, eq=False)
class Joined:
    """Of each named row, how many rows of the stripped table match it, (named,), and the one that
    does where it is the only one, −1 elsewhere."""

    matches: Codes
    only: Codes

    @property
    def found(self) -> float:
        """The share of named rows with exactly one match."""
        return float(np.mean(self.matches == 1)) if len(self.matches) else 0.0


def joined(named: Codes, stripped: Codes) -> Joined:
    """Join on all quasi-identifiers, (rows, columns) each, in the same codes (Sweeney 2002)."""
    of, many = grouped(np.concatenate((named, stripped)))
    here, there = of[: len(named)], of[len(named) :]
    counts = np.bincount(there, minlength=many)
    last = np.full(many, -1, dtype=np.int64)
    last[there] = np.arange(len(stripped))
    matches = counts[here]
    return Joined(matches.astype(np.int64), np.where(matches == 1, last[here], -1))


def scoreboard(known: Array, table: Array, near: float) -> Array:
    """How well each row of `table`, (rows, columns) with NaN where nothing is, fits what is `known`
    of somebody, (columns,): Σ w·[within `near`] with w = 1/ln(rows that have this column), so that
    what is rare counts most (Narayanan & Shmatikov 2008, section 4). Shape (rows,)."""
    columns = ~np.isnan(known)
    support = np.sum(~np.isnan(table[:, columns]), axis=0)
    weights = 1 / np.log(np.maximum(support, 2))
    with np.errstate(invalid="ignore"):
        close = np.abs(table[:, columns] - known[columns]) <= near
    return np.asarray((close * weights).sum(1))


def by_words(known: Codes, table: Codes) -> Iterator[Array]:
    """How well each row of `table`, (rows, columns) of codes, fits what is `known` of somebody,
    (columns,), with the first of the columns, with the first two, and so on, (rows,) each: Σ
    w·[alike] with w = 1/ln(rows that have this value), as `scoreboard` weighs what is rare."""
    score = np.zeros(len(table))
    for place, value in enumerate(known.tolist()):
        alike = table[:, place] == value
        score = score + alike / np.log(max(2, int(np.count_nonzero(alike))))
        yield score


def eccentricity(scores: Array) -> float:
    """How far the best score is above the second, in standard deviations of all: the attacker says
    that he has found somebody above about 1.5 (section 4)."""
    if len(scores) < 2:
        return 0.0
    place = int(scores.argmax())
    second = max(part.max() for part in (scores[:place], scores[place + 1 :]) if len(part))
    spread = float(scores.std())
    return float((scores[place] - second) / spread) if spread > 0 else 0.0


def matched_frequencies(secret: Codes, known: Array) -> NDArray[np.int64]:
    """The guess for each code of a column that is encrypted deterministically: the most frequent
    code is the word that is most frequent elsewhere, `known` (words,), and so on (Naveed, Kamara &
    Wright 2015). Shape (codes,); −1 where there are more codes than words."""
    counts = np.bincount(secret)
    guess = np.full(len(counts), -1, dtype=np.int64)
    ranked, words = np.argsort(-counts, kind="stable"), np.argsort(-known, kind="stable")
    some = min(len(ranked), len(words))
    guess[ranked[:some]] = words[:some]
    return guess
