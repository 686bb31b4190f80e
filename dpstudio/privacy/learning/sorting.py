"""How well classes are told apart in a few dimensions: scikit-learn's scores, not private."""

from __future__ import annotations

import numpy as np

from dpstudio.charts.figure import Array, array

_ROUNDED = 1e-9  # of the length of axes: rows in [−1, 1] that lie closer are told apart by rounding


def f1_scores(axes: Array, x: Array, y: Array, test_x: Array, test_y: Array) -> Array:
    """F1, weighted by the sizes of the classes, on test rows of a support vector machine with a
    Gaussian kernel, learnt from rows projected onto each set of axes, shape (seeds, p, k) to
    (seeds,). Where there is one class to learn from, or all rows lie at one place, the commonest is
    told of all."""
    from sklearn.metrics import f1_score
    from sklearn.svm import SVC

    found = []
    for v in axes:
        turned = x @ v
        if len(np.unique(y)) < 2 or turned.std() <= _ROUNDED * np.abs(v).max():
            told = np.full(len(test_y), np.bincount(y.astype(np.int64)).argmax())
        else:
            told = SVC().fit(turned, y).predict(test_x @ v)
        found.append(float(f1_score(test_y, told, average="weighted", zero_division=0)))
    return array(found)
