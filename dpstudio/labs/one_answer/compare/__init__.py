"""The lab Compare."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="compare",
    label=N_("Compare"),
    asks=N_("Which mechanism errs least at the same ε?"),
    help=N_("Set mechanisms side by side at the same guarantee and see which one wins."),
    useful=N_("Whoever must choose a mechanism: read the rows at one ε, then move it."),
    question="one_answer",
)
