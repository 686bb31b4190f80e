"""The catalogue of labs: the pages of the studio, in order."""

from dpstudio.labs.attacks.audit.parameters import Audit
from dpstudio.labs.attacks.float_leak.parameters import Leak
from dpstudio.labs.budget.composition.parameters import Composition
from dpstudio.labs.budget.guarantee.parameters import Guarantee
from dpstudio.labs.central.clipping.parameters import Clipping
from dpstudio.labs.central.compare.parameters import Compare
from dpstudio.labs.central.dimension.parameters import Dimension
from dpstudio.labs.central.explore.parameters import Explore
from dpstudio.labs.central.selection.parameters import Selection
from dpstudio.labs.central.sensitivity.parameters import SensitivityLab
from dpstudio.labs.local.counts.parameters import LocalCounts
from dpstudio.labs.local.means.parameters import LocalMean
from dpstudio.labs.local.survey.parameters import Survey
from dpstudio.labs.page import Lab, never
from dpstudio.labs.texts.errata.parameters import Printed
from dpstudio.labs.texts.story.parameters import Stories

LABS: list[type[Lab]] = [
    Explore,
    Compare,
    Composition,
    Guarantee,
    Dimension,
    Clipping,
    Selection,
    SensitivityLab,
    Audit,
    Leak,
    Survey,
    LocalCounts,
    LocalMean,
    Stories,
    Printed,
]

__all__ = ["LABS", "Lab", "never"]
