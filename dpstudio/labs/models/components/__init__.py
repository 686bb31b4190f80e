"""The lab Components."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="components",
    label=N_("Components"),
    asks=N_("How much variance do private principal components keep?"),
    help=N_(
        "Release the principal components of a table in four ways, by one curator or by many "
        "owners under encryption, and see how much of the variance they keep."
    ),
    useful=N_("Whoever reduces many columns: choose a way, then move ε."),
    question="models",
    more=True,
)
