"""The lab Survey."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="survey",
    label=N_("Survey"),
    asks=N_("What do answers under coins say?"),
    help=N_(
        "One embarrassing question, answered with coins: what the answers mean, and how many "
        "people it takes."
    ),
    useful=N_("Whoever asks an embarrassing question: choose the coins."),
    question="nobody",
)
