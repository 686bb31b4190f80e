"""The lab Plan."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="plan",
    label=N_("Plan"),
    asks=N_("Which question gets how much of the budget?"),
    help=N_("Named questions under one ε: how far off each will be, and what each pays."),
    useful=N_("Whoever publishes several numbers: type what each may be off, drag the shares."),
    question="publish",
)
