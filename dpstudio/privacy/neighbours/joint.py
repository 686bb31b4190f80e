"""Two neighbours as they are told apart by a whole answer: the privacy losses of all its noisy
numbers, added up."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.mechanisms import catastrophe, geometric, l2norm
from dpstudio.privacy.mechanisms.gaussian import GaussianLaw
from dpstudio.privacy.mechanisms.law import Law
from dpstudio.privacy.neighbours import lattice, one_number, ordered
from dpstudio.privacy.neighbours.ball import ball
from dpstudio.privacy.neighbours.listed import ALIKE, Listed
from dpstudio.privacy.neighbours.pair import Pair

# The law of one number of a measurement, and by how much each of its numbers moves.
Moved = tuple[Law, tuple[float, ...]]

_STEPS = 4000  # of the lattice, over the range of the whole loss
_FEW = 400  # so many losses of one number are kept one by one
_MANY = 40_000  # and so many sums of them
_FAR = 12.0  # deviations of integer Gaussian noise: beyond lies less than 1e-32


def joint(measured: Sequence[Moved]) -> Pair:
    """The pair of laws of all noisy numbers together, given the law of each measurement and how far
    each of its numbers moves, in either direction; numbers that do not move tell nothing.

    Gaussian losses add up to one Gaussian loss (Dong, Roth & Su 2022, Corollary 3.3); L2-norm noise
    is one draw for all numbers of its measurement; everything else is independent from number to
    number, but for a leak, which shows a whole measurement.
    """
    seen = [(law, tuple(abs(by) for by in shifts if by)) for law, shifts in measured]
    seen = [(law, shifts) for law, shifts in seen if shifts]
    if not seen:
        return ALIKE
    if all(isinstance(law, GaussianLaw) for law, _ in seen):
        ratios = [
            by / law.sigma for law, shifts in seen if isinstance(law, GaussianLaw) for by in shifts
        ]
        return ordered.Ordered(GaussianLaw(1.0), math.hypot(*ratios))
    kept, single = 1.0, [(law, by) for law, shifts in seen for by in shifts]
    if len(single) == 1 and not isinstance(single[0][0], l2norm.NormLaw):
        return one_number.pair_of(*single[0])
    parts: list[Pair] = []
    alike: dict[tuple[Law, float], Pair] = {}  # one pair for all equal moves of one law
    for law, shifts in seen:
        if isinstance(law, l2norm.NormLaw):
            parts.append(ball(math.hypot(*shifts) / law.scale, law.dims))
            continue
        if isinstance(law, catastrophe.LeakyLaw):
            kept, law = kept * (1 - law.leak), law.noise
        for by in shifts:
            if (law, by) not in alike:
                alike[law, by] = one_number.pair_of(law, by)
            parts.append(alike[law, by])
    return leaking(added(parts), 1 - kept)


def added(parts: list[Pair]) -> Listed:
    """The pair whose loss is the sum of the independent losses of `parts`, at least one: one by one
    where they are few, else on a lattice that never makes the whole look safer. It is the pair of
    all parts seen together, as likelihood ratios of independent answers multiply."""
    endless = not all(math.isfinite(part.most) for part in parts)
    lists = [few for part in parts if (few := _listed(part)) is not None]
    if len(lists) == len(parts):
        whole = lists[0]
        for one in lists[1:]:
            if len(whole.losses) * len(one.losses) > _MANY:
                break
            whole = _product(whole, one)
        else:
            return replace(whole, endless=endless)
    tops = [_top(part) for part in parts]
    step = 2 * math.fsum(tops) / _STEPS
    # By identity: parts hold arrays, whose repr leaves out all but the ends of a long one.
    alike = {id(part): (part, top) for part, top in zip(parts, tops, strict=True)}
    times = Counter(map(id, parts))
    masses, crest = np.ones(1), 0.0 if endless else 1.0
    for key, (part, top) in alike.items():
        masses = np.convolve(masses, _times(lattice.dots(part, top, step), times[key]))
        if not endless:
            crest *= part.above(part.most)[0] ** times[key]
    return replace(lattice.on_lattice(masses, math.fsum(tops), step), endless=endless, crest=crest)


def _times(masses: Array, n: int) -> Array:
    """The masses of the sum of n independent losses with these, by doubling."""
    whole = np.ones(1)
    while True:
        if n % 2:
            whole = np.convolve(whole, masses)
        n //= 2
        if not n:
            return whole
        masses = np.convolve(masses, masses)


def _listed(part: Pair) -> Listed | None:
    """A part whose losses are few, those too rare to be seen left out."""
    if isinstance(part, Listed):
        return part if len(part.losses) <= _FEW else None
    if not isinstance(part, ordered.Ordered) or not part.law.discrete:
        return None
    # All answers from the one on have the largest loss, and all up to the other one the smallest.
    endless = not isinstance(part.law, geometric.DiscreteLaplaceLaw)
    wide = math.ceil(_FAR * math.sqrt(part.law.variance)) if endless else 0
    if 2 * wide + part.shift > _FEW:
        return None
    x = np.arange(part.shift + wide, -wide - 1.0, -1.0)
    inside, outside = (
        np.append(part.law.cdf(centre - x[:-1]), 1.0) for centre in (part.shift, 0.0)
    )
    return Listed(part.loss(x), np.diff(inside, prepend=0.0), np.diff(outside, prepend=0.0))


def _product(one: Listed, other: Listed) -> Listed:
    """Every loss of one with every loss of the other; sums that are equal are one loss."""
    losses = np.add.outer(one.losses, other.losses).ravel()
    order = np.argsort(-losses, kind="stable")
    losses = losses[order]
    inside, outside = (
        np.multiply.outer(a, b).ravel()[order]
        for a, b in ((one.inside, other.inside), (one.outside, other.outside))
    )
    apart = 1e-10 * max(1e-300, float(np.abs(losses).max()))
    starts = np.flatnonzero(np.append(True, -np.diff(losses) > apart))
    inside, outside = (np.add.reduceat(masses, starts) for masses in (inside, outside))
    return Listed(losses[starts], inside, outside)


def _top(part: Pair) -> float:
    """The largest loss of a part, or one that is never seen to be exceeded."""
    if math.isfinite(part.most):
        return part.most
    if isinstance(part, Listed):  # cells so far out that one of their masses is no float any more
        assert part.certain < 1e-9
        return float(part.losses[np.isfinite(part.losses)].max())
    assert isinstance(part, ordered.Ordered)
    return float(part.loss(part.shift + _FAR * math.sqrt(part.law.variance)))


def leaking(pair: Listed, leak: float) -> Listed:
    """The same pair where, with probability `leak` in [0, 1), the answer names the table for
    certain instead."""
    if leak <= 0:
        return pair
    losses = np.concatenate([[math.inf], pair.losses, [-math.inf]])
    inside = np.concatenate([[leak], (1 - leak) * pair.inside, [0.0]])
    outside = np.concatenate([[0.0], (1 - leak) * pair.outside, [leak]])
    return Listed(losses, inside, outside)
