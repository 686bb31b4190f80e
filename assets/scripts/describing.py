"""Which columns of a table describe its people, where nobody names any: by what was told of them,
by their names, and by their values, so that it is no private choice."""

import numpy as np
from tables import present


def describing(table, told, looks=None, persons=None, few=0, most=None):
    """Of `told`, what is known of some columns, that of those which describe people, the first
    `most`: no numbers of rows or persons, no places, no prose, nothing that is mostly missing; all
    where none is left. `looks` has what may be looked for in a column, "never" where it is none
    by what was told or by its name. With `few` only columns of no more words than that."""
    held = [name for name in told if present(table[name]).any()]
    if few:
        numbers = [
            n for n in held if table[n].dtype == float and "date" not in looked_for(looks, n)
        ]
        held = [n for n in held if n in numbers or len(different(table[n])) <= few]
    person = person_of(table, persons or {})
    fit = [
        name
        for name in held
        if name != person
        and np.mean(~present(table[name])) <= 0.9
        and describes(table[name], looked_for(looks, name))
    ]
    return {name: told[name] for name in (fit or held)[:most]}


def looked_for(looks, name):
    """The words that say what may be looked for in a column."""
    return (looks or {}).get(name, "").split()


def different(column):
    """The different values of a column, in order."""
    return np.unique(column[present(column)])


def describes(column, look):
    """Whether a column is likely to describe people."""
    if "never" in look or ("prose" in look and is_prose(column)):
        return False
    if "rows" in look and tells_rows(column, look):
        return False
    return not ("place" in look and numbers_places(column))


def is_prose(column):
    """Whether it holds sentences: of its most common words most are long, with gaps."""
    words, counts = np.unique(column[present(column)].astype(str), return_counts=True)
    if 2 * len(words) <= counts.sum():
        return False
    seen = sorted(zip(-counts, words, strict=True))[:100]
    return 2 * sum(len(word) > 20 and word.count(" ") >= 3 for _, word in seen) > len(seen)


def tells_rows(column, look):
    """Whether its values seem to tell rows or persons apart; "id" in `look` says that its name
    does, "sure" that it does surely."""
    values, filled = different(column), np.count_nonzero(present(column))
    if column.dtype == float:
        values = values[np.isfinite(values)]
        if "number" in look and not np.all(values == np.floor(values)):
            return False
    named = "id" in look
    if len(values) < 0.98 * filled or filled < 2:
        each = filled / max(1, len(values))
        return named and ("sure" in look or len(values) >= 20) and 1 < each <= 50
    if column.dtype != float:
        return named or len(values) >= 20
    without_gap = values[-1] - values[0] == len(values) - 1
    many = len(values) >= 1000 or (len(values) >= 20 and without_gap)
    return named or (len(values) == filled and many)


def numbers_places(column):
    """Whether whole numbers look like postcodes: of four or five digits, from the first to the
    last that there are, and not most about a middle."""
    kept = np.sort(column[np.isfinite(column)])
    if len(np.unique(kept)) < 20:
        return False
    low, early, late, high = (
        kept[max(1, int(np.ceil(share * len(kept) - 1e-9))) - 1] for share in (0, 0.25, 0.75, 1)
    )
    return late - early > 0.35 * (high - low) and any(
        first <= low <= 2 * first and 9 * first <= high < 10 * first for first in (1_000, 10_000)
    )


def person_of(table, persons):
    """The column whose values seem to be persons some of whom have several rows: the most
    certain by its name, of equals the first; None where there is none."""
    for wanted in ("sure", "maybe"):
        for name, how in persons.items():
            values, filled = different(table[name]), np.count_nonzero(present(table[name]))
            whole = how.split()[-1] != "number" or np.all(values == np.floor(values))
            if how.split()[0] != wanted or not whole or filled <= len(values) or len(values) < 2:
                continue
            if wanted == "sure" or (len(values) >= 20 and filled <= 50 * len(values)):
                return name
    return None
