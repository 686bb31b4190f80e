"""What a collector may do to the estimated counts before showing them. It costs no privacy, and all
but the first cost a bias."""

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Array
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Parameters

_CONSISTENCY = "Wang, Lopuhaä-Zwakenberg, Li, Skoric & Li 2020 (estimation with consistency)"


class Post(Parameters):
    """Base of the choices. `about` says what it does in a sentence."""

    about: ClassVar[str] = ""

    def apply(self, estimates: ArrayLike, n: float) -> Array:
        """New counts from estimates of shape (…, d) of how n people spread over d values; the same
        shape, the last axis a survey."""
        raise NotImplementedError


class Raw(Post):
    """Nothing: unbiased, but rare values come out negative about half the time."""

    key = "raw"
    label = N_("as estimated")
    about = N_("Unbiased; the estimates of rare values may be negative.")

    def apply(self, estimates: ArrayLike, n: float) -> Array:
        return np.array(estimates, dtype=np.float64)


class Clip(Post):
    """Negative counts become 0 (Base-Pos): rare values come out too high, and the sum above n."""

    key = "clip"
    label = N_("negative to 0")
    source = _CONSISTENCY + ", Base-Pos"
    about = N_(
        "No count is negative, but rare values come out too high on average, and the sum exceeds n."
    )

    def apply(self, estimates: ArrayLike, n: float) -> Array:
        return np.maximum(np.asarray(estimates, dtype=np.float64), 0.0)


class Normalise(Post):
    """Negative counts become 0 and the rest is scaled to the sum n (Norm-Mul): frequent values then
    come out too low.

    Where no count is positive all get n/d.
    """

    key = "normalise"
    label = N_("negative to 0, then scaled to n")
    source = _CONSISTENCY + ", Norm-Mul"
    about = N_(
        "Counts are proper and add up to n, but frequent values come out too low, since all are "
        "scaled alike."
    )

    def apply(self, estimates: ArrayLike, n: float) -> Array:
        counts = np.maximum(np.asarray(estimates, dtype=np.float64), 0.0)
        most = counts.max(axis=-1, keepdims=True)
        shares = np.divide(counts, most, out=np.ones_like(counts), where=most > 0)
        return np.asarray(n * shares / shares.sum(axis=-1, keepdims=True))


class Simplex(Post):
    """The nearest proper counts of sum n (Norm-Sub): one number is taken off all, and what falls
    below 0 becomes 0.

    Euclidean projection on the simplex by sorting (Michelot 1986; Wang & Carreira-Perpiñán 2013,
    algorithm 1).
    """

    key = "simplex"
    label = N_("nearest counts that add up to n")
    source = _CONSISTENCY + ", Norm-Sub; Michelot 1986"
    about = N_(
        "Counts are proper and add up to n; the same number is taken off all, and rare values "
        "become 0."
    )

    def apply(self, estimates: ArrayLike, n: ArrayLike) -> Array:
        counts = np.asarray(estimates, dtype=np.float64)
        # A number added to all changes nothing; less the largest, sums keep their digits.
        counts = counts - counts.max(axis=-1, keepdims=True)
        down = np.sort(counts, axis=-1)[..., ::-1]
        # What is to be taken off if the k largest stay; it is right for the largest k whose
        # smallest stays positive.
        levels = (down.cumsum(axis=-1) - n) / np.arange(1, counts.shape[-1] + 1)
        stay = np.maximum((down > levels).sum(axis=-1, keepdims=True), 1)
        level = levels[stay - 1] if levels.ndim == 1 else np.take_along_axis(levels, stay - 1, -1)
        return np.asarray(np.maximum(counts - level, 0.0))


class Printed(Post):
    """max(int(E), 1), as the texts print it "to make it non-negative": whole counts, none below 1,
    of a sum above n."""

    key = "printed"
    label = N_("max(E, 1), as printed")
    source = N_("as printed in an introductory book")
    about = N_(
        "As printed: no count is below 1, also where nobody holds the value, and the sum exceeds n."
    )

    def apply(self, estimates: ArrayLike, n: float) -> Array:
        return np.maximum(np.trunc(np.asarray(estimates, dtype=np.float64)), 1.0)
