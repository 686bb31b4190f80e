"""The side panel of the lab Synthesis: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Line, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("epsilon", Says("odds")), pinned=True),
    Section(
        N_("What is made"),
        ("columns", "bins", "missing", Says("rows", "muted"), *PERSONS),
        folded=True,
    ),
    Section(N_("Way"), ("way",)),
    Section(N_("Proof"), (Says("theorem", "muted"), Says("only", "muted")), folded=True),
    Section(
        N_("Rows"),
        ("size", "written", Says("size", "muted"), Says("publish", "muted")),
        folded=True,
    ),
    Section(
        N_("Drawing"),
        (
            "view",
            "column",
            Line(((N_("range"), "low", 7), (N_("to"), "high", 7))),
            "other",
            "split",
            "show_truth",
            "seed",
        ),
        folded=True,
    ),
)
