"""The lab Anonymity."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="anonymity",
    label=N_("Anonymity"),
    asks=N_("Who can be found in a table without names, and what does hiding them cost?"),
    help=N_(
        "Hide people in classes that look alike (k-anonymity, l-diversity, t-closeness), and see "
        "what that costs and what an attacker still learns."
    ),
    folder="anonymity.anonymity",
    name="Anonymity",
    question="tables",
    part=N_("without ε"),
)
