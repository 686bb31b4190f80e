"""The lab As printed."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="printed",
    label=N_("As printed"),
    asks=N_("Which printed formulas are wrong, and by how much?"),
    help=N_("Where formulas and code in the texts are wrong: as printed beside corrected."),
    useful=N_("Readers of the texts: choose a formula, compare printed and corrected."),
    question="promise",
)
