"""The catalogue of what can be audited: wrong mechanisms first, and those of the other catalogues as they are."""

from __future__ import annotations

from collections.abc import Sequence

from dpstudio.core.labs.audit_lists import Chosen, ManyAnswers, OneCoin, Response, ShortShift, TwoCoins, Unhalved
from dpstudio.core.labs.audit_noise import Catalogued, HalfNoise, IgnoredEpsilon, L2Laplace, LargeTextbook, Subject
from dpstudio.core.mechanisms import MECHANISMS
from dpstudio.core.mechanisms.choosing import SELECTIONS

SUBJECTS: list[type[Subject]] = [
    L2Laplace,
    HalfNoise,
    IgnoredEpsilon,
    TwoCoins,
    OneCoin,
    ManyAnswers,
    ShortShift,
    Unhalved,
    LargeTextbook,
    Catalogued,
    Chosen,
    Response,
]


def everyone() -> Sequence[Subject]:
    """Every right mechanism of the catalogues and every wrong one, as they are by default."""
    right = [*(Catalogued(mechanism=kind()) for kind in MECHANISMS), *(Chosen(mechanism=kind()) for kind in SELECTIONS), Response()]
    return [*right, *(kind() for kind in SUBJECTS if kind not in (Catalogued, Chosen, Response))]
