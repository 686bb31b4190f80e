"""The side panel of the lab Local counts: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("protocol.epsilon", Says("odds")), pinned=True),
    Section(N_("Question"), ("query",)),
    Section(N_("Protocol"), ("protocol", Says("drawn", "muted"))),
    Section(
        N_("Spent"),
        (
            Says("spent"),
            Says("neighbours", "muted"),
            Says("border", "muted"),
            Says("asked", "muted"),
        ),
        folded=True,
    ),
    Section(
        N_("Error and drawing"),
        (
            "judged",
            "confidence",
            "relative",
            Says("seldom"),
            "post",
            Says("post", "muted"),
            "part",
            "show_truth",
            "trials",
            "seed",
        ),
        folded=True,
    ),
)
