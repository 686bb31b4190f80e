"""The side panel of the lab Dimension: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("epsilon",), pinned=True),
    Section(N_("Answer"), ("k", "growth", Says("sensitivity", "muted"))),
    Section(N_("Mechanisms"), ("delta", "drawn", Says("promise", "muted"))),
    Section(N_("Drawing"), ("measure", "confidence"), folded=True),
)
