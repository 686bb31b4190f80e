"""The lab Selection."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="selection",
    label=N_("Selection"),
    asks=N_("Which is the largest, told without telling the counts?"),
    help=N_(
        "Choose one of several candidates by its score, and see how often the choice is the best "
        "one."
    ),
    useful=N_("Whoever names a winner but no counts: move ε until the chance suits you."),
    question="one_answer",
)
