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
    mean, found, names = (figure.layer(key) for key in ("mean", "pictures", "names"))
    assert np.array_equal(mean.values[::-1].ravel(), classifier().means[3])
    assert np.isfinite(found.values).sum() == SIDE**2 * (len(names.texts) - 1)
    assert (mean.x[0] + mean.x[-1]) / 2 == names.x[0]
    assert mean.y[0] > names.y[0]
    for x, y in zip(names.x[1:], names.y[1:], strict=True):
        row, column = int(y) + 1, int(x - SIDE / 2)
        assert np.isfinite(found.values[row : row + SIDE, column : column + SIDE]).all()
