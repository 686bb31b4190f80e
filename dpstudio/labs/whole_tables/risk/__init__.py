"""The lab Disclosure risk."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="risk",
    label=N_("Disclosure risk"),
    asks=N_("Who can be found in a table without names?"),
    help=N_(
        "Who is alone by the columns that an attacker may know, in the table and in the population "
        "that it is part of (uniques, SUDA, prosecutor, journalist, marketer)."
    ),
    useful=N_("Whoever hands on a table: choose what an attacker may know."),
    question="whole_tables",
    part=N_("without ε"),
)
