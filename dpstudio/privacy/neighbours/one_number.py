"""The pair of neighbours that one noisy number tells apart, for every law of the catalogue."""

import math

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.mechanisms.catastrophe import LeakyLaw
from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussianLaw
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.privacy.mechanisms.geometric import DiscreteLaplaceLaw
from dpstudio.privacy.mechanisms.l2norm import NormLaw
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.mechanisms.staircase import StaircaseLaw
from dpstudio.privacy.neighbours.listed import ALIKE, Listed, listed
from dpstudio.privacy.neighbours.ordered import Ordered
from dpstudio.privacy.neighbours.pair import Pair

_FLAT, _FINE = 4000, 12_000  # cells of a flat law, whose kinks are ends of them; of any other


def pair_of(law: Law, shift: float) -> Pair:
    """The two laws of one number with symmetric noise that differ by `shift`, of either sign: exact
    for the laws of the catalogue, in small cells for any other.

    A shift of discrete noise is rounded to a whole number. Without a shift every loss is 0.
    """
    shift = abs(shift)
    if shift == 0:
        return ALIKE
    if isinstance(law, StaircaseLaw):
        return _stairs(law, shift)
    if isinstance(
        law,
        LaplaceLaw | DiscreteLaplaceLaw | GaussianLaw | DiscreteGaussianLaw | NormLaw | LeakyLaw,
    ):
        return Ordered(law, float(round(shift)) if law.discrete else shift)
    return cells(law, shift)


def _stairs(law: StaircaseLaw, shift: float) -> Listed:
    """Every loss is a whole number of ε, at most one for each step."""
    most = math.ceil(shift / law.width - 1e-9)
    if most <= 1:
        return _one_step(law, shift)
    found, epsilon = cells(law, shift), law.epsilon
    rounded = np.rint(np.clip(found.losses / epsilon, -1e9, 1e9))
    level = np.clip(rounded, -most, most).astype(np.int64)
    inside, outside = (
        array(np.bincount(most - level, weights, 2 * most + 1))
        for weights in (found.inside, found.outside)
    )
    return Listed(epsilon * np.arange(most, -most - 1.0, -1.0), inside, outside)


def _one_step(law: StaircaseLaw, shift: float) -> Listed:
    """A shift by at most one step crosses at most one edge, so the loss is ε, 0 or −ε.

    Edges stand at (k + γ) steps. On the far side of each edge k ≥ 1 a strip as wide as the shift
    gains the factor e^ε, and about 0 one of min(2γ steps, shift).
    """
    b, steps = math.exp(-law.epsilon), min(1.0, shift / law.width)
    level = -math.expm1(-law.epsilon) / (2 * (law.gamma + b * (1 - law.gamma)))
    top = level * min(2 * law.gamma, steps) + steps * b / (2 * (law.gamma + b * (1 - law.gamma)))
    masses = np.array([top, max(0.0, 1 - top - top * b), top * b])
    return Listed(np.array([law.epsilon, 0.0, -law.epsilon]), masses, masses[::-1])


def cells(law: Law, shift: float) -> Listed:
    """The pair of any symmetric noise and its shift, cut into thousands of cells whose
    probabilities come from its cdf; atoms are cells of their own. Reading only the cell of an
    answer is post-processing, so the pair looks at most as far apart as it is.
    """
    reach = -float(law.quantile(np.array([1e-14]))[0])
    many = _FLAT if law.flat else _FINE
    if law.discrete:
        ends = np.unique(np.round(np.linspace(-reach - 1, reach + shift + 1, many))) + 0.5
    else:
        kinks = law.kinks(-reach, reach)
        ends = np.unique(
            np.concatenate([np.linspace(-reach, reach + shift, many), kinks, kinks + shift])
        )
    places = [place for place, _ in law.atoms]
    masses = np.array([mass for _, mass in law.atoms])
    if not places and not law.discrete:
        return listed(*(_between(law, ends - centre) for centre in (shift, 0.0)))
    both = []
    for centre in (shift, 0.0):
        bare = law.cdf(ends - centre) - sum(
            (mass * (ends - centre >= place) for place, mass in law.atoms), np.zeros(len(ends))
        )
        both.append(np.diff(bare, prepend=0.0, append=1 - masses.sum()))
    if places and shift:
        both = [
            np.concatenate([both[0], masses, 0 * masses]),
            np.concatenate([both[1], 0 * masses, masses]),
        ]
    return listed(np.maximum(both[0], 0), np.maximum(both[1], 0))


def _between(law: Law, ends: Array) -> Array:
    """The probability below, between and above the ends of a symmetric law without atoms, each from
    the nearer tail: near 1 a cdf has no digits left for it."""
    tail = np.asarray(law.cdf(-np.abs(ends)), dtype=np.float64)
    tail = np.concatenate([[0.0], tail, [0.0]])
    left = np.concatenate([[True], ends < 0, [False]])
    across = left[:-1] & ~left[1:]
    found = np.abs(np.diff(tail))
    return np.where(across, 1 - tail[:-1] - tail[1:], found)
