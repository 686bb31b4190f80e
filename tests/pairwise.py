"""Few states in which every two choices meet: what goes wrong where two settings come together is
found in these, and the whole cross is left to tests/soak.py --only cross."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any


def pairwise(
    choices: Mapping[str, Sequence[Any]],
    possible: Callable[[Mapping[str, Any]], bool] = lambda state: True,
) -> Iterator[dict[str, Any]]:
    """States, each with a value for every name, such that any two values of two names that are
    `possible` together are together in one of them. `possible` also judges states that lack some
    names. The same choices always give the same states, in the same order."""
    names = list(choices)

    def can(state: Mapping[str, int]) -> bool:
        return possible({name: choices[name][at] for name, at in state.items()})

    # (name, place of its value, name, place of its value), each once, in an order that is kept.
    missing = dict.fromkeys(
        (one, a, other, b)
        for one, other in itertools.combinations(names, 2)
        for a, b in itertools.product(range(len(choices[one])), range(len(choices[other])))
        if can({one: a, other: b})
    )

    def pairs(state: Mapping[str, int]) -> list[tuple[str, int, str, int]]:
        held = [(name, state[name]) for name in names if name in state]
        return [(*one, *other) for one, other in itertools.combinations(held, 2)]

    while missing:
        one, a, other, b = next(iter(missing))
        state = {one: a, other: b}
        for name in names:
            tried = [{**state, name: at} for at in range(len(choices[name]))]
            if name not in state:
                state = max(filter(can, tried), key=lambda t: sum(p in missing for p in pairs(t)))
        for pair in pairs(state):
            missing.pop(pair, None)
        yield {name: choices[name][state[name]] for name in names}
