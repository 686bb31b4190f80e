"""The side panel of the lab Compress: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Released"), ("k",), pinned=True),
    Section(N_("Projection"), ("way",)),
    Section(
        N_("Notes"),
        (Says("order", "muted"), Says("rank", "muted"), Says("inverse", "muted")),
        folded=True,
    ),
    Section(N_("Rows"), ("points", "picture", Says("rows", "muted"), *PERSONS), folded=True),
    Section(N_("Attacker"), ("attacker", Says("strongest"))),
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
        folded=True,
    ),
    Section(
        N_("As printed"),
        (Says("printed_order"), Says("printed_mean"), Says("printed_rank"), Says("printed_never")),
        folded=True,
    ),
    Section(N_("Drawing"), ("score", "view", "show_truth", "splits", "seed"), folded=True),
)
