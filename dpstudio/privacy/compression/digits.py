"""The handwritten digits of scikit-learn, of which a projection may keep whether they are odd."""

from functools import lru_cache

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.compression.scatter import Codes

SIDE, INK = 8, 16  # pixels across and down, and the most ink of one


@lru_cache(maxsize=1)
def digits() -> tuple[Array, Codes]:
    """1,797 pictures (n, SIDE²) in [0, 1] and which digit each is (Alpaydin & Kaynak 1998)."""
    from sklearn.datasets import load_digits

    x, digit = load_digits(return_X_y=True)
    return array(x / INK), np.asarray(digit, dtype=np.int64)
