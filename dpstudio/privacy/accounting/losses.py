"""The privacy loss of one release and its two roundings to a lattice.

A rounding up dominates the loss in every composition (δ at every ε is at least as large), a
rounding down is dominated by it: what lies between is the loss.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.privacy.accounting.spend import Spend
from dpstudio.privacy.mechanisms.gaussian import gaussian_log_delta, special
from dpstudio.privacy.mechanisms.law import legendre
from dpstudio.privacy.mechanisms.loss import Loss, Worst, laplace, response

# How many standard deviations a Gaussian loss is followed down; the rest, 1e-23, is rounded up to
# there.
BELOW = 10.0


@lru_cache(maxsize=64)
def worst_of(spend: Spend) -> Worst:
    """What is known of the loss of one release: what its mechanism says of it. Where it says
    nothing, and without one, randomised response with probability δ lost dominates whatever is
    (ε, δ)-DP (Kairouz, Oh & Viswanath 2015, section 3). Of a sample it is that of the same
    release about everybody."""
    spend = spend.whole
    known = spend.mechanism.worst(spend.sensitivity, spend.people) if spend.mechanism else None
    return known or Worst(response(spend.epsilon, spend.delta), attained=False)


def knows_loss(spend: Spend) -> bool:
    """Whether `worst_of` comes from the law of the noise, and not from (ε, δ) alone."""
    mechanism = spend.mechanism
    return mechanism is not None and mechanism.worst(spend.sensitivity, spend.people) is not None


def loss_of(spend: Spend) -> Loss:
    """The loss that dominates one release; of a sample that of one about everybody."""
    return worst_of(spend).loss


@dataclass(frozen=True, eq=False)
class Rounded:
    """Masses on the lattice start, start + step, …, and at ∞; only those at the places number `at`
    where that is given."""

    start: float
    masses: Array
    lost: float
    at: NDArray[np.int64] | None = None


def exactly(loss: Loss) -> Rounded:
    """Atoms that already are a lattice of their own spacing (or a single one), as they are."""
    return Rounded(loss.places[0], np.array(loss.masses), loss.lost)


def rounded_up(loss: Loss, step: float, log_tail: float) -> Rounded:
    """Every loss split between its two neighbours on the lattice stepℤ so that its mass under P and
    under Q stays.

    (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022, "Connect the Dots".) A Gaussian loss is cut
    where its tail is below e^log_tail; what lies beyond, and is not made up for by mass at the end,
    goes to ∞.
    """
    ends, first, last, beyond, at_end, below = _range(loss, step, log_tail)
    masses = np.zeros(last - first + 1)
    if len(ends) > 1:
        cell, s, weight = _nodes(loss, ends, step)
        up = np.expm1(-s) / math.expm1(-step)
        np.add.at(masses, cell - first + 1, np.sum(weight * up, axis=1))
        np.add.at(
            masses,
            cell - first,
            np.sum(weight * np.exp(-s) * np.expm1(s - step) / math.expm1(-step), axis=1),
        )
    for place, mass in zip(loss.places, loss.masses, strict=True):
        at = _floor(place, step)
        above = place - at * step
        # As near to a place as `_floor` takes for on it; the last one has no neighbour above.
        off = above > 1e-12 * step and at < last
        up_share = math.expm1(-above) / math.expm1(-step) if off else 0.0
        masses[at - first] += mass * (1 - up_share)
        if up_share:
            if at == last:  # a rounding above the last place: upwards is one more
                masses = np.append(masses, 0.0)
            masses[at - first + 1] += mass * up_share
    masses[0] += below
    masses[last - first] += at_end
    return Rounded(first * step, masses, loss.lost + beyond)


def rounded_down(loss: Loss, step: float, log_tail: float) -> Rounded:
    """A lattice law that the release dominates.

    For a density: the curve δ(α), α = e^ε, lies below its chords by at most g in a cell; the
    chords' corners are pulled down by the larger g of the two cells next to them (at the ends by
    the tangent), which leaves a convex curve below δ. Where that is not convex, and for atoms off
    the lattice, losses are rounded down to the next place.
    """
    if loss.width > 0 and abs(loss.width / step - round(loss.width / step)) > 1e-9:
        # Less noise hidden: Laplace noise of a smaller ε, whose two ends are on the lattice, is
        # dominated by it.
        loss = laplace(_floor(loss.width, step) * step, loss.lost)
    elif len(loss.places) == 2 and loss.places[0] == -loss.places[1] and loss.width == 0:
        loss = response(_floor(loss.places[1], step) * step, loss.lost)
    if not loss.smooth:
        return _floored(loss, step, log_tail)
    up = rounded_up(loss, step, log_tail)
    ends, first, last, _, _, below = _range(loss, step, log_tail)
    cell, s, weight = _nodes(loss, ends, step)
    if len(cell) < 4 or len(cell) != last - first:
        return _floored(loss, step, log_tail)
    gap = np.sum(
        weight * np.expm1(-s) * np.expm1(s - step) * np.exp(step) / math.expm1(step), axis=1
    )
    pulled = np.concatenate([[0.0], np.maximum(gap[1:], gap[:-1]), [0.0]])
    pulled[1] = max(pulled[1], float(np.sum(weight[0] * np.expm1(step - s[0]))))
    pulled[-2] = max(pulled[-2], float(np.sum(weight[-1] * -np.expm1(-s[-1]))))
    padded = np.concatenate([[0.0], pulled, [0.0]])
    bend = np.diff(padded)[1:] / math.expm1(step) + np.diff(padded)[:-1] / math.expm1(-step)
    masses = up.masses - bend
    if loss.ratio > 0:
        masses[0] -= below
    # A mass that should be 0 may come out as the rounding error of its parts; anything beyond that
    # is no convex curve.
    if np.any(masses < -1e-12 * up.masses):
        return _floored(loss, step, log_tail)
    return Rounded(up.start, np.maximum(masses * (1 - 1e-14), 0.0), loss.lost)


def _floored(loss: Loss, step: float, log_tail: float) -> Rounded:
    """Every loss down to the next place of the lattice."""
    ends, first, last, _, at_end, _ = _range(loss, step, log_tail)
    masses = np.zeros(last - first + 1)
    if len(ends) > 1:
        cell, _, weight = _nodes(loss, ends, step)
        np.add.at(masses, cell - first, np.sum(weight, axis=1))
    for place, mass in zip(loss.places, loss.masses, strict=True):
        masses[_floor(place, step) - first] += mass
    masses[-1] += at_end
    return Rounded(first * step, masses, loss.lost)


def _floor(place: float, step: float) -> int:
    """Index of the place of the lattice at or below; a float that misses it by its own rounding is
    on it."""
    near = round(place / step)
    return (
        near
        if abs(place / step - near) <= 1e-9 * max(1.0, abs(near) * 1e-3)
        else math.floor(place / step)
    )


def _range(loss: Loss, step: float, log_tail: float) -> tuple[Array, int, int, float, float, float]:
    """Ends of the pieces of the density, each inside one cell; first and last index; for a Gaussian
    loss what lies beyond the last place: mass for ∞, mass for that place; and the mass below the
    first."""
    if loss.ratio > 0:
        mean, sd = loss.ratio**2 / 2, loss.ratio
        reach = math.sqrt(-2 * log_tail) + 1
        first, last = math.floor((mean - BELOW * sd) / step), math.ceil((mean + reach * sd) / step)
        top = last * step
        log_ndtr = special().log_ndtr
        ends = np.arange(first, last + 1, dtype=np.float64) * step
        if step > sd:  # a peak between two places, which the nodes of a whole cell would miss
            peak = mean + sd * np.arange(-BELOW, reach + 1)
            ends = np.union1d(ends, peak[peak < top])
        beyond = math.exp(gaussian_log_delta(top, sd))
        at_end = math.exp(min(0.0, top + float(log_ndtr(-(top + mean) / sd))))
        return (
            ends,
            first,
            last,
            beyond,
            at_end,
            math.exp(float(log_ndtr((first * step - mean) / sd))),
        )
    low, high = loss.places[0], loss.places[-1]
    first = _floor(low, step)
    last = max(-_floor(-high, step), first + 1)
    if loss.width == 0:
        return np.zeros(0), first, last, 0.0, 0.0, 0.0
    inner = np.arange(first, last + 1) * step
    inner = inner[(inner > low + 1e-9 * step) & (inner < high - 1e-9 * step)]
    return np.concatenate([[low], inner, [high]]), first, last, 0.0, 0.0, 0.0


def _nodes(loss: Loss, ends: Array, step: float) -> tuple[NDArray[np.int64], Array, Array]:
    """For each piece of the density: index of its cell, nodes measured from the cell's lower end,
    and their masses."""
    nodes, weights = legendre(8)
    half, middle = np.diff(ends)[:, None] / 2, (ends[1:] + ends[:-1])[:, None] / 2
    x = middle + half * nodes
    cell = np.floor(middle[:, 0] / step).astype(np.int64)
    s = np.clip(x - cell[:, None] * step, 0.0, step)
    if loss.ratio > 0:
        z = (x - loss.ratio**2 / 2) / loss.ratio
        density = np.exp(-z * z / 2) / (loss.ratio * math.sqrt(2 * math.pi))
    else:
        density = (1 - loss.lost) / 4 * np.exp((x - loss.width) / 2)
    return cell, s, density * half * weights
