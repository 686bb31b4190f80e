"""Ratings without names, and an attacker who knows a few of somebody's (after the Netflix attack of
Narayanan & Shmatikov 2008)."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.linked import eccentricity, scoreboard

_NEAR = 1.0  # a rating that is off by one star still fits


def rated(rng: np.random.Generator, people: int, films: int) -> Array:
    """Stars from 1 to 5 that each of some people gave, (people, films), NaN where none: about one
    in eight, and of the commonest film fifty times as many as of the rarest."""
    liked = 0.5 * np.geomspace(1, 0.02, films)
    stars = rng.integers(1, 6, (people, films)).astype(np.float64)
    return np.where(rng.random((people, films)) < liked, stars, np.nan)


def known_of(rng: np.random.Generator, ratings: Array, many: int) -> Array:
    """What the attacker knows of somebody: so many of the ratings, (films,), each off by one star
    at most; NaN elsewhere."""
    there = np.flatnonzero(~np.isnan(ratings))
    kept = rng.permutation(there)[:many]
    known = np.full(len(ratings), np.nan)
    known[kept] = ratings[kept] + rng.integers(-1, 2, len(kept))
    return known


def linked(table: Array, known: Array, sure: float) -> int | None:
    """The row of the `table` that fits best, None where it is not `sure` deviations above the
    second."""
    scores = scoreboard(known, table, _NEAR)
    return int(scores.argmax()) if eccentricity(scores) > sure else None


def near() -> float:
    """How far off a rating may be that still fits."""
    return _NEAR


def joined(table: Array, known: Array) -> int | None:
    """The row of the `table` that has exactly what is known, where it is the only one: what a join
    finds."""
    columns = ~np.isnan(known)
    alike = np.flatnonzero((table[:, columns] == known[columns]).all(axis=1))
    return int(alike[0]) if len(alike) == 1 else None
