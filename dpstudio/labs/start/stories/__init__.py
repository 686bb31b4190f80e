"""The lab Stories."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="stories",
    label=N_("Stories"),
    asks=N_("How do exact answers give a person away?"),
    help=N_(
        "How exact answers give a person away, and what several private answers cost together."
    ),
    useful=N_("Anyone new, and lecturers: choose a story and follow the table."),
    question="start",
)
