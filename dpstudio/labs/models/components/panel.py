"""The side panel of the lab Components: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon", Says("budget", "muted")), pinned=True),
    Section(N_("Components"), ("k",)),
    Section(N_("Way"), ("mechanism", "mechanism.delta")),
    Section(
        N_("For a target"),
        ("enough", Says("wanted_epsilon", "muted", sets="mechanism.epsilon", value="own")),
        folded=True,
    ),
    Section(N_("Rows"), ("features", Says("left_out", "muted"), *PERSONS), folded=True),
    Section(N_("Proof"), ("centred", Says("centred", "muted"), Says("way", "muted")), folded=True),
    Section(
        N_("Rows held by"),
        ("holder", Says("trust", "muted"), Says("told"), Says("key"), "predicts"),
        folded=True,
    ),
    Section(
        N_("As printed"),
        (Says("printed_centred"), Says("printed_power"), Says("printed_wishart")),
        folded=True,
    ),
    Section(N_("Drawing"), ("show_truth", "trials", "seed"), folded=True),
)
