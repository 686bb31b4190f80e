"""The lab Guarantee."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="guarantee",
    label=N_("Guarantee"),
    asks=N_("What can be learnt about one person?"),
    help=N_(
        "What does ε mean for me? What an attacker can learn about one person from one answer."
    ),
    useful=N_("Anyone who asks what ε means: move ε and count the squares."),
    question="promise",
)
