"""What Learn says, by another route: of labels that can be learnt, and of scores."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from odd_tables import odd_tables
from sklearn.metrics import r2_score

from dpstudio.data.dataset import Dataset
from dpstudio.data.features import split as parted
from dpstudio.labs.context import Context
from dpstudio.labs.learning.learn.learners.regression_moments import GaussianMoments
from dpstudio.labs.learning.learn.model import learn_model, majority
from dpstudio.labs.learning.learn.parameters import Learn
from dpstudio.labs.learning.learn.task import task_of
from dpstudio.labs.learning.local.parameters import LocalLearning
from dpstudio.labs.learning.local.task import task_of as asked_of


@pytest.mark.parametrize("split", ["lot", "last"])
def test_what_is_learnt_by_default_can_be_learnt(split: str) -> None:
    """On each odd table that it opens on there is something to tell, and something to be told."""
    told = Counter[bool]()
    for name, frame in odd_tables().items():
        data = Dataset(frame, name, name)
        lab = Learn(split=split).suited(data)
        stopped = any(problem.stops for problem in lab.problems(data))
        told[stopped] += 1
        if stopped:
            continue
        task = task_of(lab, data)
        column = frame[lab.predicts].dropna()
        assert column.nunique() > 1, name
        assert np.ptp(task.y) > 0, name
        assert not lab.learner.numbers or np.ptp(task.test_y) > 0, name
    assert min(told.values()) > 10, told


def test_what_local_learning_learns_by_default_can_be_learnt() -> None:
    told = Counter[bool]()
    for name, frame in odd_tables().items():
        data = Dataset(frame, name, name)
        lab = LocalLearning().suited(data)
        stopped = any(problem.stops for problem in lab.problems(data))
        told[stopped] += 1
        assert stopped or np.ptp(asked_of(lab, data).y) > 0, name
    assert min(told.values()) > 5, told


def test_the_mean_explains_as_much_as_scikit_learn_says() -> None:
    """And where all numbers to test with are alike nothing is scored."""
    frame = odd_tables()["last rows alike"]
    data, lab = Dataset(frame, "t", "t"), Learn(split="last")
    assert lab.suited(data).predicts == "age"
    lab = lab.with_(features=("age",), predicts="y", learner=GaussianMoments())
    for test in (0.3, 0.6):
        (stopped,) = [p for p in lab.with_(test=test).problems(data) if p.stops] or [None]
        assert (stopped is not None) == (test < 0.5)
    rows = frame["y"].to_numpy(dtype=float)
    learnt, tested = parted(len(rows), 0.6, None)
    model = learn_model(lab.with_(test=0.6), Context(data), None, (), whole=True)
    expected = r2_score(rows[tested], np.full(len(tested), rows[learnt].mean()))
    assert majority(model) == pytest.approx(expected)
