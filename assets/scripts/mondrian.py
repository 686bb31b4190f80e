"""Classes of people as boxes that are halved (LeFevre, DeWitt & Ramakrishnan 2006)."""

import numpy as np
from anonymity import value_codes


def boxed(table, names, rows):
    """The columns by which boxes are cut: floats of numbers on a line, int codes of words."""
    found = [table[name] for name in names]
    return [value_codes(x)[rows] if x.dtype == object else x[rows] for x in found]


def box_width(part, whole):
    """How wide a part of a column is, as a share of the whole: the range of numbers, the number of
    different words."""
    if whole.dtype == float:
        return (part.max() - part.min()) / max(np.ptp(whole), 1e-300)
    words = len(np.unique(part))
    return words / len(np.unique(whole)) if words > 1 else 0.0


def halves(part, cut):
    """Ways to cut a part of a column in two, each as who goes left."""
    if part.dtype != float:  # half of the words that are there, in their order
        words, place = np.unique(part, return_inverse=True)
        return [place < len(words) // 2]
    if cut == "relaxed":  # half of the rows, those of one value shared out
        return [np.argsort(np.argsort(part, kind="stable"), kind="stable") < len(part) // 2]
    middle = np.sort(part)[len(part) // 2]
    if cut == "strict":
        return [part < middle]
    return sorted([part < middle, part <= middle], key=lambda left: abs(2 * left.sum() - len(part)))


def mondrian(columns, keeps, cut="strict", weights=None):
    """The class of each row: every class is cut by its widest column whose halves both keep the
    rule, again and again, until none can be cut."""
    weights = weights or [1.0] * len(columns)
    of, many, left = np.zeros(len(columns[0]), dtype=int), 0, [np.arange(len(columns[0]))]
    while left:
        rows = left.pop()
        found = cut_in_two(columns, rows, keeps, cut, weights)
        if found:
            left += found
        else:
            of[rows] = many
            many += 1
    return alike_joined(columns, of) if cut == "relaxed" else of


def cut_in_two(columns, rows, keeps, cut, weights):
    """The halves of a class that both keep the rule; none where there is no such cut."""
    widths = [weight * box_width(x[rows], x) for x, weight in zip(columns, weights, strict=True)]
    for place in np.argsort(-np.array(widths), kind="stable"):
        if widths[place] > 0:
            for left in halves(columns[place][rows], cut):
                two = [rows[left], rows[~left]]
                if all(len(part) and keeps(part) for part in two):
                    return two
    return []


def alike_joined(columns, of):
    """Classes that show the same ends and words are one: nobody can tell them apart."""
    names = {}
    joined = np.empty_like(of)
    for each in range(of.max() + 1):
        parts = [x[of == each] for x in columns]
        shown = tuple(
            (p.min(), p.max()) if p.dtype == float else tuple(np.unique(p)) for p in parts
        )
        joined[of == each] = names.setdefault(shown, len(names))
    return joined


def certainty_penalty(columns, of, weights):
    """What is lost: how wide the class of a row is as a share of the whole table, on average over
    rows and columns (Xu, Wang, Pei, Wang, Shi & Fu 2006)."""
    order = np.argsort(of, kind="stable")
    classes = np.split(order, np.flatnonzero(np.diff(of[order])) + 1)
    lost = [
        weight * box_width(x[rows], x) * len(rows)
        for x, weight in zip(columns, weights, strict=True)
        for rows in classes
    ]
    return sum(lost) / (len(of) * len(columns))
