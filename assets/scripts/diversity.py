"""What the sensitive values of a class of people must be, besides at least k of them."""

import math

import numpy as np


def is_distinct(counts, least):
    """At least so many different values (l-diversity, Machanavajjhala, Kifer, Gehrke &
    Venkitasubramaniam 2007)."""
    return np.count_nonzero(counts) >= least


def is_entropic(counts, least):
    """An entropy −Σ p ln p of at least ln l (the same, Definition 4.1)."""
    p = counts[counts > 0] / max(counts.sum(), 1)
    return -np.sum(p * np.log(p)) >= math.log(least) - 1e-12


def is_recursive(counts, least, factor):
    """The most frequent value is rarer than c times the l-th, and all after it, together (the same,
    Definition 4.2)."""
    down = np.sort(counts)[::-1]
    return down[0] < factor * down[least - 1 :].sum()


def is_close(counts, whole, most, ground):
    """The shares of the values differ from those of the whole table by an earth mover's distance of
    at most t (t-closeness, Li, Li & Venkatasubramanian 2007): values all alike apart, or in their
    order; or, as a book prints it, by the largest gap alone. Without any value it tells nothing."""
    if not counts.sum():
        return True
    apart = counts / counts.sum() - whole / whole.sum()
    if ground == "printed":
        far = np.abs(apart).max()
    elif ground == "ordered":
        far = np.abs(np.cumsum(apart)[:-1]).sum() / max(len(apart) - 1, 1)
    else:
        far = np.abs(apart).sum() / 2
    return far <= most + 1e-12
