"""The model that may leave: naive Bayes, whose counts and sums are whole numbers with noise of
whole numbers. No other learner has an exact sampler yet, and each says why."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import sample_on
from dpstudio.labs.context import Context
from dpstudio.labs.models.learn.learners.naive_bayes import NaiveBayes, shape_of
from dpstudio.labs.models.learn.parameters import Learn
from dpstudio.labs.models.learn.task import known
from dpstudio.labs.outcome import ReleasedModel
from dpstudio.labs.released_model import moved, public_sample, released, steps_of
from dpstudio.privacy.learning import exact_models, naive_bayes
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.values.messages import N_, Message, say

# Why the noise of a learner is none of whole numbers, by where it goes.
_WHY = {
    "input": N_("its noise is drawn in doubles, and added to moments of doubles"),
    "objective": N_("its weights come out of an optimiser, whose last digits follow from rows"),
    "output": N_("its noise is drawn in doubles"),
    "algorithm": N_("its noise is drawn in steps of doubles, whose last digits follow from rows"),
}
_STAYS = N_("The model of “{name}” stays here: {why}. “Naive Bayes” can be saved.")
_PRINTED = N_("This noise is as texts print it, and keeps no promise. Choose it as it is proved.")

LOADER = """\
import json
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Model(ClassifierMixin, BaseEstimator):
    def __init__(self, path):
        self.path = path
        self.told = json.loads(Path(path).read_text("utf-8"))
        self.classes_ = np.array(self.told["classes"])

    def decision_function(self, rows):  # a list of columns in the order of the file for each row
        out = np.log(self.told["priors"])[None, :].repeat(len(rows), axis=0)
        for place, column in enumerate(self.told["columns"]):
            x = [row[place] for row in rows]
            if "words" in column:
                codes = [column["words"].index(str(word)) for word in x]
                out += np.log(column["chances"])[:, codes].T
            else:
                z = np.clip(np.array(x, float), column["low"], column["high"])[:, None]
                mean, var = np.array(column["means"]), np.array(column["variances"])
                out -= (np.log(var) + (z - mean) ** 2 / var) / 2
        return out

    def predict(self, rows):
        return self.classes_[self.decision_function(rows).argmax(axis=1)]
"""


def stays(lab: Learn) -> Message | None:
    """Why this learner's model does not leave; None where it does."""
    if not isinstance(lab.learner, NaiveBayes):
        why = say(_WHY[lab.learner.place])
        return say(_STAYS, name=Message(lab.learner.label), why=why)
    return say(_PRINTED) if lab.learner.printed else None


def model_leaves(lab: Learn, context: Context) -> ReleasedModel:
    """The model, drawn once of all rows that have every value. Raises NotDrawnError."""
    assert context.leaving is not None
    if (why := stays(lab)) is not None:
        raise NotDrawnError(why)
    learner = lab.learner
    assert isinstance(learner, NaiveBayes)
    sample = public_sample(context.data, lab.features, lab.predicts)
    assert sample.label is not None
    sizes, classes = [len(f.words) for f in sample.features], sample.label.words
    parts = exact_models.bayes_parts(lab.epsilon, len(sizes), learner.counts)
    often = moved(lab, sample.most)

    def make(data: Dataset, chance: ReleaseRandom) -> dict[str, Any]:
        rows = sample_on(data, sample.features, sample.label)
        y = rows.y.astype(np.int64)
        return exact_models.bayes_counts(
            steps_of(rows), y, sizes, len(classes), parts, often, chance
        )

    asked = ["naive bayes", list(lab.features), lab.predicts, lab.epsilon, learner.counts]
    asked += [lab.adjacency, [[f.low, f.high, list(f.words)] for f in sample.features]]
    drawn = context.leaving.draw([*asked, list(classes)], Guarantee(lab.epsilon, 0.0), make)
    facts = known(lab, sample, learner)
    model = naive_bayes.model_of(_statistics(drawn, len(classes)), shape_of(facts))
    told = released(lab, sample, lab.epsilon, _values(lab, classes, model, drawn), LOADER)
    for column, more in zip(told.values["columns"], _columns(sample.features, model), strict=True):
        column.update(more)
    return told


def _statistics(drawn: dict[str, Any], classes: int) -> naive_bayes.Statistics:
    """What was drawn as statistics of features in [−1, 1], by class."""
    sums, squares, cells = (
        np.array(drawn[name], dtype=np.float64).reshape(-1, classes).T
        for name in ("sums", "squares", "cells")
    )
    grid = float(exact_models.MOST)
    counts = np.array(drawn["counts"][0], dtype=np.float64)
    return naive_bayes.Statistics(counts, sums / grid, squares / grid**2, cells)


def _values(
    lab: Learn, classes: tuple[str, ...], model: naive_bayes.Model, drawn: dict[str, Any]
) -> dict[str, Any]:
    return {
        "model": "naive_bayes",
        "label": lab.predicts,
        "classes": list(classes),
        "priors": _list(model.priors),
        "drawn": drawn,
        "steps_to_a_bound": exact_models.MOST,
    }


def _columns(features: Any, model: naive_bayes.Model) -> list[dict[str, Any]]:
    """The parameters of each column, by class, in the column's own unit."""
    out, number, word = [], 0, 0
    for f in features:
        if f.words:
            cut = slice(word, word + len(f.words))
            out.append({"chances": _list(model.chances[:, cut])})
            word = cut.stop
        else:
            half = (f.high - f.low) / 2
            means = f.low + half * (model.means[:, number] + 1)
            variances = half**2 * model.variances[:, number]
            out.append({"means": _list(means), "variances": _list(variances)})
            number += 1
    return out


def _list(values: Array) -> Any:
    return np.asarray(values).tolist()
