"""Inversion of a classifier of handwritten digits: a picture of a class found from the confidences
that the classifier tells (Fredrikson, Jha & Ristenpart 2015)."""

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

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


class _Climb:
    """The pictures that the attacker passes from grey on, (pixels,) in [0, 1] each: he moves one
    pixel after the other a little, sees how ln of the confidence changes, and goes uphill as long
    as anything does. Whoever asks for more passes goes on where another stopped."""

    def __init__(self, model: Classifier, wanted: int, step: float):
        self.model, self.wanted, self.step = model, wanted, step
        self.passed = [np.full(model.means.shape[1], 0.5)]
        self.moves, self.ended, self.one = _LOOK * np.eye(len(self.passed[0])), False, Lock()

    def after(self, passes: int) -> Array:
        with self.one:
            while len(self.passed) <= passes and not self.ended:
                self._go_on()
            return self.passed[min(passes, len(self.passed) - 1)]

    def _go_on(self) -> None:
        x = self.passed[-1]
        moves = self.moves
        told = self.model.tells(np.concatenate((x + moves, x - moves)), self.step)[:, self.wanted]
        told = np.log(np.maximum(told, self.step / 2 or 1e-12))
        slope = (told[: len(x)] - told[len(x) :]) / (2 * _LOOK)
        self.ended = not slope.any()
        if not self.ended:
            self.passed.append(np.clip(x + 0.2 * slope / np.abs(slope).max(), 0.0, 1.0))


_climb = lru_cache(maxsize=128)(_Climb)  # ten digits at each way of rounding


def inverted(model: Classifier, wanted: int, step: float, passes: int) -> Array:
    """The picture that the attacker arrives at after so many passes over all pixels, (pixels,) in
    [0, 1]; not to be written into."""
    return _climb(model, wanted, step).after(passes)


def alike(picture: Array, mean: Array) -> float:
    """The correlation of a picture with the mean picture of its class: 0 for one that is all of one
    grey."""
    a, b = picture - picture.mean(), mean - mean.mean()
    length = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / length if length > 0 else 0.0
