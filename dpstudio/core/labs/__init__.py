"""The catalogue of labs: the pages of the studio, in order."""

from dpstudio.core.labs.audit import Audit
from dpstudio.core.labs.clipping import Clipping
from dpstudio.core.labs.compare import Compare
from dpstudio.core.labs.composition import Composition
from dpstudio.core.labs.dimension import Dimension
from dpstudio.core.labs.explore import Explore
from dpstudio.core.labs.guarantee import Guarantee
from dpstudio.core.labs.lab import Lab, never
from dpstudio.core.labs.leak import Leak
from dpstudio.core.labs.local_counts import LocalCounts
from dpstudio.core.labs.local_mean import LocalMean
from dpstudio.core.labs.printed import Printed
from dpstudio.core.labs.selection import Selection
from dpstudio.core.labs.sensitivity import SensitivityLab
from dpstudio.core.labs.story import Story
from dpstudio.core.labs.survey import Survey

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
    Story,
    Printed,
]

__all__ = ["LABS", "Lab", "never"]
