"""Inversion: pictures follow from confidences, and not from labels."""

import numpy as np
from running import facts, little

from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.inversion.parameters import Inversion
from dpstudio.privacy.attacks.inversion import SIDE, classifier


def test_pictures_are_found_by_confidences_and_not_by_labels(adult: Dataset):
    known = facts("inversion", adult)
    assert known["attack"] > 0.95
    assert known["off"] > known["best"] > known["promised"] == 0


def test_the_pictures_stand_in_rows_the_mean_first(adult: Dataset):
    """Each in its square above its name, with nothing between them."""
    figure = little(Inversion(passes=1, digit=3), adult).figure("pictures")
    mean, found = (figure.layer(key).values for key in ("mean", "pictures"))
    assert np.array_equal(mean[-SIDE:, :SIDE][::-1].ravel(), classifier().means[3])
    names = figure.layer("names")
    assert np.isfinite(mean).sum() == SIDE**2
    assert np.isfinite(found).sum() == SIDE**2 * (len(names.texts) - 1)
    for x, y, sheet in zip(names.x, names.y, (mean, *[found] * len(names.x)), strict=False):
        row, column = int(y) + 1, int(x - SIDE / 2)
        assert np.isfinite(sheet[row : row + SIDE, column : column + SIDE]).all()
