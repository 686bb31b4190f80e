"""The lab Decide."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="decide",
    label=N_("Decide"),
    asks=N_("What does ε mean for me?"),
    help=N_(
        "One dial, and what it does: to a guess about one person, to an answer of your table, and "
        "among the promises that others made."
    ),
    useful=N_("Whoever must say how much privacy is enough: type your question, turn the dial."),
    question="start",
)
