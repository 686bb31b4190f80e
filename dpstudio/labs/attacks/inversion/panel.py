"""The side panel of the lab Inversion: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Attack"), ("passes", Says("what", "muted"))),
    Section(N_("Drawing"), ("digit",)),
)
