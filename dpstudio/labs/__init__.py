"""The catalogue of labs: the pages of the studio, in order. A lab is imported when it is shown."""

from dpstudio.labs.attacks.audit import ABOUT as AUDIT
from dpstudio.labs.attacks.float_leak import ABOUT as LEAK
from dpstudio.labs.budget.composition import ABOUT as COMPOSITION
from dpstudio.labs.budget.guarantee import ABOUT as GUARANTEE
from dpstudio.labs.central.clipping import ABOUT as CLIPPING
from dpstudio.labs.central.compare import ABOUT as COMPARE
from dpstudio.labs.central.dimension import ABOUT as DIMENSION
from dpstudio.labs.central.explore import ABOUT as EXPLORE
from dpstudio.labs.central.selection import ABOUT as SELECTION
from dpstudio.labs.central.sensitivity import ABOUT as SENSITIVITY
from dpstudio.labs.local.counts import ABOUT as LOCAL_COUNTS
from dpstudio.labs.local.means import ABOUT as LOCAL_MEAN
from dpstudio.labs.local.survey import ABOUT as SURVEY
from dpstudio.labs.page import About, Lab
from dpstudio.labs.texts.errata import ABOUT as ERRATA
from dpstudio.labs.texts.story import ABOUT as STORY
from dpstudio.values.messages import N_

LABS: list[About] = [
    EXPLORE,
    COMPARE,
    COMPOSITION,
    GUARANTEE,
    DIMENSION,
    CLIPPING,
    SELECTION,
    SENSITIVITY,
    AUDIT,
    LEAK,
    SURVEY,
    LOCAL_COUNTS,
    LOCAL_MEAN,
    STORY,
    ERRATA,
]

# The questions that labs answer, in order; a lab says in which group it stands.
QUESTIONS: dict[str, str] = {
    "start": N_("Start"),
    "one": N_("One answer"),
    "many": N_("Many answers"),
    "promise": N_("What it promises"),
    "nobody": N_("Nobody is trusted"),
}

__all__ = ["LABS", "QUESTIONS", "About", "Lab"]
