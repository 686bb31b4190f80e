"""The side panel of the lab Membership: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon",), pinned=True),
    Section(N_("Attack"), ("attacker",)),
    Section(N_("Question"), ("query", *PERSONS)),
    Section(N_("Mechanism"), ("mechanism", "mechanism.delta"), needs="picked"),
    Section(N_("How it goes"), (Says("what", "muted"),), folded=True),
    Section(N_("Drawing"), ("confidence", "show_truth", "trials", "seed"), folded=True),
)
