"""One count by whom its people trust, and shares of many owners that add up to one matrix."""

import math

import numpy as np
from features import holds_words, place_of, to_box
from scipy import stats


def count_by_curator(epsilon):
    """The standard deviation of a count with one Laplace noise of scale 1/epsilon."""
    return math.sqrt(2) / epsilon


def count_by_coins(epsilon, n):
    """The same of n answers by Warner's coins: sqrt(n) e^(epsilon/2)/(e^epsilon - 1)."""
    return math.sqrt(n) / (2 * math.sinh(epsilon / 2))


def shuffled_delta(epsilon0, epsilon, n):
    """The delta at epsilon of n shuffled answers by Warner's coins of epsilon0.

    Each of n - 1 others lets a fair coin answer with 2/(e^epsilon0 + 1): C of them do, and with
    b = Bin(C, 1/2) there are k yes with chance w b(k - 1) + (1 - w) b(k), where the person says yes
    with w. delta is what these chances exceed e^epsilon times their mirror by: above the k from
    which their ratio does. (Balle, Bell, Gascon & Nissim 2019)"""
    w, lie = 1 / (1 + math.exp(-epsilon0)), 1 / (1 + math.exp(epsilon0))
    fair, others = 2 / (math.exp(epsilon0) + 1), n - 1
    reach = 9 * math.sqrt(others * fair * (1 - fair)) + 45
    c = np.arange(max(0, math.floor(others * fair - reach)), min(others, others * fair + reach) + 1)
    up, down = w - math.exp(epsilon) * lie, math.exp(epsilon) * w - lie
    # b(k - 1)/b(k) = k/(C + 1 - k) exceeds down/up from here on:
    first = np.minimum(np.floor((c + 1) * (down / (up + down))), c) + 1
    beyond = up * stats.binom.sf(first - 2, c, 0.5) - down * stats.binom.sf(first - 1, c, 0.5)
    return float(stats.binom.pmf(c, others, fair) @ np.maximum(beyond, 0))


def shuffled_epsilon0(epsilon, delta, n):
    """The largest epsilon0, up to 50, of coins that keep (epsilon, delta) together once they are
    shuffled: at least epsilon."""
    low, high = epsilon, 50.0
    if shuffled_delta(high, epsilon, n) <= delta:
        return high
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        kept = shuffled_delta(middle, epsilon, n) <= delta
        low, high = (middle, high) if kept else (low, middle)
    return low


def between_zero(sums, rows):
    """The sum over classes of V V'/M, V being the sum of the rows of a class and M how many."""
    known = rows > 0
    scaled = sums[known] / np.sqrt(rows[known])[:, None]
    return scaled.T @ scaled


def scatter_matrices(squares, sums, rows):
    """From the sum of x x', of x by class, and of rows by class: the scatter of all rows about
    their mean and, of several classes, within and between these. All that shares tell is such a
    sum. (Al-Rubaie, Wu, Chang & Kung 2017)"""
    mean = sums.sum(axis=0)
    whole = squares - np.outer(mean, mean) / max(1, rows.sum())
    if len(rows) == 1:
        return [whole]
    apart = between_zero(sums, rows)
    return [whole, squares - apart, whole - (squares - apart)]


def share_of_owner(x, y, classes, bits=None, centred=False):
    """What an owner sends of rows x with classes y: the sum of x x' (or, who has one whole class,
    that about its mean), of x by class, of rows by class; each rounded to a multiple of 2^-bits."""
    about = x - x.mean(axis=0) if centred and len(x) else x
    member = (y[:, None] == np.arange(classes)).astype(float)
    parts = about.T @ about, member.T @ x, member.sum(axis=0)
    if bits is None:
        return parts
    return *(np.rint(part * 2.0**bits) / 2.0**bits for part in parts[:2]), parts[2]


def told_by_order(own, others):
    """The share of all others' cells that an owner guesses rightly who sees their order: each by
    the value of the own cells at the same share of ranks. (Naveed, Kamara & Wright 2015)"""
    ranks = (np.arange(len(others)) + 0.5) / len(others)
    guesses = np.sort(own)[np.ceil(ranks * len(own)).astype(int) - 1]
    return float(np.mean(np.sort(others) == guesses))


def in_columns(column, told):
    """A column of numbers scaled to [-1, 1], or a column of 0 and 1 for each word; NaN where there
    is none."""
    if not holds_words(told):
        return to_box(column, told)[:, None]
    place = place_of(column, told)[:, None]
    return np.where(np.isnan(place), np.nan, place == np.arange(len(told)))
