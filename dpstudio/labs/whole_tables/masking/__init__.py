"""The lab Masking."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="masking",
    label=N_("Masking"),
    asks=N_("What is left of a column once it is masked?"),
    help=N_(
        "Swap, blank, draw in, randomise (PRAM) or part a column from the others (anatomy), add "
        "noise and rebuild its spread, and see what stays of it and what it promises."
    ),
    useful=N_("Whoever hands on masked columns: choose a way of masking, then a column."),
    question="whole_tables",
    part=N_("without ε"),
)
