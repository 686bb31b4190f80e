"""The centres that may leave: noisy steps over rows on a grid, in whole numbers throughout."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.data.features import sample_on
from dpstudio.labs.context import Context
from dpstudio.labs.models.clusters import model as clusters
from dpstudio.labs.models.clusters.parameters import Clusters, TableRows
from dpstudio.labs.outcome import ReleasedModel
from dpstudio.labs.released_model import moved, public_sample, released, steps_of
from dpstudio.privacy.learning import exact_models, lloyd
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.values.messages import N_, Message, say

_MADE = N_(
    "These points are made, and nobody’s: there are no centres of the table. Choose its rows."
)
_PRINTED = N_("This split of ε is as texts print it, and keeps no promise. Choose another split.")

LOADER = """\
import json
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans


def load(path):
    told = json.loads(Path(path).read_text("utf-8"))
    centres = np.array(told["centres"])  # in the units of the columns
    model = KMeans(n_clusters=len(centres), init=centres, n_init=1, max_iter=1).fit(centres)
    model.cluster_centers_ = centres
    return model  # scale rows as told["columns"] says where widths of columns differ
"""


def stays(lab: Clusters) -> Message | None:
    """Why these centres do not leave; None where they do."""
    if not isinstance(lab.points, TableRows):
        return say(_MADE)
    return say(_PRINTED) if lab.split == "printed" else None


def model_leaves(lab: Clusters, context: Context) -> ReleasedModel:
    """The centres, drawn once. Raises NotDrawnError."""
    assert context.leaving is not None
    if (why := stays(lab)) is not None:
        raise NotDrawnError(why)
    assert isinstance(lab.points, TableRows)
    names = clusters.columns_of(lab.points, context.data)
    sample = public_sample(context.data, names, None)
    model = clusters.ClustersModel(lab, context.data, context.effort)
    split, often, d = clusters.split_of(model), moved(lab, sample.most), len(names)
    by = exact_models.scales(split.count, split.total, split.steps, d, often, lab.epsilon)

    def make(data: Dataset, chance: ReleaseRandom) -> dict[str, Any]:
        rng = np.random.Generator(np.random.SFC64([int(word) for word in chance.words(4)]))
        begin = lloyd.spread_starts if lab.start == "spread" else lloyd.starts
        start = exact_models.whole_steps(begin(rng, 1, lab.k, d)[0])
        z = np.column_stack(steps_of(sample_on(data, sample.features, None)))
        found, told = exact_models.centres(z, start, split.steps, by, chance)
        return {"centres": found.tolist(), "counts_and_sums": told}

    asked = ["clusters", list(names), lab.k, split.steps, lab.split, lab.start, lab.epsilon]
    asked += [lab.adjacency, [[f.low, f.high] for f in sample.features]]
    drawn = context.leaving.draw(asked, Guarantee(lab.epsilon, 0.0), make)
    low = np.array([f.low for f in sample.features])
    half = np.array([(f.high - f.low) / 2 for f in sample.features])
    at = low + half * (np.array(drawn["centres"]) / exact_models.MOST + 1)
    values = {
        "model": "k_means",
        "steps": split.steps,
        "centres": at.tolist(),
        "drawn": drawn,
        "steps_to_a_bound": exact_models.MOST,
    }
    return released(lab, sample, lab.epsilon, values, LOADER)
