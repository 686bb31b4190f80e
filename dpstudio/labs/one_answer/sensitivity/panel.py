"""The side panel of the lab Sensitivity: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("epsilon",), pinned=True),
    Section(N_("Question"), ("query", "measured", *PERSONS)),
    Section(N_("Noise"), ("delta",)),
    Section(
        N_("Neighbours"),
        (Says("pair"), Says("other", "muted"), Says("norms", "muted"), "show_truth"),
    ),
)
