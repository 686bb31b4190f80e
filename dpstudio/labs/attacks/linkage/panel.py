"""The side panel of the lab Linkage: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Attack"), ("attacker", Says("what", "muted"))),
    Section(N_("Drawing"), ("confidence", "show_truth", "seed")),
)
