"""Reconstruction: the secret bits of n people from noisy counts of random groups of them (Dinur &
Nissim 2003)."""

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array


@dataclass(frozen=True, eq=False)
class GroupAnswers:
    """`groups` (questions, n) of 0 and 1, who is in each, and the noisy `answers` (questions,)."""

    groups: Array
    answers: Array


def asked(bits: Array, questions: int, noise: Array, rng: np.random.Generator) -> GroupAnswers:
    """Counts of random halves of the people, `noise` (questions,) added."""
    groups = rng.integers(0, 2, (questions, len(bits))).astype(np.float64)
    return GroupAnswers(groups, groups @ bits + noise)


def least_absolute(told: GroupAnswers) -> Array:
    """The same by the least sum of absolute errors with all bits between 0 and 1, a linear program
    (Dwork, McSherry & Talwar 2007), then rounded at ½; shape (n,)."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, eye, hstack, vstack

    q, n = told.groups.shape
    groups, one = csr_matrix(told.groups), eye(q, format="csr")
    # Variables: bits, and how far each answer is off; −off ≤ groups·bits − answer ≤ off.
    limits = vstack([hstack([groups, -one]), hstack([-groups, -one])])
    made = linprog(
        np.concatenate((np.zeros(n), np.ones(q))),
        A_ub=limits,
        b_ub=np.concatenate((told.answers, -told.answers)),
        bounds=[(0, 1)] * n + [(0, None)] * q,
        method="highs",
    )
    return np.asarray(made.x[:n] > 0.5, dtype=np.float64)


def recovered(bits: Array, guess: Array) -> float:
    """The share of people whose bit is right: ½ is what a coin gets."""
    return float(np.mean(bits == guess))


def solver(groups: Array) -> Array:
    """What takes answers, (questions,), to the bits of `least_squares` before they are rounded,
    (n, questions): the same for all noise."""
    return np.asarray(np.linalg.pinv(groups.T @ groups, hermitian=True) @ groups.T)
