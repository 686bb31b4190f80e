"""The lab Local counts."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="local_counts",
    label=N_("Local counts"),
    asks=N_("What can be counted when each person adds the noise?"),
    help=N_(
        "Ask people who trust nobody: each sends one noisy report, and only the counts are "
        "estimated."
    ),
    useful=N_("Whoever counts without being trusted: choose a protocol, then move ε."),
    question="nobody",
)
