"""Who tells a label from a projection: rules that are linear in it, learnt from sums alone and so
for stacks of splits at once; neighbours and logistic models, learnt from rows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.compression.scatter import Codes, Sums
from dpstudio.privacy.learning.logistic import fit
from dpstudio.privacy.nearest import nearest

_SHRINK = 1e-6  # of the mean variance within classes, on the diagonal: it can be inverted then
_ROUNDED = 1e-12  # of that between classes, which is all there is where each has one place
_RIDGE = 1e-2  # Λ of logistic models, for rows in the unit ball
_AT_ONCE = 500  # rows whose distances to all others are held at once
_NEAREST = (1, 3, 9, 27, 81)  # neighbours that are tried


@dataclass(frozen=True, eq=False)
class Scores:
    """The class of a row z of K numbers is that of the largest of z·slopes + heights; (..., K, L)
    and (..., L)."""

    slopes: Array
    heights: Array

    def tells(self, z: Array) -> Codes:
        """The classes of rows (..., n, K), (..., n)."""
        scores, heights = z @ self.slopes, self.heights[..., None, :]
        if scores.shape[-1] == 2:  # the same, without a search in each row
            second = scores[..., 1] + heights[..., 1] > scores[..., 0] + heights[..., 0]
            return second.astype(np.int64)
        return np.asarray((scores + heights).argmax(axis=-1))

    def even(self, shares: Array) -> Scores:
        """The same rule where all classes are taken to be alike common, (..., L) shares of whom
        it was learnt from."""
        logs = np.log(np.where(shares > 0, shares, 1.0))
        return Scores(self.slopes, np.asarray(self.heights - logs))

    def through(self, back: Array) -> Scores:
        """The same rule for rows that are first turned back by a matrix (..., p, K)."""
        return Scores(np.swapaxes(back, -1, -2) @ self.slopes, self.heights)


def linear(m: Sums, label: int, w: Array, noise: float = 0.0) -> Scores:
    """The rule that is best for Gaussian classes of one spread, of z = Wᵀ(x − μ), w (..., p, K),
    with noise of that variance on each number: slopes S_W⁻¹m and heights ln π − ½mᵀS_W⁻¹m. Empty
    classes are never told."""
    turned = np.swapaxes(w, -1, -2)
    within = turned @ m.within(label) @ w + noise * np.eye(w.shape[-1])
    centres = (m.centres(label) - m.mean[..., None, :]) @ w
    shares, k = m.shares(label), max(within.shape[-1], 1)
    apart = np.sum(shares * np.sum(centres**2, axis=-1), axis=-1) / k
    size = np.maximum(_SHRINK * np.trace(within, axis1=-2, axis2=-1) / k, _ROUNDED * apart)
    size = np.where(size > 0, size, _SHRINK)[..., None, None]
    slopes = np.linalg.solve(within + size * np.eye(k), np.swapaxes(centres, -1, -2))
    half = np.sum(np.swapaxes(slopes, -1, -2) * centres, axis=-1) / 2
    logs = np.log(np.maximum(shares, 1e-300))
    return Scores(np.asarray(slopes), np.where(shares > 0, logs - half, -np.inf))


def nearest_centre(m: Sums, label: int, w: Array) -> Scores:
    """The class with the nearest mean, whatever its share and its spread."""
    centres = (m.centres(label) - m.mean[..., None, :]) @ w
    heights = -np.sum(centres**2, axis=-1) / 2
    return Scores(np.swapaxes(centres, -1, -2), np.where(m.counts[label] > 0, heights, -np.inf))


def whole(m: Sums, label: int) -> Scores:
    """The rule of rows that are not projected at all, less their mean."""
    p = m.total.shape[-1]
    return linear(m, label, np.broadcast_to(np.eye(p), (*m.total.shape[:-1], p, p)))


@dataclass(frozen=True)
class Nearest:
    """Who asks the k nearest known rows; where numbers count `alike`, each is in its own standard
    deviations."""

    k: int
    alike: bool = False

    def tells(self, known: Array, codes: Codes, z: Array, classes: int) -> Codes:
        """The class that most of them have, ties to the lowest; known (m, K), z (n, K) to (n,)."""
        k, told = min(self.k, len(known)), []
        if self.alike:
            size = known.std(axis=0)
            known, z = (rows / np.where(size > 0, size, 1.0) for rows in (known, z))
        for part in np.array_split(z, max(1, len(z) // _AT_ONCE)):
            far = np.sum(known**2, axis=1) - 2 * part @ known.T
            near = codes[nearest(far, k)]
            votes = np.array([np.count_nonzero(near == code, axis=1) for code in range(classes)])
            told.append(votes.argmax(axis=0))
        return np.concatenate(told).astype(np.int64)


def tuned(known: Array, codes: Codes, classes: int) -> Nearest:
    """Those of a few who tell one half of the known rows, (m, K), best by the other."""
    half = len(known) // 2
    found = [Nearest(*each) for each in product(_NEAREST, (False, True))]
    right = [
        np.mean(each.tells(known[:half], codes[:half], known[half:], classes) == codes[half:])
        for each in found
    ]
    return found[int(np.argmax(right))]


def logistic(known: Array, codes: Codes, z: Array, classes: int) -> Codes:
    """The class that logistic models, one for each class against the others, are surest of."""
    size = max(float(np.sqrt((known**2).sum(axis=1)).max()), 1e-300)
    inside, others = (
        np.column_stack([rows / size, np.ones(len(rows))]) / np.sqrt(2) for rows in (known, z)
    )
    first = 1 if classes == 2 else 0
    weights = np.concatenate(
        [fit(inside, np.where(codes == c, 1.0, -1.0), _RIDGE) for c in range(first, classes)]
    )
    sure = others @ weights.T
    return np.asarray(sure[:, 0] > 0 if first else sure.argmax(axis=1)).astype(np.int64)
