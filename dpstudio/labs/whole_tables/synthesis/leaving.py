"""The table that may leave: drawn once, and what is said beside it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpstudio.charts.figure import array
from dpstudio.data.cells import cells_on
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.whole_tables.synthesis import model as synthesis
from dpstudio.labs.whole_tables.synthesis.parameters import TYPED, Synthesis
from dpstudio.labs.whole_tables.synthesis.ways.way import SyntheticTable, Task
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.privacy.synthetic.chance import Exact
from dpstudio.values.parameters import to_json


def leaving_model(lab: Synthesis, context: Context) -> synthesis.SynthesisModel:
    """A table that may leave: drawn once, exactly, with noise and chance from the system. Raises
    NotDrawnError for what has no proof, or no exact sampler."""
    assert context.leaving is not None
    held = synthesis.cells(lab, context.data)
    public = synthesis.known_of(lab, context.data, held.axes)
    claim = lab.way.claim(public)
    if (why := synthesis.stays(lab, public)) is not None:
        raise NotDrawnError(why)
    asked = ["synthesis", to_json(lab.way), list(synthesis.columns_of(lab)), lab.bins, lab.missing]
    asked += [lab.adjacency, lab.epsilon, public.rows]

    def make(data: Dataset, leaving: ReleaseRandom) -> dict[str, Any]:
        codes = cells_on(data, held.axes).codes
        seed = [int(word) for word in leaving.words(4)]
        rng = np.random.Generator(np.random.SFC64(seed))
        steps = lab.way.steps(Task(codes), public, Exact(leaving), rng, lab.way.rounds)
        *_, made = steps
        noisy = [None if each is None else each.astype(int).tolist() for each in made.noisy]
        return {"codes": made.codes.T.tolist(), "noisy": noisy, "seed": seed}

    promise = Guarantee(claim.epsilon, claim.delta, claim.holds)
    found = context.leaving.draw(asked, promise, make)
    codes = np.array(found["codes"], dtype=np.int64).T
    counts = tuple(None if each is None else array(each) for each in found["noisy"])
    made = SyntheticTable(codes, counts)
    seed = tuple(found["seed"])
    table = lab, context.data, context.effort, held.axes, 0
    return synthesis.SynthesisModel(*table, None, made, None, seed, drawn=True, whole=True)


def sidecar(model: synthesis.SynthesisModel) -> dict[str, Any]:
    """What is said beside the table where it leaves: how it was made and what is promised; no
    number of people, no seed, and nothing else of the true table."""
    claim, known = synthesis.claimed(model), model.known
    domain = [
        {"column": axis.name, "words": axis.feature.words, "edges": axis.edges, "?": axis.missing}
        for axis in model.axes
    ]
    return {
        "method": to_json(model.lab.way),
        "source": model.lab.way.source,
        "epsilon": claim.epsilon,
        "delta": claim.delta,
        "neighbours": known.adjacency,
        "rows_of_a_person": known.most,
        "rows": "public" if public_size(model) else "noisy counts",
        "domain": domain,
        "noise": "exact samplers on the integers, chance of the system; no seed is kept here",
    }


def public_size(model: synthesis.SynthesisModel) -> bool:
    """Whether how many rows are made is public, and not what noisy counts tell."""
    return model.lab.size == TYPED or model.lab.way.key == "weights"
