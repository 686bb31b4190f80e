"""The lab Clipping."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="clipping",
    label=N_("Clipping"),
    asks=N_("How narrow should the bounds of a sum or a mean be?"),
    help=N_(
        "Narrow bounds cut values off, wide ones need much noise: see where the sum of both is "
        "least."
    ),
    useful=N_("Whoever publishes a sum or a mean: drag the upper bound to the least error."),
    question="one_answer",
)
