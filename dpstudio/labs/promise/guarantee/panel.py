"""The side panel of the lab Guarantee: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon", Says("advantage")), pinned=True),
    Section(N_("Question"), ("query", *PERSONS)),
    Section(N_("Mechanism"), ("mechanism", "mechanism.delta")),
    Section(N_("Who"), ("neighbour", "row", Says("neighbour", "muted")), folded=True),
    Section(
        N_("Attacker"),
        ("prior", "threshold", Says("belief", "muted"), "false_positives", Says("test", "muted")),
        folded=True,
    ),
    Section(
        N_("Many answers"),
        ("at_epsilon", Says("delta"), "people", Says("people", "muted")),
        folded=True,
    ),
    Section(N_("Drawing"), ("show_truth",), folded=True),
)
