"""Numbers as words: bins of equal width by public bounds, or of equal frequency by edges that some
people pay for with their report."""

import numpy as np
from numpy.typing import NDArray

from dpstudio.privacy.local.post import Simplex
from dpstudio.privacy.local.protocol import Protocol

Numbers = NDArray[np.float64]
GRID = 32  # cells of the public grid on which those who pay say where they are


def equal_width(low: float, high: float, bins: int) -> Numbers:
    """The inner edges of bins of equal width between public bounds, shape (bins − 1,)."""
    return np.linspace(low, high, bins + 1)[1:-1]


def equal_frequency(values: Numbers, counts: Numbers, bins: int) -> Numbers:
    """The inner edges of bins that hold about as many each, where counts (≥ 0) hold each of the
    increasing values: at most bins − 1, each the last value of its bin, since one value is in one
    bin. Of exact counts they are not private."""
    whole = counts.sum()
    if whole <= 0:
        return equal_width(float(values[0]), float(values[-1]), bins)
    steps = np.arange(1, bins) * whole / bins
    # Sums of shares miss a step by a last bit, and a bin would take a value too many.
    at = np.searchsorted(np.cumsum(counts), steps - 1e-9 * whole)
    return np.unique(values[np.minimum(at, len(values) - 2)])


def public_edges(x: Numbers, bins: int) -> Numbers:
    """Edges of equal frequency for numbers in [−1, 1] of people whose rows are public."""
    values, counts = np.unique(x, return_counts=True)
    if len(values) < 2:
        return equal_width(-1, 1, bins)
    return equal_frequency(values, counts.astype(np.float64), bins)


def paid_edges(
    x: Numbers, protocol: Protocol, bins: int, rng: np.random.Generator, seeds: int
) -> list[Numbers]:
    """Edges of equal frequency for numbers in [−1, 1], one set a seed, from one report of each
    person of x on a public grid: with what `protocol` spends they are all that these people pay,
    and who follows only says in which bin they are."""
    top = np.linspace(-1, 1, GRID + 1)[1:]
    held = np.bincount(binned(x, top[:-1]), minlength=GRID)
    totals = protocol.draw(rng, held, seeds)
    shares = Simplex().apply(protocol.estimate(totals, float(len(x))), float(max(len(x), 1)))
    return [equal_frequency(top, found, bins) for found in shares]


def binned(x: Numbers, edges: Numbers) -> NDArray[np.int64]:
    """The bin of each number, 0 … len(edges): one at an edge belongs to the bin that it ends."""
    return np.searchsorted(edges, x, side="left")
