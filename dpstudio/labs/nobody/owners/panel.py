"""The side panel of the lab Many owners: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

# The looks stand first: ε, which one of them has, comes below the hand that chooses it.
PANEL: Design = (
    Section(N_("Look at"), ("looks", Says("left_out", "muted"), Says("dealt", "muted"), *PERSONS)),
    Section(N_("Privacy"), ("looks.epsilon", "looks.delta", Says("revealed"))),
    Section(N_("Who is counted"), ("looks.people", "looks.colluding", "looks.below")),
    Section(
        N_("What is encrypted"),
        ("looks.features", "looks.classes", "looks.modulus", "looks.bits"),
        folded=True,
    ),
    Section(N_("Trust"), (Says("stand_in"), Says("collude"), Says("trusted"), Says("factor"))),
    Section(N_("As printed"), (Says("printed"), Says("linear", "muted"), Says("key")), folded=True),
    Section(N_("Drawing"), ("show_truth", "seed")),
)
