"""Inversion: pictures follow from confidences, and not from labels."""

from running import facts

from dpstudio.data.dataset import Dataset


def test_pictures_are_found_by_confidences_and_not_by_labels(adult: Dataset):
    known = facts("inversion", adult)
    assert known["attack"] > 0.95
    assert known["off"] > known["best"] > known["promised"] == 0
