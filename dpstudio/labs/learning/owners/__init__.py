"""The lab Many owners."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="owners",
    label=N_("Many owners"),
    asks=N_("What do many owners find out together, and whom must they trust?"),
    help=N_(
        "Owners send encrypted shares of scatter matrices, message by message; and the error of "
        "one count under four kinds of trust."
    ),
    folder="learning.owners",
    name="Owners",
    question="nobody",
    more=True,
)
