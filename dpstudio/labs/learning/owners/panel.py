"""The side panel of the lab Many owners: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Look at"), ("looks", Says("left_out", "muted"), *PERSONS)),
    Section(N_("What is revealed"), (Says("revealed"), Says("collude"), Says("stand_in"))),
    Section(N_("Trust"), (Says("trusted", "muted"), Says("factor"))),
    Section(N_("As printed"), (Says("printed"), Says("linear", "muted"), Says("key"))),
    Section(N_("Drawing"), ("show_truth", "seed")),
)
