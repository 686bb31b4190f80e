"""How the errors of Local counts change: against ε, against the number of values, and where two
protocols are equally far off."""

import math
from collections.abc import Sequence

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.local_curves import crossings, ladder, spread_curve, without_epsilon
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.local_counts.errors import level, others, spread
from dpstudio.labs.nobody.local_counts.model import CountsModel
from dpstudio.privacy.local import Protocol
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.histogram import Thresholded
from dpstudio.privacy.local.unary import Optimised
from dpstudio.values.parameters import Real, domains

D_MOST = 1000  # the largest number of values on the chart against it
# Where meetings are looked for, at any effort: what is said of them is exact.
LADDER = ladder(72)
_APART = 0.06  # logarithms of variances that differ by more can be told apart


@once
def epsilons(model: CountsModel) -> Array:
    """Where curves against ε are drawn."""
    return ladder(model.effort.of_points(len(LADDER)))


def judged_at(model: CountsModel) -> tuple[object, ...]:
    """All that the error at another ε depends on, but for the protocol."""
    if model.lab.judged == "rare":
        return ("rare", model.d)
    # Of some protocols the mean over all values too depends on which of them are frequent.
    part = model.part if model.lab.judged == "part" else None
    return (model.lab.judged, model.d, part, model.counts.tobytes())


def curve(model: CountsModel, protocol: Protocol, at: Array | None = None) -> Array:
    """Variance over n at each of the `epsilons`, or of those given; NaN where the protocol cannot
    be had. It does not depend on the current ε."""
    at = epsilons(model) if at is None else at
    return spread_curve(model.data, judged_at(model), protocol, lambda p: spread(model, p), at)


def grouped(curves: Sequence[tuple[Protocol, Array]]) -> list[list[Protocol]]:
    """The protocols, those together whose curves of variances differ by less than 6 %: errors by
    less than 3 %."""
    found: list[tuple[Array, list[Protocol]]] = []
    for protocol, points in curves:
        for held, family in found:
            alike = held.shape == points.shape
            if alike and np.all(np.abs(np.log(held) - np.log(points)) < _APART):
                family.append(protocol)
                break
        else:
            found.append((points, [protocol]))
    return [family for _, family in found]


@once
def families(model: CountsModel) -> list[list[Protocol]]:
    """The protocols, those together whose curves cannot be told apart; the chosen one first of
    all."""
    # Where an estimate says nothing, or is as good as exact, nothing is to be seen of a curve.
    return grouped(
        [
            (p, np.clip(curve(model, p), 1 / model.n, model.n))
            for p in (model.lab.protocol, *others(model))
        ]
    )


@once
def meetings(model: CountsModel) -> tuple[tuple[Protocol, float], ...]:
    """(other protocol, ε) where its error meets that of the chosen one, in the order of ε."""
    chosen = model.lab.protocol
    key = ("local meetings", without_epsilon(chosen), judged_at(model))
    found = model.data.remember(
        key, lambda: tuple((p.key, e) for p in others(model) for e in _meets(model, chosen, p))
    )
    named = {p.key: p for p in others(model)}
    return tuple(sorted(((named[k], e) for k, e in found if k in named), key=lambda pair: pair[1]))


def _meets(model: CountsModel, one: Protocol, two: Protocol) -> list[float]:
    """Every ε in sight at which two protocols are equally far off."""

    def gap(log_epsilon: float) -> float:
        first, second = (p.at(math.exp(log_epsilon)) for p in (one, two))
        if first is None or second is None:
            return math.nan
        return math.log(spread(model, first)) - math.log(spread(model, second))

    # Only where they part on both sides: whole numbers of buckets, blocks or set sizes make curves
    # that touch all the way.
    gaps = np.log(curve(model, one, LADDER)) - np.log(curve(model, two, LADDER))
    logs = [math.log(epsilon) for epsilon in LADDER]
    return [math.exp(at) for at in crossings(logs, gaps, gap, _APART, 1e-10)]


def over_threshold(model: CountsModel, chosen: Thresholded) -> tuple[Array, Array]:
    """(θ, variance over n) of thresholding at this ε, over every θ that may be chosen."""
    domain = domains(Thresholded)["theta"]
    assert isinstance(domain, Real)
    x = np.linspace(domain.low, domain.high, model.effort.of_points(121))
    y = [spread(model, chosen.with_(threshold="hand", theta=float(theta))) for theta in x]
    return x, array(y)


# Against the number of values


@once
def over_values(model: CountsModel) -> dict[str, tuple[Protocol, Array, Array]]:
    """By key each protocol that declares this ε, with (d, variance over n) for those d up to 1,000
    that it serves: whole numbers, about evenly spaced in logarithms."""
    sizes = np.unique(np.round(np.geomspace(2, D_MOST, model.effort.of_points(22))))
    found = {}
    for protocol in (model.lab.protocol, *others(model)):
        if level(model, protocol):
            served = [int(d) for d in sizes if protocol.refuses(int(d)) is None]
            values = array([spread(model, protocol, d) for d in served])
            found[protocol.key] = protocol, array(served), values
    return found


@once
def border(model: CountsModel) -> float | None:
    """The d at which direct encoding and optimised unary encoding are equally far off: 3e^ε + 2 for
    a value that nobody holds (Wang, Blocki, Li & Jha 2017).

    For other values, the whole d up to which the first wins; None where it never or always does.
    """
    epsilon = model.lab.protocol.claim
    if model.lab.judged == "rare":
        return 3 * math.exp(epsilon) + 2 if epsilon < 40 else None
    one, two = direct_and_unary(epsilon)

    def wins(d: int) -> bool:
        return spread(model, one, d) < spread(model, two, d)

    low, high = 2, D_MOST
    if not wins(low) or wins(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if wins(middle) else (low, middle)
    return float(low)


def most_values(model: CountsModel) -> int | None:
    """Up to how many values direct encoding has less error; None where there is no border."""
    found = border(model)
    if found is None:
        return None
    return max(math.ceil(found) - 1 if model.lab.judged == "rare" else int(found), 1)


def direct_and_unary(epsilon: float) -> tuple[Direct, Optimised]:
    """Both at that ε, which may lie beyond the slider's range."""
    one, two = Direct().at(epsilon), Optimised().at(epsilon)
    assert one is not None
    assert two is not None
    return one, two
