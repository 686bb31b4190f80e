"""What the texts print of local naive Bayes: right answers in percent against the ε of one report,
as the tables beside the printed listings hold them."""

from __future__ import annotations

import numpy as np

from dpstudio.charts.figure import Array, array

EPSILONS = (0.05, 0.25, 0.45, 0.65, 0.85, 1.05, 1.25, 1.45, 1.65, 1.85, 2, 3, 4, 5, 10)
# By the key of the table and that of the protocol; THE with a threshold of 0.
_CURVES = {
    ("car", "grr"): "37.5 61.8 73.1 78.1 80.8 82.3 83.3 86.1 86.6 87.1 88.0 90.4 91.0 91.0 91.4",
    ("car", "sue"): "33.1 54.8 67.9 76.2 77.8 80.5 81.3 82.9 83.5 84.7 85.5 88.1 89.0 90.7 91.7",
    ("car", "oue"): "37.8 55.1 68.2 74.0 76.7 80.5 81.8 82.8 83.7 85.1 85.6 87.6 88.3 88.5 88.9",
    ("car", "she"): "24.4 49.0 61.5 69.6 74.2 76.7 78.0 79.5 79.4 80.1 81.8 83.7 84.8 85.8 87.8",
    ("car", "the"): "42.7 60.1 72.8 74.1 78.9 78.1 80.5 82.8 81.4 83.5 83.9 86.9 86.8 86.2 88.2",
    ("chess", "grr"): "52.3 68.2 76.7 81.6 84.5 86.2 87.3 88.8 89.9 90.3 90.6 91.6 91.5 91.6 91.7",
    ("chess", "sue"): "51.2 61.7 70.0 75.0 78.3 82.2 84.1 85.1 86.8 88.0 88.8 91.8 93.4 94.0 94.9",
    ("chess", "oue"): "52.3 61.9 69.6 75.5 78.7 81.9 82.6 84.6 86.2 87.1 86.6 90.1 90.9 91.1 91.2",
    ("chess", "she"): "51.7 58.5 62.9 69.7 72.9 77.0 78.4 81.0 82.2 83.5 84.4 87.9 89.4 90.3 92.3",
    ("mushroom", "grr"): (
        "64.9 86.1 89.6 91.8 92.3 92.5 93.3 93.4 93.9 94.3 94.2 95.3 95.6 95.7 95.7"
    ),
    ("mushroom", "sue"): (
        "60.3 87.0 90.0 91.1 91.8 92.2 93.1 93.1 93.6 93.3 93.7 94.0 94.4 94.6 95.0"
    ),
    ("mushroom", "oue"): (
        "61.0 87.2 89.9 91.2 92.0 92.5 92.5 93.2 93.7 93.7 93.8 94.8 95.3 95.4 95.6"
    ),
    ("mushroom", "she"): (
        "57.4 83.8 88.7 90.1 91.1 91.7 92.1 92.4 92.7 92.7 92.9 93.3 93.5 93.9 94.0"
    ),
    ("connect4", "grr"): (
        "65.0 64.1 66.7 68.2 69.2 70.2 70.9 71.3 71.8 72.3 72.4 73.1 73.1 73.2 73.2"
    ),
    ("connect4", "sue"): (
        "64.5 64.1 65.2 66.5 67.6 68.7 69.2 69.7 70.0 70.4 70.8 71.7 72.2 72.3 72.7"
    ),
    ("connect4", "oue"): (
        "65.6 64.1 64.9 67.1 67.7 68.6 69.6 70.2 70.6 71.0 71.2 72.2 72.5 72.6 72.6"
    ),
    ("connect4", "she"): (
        "64.3 63.2 64.3 65.0 66.3 67.4 68.1 68.8 69.3 69.6 70.3 71.5 72.1 72.7 73.4"
    ),
}


def published(table: str, protocol: str) -> Array | None:
    """Printed scores at `EPSILONS`, in percent, shape (15,); None where none are printed."""
    text = _CURVES.get((table, protocol))
    return None if text is None else array(np.array(text.split(), dtype=np.float64))
