"""The side panel of the lab Float leak: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Line, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("epsilon",), pinned=True),
    Section(
        N_("Answers"),
        (Line(((N_("x"), "answer", 7), (N_("x′"), "other", 7))), Says("reverse", "muted")),
    ),
    Section(N_("Noise"), ("sampler", Says("safe"))),
    Section(N_("Proof"), ("attack", Says("why", "muted"), Says("stands_in"))),
    Section(N_("Drawing"), ("trials", "seed")),
)
