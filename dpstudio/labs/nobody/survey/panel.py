"""The side panel of the lab Survey: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Line, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("coins.epsilon", Says("channel")), pinned=True),
    Section(
        N_("Answers"), ("observed", "observed.yes", "n", Says("why"), Says("expected", "muted"))
    ),
    Section(
        N_("Coins"),
        ("coins", Says("variant", "muted"), Says("better", "muted"), Says("belief", "muted")),
    ),
    Section(
        N_("Target"),
        (
            Line(((N_("within ±"), "aim", 4), (N_("at"), "confidence", 4))),
            Says("parts", "muted"),
            Says("few"),
            Says("outside"),
            Says("coverage", "muted"),
        ),
        folded=True,
    ),
    Section(N_("Asking again"), ("asked", Says("again"), Says("kept", "muted")), folded=True),
    Section(N_("Drawing"), ("share", "seed", Says("deny", "muted")), folded=True),
)
