"""The lab Local means."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="local_means",
    label=N_("Local means"),
    asks=N_("What is a mean worth when each person adds the noise?"),
    help=N_(
        "Each person sends one noisy number: see what a mean of them is worth, and what trusting "
        "nobody costs."
    ),
    useful=N_("Whoever averages without being trusted: choose a column, then a protocol."),
    question="nobody",
    more=True,
)
