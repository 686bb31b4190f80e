"""The lab Anonymity."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="anonymity",
    label=N_("Anonymity"),
    asks=N_("What do classes of people cost, and still tell?"),
    help=N_(
        "Hide people in classes that look alike (k-anonymity, l-diversity, t-closeness), and see "
        "what that costs and what an attacker still learns."
    ),
    useful=N_("Whoever hands on a table of classes: raise k and read what is lost."),
    question="whole_tables",
    part=N_("without ε"),
)
