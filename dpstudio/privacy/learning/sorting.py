"""How well classes are told apart in a few dimensions: scikit-learn's scores, not private."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, array

_ROUNDED = 1e-9  # of the length of axes: rows in [−1, 1] that lie closer are told apart by rounding


def f1_scores(axes: Array, x: Array, y: Array, test_x: Array, test_y: Array) -> Array:
    """F1, weighted by the sizes of the classes, on test rows of a support vector machine with a
    Gaussian kernel, learnt from rows projected onto each set of axes, shape (seeds, p, k) to
    (seeds,). Where there is one class to learn from, or all rows lie at one place, the commonest is
    told of all."""
    from sklearn.svm import SVC

    found = []
    for v in axes:
        turned = x @ v
        if len(np.unique(y)) < 2 or turned.std() <= _ROUNDED * np.abs(v).max():
            told = np.full(len(test_y), np.bincount(y.astype(np.int64)).argmax())
        else:
            told = SVC().fit(turned, y).predict(test_x @ v)
        found.append(weighted_f1(test_y, told))
    return array(found)


def weighted_f1(truth: NDArray[Any], told: NDArray[Any]) -> float:
    """The F1 score 2·hits/(told + there) of each class that is there, weighted by its rows; shape
    (n,) both, n > 0. A twentieth of the time of scikit-learn's, which checks what it is given."""
    there, rows = np.unique(truth, return_counts=True)
    hits = np.array([np.count_nonzero((truth == each) & (told == each)) for each in there])
    taken = np.array([np.count_nonzero(told == each) for each in there])
    return float((rows * 2 * hits / (rows + taken)).sum() / rows.sum())
