"""The lab Sensitivity."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="sensitivity",
    label=N_("Sensitivity"),
    asks=N_("How far can one person move the answer?"),
    help=N_(
        "Find the neighbour that moves an answer most, by how much, and the noise that this asks "
        "for."
    ),
    useful=N_("Students of the definition: choose a question and see who moves it most."),
    question="one_answer",
)
