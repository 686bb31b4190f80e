"""How well classes are told apart in a few dimensions: scikit-learn's scores, not private."""

from __future__ import annotations

import numpy as np

from dpstudio.charts.figure import Array, array


def f1_scores(axes: Array, x: Array, y: Array, test_x: Array, test_y: Array) -> Array:
    """F1, weighted by the sizes of the classes, on test rows of a support vector machine with a
    Gaussian kernel, learnt from rows projected onto each set of axes, shape (seeds, p, k) to
    (seeds,). Where there is one class to learn from, all are taken for it."""
    from sklearn.metrics import f1_score
    from sklearn.svm import SVC

    found = []
    for v in axes:
        if len(np.unique(y)) < 2:
            told = np.full(len(test_y), y[0])
        else:
            told = SVC().fit(x @ v, y).predict(test_x @ v)
        found.append(float(f1_score(test_y, told, average="weighted", zero_division=0)))
    return array(found)
