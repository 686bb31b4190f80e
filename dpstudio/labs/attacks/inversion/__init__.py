"""The lab Inversion."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="inversion",
    label=N_("Inversion"),
    asks=N_("What does a classifier show of a class?"),
    help=N_("Ask a classifier how sure it is until a picture of the class appears; let it round."),
    useful=N_("Owners of a classifier: choose the attack and see what appears."),
    question="attacks",
    more=True,
)
