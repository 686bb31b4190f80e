"""Tables without names: who is found by what somebody knows, and codes that are read by how often
they come."""

import math

import numpy as np


def lies_above_second(scores):
    """How far the best score is above the second, in standard deviations of all scores.
    (Narayanan & Shmatikov 2008, section 4)"""
    first, second = np.sort(scores)[::-1][:2]
    spread = scores.std()
    return float((first - second) / spread) if spread > 0 else 0.0


def invented_ratings(rng, people, films):
    """Stars from 1 to 5, NaN where none; the most common film has 50 times those of the rarest."""
    liked = 0.5 * np.geomspace(1, 0.02, films)
    stars = rng.integers(1, 6, (people, films)).astype(float)
    return np.where(rng.random((people, films)) < liked, stars, np.nan)


def known_ratings(rng, ratings, many):
    """So many ratings of somebody, each off by one star at most; NaN elsewhere."""
    kept = rng.permutation(np.flatnonzero(~np.isnan(ratings)))[:many]
    known = np.full(len(ratings), np.nan)
    known[kept] = ratings[kept] + rng.integers(-1, 2, len(kept))
    return known


def scoreboard(known, table):
    """How well each row fits what is known: films rated within one star, each by 1/ln of how many
    people rated it, so that rare films count most. (Narayanan & Shmatikov 2008, section 4)"""
    there = ~np.isnan(known)
    people = np.maximum(np.sum(~np.isnan(table[:, there]), axis=0), 2)
    return (np.abs(table[:, there] - known[there]) <= 1) @ (1 / np.log(people))


def found_by_scores(scores, sure):
    """The row that fits best, None where it does not stand out."""
    return int(scores.argmax()) if lies_above_second(scores) > sure else None


def found_by_join(known, table):
    """The only row that has exactly what is known, None where there is none or several.
    (Sweeney 2002)"""
    there = ~np.isnan(known)
    alike = np.flatnonzero((table[:, there] == known[there]).all(axis=1))
    return int(alike[0]) if len(alike) == 1 else None


def scores_by_values(known, rows):
    """How well each row fits known values: those that are alike, each by 1/ln of how many rows have
    it."""
    alike = rows == known
    return sum(column / math.log(max(2, column.sum())) for column in alike.T)


def read_by_frequency(secret, known):
    """The word that each code is taken for: the most common code for the word that is most common
    among those known, and so on; -1 where none is left. (Naveed, Kamara & Wright 2015)"""
    guess = np.full(len(known), -1)
    codes = np.argsort(-np.bincount(secret), kind="stable")
    words = np.argsort(-known, kind="stable")
    some = min(len(codes), len(words))
    guess[codes[:some]] = words[:some]
    return guess
