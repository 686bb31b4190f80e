"""The side panel of the lab Dimension: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Answer"), ("k", "growth", Says("sensitivity", "muted"))),
    Section(N_("Privacy"), ("epsilon", "delta", Says("promise", "muted"))),
    Section(N_("Mechanisms"), ("drawn",)),
    Section(N_("Drawing"), ("measure", "confidence")),
)
