"""A model that may leave: what its columns must be, and what stands in its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Feature, Sample, sample_of
from dpstudio.labs.outcome import ReleasedModel
from dpstudio.labs.page import Lab
from dpstudio.privacy.learning.exact_models import whole_steps
from dpstudio.privacy.queries.query import ADD_REMOVE, REPLACE
from dpstudio.privacy.sampling import UnattestedError
from dpstudio.values.messages import N_, Num, listed, say

NOISE = (
    "whole numbers drawn exactly on a public grid with chance of the system (Canonne, Kamath & "
    "Steinke 2020); no seed is kept here"
)

PROMISE = N_(
    "Promise: ε = {epsilon}, where one person {moves}; of each at most {m} {m:row is|rows are} "
    "used."
)
MOVES = {
    REPLACE: N_("is replaced by anybody else (replace one)"),
    ADD_REMOVE: N_("comes or goes (add or remove one)"),
}
LEARNT_FROM = N_(
    "Learnt from the rows that have every value, each word one of those listed; no test part was "
    "kept, and no score leaves."
)
NOT_COVERED = N_("Not covered: settings that were chosen by looking at these rows or at scores.")


def public_sample(data: Dataset, names: Sequence[str], label: str | None) -> Sample:
    """What a model is made of, told of a stand-in: bounds and words that somebody attested. Raises
    NotDrawnError that names the very columns where one is not, ParamError as `sample_of` does."""
    sample = sample_of(data, names, label, classes=label is not None)
    if sample.unattested:
        text = N_(
            "The bounds or words of {columns} are known from the rows alone. Say on the page of "
            "the table what is known of them from outside, and that it is."
        )
        told = say(text, columns=listed(sample.unattested))
        raise UnattestedError(told, sample.unattested)
    return sample


def steps_of(sample: Sample) -> list[NDArray[np.int64]]:
    """Each column of a sample by itself: numbers in steps of the grid, words as their codes. Of the
    true table it is a `sample_on` the public one: what else is told of its columns is no public
    matter."""
    out = []
    for place, feature in enumerate(sample.features):
        x = sample.x[:, place]
        if not feature.words:
            middle, half = (feature.low + feature.high) / 2, (feature.high - feature.low) / 2
            x = (x - middle) / (half or 1.0)  # of ends that no double lies between it is 0
        out.append(x.astype(np.int64) if feature.words else whole_steps(x))
    return out


def moved(lab: Lab, most: int) -> int:
    """How often one person moves a count: each of their rows once, twice where it is replaced."""
    return most * (2 if getattr(lab, "adjacency", "") == REPLACE else 1)


def columns_told(features: Sequence[Feature]) -> list[dict[str, Any]]:
    """The columns of a model, as its file has them."""
    return [
        {"name": f.name, "words": list(f.words)}
        if f.words
        else {"name": f.name, "low": f.low, "high": f.high}
        for f in features
    ]


def released(
    lab: Lab, sample: Sample, epsilon: float, values: Mapping[str, Any], loader: str
) -> ReleasedModel:
    """The model with all that is said of it."""
    adjacency = getattr(lab, "adjacency", ADD_REMOVE)
    told = {
        "epsilon": epsilon,
        "delta": 0,
        "neighbours": adjacency,
        "rows_of_a_person": sample.most,
        "noise": NOISE,
        "columns": columns_told(sample.features),
        **values,
    }
    promise = say(
        PROMISE, epsilon=Num(epsilon, 5, "up"), m=Num(sample.most), moves=say(MOVES[adjacency])
    )
    statement = (promise, say(LEARNT_FROM), say(NOT_COVERED))
    return ReleasedModel("model", say("The model"), told, statement, loader)
