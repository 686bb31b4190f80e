"""Explore with every question, every mechanism and the settings that change how both are worked
out: pairwise in the suite, all of the cross in `tests/soak.py --only cross`."""

import itertools
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from pairwise import pairwise
from running import little

from dpstudio.charts.figure import Line
from dpstudio.data.dataset import Dataset
from dpstudio.files.tables import open_table
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.findings import Findings
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.shared_parameters import MEASURES
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.queries import ADJACENCIES, QUERIES
from dpstudio.values.messages import render
from dpstudio.values.parameters import put

# Settings are made in this order, one after another.
CROSS: dict[str, Sequence[str]] = {
    "query": [kind.key for kind in QUERIES],
    "mechanism": [kind.key for kind in MECHANISMS],
    "mechanism.epsilon": ["0.1", "50", "0.001"],
    "adjacency": list(ADJACENCIES),
    "show_truth": ["yes", "no"],
}
# Only the pairs of these are tried with the ones above.
LOOKS: dict[str, Sequence[str]] = {
    "largest": ["no", "yes"],
    "relative": ["no", "yes"],
    "measure": list(MEASURES),
    "post_processing": ["none", "both"],
}


def explored(state: Mapping[str, Any]) -> Explore:
    """Explore with the settings of a state and few draws."""
    made = put(Explore(), "trials", 2000)
    for name, value in state.items():
        made = put(made, name, value)
    return made


def possible(data: Dataset) -> Callable[[Mapping[str, Any]], bool]:
    """Whether the mechanism of a state may answer its question: integer noise is refused on
    fractions."""
    refused = {
        query: frozenset(explored({"query": query}).refused(data)["mechanism"])
        for query in CROSS["query"]
    }
    return lambda state: state.get("mechanism") not in refused.get(state.get("query", ""), ())


@cache
def meetings(data: Dataset) -> tuple[dict[str, Any], ...]:
    """Few states, in which any two of all these settings meet."""
    return tuple(pairwise({**CROSS, **LOOKS}, possible(data)))


def check_sound(found: Findings) -> None:
    """Finite figures inside their axes, sentences without holes, JSON without NaN."""
    assert [f.key for f in found.figures] == ["published", "error", "tradeoff", "cost"]
    for figure in found.figures:
        for axis in (figure.x, figure.y):
            assert all(map(math.isfinite, axis.range)), figure.key
            assert axis.range[0] < axis.range[1], figure.key
        lines = [layer for layer in figure.layers if isinstance(layer, Line)]
        drawn = any(np.isfinite(line.y).any() for line in lines)
        assert drawn or figure.key == "published", figure.key
    json.dumps(findings_json(found), allow_nan=False)
    assert "{" not in "".join(render(s.say) for s in found.sentences)
    cost = found.figure("cost").layers
    assert len({layer.key for layer in cost}) == len(cost)


def run_cross() -> int:
    """Run all of the cross; print what breaks, and give how many states did."""
    data, start, broken, run = open_table("adult"), time.monotonic(), 0, 0
    can = possible(data)
    for values in itertools.product(*CROSS.values()):
        state = dict(zip(CROSS, values, strict=True))
        if not can(state):
            continue
        run += 1
        try:
            check_sound(little(explored(state), data))
        except Exception as error:
            broken += 1
            print("!", " ".join(f"{n}={v}" for n, v in state.items()), repr(error)[:300])
    print(f"{broken} of {run} states broke, {time.monotonic() - start:.0f} s")
    return broken
