"""The catalogue of what can be audited: wrong mechanisms first, and those of the other catalogues
as they are."""

from __future__ import annotations

from collections.abc import Sequence

from dpstudio.privacy.attacks.learned import (
    DataBall,
    NoisyModel,
    NoisyMoments,
    NoisyObjective,
    NoisySteps,
    PositiveNoise,
    TwiceSpent,
)
from dpstudio.privacy.attacks.learned_bayes import NoisyBayes, PrintedBayes
from dpstudio.privacy.attacks.learned_components import CentredMoments, EntryPower, NoisyComponents
from dpstudio.privacy.attacks.learned_descent import NoisyGradients
from dpstudio.privacy.attacks.learned_local import EveryReport, LearningReport
from dpstudio.privacy.attacks.learned_ridge import NoisyRidge
from dpstudio.privacy.attacks.learned_tree import NoisyForest, NoisyTree
from dpstudio.privacy.attacks.lists import (
    Chosen,
    ManyAnswers,
    OneCoin,
    Response,
    ShortShift,
    TwoCoins,
    Unhalved,
)
from dpstudio.privacy.attacks.local import (
    EqualHalves,
    EvenDuchi,
    LocalNumber,
    LocalReport,
    TwoReports,
)
from dpstudio.privacy.attacks.made_groups import MovingGroups, NoisyGroup, NoisyGroups, PrintedGroup
from dpstudio.privacy.attacks.made_tables import (
    AskedAgain,
    CellsThatOccur,
    NoisyCells,
    NoisyPairs,
    OneNoise,
)
from dpstudio.privacy.attacks.made_weights import NoisyWeights
from dpstudio.privacy.attacks.subject import (
    Catalogued,
    HalfNoise,
    IgnoredEpsilon,
    L2Laplace,
    LargeTextbook,
    Subject,
)
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.choosing import SELECTIONS

_SINGLE: tuple[type[Subject], ...] = (
    Response,
    LocalReport,
    LocalNumber,
    NoisyModel,
    NoisyObjective,
    NoisyGradients,
    NoisyBayes,
    NoisyMoments,
    NoisySteps,
    NoisyTree,
    NoisyForest,
    NoisyRidge,
    NoisyComponents,
    LearningReport,
    NoisyCells,
    NoisyPairs,
    NoisyWeights,
    NoisyGroup,
    NoisyGroups,
)

SUBJECTS: list[type[Subject]] = [
    L2Laplace,
    HalfNoise,
    IgnoredEpsilon,
    TwoCoins,
    OneCoin,
    ManyAnswers,
    ShortShift,
    TwoReports,
    EqualHalves,
    EvenDuchi,
    Unhalved,
    LargeTextbook,
    DataBall,
    PositiveNoise,
    TwiceSpent,
    PrintedBayes,
    CentredMoments,
    EntryPower,
    EveryReport,
    OneNoise,
    CellsThatOccur,
    AskedAgain,
    PrintedGroup,
    MovingGroups,
    Catalogued,
    Chosen,
    *_SINGLE,
]

_RIGHT = (Catalogued, Chosen, *_SINGLE)


def everyone() -> Sequence[Subject]:
    """Every right mechanism of the catalogues and every wrong one, as they are by default; of local
    reports one of each kind."""
    right = [
        *(Catalogued(mechanism=kind()) for kind in MECHANISMS),
        *(Chosen(mechanism=kind()) for kind in SELECTIONS),
    ]
    return [
        *right,
        *(kind() for kind in _SINGLE),
        *(kind() for kind in SUBJECTS if kind not in _RIGHT),
    ]
