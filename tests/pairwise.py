"""Few states in which every two choices meet: what goes wrong where two settings come together is
found in these, and the whole cross is left to tests/soak.py --only cross."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def pairwise(choices: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """States, each with a value for every name, such that any two values of two names are together
    in one of them. The same choices always give the same states, in the same order."""
    sizes = [len(values) for values in choices.values()]
    places = range(len(sizes))
    # (place, value, place, value), each once, in an order that does not depend on hashes.
    missing = dict.fromkeys(
        (i, a, j, b)
        for i, j in itertools.combinations(places, 2)
        for a, b in itertools.product(range(sizes[i]), range(sizes[j]))
    )
    if len(sizes) == 1:
        missing = dict.fromkeys((0, a, 0, a) for a in range(sizes[0]))

    def met(state: dict[int, int], place: int, value: int) -> list[tuple[int, int, int, int]]:
        pairs = [
            (k, held, place, value) if k < place else (place, value, k, held)
            for k, held in state.items()
        ]
        return [pair for pair in pairs if pair in missing]

    while missing:
        i, a, j, b = next(iter(missing))
        state = {i: a, j: b}
        for place in places:
            if place not in state:
                gains = [len(met(state, place, value)) for value in range(sizes[place])]
                state[place] = gains.index(max(gains))
        for one, other in itertools.combinations_with_replacement(sorted(state), 2):
            missing.pop((one, state[one], other, state[other]), None)
        yield {name: values[state[place]] for place, (name, values) in enumerate(choices.items())}
