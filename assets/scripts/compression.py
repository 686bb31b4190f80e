"""Rows projected on a few directions, and what can still be told of them."""

import itertools
import math
from typing import NamedTuple

import numpy as np
from components import leading_vectors
from features import holds_words, place_of, to_box, told_from
from scipy import linalg
from shadows import logistic_weights


def rows_as_numbers(table, features, labels):
    """The rows that have every value, numbers scaled to [−1, 1] and of each word a column of 0 and
    1; and their two labels as codes, with how many classes each has."""
    parts, there = [], []
    for name, told in features.items():
        told = told_from(table[name], told)
        if holds_words(told):
            codes = place_of(table[name], told)
            parts.append(codes[:, None] == np.arange(len(told)))
        else:
            codes = to_box(table[name], told)
            parts.append(np.clip(codes, -1, 1)[:, None])
        there.append(~np.isnan(codes))
    classes = []
    for name, told in labels:
        words = told_from(table[name], told)
        classes.append((place_of(table[name], words), len(words)))
        there.append(~np.isnan(classes[-1][0]))
    kept = np.all(there, axis=0)
    return np.hstack(parts).astype(float)[kept], [(c[kept].astype(int), m) for c, m in classes]


def where_they_vary(x):
    """The rows less their mean, along the directions in which they vary at all."""
    around = x - x.mean(axis=0)
    if len(x) < x.shape[1]:
        _, sizes, right = np.linalg.svd(around, full_matrices=False)
        values, vectors = sizes**2, right.T
    else:
        values = np.linalg.eigvalsh(around.T @ around)[::-1]
        vectors = leading_vectors(around.T @ around, x.shape[1])
    return around @ vectors[:, values > 1e-9 * max(values[0], 1e-300)]


class Scatter(NamedTuple):
    """Of rows with a label: their mean, the mean of (x − μ)(x − μ)ᵀ, that of the means of classes
    about it and that within classes; the shares of the classes, and their means about μ."""

    mean: np.ndarray
    spread: np.ndarray
    between: np.ndarray
    within: np.ndarray
    shares: np.ndarray
    centres: np.ndarray


def scatter_of(z, codes, classes):
    """The scatter of rows with a label."""
    mean = z.mean(axis=0)
    around = z - mean
    member = (codes[:, None] == np.arange(classes)).astype(float)
    counts = member.sum(axis=0)
    centres = member.T @ around / np.maximum(counts, 1)[:, None]
    spread, shares = around.T @ around / len(z), counts / len(z)
    between = (centres * shares[:, None]).T @ centres
    return Scatter(mean, spread, between, spread - between, shares, centres)


def with_ridge(a, share, spread):
    """A scatter with so large a share of its largest eigenvalue on the diagonal."""
    size = max(share * np.linalg.eigvalsh(a)[-1], 1e-12 * np.trace(spread))
    return a + (size if size > 0 else share) * np.eye(len(a))


def pencil(a, b):
    """The w with a w = λ b w and wᵀbw = 1, the largest λ first."""
    return linalg.eigh(a, b)[1][:, ::-1]


def dca_directions(one, rho, rho_prime):
    """Discriminant components: (S̄ + (ρ + ρ′)I, S_W + ρI), ρ a share of the largest variance within
    the classes and ρ′ one of ρ (Kung 2017)."""
    within = with_ridge(one.within, rho, one.spread)
    size = (within - one.within)[0, 0]
    return pencil(one.spread + (1 + rho_prime) * size * np.eye(len(within)), within)


def linear_rule(s, w):
    """The rule that is best for Gaussian classes of one spread, from Wᵀ(x − μ): of each class a
    slope S_W⁻¹m and a height ln π − ½mᵀS_W⁻¹m (Fisher 1936; Rao 1948)."""
    within, centres, k = w.T @ s.within @ w, s.centres @ w, w.shape[1]
    apart = s.shares @ np.sum(centres**2, axis=1) / k
    size = max(1e-6 * np.trace(within) / k, 1e-12 * apart)
    slopes = np.linalg.solve(within + (size if size > 0 else 1e-6) * np.eye(k), centres.T)
    half = np.sum(slopes.T * centres, axis=1) / 2
    return slopes, np.where(s.shares > 0, np.log(np.maximum(s.shares, 1e-300)) - half, -np.inf)


def centre_rule(s, w):
    """The class with the nearest mean, whatever its share."""
    centres = s.centres @ w
    return centres.T, np.where(s.shares > 0, -np.sum(centres**2, axis=1) / 2, -np.inf)


def inverse_of(w):
    """What turns Wᵀ(x − μ) into the row of least length about μ that has it: W(WᵀW)⁻¹."""
    return np.linalg.solve(w.T @ w, w.T).T


def decoder_of(spread, w):
    """What turns it into the linear guess of least mean squared error: S̄W(WᵀS̄W)⁻¹."""
    crossed = spread @ w
    varied = np.sum(w * crossed, axis=0)
    known = varied > 1e-12 * np.trace(spread) * np.sum(w**2, axis=0)
    scale = np.where(known, 1 / np.sqrt(np.where(known, varied, 1)), 0)
    inner = (crossed * scale).T @ (w * scale) + 1e-12 * np.eye(w.shape[1])
    return np.linalg.solve(inner, (crossed * scale).T).T * scale


def lost_with(spread, w, back):
    """The share of the variance that reconstructed rows miss: tr of (I − MWᵀ)S̄(I − MWᵀ)ᵀ
    over tr S̄."""
    off = np.eye(len(w)) - back @ w.T
    return max(np.trace(off @ spread @ off.T), 0) / np.trace(spread)


def rule_of(s, attacker, w, plain):
    """The rule of an attacker: the linear one, the nearest centre, or the linear one of whole rows,
    which sees reconstructed rows."""
    if attacker == "linear":
        return linear_rule(s, w)
    if attacker == "centre":
        return centre_rule(s, w)
    slopes, heights = plain
    back = inverse_of(w) if attacker == "inverse" else decoder_of(s.spread, w)
    return back.T @ slopes, heights


def told_by_rule(rule, s, attacker, z, score):
    """The class of each row; where classes count alike, none is taken to be more common."""
    slopes, heights = rule
    if score == "classes" and attacker != "centre":
        heights = heights - np.log(np.where(s.shares > 0, s.shares, 1))
    return (z @ slopes + heights).argmax(axis=1)


def share_told(told, wanted, score):
    """The accuracy over rows, or its mean over the classes that are there."""
    if score == "rows":
        return np.mean(told == wanted)
    return np.mean([np.mean(told[wanted == code] == code) for code in np.unique(wanted)])


def best_single_answer(wanted, classes, score):
    """How often one answer for all rows is right at best."""
    return max(share_told(np.full(len(wanted), code), wanted, score) for code in range(classes))


def tested_rows(n, share, seed):
    """The rows to test with, by lot."""
    order = np.random.default_rng(seed).permutation(n)
    return np.sort(order[n - round(n * share) :])


def nearest_of(far, k):
    """Which k of the distances are least, what comes first where several are equally far; floats
    that differ as little as by rounding are equal."""
    far = np.rint(far / (2.0**-40 * 2.0 ** np.frexp(np.abs(far).max(initial=0.0))[1]))
    return np.argsort(far, axis=1, kind="stable")[:, :k]


def neighbours_tell(known, codes, z, classes, k, alike):
    """The class that most of the k nearest known rows have; numbers may count alike, each in its
    own standard deviations."""
    if alike:
        size = known.std(axis=0)
        known, z = (rows / np.where(size > 0, size, 1) for rows in (known, z))
    far = np.sum(known**2, axis=1) - 2 * z @ known.T
    near = codes[nearest_of(far, min(k, len(known)))]
    votes = [np.count_nonzero(near == code, axis=1) for code in range(classes)]
    return np.argmax(votes, axis=0)


def best_neighbours(known, codes, classes):
    """How many neighbours, and whether numbers count alike: what tells one half of the known rows
    best by the other."""
    half = len(known) // 2
    tried = list(itertools.product((1, 3, 9, 27, 81), (False, True)))
    right = [
        np.mean(neighbours_tell(known[:half], codes[:half], known[half:], classes, *each)
                == codes[half:])
        for each in tried
    ]  # fmt: skip
    return tried[int(np.argmax(right))]


def logistic_tells(known, codes, z, classes):
    """The class that logistic models, one for each against the others, are most certain of: each
    at the least of Σ ln(1 + e^(−y·w·x)) + Λ|w|²/2, Λ = 0.01, for rows in the unit ball."""
    size = max(np.sqrt((known**2).sum(axis=1)).max(), 1e-300)
    inside, others = (
        np.column_stack([rows / size, np.ones(len(rows))]) / math.sqrt(2) for rows in (known, z)
    )
    first = 1 if classes == 2 else 0
    signs = [np.where(codes == code, 1.0, -1.0) for code in range(first, classes)]
    sure = [others @ logistic_weights(inside, sign, 0.01) for sign in signs]
    return (sure[0] > 0).astype(int) if first else np.argmax(sure, axis=0)


def known_rows(codes, test, many, rng, score):
    """The rows that an attacker learns from, by lot: of each class as many where classes count
    alike."""
    rows = rng.permutation(np.setdiff1d(np.arange(len(codes)), test))
    if score == "rows":
        return rows[:many]
    there = [rows[codes[rows] == code] for code in np.unique(codes[rows])]
    alike = [np.resize(some, -(-many // len(there))) for some in there]
    return rng.permutation(np.concatenate(alike))


def learners_tell(z, codes, classes, tests, directions, seed, score):
    """How often attackers who learn from some of the rows tell the label, in each split: the
    nearest neighbours, tuned in the first split, and logistic models."""
    found, near = {"neighbours": [], "logistic": []}, None
    for place, (test, w) in enumerate(zip(tests, directions, strict=True)):
        many = min(1000, len(z) - len(test))
        known = known_rows(codes, test, many, np.random.Generator(np.random.SFC64((*seed, place))),
                           score)  # fmt: skip
        asked = test[:1000]
        seen, told = z[known] @ w, z[asked] @ w
        near = near or best_neighbours(seen, codes[known], classes)
        for name, tells in (
            ("neighbours", neighbours_tell(seen, codes[known], told, classes, *near)),
            ("logistic", logistic_tells(seen, codes[known], told, classes)),
        ):
            found[name].append(share_told(tells, codes[asked], score))
    return found


def so_far(told, crowd, whole):
    """How far something is told above one answer for all, of the way that whole rows go."""
    return float(np.clip((told - crowd) / (whole - crowd), 0, 1)) if whole > crowd else 0.0
