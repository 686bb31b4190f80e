"""The lab Composition."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="composition",
    label=N_("Composition"),
    asks=N_("What do many answers cost together?"),
    help=N_("See what many answers cost together, by every bound there is."),
    useful=N_("Whoever answers many questions: raise the number of answers."),
    question="many_answers",
)
