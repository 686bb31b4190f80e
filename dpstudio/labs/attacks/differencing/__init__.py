"""The lab Differencing."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="differencing",
    label=N_("Differencing"),
    asks=N_("What do two questions tell of one person?"),
    help=N_("Ask for a total with one person and without, or go around the rules of a console."),
    useful=N_("Data owners who hand out totals: choose the attack."),
    question="attacks",
)
