"""The side panel of the lab Selection: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, TO_PLAN, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon", Says("odds")), pinned=True),
    Section(N_("Question"), ("query", *PERSONS)),
    Section(N_("Mechanism"), ("mechanism",)),
    Section(
        N_("Scores and drawing"),
        (
            "monotone",
            Says("monotone", "muted"),
            Says("variant", "muted"),
            "at",
            "confidence",
            "show_truth",
            "trials",
            "seed",
            TO_PLAN,
        ),
        folded=True,
    ),
)
