"""The lab Explore."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="explore",
    label=N_("Explore"),
    asks=N_("What does one private answer look like?"),
    help=N_("Ask a question of the table, add noise, and see what it costs."),
    useful=N_("Whoever publishes one number: drag ε and watch the curve."),
    question="one_answer",
)
