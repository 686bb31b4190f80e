"""The lab Dimension."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="dimension",
    label=N_("Dimension"),
    asks=N_("Which noise suits an answer of many numbers?"),
    help=N_(
        "Let one answer grow to many coordinates, and see where Gaussian noise overtakes Laplace "
        "noise."
    ),
    useful=N_("Students of many-number answers: raise the number of coordinates."),
    question="one_answer",
    more=True,
)
