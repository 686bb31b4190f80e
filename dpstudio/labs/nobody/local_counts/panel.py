"""The side panel of the lab Local counts: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("protocol.epsilon", Says("odds")), pinned=True),
    Section(N_("Question"), ("query", Says("asked", "muted"))),
    Section(N_("Protocol"), ("protocol", Says("border", "muted"), Says("drawn", "muted"))),
    Section(N_("Spent"), (Says("spent"), Says("neighbours", "muted"))),
    Section(N_("Error"), ("judged", "confidence", "relative", Says("seldom"))),
    Section(N_("Estimates"), ("post", Says("post", "muted"), "part")),
    Section(N_("Drawing"), ("show_truth", "trials", "seed")),
)
