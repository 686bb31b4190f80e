"""Privacy losses on a lattice of equal steps, rounded so that the pair never looks safer."""

import math

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.neighbours.listed import Listed
from dpstudio.privacy.neighbours.pair import Pair


def on_lattice(masses: Array, top: float, step: float) -> Listed:
    """The pair whose losses top, top − step, … have the probabilities `masses`, shape (n,), under
    P; under Q they follow from those."""
    losses = array(top - step * np.arange(len(masses)))
    some = masses > 0
    kept, outside = some.copy(), np.zeros(len(masses))
    kept[[0, -1]] = True  # the ends are bounds, even where nothing is left of their masses
    with np.errstate(over="ignore"):
        outside[some] = masses[some] * np.exp(-losses[some])
    # Under Q nearly all may stand where P has lost its digits: what is missing there goes to the
    # end.
    outside = np.minimum(outside, np.maximum(0.0, 1 - np.append(0.0, np.cumsum(outside)[:-1])))
    outside[np.flatnonzero(kept)[-1]] += max(0.0, 1 - float(outside.sum()))
    return Listed(losses[kept], masses[kept], outside[kept])


def dots(part: Pair, top: float, step: float) -> Array:
    """P of the losses top, top − step, … down to −top, after each loss is split between its two
    neighbours there, so that the mass under P and that under Q both stay. That pair tells at least
    as much as the true one, and no such pair on these losses tells less (Doroshenko, Ghazi, Kamath,
    Kumar & Manurangsi 2022, "Connect the Dots").
    """
    ends = array(top - step * np.arange(math.ceil(2 * top / step - 1e-9) + 1))
    inside, outside = part.beyond(ends)
    inside[0] = outside[0] = 0.0  # what lies beyond a top that is cut comes to stand there
    return split(inside, outside, ends, step)


def split(inside: Array, outside: Array, ends: Array, step: float) -> Array:
    """P at each of the `ends`, losses that descend by `step`, from P and Q of what lies above each;
    shape of `ends`."""
    p, q = np.maximum(np.diff(inside), 0.0), np.maximum(np.diff(outside), 0.0)
    with np.errstate(over="ignore"):
        up = np.clip((p - q * np.exp(ends[1:])) / -math.expm1(-step), 0.0, p)
    masses = np.append(up, 0.0)
    masses[1:] += p - up
    masses[-1] += max(0.0, 1 - float(inside[-1]))
    return masses
