"""The lab Local learning."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="local_learning",
    label=N_("Local learning"),
    asks=N_("What can be learnt when each person adds the noise?"),
    help=N_(
        "Learn to tell classes apart from people who trust nobody: each sends one noisy report, "
        "and a model is made of them."
    ),
    useful=N_("Whoever learns without being trusted: choose a protocol, then move ε."),
    question="nobody",
    more=True,
)
