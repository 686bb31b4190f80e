"""The exact errors of Local counts: of every protocol, and of a trusted collector."""

import math

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.local_counts.model import CountsModel, part_share
from dpstudio.labs.winners import tiers
from dpstudio.privacy.local import PROTOCOLS, Protocol
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.messages import safely


@once
def protocols(model: CountsModel) -> tuple[Protocol, ...]:
    """All that serve so many values, at the ε that the chosen one declares or at their own where
    they have no other."""
    chosen = model.lab.protocol
    made = [
        chosen if kind is type(chosen) else kind().at(chosen.claim) or kind() for kind in PROTOCOLS
    ]
    return tuple(p for p in made if p is chosen or p.refuses(model.d) is None)


def others(model: CountsModel) -> tuple[Protocol, ...]:
    """All but the chosen one."""
    return tuple(p for p in protocols(model) if p is not model.lab.protocol)


def level(model: CountsModel, protocol: Protocol) -> bool:
    """Whether a protocol declares the ε of the chosen one, so that it can be compared with it."""
    return math.isclose(protocol.claim, model.lab.protocol.claim, rel_tol=1e-9)


@once
def deviations(model: CountsModel) -> Array:
    """Standard deviation of the estimate of each value, in people; shape (d,)."""
    return np.sqrt(model.lab.protocol.variance(model.counts))


def part_width(model: CountsModel, protocol: Protocol | None = None) -> float:
    """Half-width in people of the value that is looked at, at the confidence; by the protocol in
    use, or another one."""
    return model.z * part_deviation(model, protocol or model.lab.protocol)


def width_share(model: CountsModel) -> float:
    """That half-width as a share of all people."""
    return part_width(model) / model.n


def rare_deviation(model: CountsModel, protocol: Protocol) -> float:
    """Standard deviation in people of the estimate of a value that nobody holds."""
    return math.sqrt(model.n * protocol.rare(model.d))


def part_deviation(model: CountsModel, protocol: Protocol) -> float:
    """That of the value that is looked at."""
    return math.sqrt(float(protocol.variance(model.counts)[model.part]))


def scale(model: CountsModel) -> float:
    """What an error in people is multiplied by to be shown: in people, or in % of them."""
    return 100 / model.n if model.lab.relative else 1.0


def spread(model: CountsModel, protocol: Protocol, d: int | None = None) -> float:
    """Variance over n of the count that errors are judged by, also where there are d values."""
    d = d or model.d
    if model.lab.judged == "rare":
        return protocol.rare(d)
    if model.lab.judged == "all":
        # Hadamard's depends on which values are frequent: those of the table where it has d, else
        # all alike.
        people = model.counts if d == model.d else np.full(d, model.n / d)
        return float(np.mean(protocol.variance(people))) / model.n
    if d == model.d:
        return float(protocol.variance(model.counts)[model.part]) / model.n
    # As many values as asked for, of which one is as frequent as the one looked at, and the others
    # alike.
    shares = np.full(d, (1 - part_share(model)) / (d - 1))
    shares[-1] = part_share(model)
    return float(protocol.variance(shares)[-1])


@once
def widths(model: CountsModel) -> dict[str, float]:
    """By key of a protocol the half-width in people, at the confidence, of the count that errors
    are judged by."""
    return {p.key: model.z * math.sqrt(model.n * spread(model, p)) for p in protocols(model)}


def chosen_width(model: CountsModel) -> float:
    """That of the protocol in use."""
    return widths(model)[model.lab.protocol.key]


def shown_width(model: CountsModel, protocol: Protocol | None = None) -> float:
    """The same, or that of another protocol, as it is shown: in people, or in % of them."""
    key = (protocol or model.lab.protocol).key
    return widths(model)[key] * scale(model)


@once
def ranking(model: CountsModel) -> list[Protocol]:
    """The protocols that declare this ε, the least error first."""
    compared = [p for p in protocols(model) if level(model, p)]
    return sorted(compared, key=lambda p: widths(model)[p.key])


@once
def standing(model: CountsModel) -> list[list[Protocol]]:
    """The same in tiers of equal errors; the chosen one first of those as good as it is."""
    first = sorted(ranking(model), key=lambda p: p is not model.lab.protocol)
    return tiers(first, lambda p: widths(model)[p.key])


# A trusted collector


def central_scale(model: CountsModel) -> int:
    """The L1 sensitivity of exact counts: a replaced person leaves one part and enters another; of
    two parts one number says both."""
    return 2 if model.d > 2 else 1


def central(model: CountsModel) -> float:
    """Half-width of one count when a trusted collector adds Laplace noise to exact counts, one
    person being replaced."""
    law = LaplaceLaw(central_scale(model) / model.lab.protocol.claim)
    return law.half_width(model.lab.confidence)


def times(model: CountsModel) -> float:
    """How many times the people a local survey needs to be as exact, relative to n, as a central
    answer about these: its relative error falls as 1/√n. Of the value that is looked at, with the
    same share of the people, whichever count protocols are compared by."""
    return (part_width(model) / central(model)) ** 2


def times_at_least(model: CountsModel) -> float:
    """The same to three digits, rounded down: no fewer people are enough."""
    return safely(times(model), 3, "down")
