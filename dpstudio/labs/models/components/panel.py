"""The side panel of the lab Components: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon", Says("budget", "muted")), pinned=True),
    Section(
        N_("Rows"),
        ("features", "k", "centred", Says("centred", "muted"), Says("left_out", "muted"), *PERSONS),
    ),
    Section(N_("Way"), ("mechanism", Says("way", "muted"), "mechanism.delta", "enough", "drawn")),
    Section(
        N_("Rows held by"),
        ("holder", Says("trust", "muted"), Says("told"), Says("key"), "predicts"),
    ),
    Section(
        N_("As printed"), (Says("printed_centred"), Says("printed_power"), Says("printed_wishart"))
    ),
    Section(N_("Drawing"), ("show_truth", "trials", "seed")),
)
