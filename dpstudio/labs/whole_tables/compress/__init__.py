"""The lab Compress."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="compress",
    label=N_("Compress"),
    asks=N_("What does a projection hide, and from whom?"),
    help=N_(
        "Project rows on a few directions that keep one label and lose another, and see what "
        "attackers of every strength still tell."
    ),
    useful=N_("Owners of images or many columns: choose a projection, then an attacker."),
    question="whole_tables",
    part=N_("without ε"),
    more=True,
)
