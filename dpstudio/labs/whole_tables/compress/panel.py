"""The side panel of the lab Compress: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Let out"), ("k",), pinned=True),
    Section(N_("Projection"), ("way", Says("order", "muted"), Says("rank", "muted"), "drawn")),
    Section(N_("Rows"), ("points", "picture", Says("rows", "muted"), *PERSONS)),
    Section(N_("Attacker"), ("attacker", "score", Says("strongest"), Says("inverse", "muted"))),
    Section(
        N_("A promise beside it"),
        (
            "mechanism.epsilon",
            "mechanism",
            "mechanism.delta",
            Says("budget", "muted"),
            Says("private"),
            Says("private_rows"),
        ),
    ),
    Section(
        N_("As printed"),
        (Says("printed_order"), Says("printed_mean"), Says("printed_rank"), Says("printed_never")),
    ),
    Section(N_("Drawing"), ("view", "show_truth", "splits", "seed")),
)
