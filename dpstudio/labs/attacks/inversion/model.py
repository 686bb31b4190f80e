"""What Inversion knows: the pictures that an attacker finds who asks a classifier of digits how
sure it is, and how alike they are to what it learnt from."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.attacks.inversion.parameters import Inversion
from dpstudio.labs.context import Context
from dpstudio.labs.memo import once
from dpstudio.privacy.attacks.inversion import (
    CLASSES,
    SIDE,
    Classifier,
    alike,
    classifier,
    inverted,
)

# Of Fredrikson, Jha & Ristenpart 2015: to what confidences are rounded, exact ones first.
STEPS = (0.0, 0.001, 0.01, 0.05, 0.1, 0.5, 1.0)


@dataclass(frozen=True, eq=False)
class InversionModel:
    """One state of the attack on the digits of scikit-learn."""

    lab: Inversion
    classifier: Classifier


def stages(lab: Inversion, context: Context) -> Iterator[InversionModel]:
    """The attack; the table plays no part."""
    yield InversionModel(lab, classifier())


def pictures(model: InversionModel, digit: int) -> Array:
    """What is found of a digit at every rounding, (steps, pixels)."""
    passes = model.lab.passes
    return array([inverted(model.classifier, digit, step, passes) for step in STEPS])


def in_rows(model: InversionModel, across: int, gaps: tuple[int, int]) -> Array:
    """What is found of the digit at every rounding, after the place of one picture, on one sheet of
    rows of so many with `gaps` blank pixels after and below each; (height, width), the lowest row
    first, NaN where nothing is."""
    found, (wide, high) = pictures(model, model.lab.digit), (SIDE + gap for gap in gaps)
    rows = 1 + len(found) // across
    sheet = np.full((high * rows, wide * across - gaps[0]), np.nan)
    for i, picture in enumerate(found, 1):
        row, column = divmod(i, across)
        top, left = high * row, wide * column
        sheet[top : top + SIDE, left : left + SIDE] = picture.reshape(SIDE, SIDE)
    return array(sheet[::-1])


@once
def similar(model: InversionModel) -> Array:
    """How much the picture found is like the mean one, at every rounding: (least, mean, most) over
    all digits; shape (3, steps)."""
    means = model.classifier.means
    each = np.array(
        [[alike(found, means[c]) for found in pictures(model, c)] for c in range(CLASSES)]
    ).T
    return array([each.min(axis=1), each.mean(axis=1), each.max(axis=1)])


def exact_and_coarse(model: InversionModel) -> tuple[float, float, float]:
    """That on average for exact confidences, for those rounded to 0.1, and for the label alone."""
    mean = similar(model)[1]
    return float(mean[0]), float(mean[STEPS.index(0.1)]), float(mean[-1])


def accuracy(model: InversionModel) -> float:
    """The share of other digits that the classifier tells right, rounded or not."""
    return model.classifier.right
