"""The catalogue of what can be audited: wrong mechanisms first, and those of the other catalogues
as they are."""

from collections.abc import Sequence

from dpstudio.privacy.attacks import learned, lists, local, made_tables, subject
from dpstudio.privacy.attacks.learned_bayes import NoisyBayes, PrintedBayes
from dpstudio.privacy.attacks.learned_components import CentredMoments, EntryPower, NoisyComponents
from dpstudio.privacy.attacks.learned_descent import NoisyGradients
from dpstudio.privacy.attacks.learned_local import EveryReport, LearningReport
from dpstudio.privacy.attacks.learned_ridge import NoisyRidge
from dpstudio.privacy.attacks.learned_tree import NoisyForest, NoisyTree
from dpstudio.privacy.attacks.made_groups import MovingGroups, NoisyGroup, NoisyGroups, PrintedGroup
from dpstudio.privacy.attacks.made_weights import NoisyWeights
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.choosing import SELECTIONS

_SINGLE: tuple[type[subject.Subject], ...] = (
    lists.Response,
    local.LocalReport,
    local.LocalNumber,
    learned.NoisyModel,
    learned.NoisyObjective,
    NoisyGradients,
    NoisyBayes,
    learned.NoisyMoments,
    learned.NoisySteps,
    NoisyTree,
    NoisyForest,
    NoisyRidge,
    NoisyComponents,
    LearningReport,
    made_tables.NoisyCells,
    made_tables.NoisyPairs,
    NoisyWeights,
    NoisyGroup,
    NoisyGroups,
)

SUBJECTS: list[type[subject.Subject]] = [
    subject.L2Laplace,
    subject.HalfNoise,
    subject.IgnoredEpsilon,
    lists.TwoCoins,
    lists.OneCoin,
    lists.ManyAnswers,
    lists.ShortShift,
    local.TwoReports,
    local.EqualHalves,
    local.EvenDuchi,
    lists.Unhalved,
    subject.LargeTextbook,
    learned.DataBall,
    learned.PositiveNoise,
    learned.TwiceSpent,
    PrintedBayes,
    CentredMoments,
    EntryPower,
    EveryReport,
    made_tables.OneNoise,
    made_tables.CellsThatOccur,
    made_tables.AskedAgain,
    PrintedGroup,
    MovingGroups,
    subject.Catalogued,
    lists.Chosen,
    *_SINGLE,
]

_RIGHT = (subject.Catalogued, lists.Chosen, *_SINGLE)


def everyone() -> Sequence[subject.Subject]:
    """Every right mechanism of the catalogues and every wrong one, as they are by default; of local
    reports one of each kind."""
    right = [
        *(subject.Catalogued(mechanism=kind()) for kind in MECHANISMS),
        *(lists.Chosen(mechanism=kind()) for kind in SELECTIONS),
    ]
    return [
        *right,
        *(kind() for kind in _SINGLE),
        *(kind() for kind in SUBJECTS if kind not in _RIGHT),
    ]
