"""Inversion of a classifier of handwritten digits: a picture of a class found from the confidences
that the classifier tells (Fredrikson, Jha & Ristenpart 2015)."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpstudio.charts.figure import Array

SIDE, CLASSES = 8, 10
_PASSES, _RATE, _HOLD = 150, 2.0, 1e-3
_LOOK = 0.25  # how far a pixel is moved to see what the classifier says


@dataclass(frozen=True, eq=False)
class Classifier:
    """Softmax regression: `weights` (classes, pixels + 1), what it was learnt from as the mean
    picture of each class, (classes, pixels), and the share of others that it tells right."""

    weights: Array
    means: Array
    right: float

    def tells(self, x: Array, step: float) -> Array:
        """The confidences for pictures (n, pixels) in [0, 1], rounded to multiples of `step`, or,
        where it is 0, as they are; (n, classes)."""
        scores = x @ self.weights[:, :-1].T + self.weights[:, -1]
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares = scores / scores.sum(axis=1, keepdims=True)
        return np.asarray(np.round(shares / step) * step if step else shares)


@lru_cache(maxsize=1)
def classifier() -> Classifier:
    """Learnt from two thirds of the 1,797 digits of scikit-learn (Alpaydin & Kaynak 1998)."""
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    x = np.column_stack((x / 16, np.ones(len(x))))
    test = np.arange(len(x)) % 3 == 0
    here, wanted = x[~test], np.eye(CLASSES)[y[~test]]
    weights = np.zeros((CLASSES, x.shape[1]))
    for _ in range(_PASSES):
        scores = np.exp(here @ weights.T)
        shares = scores / scores.sum(axis=1, keepdims=True)
        weights -= _RATE * ((shares - wanted).T @ here / len(here) + _HOLD * weights)
    means = np.array([here[y[~test] == c, :-1].mean(axis=0) for c in range(CLASSES)])
    right = float(np.mean((x[test] @ weights.T).argmax(axis=1) == y[test]))
    return Classifier(weights, means, right)


def inverted(model: Classifier, wanted: int, step: float, passes: int) -> Array:
    """The picture that the attacker arrives at from grey, (pixels,) in [0, 1]: he moves one pixel
    after the other a little, sees how ln of the confidence changes, and goes uphill as long as
    anything does."""
    size = model.means.shape[1]
    x = np.full(size, 0.5)
    for _ in range(passes):
        both = np.concatenate((x + _LOOK * np.eye(size), x - _LOOK * np.eye(size)))
        told = np.log(np.maximum(model.tells(both, step)[:, wanted], step / 2 or 1e-12))
        slope = (told[:size] - told[size:]) / (2 * _LOOK)
        if not slope.any():
            break
        x = np.clip(x + 0.2 * slope / np.abs(slope).max(), 0.0, 1.0)
    return x


def alike(picture: Array, mean: Array) -> float:
    """The correlation of a picture with the mean picture of its class: 0 for one that is all of one
    grey."""
    a, b = picture - picture.mean(), mean - mean.mean()
    length = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / length if length > 0 else 0.0
