"""The lab Attacks."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="attack",
    label=N_("Attacks"),
    asks=N_("What does an attacker gain, and how much can nobody gain?"),
    help=N_("Attack exact answers, then noisy ones, beside the bound that no attack can beat."),
    folder="attacks.attack",
    name="Attacks",
    question="attacks",
)
