"""The side panel of the lab Hidden rules."""

from dpstudio.labs.panel import PERSONS, Design, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Rules"), ("support", "sure"), pinned=True),
    Section(N_("Table"), ("known", "sensitive", *PERSONS)),
    Section(N_("Hidden"), ("rank",)),
    Section(N_("Drawing"), ("show_truth", "seed")),
)
