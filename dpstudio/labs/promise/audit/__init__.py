"""The lab Audit."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="audit",
    label=N_("Audit"),
    asks=N_("Which ε do the outputs alone prove?"),
    help=N_("Run a mechanism on two neighbours, and see which ε its outputs alone prove."),
    useful=N_("Whoever checks a promise: choose what is audited and read what it proves."),
    question="promise",
    more=True,
)
