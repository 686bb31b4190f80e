"""The side panel of the lab Clipping: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Line, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon",), pinned=True),
    Section(N_("Question"), ("statistic", "column", "where", "n_public", "centred", *PERSONS)),
    Section(
        N_("Bounds"),
        (
            Line(((N_("clipped to"), "low", 7), (N_("to"), "high", 7))),
            "attested",
            "moving",
            "centre",
            Says("keeps", "muted"),
        ),
    ),
    Section(N_("Mechanism"), ("mechanism", "mechanism.delta")),
    Section(
        N_("Choose the bound privately"),
        (
            "choose",
            "choose_epsilon",
            "q",
            "grid",
            "grid_low",
            "grid_high",
            "points",
            Says("private", "muted"),
        ),
    ),
    Section(N_("Drawing"), ("sampling", "show_truth", "trials", "seed")),
)
