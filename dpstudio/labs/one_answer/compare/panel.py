"""The side panel of the lab Compare: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, TO_PLAN, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("epsilon",), pinned=True),
    Section(N_("Question"), ("query", *PERSONS)),
    Section(N_("Mechanisms"), ("delta", "mechanisms", Says("guarantees", "muted"))),
    Section(
        N_("Error"), ("measure", "confidence", "largest", "post_processing", TO_PLAN), folded=True
    ),
    Section(
        N_("Drawing"), ("focus", Says("hint", "muted"), "part", "show_truth", "seed"), folded=True
    ),
)
