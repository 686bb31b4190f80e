"""The lab Linkage."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="linkage",
    label=N_("Linkage"),
    asks=N_("Who is found in a table without names?"),
    help=N_(
        "Look for people in a table without names, by columns, ratings, or how often words come."
    ),
    useful=N_("Whoever takes names out of a table: choose the attack."),
    question="attacks",
)
