"""The lab Averaging."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="averaging",
    label=N_("Averaging"),
    asks=N_("What does the mean of many answers give away?"),
    help=N_(
        "See the mean of noisy answers to one question close in on the truth, and what they cost "
        "together."
    ),
    useful=N_("Lecturers: why noise wears off: raise the number of answers."),
    question="many_answers",
)
