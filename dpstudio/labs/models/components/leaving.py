"""The directions that may leave: second moments of rows on a grid, with noise of whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Feature, sample_on
from dpstudio.labs.context import Context
from dpstudio.labs.models.components import model as components
from dpstudio.labs.models.components.parameters import Components, ManyOwners
from dpstudio.labs.outcome import ReleasedModel
from dpstudio.labs.released_model import public_sample, released, steps_of
from dpstudio.privacy.learning import exact_models
from dpstudio.privacy.learning.components import along, leading, symmetric
from dpstudio.privacy.learning.ways import LaplaceMatrix
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.queries.query import REPLACE
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.values.messages import N_, Message, say

_STAYS = N_(
    "The directions of “{name}” stay here: its noise is drawn in doubles. “{other}” can be saved."
)
_OWNERS = N_("Many owners hold these rows, and none may draw of all. Choose one curator.")

LOADER = """\
import json
from pathlib import Path

import numpy as np
from sklearn.decomposition import PCA


def load(path):  # for rows scaled to [-1, 1] by the bounds of told["columns"]
    told = json.loads(Path(path).read_text("utf-8"))
    model = PCA(n_components=len(told["directions"]))
    model.components_ = np.array(told["directions"])
    model.mean_ = np.array(told["middle"])
    model.explained_variance_ = np.array(told["variances"])
    model.n_components_, model.n_features_in_ = model.components_.shape
    return model
"""


def stays(lab: Components) -> Message | None:
    """Why these directions do not leave; None where they do."""
    if isinstance(lab.holder, ManyOwners):
        return say(_OWNERS)
    if isinstance(lab.mechanism, LaplaceMatrix):
        return None
    name, other = Message(lab.mechanism.label), Message(LaplaceMatrix.label)
    return say(_STAYS, name=name, other=other)


def model_leaves(lab: Components, context: Context) -> ReleasedModel:
    """The directions, of moments drawn once. Raises NotDrawnError."""
    assert context.leaving is not None
    if (why := stays(lab)) is not None:
        raise NotDrawnError(why)
    names, epsilon = components.columns_of(lab, context.data), lab.mechanism.epsilon
    sample = public_sample(context.data, names, None)

    def make(data: Dataset, chance: ReleaseRandom) -> list[int]:
        z = np.column_stack(steps_of(sample_on(data, sample.features, None)))
        return exact_models.moments(
            z, epsilon, sample.most, chance, replace=lab.adjacency == REPLACE
        )

    asked = ["second moments", list(names), epsilon, lab.adjacency]
    asked.append([[f.low, f.high] for f in sample.features])
    drawn = context.leaving.draw(asked, Guarantee(epsilon, 0.0), make)
    values = _values(lab, sample.features, drawn)
    return released(lab, sample, epsilon, values, LOADER)


def _values(lab: Components, features: tuple[Feature, ...], drawn: list[int]) -> dict[str, Any]:
    """What follows from the noisy moments of (1, z)."""
    p, k = len(features), min(lab.k, len(features))
    held = symmetric(np.array(drawn, dtype=np.float64) / exact_models.MOST**2, p + 1)
    n = max(1.0, float(held[0, 0]))
    middle = np.clip(held[0, 1:] / n, -1, 1) if lab.centred else np.zeros(p)
    spread: Array = held[1:, 1:] / n - np.outer(middle, middle)
    directions = leading(spread, k)
    return {
        "model": "components",
        "centred": lab.centred,
        "middle": middle.tolist(),
        "directions": directions.T.tolist(),
        "variances": np.maximum(along(spread, directions), 0.0).tolist(),
        "drawn": drawn,
        "steps_to_a_bound": exact_models.MOST,
    }
