"""Association rules of a table, and how one of them is hidden by deleting items."""

import itertools

import numpy as np
from anonymity import value_codes


def frequent_items(table, names, most=12, values=50):
    """The most frequent values of these columns, as (rows, items): which row holds which. A column
    of very many values is left out, as is a value that all rows have: it says nothing."""
    found = []
    for name in names:
        codes = value_codes(table[name])
        if codes.max() < values:
            held = [codes == code for code in range(codes.max() + 1)]
            found += [rows for rows in held if not rows.all()]
    found.sort(key=np.count_nonzero, reverse=True)
    return np.stack(found[:most], axis=1)


def association_rules(held, support, confidence):
    """Rules given → then of at most 3 items, what each holds as (confidence, support), by
    falling confidence: all items in at least that share of the rows, and `then` in at least that
    share of the rows with `given` (Agrawal & Srikant 1994)."""
    n, items = held.shape
    rows = {
        some: np.count_nonzero(held[:, some].all(axis=1))
        for size in (1, 2, 3)
        for some in itertools.combinations(range(items), size)
    }
    rules = {}
    for some, many in rows.items():
        if len(some) < 2 or many < support * n:
            continue
        for size in range(1, len(some)):
            for given in itertools.combinations(some, size):
                if many / rows[given] >= confidence:
                    then = tuple(item for item in some if item not in given)
                    rules[given, then] = many / rows[given], many / n
    return dict(sorted(rules.items(), key=lambda rule: (-rule[1][0], -rule[1][1], rule[0])))


def hide_rule(held, given, then, support, confidence, rng):
    """The rows without the rule: the rarest item of its right side is deleted from as few rows as
    it takes, shortest first and chance among equals, until both − deleted falls below support·n
    or below confidence·(rows with `given`) (Verykios, Elmagarmid, Bertino, Saygin & Dasseni
    2004)."""
    both = np.flatnonzero(held[:, given + then].all(axis=1))
    left = np.count_nonzero(held[:, given].all(axis=1))
    enough = max(confidence * left, support * len(held))
    many = int(np.floor(len(both) - enough + 1e-9)) + 1  # a rule exactly at a threshold is found
    shortest = np.lexsort((rng.random(len(both)), held[both].sum(axis=1)))
    rarest = min(then, key=lambda item: np.count_nonzero(held[:, item]))
    out = held.copy()
    out[both[shortest[:many]], rarest] = False
    return out
