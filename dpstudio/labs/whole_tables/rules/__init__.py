"""The lab Hidden rules."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="rules",
    label=N_("Hidden rules"),
    asks=N_("What does hiding one rule do to all the others?"),
    help=N_(
        "Find association rules in a table, hide one of them by deleting items, and see which "
        "others are lost or made up."
    ),
    useful=N_("Owners of rules they keep secret: choose the rule to hide."),
    question="whole_tables",
    part=N_("without ε"),
    more=True,
)
