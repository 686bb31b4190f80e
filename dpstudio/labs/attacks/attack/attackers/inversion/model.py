"""The attacker who asks a classifier of digits how sure it is, until he sees what a class looks
like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.attacks.attack.attackers.attacker import AttackedQuestion, Attacker, Replays
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
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import Integer, param

STEPS = (0.0, 0.001, 0.01, 0.05, 0.1, 0.5, 1.0)


@dataclass(frozen=True)
class Inversion(Attacker):
    """A picture of a class from confidences."""

    key: ClassVar[str] = "inversion"
    label: ClassVar[str] = N_("Inversion")
    what: ClassVar[Message] = say(
        "Asks a classifier of handwritten digits how sure it is of one digit, starts from grey, "
        "and changes every pixel the way that makes it surer. It may round what it tells."
    )
    source: ClassVar[str] = "Fredrikson, Jha & Ristenpart 2015"
    noisy: ClassVar[bool] = False
    draws: ClassVar[bool] = False
    measures: ClassVar[bool] = False

    digit: int = param(
        0, Integer(N_("Digit"), N_("The class whose picture is found."), low=0, high=9), look=True
    )
    passes: int = param(
        20,
        Integer(N_("Rounds"), N_("In each, all pixels are tried once."), low=1, high=200, log=True),
    )

    def stages(
        self, asked: AttackedQuestion, looked: Replays, context: Context
    ) -> Iterator[InversionModel]:
        yield InversionModel(self, classifier())


@dataclass(frozen=True, eq=False)
class InversionModel:
    """One state of the attack on the digits of scikit-learn."""

    attacker: Inversion
    classifier: Classifier


@once
def pictures(model: InversionModel) -> Array:
    """What is found of every digit at every rounding, (steps, digits, pixels)."""
    made = [
        [inverted(model.classifier, digit, step, model.attacker.passes) for digit in range(CLASSES)]
        for step in STEPS
    ]
    return array(made)


def row_of(model: InversionModel) -> Array:
    """The mean picture of the digit, and what is found of it at every rounding, side by side with
    a blank column between; (side, width)."""
    digit = model.attacker.digit
    shown = [model.classifier.means[digit], *pictures(model)[:, digit]]
    blank = np.zeros((SIDE, 1))
    parts: list[Array] = []
    for picture in shown:
        parts += [picture.reshape(SIDE, SIDE), blank]
    return array(np.hstack(parts[:-1])[::-1])


@once
def similar(model: InversionModel) -> Array:
    """How much the picture found is like the mean one, at every rounding: (least, mean, most) over
    all digits; shape (3, steps)."""
    means = model.classifier.means
    each = np.array(
        [[alike(found[c], means[c]) for c in range(CLASSES)] for found in pictures(model)]
    )
    return array([each.min(axis=1), each.mean(axis=1), each.max(axis=1)])


def exact_and_coarse(model: InversionModel) -> tuple[float, float, float]:
    """That on average for exact confidences, for those rounded to 0.1, and for the label alone."""
    mean = similar(model)[1]
    return float(mean[0]), float(mean[STEPS.index(0.1)]), float(mean[-1])


def accuracy(model: InversionModel) -> float:
    """The share of other digits that the classifier tells right, rounded or not."""
    return model.classifier.right
