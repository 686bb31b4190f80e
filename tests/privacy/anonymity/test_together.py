"""Two tables laid upon each other, against every table that fits both."""

from itertools import product

import numpy as np

from dpstudio.privacy.anonymity import together
from dpstudio.privacy.anonymity.together import fitting


def brute(
    people: np.ndarray, places: np.ndarray, held: list[np.ndarray], d: int
) -> tuple[np.ndarray, int]:
    """Which values each group has in any table of whole people that fits all counts, and how many
    such tables there are."""
    ways = [[each for each in product(range(p + 1), repeat=d) if sum(each) == p] for p in people]
    found, many = np.zeros((len(people), d), dtype=np.bool_), 0
    for table in map(np.array, product(*ways)):
        fits = True
        for place, counts in zip(places.T, held, strict=True):
            for at, count in enumerate(counts):
                here = table[place == at].sum(axis=0)
                all_here = people[place == at].sum() == count.sum()
                fits &= bool(np.all(here == count) if all_here else np.all(here <= count))
        if fits:
            found |= table > 0
            many += 1
    return found, many


def test_counts_of_two_tables_are_solved_together(monkeypatch) -> None:
    """At random, also where a table leaves people out: nothing that fits is ruled out, and all that
    is ruled out of two values is; more than the sets of values rule out, often."""
    rng, narrower = np.random.default_rng(5), 0
    for _ in range(40):
        n, d = int(rng.integers(4, 8)), int(rng.integers(2, 4))
        values = rng.integers(0, d, n)
        of = [rng.integers(-(rng.random() < 0.3), 3, n) for _ in range(2)]
        held = [
            np.array([np.bincount(values[each == at], minlength=d) for at in range(3)])
            for each in of
        ]
        known = rng.random(n) < 0.9  # the others are in a table, and in no group
        places, group = np.unique(np.stack(of, axis=1)[known], axis=0, return_inverse=True)
        people = np.bincount(group.ravel(), minlength=len(places))
        sets = [
            np.where(p[:, None] >= 0, h[p] > 0, True) for p, h in zip(places.T, held, strict=True)
        ]
        possible = sets[0] & sets[1]
        left = fitting(people, places, held, possible)
        exact, many = brute(people, places, held, d)
        assert many >= 1
        assert not np.any(exact & ~left)
        assert not np.any(left & ~possible)
        assert d > 2 or np.array_equal(left, exact)
        narrower += bool(np.any(left < possible))
        with monkeypatch.context() as patched:
            patched.setattr(together, "MOST", 0)
            assert np.array_equal(fitting(people, places, held, possible), possible)
    assert narrower > 5
