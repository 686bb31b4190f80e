"""The lab Synthesis."""

from dpstudio.labs.page import About
from dpstudio.values.messages import N_

ABOUT = About(
    key="synthesis",
    label=N_("Synthesis"),
    asks=N_("What does a synthetic table keep of the one that it was made from?"),
    help=N_("A whole table is made with a promise: see what it keeps and loses, and write it."),
    useful=N_("Whoever hands on a synthetic table: choose a way, then move ε."),
    question="whole_tables",
    part=N_("with ε"),
)
