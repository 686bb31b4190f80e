"""The lab Many owners."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="owners",
    label=N_("Many owners"),
    asks=N_("Whom must many owners trust, and at what cost?"),
    help=N_(
        "The error of one count under four kinds of trust; and owners who send encrypted shares, "
        "message by message."
    ),
    useful=N_("Holders of parts of one table: choose what to look at."),
    question="nobody",
    more=True,
)
