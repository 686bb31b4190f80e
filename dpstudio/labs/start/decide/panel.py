"""The side panel of the lab Decide: one dial, the question, and whose promises are drawn."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon", Says("dial", "muted")), pinned=True),
    Section(N_("Your question"), ("query", *PERSONS)),
    Section(N_("What others promised"), ("units", "models", Says("apart", "muted"))),
    Section(N_("Drawing"), ("part", "show_truth", "seed"), folded=True),
)
