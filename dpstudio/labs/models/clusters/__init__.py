"""The lab Clusters."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="clusters",
    label=N_("Clusters"),
    asks=N_("Do groups of rows still show when every step to find them is noisy?"),
    help=N_("k-means under a promise, step by step: centres move by noisy counts and sums."),
    useful=N_("Whoever groups people: move ε and watch where the noise puts the centres."),
    question="models",
    more=True,
)
