"""The lab Reconstruction."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="reconstruction",
    label=N_("Reconstruction"),
    asks=N_("How many answers give everybody away?"),
    help=N_("Solve many counts for everybody’s bit, or seven published lines for seven people."),
    useful=N_("Data owners who answer many counts: choose the attack."),
    question="attacks",
)
