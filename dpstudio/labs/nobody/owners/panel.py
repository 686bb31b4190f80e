"""The side panel of the lab Many owners: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("looks.epsilon", "looks.delta", Says("revealed")), pinned=True),
    Section(N_("Look at"), ("looks", Says("left_out", "muted"), Says("dealt", "muted"), *PERSONS)),
    Section(N_("Trust"), (Says("stand_in"), Says("collude"), Says("trusted"), Says("factor"))),
    Section(N_("As printed"), (Says("printed"), Says("linear", "muted"), Says("key"))),
    Section(N_("Drawing"), ("show_truth", "seed")),
)
