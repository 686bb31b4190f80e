"""The lab Membership."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="membership",
    label=N_("Membership"),
    asks=N_("Can it be seen that somebody was in?"),
    help=N_("Tell from an answer, or from a model, who was among those it was made of."),
    useful=N_("Owners of a table or a model: choose the attack."),
    question="attacks",
)
