"""The lab Float leak."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="float_leak",
    label=N_("Float leak"),
    asks=N_("What do the last digits of a noisy number give away?"),
    help=N_(
        "See what the last bits of a noisy number prove about the exact answer, and how whole "
        "numbers avoid it."
    ),
    useful=N_("Programmers of mechanisms: choose another noise and see what it proves."),
    question="promise",
    more=True,
)
