"""The nearest of many, the same ones on every machine: what lies equally far is taken in its order,
where numpy's partition takes any."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Of the largest distance: what differs by less does so by rounding alone.
_ROUNDED = 2.0**-40


def nearest(far: NDArray[Any], k: int) -> NDArray[np.int64]:
    """Which k of the distances (..., n) are least, those that come first where several are equally
    far; (..., k), rising. 0 < k ≤ n. Floats that differ as little as by rounding are equal."""
    if far.dtype.kind == "f":
        largest = float(np.abs(far).max(initial=0.0))
        far = np.rint(far / (_ROUNDED * 2.0 ** np.frexp(largest)[1]))
    last = np.partition(far, k - 1, axis=-1)[..., k - 1 : k]
    taken = far <= last
    crowded = np.count_nonzero(taken, axis=-1) > k
    if crowded.any():
        # To count through the others would take as long as all else; to copy all, half as long.
        crowded = ... if crowded.all() else crowded
        some, end = far[crowded], last[crowded]
        nearer, at = some < end, some == end
        room = k - np.count_nonzero(nearer, axis=-1, keepdims=True)
        taken[crowded] = nearer | (at & (np.cumsum(at, axis=-1) <= room))
    return np.asarray(np.nonzero(taken)[-1].reshape(*far.shape[:-1], k))
